"""The errors that evenhand raises."""


class EvenhandError(ValueError):
    """Input that evenhand cannot use: the message says what was received, where, and what to do.

    Examples
    --------
    >>> from evenhand import Setting
    >>> try:
    ...     Setting(["repays", "defaults"], ["women"], [[1, 1]])
    ... except EvenhandError as error:
    ...     print(error)
    at least two groups are needed, but received 1 ('women')
    """


class HistoryError(EvenhandError):
    """An entry of a history that cannot be part of it: `place` is its place, counted from 0, and `why` the reason."""

    def __init__(self, place: int, why: str) -> None:
        super().__init__(f"history[{place}]: {why}")
        self.place, self.why = place, why


class MissingExtraError(EvenhandError, ImportError):
    """An optional dependency is not installed: the message names the extra to install."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(
            f"this needs {package}, which is not installed: pip install 'evenhand[{extra}]', "
            f"or pip install '.[{extra}]' in a checkout"
        )
