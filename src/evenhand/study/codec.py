"""What an interview found, as JSON: the result that a person was given stays theirs, on any machine and version."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from typing import Any

import numpy as np

from evenhand.elicitation.finding import Choice, Finding, Intervals, Reliability, Uncertainty
from evenhand.errors import EvenhandError
from evenhand.metric import FairMetric


def finding_document(finding: Finding) -> dict[str, Any]:
    """Return a finding as JSON holds it; the sample is left out, since the answers give it again."""
    return {
        "metric": json.loads(finding.metric.to_json()),
        "warnings": list(finding.warnings),
        "stopped_because": finding.stopped_because,
        "uncertainty": None if finding.uncertainty is None else _uncertainty_document(finding.uncertainty),
        "choice": None if finding.choice is None else asdict(finding.choice),
        "reliability": None if finding.reliability is None else asdict(finding.reliability),
    }


def _uncertainty_document(uncertainty: Uncertainty) -> dict[str, Any]:
    ends = {field.name: getattr(uncertainty.intervals, field.name) for field in fields(Intervals)}
    return {"level": uncertainty.level, "intervals": {name: np.asarray(end).tolist() for name, end in ends.items()}}


def read_finding(document: Any) -> Finding:
    """Read a finding back; a field that this evenhand does not know is refused."""
    if not isinstance(document, dict) or not isinstance(document.get("metric"), dict):
        raise EvenhandError(f"this is not what an interview found: {document!r:.60}")
    values = dict(document)
    values["metric"] = FairMetric.from_json(json.dumps(values["metric"]))
    values["warnings"] = tuple(values.get("warnings") or ())
    if values.get("uncertainty") is not None:
        ends = {name: np.array(end, dtype=np.float64) for name, end in values["uncertainty"]["intervals"].items()}
        values["uncertainty"] = Uncertainty(level=values["uncertainty"]["level"], intervals=Intervals(**ends))
    if values.get("choice") is not None:
        values["choice"] = Choice(**_frozen(values["choice"]))
    if values.get("reliability") is not None:
        values["reliability"] = Reliability(**_frozen(values["reliability"]))
    return Finding(**values)


def _frozen(values: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
