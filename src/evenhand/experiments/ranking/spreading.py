"""Many pieces of work on all cores by joblib, or on a cluster where somebody has set joblib a backend for one.

`with joblib.parallel_config(backend="dask"):` around any function of this package spreads its work over Dask's workers;
Ray's backend is set in the same way, once it is registered.
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
    """Yield the result of each piece of work as it is done, or all at the end where the backend cannot do that.

    `jobs` None leaves the number of processes to the backend in force, which is one if nobody set any.
    """
    if not work:
        return
    backend, _ = get_active_backend()
    as_they_come = getattr(backend, "supports_return_generator", False)
    spread = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered" if as_they_come else "list")
    yield from spread(joblib.delayed(run)(*arguments) for arguments in work)
