"""Typed errors raised at the boundary; each names the parameter, its value and what is allowed."""


class DomainError(ValueError):
    """A value outside the domain of a parameter."""

    def __init__(self, parameter: str, value: object, allowed: str) -> None:
        super().__init__(f"{parameter} = {value!r}: allowed is {allowed}")
        self.parameter = parameter
        self.value = value
        self.allowed = allowed


class NotExactError(DomainError):
    """A number that the chosen field cannot hold exactly, for example e^(1/2) among the rationals."""


class NotStochasticError(DomainError):
    """A table or a list of probabilities that is not a probability law."""


class FormatError(DomainError):
    """A text that is not a table as `dp_spec.vocabulary.export` writes it."""


class UndecidedError(ArithmeticError):
    """Two balls overlap: raise the precision and compare again."""
