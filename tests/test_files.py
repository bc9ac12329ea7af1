"""Files that a user names: written whole, through links, and never in the place of something that is no file."""

from __future__ import annotations

import json
import os
import re
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from matplotlib.figure import Figure
from rich.text import Text

import evenhand
from evenhand import EvenhandError, FairMetric, Setting
from evenhand.cli.app import app
from evenhand.cli.interview_options import check_metric_file
from evenhand.experiments import figures
from evenhand.experiments.cache import keep
from evenhand.files import check_place, write_file
from evenhand.report.terminal.svg import save_svg
from evenhand.study.store import Store
from tests.support.quick import QuickRunner, study


def a_fifo(path: Path) -> None:
    os.mkfifo(path)


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))


def a_device(path: Path) -> None:
    """Make a null device of the test's own, since a fault might replace the machine's."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("only the superuser makes device nodes")


def a_folder(path: Path) -> None:
    path.mkdir()


SPECIAL = pytest.mark.parametrize(
    ("make", "kind"),
    [(a_fifo, "a FIFO"), (a_socket, "a socket"), (a_device, "a device"), (a_folder, "a folder")],
    ids=["fifo", "socket", "device", "folder"],
)


@SPECIAL
@pytest.mark.parametrize("linked", [False, True], ids=["itself", "linked"])
def test_only_a_regular_file_is_replaced(
    tmp_path: Path, make: Callable[[Path], None], kind: str, *, linked: bool
) -> None:
    place = path = tmp_path / "special"
    make(place)
    if linked:
        path = tmp_path / "link"
        path.symlink_to(place)
    before = place.stat()
    for refused in (check_place, lambda path: write_file(path, "new")):
        with pytest.raises(EvenhandError, match=f"cannot write .*: it is {kind}.*standard output"):
            refused(path)
    after = place.stat()
    assert (after.st_ino, after.st_mode, after.st_rdev) == (before.st_ino, before.st_mode, before.st_rdev)
    assert path.is_symlink() == linked
    assert not list(tmp_path.glob(".evenhand*"))


def test_a_link_stays_a_link_and_its_file_is_written(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    file, link, second = tmp_path / "elsewhere" / "file", tmp_path / "link", tmp_path / "second"
    link.symlink_to(Path("elsewhere") / "file")
    second.symlink_to("link")
    write_file(second, "made, since the link led nowhere")
    assert file.read_text() == "made, since the link led nowhere"
    write_file(second, b"replaced")
    assert file.read_bytes() == b"replaced"
    assert (str(link.readlink()), str(second.readlink())) == ("elsewhere/file", "link")
    assert not file.is_symlink()
    assert {path.name for path in tmp_path.rglob("*")} == {"elsewhere", "file", "link", "second"}


def test_links_that_lead_nowhere_at_all_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(EvenhandError, match=r"cannot write .*: Too many levels of symbolic links"):
        write_file(tmp_path / "a", "new")
    (tmp_path / "c").symlink_to(tmp_path / "nowhere" / "file")
    with pytest.raises(EvenhandError, match=r"cannot write .*c: its folder does not exist .*nowhere"):
        write_file(tmp_path / "c", "new")
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_symlink()) == ["a", "b", "c"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755, 0o666])
def test_a_file_that_is_replaced_keeps_its_permissions(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    path.chmod(mode)
    write_file(path, "new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "ordinary").touch()
    write_file(tmp_path / "file", "new")
    assert (tmp_path / "file").stat().st_mode == (tmp_path / "ordinary").stat().st_mode


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only the superuser writes files of others")
def test_a_file_of_somebody_else_stays_theirs(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    os.chown(path, 12345, 12345)
    write_file(path, "new")
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 12345)


@pytest.mark.skipif(os.name != "posix" or os.getuid() == 0, reason="the superuser may write anything")
def test_a_file_or_folder_that_may_not_be_written_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    path.chmod(0o444)
    with pytest.raises(EvenhandError, match="you lack permission to write to it"):
        write_file(path, "new")
    path.chmod(0o644)
    tmp_path.chmod(0o555)
    with pytest.raises(EvenhandError, match="you lack permission to write to the folder"):
        write_file(path, "new")
    tmp_path.chmod(0o755)
    assert path.read_text() == "old"


def test_a_write_that_fails_leaves_the_old_file_and_no_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(EvenhandError, match=r"cannot write .*: No space left on device"):
        write_file(path, "new")
    assert path.read_text() == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_a_folder_whose_name_leaves_no_room_for_a_draft_is_an_error_in_words(tmp_path: Path) -> None:
    folder = tmp_path
    while (left := 4070 - len(str(folder))) > 0:
        folder /= "f" * min(200, left)
        folder.mkdir()
    with pytest.raises(EvenhandError, match=r"cannot write .*: File name too long"):
        write_file(folder / "file", "new")
    with pytest.raises(EvenhandError, match=r"cannot write .*: File name too long"):
        write_file(tmp_path / ("x" * 300), "new")


def test_the_file_behind_the_standard_output_keeps_what_others_wrote(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("written before\n")
    program = "from pathlib import Path; from evenhand.files import write_file; write_file(Path('/dev/stdout'), 'new')"
    with log.open("a") as file:
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-c", program], stdout=file, stderr=subprocess.PIPE, text=True, check=False
        )
    assert "standard output goes to it" in done.stderr
    assert log.read_text() == "written before\n"


def a_metric_file(path: Path) -> None:
    check_metric_file(path, path.with_name("answers.jsonl"))


def an_export(path: Path) -> None:
    url = f"sqlite:///{path.with_name('store.db')}"
    with Store(url, runner=QuickRunner(3)) as store:
        store.put_study(study())
    app(["export", "loans", str(path), "--store", url], standalone_mode=False)


def some_rates(path: Path) -> None:
    predictions = path.with_name("predictions.csv")
    predictions.write_text("label,prediction,group\n" + "0,0,a\n0,1,b\n1,1,a\n1,0,b\n" * 20)
    app(["rates", str(predictions), "--json", str(path)], standalone_mode=False)


def a_report(path: Path) -> None:
    app(["report", str(a_metric(path)), "--out", str(path)], standalone_mode=False)


def charts_of_a_report(path: Path) -> None:
    charts = path.with_name("charts")
    charts.mkdir(exist_ok=True)
    if not (charts / "weights.png").is_symlink():
        (charts / "weights.png").symlink_to(path)
    page = path.with_name("page.html")
    app(["report", str(a_metric(path)), "--out", str(page), "--charts", str(charts)], standalone_mode=False)


def a_metric(beside: Path) -> Path:
    metric = beside.with_name("metric.json")
    metric.write_text(FairMetric.random(Setting(["yes", "no"], ["a", "b"], [[0.5, 0.5]] * 2), 0).to_json())
    return metric


def the_demo(path: Path) -> None:
    app(["demo", "--tolerance", "0.25", "--method", "bisection", "--svg", str(path)], standalone_mode=False)


def a_picture(path: Path) -> None:
    save_svg(Text("shown"), path, title="a picture", width=40)


def a_figure(path: Path) -> None:
    if not path.with_name("figure.svg").is_symlink():
        path.with_name("figure.svg").symlink_to(path)
    figures.save(Figure(), path.parent, "figure")


def the_cache(path: Path) -> None:
    keep(path, b"content")


def a_comparison(path: Path) -> None:
    out = path.with_name("out")
    options = ["--respondents", "2", "--budget", "3", "--flip", "0", "--jobs", "1", "--out", str(out)]
    app(["compare", *options, "--json", str(path)], standalone_mode=False)


WRITERS = [an_export, some_rates, a_report, charts_of_a_report, the_demo, a_picture, a_figure, the_cache, a_comparison]


@pytest.mark.parametrize("write", [*WRITERS, a_metric_file], ids=lambda write: write.__name__)
def test_nothing_that_evenhand_writes_replaces_a_fifo(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], write: Callable[[Path], None]
) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    with pytest.raises(EvenhandError, match="it is a FIFO"):
        write(path)
    assert path.is_fifo()


@pytest.mark.parametrize("write", WRITERS, ids=lambda write: write.__name__)
def test_all_that_evenhand_writes_is_written_through_links(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], write: Callable[[Path], None]
) -> None:
    link, file = tmp_path / "link", tmp_path / "file"
    link.symlink_to(file)
    file.write_text("old")
    file.chmod(0o600)
    write(link)
    assert link.is_symlink()
    assert file.read_bytes() not in {b"old", b""}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_an_export_that_is_printed_is_the_one_that_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    an_export(tmp_path / "export.json")
    capsys.readouterr()
    app(["export", "loans", "-", "--store", f"sqlite:///{tmp_path}/store.db"], standalone_mode=False)
    assert json.loads(capsys.readouterr().out) == json.loads((tmp_path / "export.json").read_text())


def test_no_other_module_writes_files_in_its_own_way() -> None:
    package = Path(evenhand.__file__).parent
    own_way = re.compile(
        r"\.write_(text|bytes)\(|NamedTemporaryFile|mkstemp|open\([^)]*\"[wax]b?\"|savefig\((path|out|file)"
    )
    example = re.compile(r"^ *(>>>|\.\.\.) .*", re.MULTILINE)
    modules = {path: example.sub("", path.read_text(encoding="utf-8")) for path in package.rglob("*.py")}
    found = {path.name for path, code in modules.items() if own_way.search(code)}
    assert found == {"files.py", "drafts.py"}  # an upload is copied to a file of its own, and may be too large to hold


def ranked(path: Path) -> None:
    app(["rank", str(a_metric(path)), str(path), "--json", str(path)], standalone_mode=False)


def ranked_onto_the_metric(path: Path) -> None:
    a_metric(path).replace(path)
    app(["rank", str(path), "absent.csv", "--json", str(path)], standalone_mode=False)


def rates_onto_their_file(path: Path) -> None:
    app(["rates", str(path), "--json", str(path)], standalone_mode=False)


def a_report_onto_its_metric(path: Path) -> None:
    a_metric(path).replace(path)
    linked = path.with_name("linked.json")
    linked.symlink_to(path)
    app(["report", str(path), "--out", str(linked)], standalone_mode=False)


def a_report_onto_its_predictions(path: Path) -> None:
    linked = path.with_name("linked.csv")
    linked.hardlink_to(path)
    app(["report", str(a_metric(path)), str(path), "--out", str(linked)], standalone_mode=False)


def an_export_onto_its_store(path: Path) -> None:
    path.unlink()
    with Store(f"sqlite:///{path}", runner=QuickRunner(3)) as store:
        store.put_study(study())
    app(["export", "loans", str(path), "--store", f"sqlite:///{path}"], standalone_mode=False)


@pytest.mark.parametrize(
    "write",
    [
        ranked,
        ranked_onto_the_metric,
        rates_onto_their_file,
        a_report_onto_its_metric,
        a_report_onto_its_predictions,
        an_export_onto_its_store,
    ],
    ids=lambda write: write.__name__,
)
def test_no_command_writes_over_what_it_reads(tmp_path: Path, write: Callable[[Path], None]) -> None:
    path = tmp_path / "input.csv"
    path.write_text("label,prediction,group\n" + "0,0,a\n0,1,b\n1,1,a\n1,0,b\n" * 20)
    with pytest.raises(EvenhandError, match=r"cannot write .*: it is the input .*which would be lost"):
        write(path)
    assert not path.read_bytes().startswith(b"<")
