"""Checkers for laws of a report and dummies: counterexamples in the programs, rules for all sizes."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from flint import fmpq

from dp_checks.check.extremal_pairs import SINGLE
from dp_checks.check.message_programs import At, Rows, families, program, supports, with_premise
from dp_checks.check.moments import LEMMA
from dp_checks.check.proposals import EVERY, ROOTS, THETAS, Candidate, finders, text
from dp_spec.vocabulary.error_statements import Mean, Variance
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.scalar import at_most
from dp_spec.vocabulary.statement import Mse, Ratio, Smallest, Unbiased
from dp_spec.vocabulary.table import ratio_maximum

USERS = 2
"""How many users a data set has at most."""


class Place:
    """A law at an instance: the program's channel, and what an estimator makes of it."""

    def __init__(self, law: Law, sizes: At, root: fmpq) -> None:
        parameters = dict.fromkeys(law.parameters, THETAS[0])
        self.law, self.sizes = law, sizes
        self.values: dict[str, Any] = {**sizes, law.base: root, **parameters}
        self.channel: Rows = program(law, sizes, root, **parameters)

    def json(self) -> dict[str, Any]:
        """The instance as certificates name it."""
        names, numbers = ("m", "K", "N", *self.law.integers), (self.law.base, *self.law.parameters)
        return {x: self.values[x] for x in names} | {x: text(self.values[x]) for x in numbers}

    def number(self, of: Any, **more: Any) -> fmpq:
        """The value of a term."""
        value: fmpq = fmpq(1) * of.evaluate(self.values | more)
        return value

    def moments(self, statement: Unbiased, users: Sequence[int], x: int) -> tuple[fmpq, fmpq]:
        """Mean and variance of the estimate of an item, for users with one item each."""
        slope, offset = self.number(statement.estimator.slope), self.number(statement.estimator.offset)
        n, first, second = len(users), fmpq(0), fmpq(0)
        for user in users:
            counts = [(p, supports(self.law, self.sizes, y, x)) for y, p in self.channel.rows[user,].items()]
            mean = sum((p * c for p, c in counts), fmpq(0))
            first, second = first + mean, second + sum((p * (c - mean) ** 2 for p, c in counts), fmpq(0))
        return (first / n - offset) / slope, second / (n * slope) ** 2


def _places(law: Law, where: Any = ()) -> Iterator[Place]:
    for sizes in with_premise(law):
        if all(tree.evaluate(sizes) >= 0 for tree in where):
            yield from (Place(law, sizes, root) for root in ROOTS[:2])


def moment(statement: Unbiased) -> Iterator[Candidate]:
    """A first data set of one or two users with another moment; sums of contributions."""
    for place in _places(statement.law, statement.where):
        items = range(place.sizes["K"] if place.number(statement.estimator.slope) != 0 else 0)
        for n, x in product(range(1, USERS + 1), items):
            for users in product(items, repeat=n):
                found, stated = _moment(statement, place, users, x)
                if found != stated:
                    data: dict[str, Any] = {"instance": place.json() | {"n": n}, "users": [[y] for y in users]}
                    data |= {"item": x, "exact": text(found), "stated": text(stated)} | _hashes(place)
                    yield Candidate("refuted", "witness", _described(data), data)
                    return
    yield LEMMA


def _moment(statement: Unbiased, place: Place, users: Sequence[int], x: int) -> tuple[fmpq, fmpq]:
    """The exact moment, and the stated one."""
    mean, variance = place.moments(statement, users, x)
    data = {"n": fmpq(len(users)), "f": fmpq(users.count(x), len(users))}
    if not isinstance(statement, Mse):
        return mean, data["f"]
    assert statement.formula is not None
    exact = {"mean": mean, "variance": variance, "mse": variance + (mean - data["f"]) ** 2}[statement.type]
    return exact, place.number(statement.formula, **data)


def ratio(statement: Ratio) -> Iterator[Candidate]:
    """A first pair and report beyond the bound; powers of the base."""
    for place in _places(statement.law, statement.where):
        worst = ratio_maximum(place.channel)
        if worst is not None and (worst.ratio is None or not at_most(worst.ratio, place.number(statement.law.e_eps))):
            output = [*worst.y] if isinstance(worst.y, tuple) else worst.y
            data = {"instance": place.json(), "s": list(worst.x), "other": list(worst.other), "output": [output, []]}
            data |= {"probability": text(worst.probability), "other_probability": text(worst.other_probability)}
            data |= _hashes(place)
            yield Candidate("refuted", "witness", _described(data), data)
            return
    yield _product()


def smallest(statement: Smallest) -> Iterator[Candidate]:
    """A first instance with another largest ratio; powers of the base that two items reach."""
    for place in _places(statement.law, statement.where):
        worst, stated = ratio_maximum(place.channel), place.number(statement.constant)
        if worst is not None and worst.ratio != stated and place.sizes["K"] > 1:
            data = {"instance": place.json(), "stated": text(stated)} | _hashes(place)
            data["exact"] = "unbounded" if worst.ratio is None else text(worst.ratio)
            yield Candidate("refuted", "witness", _described(data), data)
            return
    yield _product(cases=SINGLE)


def _product(**more: Any) -> Candidate:
    kind = "product of powers that is reached" if more else "product of powers"
    return Candidate("proved", kind, f"{EVERY}, all sizes", {"rule": "product", "powers": {"ss": 1}, **more})


def _hashes(place: Place) -> dict[str, Any]:
    listed = families(place.law, place.sizes)
    return {"hashes": listed} if listed else {}


def _described(data: dict[str, Any]) -> str:
    flat = dict(data["instance"]) | {name: x for name, x in data.items() if name not in ("instance", "hashes")}
    flat |= {name: [image for _, image in listed] for name, listed in data.get("hashes", {}).items()}
    return ", ".join(f"{name} = {value}" for name, value in flat.items())


FINDERS = finders(
    {Ratio: ratio, Smallest: smallest, **dict.fromkeys((Mean, Mse, Unbiased, Variance), moment)}, unit="messages"
)
