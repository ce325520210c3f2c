"""Checkers for what reports add to counts: chances, means, variances and errors of estimators.

One search: over instances in the declared order and small data sets there, in the enumerated law. The kernel derives
the moments at what is found by its rules for all sizes: two ways to the same numbers.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from dp_checks.certificate import json_value
from dp_checks.check.places import Enumerated, Place, enumerated, places, witness
from dp_checks.check.proposals import EVERY, ROOTS, Candidate, finders, text
from dp_checks.check.public_choices import families
from dp_kernel.formulas.terms import evaluate
from dp_kernel.laws.families import averages, families_at, unnamed
from dp_kernel.laws.grammar import Items, Output, World, completed, is_seen, shape
from dp_kernel.laws.sizes import point_values
from dp_refimpl.frequency.hash_families import AffineLabels, AllFunctions, LabelFunction, distinct_rows
from dp_spec.vocabulary.error_statements import Mean, SharedVariance, Variance
from dp_spec.vocabulary.statement import Chance, Mse, Unbiased

Json = dict[str, Any]
Data = tuple[int, tuple[Items, ...]]
"""The counted item, and the sets of one or two users (of a population, half of it each)."""
LEMMA = Candidate("proved", "sums of contributions", f"{EVERY}, all sizes, all data sets", {"rule": "contributions"})
ON_SUBSETS = Candidate("proved", "card counting", f"{EVERY}, all sizes", {"rule": "contributions"})


def added(term: Any, y: Output, x: int, world: World) -> int:
    """What a report adds to F_x: what its parts add; a choice counts for the items whose label it counts for."""
    match term:
        case ["each", "held", of] | ["copies" | "thinned", _, of]:
            parts = [(of, z) for z in y[0]]
        case ["pair", *both]:
            parts = [*zip(both, y[0], strict=True)]
        case ["mix", family, labels, of]:
            choice, inner = y[0]
            x, parts = world.families[family][choice][1][x], [(of, inner)]
            world = World(int(labels), 0, (), world.families)
        case ["dummies" | "sampled" | "filled", *_, of]:
            return added(of, y, x, world)
        case _:
            return count(shape(term), y, x, world.k)
    return sum(added(of, z if is_seen(of) else (z, ()), x, world) for of, z in parts)


def count(form: str, y: Output, x: int, k: int) -> int:
    """What a report adds to F_x, by the shape of what is seen."""
    y0, kept = y
    if x >= k:
        return kept.count(x)
    match form:
        case "bits" | "drawn bits":
            return int(y0[x])
        case "whole":
            return int(y0[0][x])
        case "vectors":
            return sum(int(bits[x]) for bits in y0)
        case "one" | "label" | "drawn label":
            return int(y0 == x)
        case "point":
            return int(x in y0[1])
        case "results" | "set" | "slots" | "subset":
            return int(y0.count(x))
    raise LookupError(f"no count of {form}")


class Counts:
    """What reports add to the count of items at an instance: the law's enumeration, and an estimator."""

    def __init__(self, body: Json, place: Place) -> None:
        self.body: Json = body
        self.place: Place = place
        self.iid: bool = body.get("data") == "iid"
        self.values: dict[str, Fraction] = point_values(body["law"], place.at)
        self.law: Enumerated = enumerated(body, place)
        estimator = {"slope": 1, "offset": 0, "per_invertible": 0, **body.get("estimator", {})}
        self.slope: Any = evaluate(estimator["slope"], self.values)
        self.offset: Any = evaluate(estimator["offset"], self.values)
        self.less: Any = evaluate(estimator["per_invertible"], self.values)
        self._known: dict[tuple[Items, int], dict[Any, Any]] = {}

    def law_of(self, s: Items, x: int) -> dict[Any, Any]:
        """The law of what a user who holds s adds (less what is subtracted for a report that is sent, or an item that
        is shown)."""
        if (s, x) not in self._known:
            (term, world, rows), at, law = self.law, self.place.at, self._known.setdefault((s, x), {})
            inner, _ = completed(term, s, at["m"], world)
            own = x + inner.k - world.k if x >= world.k else x
            for y, p in rows[s].items():
                sent = len(y[1]) if is_seen(term) else bool(y[0])
                c = added(term, y, own, inner) - self.less * sent
                law[c] = law.get(c, 0) + p
        return self._known[s, x]

    def chance(self, s: Items, x: int) -> Any:
        """That a report counts for an item."""
        return sum((p for c, p in self.law_of(s, x).items() if c > 0), Fraction(0))

    def moments(self, data: Data) -> tuple[Any, Any]:
        """Mean and variance of the estimate, for these users, or for one of a population."""
        x, users = data
        n, first, second = len(users), Fraction(0), Fraction(0)
        for s in users:
            mean = sum((p * c for c, p in self.law_of(s, x).items()), Fraction(0))
            square = sum((p * c**2 for c, p in self.law_of(s, x).items()), Fraction(0))
            first, second = first + mean, second + (square if self.iid else square - mean**2)
        spread = second / n - (first / n) ** 2 if self.iid else second / n**2
        return (first / n - self.offset) / self.slope, spread / self.slope**2

    def data(self, data: Data) -> Json:
        """What a formula may say of the users' data."""
        x, users = data
        n, k = len(users), self.place.at["K"]
        values = {"n": Fraction(1 if self.iid else n), "f": Fraction(sum(x in s for s in users), n)}
        values |= {"g": Fraction(sum(y >= k for s in users for y in s), n)}
        if (free := unnamed(self.body["law"])) and not self.iid:
            functions = families_at(self.place.hashes, self.body["law"], self.place.at)[free]
            values |= averages(functions, x, [s[0] for s in users])
        return self.values | values


