"""Times functions in turns, so that a busy moment of the machine affects all of them."""

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any


def best_of(runs: int, functions: Mapping[str, Callable[[], Any]]) -> dict[str, float]:
    """Return the shortest time of each function, in seconds."""
    best = dict.fromkeys(functions, float("inf"))
    for _ in range(runs):
        for name, function in functions.items():
            start = perf_counter()
            function()
            best[name] = min(best[name], perf_counter() - start)
    return best
