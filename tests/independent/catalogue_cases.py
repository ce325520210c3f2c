"""Oracles of the catalogue of mechanisms at small sizes, with their laws by brute force, in every view of reports."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from typing import Any

from flint import fmpq

from dp_audit.oracles import Number, catalogue, oracle
from dp_audit.oracles.mechanism import MechanismOracle
from dp_spec.vocabulary.real import Real
from independent import brute_force as plain
from independent import brute_force_privset, brute_force_wheel, item_mechanisms
from independent import cases as programs
from independent.oracle_cases import BITS, Case, Estimator

SIZES = ((2, 1, 1), (1, 1, 2), (2, 1, 2), (1, 3, 2), (2, 2, 2), (1, 2, 3))
"""(K, N, m)."""


def by_program(name: str, parameters: Mapping[str, object]) -> Estimator:
    """What the program itself says of several reports at once."""

    @cache
    def correct() -> MechanismOracle:
        made = oracle(name, parameters)
        assert isinstance(made, MechanismOracle)
        return made

    def estimate(outputs: Sequence[Hashable]) -> list[Number]:
        made = correct()
        hashes = () if made.h is None else ([made.h] * len(outputs),)
        estimates: dict[Any, Real] = made.mechanism.estimate([made._native[y] for y in outputs], *hashes)
        numbers = [estimates[x] for x in made.mechanism.domain.items]
        return [fmpq(q) if (q := x.rational()) is not None else x.enclosure(BITS) for x in numbers]

    return estimate


def listed(name: str, parameters: Mapping[str, object], e: Fraction, law: Callable[[Any], plain.Law]) -> Case:
    """Whether the bound is attained depends on what a reading compares, which has tests of its own."""
    return Case(name, parameters, e, law, by_program(name, parameters), tight=None)


def at_budget(case: Case, epsilon: float | str) -> Case:
    """The same at a budget for which there is no plain law."""
    parameters = {**case.parameters, "epsilon": epsilon}
    return replace(case, parameters=parameters, estimate=by_program(case.name, parameters))


def plain_law(case: programs.Case, sensitive: int, d: int, m: int, t: Fraction, held: Any) -> plain.Law:
    return case.law(held, sensitive, d, m, t)


@cache
def wheel_law(values: tuple[Fraction, ...], sensitive: int, m: int, w: Fraction, pair: bool, s: Any) -> plain.Law:
    """The law of (the items whose arcs hold the point, z1), from the cells of a grid."""
    grid, p = brute_force_wheel.coarsest_grid(values, m, w), brute_force_wheel.arc_length(m, w)
    weighted: list[tuple[Hashable, Fraction]] = []
    for (j, sent), mass in brute_force_wheel.law(s, values, sensitive, m, w, grid).items():
        arcs = frozenset(x for x, v in enumerate(values) if brute_force_wheel.is_covered(Fraction(j, grid), v, p))
        weighted.append(((arcs, sent) if pair else arcs, mass))
    return plain.collected(weighted)


def cases(k: int, n: int, m: int, t: Fraction) -> Iterator[Case]:
    """All mechanisms at K, N, m and e^epsilon = t^(2m)."""
    d, w = k + n, t ** (2 * m)
    sizes = {"K": k, "N": n, "d": d, "m": m}
    for case in programs.CASES:
        name = case.mechanism.__name__
        if name in catalogue.KINDS and (case.on_sets or m == 1):
            known = {size: number for size, number in sizes.items() if size in catalogue.KINDS[name].parameters}
            options = {option.removesuffix("_option"): str(value) for option, value in case.options}
            law = partial(plain_law, case, k, d, m, t)
            yield listed(name, {**known, "epsilon": f"ln({w})", **options}, w, law)
    sets, pairs = ({size: sizes[size] for size in some} | {"epsilon": f"ln({w})"} for some in ("dm", "KNm"))
    for size in range(1, d - m + 1):
        law = partial(brute_force_privset.privset, d=d, m=m, k=size, w=w, padded=False)
        yield listed("PrivSet", {**sets, "k": size}, w, law)
    p = brute_force_wheel.arc_length(m, w)
    for values in ([Fraction(x, 7) for x in range(d)], [x * p % 1 for x in range(d)], [Fraction(1, 2)] * d):
        hashed = {"hash": ", ".join(map(str, values))}
        for name, parameters, pair in (("Wheel", sets, False), ("SuWheel", pairs, True)):
            yield listed(name, {**parameters, **hashed}, w, partial(wheel_law, tuple(values), k, m, w, pair))


def cases_on_items() -> Iterator[Case]:
    """The mechanisms on single items of which the tests of programs know the law, at their first root."""
    for case in (case for case in item_mechanisms.CASES if case.name in catalogue.KINDS):
        for (d,) in case.sizes:
            e = case.roots[0] ** case.power
            yield listed(case.name, {"d": d, "epsilon": f"ln({e})"}, Fraction(e), case.own_laws(d).__getitem__)


CATALOGUE = [case for k, n, m in SIZES for case in cases(k, n, m, Fraction(3, 2) if m > 1 else Fraction(2))]
CATALOGUE += cases_on_items()
SMALL = list(cases(2, 1, 2, Fraction(3, 2))) + list(cases(2, 1, 1, Fraction(2)))


def is_unbiased(case: Case) -> bool:
    """Whether it estimates frequencies: not for given hash values, and not in views that lose numbers of reports."""
    return case.name not in ("Wheel", "SuWheel") and case.parameters.get("view") not in ("set", "padded")
