"""Checkers for what reports show: invertible data, counts, products, padding."""

from collections.abc import Iterator
from functools import partial
from itertools import permutations, product
from typing import Any

from flint import fmpq

from dp_checks.check.candidate import EVERY, ROOTS, Candidate, Sizes, sizes_of, text
from dp_checks.enumeration import exact_channel, output_law
from dp_checks.programs import law_channel, mechanism, program
from dp_refimpl.coins import Coins
from dp_refimpl.frequency.padding import pad_and_sample
from dp_spec.vocabulary.definitions import emission_violation
from dp_spec.vocabulary.items import ItemDomain, Report
from dp_spec.vocabulary.statement import Computable, Invertible, InvertibleWithin, Padding, ProductForm


def invertible(statement: Invertible) -> Iterator[Candidate]:
    """At epsilon = 0 (or at sample points) a set whose item is never emitted; the kept-entry lemma."""
    roots = (fmpq(1),) if statement.epsilon == "zero" else ROOTS
    for sizes, root in product(sizes_of(statement.law, statement.where), roots):
        domain = ItemDomain.of_sizes(sizes.k, sizes.n)
        channel = law_channel(
            statement.law, statement.view, sizes.m, range(sizes.m, sizes.m + 1), domain, root, **_theta(statement)
        )
        found = emission_violation(channel, domain)
        if found:
            point = {**sizes.json(), statement.law.base: text(root)}
            data: dict[str, Any] = {"instance": point, "s": sorted(found.x, key=str), "item": found.output}
            yield Candidate("refuted", "witness", _describe(data), data)
            return
    yield Candidate("proved", "kept-entry lemma", f"{EVERY}, all sizes", {"lemma": "kept"})


def invertible_within(statement: InvertibleWithin) -> Iterator[Candidate]:
    """The kept-entry lemma."""
    yield Candidate("proved", "kept-entry lemma", f"{EVERY}, all sizes", {"lemma": "kept"})


def computable(statement: Computable) -> Iterator[Candidate]:
    """A first pair of result vectors with a common report and different counts; the slotwise count lemma."""
    for sizes in sizes_of(statement.law, (), d_max=5):
        domain = ItemDomain.of_sizes(sizes.k, sizes.n)
        shown: dict[Any, tuple[tuple[Any, ...], list[Any]]] = {}
        slots = mechanism(statement.law, "position", sizes.m, domain, fmpq(2))
        target = mechanism(statement.law, statement.view, sizes.m, domain, fmpq(2))
        for s in domain.subsets([sizes.m]):
            for results in output_law(partial(slots.randomize, s), fmpq(1)):
                z = _results(results, s)
                for y in _shown(target, statement.view, results, domain):
                    first, holder = shown.setdefault(y, (z, sorted(s, key=str)))
                    for x in domain.sensitive:
                        if first.count(x) != z.count(x):
                            data: dict[str, Any] = {
                                "K": sizes.k,
                                "N": sizes.n,
                                "item": x,
                                "results": [list(first), list(z)],
                                "sets": [holder, sorted(s, key=str)],
                            }
                            yield Candidate("refuted", "witness", _describe(data), data)
                            return
    yield Candidate("proved", "slotwise count lemma", f"{EVERY}, all sizes", {"lemma": "slotwise count"})


def product_form(statement: ProductForm) -> Iterator[Candidate]:
    """A first output of two sets whose ratio no matching of results to items gives; results in place."""
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
    evidence = {"lemma": "results in place", "factor": law.base}
    yield Candidate("proved", "results-in-place lemma", f"{EVERY}, all sizes", evidence)


def padding(statement: Padding) -> Iterator[Candidate]:
    """A first user with another mean; every epsilon at all sets and items of listed sizes."""
    cases = []
    for sizes in sizes_of(statement.law, statement.where, d_max=4, m_max=3):
        domain = ItemDomain.of_sizes(sizes.k, sizes.n)
        lengths = range(sizes.m + 1, sizes.d + 1) if statement.mode == "long" else range(sizes.m)
        for s, x in product(domain.subsets(lengths), domain.items):
            case: dict[str, Any] = {**sizes.json(), "s": sorted(s, key=str), "item": x}
            for root in ROOTS[:2]:
                if _padded_mean(statement, sizes, s, x, root) != _stated_mean(statement, sizes, s, x):
                    point = {**sizes.json(), statement.law.base: text(root)}
                    data: dict[str, Any] = {"instance": point, "s": case["s"], "item": x}
                    yield Candidate("refuted", "witness", _describe(data), data)
                    return
            cases.append(case)
    yield Candidate("proved", "inclusion lemma", f"{EVERY}, all sizes", {"lemma": "inclusion"})
    scope = f"{EVERY} at {len(cases)} combinations of sizes, set and item with d <= 4, m <= 3"
    yield Candidate("verified", "exhausted scope", scope, {"instances": cases})


def _padded_mean(statement: Padding, sizes: Sizes, s: frozenset[Any], x: Any, root: fmpq) -> fmpq:
    """The expected estimate, from the program that samples or fills up and then randomizes."""
    domain = ItemDomain.of_sizes(sizes.k, sizes.n)
    target = mechanism(statement.law, statement.view, sizes.m, domain, root)
    randomize = program(statement.law, statement.view, target)

    def run(items: frozenset[Any], coins: Coins) -> Report:
        return randomize(pad_and_sample(items, sizes.m, domain, (), coins, fmpq(1)), coins)

    row = exact_channel(run, [s], fmpq(1)).rows[s]
    estimates = (p * target.estimate([y])[x] for y, p in row.items())
    mean: fmpq = sum(estimates, fmpq(0))
    return mean


def _stated_mean(statement: Padding, sizes: Sizes, s: frozenset[Any], x: Any) -> fmpq:
    values = {"m": fmpq(sizes.m), "K": sizes.k, "N": sizes.n, "size": len(s), "held": int(x in s)}
    stated: fmpq = fmpq(1) * statement.mean.evaluate(values)
    return stated


def _results(report: Report, s: frozenset[Any]) -> tuple[Any, ...]:
    """The results in the order of the items: blanks of a report by position are the items themselves."""
    held = sorted(s, key=str)
    return tuple(x if z is None else z for z, x in zip(report.protected, held, strict=True))  # type: ignore[call-overload]


def _shown(target: Any, view: str, results: Report, domain: ItemDomain) -> list[Any]:
    """Every report that the view can show for given results."""
    sensitive = [z for z in results.protected if z is not None]  # type: ignore[attr-defined]
    kept = tuple(sorted(results.invertible, key=str))
    match view:
        case "set":
            return [(frozenset(sensitive), kept)]
        case "multiset":
            return [(tuple(sorted(sensitive, key=str)), kept)]
        case "padded":
            fills = product(domain.sensitive, repeat=len(kept))
            return [(tuple(sorted([*sensitive, *fill], key=str)), kept) for fill in fills]
    return [(results.protected, kept)]


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
    return {"theta": fmpq(1, 2)} if statement.law.parameters else {}


def _describe(data: dict[str, Any]) -> str:
    flat = dict(data.get("instance", {})) | {k: v for k, v in data.items() if k != "instance"}
    return ", ".join(f"{name} = {value}" for name, value in flat.items())
