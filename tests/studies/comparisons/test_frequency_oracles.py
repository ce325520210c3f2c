"""The exact errors that frequency oracles are compared by: those that are proved; reports, parameters."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from flint import fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses
from dp_refimpl import enumeration
from dp_refimpl.frequency.count_sketch import ClientCMS
from dp_refimpl.frequency.grr import GRR
from dp_refimpl.frequency.hadamard import HCMS, HadamardResponse
from dp_refimpl.frequency.hash_families import PublicFunctions
from dp_refimpl.frequency.local_hashing import LocalHashing, optimal_labels
from dp_refimpl.frequency.privset import PrivSet, best_k
from dp_refimpl.frequency.rappor import RAPPOR
from dp_refimpl.frequency.unary import OUE
from dp_spec.frequency import single_item
from dp_spec.frequency.claims.literature import _VARIANCES
from dp_spec.frequency.single_item import DIFFERENCES, ERRORS, GAP, LABELS_STEP, LABELS_TIE, SUBSET_STEP, B, D, K, T, W
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.law import F
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.term import Term
from dp_studies.comparisons.frequency_oracles import candidates
from dp_studies.comparisons.frequency_oracles.candidates import (
    Curve,
    Place,
    Setting,
    best_parameter,
    curve,
    functions,
    largest_subset,
    length,
    nearest_labels,
    prime_powers,
    ranking,
    reports,
)
from independent.linear_forms import family
from independent.numbers import exact, fraction
from independent.sketch_cases import functions as tables_to_functions
from independent.sketch_cases import largest_ratio

ROOTS = (Fraction(2), Fraction(3, 2))
"""e^(eps/2)."""
SIZES: dict[str, tuple[tuple[int, int | None], ...]] = {
    "GRR": ((2, None), (3, None), (4, None)),
    "RAPPOR": ((2, None), (3, None)),
    "OUE": ((2, None), (3, None)),
    "SubsetSelection": ((2, 1), (3, 1), (3, 2), (4, 2), (4, 3)),
    "BLH": ((2, 2), (3, 2)),
    "OLH": ((2, 3), (3, 3), (3, 4), (2, 5), (2, 6)),
    "HadamardResponse": ((2, None), (3, None), (4, None)),
    "ClientCMS": ((2, 2), (3, 2), (3, 3), (3, 4)),
    "HCMS": ((2, 2), (3, 2), (3, 4), (4, 4)),
}
"""(items, parameter)."""


def program(name: str, d: int, parameter: int | None, root: Fraction) -> Any:
    domain, budget = ItemDomain.of_sizes(d), Budget.of_root(exact(root), 2)
    simple: dict[str, Any] = {"GRR": GRR, "RAPPOR": RAPPOR, "OUE": OUE, "HadamardResponse": HadamardResponse}
    if name in simple:
        return simple[name](domain, budget)
    assert parameter is not None
    if name == "SubsetSelection":
        return PrivSet(domain, budget, 1, parameter)
    listed = tables_to_functions(family(d, parameter), parameter)
    if name in ("BLH", "OLH"):
        return LocalHashing(domain, budget, PublicFunctions(listed))
    return (ClientCMS if name == "ClientCMS" else HCMS)(domain, budget, listed)


POINTS = tuple(product((fmpq(3, 2), fmpq(2)), (fmpq(0), fmpq(1, 7), fmpq(1)), ((5, 3, 2), (7, 4, 3), (4, 2, 1))))
"""t, f, and d, b and k."""


def wrong_errors(name: str, formula: Term | None = None) -> Iterator[str]:
    """Where an error is not what the ledger proves of the law of the mechanism."""
    for t, f, (d, b, k) in POINTS:
        values = {"t": t, "w": t**2, "h": t, "f": f, "n": 1, "m": 1, "D": d, "K": d, "b": b, "k": k}
        if (formula or ERRORS[name]).evaluate(values) != _VARIANCES[name].evaluate(values) * (t**2 - 1) ** 2:
            yield f"{name} at {values}"


@pytest.mark.parametrize("name", ERRORS)
def test_errors_are_those_that_are_proved(name: str) -> None:
    assert list(wrong_errors(name)) == []


FAULTS: dict[str, tuple[str, Term]] = {
    "GRR without f": ("GRR", W + D - 2),
    "GRR, d - 1": ("GRR", (W + D - 1) + F * (D - 2) * (W - 1)),
    "RAPPOR of e^eps": ("RAPPOR", W * (W + 1) ** 2),
    "RAPPOR that depends on f": ("RAPPOR", T * (T + 1) ** 2 + F * GAP),
    "OUE as printed, without f": ("OUE", 4 * W),
    "OLH without f": ("OLH", (W + B - 1) ** 2 / (B - 1)),
    "OLH, f as for OUE": ("OLH", (W + B - 1) ** 2 / (B - 1) + F * GAP),
    "OLH divided by b": ("OLH", ((W + B - 1) ** 2 + F * (W - 1) * ((B - 1) ** 2 - W)) / B),
    "BLH as OLH of three labels": ("BLH", single_item.LOCAL_HASHING.substitute({"b": 3})),
    "subsets without f": ("SubsetSelection", (W * (K - 1) + D - K) * (W * K + D - K - 1) / (K * (D - K))),
    "subsets as GRR": ("SubsetSelection", single_item.GRR),
    "response without f": ("HadamardResponse", (W + 1) ** 2),
    "response, f added": ("HadamardResponse", (W + 1) ** 2 + F * GAP),
    "sketch without its factor": ("ClientCMS", T * (T + 1) ** 2 + (1 - F) * GAP / (B - 1)),
    "sketch without collisions": ("ClientCMS", B**2 * T * (T + 1) ** 2 / (B - 1) ** 2),
    "Hadamard sketch without its factor": ("HCMS", (W + 1) ** 2 - F * GAP - (1 - F) * GAP / B**2),
    "Hadamard sketch without collisions": ("HCMS", B**2 * ((W + 1) ** 2 - F * GAP) / (B - 1) ** 2),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_error_is_caught(fault: str) -> None:
    assert any(wrong_errors(*FAULTS[fault]))


rationals = st.fractions(Fraction(1, 7), 9, max_denominator=12)
POINT = {"t": rationals, "f": rationals, "D": rationals, "b": rationals, "k": rationals}


@given(**POINT)
def test_differences_and_steps_are_identities(t: Any, f: Any, D: Any, b: Any, k: Any) -> None:
    if b in (0, 1) or D in (k, k + 1):
        return
    values = {name: exact(x) for name, x in (("t", t), ("f", f), ("D", D), ("b", b), ("k", k))}
    values["w"] = values["t"] ** 2
    for (one, other), difference in DIFFERENCES.items():
        assert difference.evaluate(values) == ERRORS[one].evaluate(values) - ERRORS[other].evaluate(values)
    for formula, step, symbol in (
        (single_item.LOCAL_HASHING, LABELS_STEP, "b"),
        (single_item.SUBSET_SELECTION, SUBSET_STEP, "k"),
    ):
        following = {**values, symbol: values[symbol] + 1}
        assert step.evaluate(values) == formula.evaluate(following) - formula.evaluate(values)
    first = {**values, "k": fmpq(1)}
    if D != 1:
        assert single_item.SUBSET_SELECTION.evaluate(first) == single_item.GRR.evaluate(first)


@given(t=st.fractions(Fraction(9, 8), 9), f=st.fractions(0, 1), b=st.integers(2, 40), c=st.integers(3, 40))
def test_a_tie_of_labels_orders_them(t: Any, f: Any, b: int, c: int) -> None:
    if b >= c:
        return
    values = {"t": exact(t), "w": exact(t) ** 2, "f": exact(f), "c": fmpq(c)}
    errors = [single_item.LOCAL_HASHING.evaluate({**values, "b": fmpq(x)}) for x in (b, c)]
    tie = LABELS_TIE.evaluate({**values, "b": fmpq(b)})
    assert (tie > 0, tie == 0) == (errors[0] < errors[1], errors[0] == errors[1])


@pytest.mark.parametrize("name", SIZES)
def test_reports_are_those_of_the_programs_and_attain_the_budget(name: str) -> None:
    for d, parameter in SIZES[name]:
        mechanism = program(name, d, parameter, ROOTS[0])
        channel = enumeration.exact_channel(mechanism)
        # a function that is listed twice, with the items that there are, is one report of the channel, not of the list
        listed = len(set(family(d, parameter))) if name in ("BLH", "OLH") and parameter else 0
        ratio = Fraction(len(family(d, parameter or 2)), listed) if listed else Fraction(1)
        assert len({y for row in channel.rows.values() for y in row}) * ratio == int(reports(name, parameter, d))
        assert largest_ratio(mechanism) == exact(ROOTS[0]) ** 2


@pytest.mark.parametrize(("d", "labels"), [(d, b) for d in (2, 3, 5, 9) for b in (2, 3, 4, 5, 6, 8, 9, 10)])
def test_linear_forms_collide_with_chance_one_over_b(d: int, labels: int) -> None:
    listed = family(d, labels)
    assert len(listed) == int(functions(d, labels))
    for x in range(d):
        for y in range(x):
            assert sum(table[x] == table[y] for table in listed) * labels == len(listed)


@given(st.integers(1, 5000))
def test_prime_powers(number: int) -> None:
    powers, product = list(prime_powers(number)), 1
    for q in powers:
        product *= q
        factor = next(f for f in range(2, q + 1) if q % f == 0)
        while q % factor == 0:
            q //= factor
        assert q == 1
        assert (number // product) % factor or product == number
    assert product == number


@pytest.mark.parametrize(("number", "bits"), [(1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (2**64, 64), (2**64 + 1, 65)])
def test_lengths(number: int, bits: int) -> None:
    assert length(fmpz(number)) == bits


# --- parameters -------------------------------------------------------------------------------------------------------

roots = st.fractions(Fraction(17, 16), 6, max_denominator=16)
settings = st.builds(
    lambda d, f, bits, columns: Setting(d, exact(f), bits, columns),
    st.integers(2, 24),
    st.fractions(0, 1, max_denominator=9),
    st.one_of(st.none(), st.integers(1, 40)),
    st.integers(2, 40),
)


def place(root: Fraction) -> Place:
    return Place(Budget.of_root(Real.lift(exact(root)), 2))


def value(name: str, parameter: int | None, setting: Setting, root: Fraction) -> Fraction:
    t = exact(root)
    values = {"t": t, "w": t**2, "D": fmpq(setting.d), "f": setting.f, "k": fmpq(parameter or 0)}
    formula = ERRORS["OLH" if name == "OLH-nearest" else name]
    return fraction(formula.evaluate({**values, "b": fmpq(parameter or 0)}))


def by_hand(name: str, setting: Setting, root: Fraction) -> tuple[Fraction, int | None] | None:
    """The least error over all parameters whose reports are short enough, and the first that has it."""
    ranges: dict[str, Any] = {
        "SubsetSelection": range(1, setting.d),
        "OLH": range(2, 120),
        "BLH": [2],
        "ClientCMS": range(2, setting.columns + 1),
        "HCMS": [m for m in (2, 4, 8, 16, 32) if m <= setting.columns],
    }
    errors = []
    for parameter in ranges.get(name, [None]):
        if setting.bits is None or 2**setting.bits >= int(reports(name, parameter, setting.d)):
            errors.append((value(name, parameter, setting, root), parameter))
    return min(errors, default=None, key=lambda one: (one[0], one[1] or 0))


def wrong_parameters(name: str, setting: Setting, root: Fraction) -> Iterator[str]:
    expected = by_hand(name, setting, root)
    try:
        parameter = best_parameter(name, setting, place(root))
    except DomainError:
        if expected is not None:
            yield f"{name}: nothing for {expected}"
        return
    if not setting.admits(name, parameter):
        if expected is not None:
            yield f"{name}: {parameter} does not fit"
    elif expected is None or value(name, parameter, setting, root) != expected[0]:
        yield f"{name}: {parameter} for {expected}"


@pytest.mark.parametrize("name", ERRORS)
@given(setting=settings, root=roots)
def test_the_best_parameter_is_that_of_all(name: str, setting: Setting, root: Fraction) -> None:
    assert list(wrong_parameters(name, setting, root)) == []


EXAMPLES = [
    (Setting(d, fmpq(1, d), bits, 20), root)
    for d in (5, 9, 16, 23)
    for bits in (None, 5, 8, 12)
    for root in (Fraction(9, 8), Fraction(3, 2), Fraction(5, 2))
]
PARAMETER_FAULTS: dict[str, tuple[str, Any]] = {
    "labels by the step of f = 0": (
        "LABELS_STEP",
        LABELS_STEP.substitute({"f": 1}),
    ),
    "one label too few": ("LABELS_STEP", LABELS_STEP.substitute({"b": B + 1})),
    "subsets by the step of another d": ("SUBSET_STEP", SUBSET_STEP.substitute({"D": D + 3})),
    "subsets without regard to their bits": ("largest_subset", lambda setting: setting.d - 1),
    "labels without regard to their bits": ("admitted_labels", lambda setting, low, high: iter([low])),
    "fewer functions than there are": ("functions", lambda d, labels: fmpz(labels)),
    "columns without regard to their bits": (
        "fixed_parameter",
        lambda name, setting: {"BLH": 2, "ClientCMS": setting.columns, "HCMS": 16}.get(name),
    ),
}


@pytest.mark.parametrize("fault", PARAMETER_FAULTS)
def test_a_fault_in_the_choice_of_parameters_is_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = {(name, i): by_hand(name, *example) for name in ERRORS for i, example in enumerate(EXAMPLES)}
    monkeypatch.setattr(candidates, *PARAMETER_FAULTS[fault])
    monkeypatch.setitem(
        globals(), "by_hand", lambda name, setting, root: expected[name, EXAMPLES.index((setting, root))]
    )
    assert any(any(wrong_parameters(name, *example)) for name in ERRORS for example in EXAMPLES)


@pytest.mark.parametrize("text", ["1/10", "1", "ln(3)", "ln(5/2)", "3", "6"])
def test_parameters_are_those_of_the_programs(text: str) -> None:
    budget = Budget(text)
    setting = Setting(12, fmpq(0))
    assert best_parameter("OLH", setting, Place(budget)) == optimal_labels(budget).best
    parameter = best_parameter("SubsetSelection", Setting(12, fmpq(1, 12)), Place(budget))
    assert parameter == best_k(ItemDomain.of_sizes(12), budget, 1, objective="single-weights")


@pytest.mark.parametrize(
    ("text", "labels"), [("1", 4), ("ln(3/2)", 2), ("ln(5/2)", 3), ("ln(3)", 4), ("2", 8), ("1/10", 2)]
)
def test_the_nearest_number_of_labels(text: str, labels: int) -> None:
    assert nearest_labels(Place(Budget(text))) == labels


@given(setting=settings, root=roots)
def test_the_ranking_is_in_order_and_exact(setting: Setting, root: Fraction) -> None:
    rows = ranking(setting, Budget.of_root(Real.lift(exact(root)), 2))
    errors = [value(r.curve.name, r.curve.parameter, setting, root) for r in rows]
    assert errors == sorted(errors)
    assert [r.error.rational() for r in rows] == [exact(e) / (exact(root) ** 2 - 1) ** 2 for e in errors]
    assert all(setting.bits is None or r.bits <= setting.bits for r in rows)


HALF = fmpq(1, 2)
test_bad_settings = refusal_test(
    refuses("", lambda d: Setting(d, HALF), 1, 10**6 + 1, True, 2.0),
    refuses("", lambda frequency: Setting(4, frequency), fmpq(3, 2), fmpq(-1), 0.5),
    refuses("", lambda bits: Setting(4, HALF, bits), 0, True, 1.5),
    refuses("", lambda columns: Setting(4, HALF, None, columns), 1, 10**7),
    refuses("epsilon", Place, Budget(0), Budget.of_root(fmpq(2)), None),
    refuses("", lambda: largest_subset(Setting(100, HALF, 6)), says="bits"),
    refuses("", lambda: best_parameter("OLH", Setting(100, fmpq(0)), Place(Budget(40))), says="epsilon"),
)


def test_a_curve_of_a_mechanism_without_parameter() -> None:
    assert isinstance(curve("GRR", None, Setting(3, fmpq(0))), Curve)
