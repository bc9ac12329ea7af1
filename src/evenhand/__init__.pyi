from . import elicitation as elicitation
from . import metric as metric
from . import metrics as metrics
from . import oracles as oracles
from . import ranking as ranking
from . import rates as rates
from . import region as region
from .documents import load
from .elicitation import (
    SKIP,
    Adaptive,
    Bisection,
    Choice,
    Elicited,
    Finding,
    Intervals,
    LeastSquares,
    Method,
    Paper,
    Question,
    Reliability,
    Uncertainty,
    Verdict,
    compare_structures,
    elicit,
    interview,
    next_question,
    replay,
)
from .errors import EvenhandError
from .metric import FairMetric
from .notebook import NotebookOracle
from .oracles import (
    NotDecidedError,
    SimulatedOracle,
    ab_oracle,
    classifier_oracle,
    majority_oracle,
    sample_oracle,
)
from .ranking import compare_metrics, rank
from .rates import GroupRates, Setting, group_rates, group_rates_from_table
from .region import FeasibleRegion, MixtureClassifier, OutOfReachError
from .wording.phrases import Phrases

__version__: str

__all__ = [
    "SKIP",
    "Adaptive",
    "Bisection",
    "Choice",
    "Elicited",
    "EvenhandError",
    "FairMetric",
    "FeasibleRegion",
    "Finding",
    "GroupRates",
    "Intervals",
    "LeastSquares",
    "Method",
    "MixtureClassifier",
    "NotDecidedError",
    "NotebookOracle",
    "OutOfReachError",
    "Paper",
    "Phrases",
    "Question",
    "Reliability",
    "Setting",
    "SimulatedOracle",
    "Uncertainty",
    "Verdict",
    "ab_oracle",
    "classifier_oracle",
    "compare_metrics",
    "compare_structures",
    "elicit",
    "group_rates",
    "group_rates_from_table",
    "interview",
    "load",
    "majority_oracle",
    "next_question",
    "rank",
    "replay",
    "sample_oracle",
]
