"""SMP, SPL, RS+FD and documented post-processing: laws, budgets and moments against plain ones; faults are found."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from flint import arb, fmpq

from dp_audit.oracles import Number, Oracle, oracle
from dp_audit.oracles.base import exact_sum, exponential
from dp_audit.oracles.multidimensional import FakeData, Split
from dp_audit.oracles.post_processing import Consistent, Normalized
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import Ordering, compare
from independent.oracle_cases import all_same, moments, mutant, same, total

pytestmark = pytest.mark.usefixtures("precise")

PlainLaw = dict[Any, Fraction]


def made(name: str, sizes: tuple[int, ...] = (2, 3), **parameters: object) -> Oracle:
    return oracle(name, {"sizes": sizes, **(parameters or {"epsilon": "ln(3)"})})


def grr(x: int, k: int, e: Fraction) -> PlainLaw:
    return {y: (e if y == x else Fraction(1)) / (e + k - 1) for y in range(k)}


def oue(x: int | None, k: int, e: Fraction) -> PlainLaw:
    """Bits with p = 1/2 and q = 1 / (e + 1); None encodes the zero vector."""
    law = {}
    for y in product((0, 1), repeat=k):
        p = Fraction(1)
        for j, bit in enumerate(y):
            one = Fraction(1, 2) if j == x else 1 / (e + 1)
            p *= one if bit else 1 - one
        law[y] = p
    return law


def rspfd(name: str, x: tuple[int, ...], sizes: tuple[int, ...], e: Fraction) -> PlainLaw:
    """RS+FD by its algorithm."""
    strong, d, law = len(sizes) * (e - 1) + 1, len(sizes), dict[Any, Fraction]()
    for sampled in range(d):
        parts: list[PlainLaw] = []
        for j, k in enumerate(sizes):
            if j == sampled:
                parts.append(grr(x[j], k, strong) if name == "GRR" else oue(x[j], k, strong))
            elif name == "GRR":
                parts.append(dict.fromkeys(range(k), Fraction(1, k)))
            elif name == "OUE-zero":
                parts.append(oue(None, k, strong))
            else:
                mixed = [oue(v, k, strong) for v in range(k)]
                parts.append({y: sum((m[y] for m in mixed), Fraction(0)) / k for y in mixed[0]})
        for ys in product(*parts):
            p = Fraction(1, d)
            for part, y in zip(parts, ys, strict=True):
                p *= part[y]
            law[ys] = law.get(ys, Fraction(0)) + p
    return law


def agrees(law: Mapping[Any, Number], probabilities: PlainLaw) -> bool:
    return all(same(law.get(y, fmpq(0)), fmpq(p.numerator, p.denominator)) for y, p in probabilities.items()) and len(
        law
    ) == len(probabilities)


def faults(subject: Oracle, law_of: Any) -> set[str]:
    """Which statements are violated: the law, the moments of the estimates over it for one and two users."""
    wrong = set()
    for x in subject.inputs:
        if not agrees(subject.law(x), law_of(x)):
            wrong.add("law")
    if not same(subject.privacy(), fmpq(3)):
        wrong.add("bound")
    pairs = [(subject.inputs[0], subject.inputs[-1])] if len(subject.law(subject.inputs[0])) <= 16 else []
    for data in [*((x,) for x in subject.inputs), *pairs]:
        means, spread = moments(subject, data)
        assert means
        if not all_same(means, subject.expected_estimate(data) or ()):
            wrong.add("expectation")
        if not all_same(spread, subject.variance(data) or ()):
            wrong.add("variance")
    return wrong


def require_moments(subject: Oracle, data: tuple[Any, ...], estimands: int) -> None:
    """So many estimates have the moments that are stated."""
    means, spread = moments(subject, data)
    assert len(means) == estimands
    assert all_same(means, subject.expected_estimate(data) or ())
    assert all_same(spread, subject.variance(data) or ())


def ratio(subject: Oracle, differing: int) -> Number:
    """The largest ratio over tuples that differ in at most this many attributes."""
    laws = {x: subject.law(x) for x in subject.inputs}
    ratios = [
        laws[a][y] / laws[b][y]
        for a, b in product(laws, repeat=2)
        if sum(v != w for v, w in zip(a, b, strict=True)) <= differing  # type: ignore[call-overload]
        for y in laws[a]
    ]
    return max(ratios, key=lambda number: float(arb(number)))


@pytest.mark.parametrize("name", ["GRR", "OUE-zero", "OUE-random"])
@pytest.mark.parametrize("sizes", [(2, 2), (2, 3)])
def test_fake_data(name: str, sizes: tuple[int, ...]) -> None:
    subject = made(f"RSpFD-{name}", sizes)
    assert faults(subject, lambda x: rspfd(name, x, sizes, Fraction(3))) == set()


@pytest.mark.parametrize("name", ["GRR", "SUE-zero", "SUE-random", "OUE-zero", "OUE-random", "ADP"])
@pytest.mark.parametrize("attributes", [2, 3])
def test_fake_data_spends_epsilon_on_one_attribute_and_the_amplified_budget_on_all(name: str, attributes: int) -> None:
    """e^epsilon = 3 holds for tuples that differ in one attribute; for arbitrary ones it is d (e^epsilon - 1) + 1."""
    subject = made(f"RSpFD-{name}", (2,) * attributes)
    strong = fmpq(2 * attributes + 1)
    assert same(ratio(subject, attributes), strong)
    one = ratio(subject, 1)
    assert same(one, fmpq(3)) if name == "GRR" else compare(one, strong) is Ordering.LESS


def test_fake_data_takes_the_smaller_variance_for_each_attribute() -> None:
    subject = made("RSpFD-ADP", (2, 40))
    assert isinstance(subject, FakeData)
    assert subject.fakes == ("uniform", "zero")


def test_split_budgets() -> None:
    subject = made("SPL-GRR", epsilon="ln(9)")  # e^(epsilon / 2) = 3
    for x in subject.inputs:
        a, b = (grr(v, k, Fraction(3)) for v, k in zip(x, (2, 3), strict=True))  # type: ignore[call-overload]
        assert agrees(subject.law(x), {(y, z): p * q for y, p in a.items() for z, q in b.items()})
    assert same(ratio(subject, 2), fmpq(9))
    assert same(ratio(subject, 1), fmpq(3))
    for data in [((0, 0),), ((0, 2), (1, 2))]:
        require_moments(subject, data, 5)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("GRR", {"epsilon": "ln(3)"}),
        ("SUE", {"epsilon": "ln(3)"}),
        ("SS", {"epsilon": 1.0}),
        ("ADP", {"epsilon": "ln(3)"}),
        ("L-GRR", {"eps_perm": "2*ln(3)", "eps_1": "ln(3)"}),
        ("L-OSUE", {"eps_perm": "2*ln(3)", "eps_1": "ln(3)"}),
    ],
)
def test_a_sampled_attribute_has_its_own_law(name: str, parameters: dict[str, object]) -> None:
    subject = made(f"SMP-{name}", (2, 3), **parameters)
    parts = [oracle(name, {"d": k, **parameters}) for k in (2, 3)]
    for x in subject.inputs:
        law = subject.law(x)
        for (j, part), value in zip(enumerate(parts), x, strict=True):  # type: ignore[call-overload]
            assert all(same(law[(j, y)], p / 2) for y, p in part.law(value).items())
        assert same(total(iter(law.values())), fmpq(1))
    assert subject.expected_estimate([subject.inputs[0]]) is None
    assert subject.estimate([(0, 0)]) is None


def test_hashed_and_bucketed_attributes() -> None:
    tables = [[0, 1], [0, 1, 1]]
    spl = made("SPL-LH", g=2, epsilon="ln(9)", hashes=tables)
    smp = made("SMP-LH", g=2, epsilon="ln(9)", hashes=tables)
    strong, weak = fmpq(9, 10), fmpq(3, 4)
    assert same(spl.law((1, 2))[(1, 1)], weak * weak)
    assert smp.law((1, 2))[(1, 1)] == strong / 2
    bits = made("SPL-dBitFlipPM", (2, 3), buckets=(2, 2), bits=1, epsilon="4*ln(2)")  # e^(epsilon / 4) = 2
    assert same(bits.law((0, 2))[((1, -1), (-1, 1))], fmpq(1, 4) * fmpq(4, 9))
    with pytest.raises(DomainError, match="hashes"):
        made("SPL-LH", g=2, epsilon=1.0, hashes=tables[:1])
    with pytest.raises(DomainError, match="buckets"):
        made("SMP-dBitFlipPM", epsilon=1.0, buckets=(2, 2, 2), bits=1)


def test_derived_budgets() -> None:
    split, sampled = (oracle(f"{name}-GRR", {"sizes": (2,) * 3, "epsilon": "ln(8)"}) for name in ("SPL", "RSpFD"))
    assert isinstance(split, Split)
    assert isinstance(sampled, FakeData)
    assert [part.epsilon.root for part in (*split.parts, *sampled.parts)] == [2] * 3 + [22] * 3
    strong = Budget.of_root(2 * (Budget(1.0).root - 1) + 1)
    assert same(exponential(strong, Fraction(1, 2)), (2 * arb(1).exp() - 1).sqrt())


@pytest.mark.parametrize(
    "members",
    [
        {"fakes": ("zero", "zero")},
        {"combined": lambda self, laws: Split.combined(self, laws)},  # every attribute is sampled
        {"privacy": lambda self: self.parts[0].privacy()},  # the amplified budget
        {"estimate": lambda self, reports: Split.estimate(self, reports)},  # fakes are not subtracted
        {"variance": lambda self, data: Split.variance(self, data)},
        {"support": lambda self, j: (self.parts[j].p, self.parts[j].q, self.parts[j].q)},
        {"expected_estimate": lambda self, data: tuple(2 * x for x in FakeData.expected_estimate(self, data) or ())},
    ],
)
def test_faults_of_fake_data_are_found(members: dict[str, object]) -> None:
    wrong = mutant(made("RSpFD-OUE-random", (2, 2)), **members)
    assert faults(wrong, lambda x: rspfd("OUE-random", x, (2, 2), Fraction(3)))


# --- post-processing -------------------------------------------------------------------------------------------------


def test_normalized_estimates() -> None:
    normalized = Normalized.of(oracle("GRR", {"d": 3, "epsilon": "ln(3)"}))
    assert isinstance(normalized, Normalized)
    assert normalized.estimate([1]) == (fmpq(0), fmpq(1), fmpq(0))
    assert normalized.expected_estimate([0]) == (fmpq(3, 5), fmpq(1, 5), fmpq(1, 5))
    assert normalized.bias([0]) == (fmpq(-2, 5), fmpq(1, 5), fmpq(1, 5))
    assert normalized.variance([0]) == (fmpq(6, 25), fmpq(4, 25), fmpq(4, 25))
    for data in [(0,), (0, 1), (2, 2)]:
        require_moments(normalized, data, 3)


def test_normalized_estimates_of_attributes_and_of_nobody() -> None:
    normalized = Normalized.of(made("SPL-OUE", (2, 3)))
    assert isinstance(normalized, Normalized)
    assert normalized.groups == (2, 3)
    assert all_same(normalized.estimate([((0, 0), (1, 0, 1))]), [fmpq(0), fmpq(0), fmpq(1, 2), fmpq(0), fmpq(1, 2)])
    smp = made("SMP-GRR")
    assert Normalized.of(smp) is smp


def test_estimates_that_are_consistent_with_their_sum_are_those_of_least_squares() -> None:
    raw = oracle("OUE", {"d": 3, "epsilon": "ln(3)"})
    consistent = Consistent.of(raw)
    assert isinstance(consistent, Consistent)
    reports = [(1, 0, 0), (1, 1, 0)]
    projection, own = consistent.estimate(reports), raw.estimate(reports)
    assert own is not None
    # the normal equations of sum (x - own)^2 + (sum x - 1)^2
    assert all(x - y + exact_sum(projection) - 1 == 0 for x, y in zip(projection, own, strict=True))
    require_moments(consistent, (0, 1), 3)
    assert all_same(consistent.bias((0, 1)), [fmpq(0)] * 3)
