"""Unbiasedness and mean squared error of affine frequency estimators, exactly, through the law of one user's report.

An estimator counts: F_x is the sum over users of a contribution of each report, and f_x is estimated by
(F_x / n - offset) / slope. Users are independent, so two moments of every user's contribution decide everything
(source 002, section 3.4 and (12)).
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import S, is_zero
from dp_spec.vocabulary.table import Channel

X = TypeVar("X", bound=Hashable)
Y = TypeVar("Y", bound=Hashable)


@dataclass(frozen=True)
class Counting(Generic[X, Y, S]):
    """An affine estimator of f_x on the reports of a channel.

    `contribution(y)` is what a report adds to F_x, `truth(s)` is [x in s]. Raises `DomainError` for slope 0.
    """

    channel: Channel[X, Y, S]
    contribution: Callable[[Y], S | int]
    truth: Callable[[X], int]
    slope: S
    offset: S

    def __post_init__(self) -> None:
        if is_zero(self.slope):
            raise DomainError(
                "slope", self.slope, "a number other than 0 (at epsilon = 0 the reports carry no information)"
            )

    def moments(self, user: X) -> tuple[S, S]:
        """Mean and second moment of the contribution of a user's report."""
        zero = self.slope * 0
        first, second = zero, zero
        for y, p in self.channel.rows[user].items():
            c = zero + self.contribution(y)
            first, second = first + c * p, second + c * c * p
        return first, second

    def mean(self, user: X) -> S:
        """Expected estimate for a data set of this user alone; unbiased iff it is truth(user) for every user."""
        return (self.moments(user)[0] - self.offset) / self.slope

    def mse(self, users: Sequence[X]) -> S:
        """The MSE for a fixed data set: variances of the users' contributions plus squared bias.

        Raises `DomainError` for an empty data set.
        """
        if not users:
            raise DomainError("users", users, "at least one user")
        n, total, spread = len(users), self.slope * 0, self.slope * 0
        for user in users:
            first, second = self.moments(user)
            total, spread = total + first, spread + (second - first * first)
        bias = (total / n - self.offset) / self.slope - (self.slope * 0 + sum(map(self.truth, users))) / n
        return spread / (self.slope * self.slope * n * n) + bias * bias
