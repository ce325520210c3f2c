"""Means and variances of source 000 that the brute force of the attack does not know: all outcomes of one user's
messages listed in plain fractions."""

from collections.abc import Callable, Iterator
from fractions import Fraction

from independent.brute_force_messages import Case, cases, data_sets, moments


def s2(case: Case, n: int) -> tuple[Fraction, Fraction]:
    """What is subtracted from the number of messages, and what the rest is divided by."""
    return Fraction(n * (case.dummies + 1), case.labels), n * (case.p - Fraction(1, case.labels))


def observed(model: str) -> Iterator[tuple[Case, tuple[int, ...], int]]:
    """Cases, data sets and items."""
    return ((case, users, v) for case in cases(model) for users in data_sets(case) for v in range(case.items))


def unbiased(model: str) -> bool:
    for case, users, v in observed(model):
        less, by = s2(case, len(users))
        if (moments(case, users, v)[0] - less) / by != Fraction(users.count(v), len(users)):
            return False
    return True


def varies(model: str) -> bool:
    """The stated variance for every data set."""
    for case, users, v in observed(model):
        n, (_, by) = len(users), s2(case, len(users))
        if moments(case, users, v)[1] / by**2 != exact(case, n, Fraction(users.count(v), n)):
            return False
    return True


def coin(labels: int) -> Fraction:
    return Fraction(labels - 1, labels**2)


def exact(case: Case, n: int, f: Fraction) -> Fraction:
    p, other = case.p, Fraction(1, case.labels)
    return (f * p * (1 - p) + (1 - f + case.dummies) * coin(case.labels)) / (n * (p - other) ** 2)


def added(model: str) -> bool:
    """Variances of the number of messages: of the reports, of the dummies, each its own."""
    return all(
        moments(case, users, v)[1]
        == moments(case._replace(dummies=0), users, v)[1] + len(users) * case.dummies * coin(case.labels)
        for case, users, v in observed(model)
    )


DECIDED: dict[str, Callable[[], bool]] = {
    "000.alg1.est@allmsg-each": lambda: unbiased("shared") and unbiased("fresh"),
    "000.eq11.additive@fresh": lambda: added("fresh"),
    "000.prose.olh-domain": lambda: varies("shared") and varies("fresh"),
}
"""By claim, whether it holds in all of these cases."""
