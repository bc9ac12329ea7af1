"""A study from a file, in the browser: nothing is lost on the way back, nothing stored before it is published."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from tests.support.quick import QuickRunner, study
from tests.web.owner import follow, notices, owner_of, published, roles, upload, words

from evenhand.study.demo.example_file import example_file
from evenhand.study.store import Store
from evenhand.study.study import Study


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(f"sqlite:///{tmp_path}/store.db", runner=QuickRunner(3)) as store:
        yield store


@pytest.fixture
def drafts(tmp_path: Path) -> Path:
    return tmp_path / "drafts"


@pytest.fixture
def owner(store: Store, drafts: Path) -> TestClient:
    return owner_of(store, drafts)


def rows() -> list[list[str]]:
    return list(csv.reader(io.StringIO(example_file())))


def file_of(table: list[list[str]], by: str = ",") -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=by, lineterminator="\n").writerows(table)
    return text.getvalue()


def changed(change: Callable[[list[list[str]]], object]) -> str:
    table = rows()
    change(table)
    return file_of(table)


def test_a_file_becomes_a_study_that_is_the_same_as_by_the_command(
    owner: TestClient, store: Store, drafts: Path, tmp_path: Path
) -> None:
    assert published(owner) == "loans-example"
    made = store.study("loans-example")
    (tmp_path / "table.csv").write_text(example_file())
    table = pl.read_csv(tmp_path / "table.csv")
    same = Study.from_table(table, label="repaid", prediction="model_*", group="sex", slug="loans-example")
    assert made.to_json() == same.to_json()
    assert list(drafts.iterdir()) == []


def test_a_new_study_is_by_invitation_and_not_open_to_whoever_knows_its_address(
    owner: TestClient, store: Store
) -> None:
    published(owner)
    assert not store.door("loans-example").admits_anyone
    stranger = TestClient(owner.app, follow_redirects=False)
    assert stranger.post("/loans-example").status_code == 403
    assert "loans-example" not in stranger.get("/").text


def test_the_example_file_can_be_downloaded_and_needs_no_upload(owner: TestClient) -> None:
    got = owner.get("/-/new/example.csv")
    assert got.text == example_file()
    assert "attachment" in got.headers["content-disposition"]
    here = follow(owner, owner.post("/-/new/example"), "columns")
    assert sorted(roles(owner, here).values()) == ["", "", "group", "label", *["prediction"] * 5]


def test_going_back_loses_nothing(owner: TestClient) -> None:
    here = follow(owner, upload(owner), "columns")
    chosen = roles(owner, here) | {"role-2": "group"}  # age, too
    follow(owner, owner.post(f"{here}/columns", data=chosen), "models")
    follow(owner, owner.post(f"{here}/models", data={"keep": ["0", "1", "2", "3"]}), "words")
    typed = words(owner, here) | {"title": "Who gets a loan?", "class-1": "who would repay", "slug": "No Slug!"}
    refused = owner.post(f"{here}/words", data=typed)
    assert refused.status_code == 422
    assert any("slug must be 1 to 40 small letters" in one for one in notices(refused))
    follow(owner, owner.post(f"{here}/words", data=typed | {"slug": "loans"}), "preview")
    assert "who would repay" in owner.get(f"{here}/preview").text
    assert roles(owner, here) == chosen
    assert owner.get(f"{here}/models").text.count('type="checkbox" name="keep"') == 5
    assert owner.get(f"{here}/models").text.count(" checked") == 4
    assert words(owner, here) == typed | {"slug": "loans"}
    follow(owner, owner.post(f"{here}/columns", data=chosen), "models")  # once more, as it was
    assert words(owner, here)["class-1"] == "who would repay"
    follow(owner, owner.post(f"{here}/columns", data=chosen | {"role-2": ""}), "models")  # other groups
    assert words(owner, here)["title"] == "Who gets a loan?"
    assert words(owner, here)["class-1"] == "whose repaid is 1"


def test_a_step_back_takes_along_what_was_written_right_or_wrong(owner: TestClient) -> None:
    here = follow(owner, upload(owner), "columns")
    follow(owner, owner.post(f"{here}/columns", data=roles(owner, here)), "models")
    follow(owner, owner.post(f"{here}/models", data={"keep": ["1"], "to": "columns"}), "columns")
    assert owner.get(f"{here}/models").text.count(" checked") == 1
    follow(owner, _keep_all(owner, here), "words")
    typed = words(owner, here) | {"title": "", "slug": "No Slug!"}
    follow(owner, owner.post(f"{here}/words", data=typed | {"to": "models"}), "models")
    assert words(owner, here) == typed
    refused = owner.post(f"{here}/words", data=typed | {"to": "//evil.example"})
    assert (refused.status_code, "location" in refused.headers) == (422, False)


def test_the_sentences_are_shown_without_a_script(owner: TestClient) -> None:
    here = follow(owner, upload(owner), "columns")
    follow(owner, owner.post(f"{here}/columns", data=roles(owner, here)), "models")
    sent = owner.post(f"{here}/words", data=words(owner, here) | {"group-1": "gentlemen", "show": "1"})
    assert sent.headers["location"] == f"{here}/words#sentences"
    text = " ".join(owner.get(f"{here}/words").text.split())
    assert '<span data-of="group-1">gentlemen</span> <span data-of="class-1">whose repaid is 1</span>' in text


def test_models_that_do_nearly_the_same_are_named_and_can_be_left_out(owner: TestClient, store: Store) -> None:
    here = follow(owner, upload(owner), "columns")
    follow(owner, owner.post(f"{here}/columns", data=roles(owner, here)), "models")
    told = notices(owner.get(f"{here}/models"))
    assert len(told) == 1
    assert "model_balanced and model_balanced_2 do nearly the same to everybody" in told[0]
    assert any("at least two" in one for one in notices(owner.post(f"{here}/models", data={"keep": ["1"]})))
    follow(owner, owner.post(f"{here}/models", data={"keep": ["0", "1", "2", "3"]}), "words")
    assert "between 4 models" in words(owner, here)["introduction"]
    follow(owner, owner.post(f"{here}/words", data=words(owner, here)), "preview")
    owner.post(f"{here}/publish")
    assert list(store.study("loans-example").candidates)[3:] == ["model_balanced"]


def test_sampling_errors_are_shown(owner: TestClient) -> None:
    here = follow(owner, upload(owner), "columns")
    follow(owner, owner.post(f"{here}/columns", data=roles(owner, here)), "models")
    assert "<b>14</b><small>9 to 22</small>" in owner.get(f"{here}/models").text  # of 119 people


def test_models_that_came_as_rates_only_are_shown_without_sampling_errors(owner: TestClient, store: Store) -> None:
    store.put_study(study())
    here = follow(owner, owner.post("/-/studies/loans/edit"), "words")
    text = owner.get(f"{here}/models").text
    assert text.count("<b>") == 3 * 2 * 2
    assert " to " not in text.partition("<tbody>")[2].partition("</tbody>")[0]


def test_an_edit_is_a_new_version_and_interviews_go_on_with_the_one_they_began_with(
    owner: TestClient, store: Store
) -> None:
    slug = published(owner, title="Who gets a loan?")
    [invitation] = store.invite(slug)
    store.accept(invitation.secret)
    here = follow(owner, owner.post(f"/-/studies/{slug}/edit"), "words")
    assert "those who have begun go on with the version" in " ".join(owner.get(f"/-/studies/{slug}").text.split())
    assert any("keeps its name" in one for one in notices(_sent_words(owner, here, slug="other")))
    assert _sent_words(owner, here, slug=slug, title="Who is given a loan?").status_code == 303
    assert "People who have begun go on with the version" in owner.get(f"{here}/preview").text
    assert owner.post(f"{here}/publish").status_code == 303
    assert store.study(slug).title == "Who is given a loan?"
    assert store.interview(invitation.secret).study.title == "Who gets a loan?"
    assert len(store.studies()) == 1


def test_names_are_kept_if_the_box_is_ticked_and_until_a_version_where_it_is_not(
    owner: TestClient, store: Store
) -> None:
    assert not store.study(published(owner)).names_kept
    slug = published(owner, names_kept="yes", slug="named")
    assert store.study(slug).names_kept
    here = follow(owner, owner.post(f"/-/studies/{slug}/edit"), "words")
    assert _is_ticked(owner, here), "as in the version before"
    _sent_words(owner, here)
    assert not _is_ticked(owner, here), "going back loses nothing"
    _sent_words(owner, here, names_kept="yes", title="")
    assert _is_ticked(owner, here), "also beside something that is wrong"
    _sent_words(owner, here, title="Who gets a loan?")
    owner.post(f"{here}/publish")
    assert not store.study(slug).names_kept


def _is_ticked(owner: TestClient, here: str) -> bool:
    [box] = re.findall(r'<input type="checkbox" name="names_kept"[^>]*>', owner.get(f"{here}/words").text)
    return " checked" in box


def _sent_words(owner: TestClient, here: str, **texts: str):  # type: ignore[no-untyped-def]
    return owner.post(f"{here}/words", data=words(owner, here) | texts)


def test_publishing_twice_leads_to_the_study_both_times(owner: TestClient, store: Store) -> None:
    here = follow(owner, owner.post("/-/new/example"), "columns")
    follow(owner, owner.post(f"{here}/columns", data=roles(owner, here)), "models")
    _keep_all(owner, here)
    follow(owner, _sent_words(owner, here, slug="loans"), "preview")
    sent = hidden(owner.get(f"{here}/preview"))
    for _ in range(2):
        assert owner.post(f"{here}/publish", data=sent).headers["location"] == "/-/studies/loans?published=1"
    assert len(list(store.studies())) == 1
    assert owner.post(f"{here}/publish", data={"slug": "other"}).status_code == 404


def test_two_drafts_of_one_name_make_one_study(owner: TestClient, store: Store) -> None:
    drafts = []
    for title in ("The first", "The second"):
        here = follow(owner, owner.post("/-/new/example"), "columns")
        follow(owner, owner.post(f"{here}/columns", data=roles(owner, here)), "models")
        _keep_all(owner, here)
        follow(owner, _sent_words(owner, here, slug="loans", title=title), "preview")
        drafts.append((here, hidden(owner.get(f"{here}/preview"))))
    for here, sent in drafts:
        last = owner.post(f"{here}/publish", data=sent)
    assert store.study("loans").title == "The first"
    assert owner.get(last.headers["location"]).headers["location"] == f"{here}/words"
    assert any("there is a study 'loans' already" in one for one in notices(owner.get(f"{here}/words")))


def test_an_edit_replaces_no_other_that_was_published_meanwhile_unless_told_so(owner: TestClient, store: Store) -> None:
    slug = published(owner, title="Before")
    edits = [follow(owner, owner.post(f"/-/studies/{slug}/edit"), "words") for _ in range(2)]
    pages = []
    for here, title in zip(edits, ("One", "Other"), strict=True):
        follow(owner, _sent_words(owner, here, title=title), "preview")
        pages.append(hidden(owner.get(f"{here}/preview")))
    one, other = edits
    assert owner.post(f"{one}/publish", data=pages[0]).headers["location"] == f"/-/studies/{slug}?published=1"
    assert owner.post(f"{other}/publish", data=pages[1]).headers["location"] == f"{other}/preview"
    assert store.study(slug).title == "One"
    told = owner.get(f"{other}/preview")
    assert any("Somebody has published another version since this edit began" in one for one in notices(told))
    owner.post(f"{other}/publish", data=hidden(told))
    assert store.study(slug).title == "Other"


def hidden(page: Response) -> dict[str, str]:
    """Return what a page's forms send along."""
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page.text))


