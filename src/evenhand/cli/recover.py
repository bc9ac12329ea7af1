"""`evenhand recover`."""


def recover() -> None:
    """Not written yet."""
    raise NotImplementedError
