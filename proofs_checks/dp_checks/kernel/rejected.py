"""The one error of the kernel."""


class Rejected(ValueError):
    """The certificate is malformed, or its evidence does not establish its verdict."""


def require(condition: bool, reason: str) -> None:
    """Raise `Rejected` unless the condition holds."""
    if not condition:
        raise Rejected(reason)
