"""The four data sets have the paper's counts, and a file that is not the known one is refused."""

from __future__ import annotations

import gzip
import io
import re
import shutil
import threading
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from evenhand import EvenhandError, Setting
from evenhand.experiments import datasets
from evenhand.experiments.datasets import download, files

pytestmark = pytest.mark.raw_files
made_up = pytest.mark.parametrize("data", ["made up"], indirect=True)
real = pytest.mark.parametrize("data", ["real"], indirect=True)

TABLE_1 = {
    "default": (2, 2, 30000, 33),
    "adult": (2, 3, 43156, 74),
    "wine": (3, 2, 6497, 13),
    "crime": (3, 3, 1907, 99),
}


@real
@pytest.mark.parametrize("name", TABLE_1)
def test_a_data_set_has_the_counts_of_table_1_and_cells_large_enough_for_a_rate(name: str, data: Path) -> None:
    features, labels, groups = datasets.load(name, data=data)
    assert (len(np.unique(labels)), len(np.unique(groups)), *features.shape) == TABLE_1[name]
    assert np.isfinite(features).all()
    cells = [np.sum((labels == c) & (groups == g)) for c in np.unique(labels) for g in np.unique(groups)]
    assert min(cells) >= 38


def test_classes_sort_in_their_natural_order(data: Path) -> None:
    wine, crime = datasets.load("wine", data=data), datasets.load("crime", data=data)
    assert Setting.from_labels(wine.labels, sensitive_features=wine.groups).classes == ("5 or less", "6", "7 or more")
    classes = Setting.from_labels(crime.labels, sensitive_features=crime.groups).classes
    assert classes == ("0 to 0.29", "0.30 to 0.48", "0.49 to 1")


def test_the_groups_are_who_the_features_say_they_are(data: Path) -> None:
    adult, default, wine = (datasets.load(name, data=data) for name in ("adult", "default", "wine"))
    assert np.array_equal(adult.feature("race=Black") == 1, adult.groups == "Black")
    assert np.array_equal(default.feature("SEX=2") == 1, default.groups == "women")
    assert np.array_equal(wine.feature("colour=red") == 1, wine.groups == "red")
    with pytest.raises(EvenhandError, match="adult has no feature 'wage'"):
        adult.feature("wage")


@real
def test_the_labels_are_counted_as_the_sources_count_them(data: Path) -> None:
    adult, default = datasets.load("adult", data=data), datasets.load("default", data=data)
    assert (np.sum(adult.labels == ">50K"), np.sum(default.labels == "defaults")) == (10865, 6636)


def counts(values: np.ndarray[tuple[int, ...], np.dtype[np.str_]]) -> dict[str, int]:
    return dict(Counter(values.tolist()))


@made_up
def test_adults_with_missing_values_of_rare_races_or_from_rare_countries_are_dropped(data: Path) -> None:
    adult = datasets.load("adult", data=data)
    assert counts(adult.groups) == {"White": 190, "Black": 70, "Asian-Pac-Islander": 60}
    assert set(adult.labels) == {"<=50K", ">50K"}, "without the full stop of the test half"
    countries = [name for name in adult.feature_names if name.startswith("native-country=")]
    assert countries == ["native-country=Mexico", "native-country=United-States"]
    assert adult.feature("native-country=Mexico").sum() == 100
    assert "split" not in adult.feature_names


@made_up
def test_a_client_has_a_column_for_each_code_and_no_number(data: Path) -> None:
    default = datasets.load("default", data=data)
    assert default.features.shape == (300, 33)
    assert "ID" not in default.feature_names
    assert set(default.feature("LIMIT_BAL")) == {20_000, 120_000, 500_000, 1_000_000}
    assert np.array_equal(sum(default.feature(f"EDUCATION={code}") for code in range(7)), np.ones(300))


@made_up
def test_red_and_white_wines_are_one_table_in_three_classes(data: Path) -> None:
    wine = datasets.load("wine", data=data)
    assert counts(wine.groups) == {"red": 240, "white": 360}
    assert wine.features.shape == (600, 13)
    alcohol = [wine.feature("alcohol")[wine.labels == label].mean() for label in ("5 or less", "6", "7 or more")]
    assert alcohol == sorted(alcohol)


@made_up
def test_a_community_belongs_to_its_largest_share_and_ties_go_in_order(data: Path) -> None:
    crime = datasets.load("crime", data=data)
    assert counts(crime.groups) == {"White": 150, "Black": 90, "Hispanic": 80}
    shares = [f"race{share}" for share in ("pctblack", "PctWhite", "PctAsian", "PctHisp")]
    assert crime.feature_names == (*shares, "medIncome", "PctUnemployed"), "no column with a missing value"


def test_a_loaded_data_set_cannot_be_changed_by_accident(data: Path) -> None:
    with pytest.raises(ValueError, match="read-only"):
        datasets.load("wine", data=data).features[0, 0] = 1


def test_the_environment_names_the_folder(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = datasets.load("wine", data=data)
    monkeypatch.setenv("EVENHAND_DATA", str(data))
    assert np.array_equal(datasets.load("wine").features, named.features)


@made_up
def test_an_unknown_data_set_is_refused(data: Path) -> None:
    with pytest.raises(EvenhandError, match=r"no data set 'compas'.*'default', 'adult', 'wine', 'crime'"):
        datasets.load("compas", data=data)
    with pytest.raises(EvenhandError, match="no data set None"):
        datasets.load(None, data=data)  # type: ignore[arg-type]


def test_a_missing_folder_or_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EvenhandError, match="nowhere' does not exist"):
        datasets.load("wine", data=tmp_path / "nowhere")
    with pytest.raises(EvenhandError, match=r"no wine_red\.csv\.gz in .*EVENHAND_DATA"):
        datasets.load("wine", data=tmp_path)


