"""Checkers for laws with a published choice of a row: counterexamples under listed functions, rules for all of them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from flint import fmpq

from dp_checks.check.moments import LEMMA
from dp_checks.check.proposals import EVERY, ROOTS, THETAS, Candidate, finders, text
from dp_checks.check.sketch_programs import At, Rows, at, families, program, supports, with_premise
from dp_refimpl.frequency.hash_families import AffineLabels, AllFunctions, LabelFunction, distinct_rows
from dp_spec.vocabulary.error_statements import Mean, SharedVariance, Variance
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.scalar import at_most
from dp_spec.vocabulary.statement import Mse, Ratio, Smallest, Unbiased
from dp_spec.vocabulary.table import ratio_maximum

MOST = 8
"""Powers of the base that are tried."""
USERS = 2
"""How many users a data set has at most."""
Moments = tuple[fmpq, fmpq]
"""Mean and variance."""


class Place:
    """A law at an instance: the program's channel, and what an estimator makes of it."""

    def __init__(self, law: Law, sizes: At, root: fmpq, parameters: Mapping[str, fmpq]) -> None:
        self.law, self.sizes = law, sizes
        self.values: dict[str, Any] = {**sizes, law.base: root, **parameters, "k": len(sizes["functions"])}
        self.channel: Rows = program(law, sizes, root, **parameters)

    def json(self) -> dict[str, Any]:
        """The instance as certificates name it."""
        names = ("m", "K", "N", *self.law.integers)
        return {x: self.values[x] for x in names} | {
            x: text(self.values[x]) for x in (self.law.base, *self.law.parameters)
        }

    def number(self, term: Any, **more: Any) -> fmpq:
        """The value of a term."""
        value: fmpq = fmpq(1) * term.evaluate(self.values | more)
        return value

    def moments(self, statement: Unbiased, users: Sequence[int], x: int) -> Moments:
        """Of the estimate of an item, for users with one item each."""
        estimator, n = statement.estimator, len(users)
        slope, offset = self.number(estimator.slope), self.number(estimator.offset)
        less = fmpq(0) if estimator.per_invertible is None else self.number(estimator.per_invertible)
        first = second = fmpq(0)
        for user in users:
            row = self.channel.rows[user,].items()
            counts = [(p, supports(self.law, self.sizes, y, x) - less * bool(y)) for y, p in row]
            mean = sum((p * c for p, c in counts), fmpq(0))
            first, second = first + mean, second + sum((p * (c - mean) ** 2 for p, c in counts), fmpq(0))
        return (first / n - offset) / slope, second / (n * slope) ** 2

    def data(self, users: Sequence[int], x: int) -> dict[str, fmpq]:
        """What a formula may say of the users' data."""
        n, rows = len(users), self.sizes["functions"]
        others = [y for y in users if y != x]
        kappas = [fmpq(sum(h[x] == h[y] for h in rows), len(rows)) for y in others]
        sums = {f"kappa{j}": sum((kappa**j for kappa in kappas), fmpq(0)) / n for j in (1, 2)}
        squared = sum((fmpq(others.count(y), n) ** 2 for y in set(others)), fmpq(0))
        return {"n": fmpq(n), "f": fmpq(n - len(others), n), "squared": squared, **sums}


def _places(law: Law) -> Iterator[Place]:
    """Small instances under functions with the law's premise, in the declared order."""
    parameters = dict.fromkeys(law.parameters, THETAS[0])
    for sizes in with_premise(law, parameters):
        yield Place(law, sizes, ROOTS[0], parameters)


# --- privacy ------------------------------------------------------------------------------------------------------


def ratio(statement: Ratio) -> Iterator[Candidate]:
    """A first pair and report beyond the bound under small families; a product of powers."""
    for place in _places(statement.law):
        bound, worst = place.number(statement.law.e_eps), ratio_maximum(place.channel)
        if place.sizes["m"] < 2 and _only_more(statement):
            continue
        if worst is not None and (worst.ratio is None or not at_most(worst.ratio, bound)):
            data: dict[str, Any] = {"instance": place.json(), "hashes": families(place.law, place.sizes)}
            data |= {"s": list(worst.x), "other": list(worst.other), "output": [worst.y, []]}
            data |= {"probability": text(worst.probability), "other_probability": text(worst.other_probability)}
            yield Candidate("refuted", "witness", _described(data), data)
            return
    for power in range(MOST + 1):
        yield _product(power)


def _only_more(statement: Ratio) -> bool:
    """Whether the statement excludes single records."""
    return not all(term.evaluate({"m": 1, "K": 2, "N": 0}) >= 0 for term in statement.where)


