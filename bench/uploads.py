"""A study from a file in the browser: a CSV of 1,000,000 rows and 20 models, read and mapped."""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

from evenhand.rates.looking import columns_of
from evenhand.web.drafts import Drafts

ROWS, MODELS = 1_000_000, 20
MOST_SECONDS, MOST_MEGABYTES = 15, 1024


def write(file: Path) -> None:
    """Write a file of predictions."""
    rng = np.random.default_rng(0)
    repaid = rng.integers(0, 2, ROWS)
    columns = {
        "person": np.arange(ROWS),
        "sex": np.where(rng.random(ROWS) < 0.5, "f", "m"),
        "age": rng.integers(18, 90, ROWS),
        "repaid": repaid,
    }
    for model in range(MODELS):
        columns[f"model_{model}"] = np.where(rng.random(ROWS) < 0.1 + 0.01 * model, 1 - repaid, repaid)
    pl.DataFrame(columns).write_csv(file)


def measure(file: Path, folder: Path) -> None:
    """Take the file as the pages do, and print how long that took and how much memory."""
    drafts, begun = Drafts(folder / "drafts"), time.perf_counter()
    with file.open("rb") as content:
        draft = drafts.begin_with_file(file.name, content)
    read = time.perf_counter()
    rates = drafts.rates(draft, columns_of([name for name, _ in draft.columns], draft.roles))
    mapped = time.perf_counter()
    used = resource.getrusage(resource.RUSAGE_SELF)
    megabytes, processor = used.ru_maxrss / 1024, used.ru_utime + used.ru_stime
    print(f"{file.stat().st_size / 1e6:.0f} MB, {ROWS:,} rows, {len(rates)} models")
    print(f"read in {read - begun:.1f} s, mapped in {mapped - read:.1f} s: {processor:.1f} s of processor time")
    print(f"at most {megabytes:.0f} MB of memory; the limits are {MOST_SECONDS} s and {MOST_MEGABYTES} MB in all")
    if mapped - begun > MOST_SECONDS or megabytes > MOST_MEGABYTES:
        sys.exit("that is more than the limits")


def run() -> None:
    """Write the file, and measure in a process of its own, which has taken no memory for the writing."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "predictions.csv"
        write(file)
        subprocess.run([sys.executable, "-m", "bench.uploads", str(file)], check=True)  # noqa: S603


if __name__ == "__main__":
    measure(Path(sys.argv[1]), Path(sys.argv[1]).parent)
