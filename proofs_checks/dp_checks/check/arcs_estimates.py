"""Checkers for hit probabilities and estimates of laws on arcs: counterexamples from the programs under explicit laws
on hash functions."""

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

from flint import fmpq

from dp_checks.check.arcs_programs import families, listed, mean_chances, mechanism
from dp_checks.check.moments import LEMMA
from dp_checks.check.proposals import ROOTS, Candidate, Sizes, sizes_of, text
from dp_refimpl.frequency.hashing import HashFamily
from dp_spec.vocabulary.error_statements import Variance
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.statement import Chance, Mse, Unbiased

Instance = tuple[Sizes, fmpq, HashFamily]


def chance(statement: Chance) -> Iterator[Candidate]:
    """A first set and item of the class with another chance; sums of contributions."""
    law = statement.law
    for sizes, root, family in _instances(statement):
        stated = fmpq(1) * statement.probability.evaluate(_values(statement, sizes, root))
        domain, shown = ItemDomain.of_sizes(sizes.k, sizes.n), statement.item == "nonsensitive"
        items = domain.nonsensitive if shown else domain.sensitive
        for s, x in product(domain.subsets([sizes.m]), items):
            if (x in s) == (statement.event == "other"):
                continue
            exact = mean_chances(law, sizes, root, family, s, x)[shown]
            if exact != stated:
                data = _at(statement, (sizes, root, family)) | {"s": sorted(s, key=str), "item": x}
                data |= {"exact": text(exact), "stated": text(stated)}
                yield Candidate("refuted", "witness", describe(data), data)
                return
    yield LEMMA


def unbiased(statement: Unbiased) -> Iterator[Candidate]:
    """A first user whose expected estimate is not [x in s]; sums of contributions."""
    for at, x, slope, offset in _items(statement):
        sizes, root, family = at
        for s in ItemDomain.of_sizes(sizes.k, sizes.n).subsets([sizes.m]):
            mean = (_success(statement, sizes, root, family, s, x) - offset) / slope
            if mean != int(x in s):
                data = _at(statement, at, n=1) | {"users": [sorted(s, key=str)], "item": x}
                data |= {"exact": text(mean), "stated": text(fmpq(int(x in s)))}
                yield Candidate("refuted", "witness", describe(data), data)
                return
    yield LEMMA


def mse(statement: Mse) -> Iterator[Candidate]:
    """A first data set of one or two users (or population of two sets) with another MSE, or variance; sums of
    contributions."""
    assert statement.formula is not None
    for at, x, slope, offset in _items(statement):
        sizes, root, family = at
        sets = ItemDomain.of_sizes(sizes.k, sizes.n).subsets([sizes.m])
        chances = {s: _success(statement, sizes, root, family, s, x) for s in sets}
        alone = [(s,) for s in sets] if statement.data == "fixed" else []
        for users in (*alone, *product(sets, repeat=2)):
            if statement.data == "iid" and users[0] == users[1]:
                continue
            share = fmpq(1, len(users))
            f = share * sum(x in s for s in users)
            g = share * sum(len(s & frozenset(range(sizes.k, sizes.d))) for s in users)
            n = len(users) if statement.data == "fixed" else 1
            count = share * _total(chances[s] for s in users)
            spread = share * _total(chances[s] * (1 - chances[s]) for s in users)
            if statement.data == "iid":
                spread = count * (1 - count)
            bias = fmpq(0) if isinstance(statement, Variance) else (count - offset) / slope - f
            exact = spread / (n * slope**2) + bias**2
            values = _values(statement, sizes, root) | {"n": n, "f": f, "g": g}
            stated = fmpq(1) * statement.formula.evaluate(values)
            if exact != stated:
                data = _at(statement, at, n=n) | {"item": x, "exact": text(exact), "stated": text(stated)}
                if statement.data == "fixed":
                    data["users"] = [sorted(s, key=str) for s in users]
                else:
                    data["population"] = [[sorted(s, key=str), text(share)] for s in users]
                yield Candidate("refuted", "witness", describe(data), data)
                return
    yield LEMMA


def describe(data: dict[str, Any]) -> str:
    """A witness in words, without long lists of hash functions."""
    flat = dict(data.get("instance", {})) | {k: v for k, v in data.items() if k not in ("instance", "hashes")}
    functions = data.get("hashes", ())
    if len(functions) == 1:
        flat["hash"] = functions[0][0]
    elif functions:
        flat["hash"] = f"one of {len(functions)} functions"
    return ", ".join(f"{name} = {value}" for name, value in flat.items())


# --- instances ----------------------------------------------------------------------------------------------------


def _instances(statement: Chance | Unbiased) -> Iterator[Instance]:
    """Sizes, budgets and laws on hash functions in the declared order."""
    for sizes, root in product(sizes_of(statement.law, statement.where, d_max=3), ROOTS[:3]):
        for family in families(statement.view, mechanism(statement.law, sizes, root)):
            yield sizes, root, family


def _items(statement: Unbiased) -> Iterator[tuple[Instance, int, fmpq, fmpq]]:
    """Instances with an item of the class, the slope and the offset of the estimator."""
    for sizes, root, family in _instances(statement):
        for x in range(sizes.k) if statement.item == "sensitive" else range(sizes.k, sizes.d):
            values = _values(statement, sizes, root)
            estimator = statement.estimator
            slope, offset = (fmpq(1) * part.evaluate(values) for part in (estimator.slope, estimator.offset))
            yield (sizes, root, family), x, slope, offset


@cache
def _mean(law: Any, sizes: Sizes, root: fmpq, family: HashFamily, s: frozenset[Any], x: int) -> tuple[fmpq, fmpq]:
    return mean_chances(law, sizes, root, family, s, x)


def _success(statement: Unbiased, sizes: Sizes, root: fmpq, family: HashFamily, s: frozenset[Any], x: int) -> fmpq:
    """The probability that a user with the set s is counted for x: hit, or (not sensitive) emitted."""
    return _mean(statement.law, sizes, root, family, s, x)[statement.item == "nonsensitive"]


def _values(statement: Chance | Unbiased, sizes: Sizes, root: fmpq) -> dict[str, Any]:
    return {statement.law.base: root, **sizes.json()}


def _at(statement: Chance | Unbiased, at: Instance, **more: int) -> dict[str, Any]:
    sizes, root, family = at
    return {"instance": {**sizes.json(), statement.law.base: text(root), **more}, "hashes": listed(family)}


def _total(numbers: Any) -> fmpq:
    return sum(numbers, fmpq(0))