def test_a_second_study_does_not_replace_the_first(owner: TestClient, store: Store) -> None:
    published(owner)
    assert published(owner) == "loans-example-2"
    here = follow(owner, upload(owner), "columns")
    follow(owner, owner.post(f"{here}/columns", data=roles(owner, here)), "models")
    refused = _sent_words(owner, here, slug="loans-example")
    assert any("there is a study 'loans-example' already" in one for one in notices(refused))
    assert len(store.studies()) == 2


def test_a_draft_that_is_left_is_gone(owner: TestClient, drafts: Path, store: Store) -> None:
    here = follow(owner, upload(owner), "columns")
    assert len(list(drafts.iterdir())) == 1
    assert owner.post(f"{here}/leave").headers["location"] == "/-/"
    assert list(drafts.iterdir()) == []
    assert owner.get(f"{here}/words").status_code == 404
    assert store.studies() == {}


BAD_FILES: dict[str, tuple[str, str | bytes, str]] = {
    "no file": ("", b"", "No file was chosen."),
    "an unknown kind": ("people.docx", b"x", "'people.docx' is not a file that can be read: its name must end in .csv"),
    "a spreadsheet": ("people.csv", b"PK\x03\x04" + bytes(200), "people.csv is a spreadsheet or an archive: open it"),
    "another encoding": (
        "people.csv",
        changed(lambda table: table[9].__setitem__(1, "fé")).encode("latin-1"),
        "people.csv is not in UTF-8: line 10, column 'sex', has the byte 0xe9",
    ),
    "two bytes for each": ("people.csv", example_file().encode("utf-16"), "people.csv is in UTF-16"),
    "a zero byte": ("people.csv", changed(lambda t: t[12].__setitem__(1, "f\0")), "line 13, column 'sex', has a byte"),
    "nothing": ("people.csv", b"", "people.csv cannot be read"),
    "names only": ("people.csv", b"sex,repaid,a,b\n", "has no rows but the names of its columns"),
    "blanks between the values": (
        "people.csv",
        file_of(rows(), " "),
        "has fewer columns than a study needs ('person sex",
    ),
    "two columns of one name": (
        "people.csv",
        changed(lambda table: table[0].__setitem__(5, "model_plain")),
        "more than one column called 'model_plain'",
    ),
    "500 columns": (
        "people.csv",
        file_of([[f"c{n}" for n in range(500)], ["1"] * 500]),
        "people.csv has 500 columns, but 256 is the most",
    ),
    "a name of a megabyte": (
        "people.csv",
        changed(lambda table: table[0].__setitem__(4, "x" * 900_000)),
        "the name of column 5 of people.csv has 900,000 characters, but 200 is the most",
    ),
    "a line of megabytes": ("people.csv", b"a" * 3_000_000, "a line of more than 1,000,000 characters"),
    "a line that is too long": (
        "people.csv",
        changed(lambda table: table[21].append("9")),
        "line 22 has 10 values, but the first line names 9 columns",
    ),
    "not Parquet": ("people.parquet", b"hello", "people.parquet cannot be read"),
}


