"""How long `import evenhand` takes, beside `import numpy` alone (best of five, in fresh interpreters)."""

import os
import subprocess
import sys
import time


def _seconds(statement: str) -> float:
    # Without byte code on disk every import compiles anew, which is not what users see.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    times = []
    for _ in range(6):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", statement], check=True, env=environment)  # noqa: S603  # our own
        times.append(time.perf_counter() - start)
    return min(times[1:])


def run() -> None:
    """Print the times."""
    start_up = _seconds("pass")
    numpy, evenhand = (_seconds(f"import {name}") - start_up for name in ("numpy", "evenhand"))
    print(f"  import numpy     {numpy:.3f} s")
    print(f"  import evenhand  {evenhand:.3f} s, {evenhand / numpy:.2f} times numpy's")
