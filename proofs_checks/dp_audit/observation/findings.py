"""What an audited target did that no law can describe: typed, and reported as rows."""

from dataclasses import dataclass

from dp_checks.runtime.escapes import printable


@dataclass(frozen=True, repr=False)
class Finding:
    """Something about the target that is not a law: the kind is the class, the message says where and what."""

    message: str

    def __repr__(self) -> str:
        """Return it on one line that nobody obeys: tracebacks show it."""
        return f"{type(self).__name__}({printable(self.message)!r})"


class TargetRaised(Finding):
    """The target raised an exception."""

    @classmethod
    def on(cls, text: str, item: str) -> "TargetRaised":
        """Return an exception, or what a child says of one, on an input."""
        kind = text.partition(":")[0]
        return cls(f"raises {kind if kind.isidentifier() else 'an error'} on input {item}: {text}")


class TargetHung(Finding):
    """The target did not finish in time and was killed."""


class TargetDied(Finding):
    """The child process ended early (killed by a resource limit, or a crash of compiled code)."""


class TargetExceedsLimits(Finding):
    """The target asked for more memory, or a longer file, than it may have: its law is not known."""


class TargetPrinted(Finding):
    """The target wrote to its standard output."""


class TargetMutatedInput(Finding):
    """The target changed an input it was given."""


class TargetReadsClock(Finding):
    """The target read a clock: its law may depend on the time."""


class TargetSeeds(Finding):
    """The target seeds a generator itself: what it draws from it is deterministic."""


class TargetSeedsOthers(Finding):
    """Importing the target seeds a global generator, which others draw from, but not the target itself."""


class UnmodeledRandomness(Finding):
    """The target used randomness that the interceptor does not model, so that its law is not known."""


class TooManyPaths(Finding):
    """The enumeration would exceed the limits of the job."""


class SomeLists(Finding):
    """The time was enough for the estimates of some lists of reports: expectation and variance are not computed."""


class ImpossibleInput(Finding):
    """An input of the job cannot be given in the type that the job asks for: the target was not run on it."""


class MalformedAnswer(Finding):
    """An output without a canonical form, or an answer of the child that is not what the protocol says."""