@pytest.mark.parametrize(("name", "content", "told"), BAD_FILES.values(), ids=BAD_FILES)
def test_a_bad_file_gets_a_message_and_leaves_nothing_behind(
    owner: TestClient, store: Store, drafts: Path, name: str, content: str | bytes, told: str
) -> None:
    refused = upload(owner, content, name)
    assert refused.status_code == 422
    assert told in notices(refused)[0]
    assert str(drafts) not in refused.text
    assert list(drafts.glob("*")) == []
    assert store.studies() == {}


def nested() -> bytes:
    file = io.BytesIO()
    table = pl.read_csv(io.StringIO(example_file())).with_columns(pl.concat_list("model_plain").alias("model_plain"))
    table.write_parquet(file)
    return file.getvalue()


def _twins(table: list[list[str]]) -> None:
    """Give a class to every two rows, one in each group, and let two models predict it."""
    for place, row in enumerate(table[1:]):
        row[1], row[3:6] = "fm"[place % 2], [str(place // 2)] * 3


BAD_TABLES: dict[str, tuple[str | bytes, dict[str, str], str]] = {
    "a missing value": (
        changed(lambda table: table[17].__setitem__(4, "")),
        {},
        "the column 'model_plain' is missing (None) in 1 row: fill or drop them; first in line 18, where 'model_plain'",
    ),
    "text beside numbers": (
        changed(lambda table: table[33].__setitem__(5, "maybe")),
        {"role-5": "prediction"},
        "first in line 34, where 'model_cautious' is 'maybe'",
    ),
    "one group only": (
        changed(lambda table: [row.__setitem__(1, "f") for row in table[1:]]),
        {"role-1": "group", "role-2": ""},
        "at least two groups are needed, but received 1 ('f')",
    ),
    "a class missing in a group": (
        changed(lambda table: [row.__setitem__(3, "1") for row in table[1:] if row[1] == "f"]),
        {},
        "group 'f' has no people of true class 0",
    ),
    "a prediction of a class that nobody has": (
        changed(lambda table: table[5].__setitem__(6, "7")),
        {"role-6": "prediction"},
        "'model_generous' has 7 in 1 row, but the classes are 0, 1; first in line 6, where 'model_generous' is 7",
    ),
    "a number that is none": (
        changed(lambda table: table[7].__setitem__(3, "inf")),
        {},
        "first in line 8, where 'repaid' is inf",
    ),
    "scores": (
        changed(lambda table: [row.__setitem__(4, f"0.{place}") for place, row in enumerate(table[1:])]),
        {"role-4": "prediction"},
        "first in line 3, where 'model_plain' is 0.1",
    ),
    "a class for every two rows": (
        changed(_twins),
        {"role-1": "group", "role-4": "prediction", "role-5": "prediction"} | {f"role-{n}": "" for n in (2, 6, 7, 8)},
        "people cannot compare models with 300 classes and 2 groups: merge some, or leave some out",
    ),
    "2 rows": (
        changed(lambda table: table.__delitem__(slice(3, None))),
        {"role-1": "group"},
        "no people of true class",
    ),
    "nested columns": (nested(), {"role-4": "prediction"}, "'model_plain' is of type List("),
    "a group for each row": (
        example_file(),
        {"role-0": "group", "role-1": ""},
        "so its rates there are undefined",
    ),
    "no label": (example_file(), {"role-3": ""}, "no column says what really happened: choose one"),
    "no group": (example_file(), {"role-1": ""}, "no column says the group of each person: choose one"),
    "two labels": (example_file(), {"role-4": "label"}, "more than one column says what really happened"),
    "one model": (example_file(), {f"role-{n}": "" for n in range(5, 9)}, "a study needs at least two models"),
    "a role that is none": (example_file(), {"role-0": "../etc"}, "the column 'person' cannot be '../etc'"),
}


@pytest.mark.parametrize(("content", "chosen", "told"), BAD_TABLES.values(), ids=BAD_TABLES)
def test_wrong_columns_get_a_message_and_stay_chosen(
    owner: TestClient, store: Store, drafts: Path, content: str | bytes, chosen: dict[str, str], told: str
) -> None:
    name = "people.csv" if isinstance(content, str) else "people.parquet"
    here = follow(owner, upload(owner, content, name), "columns")
    wanted = roles(owner, here) | {"role-3": "label"} | chosen
    refused = owner.post(f"{here}/columns", data=wanted)
    assert refused.status_code == 422
    assert told in notices(refused)[0]
    assert str(drafts) not in refused.text
    assert "/tmp" not in notices(refused)[0]  # noqa: S108
    if "../etc" not in chosen.values():
        assert roles(owner, here) == wanted
    assert store.studies() == {}


HOSTILE = ["<script>alert(1)</script>", "=HYPERLINK(1)", "../../etc/passwd", "a\u202eb", "'\"><img src=x>"]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_shown_as_text_everywhere(owner: TestClient, store: Store, name: str) -> None:
    def change(table: list[list[str]]) -> None:
        table[0][4] = name
        for row in table[1:]:
            row[1] = name if row[1] == "f" else row[1]

    here = follow(owner, upload(owner, changed(change), f"{name}.csv"), "columns")
    chosen = roles(owner, here) | {"role-1": "group", "role-4": "prediction"}
    texts = [owner.get(f"{here}/columns").text]
    sent = owner.post(f"{here}/columns", data=chosen)
    if "\u202e" in name:  # it could turn around what people read
        assert any("cannot be shown" in one for one in notices(sent))
        texts.append(sent.text)
    else:
        follow(owner, sent, "models")
        texts.append(owner.get(f"{here}/models").text)
        assert _keep_all(owner, here).status_code == 303
        texts.append(owner.get(f"{here}/words").text)
        follow(owner, _sent_words(owner, here, title=name, slug="hostile"), "preview")
        texts.append(owner.get(f"{here}/preview").text)
        owner.post(f"{here}/publish")
        links = owner.post("/-/studies/hostile/invitations", data={"count": "2", "label": name})
        texts += [links.text, owner.get("/-/studies/hostile").text, owner.get("/-/").text]
        assert name in store.study("hostile").candidates
    for text in texts:
        for markup in ("<script>alert", "<img src=x"):
            assert markup not in text
        assert "\u202e" not in text


def _keep_all(owner: TestClient, here: str):  # type: ignore[no-untyped-def]
    return owner.post(f"{here}/models", data={"keep": ["0", "1", "2", "3", "4"]})


@pytest.mark.parametrize("name", ["model_*", "[x]", "a.b c", "model{}", "предсказание", " x", "class", "len", "^x"])
def test_any_name_of_a_column_will_do(owner: TestClient, store: Store, name: str) -> None:
    def change(table: list[list[str]]) -> None:
        table[0][4] = name

    here = follow(owner, upload(owner, changed(change)), "columns")
    chosen = roles(owner, here) | {"role-4": "prediction"}
    follow(owner, owner.post(f"{here}/columns", data=chosen), "models")
    assert owner.get(f"{here}/models").text.count('name="keep"') == 5


@pytest.mark.parametrize("name", ["*", "^.*$"])
def test_a_name_that_stands_for_other_columns_is_refused(owner: TestClient, drafts: Path, name: str) -> None:
    refused = upload(owner, changed(lambda table: table[0].__setitem__(4, name)))
    assert f"loans-example.csv has a column called '{name}', which stands for other columns" in notices(refused)[0]
    assert list(drafts.iterdir()) == []


def test_a_column_without_a_name_harms_nobody_unless_it_is_a_model(owner: TestClient) -> None:
    def change(table: list[list[str]]) -> None:
        for row in table:
            row[0] = row[3]
        table[0][0] = ""

    here = follow(owner, upload(owner, changed(change)), "columns")
    refused = owner.post(f"{here}/columns", data=roles(owner, here) | {"role-0": "prediction"})
    assert "loans-example.csv has a column of predictions without a name" in notices(refused)[0]
    follow(owner, owner.post(f"{here}/columns", data=roles(owner, here) | {"role-0": ""}), "models")


def many(number: int, change: Callable[[list[list[str]]], object] = lambda _: None) -> str:
    head, *people = rows()
    table = [head, *(list(people[place % len(people)]) for place in range(number))]
    change(table)
    return file_of(table)


def test_no_row_is_left_out_in_silence(owner: TestClient, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    published(owner, many(20_000))
    assert store.study("loans-example").population.sum() == 20_000
    here = follow(owner, upload(owner, many(20_000, lambda table: table[15_000].__setitem__(5, "maybe"))), "columns")
    refused = owner.post(f"{here}/columns", data=roles(owner, here) | {"role-5": "prediction"})
    assert "first in line 15001, where 'model_cautious' is 'maybe'" in notices(refused)[0]
    monkeypatch.setattr("evenhand.web.drafts.MOST_ROWS", 19_999)
    refused = upload(owner, many(20_000))
    assert "loans-example.csv has 20,000 rows, but 19,999 is the most: take a random sample" in notices(refused)[0]


def test_a_file_s_name_never_becomes_a_path(owner: TestClient, drafts: Path) -> None:
    for name in ("../../evil.csv", "/etc/evil.csv", "..\\..\\evil.csv", "a/../../evil.csv", "x" * 900 + ".csv"):
        here = follow(owner, upload(owner, name=name), "columns")
        assert ".." not in owner.get(f"{here}/columns").text.partition("has 600 rows")[0].rpartition("<p>")[2]
    assert {file.name for file in drafts.rglob("*") if file.is_file()} == {"rows.csv", "draft.json"}
    assert not (drafts.parent / "evil.csv").exists()


@pytest.mark.parametrize("by", [";", "\t", "|"])
def test_another_separator_does_not_make_one_wide_column(owner: TestClient, by: str) -> None:
    here = follow(owner, upload(owner, file_of(rows(), by)), "columns")
    assert sorted(roles(owner, here).values()) == ["", "", "group", "label", *["prediction"] * 5]