def moment(statement: Unbiased) -> Iterator[Candidate]:
    """A first data set of one or two users (or population of two sets) with another moment; sums of contributions."""
    body = json_value(statement.json())
    for counts in _counted(statement, body):
        for data in _data(statement, counts):
            (mean, variance), values = counts.moments(data), counts.data(data)
            exact = {"variance": variance, "mse": variance + (mean - values["f"]) ** 2}.get(statement.type, mean)
            stated = evaluate(body.get("formula", "f"), values)
            if exact != stated:
                yield _witness(statement, counts, data, (exact, stated))
                return
    yield ON_SUBSETS if statement.law.unit == "subsets" else LEMMA


def chance(statement: Chance) -> Iterator[Candidate]:
    """A first set and item of the class with another chance; sums of contributions."""
    body = json_value(statement.json())
    for counts in _counted(statement, body):
        stated = evaluate(body["probability"], counts.values)
        for s, x in product(counts.law.rows, _items(statement, counts.place)):
            if (x in s) == (statement.event == "held") and counts.chance(s, x) != stated:
                numbers = {"exact": text(counts.chance(s, x)), "stated": text(stated)}
                yield witness(statement, counts.place, {"s": [*s], "item": x, **numbers})
                return
    yield ON_SUBSETS if statement.law.unit == "subsets" else LEMMA


# --- data sets --------------------------------------------------------------------------------------------------------


def _counted(statement: Chance | Unbiased, body: Json) -> Iterator[Counts]:
    candidates = (Counts(body, place) for place in places(statement, body))
    yield from (counts for counts in candidates if counts.slope != 0)


def _items(statement: Chance | Unbiased, place: Place) -> range:
    k, n = place.at["K"], place.at["N"]
    return range(k) if statement.item == "sensitive" else range(k, k + n)


