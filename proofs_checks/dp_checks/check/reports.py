"""Checkers for what reports show: invertible data, counts, products, padding."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from flint import fmpq

from dp_checks.check.proposals import EVERY, ROOTS, Candidate, Sizes, at_sizes, finders, sizes_of, text
from dp_checks.programs import law_channel, mechanism
from dp_kernel.laws.grammar import PUSHES, World, outcome_law, sets_of, valued
from dp_spec.vocabulary.definitions import emission_violation
from dp_spec.vocabulary.items import ItemDomain, Report
from dp_spec.vocabulary.statement import Computable, Invertible, Padding, ProductForm
from dp_spec.vocabulary.term import var

_MORE = (var("K") + var("N") - 1 - var("m"),)
"""More items than a set has."""


def invertible(statement: Invertible) -> Iterator[Candidate]:
    """The support of the law, unless the program misses an item of some set or emits another one."""
    for sizes, root in product(sizes_of(statement.law, statement.where), ROOTS):
        domain = ItemDomain.of_sizes(sizes.k, sizes.n)
        channel = law_channel(
            statement.law, statement.view, sizes.m, range(sizes.m, sizes.m + 1), domain, root, **_theta(statement)
        )
        if emission_violation(channel, domain):
            return
    yield Candidate("proved", "support", f"{EVERY}, all sizes", {"rule": "support"})


def computable(statement: Computable) -> Iterator[Candidate]:
    """A first pair of possible results with a common report and different counts; all pairs at listed sizes."""
    body = statement.json()["law"]
    name, of = body["term"][1:]
    for sizes in sizes_of(statement.law, statement.where, d_max=5):
        point = {**sizes.json(), statement.law.base: "2"}
        inner = valued(of, {name: Fraction(str(value)) for name, value in point.items()})
        shown: dict[Any, tuple[Any, Any]] = {}
        for s in sets_of([sizes.m], sizes.k, sizes.n):
            for z in outcome_law(inner, s, sizes.m, World(sizes.k, sizes.n)):
                first, holder = shown.setdefault(PUSHES[name].of(z, sizes.k), (z, s))
                for x in range(sizes.k):
                    if first.count(x) != z.count(x):
                        data = {"instance": point, "item": x, "outcomes": [first, z], "sets": [holder, s]}
                        yield Candidate("refuted", "witness", _describe(data), data)
                        return
    yield at_sizes(statement.law, statement.where)


def product_form(statement: ProductForm) -> Iterator[Candidate]:
    """A first output of two sets whose ratio no matching of results to items gives; all outputs at listed sizes."""
    law = statement.law
    if statement.view in ("set", "multiset"):
        for sizes in sizes_of(law, (), d_max=4, m_max=2):
            domain = ItemDomain.of_sizes(sizes.k, sizes.n)
            channel = law_channel(law, statement.view, sizes.m, range(sizes.m, sizes.m + 1), domain, fmpq(2))
            for s, row in channel.rows.items():
                for other in channel.inputs:
                    for y in row:
                        if _no_matching(channel, law, sizes, s, other, y):
                            data: dict[str, Any] = {
                                "instance": {**sizes.json(), law.base: "2"},
                                "s": sorted(s, key=str),
                                "other": sorted(other, key=str),
                                "output": list(y.protected),  # type: ignore[call-overload]
                            }
                            yield Candidate("refuted", "witness", _describe(data), data)
                            return
    yield at_sizes(law, _MORE, d_max=3)


def padding(statement: Padding) -> Iterator[Candidate]:
    """A first user with another mean; all users at listed sizes."""
    sampled = statement.law.brought == ("sampled",)
    for sizes in sizes_of(statement.law, statement.where, d_max=4, m_max=3):
        domain = ItemDomain.of_sizes(sizes.k, sizes.n)
        lengths = range(sizes.m + 1, sizes.d + 1) if sampled else range(sizes.m)
        for s, x in product(domain.subsets(lengths), domain.items):
            case: dict[str, Any] = {**sizes.json(), "s": sorted(s, key=str), "item": x}
            for root in ROOTS[:2]:
                if _padded_mean(statement, sizes, s, x, root) != _stated_mean(statement, sizes, s, x):
                    point = {**sizes.json(), statement.law.base: text(root)}
                    data: dict[str, Any] = {"instance": point, "s": case["s"], "item": x}
                    yield Candidate("refuted", "witness", _describe(data), data)
                    return
    yield at_sizes(statement.law, _MORE if sampled else ())


def _padded_mean(statement: Padding, sizes: Sizes, s: frozenset[Any], x: Any, root: fmpq) -> fmpq:
    """The expected estimate, from the program that samples or fills up and then randomizes."""
    domain = ItemDomain.of_sizes(sizes.k, sizes.n)
    law = statement.law
    target = mechanism(law, law.view, sizes.m, domain, root)
    row = law_channel(law, law.view, sizes.m, range(len(s), len(s) + 1), domain, root).rows[s]
    estimates = (p * target.estimate([y])[x] for y, p in row.items())
    mean: fmpq = sum(estimates, fmpq(0))
    return mean


def _stated_mean(statement: Padding, sizes: Sizes, s: frozenset[Any], x: Any) -> fmpq:
    values = {"m": fmpq(sizes.m), "K": sizes.k, "N": sizes.n, "size": len(s), "held": int(x in s)}
    stated: fmpq = fmpq(1) * statement.mean.evaluate(values)
    return stated


def _no_matching(channel: Any, law: Any, sizes: Sizes, s: frozenset[Any], other: frozenset[Any], y: Report) -> bool:
    y0: Any = y.protected
    if s == other or y.invertible or len(y0) != sizes.m or not channel.prob(y, other):
        return False
    values = {law.base: fmpq(2), "K": sizes.k, "m": sizes.m}
    p, q = law.p.evaluate(values), law.q.evaluate(values)
    # a product of table entries is p^matches q^rest; every number of matches that some matching reaches
    tops, bottoms = ({p**j * q ** (sizes.m - j) for j in _reachable(y0, c)} for c in (s, other))
    a, b = channel.prob(y, s), channel.prob(y, other)
    return all(a * bottom != b * top for top in tops for bottom in bottoms)


def _reachable(y0: tuple[Any, ...], items: frozenset[Any]) -> set[int]:
    return {sum(z == x for z, x in zip(v, sorted(items), strict=True)) for v in permutations(y0)}


def _theta(statement: Invertible) -> dict[str, Any]:
    return dict.fromkeys(statement.law.parameters, fmpq(1, 2))


def _describe(data: dict[str, Any]) -> str:
    flat = dict(data.get("instance", {})) | {k: v for k, v in data.items() if k != "instance"}
    return ", ".join(f"{name} = {value}" for name, value in flat.items())


FINDERS = finders(
    {
        Computable: computable,
        Invertible: invertible,
        Padding: padding,
        ProductForm: product_form,
    }
)
