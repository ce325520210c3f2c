"""Checkers for estimators: unbiasedness, mean squared errors, their comparison."""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from flint import fmpq

from dp_checks.check.proposals import EVERY, ROOTS, THETAS, Candidate, Sizes, at_sizes, finders, sizes_of, text
from dp_checks.check.ties import canonical
from dp_checks.programs import law_channel
from dp_kernel.laws.grammar import count, shape
from dp_spec.vocabulary.estimation import Counting
from dp_spec.vocabulary.items import ItemDomain, Report
from dp_spec.vocabulary.statement import BernoulliSum, Mse, Unbiased

Users = Counting[frozenset[Any], Report, fmpq]
"""The exact channel of an instance with the statement's estimator of the frequency of one item."""

LEMMA = Candidate("proved", "sums of contributions", f"{EVERY}, all sizes, all data sets", {"rule": "contributions"})


def unbiased(statement: Unbiased) -> Iterator[Candidate]:
    """A first user whose expected estimate is not [x in s]; sums of contributions."""
    for point, x, counting in _instances(statement):
        s = counting.biased_user()
        if s is not None:
            data = {"instance": point | {"n": 1}, "users": [sorted(s, key=str)], "item": x}
            data |= {"exact": text(counting.mean(s)), "stated": text(counting.truth(s))}
            yield Candidate("refuted", "witness", _describe(point, data), data)
            return
    yield LEMMA


def mse(statement: Mse) -> Iterator[Candidate]:
    """A first data set of one or two users (or population of two sets) with another MSE; sums of contributions."""
    assert statement.formula is not None
    for point, x, counting in _instances(statement):
        sets = counting.channel.inputs
        for users in (
            [*product(sets), *product(sets, repeat=2)] if statement.data == "fixed" else product(sets, repeat=2)
        ):
            half = fmpq(1, len(users))
            population = {s: half * users.count(s) for s in users}
            f = sum((weight for s, weight in population.items() if x in s), fmpq(0))
            g = sum((weight * sum(y >= point["K"] for y in s) for s, weight in population.items()), fmpq(0))
            n = len(users) if statement.data == "fixed" else 1
            actual = counting.mse(users) if statement.data == "fixed" else counting.iid_mse(population, n)
            stated = statement.formula.evaluate(_values(statement, point) | {"n": n, "f": f, "g": g})
            if actual != stated:
                data: dict[str, Any] = {"instance": point | {"n": n}, "item": x}
                data |= {"exact": text(actual), "stated": text(stated)}
                if statement.data == "fixed":
                    data["users"] = [sorted(s, key=str) for s in users]
                else:
                    data["population"] = [[sorted(s, key=str), text(half)] for s in users]
                yield Candidate("refuted", "witness", _describe(point, data), data)
                return
    yield LEMMA


def bernoulli_sum(statement: BernoulliSum) -> Iterator[Candidate]:
    """A first user whose count has another law; every user of listed sizes."""
    law = statement.law
    for point, x, counting in _instances(statement):
        values = _values(statement, point)
        p, q = (fmpq(1) * entry.evaluate(values) for entry in (law.p, law.q))
        for s, row in counting.channel.rows.items():
            stated = {fmpq(0): fmpq(1)}
            for success in [p] * (x in s) + [q] * (point["m"] - (x in s)):
                stated = _merged(
                    (c + hit, w * (success if hit else 1 - success)) for c, w in stated.items() for hit in (0, 1)
                )
            actual = _merged((fmpq(0) + counting.contribution(y), w) for y, w in row.items())
            if any(actual.get(c, 0) != stated.get(c, 0) for c in stated.keys() | actual.keys()):
                data = {"instance": point, "users": [sorted(s, key=str)], "item": x}
                yield Candidate("refuted", "witness", _describe(point, data), data)
                return
    yield at_sizes(statement.law, statement.where)


# --- exact instances ----------------------------------------------------------------------------------------------


def _instances(statement: Unbiased | BernoulliSum) -> Iterator[tuple[dict[str, Any], int, Users]]:
    """(instance, item, estimator on the exact channel), in the declared order."""
    law, sensitive = statement.law, getattr(statement, "item", "sensitive") == "sensitive"
    for sizes in sizes_of(law, statement.where):
        x = 0 if sensitive else sizes.k  # items of a class are exchangeable
        for root, theta in product(ROOTS[:3], THETAS if law.parameters else (None,)):
            if x < sizes.d:
                point: dict[str, Any] = {**sizes.json(), law.base: text(root)}
                point |= dict.fromkeys(law.parameters, text(theta))
                yield point, x, _counting(statement, sizes, x, root, theta)


def _counting(statement: Unbiased | BernoulliSum, sizes: Sizes, x: int, root: fmpq, theta: fmpq | None) -> Users:
    law, domain = statement.law, ItemDomain.of_sizes(sizes.k, sizes.n)
    extra: dict[str, Any] = dict.fromkeys(law.parameters, theta)
    lengths = range(sizes.m, sizes.m + 1)
    channel = law_channel(law, statement.view, sizes.m, lengths, domain, root, **extra)
    values = {law.base: root, **sizes.json(), **extra}
    slope, offset, share = fmpq(1), fmpq(0), fmpq(0)
    if isinstance(statement, Unbiased):
        estimator = statement.estimator
        slope, offset = (fmpq(1) * part.evaluate(values) for part in (estimator.slope, estimator.offset))
        if estimator.per_invertible is not None:
            share = fmpq(1) * estimator.per_invertible.evaluate(values)
    seen = shape(law.seen(statement.view).json()["term"])
    return Counting(
        channel,
        lambda y: count(seen, canonical(y), x, sizes.k) - share * len(y.invertible),
        lambda s: int(x in s),
        slope,
        offset,
    )


def _values(statement: Unbiased | BernoulliSum, point: dict[str, Any]) -> dict[str, Any]:
    law = statement.law
    roots = {name: fmpq(*map(int, point[name].split("/"))) for name in (law.base, *law.parameters)}
    return roots | {name: point[name] for name in ("m", "K", "N")}


def _merged(weighted: Iterable[tuple[fmpq, fmpq]]) -> dict[fmpq, fmpq]:
    total: dict[fmpq, fmpq] = {}
    for c, p in weighted:
        total[c] = total.get(c, fmpq(0)) + p
    return total


def _describe(point: dict[str, Any], data: dict[str, Any]) -> str:
    return ", ".join(
        f"{name} = {value}" for name, value in (point | {k: v for k, v in data.items() if k != "instance"}).items()
    )


FINDERS = finders({BernoulliSum: bernoulli_sum, Mse: mse, Unbiased: unbiased})
