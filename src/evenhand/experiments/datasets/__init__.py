"""The four real data sets of the paper's Table 1: from raw files to features, labels and groups."""

from evenhand.experiments.datasets.dataset import Dataset
from evenhand.experiments.datasets.loading import NAMES, load

__all__ = ["NAMES", "Dataset", "load"]
