"""Checkers for estimators: unbiasedness, mean squared errors, their comparison."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from flint import fmpq

from dp_checks import hints
from dp_checks.check.candidate import EVERY, ROOTS, THETAS, Candidate, Sizes, sizes_of, text
from dp_checks.check.ties import canonical
from dp_checks.kernel.laws import count
from dp_checks.programs import law_channel
from dp_spec.vocabulary.estimation import Counting
from dp_spec.vocabulary.items import ItemDomain, Report
from dp_spec.vocabulary.statement import BernoulliSum, Compare, Mse, SmallerOrder, Unbiased
from dp_spec.vocabulary.term import Term, term

Users = Counting[frozenset[Any], Report, fmpq]
"""The exact channel of an instance with the statement's estimator of the frequency of one item."""

LEMMA = Candidate("proved", "contributions lemma", f"{EVERY}, all sizes, all data sets", {"lemma": "contributions"})


def unbiased(statement: Unbiased) -> Iterator[Candidate]:
    """A first user whose expected estimate is not [x in s]; the contributions lemma."""
    for point, x, counting in _instances(statement):
        s = counting.biased_user()
        if s is not None:
            data = {"instance": point | {"n": 1}, "users": [sorted(s, key=str)], "item": x}
            data |= {"exact": text(counting.mean(s)), "stated": text(counting.truth(s))}
            yield Candidate("refuted", "witness", _describe(point, data), data)
            return
    yield LEMMA


def mse(statement: Mse) -> Iterator[Candidate]:
    """A first data set of one or two users (or population of two sets) with another MSE; the contributions lemma."""
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
    """A first user whose count has another law; the slotwise count lemma."""
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
    yield Candidate("proved", "slotwise count lemma", f"{EVERY}, all sizes", {"lemma": "slotwise count"})


def compare(statement: Compare) -> Iterator[Candidate]:
    """A first point of a small grid at which the comparison of the exact MSEs fails; positivity of the difference."""
    variables = statement.domain.variables
    for sizes in sizes_of(statement.left.law, (), d_max=4, m_max=3):
        values = {"m": sizes.m, "K": sizes.k}
        if any(name in variables and value < variables[name].min for name, value in values.items()):
            continue
        for root, held in product(ROOTS[:3], (False, True)):
            left, right = (_one_user_mse(side, sizes, root, held) for side in (statement.left, statement.right))
            if left is not None and right is not None and not left < right:
                point = values | {statement.left.law.base: text(root), "n": 1, "f": int(held)}
                data = {"values": {name: text(value) for name, value in point.items() if name in variables}}
                yield Candidate("refuted", "witness", _describe(data["values"], {}), data)
                return
    yield Candidate("proved", "positivity", f"{EVERY}, all sizes, all data sets", {"step": {}})


def smaller_order(statement: SmallerOrder) -> Iterator[Candidate]:
    """A family along which the orders agree (K = 1, f = 0), where the domain has it; a bound that decides the order."""
    if statement.domain.variables["K"].min <= 1:
        data = {
            "constant": hints.SAME_ORDER_CONSTANT.json(),
            "values": {"K": "1", "f": "0"},
            "step": step_json(*hints.SAME_ORDER_STEP),
        }
        yield Candidate("refuted", "family", "K = 1, f_x = 0: the MSEs have the same order in m", data)
        return
    data = {"constant": hints.SMALLER_ORDER_CONSTANT.json(), "step": step_json(*hints.SMALLER_ORDER_STEP)}
    yield Candidate("proved", "constant for a bound", f"{EVERY}, all sizes, all data sets", data)


def step_json(scale: Term | int, multipliers: Mapping[int, Term | int]) -> dict[str, Any]:
    """A proof step as certificates write it."""
    return {"scale": term(scale).json(), "multipliers": {str(i): term(t).json() for i, t in multipliers.items()}}


# --- exact instances ----------------------------------------------------------------------------------------------


def _instances(statement: Unbiased | BernoulliSum) -> Iterator[tuple[dict[str, Any], int, Users]]:
    """(instance, item, estimator on the exact channel), in the declared order."""
    law, sensitive = statement.law, getattr(statement, "item", "sensitive") == "sensitive"
    for sizes in sizes_of(law, statement.where):
        x = 0 if sensitive else sizes.k  # items of a class are exchangeable
        for root, theta in product(ROOTS[:3], THETAS if law.parameters else (None,)):
            if x < sizes.d:
                point: dict[str, Any] = {**sizes.json(), law.base: text(root)}
                point |= {"theta": text(theta)} if theta is not None else {}
                yield point, x, _counting(statement, sizes, x, root, theta)


def _counting(statement: Unbiased | BernoulliSum, sizes: Sizes, x: int, root: fmpq, theta: fmpq | None) -> Users:
    law, domain = statement.law, ItemDomain.of_sizes(sizes.k, sizes.n)
    extra: dict[str, Any] = {"theta": theta} if theta is not None else {}
    lengths = range(sizes.m, sizes.m + 1)
    channel = law_channel(law, statement.view, sizes.m, lengths, domain, root, **extra)
    values = {law.base: root, **sizes.json(), **extra}
    slope, offset, share = fmpq(1), fmpq(0), fmpq(0)
    if isinstance(statement, Unbiased):
        estimator = statement.estimator
        slope, offset = (fmpq(1) * part.evaluate(values) for part in (estimator.slope, estimator.offset))
        if estimator.per_invertible is not None:
            share = fmpq(1) * estimator.per_invertible.evaluate(values)
    table = {"draw": law.draw, "unit": law.unit}
    return Counting(
        channel,
        lambda y: count(table, statement.view, canonical(y), x, sizes.k) - share * len(y.invertible),
        lambda s: int(x in s),
        slope,
        offset,
    )


def _one_user_mse(statement: Mse, sizes: Sizes, root: fmpq, held: bool) -> fmpq | None:
    """The exact MSE for one user who holds (does not hold) item 0; None if no m-set does."""
    counting = _counting(statement, sizes, 0, root, None)
    return next((counting.mse([s]) for s in counting.channel.inputs if (0 in s) == held), None)


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
