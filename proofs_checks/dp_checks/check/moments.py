"""Checkers for estimators: unbiasedness, mean squared errors, their comparison."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from flint import fmpq

from dp_checks import hints
from dp_checks.check.candidate import EVERY, ROOTS, Candidate, Sizes, sizes_of, text
from dp_checks.check.ties import canonical
from dp_checks.kernel.laws import count
from dp_checks.programs import law_channel
from dp_spec.vocabulary.items import ItemDomain, Report
from dp_spec.vocabulary.statement import BernoulliSum, Compare, Mse, SmallerOrder, Unbiased
from dp_spec.vocabulary.term import Term, term

Law = dict[fmpq, fmpq]
"""The law of one user's contribution to F_x."""

LEMMA = Candidate("proved", "contributions lemma", f"{EVERY}, all sizes, all data sets", {"lemma": "contributions"})


def unbiased(statement: Unbiased) -> Iterator[Candidate]:
    """A first user whose expected estimate is not [x in s]; the contributions lemma."""
    for point, x, laws in _users(statement):
        slope, offset = _estimator(statement, point)
        for s, law in laws.items():
            mean = (_moment(law, 1) - offset) / slope
            if mean != int(x in s):
                data = {"instance": point | {"n": 1}, "users": [sorted(s)], "item": x}
                data |= {"exact": text(mean), "stated": text(int(x in s))}
                yield Candidate("refuted", "witness", _describe(point, data), data)
                return
    yield LEMMA


def mse(statement: Mse) -> Iterator[Candidate]:
    """A first data set (or population) with another MSE; the contributions lemma."""
    assert statement.formula is not None
    for point, x, laws in _users(statement):
        slope, offset = _estimator(statement, point)
        for users in [(s,) for s in laws] if statement.data == "fixed" else product(laws, repeat=2):
            f = fmpq(sum(x in s for s in users), len(users))
            g = fmpq(sum(y >= point["K"] for s in users for y in s), len(users))
            law = _mixture([laws[s] for s in users])
            mean = _moment(law, 1)
            actual = (_moment(law, 2) - mean**2) / slope**2 + ((mean - offset) / slope - f) ** 2
            stated = statement.formula.evaluate(_values(statement, point) | {"n": 1, "f": f, "g": g})
            if actual != stated:
                data: dict[str, Any] = {"instance": point | {"n": 1}, "item": x}
                data |= {"exact": text(actual), "stated": text(stated)}
                if statement.data == "fixed":
                    data["users"] = [sorted(s) for s in users]
                else:
                    data["population"] = [[sorted(s), text(fmpq(1, len(users)))] for s in users]
                yield Candidate("refuted", "witness", _describe(point, data), data)
                return
    yield LEMMA


def bernoulli_sum(statement: BernoulliSum) -> Iterator[Candidate]:
    """A first user whose count has another law; the slotwise count lemma."""
    law = statement.law
    for point, x, laws in _users(statement):
        values = _values(statement, point)
        p, q = fmpq(1) * law.p.evaluate(values), fmpq(1) * law.q.evaluate(values)
        for s, actual in laws.items():
            stated: Law = {fmpq(0): fmpq(1)}
            for success in [p] * (x in s) + [q] * (point["m"] - (x in s)):
                stated = _merged(
                    [(c + hit, w * (success if hit else 1 - success)) for c, w in stated.items() for hit in (0, 1)]
                )
            if any(actual.get(c, 0) != stated.get(c, 0) for c in stated.keys() | actual.keys()):
                data = {"instance": point, "users": [sorted(s)], "item": x}
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


def _users(statement: Unbiased | BernoulliSum) -> Iterator[tuple[dict[str, Any], int, dict[frozenset[Any], Law]]]:
    """(instance, item, law of the contribution of every m-set), in the declared order."""
    law, sensitive = statement.law, getattr(statement, "item", "sensitive") == "sensitive"
    for sizes in sizes_of(
        law, statement.where, d_max=3 if law.draw == "each" else 4, m_max=2 if law.draw == "each" else 3
    ):
        items = range(sizes.k) if sensitive else range(sizes.k, sizes.d)
        for root, theta in product(ROOTS[:3], (fmpq(1, 2), fmpq(2, 3)) if law.parameters else (None,)):
            point: dict[str, Any] = {**sizes.json(), law.base: text(root)}
            point |= {"theta": text(theta)} if theta is not None else {}
            channel = _channel(statement, sizes, root, theta)
            for x in items[:1]:
                yield point, x, {s: _contribution(statement, point, x, row) for s, row in channel.rows.items()}


def _contribution(statement: Unbiased | BernoulliSum, point: dict[str, Any], x: int, row: Mapping[Report, fmpq]) -> Law:
    """The law of what one report adds to F_x (less its share of the correction by invertible data, if there is one)."""
    law, extra = statement.law, fmpq(0)
    if isinstance(statement, Unbiased) and statement.estimator.per_invertible is not None:
        extra = fmpq(1) * statement.estimator.per_invertible.evaluate(_values(statement, point))
    table = {"draw": law.draw, "unit": law.unit}
    return _merged(
        [
            (count(table, statement.view, canonical(y), x, point["K"]) - extra * len(y.invertible), p)
            for y, p in row.items()
        ]
    )


def _one_user_mse(statement: Mse, sizes: Sizes, root: fmpq, held: bool) -> fmpq | None:
    """The exact MSE for one user who holds (does not hold) item 0; None if no m-set does."""
    point = {**sizes.json(), statement.law.base: text(root)}
    for s, row in _channel(statement, sizes, root, None).rows.items():
        if (0 in s) == held:
            law, (slope, offset) = _contribution(statement, point, 0, row), _estimator(statement, point)
            mean = _moment(law, 1)
            return (_moment(law, 2) - mean**2) / slope**2 + ((mean - offset) / slope - int(held)) ** 2
    return None


def _channel(statement: Unbiased | BernoulliSum, sizes: Sizes, root: fmpq, theta: fmpq | None) -> Any:
    domain = ItemDomain.of_sizes(sizes.k, sizes.n)
    extra: dict[str, Any] = {"theta": theta} if theta is not None else {}
    return law_channel(statement.law, statement.view, sizes.m, range(sizes.m, sizes.m + 1), domain, root, **extra)


def _estimator(statement: Unbiased, point: dict[str, Any]) -> tuple[fmpq, fmpq]:
    values = _values(statement, point)
    return (
        fmpq(1) * statement.estimator.slope.evaluate(values),
        fmpq(1) * statement.estimator.offset.evaluate(values),
    )


def _values(statement: Unbiased | BernoulliSum, point: dict[str, Any]) -> dict[str, Any]:
    law = statement.law
    roots = {name: fmpq(*map(int, point[name].split("/"))) for name in (law.base, *law.parameters)}
    return roots | {name: point[name] for name in ("m", "K", "N")}


def _moment(law: Law, order: int) -> fmpq:
    return sum((p * c**order for c, p in law.items()), fmpq(0))


def _mixture(laws: list[Law]) -> Law:
    return _merged([(c, p / len(laws)) for law in laws for c, p in law.items()])


def _merged(weighted: list[tuple[fmpq, fmpq]]) -> Law:
    total: Law = {}
    for c, p in weighted:
        total[c] = total.get(c, fmpq(0)) + p
    return total


def _describe(point: dict[str, Any], data: dict[str, Any]) -> str:
    return ", ".join(
        f"{name} = {value}" for name, value in (point | {k: v for k, v in data.items() if k != "instance"}).items()
    )