@pytest.fixture
def copied(data: Path, tmp_path: Path) -> Path:
    for name in ("wine_red", "wine_white"):
        shutil.copy(data / files.file_name(name), tmp_path)
        (tmp_path / files.file_name(name)).chmod(0o600)
    return tmp_path


@made_up
def test_a_truncated_file_is_refused(copied: Path) -> None:
    file = copied / "wine_white.csv.gz"
    file.write_bytes(file.read_bytes()[:-1000])
    with pytest.raises(EvenhandError, match=r"wine_white\.csv\.gz is truncated"):
        datasets.load("wine", data=copied)


@made_up
def test_a_file_with_one_other_number_is_refused(copied: Path) -> None:
    file = copied / "wine_red.csv.gz"
    file.write_bytes(gzip.compress(gzip.decompress(file.read_bytes()).replace(b"1", b"2", 1)))
    with pytest.raises(EvenhandError, match=r"wine_red\.csv\.gz is not the known copy .* SHA-256"):
        datasets.load("wine", data=copied)


@made_up
@pytest.mark.parametrize("content", [b"", b"quality\n5\n", b"\x1f\x8b\x08\x00 damaged in the middle of it"])
def test_a_file_that_is_no_gzip_file_is_refused(copied: Path, content: bytes) -> None:
    (copied / "wine_red.csv.gz").write_bytes(content)
    with pytest.raises(EvenhandError, match=r"wine_red\.csv\.gz is"):
        datasets.load("wine", data=copied)


# UCI's own files, made again from the known copies: the downloads are unpacked as they would come.


def zipped(members: Mapping[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return packed.getvalue()


def written_out(text: str) -> str:
    """Return a table with 5e+05 written as 500000."""
    return re.sub(r"(\d)e\+0(\d)", lambda number: number[1] + int(number[2]) * "0", text)


@pytest.fixture(scope="module")
def as_uci_sends(data: Path) -> dict[str, bytes]:
    text = {name: gzip.decompress((data / files.file_name(name)).read_bytes()).decode() for name in files.SHA256}
    halves: dict[str, list[str]] = {"train": [], "test": ["|1x3 Cross validator"]}
    for line in text["adult"].splitlines()[1:]:
        row, _, half = line.rpartition(",")
        halves[half].append(row.replace(",", ", "))
    names, _, rows = text["communities"].partition("\n")
    return {
        "2/adult.zip": zipped(
            {"adult.data": "\n".join(halves["train"]) + "\n\n", "adult.test": "\n".join(halves["test"]) + "\n\n"}
        ),
        "350/data.csv": written_out(text["default"].replace("LIMIT_BAL", "X1", 1)).encode(),
        "186/wine+quality.zip": zipped({f"winequality-{c}.csv": text[f"wine_{c}"] for c in ("red", "white")}),
        "183/communities+and+crime.zip": zipped(
            {
                "communities.names": "% about\n" + "".join(f"@attribute {name} numeric\n" for name in names.split(",")),
                "communities.data": rows,
            }
        ),
    }


@pytest.fixture
def uci(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A server on this machine, whose folder is returned; the cache is empty."""
    served = tmp_path / "served"
    served.mkdir()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(served)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setattr(download, "_UCI", f"http://127.0.0.1:{server.server_port}/")
    monkeypatch.setenv("EVENHAND_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("EVENHAND_DATA", raising=False)
    yield served
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("name", files.SHA256)
def test_a_file_comes_from_uci_once_and_is_the_known_one(
    name: str, data: Path, uci: Path, as_uci_sends: dict[str, bytes]
) -> None:
    for address, content in as_uci_sends.items():
        (uci / address).parent.mkdir()
        (uci / address).write_bytes(content)
    first = download.downloaded(name)
    shutil.rmtree(uci)
    assert download.downloaded(name) == first == files.read(data / files.file_name(name))


@made_up
def test_without_a_folder_the_data_come_from_uci(uci: Path, as_uci_sends: dict[str, bytes]) -> None:
    (uci / "186").mkdir()
    (uci / "186" / "wine+quality.zip").write_bytes(as_uci_sends["186/wine+quality.zip"])
    assert datasets.load("wine").features.shape == (600, 13)


def test_no_network_is_said_and_nothing_is_kept(uci: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "_UCI", "http://127.0.0.1:9/")
    with pytest.raises(EvenhandError, match=r"cannot download .* Without a network, get adult\.csv\.gz"):
        datasets.load("adult")
    assert not (tmp_path / "cache").exists()


def test_a_page_that_is_gone_is_said(uci: Path) -> None:
    with pytest.raises(EvenhandError, match=r"cannot download .*/2/adult\.zip: 404"):
        datasets.load("adult")


@pytest.mark.parametrize("content", [b"<html>moved</html>", zipped({"other": "file"})], ids=["page", "other archive"])
def test_an_archive_that_is_none_is_refused_and_not_kept(content: bytes, uci: Path, tmp_path: Path) -> None:
    (uci / "2").mkdir()
    (uci / "2" / "adult.zip").write_bytes(content)
    with pytest.raises(EvenhandError, match=r"adult\.zip sent is not the expected archive"):
        datasets.load("adult")
    assert not (tmp_path / "cache").exists()


@made_up
def test_an_altered_download_is_refused_and_not_kept(uci: Path, tmp_path: Path, as_uci_sends: dict[str, bytes]) -> None:
    (uci / "350").mkdir()
    (uci / "350" / "data.csv").write_bytes(as_uci_sends["350/data.csv"].replace(b"20000", b"30000", 1))
    with pytest.raises(EvenhandError, match=r"data\.csv is not the known copy"):
        datasets.load("default")
    assert not (tmp_path / "cache").exists()
