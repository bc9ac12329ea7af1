"""A region from a file of scores."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from evenhand.checks.arrays import numbers
from evenhand.errors import EvenhandError
from evenhand.rates.counting.columns import check_labels, check_weight, matching
from evenhand.rates.files import open_file
from evenhand.region.feasible import FeasibleRegion

_MEANING = "the probability of a class"


def region_from_file(
    file: Path, *, label: str, scores: Sequence[str], group: Sequence[str], weight: str | None, calibrate: bool
) -> FeasibleRegion:
    """Read the class probabilities, true classes and groups of people, and make their region."""
    import narwhals as nw  # noqa: PLC0415  # commands must start quickly
    from narwhals.exceptions import NarwhalsError  # noqa: PLC0415

    try:
        table = nw.from_native(open_file(file, lambda column: False))  # noqa: ARG005
        schema = table.collect_schema()
        others = [label, *group, *([] if weight is None else [weight])]
        check_labels(schema, [label], "label")
        check_labels(schema, group, "group")
        if weight is not None:
            check_weight(schema, weight)
        named = [matching(one, schema, others, "score") or [one] for one in scores]
        found = list(dict.fromkeys(name for names in named for name in names))
        check_labels(schema, found, "score")
        read = table.select(*dict.fromkeys([*found, *others])).collect()
        columns = {name: read[name].to_numpy() for name in read.columns}
        chances = np.column_stack([numbers(columns[name], f"the score {name}", _MEANING) for name in found])
        return FeasibleRegion.from_scores(
            np.column_stack([1 - chances, chances]) if len(found) == 1 else chances,
            columns[label],
            sensitive_features={name: columns[name] for name in group} if len(group) > 1 else columns[group[0]],
            sample_weight=None if weight is None else columns[weight],
            calibrate=calibrate,
        )
    except EvenhandError as error:
        raise EvenhandError(str(error) if str(file) in str(error) else f"{file}: {error}") from error
    except (NarwhalsError, OSError) as error:
        raise EvenhandError(f"{file} cannot be read: {str(error).splitlines()[0]}") from error