def smallest(statement: Smallest) -> Iterator[Candidate]:
    """A first instance with another largest ratio; a product of powers that two items reach."""
    for place in _places(statement.law):
        worst = ratio_maximum(place.channel)
        stated = place.number(statement.constant)
        if worst is not None and worst.ratio != stated and place.sizes["K"] > 1:
            data = {"instance": place.json(), "hashes": families(place.law, place.sizes), "stated": text(stated)}
            data |= {"exact": "unbounded" if worst.ratio is None else text(worst.ratio)}
            yield Candidate("refuted", "witness", _described(data), data)
            return
    for power in range(MOST + 1):
        yield _product(power, "product of powers that is reached", cases={"ss": 1, "o": ["sub", "K", 2]})


def _product(power: int, kind: str = "product of powers", **more: Any) -> Candidate:
    data = {"rule": "product", "powers": {"ss": power}, **more}
    return Candidate("proved", kind, f"{EVERY}, all sizes, all families", data)


# --- estimates ----------------------------------------------------------------------------------------------------


def moment(statement: Unbiased) -> Iterator[Candidate]:
    """A first data set of one or two users with another moment; sums of contributions."""
    for place in _places(statement.law):
        for users, x in _data(place):
            found, stated = _moment(statement, place, users, x)
            if found != stated:
                data = _witness(place, users, x, found, stated) | {"hashes": families(place.law, place.sizes)}
                yield Candidate("refuted", "witness", _described(data), data)
                return
    yield LEMMA


def _data(place: Place) -> Iterator[tuple[tuple[int, ...], int]]:
    items = range(place.sizes["K"])
    for n, x in product(range(1, USERS + 1), items):
        yield from ((users, x) for users in product(items, repeat=n))


def _moment(statement: Unbiased, place: Place, users: Sequence[int], x: int) -> Moments:
    """The exact moment, and the stated one."""
    mean, variance = place.moments(statement, users, x)
    data = place.data(users, x)
    if not isinstance(statement, Mse):
        return mean, data["f"]
    assert statement.formula is not None
    exact = {"mean": mean, "variance": variance, "mse": variance + (mean - data["f"]) ** 2}[statement.type]
    return exact, place.number(statement.formula, **data)


def shared(statement: SharedVariance) -> Iterator[Candidate]:
    """A first data set with another variance over the draw of the functions; the law of total variance."""
    for d, labels, listed, draws in _draws(statement.independence):
        items, weight = range(d), fmpq(1, len(draws))
        places = [
            Place(statement.law, at(d, labels, [list(h.values) for h in functions]), ROOTS[0], {})
            for functions in draws
        ]
        for n, x in product(range(1, USERS + 1), items):
            for users in product(items, repeat=n):
                found = [place.moments(statement, users, x) for place in places]
                mean = weight * sum((m for m, _ in found), fmpq(0))
                exact = weight * sum((v + m * m for m, v in found), fmpq(0)) - mean * mean
                assert statement.formula is not None
                stated = places[0].number(statement.formula, **places[0].data(users, x))
                if exact != stated:
                    data = _witness(places[0], users, x, exact, stated)
                    if listed is not None:
                        data["functions"] = [[text(fmpq(1, len(listed))), list(h.values)] for h in listed]
                    yield Candidate("refuted", "witness", _described(data), data)
                    return
    scope = f"{EVERY}, all sizes, all data sets, all such families"
    yield Candidate("proved", "law of total variance", scope, {"rule": "total"})


Draws = list[tuple[LabelFunction, ...]]


def _draws(independence: str) -> Iterator[tuple[int, int, list[LabelFunction] | None, Draws]]:
    """Items, labels, the family that rows are drawn from (None: all functions, each once), the lists of rows."""
    for d, labels, k in ((1, 2, 1), (2, 2, 1), (2, 2, 2), (3, 2, 1), (3, 2, 2)):
        items = tuple(range(d))
        if independence == "distinct":
            yield d, labels, None, list(distinct_rows(items, labels, k))
        else:
            functions = list(AllFunctions(items, labels).law())
            yield d, labels, functions, list(product(functions, repeat=k))
    if independence == "pairwise":
        functions = list(AffineLabels((0, 1, 2), 3).law())
        yield 3, 3, functions, [(h,) for h in functions]


def _witness(place: Place, users: Sequence[int], x: int, exact: fmpq, stated: fmpq) -> dict[str, Any]:
    data: dict[str, Any] = {"instance": place.json() | {"n": len(users)}, "users": [[y] for y in users], "item": x}
    return data | {"exact": text(exact), "stated": text(stated)}


def _described(data: Mapping[str, Any]) -> str:
    flat = dict(data["instance"]) | {name: x for name, x in data.items() if name not in ("instance", "hashes")}
    flat |= {name: [image for _, image in listed] for name, listed in data.get("hashes", {}).items()}
    return ", ".join(f"{name} = {value}" for name, value in flat.items())


FINDERS = finders(
    {
        Ratio: ratio,
        Smallest: smallest,
        SharedVariance: shared,
        **dict.fromkeys((Mean, Mse, Unbiased, Variance), moment),
    },
    unit="sketches",
)
