"""Other processors, emulated: OpenBLAS and NumPy can be told to compute as on an older one.

OpenBLAS has a kernel for each kind of processor, and NumPy one for each of its instruction sets; both add up in other
orders and round differently in the last digits. The C library has two versions of `exp` and the like.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[1]
_WIDE = ("X86_V4", "AVX512")
_MEDIUM = ("X86_V3", "AVX2", "FMA3")


def _environments() -> dict[str, dict[str, str]]:
    """Return what makes this processor compute as another one does; only older ones can be emulated."""
    config = np.show_config(mode="dicts")
    if platform.machine() not in {"x86_64", "AMD64"} or "openblas" not in config["Build Dependencies"]["blas"]["name"]:
        return {}
    found = config["SIMD Extensions"].get("found", [])
    wide, medium = ([name for name in found if name.startswith(kind)] for kind in (_WIDE, _MEDIUM))
    environments = {
        "Nehalem": {
            "NPY_DISABLE_CPU_FEATURES": " ".join(found),
            "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F",
        }
    }
    if medium:
        environments["Haswell"] = {"NPY_DISABLE_CPU_FEATURES": " ".join(wide)}
    if wide:
        environments["SkylakeX"] = {}
    return {name: environment | {"OPENBLAS_CORETYPE": name} for name, environment in environments.items()}


def run_on_each(program: list[str]) -> dict[str, str]:
    """Run a Python program as on each processor, all at once, and return what each printed."""
    environments = _environments()
    if len(environments) < 2:
        pytest.skip("only OpenBLAS on x86 can be told to compute as on another processor")
    running = {
        name: subprocess.Popen(  # noqa: S603  # our own program
            [sys.executable, *program],
            cwd=ROOT,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name, environment in environments.items()
    }
    printed = {}
    for name, process in running.items():
        said, complained = process.communicate()
        assert process.returncode == 0, f"{name}: {complained}"
        printed[name] = said
    return printed
