"""What an interview found, as JSON: the result that a person was given stays theirs, on any machine and version."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import numpy as np

from evenhand.elicitation.finding import Finding, Intervals
from evenhand.errors import EvenhandError
from evenhand.metric import FairMetric


def finding_document(finding: Finding) -> dict[str, Any]:
    """Return a finding as JSON holds it; the sample is left out, since the answers give it again."""
    document = {field.name: getattr(finding, field.name) for field in fields(Finding) if field.name != "sample"}
    document["metric"] = json.loads(finding.metric.to_json())
    if finding.intervals is not None:
        document["intervals"] = {
            field.name: np.asarray(getattr(finding.intervals, field.name)).tolist() for field in fields(Intervals)
        }
    return document


def read_finding(document: Any) -> Finding:
    """Read a finding back; what only a newer evenhand knows is left out."""
    if not isinstance(document, dict) or not isinstance(document.get("metric"), dict):
        raise EvenhandError(f"this is not what an interview found: {document!r:.60}")
    known = {field.name for field in fields(Finding)}
    values = {name: _frozen(value) for name, value in document.items() if name in known}
    values["metric"] = FairMetric.from_json(json.dumps(document["metric"]))
    if values.get("intervals") is not None:
        level, *ends = (document["intervals"][field.name] for field in fields(Intervals))
        values["intervals"] = Intervals(level, *(np.array(end, dtype=np.float64) for end in ends))
    return Finding(**values)


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
