"""evenhand finds out which fairness metric people actually hold.

`__init__.pyi` lists the public names. Each is imported when it is first used (SPEC 1 of Scientific Python).
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
