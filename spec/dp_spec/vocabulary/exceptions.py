"""Typed errors raised at the boundary; each names the parameter, its value and what is allowed."""

from collections.abc import Sequence

SHOWN = 400
"""Characters of a value that a message repeats."""


class DomainError(ValueError):
    """A value outside the domain of a parameter."""

    def __init__(self, parameter: str, value: object, allowed: str) -> None:
        try:
            text = repr(value)
        except (ValueError, RecursionError):  # an integer of more digits than Python writes; a deeply nested list
            text = f"a {type(value).__name__} that is too long to show"
        text = text if len(text) <= SHOWN else f"{text[: SHOWN // 2]} ... {text[-SHOWN // 4 :]}"
        super().__init__(f"{parameter} = {text}: allowed is {allowed}")
        self.parameter = parameter
        self.value = value
        self.allowed = allowed


class UnknownNameError(DomainError):
    """A name that nothing has; the message says which ones come close, or which there are."""

    def __init__(self, parameter: str, value: object, names: Sequence[str], near: Sequence[str]) -> None:
        listed = f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(names)}"
        super().__init__(parameter, value, listed)
        self.args: tuple[object, ...] = (f"{parameter} {str(value)[:SHOWN]!r} is not known: {listed}",)


class MissingError(DomainError):
    """A parameter that has to be given, and is not."""

    def __init__(self, parameter: str, allowed: str) -> None:
        super().__init__(parameter, None, allowed)
        self.args: tuple[object, ...] = (f"{parameter} is missing: {allowed}",)


class NotExactError(DomainError):
    """A number that the chosen field cannot hold exactly, for example e^(1/2) among the rationals."""


class NotStochasticError(DomainError):
    """A table or a list of probabilities that is not a probability law."""


class FormatError(DomainError):
    """A text that is not a table as `dp_spec.vocabulary.export` writes it."""


class RefusedError(Exception):
    """What was asked for cannot be done; the message says why, and what to do."""


class UndecidedError(ArithmeticError):
    """Two balls overlap: raise the precision and compare again."""
