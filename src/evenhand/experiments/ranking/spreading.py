"""Runs independent tasks in parallel by joblib: on all cores, or on a cluster if joblib has a backend for one.

Wrap a call of this package in `with joblib.parallel_config(backend="dask"):` to run its tasks on Dask's workers. Ray's
backend works in the same way, once it is registered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from evenhand.errors import MissingExtraError

try:
    import joblib
    from joblib.parallel import get_active_backend
except ModuleNotFoundError as error:
    raise MissingExtraError("joblib", "experiments") from error

T = TypeVar("T")


def each(run: Callable[..., T], work: Sequence[tuple[object, ...]], jobs: int | None) -> Iterator[T]:
    """Yield the result of each task when it is done, or all at the end if the backend does not support that.

    With `jobs` None, the active backend decides the number of processes; joblib's default backend uses one.
    """
    if not work:
        return
    backend, _ = get_active_backend()
    as_they_come = getattr(backend, "supports_return_generator", False)
    spread = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered" if as_they_come else "list")
    yield from spread(joblib.delayed(run)(*arguments) for arguments in work)
