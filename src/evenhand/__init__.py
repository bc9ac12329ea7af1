"""evenhand finds out which fairness metric people actually hold.

`__init__.pyi` lists the public names. Each is imported when it is first used (SPEC 1 of Scientific Python).
"""

import lazy_loader

_public, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415  # takes longer than `import evenhand`

        return version("evenhand")
    return _public(name)
