"""`evenhand demo`."""


def demo() -> None:
    """Not written yet."""
    raise NotImplementedError
