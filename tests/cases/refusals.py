"""What must be refused, as data: a call, the values that it gets one after the other, and what the error names."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from dp_spec.vocabulary.exceptions import DomainError


@dataclass(frozen=True)
class Refusal:
    """A call that every one of the argument lists makes raise an error of the kind, which names the parameter.

    `parameter`: one of several, separated by |, or "" for any; errors that are no `DomainError` name none.
    """

    parameter: str
    call: Callable[..., object]
    arguments: tuple[tuple[object, ...], ...]
    says: str
    kind: type[Exception]

    def __str__(self) -> str:
        return self.says or self.parameter or self.kind.__name__

    def faults(self) -> Iterator[str]:
        """What is accepted, or refused for another reason."""
        for arguments in self.arguments:
            try:
                self.call(*arguments)
            except self.kind as error:
                parameter = error.parameter if isinstance(error, DomainError) else ""
                if (self.parameter and parameter not in self.parameter.split("|")) or self.says not in str(error):
                    yield f"{self}: {arguments!r}: {parameter}: {error}"
            except Exception as error:
                yield f"{self}: {arguments!r} raises {error!r}"
            else:
                yield f"{self}: {arguments!r} is accepted"


def refuses(
    parameter: str,
    call: Callable[..., object],
    *values: object,
    says: str = "",
    kind: type[Exception] = DomainError,
) -> Refusal:
    """The call refuses each of the values, or (none are given) its own arguments; the error also says these words."""
    return Refusal(parameter, call, tuple((value,) for value in values) or ((),), says, kind)


def refuses_each(
    parameter: str, call: Callable[..., object], *arguments: tuple[object, ...], says: str = ""
) -> Refusal:
    """The same for calls of several arguments."""
    return Refusal(parameter, call, arguments, says, DomainError)


def refusal_test(*refusals: Refusal) -> Callable[[], None]:
    """The test of all of them, which names all that is not refused."""

    def test() -> None:
        if faults := [fault for refusal in refusals for fault in refusal.faults()]:
            pytest.fail("\n".join(faults))

    return test
