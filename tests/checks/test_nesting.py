"""JSON that is nested too deeply is refused before a parser sees it, wherever it comes from."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.region.test_classifier import CLASSIFIER
from tests.support.quick import QuickRunner, study

from evenhand import EvenhandError, FairMetric, Paper, Setting
from evenhand.checks.nesting import DEEPEST, check_lines, loads
from evenhand.cli.app import app
from evenhand.cli.source import Source
from evenhand.region.classifier import MixtureClassifier
from evenhand.study import FileLog, Header
from evenhand.study.exchange import export_study, read_export
from evenhand.study.store import Store
from evenhand.study.study import Study

ROW = '{{"label": {0}, "prediction": {1}, "group": "{2}", "more": {3}}}'
METRIC = FairMetric.random(Setting(["yes", "no"], ["a", "b"], [[0.5, 0.5]] * 2), 0)
SHAPES = pytest.mark.parametrize("shape", ["lists", "objects"])

json_values = st.recursive(
    st.integers() | st.text('"\\[]{}\n\r a', max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('"\\[{}]', max_size=3), inner, max_size=3),
    max_leaves=20,
)


def nested(depth: int, shape: str = "lists") -> str:
    before, after = ("[", "]") if shape == "lists" else ('{"a": ', "}")
    return before * depth + "1" + after * depth


def depth_of(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth_of, inner), default=0)


def lines(*more: str) -> str:
    rows = [ROW.format(i % 2, i // 2 % 2, "ab"[i // 4 % 2], "1") for i in range(16)]
    return "\n".join(rows[:5] + [ROW.format(0, 1, "a", one) for one in more] + rows[5:]) + "\n"


def check(text: str | bytes) -> None:
    check_lines(io.BytesIO(text.encode() if isinstance(text, str) else text), Path("p.jsonl"))


@given(json_values, st.integers(0, DEEPEST + 3), st.sampled_from([None, 1]))
def test_a_document_is_read_if_and_only_if_it_is_not_too_deep(value: Any, around: int, indent: int | None) -> None:
    for _ in range(around):
        value = [value]
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    for received in (text, text.encode()):
        if depth_of(value) <= DEEPEST:
            assert loads(received) == value
        else:
            with pytest.raises(EvenhandError, match=f"nested more than {DEEPEST} deep"):
                loads(received)


@given(st.lists(json_values, min_size=1, max_size=5), st.integers(0, DEEPEST + 3), st.integers(0, 4))
def test_a_line_is_taken_if_and_only_if_it_is_not_too_deep(values: list[Any], around: int, place: int) -> None:
    place %= len(values)
    for _ in range(around):
        values[place] = [values[place]]
    text = "".join(json.dumps({"more": value}) + "\n" for value in values)
    if depth_of(values[place]) < DEEPEST:
        check(text)
    else:
        with pytest.raises(EvenhandError, match=f"line {place + 1}: lists and objects are nested more than"):
            check(text)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"more": "[" * 1000}),
        json.dumps({"more": '"[{\\"' * 1000}),
        json.dumps({"[[" * 100 + '\\"': "]" * 100}),
        json.dumps({"more": "\\" * 1001 + '"' + "[" * 1000 + "\\"}),
        '{"label": "yes"}\n' * 1000,
        '{"label": ["yes", {"no": []}]}\r\n' * 1000,
        '{"label": "yes"}\r' * 1000,
        '{"label": "yes"} {"label": "no"}\n' * 1000,
        "]" * 1000,
        "",
    ],
)
def test_brackets_in_strings_and_brackets_that_are_closed_do_not_count(text: str) -> None:
    check(text)


@pytest.mark.parametrize(
    "text",
    [
        "[\n" * 1000,
        '{"a":\n' * 1000 + "1" + "}\n" * 1000,
        '{"a":}\n' * 10 + '{"a":{}\n' * 1000,
        "]" * 2000 + "\n" + "[" * 1000,
        '"\n' + "[" * 1000,
        '\\"\n' + "[" * 1000,
        '{"a": "\\\\"}\n' + "[" * 1000,
        '{"a": "' + "x" * 600_000 + '"}\n{"b":' + "[" * 1000,
    ],
    ids=range(8),
)
def test_no_line_before_hides_the_depth(text: str) -> None:
    with pytest.raises(EvenhandError, match="nested more than"):
        check(text)


def test_a_deep_line_is_named_however_far_down_it_is() -> None:
    with pytest.raises(EvenhandError, match=r"p\.jsonl, line 50001: .* a line is one object with a plain value"):
        check('{"label": "yes"}\n' * 50_000 + nested(1000) + "\n" + '{"label": "yes"}\n' * 50_000)


def test_a_line_that_does_not_end_is_not_read_into_memory() -> None:
    class Endless(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            buffer[:] = b" " * len(buffer)
            return len(buffer)

    with pytest.raises(EvenhandError, match="has a line of more than"):
        check_lines(io.BufferedReader(Endless()), Path("p.jsonl"))


@SHAPES
@pytest.mark.parametrize("depth", [DEEPEST, 500, 1000, 100_000])
def test_rates_refuse_a_deep_line(tmp_path: Path, shape: str, depth: int) -> None:
    """In a process of its own, since a fault would end it."""
    file = tmp_path / "deep.jsonl"
    file.write_text(lines(nested(depth, shape)))
    command = [sys.executable, "-c", "from evenhand.cli import main; main()", "rates", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 1
    assert done.stderr.startswith(f"evenhand: {file}, line 6: lists and objects are nested more than {DEEPEST} deep")
    assert done.stderr.count("\n") == 1


@SHAPES
@pytest.mark.parametrize("suffix", [".jsonl", ".ndjson", ".jsonl.gz"])
def test_rates_read_what_is_less_deep(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], shape: str, suffix: str
) -> None:
    file = tmp_path / f"less{suffix}"
    content = lines("1").replace('"more": 1', f'"more": {nested(DEEPEST - 1, shape)}, "text": "{"[{" * 500}"').encode()
    file.write_bytes(gzip.compress(content) if suffix.endswith(".gz") else content)
    app(["rates", str(file), "--json", "-"], standalone_mode=False)
    assert json.loads(capsys.readouterr().out)["prediction"]["groups"] == ["a", "b"]
    deep = content.replace(b'"more": [', b'"more": [[').replace(b'"more": {', b'"more": [{')
    file.write_bytes(gzip.compress(deep) if suffix.endswith(".gz") else deep)
    with pytest.raises(EvenhandError, match=r"less.*line 1: lists and objects are nested"):
        app(["rates", str(file), "--json", "-"], standalone_mode=False)


def an_interview(tmp_path: Path) -> tuple[str, Callable[[str], object]]:
    path = tmp_path / "answers.jsonl"
    FileLog(path, begin=lambda: Header(method=Paper(setting=METRIC.setting), seed=5)).close()
    written = path.read_text()

    def read(text: str) -> None:
        path.write_text(text + "\n")
        FileLog(path)

    return written.strip(), read


def a_source(tmp_path: Path) -> tuple[str, Callable[[str], object]]:
    path = tmp_path / "metric.json"

    def read(text: str) -> Source:
        path.write_text(text)
        return Source(path)

    return METRIC.to_json(), read


def an_export(tmp_path: Path) -> tuple[str, Callable[[str], object]]:
    with Store(f"sqlite:///{tmp_path}/store.db", runner=QuickRunner(3)) as store:
        store.put_study(study())
        token = store.begin("loans")
        for n in range(1, 4):
            store.answer(token, n, "first")
        return export_study(store, "loans"), read_export


READERS: dict[str, Callable[[Path], tuple[str, Callable[[str], object]]]] = {
    "metric": lambda _: (METRIC.to_json(), FairMetric.from_json),
    "classifier": lambda _: (CLASSIFIER.to_json(), MixtureClassifier.from_json),
    "study": lambda _: (study().to_json(), Study.from_json),
    "export": an_export,
    "interview": an_interview,
    "source": a_source,
}


@pytest.mark.parametrize("reader", READERS)
def test_every_document_is_refused_with_any_field_that_is_too_deep(tmp_path: Path, reader: str) -> None:
    text, read = READERS[reader](tmp_path)
    document = json.loads(text)
    assert depth_of(document) <= DEEPEST // 2, "what evenhand writes is far from the bound"
    read(text)
    for field in document:
        changed = json.dumps(document | {field: "DEEP"})
        for depth in (DEEPEST, 400, 900, 990, 5000, 100_000):
            for shape in ("lists", "objects"):
                with pytest.raises(EvenhandError):
                    read(changed.replace('"DEEP"', nested(depth, shape)))
