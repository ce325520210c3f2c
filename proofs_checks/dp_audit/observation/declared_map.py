"""What can be seen of a declared map: members, what the function makes of them, and the numbers declared."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from flint import fmpq

from dp_audit.observation.findings import Finding


@dataclass(frozen=True)
class Raised:
    """An exception in place of a value: its type and message."""

    message: str


@dataclass(frozen=True)
class Member:
    """A member of a domain, as it is and as Python writes it, with what the function makes of it.

    `rounded`: the output has numbers that are doubles; `repeats`: a second call made the same; `changed`: a call
    changed the member; `inside`: whether the output is in the output domain (None: the target does not say).
    """

    value: Hashable
    written: str
    output: Hashable | Raised
    rounded: bool
    repeats: bool
    changed: bool
    inside: bool | Raised | None


@dataclass(frozen=True)
class DeclaredMap:
    """A function with the metrics of its inputs and outputs, its members by their number, and what is declared.

    `exhaustive`: the target says that its members are the whole domain; `linear`: that its function is; `assumed`: that
    its function is stated, and is not the code that the number is declared of; `is_class`: it is a class, and was
    called. `lines` (may be empty) of Python make `function` and `declared`. `more`: there are further members that were
    not read. `declared`: by distance of inputs, and of a curve by its parameter (else None), the declared distance of
    outputs, exact, or whatever stands there instead.
    """

    d_in: str
    d_out: str
    more: bool
    members: Mapping[int, Member]
    declared: Mapping[tuple[fmpq, fmpq | None], Hashable | Raised]
    exhaustive: bool = False
    linear: bool = False
    assumed: bool = False
    is_class: bool = False
    lines: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def whole(self) -> bool:
        """Return whether the code itself was looked at on every member of the domain, and has a value there."""
        has_values = not any(isinstance(member.output, Raised) for member in self.members.values())
        return self.exhaustive and not self.assumed and not self.more and has_values and not self.findings
