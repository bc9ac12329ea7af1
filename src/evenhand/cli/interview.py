"""`evenhand interview`."""


def interview() -> None:
    """Not written yet."""
    raise NotImplementedError
