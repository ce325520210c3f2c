"""Small instances of every oracle with their plain counterparts, and the checks that a correct oracle passes."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

from flint import arb, ctx, fmpq

from dp_audit.judge.law import oracle_ratio
from dp_audit.oracles import Number, Oracle, oracle
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import Ordering, compare
from independent import brute_force_oracles as plain

BITS = 200
Estimator = Callable[[Sequence[Any]], Sequence[Fraction | Number]]


@dataclass(frozen=True)
class Case:
    """An oracle's name and parameters, its plain law and estimator, its nominal bound and whether that is attained.

    `tight` is None where that is not said; `within`: what the plain law leaves out.
    """

    name: str
    parameters: Mapping[str, object]
    bound: Fraction
    law: Callable[[Any], plain.Law]
    estimate: Estimator | None = None
    tight: bool | None = True
    within: Fraction = Fraction(0)

    def oracle(self) -> Oracle:
        return oracle(self.name, self.parameters)

    def __str__(self) -> str:
        return self.name + "-" + ",".join(f"{k}={v}" for k, v in self.parameters.items()).replace(" ", "")


def subset(d: int, k: int, w: int) -> Case:
    e = Fraction(w)
    return Case(
        "SS",
        {"d": d, "epsilon": f"ln({w})", "k": k},
        e,
        lambda x: plain.subset(x, d, k, e),
        lambda reports: plain.subset_estimate(reports, d, k, e),
    )


def fixed_hashing(g: int, w: int, table: Sequence[int], tight: bool = True) -> Case:
    e, d = Fraction(w), len(table)
    return Case(
        "LH",
        {"d": d, "g": g, "epsilon": f"ln({w})", "hash": list(table)},
        e,
        lambda x: plain.cell(table[x], g, e),
        lambda reports: plain.hashing_estimate([(cell, table) for cell in reports], d, g, e),
        tight,
    )


def drawn_hashing(g: int, w: int, tables: Sequence[Sequence[int]]) -> Case:
    e, d = Fraction(w), len(tables[0])
    return Case(
        "FLH",
        {"d": d, "g": g, "epsilon": f"ln({w})", "hashes": [list(table) for table in tables]},
        e,
        lambda x: plain.drawn_hashing(x, g, e, tables),
        lambda reports: plain.hashing_estimate([(cell, tables[j]) for cell, j in reports], d, g, e),
    )


def ideal_hashing(d: int, g: int, w: int) -> Case:
    e = Fraction(w)
    return Case(
        "LH-ideal",
        {"d": d, "g": g, "epsilon": f"ln({w})"},
        e,
        lambda x: plain.ideal_hashing(x, d, g, e),
        lambda reports: plain.hashing_estimate(reports, d, g, e),
    )


def coefficients(d: int, w: int, t: int = 1, first: int = 0) -> Case:
    e = Fraction(w)
    return Case(
        "HM",
        {"d": d, "epsilon": f"ln({w})", "t": t, "first": first},
        e,
        lambda x: plain.coefficients(x, d, t, first, e),
        lambda reports: plain.coefficients_estimate([(r,) if t == 1 else r for r in reports], d, t, first, e),
    )


def response(d: int, w: int, blocks: int, permutation: Sequence[int] | None = None) -> Case:
    e, place = Fraction(w), list(range(d)) if permutation is None else list(permutation)

    def estimate(reports: Sequence[Any]) -> list[Fraction]:
        by_position = plain.response_estimate(reports, d, blocks, e)
        return [by_position[place[x]] for x in range(d)]

    facts: dict[str, object] = {} if permutation is None else {"permutation": list(permutation)}
    return Case(
        "HR",
        {"d": d, "epsilon": f"ln({w})", "blocks": blocks, **facts},
        e,
        lambda x: plain.response(place[x], d, blocks, e),
        estimate,
    )


def thresholded(d: int, quarter: int, theta: str) -> Case:
    level, e = Fraction(theta), Fraction(quarter)
    p, q = plain.laplace_above(level - 1, e), plain.laplace_above(level, e)
    return Case(
        "THE",
        {"d": d, "epsilon": f"ln({quarter**4})", "theta": theta},
        e**4,
        lambda x: plain.unary(x, d, p, q),
        lambda reports: plain.pure([sum(r[x] for r in reports) for x in range(d)], len(reports), p, q),
        tight=False,
    )


def unary(d: int, p: str, q: str) -> Case:
    a, b = Fraction(p), Fraction(q)
    return Case(
        "UE",
        {"d": d, "p": p, "q": q},
        a * (1 - b) / (b * (1 - a)),
        lambda x: plain.unary(x, d, a, b),
        lambda reports: plain.pure([sum(r[x] for r in reports) for x in range(d)], len(reports), a, b),
    )


def count_mean(m: int, half: int, tables: Sequence[Sequence[int]], tight: bool = True) -> Case:
    h, d = Fraction(half), len(tables[0])
    return Case(
        "CMS",
        {"d": d, "epsilon": f"2*ln({half})", "m": m, "hashes": [list(table) for table in tables]},
        h * h,
        lambda x: plain.count_mean(x, m, h, tables),
        lambda reports: plain.count_mean_estimate(reports, d, m, h, tables),
        tight,
    )


def hadamard_count_mean(m: int, w: int, tables: Sequence[Sequence[int]]) -> Case:
    e, d = Fraction(w), len(tables[0])
    return Case(
        "HCMS",
        {"d": d, "epsilon": f"ln({w})", "m": m, "hashes": [list(table) for table in tables]},
        e,
        lambda x: plain.hadamard_count_mean(x, m, e, tables),
        lambda reports: plain.hadamard_count_mean_estimate(reports, d, m, e, tables),
    )


def count_sketch(m: int, w: int, tables: Sequence[Sequence[int]], signs: Sequence[Sequence[int]]) -> Case:
    e, d = Fraction(w), len(tables[0])
    return Case(
        "PCS",
        {"d": d, "epsilon": f"ln({w})", "m": m, "hashes": [list(t) for t in tables], "signs": [list(t) for t in signs]},
        e,
        lambda x: plain.count_sketch(x, m, e, tables, signs),
        lambda reports: plain.count_sketch_estimate(reports, d, e, tables, signs),
    )


def bloom(m: int, f: str, filters: Sequence[Sequence[Sequence[int]]], tight: bool = True) -> Case:
    chance = Fraction(f)
    return Case(
        "RAPPOR",
        {"d": len(filters[0]), "f": f, "m": m, "filters": [[list(bits) for bits in cohort] for cohort in filters]},
        ((1 - chance / 2) / (chance / 2)) ** (2 * max(len(bits) for cohort in filters for bits in cohort)),
        lambda x: plain.bloom(x, m, chance, filters),
        None,
        tight,
    )


CASES = (
    subset(2, 1, 3),
    subset(4, 1, 2),
    subset(4, 2, 3),
    subset(5, 3, 2),
    subset(5, 4, 7),
    fixed_hashing(2, 3, (0, 1, 1, 0)),
    fixed_hashing(3, 2, (2, 0, 2)),
    fixed_hashing(4, 5, (1, 2, 3, 1)),
    fixed_hashing(2, 3, (1, 1, 1), tight=False),
    drawn_hashing(2, 3, ((0, 1, 0), (1, 1, 0), (1, 1, 0))),
    drawn_hashing(3, 2, ((0, 1, 2, 0), (1, 1, 1, 1))),
    ideal_hashing(2, 2, 3),
    ideal_hashing(3, 2, 2),
    ideal_hashing(2, 3, 5),
    coefficients(2, 3),
    coefficients(3, 2),
    coefficients(4, 3, first=1),
    coefficients(5, 5),
    coefficients(2, 3, t=2),
    coefficients(3, 2, t=2),
    coefficients(2, 5, t=3, first=1),
    response(2, 3, 1),
    response(4, 3, 1),
    response(3, 2, 1, (2, 0, 1)),
    response(3, 5, 4),
    response(5, 4, 2, (4, 1, 0, 3, 2)),
    response(2, 9, 4),
    response(4, 2, 8),
    thresholded(3, 2, "1"),
    thresholded(3, 2, "0.5"),
    thresholded(2, 3, "1/2"),
    thresholded(2, 2, "0"),
    thresholded(2, 2, "2"),
    thresholded(2, 2, "-1.5"),
    unary(3, "0.75", "1/4"),
    unary(2, "1/2", "1/5"),
    count_mean(2, 3, ((0, 1, 1), (0, 0, 0))),
    count_mean(3, 2, ((0, 2),)),
    count_mean(2, 2, ((0, 0), (1, 1)), tight=False),
    hadamard_count_mean(2, 3, ((0, 1, 1), (0, 0, 0))),
    hadamard_count_mean(4, 2, ((0, 1, 3), (2, 1, 3))),
    count_sketch(2, 3, ((0, 1, 1), (0, 0, 0)), ((1, 1, 0), (0, 1, 0))),
    count_sketch(3, 2, ((0, 2),), ((1, 0),)),
    bloom(4, "1/2", (((0, 1), (2, 3), (1, 2)), ((0, 0), (1, 3), (1, 3)))),
    bloom(2, "0.25", (((0,), (1,)),)),
    bloom(3, "1/3", (((0, 1), (1, 2)),), tight=False),
    bloom(4, "1/2", (((0, 1), (2, 3), (1,)), ((3,), (0, 2), (1,)))),
    bloom(3, "1/4", (((0,), (1, 2)), ((0, 2), (2,))), tight=False),
)


# --- checks ----------------------------------------------------------------------------------------------------------


def exact(number: Fraction | int) -> fmpq:
    return fmpq(number.numerator, number.denominator)


def lifted(number: Fraction | Number) -> Number:
    return exact(number) if isinstance(number, Fraction) else number


def same(a: Number, b: Number, within: Fraction = Fraction(0)) -> bool:
    """Equal up to `within`; balls must contain the same number and be tiny."""
    difference = a - b
    if isinstance(difference, fmpq):
        return bool(abs(difference) <= exact(within))
    near = difference + arb(0, exact(within))
    return bool(near.contains(0)) and compare(difference.rad(), arb(2) ** -150) is Ordering.LESS


def all_same(left: Sequence[Number], right: Sequence[Number]) -> bool:
    return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right, strict=True))


def total(numbers: Iterable[Number]) -> Number:
    subtotal: Number = fmpq(0)
    for number in numbers:
        subtotal = subtotal + number
    return subtotal


def law_faults(case: Case, subject: Oracle) -> set[str]:
    """Which of the statements about laws an oracle violates."""
    faults = set()
    for x in subject.inputs:
        law, reference = subject.law(x), case.law(x)
        if not same(total(iter(law.values())), fmpq(1)):
            faults.add("sum")
        if not all(same(law.get(y, fmpq(0)), exact(reference.get(y, 0)), case.within) for y in {*law, *reference}):
            faults.add("law")
        if not all(subject.possible(y) for y in reference):
            faults.add("possible")
        for event in subject.events(x):
            if not same(total(p for y, p in law.items() if event.holds(y)), event.probability):
                faults.add("events")
    if not same(exact(case.bound), subject.privacy()):
        faults.add("bound")
    ratio = oracle_ratio(subject)
    if (
        ratio is None
        or compare(ratio, exact(case.bound) + fmpq(1, 2**100)) is Ordering.GREATER
        or (case.tight is not None and same(ratio, exact(case.bound)) is not case.tight)
    ):
        faults.add("ratio")
    return faults


def estimate_faults(case: Case, subject: Oracle) -> set[str]:
    """Whether the estimates of one, two and all reports are those of the plain server."""
    assert case.estimate is not None
    correct = case.oracle()
    outputs = list(dict.fromkeys(y for x in correct.inputs for y in correct.law(x)))
    lists = [[y] for y in outputs] + [[y, outputs[0]] for y in outputs] + [outputs[-1:] * 2, outputs]
    for reports in lists:
        estimates = subject.estimate(reports)
        assert estimates is not None
        if not all_same(estimates, [lifted(value) for value in case.estimate(reports)]):
            return {"estimate"}
    return set()


Moments = tuple[tuple[Number, ...], tuple[Number, ...]]


def moments(subject: Oracle, data: Sequence[Item]) -> Moments:
    """Expectation and variance of the estimates over the product of the laws: nothing but `law` and `estimate`."""
    size = len(subject.expected_estimate(data) or ())
    first, second = ([fmpq(0)] * size for _ in range(2))
    means: list[Number] = list(first)
    squares: list[Number] = list(second)
    for choice in product(*(subject.law(x).items() for x in data)):
        weight: Number = fmpq(1)
        for _, p in choice:
            weight = weight * p
        estimates = subject.estimate([y for y, _ in choice])
        assert estimates is not None
        for j, value in enumerate(estimates):
            means[j] = means[j] + weight * value
            squares[j] = squares[j] + weight * value * value
    # not mean**2: flint's power of a ball around 0 is no number
    return tuple(means), tuple(square - mean * mean for mean, square in zip(means, squares, strict=True))


def moment_faults(subject: Oracle, users: Sequence[int] = (1, 2), largest: int = 300) -> set[str]:
    """Whether the stated moments are those of the law, for all data sets of the sizes (while paths are few)."""
    faults = set()
    for n in users:
        if len(subject.law(subject.inputs[0])) ** n > largest:
            continue
        for data in combinations_with_replacement(subject.inputs, n):
            mean, variance = moments(subject, data)
            stated, spread = subject.expected_estimate(data), subject.variance(data)
            assert stated is not None
            assert spread is not None
            if not all_same(mean, stated):
                faults.add("expectation")
            if not all_same(variance, spread):
                faults.add("variance")
    return faults


def all_faults(case: Case, subject: Oracle) -> set[str]:
    """Everything that is wrong; "refused" if the oracle takes its own reports for impossible."""
    faults = set()
    try:
        with ctx.workprec(BITS):
            faults |= law_faults(case, subject)
            if case.estimate is not None:
                faults |= estimate_faults(case, subject) | moment_faults(subject, (1,))
    except DomainError:
        faults.add("refused")
    return faults


def mutant(correct: Oracle, **members: object) -> Oracle:
    """The same oracle with some methods, properties or fields replaced."""
    original: Any = correct
    values = {field.name: members.pop(field.name, getattr(original, field.name)) for field in fields(original)}
    kind: Any = type("Mutant", (type(correct),), members)
    changed: Oracle = kind(**values)
    return changed


def report_forms() -> tuple[Hashable, ...]:
    """Values that are no report of any case in `CASES`."""
    numbers = (None, "", -1, 10**6, fmpq(1, 2))
    return (*numbers, (), (0,), (0, 0, 0, 0, 0, 0, 0), ((), 0), frozenset(), frozenset([99]))
