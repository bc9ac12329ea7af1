"""`import evenhand` is light: what only some users need is imported where it is used."""

import subprocess
import sys

HEAVY = {
    *("sklearn", "pandas", "polars", "joblib", "scipy.stats", "scipy.optimize"),
    *("matplotlib", "altair", "rich", "typer", "click"),
    *("fastapi", "starlette", "uvicorn", "jinja2", "sqlalchemy", "httpx", "http.server", "asyncio", "sqlite3"),
}


def modules_after(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*sys.modules, sep='\\n')"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    return set(run.stdout.split())


def test_importing_evenhand_imports_nothing_heavy() -> None:
    before, after = modules_after("import numpy"), modules_after("from evenhand import *")
    assert "evenhand.rates.measure" in after
    assert not HEAVY & (after - before)


def test_a_name_is_imported_when_it_is_first_used() -> None:
    assert "numpy" not in modules_after("import evenhand")
    assert "evenhand.metric.fair_metric" in modules_after("import evenhand; evenhand.FairMetric")


def test_measuring_and_judging_need_nothing_heavy_either() -> None:
    after = modules_after(
        "from evenhand import FairMetric, SimulatedOracle, group_rates\n"
        "rates = group_rates([0, 0, 1, 1], [0, 1, 1, 1], sensitive_features=list('abab'))\n"
        "metric = FairMetric.random(rates.setting, 0)\n"
        "metric.cost(rates), str(metric), FairMetric.from_json(metric.to_json()), rates.interval()\n"
        "SimulatedOracle(metric)(rates, rates)"
    )
    assert not HEAVY & (after - modules_after("import numpy"))


def test_every_public_name_is_there() -> None:
    import evenhand  # noqa: PLC0415  # after the subprocesses, whose imports are what counts

    for name in evenhand.__all__:
        assert getattr(evenhand, name) is not None
    assert len(set(evenhand.__all__)) == len(evenhand.__all__)