def _data(statement: Unbiased, counts: Counts) -> Iterator[Data]:
    """Of subsets single users; of sketches and messages first all single users; of others item by item (of items and
    bits one of a class stands for all)."""
    sets, items, unit = counts.law.rows, _items(statement, counts.place), statement.law.unit
    numbers = (2,) if counts.iid else (1, 2) if isinstance(statement, Mse) else (1,)
    match unit:
        case "subsets":
            yield from ((x, (s,)) for s, x in product(sets, items))
        case "sketches" | "messages":
            for n, x in product((1, 2), items):
                yield from ((x, users) for users in product(sets, repeat=n))
        case _:
            for x, n in product(items if unit == "arcs" else items[:1], numbers):
                yield from ((x, users) for users in product(sets, repeat=n))


def _witness(statement: Unbiased, counts: Counts, data: Data, numbers: tuple[Any, Any]) -> Candidate:
    (x, users), sets = data, [[*s] for s in data[1]]
    held: Json = {"population": [[s, "1/2"] for s in sets]} if counts.iid else {"users": sets}
    evidence = {"item": x, "exact": text(numbers[0]), "stated": text(numbers[1])}
    place = counts.place._replace(hashes=None) if isinstance(statement, SharedVariance) else counts.place
    last = isinstance(statement, Mse) and statement.law.unit not in ("sketches", "messages")
    content = evidence | held if last else held | evidence
    return witness(statement, place, content, n=1 if counts.iid else len(users))


# --- one draw of functions for all users ------------------------------------------------------------------------------


def shared(statement: SharedVariance) -> Iterator[Candidate]:
    """A first data set with another variance over the draw of the functions; the law of total variance."""
    body = json_value(statement.json())
    for d, labels, draws in _draws(statement.independence):
        drawn = [Counts(body, _drawn(statement, d, labels, [[*h.values] for h in rows])) for rows in draws]
        for x, users in _data(statement, drawn[0]):
            moments = [counts.moments((x, users)) for counts in drawn]
            mean = sum(m for m, _ in moments) / len(draws)
            exact = sum(v + m * m for m, v in moments) / len(draws) - mean * mean
            others = [s for s in users if s != (x,)]
            squared = sum((Fraction(others.count(s), len(users)) ** 2 for s in set(others)), Fraction(0))
            stated = evaluate(body["formula"], drawn[0].data((x, users)) | {"squared": squared})
            if exact != stated:
                yield _witness(statement, drawn[0], (x, users), (exact, stated))
                return
    scope = f"{EVERY}, all sizes, all data sets, all such families"
    yield Candidate("proved", "law of total variance", scope, {"rule": "total"})


def _drawn(statement: SharedVariance, d: int, labels: int, functions: list[list[int]]) -> Place:
    """An instance under functions that were drawn."""
    sizes = {"m": 1, "K": d, "N": 0, "b": labels, "functions": functions}
    at = {name: sizes.get(name, len(functions)) for name in ("m", "K", "N", *statement.law.integers)}
    return Place(at | {statement.law.base: text(ROOTS[0])}, families(statement.law, sizes))


def _draws(independence: str) -> Iterator[tuple[int, int, list[tuple[LabelFunction, ...]]]]:
    """Items, labels, the lists of rows: independent ones, of all functions or of a y + c, or different ones."""
    pairwise, sizes = independence == "pairwise", ((1, 2, 1), (2, 2, 1), (2, 2, 2))
    for d, labels, k in (*sizes, (3, 3, 1)) if pairwise else (*sizes, (3, 2, 1), (3, 2, 2)):
        items = tuple(range(d))
        family = AffineLabels(items, labels) if pairwise else AllFunctions(items, labels)
        once = independence == "distinct"
        draws = distinct_rows(items, labels, k) if once else product(family.law(), repeat=k)
        yield d, labels, [*draws]


MOMENTS: Mapping[type, Callable[[Any], Iterator[Candidate]]] = dict.fromkeys((Mean, Mse, Unbiased, Variance), moment)
FINDERS = finders({Chance: chance, SharedVariance: shared, **MOMENTS})
