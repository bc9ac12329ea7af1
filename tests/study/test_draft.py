"""A draft of a study: from any table or file of predictions, with words that a person can change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from evenhand import EvenhandError, group_rates
from evenhand.rates.files import Columns
from evenhand.study.draft import drafted
from evenhand.study.study import Study

RNG = np.random.default_rng(0)
ROWS = 200
REPAID = RNG.integers(0, 2, ROWS)
TABLE = pl.DataFrame(
    {
        "repaid": REPAID,
        "sex": RNG.choice(["f", "m"], ROWS),
        "age": RNG.choice(["under 40", "40 or over"], ROWS),
        "model_a": np.where(RNG.random(ROWS) < 0.2, 1 - REPAID, REPAID),
        "model_b": np.where(RNG.random(ROWS) < 0.3, 1 - REPAID, REPAID),
    }
)
ROLES: dict[str, Any] = {"label": "repaid", "prediction": "model_*", "group": "sex", "slug": "loans"}


def from_file(file: Path, **roles: Any) -> Study:
    """Draft a study as the command does."""
    given = ROLES | roles
    group = [given["group"]] if isinstance(given["group"], str) else given["group"]
    rates = Columns(given["label"], [given["prediction"]], group, None).rates([file])
    return drafted(rates, label=given["label"], group=group, slug="loans")


def test_a_table_becomes_a_study_with_the_rates_of_its_models() -> None:
    study = Study.from_table(TABLE, **ROLES)
    assert list(study.candidates) == ["model_a", "model_b"]
    assert study.candidates["model_a"] == group_rates(
        TABLE["repaid"], TABLE["model_a"], sensitive_features=TABLE["sex"]
    )
    assert study.population.sum() == ROWS
    assert Study.from_table(TABLE, **ROLES, title="Who gets a loan?").title == "Who gets a loan?"


def test_words_are_guessed_as_a_person_would_say_them() -> None:
    words = Study.from_table(TABLE, **ROLES).words
    assert dict(words.groups) == {"f": "women", "m": "men"}
    assert words.classes[1] == "whose repaid is 1"
    assert words.mistakes[1, 0] == "are predicted 0"
    both = Study.from_table(TABLE, **ROLES | {"group": ["sex", "age"]}).words
    assert both.groups["f & under 40"] == "people of the group “f & under 40”"


def test_a_file_and_its_table_make_the_same_study(tmp_path: Path) -> None:
    TABLE.write_parquet(tmp_path / "loans.parquet")
    TABLE.write_csv(tmp_path / "loans.csv")
    expected = Study.from_table(TABLE, **ROLES).to_json()
    assert from_file(tmp_path / "loans.parquet").to_json() == expected
    assert from_file(tmp_path / "loans.csv").to_json() == expected


def test_a_weighted_table_keeps_how_many_people_its_rates_rest_on(tmp_path: Path) -> None:
    weighted = TABLE.with_columns(weight=pl.Series(RNG.uniform(0.5, 2.0, ROWS)))
    study = Study.from_table(weighted, **ROLES, weight="weight")
    file = tmp_path / "loans.toml"
    file.write_text(study.to_toml(), encoding="utf-8")
    again = Study.from_file(file)
    assert again.to_json() == study.to_json()
    sizes = next(iter(again.candidates.values())).sizes
    assert sizes is not None
    assert sizes.sum() < ROWS


BAD: dict[str, tuple[Callable[[], pl.DataFrame], dict[str, Any], str]] = {
    "no such column": (lambda: TABLE, {"label": "repayed"}, "no column 'repayed'.* did you mean 'repaid'"),
    "no such model": (lambda: TABLE, {"prediction": "score_*"}, r"no column matches the prediction 'score_\*'"),
    "one model": (lambda: TABLE, {"prediction": "model_a"}, "at least two models .* only 'model_a'"),
    "a missing label": (
        lambda: TABLE.with_columns(repaid=pl.when(pl.int_range(ROWS) > 2).then("repaid")),
        {},
        r"'repaid' is missing \(None\) in 3 rows",
    ),
    "text beside numbers": (
        lambda: TABLE.with_columns(model_a=pl.when(pl.int_range(ROWS) > 2).then("repaid").cast(str).fill_null("yes")),
        {},
        "'model_a' has .*'yes'",
    ),
    "one group": (lambda: TABLE.with_columns(sex=pl.lit("f")), {}, "groups"),
    "a group without a class": (
        lambda: TABLE.with_columns(sex=pl.when(pl.col("repaid") == 1).then(pl.lit("f")).otherwise("sex")),
        {},
        "'m'.*class 1",
    ),
    "a class that nobody has": (
        lambda: TABLE.with_columns(model_b=pl.col("model_b") + pl.int_range(ROWS).eq(7).cast(int) * 5),
        {},
        r"'model_b' has (5|6) in 1 row, but the classes are 0, 1",
    ),
    "two rows": (lambda: TABLE.head(2), {}, "loans.csv: "),
    "no rows": (lambda: TABLE.head(0), {}, "the table is empty"),
    "scores": (lambda: TABLE.with_columns(model_a=pl.int_range(ROWS) / 1000), {}, "'model_a' has 0.0"),
    "a group with a direction mark": (
        lambda: TABLE.with_columns(sex=pl.col("sex").replace("m", "\u202em")),
        {},
        "cannot be shown",
    ),
    "a group with NUL": (
        lambda: TABLE.with_columns(sex=pl.col("sex").replace("m", "m\0")),
        {},
        "'sex', has a byte that is zero",
    ),
    "a group of a megabyte": (
        lambda: TABLE.with_columns(sex=pl.col("sex").replace("m", "m" * 10**6)),
        {},
        "a line of more than 1,000,000 characters",
    ),
    "a model of a megabyte": (
        lambda: TABLE.rename({"model_b": "model_" + "b" * 10**6}),
        {},
        "a line of more than 1,000,000 characters",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_table_is_refused_in_words(tmp_path: Path, case: str) -> None:
    make, roles, message = BAD[case]
    make().write_csv(tmp_path / "loans.csv")
    with pytest.raises(EvenhandError, match=message) as raised:
        from_file(tmp_path / "loans.csv", **roles)
    assert len(str(raised.value)) < 2500
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "loans.csv",
            b"repaid,sex,model_a,model_b\n1,\xff\xfe,1,0\n",
            "loans.csv is not in UTF-8: line 2, column 'sex'",
        ),
        ("loans.csv", b"PK\x03\x04\x14\x00\x06\x00\x08\x00\x00\x00!\x00" * 50, "loans.csv"),
        (
            "loans.csv",
            b"repaid;sex;model_a;model_b\n1;f;1;0\n0;m;1;0\n",
            "loans.csv: group 'f' has no people of true class 0",  # semicolons separate, too
        ),
        ("loans.csv", b"repaid,sex,model_a,model_a\n1,f,1,0\n", "more than one column called 'model_a'"),
        ("loans.csv", b"", "loans.csv cannot be read"),
        ("loans.parquet", b"PAR1 and no more", "loans.parquet cannot be read"),
        ("loans.xlsx", b"PK\x03\x04", "unknown format: name a file that ends in '.csv'"),
    ],
)
def test_a_file_that_is_no_table_is_refused_in_words(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(EvenhandError, match=message):
        from_file(tmp_path / name)


def test_nested_columns_are_refused(tmp_path: Path) -> None:
    TABLE.with_columns(sex=pl.concat_list("sex", "age")).write_parquet(tmp_path / "loans.parquet")
    with pytest.raises(EvenhandError, match=r"the group column 'sex' is of type List"):
        from_file(tmp_path / "loans.parquet")


def test_markup_and_formulas_are_names_like_others(tmp_path: Path) -> None:
    odd = {"f": "<script>alert(1)</script>", "m": '=HYPERLINK("http://evil")'}
    table = TABLE.with_columns(sex=pl.col("sex").replace(odd)).rename({"model_a": "model_../../etc/passwd"})
    study = Study.from_table(table, **ROLES)
    file = tmp_path / "loans.toml"
    file.write_text(study.to_toml(), encoding="utf-8")
    assert Study.from_file(file).setting.groups == tuple(sorted(odd.values()))
    assert "model_../../etc/passwd" in Study.from_file(file).candidates


def test_a_thousand_models_are_drafted_and_a_thousand_and_one_are_not() -> None:
    many = TABLE.with_columns(pl.col("model_a").alias(f"model_{n}") for n in range(998))
    assert len(Study.from_table(many, **ROLES).candidates) == 1000
    with pytest.raises(EvenhandError, match="there are 1001 candidates, but 1000 is the most"):
        Study.from_table(many.with_columns(model_x="model_a"), **ROLES)
