"""Why the law of a target cannot be computed."""

from __future__ import annotations


class Refusal(BaseException):
    """The law cannot be computed. Not an `Exception`, so that a target cannot swallow it."""

    kind = "refused"


class UnmodeledRandomness(Refusal):
    """Randomness that this interceptor does not model, or a run that its coins do not determine."""

    kind = "unmodeled"


class TooManyPaths(Refusal):
    """More paths or draws than the limits allow; raised before they are walked wherever that can be foreseen."""

    kind = "paths"


class Abandoned(TooManyPaths):
    """One path that does not end: it stays unexplored, and the others are walked."""


class Seeded(Refusal):
    """The target seeds a generator itself, so that what it draws from it is deterministic."""

    kind = "seeded"


class ExceedsLimits(Refusal):
    """The target asks for more memory, or a longer file, than this process may have."""

    kind = "limits"


class UnreadableOutput(Refusal):
    """An output that is too large or of a type without a canonical form."""

    kind = "output"


TEXT_LIMIT = 2000
