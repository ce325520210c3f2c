"""Calibration to certified privacy: laws of the constants, their inverses, rounding, errors, the command."""

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.faults import fault_test, in_module, nothing_wrong_test
from cases.refusals import refusal_test, refuses
from dp_checks.check.moments import count
from dp_checks.programs import Instance, canonical, law_channel
from dp_checks.verdict import InternalDisagreementError
from dp_command import main
from dp_kernel.laws.grammar import shape
from dp_spec.frequency import grr, rappor, sugrr, surap
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.definitions import smallest_constant
from dp_spec.vocabulary.estimation import Counting
from dp_spec.vocabulary.items import ItemDomain, Report
from dp_spec.vocabulary.law import Estimator, Law
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_studies.comparisons.budget import constants
from dp_studies.comparisons.budget import equal_privacy as errors
from dp_studies.comparisons.budget.command import answer, documents, winner
from dp_studies.comparisons.budget.constants import (
    CLAIMS,
    EXISTING,
    READINGS,
    Calibration,
    NoConstantError,
    Reading,
    Sizes,
    calibrated,
    calibration,
    constant_of,
    formal_of,
)
from dp_studies.comparisons.budget.equal_privacy import NAMES, TABLE4, Row, Size, best, best_choice, compared, error_sum
from dp_studies.schemas import INTEGER, TEXT, by_name, lists, objects, one_of

PROGRAMS = {"SuGRR": "multiset", "SuGRRSet": "set", "SuGRRSample": "one", "SuRAP": "sen", "SuRAPSample": "sen"}
LAWS: dict[str, Law] = {
    "SuGRR": sugrr.SUGRR,
    "SuGRRSet": sugrr.SUGRR,
    "SuGRRSample": sugrr.SUGRR_SAMPLE,
    "SuRAP": surap.SURAP,
    "SuRAPSample": surap.SURAP_SAMPLE,
}
EPSILONS = st.sampled_from(["ln(3)", "ln(9/4)", "2*ln(2)", "1", "0.1", "7/2"])


def programs_constant(mechanism: str, reading: str, m: int, k: int, n: int, root: fmpq) -> Any:
    """The smallest constant of the enumerated program; None if there is none."""
    domain, law = ItemDomain.of_sizes(k, n), LAWS[mechanism]
    channel = law_channel(law, PROGRAMS[mechanism], range(m, m + 1), Instance(m, domain, root))
    relation: Any = reading.removesuffix("-nonempty")
    return smallest_constant(channel, domain, relation, count_empty=not reading.endswith("nonempty"))


# --- constants ----------------------------------------------------------------------------------------------------

SMALL = [(1, 2, 1), (2, 2, 1), (2, 3, 1), (2, 1, 3), (2, 4, 0), (3, 2, 2)]


@pytest.mark.parametrize("mechanism", PROGRAMS)
@pytest.mark.parametrize("reading", READINGS)
def test_constants_are_those_of_the_enumerated_programs(mechanism: str, reading: str) -> None:
    comparisons = 0
    for m, k, n in SMALL:
        constant = constant_of(mechanism, reading, Sizes(m, k, n))
        if constant is not None:
            comparisons += 1
            worst = programs_constant(mechanism, reading, m, k, n, fmpq(3, 2))
            assert (worst is None) == (constant.term is None)
            assert worst is None or constant.at(fmpq(3, 2)) == worst
    assert comparisons


def test_existing_mechanisms_take_every_item_for_sensitive() -> None:
    for mechanism in EXISTING - {"PrivSet"}:
        for reading in ("joint", "samenon"):
            one, other = (constant_of(mechanism, reading, Sizes(2, *sizes)) for sizes in ((5, 0), (2, 3)))
            assert one is not None
            assert other is not None
            assert (one.term, one.sizes) == (other.term, other.sizes)


def test_existing_mechanisms_are_the_others_without_nonsensitive_items() -> None:
    """Why claims about suGRR(-Sample) and suRAP(-Sample) at N = 0 speak of GRR and RAPPOR for sets."""
    pairs = (
        (grr.GRR_SPLIT, sugrr.SUGRR, grr.SPLIT_ESTIMATOR, sugrr.SUGRR_SENSITIVE),
        (grr.GRR_SAMPLE, sugrr.SUGRR_SAMPLE, grr.SAMPLE_ESTIMATOR, sugrr.SAMPLE_SENSITIVE),
        (rappor.RAPPOR_SET, surap.SURAP, rappor.SET_ESTIMATOR, surap.SURAP_SENSITIVE),
        (rappor.RAPPOR_SAMPLE, surap.SURAP_SAMPLE, rappor.SAMPLE_ESTIMATOR, surap.SAMPLE_SENSITIVE),
    )
    for old, new, estimator, other in pairs:
        assert (old.unit, old.draw, old.base, old.power, old.p, old.q) == (
            new.unit,
            new.draw,
            new.base,
            new.power,
            new.p,
            new.q,
        )
        assert estimator == other


test_refusals = refusal_test(
    refuses("mechanism", lambda name: constant_of(name, "joint", Sizes(2, 4, 4)), "suggr", says="mechanism "),
    refuses("reading", lambda reading: constant_of("SuGRR", reading, Sizes(2, 4, 4)), "ldp", says="reading "),
    refuses("m", lambda m: constant_of("SuGRR", "joint", Sizes(m, 4, 4)), 0, True, 2.0, 9, says="m "),
    refuses("K", lambda: constant_of("SuGRR", "joint", Sizes(2, 0, 4)), says="K "),
    refuses("N", lambda: constant_of("SuGRR", "joint", Sizes(2, 4, -1)), says="N "),
    refuses(
        "",
        lambda epsilon: calibrated("SuGRR", "joint", Sizes(2, 4, 4), epsilon),
        *("-1", "x", "nan", "inf", float("nan"), True, None),
    ),
    refuses(
        "bits",
        lambda bits: calibrated("SuGRR", "joint", Sizes(2, 4, 4), "1", bits),
        7,
        5000,
        True,
        64.0,
        says="bits = ",
    ),
    refuses(
        "epsilon",
        lambda epsilon: compared("joint", Size(10, 2, 4, 4), epsilon),
        "0",
        "1e-60",
        says="of 128 bits tells from 1",
    ),
    refuses("users", lambda users: Size(users, 1, 1, 1), 0, -1, True, 2.0),
)


@pytest.mark.parametrize("name", ["SuGRR", "suGRR", "SUGRR", "su-grr"])
def test_names_are_read_in_any_spelling(name: str) -> None:
    assert constant_of(name, "JOINT", Sizes(2, 4, 4)) == constant_of("SuGRR", "joint", Sizes(2, 4, 4))


def test_no_constant_says_whether_none_exists() -> None:
    with pytest.raises(NoConstantError) as none_exists:
        calibrated("SuRAPSample", "marginal", Sizes(3, 4, 1), "1")
    with pytest.raises(NoConstantError) as unbounded:
        calibrated("SuWheel", "joint", Sizes(2, 4, 4), "1")
    assert (none_exists.value.unbounded, unbounded.value.unbounded) == (False, True)


# --- calibration --------------------------------------------------------------------------------------------------


def e_epsilon(epsilon: str) -> arb:
    exact = {"ln(3)": fmpq(3), "ln(9/4)": fmpq(9, 4), "2*ln(2)": fmpq(4)}
    return arb(exact[epsilon]) if epsilon in exact else arb(fmpq(*map(int, decimal(epsilon)))).exp()


def decimal(text: str) -> tuple[str, str]:
    top, _, bottom = {"0.1": "1/10", "1": "1/1"}.get(text, text).partition("/")
    return top, bottom


def excess(solution: Calibration, epsilon: str) -> tuple[Ordering, Ordering, Ordering]:
    """How the constant compares with e^epsilon, as it is, with what is unused, and at the next root of 64 bits."""
    with ctx.workprec(400):
        target, at = e_epsilon(epsilon), arb(solution.constant.at(arb(solution.root)))
        more = arb(solution.constant.at(arb(solution.root + fmpq(3, 2**64))))
        return compare(at, target), compare(at * (1 + arb(solution.unused)), target), compare(more, target)


@given(
    st.sampled_from(sorted(CLAIMS)),
    st.sampled_from(READINGS),
    st.integers(1, 40),
    st.integers(1, 90),
    st.integers(0, 90),
    EPSILONS,
)
def test_a_calibrated_constant_is_just_below(mechanism: str, reading: str, m: int, k: int, n: int, eps: str) -> None:
    m = min(m, k + n)
    try:
        solution = calibration(mechanism, reading, Sizes(m, k, n), eps, bits=64)
    except NoConstantError:
        return
    at, with_unused, next_root = excess(solution, eps)
    if solution.unused == 0:
        assert solution.constant.at(solution.root) == {"ln(3)": 3, "ln(9/4)": fmpq(9, 4), "2*ln(2)": 4}[eps]
    else:
        assert (at, with_unused) == (Ordering.LESS, Ordering.GREATER)
    assert next_root is Ordering.GREATER


def test_rational_inverses_are_exact() -> None:
    """(w + m - 1) / m = E at w = mE - m + 1, and the like."""
    exact = {
        ("SuGRRSample", "joint"): Budget.of_root(fmpq(17)),
        ("SuGRR", "deniability"): Budget.of_root(fmpq(3), 8),
        ("SuGRRSample", "deniability"): Budget.of_root(fmpq(17)),
        ("SuWheel", "samenon"): Budget.of_root(fmpq(3)),
        ("Wheel", "joint"): Budget.of_root(fmpq(3)),
    }
    for (mechanism, reading), expected in exact.items():
        solution = calibration(mechanism, reading, Sizes(8, 64, 192), "ln(3)")
        assert (solution.budget, solution.unused) == (expected, fmpq(0))
    assert calibration("SuRAP", "joint", Sizes(2, 64, 192), "4*ln(3/2)").root == fmpq(3, 2)
    assert calibration("SuRAPSample", "samenon", Sizes(2, 2, 9), "ln(5)").root == 3  # (2 + h^2 - 1) / 2 = 5
    assert calibration("SuRAPSample", "marginal", Sizes(4, 2, 9), "ln(3)").root == 5  # (4 + 2 (h - 1)) / 4 = 3
    assert calibration("SuGRR", "joint", Sizes(3, 1, 9), "ln(3)").root == 3  # one item can be exchanged
    assert calibration("SuGRR", "joint", Sizes(2, 9, 9), "ln(5)").root < fmpq(1 + 2)  # x + x^2 / 2 = 4 has x = 2
    with ctx.workprec(200):
        unused = calibration("SuGRR", "joint", Sizes(2, 9, 9), "ln(5)").unused
        assert compare(arb(unused), fmpq(1, 2**100)) is Ordering.LESS


def test_a_larger_budget_is_never_smaller() -> None:
    for mechanism, readings in CLAIMS.items():
        for reading in readings:
            if constant_of(mechanism, reading, Sizes(3, 8, 8)) is None or mechanism == "PrivSet":
                continue
            try:
                roots = [
                    calibration(mechanism, reading, Sizes(3, 8, 8), e, 64).root for e in ("1/10", "1", "2", "ln(20)")
                ]
            except NoConstantError:
                continue
            assert all(compare(a, b) is Ordering.LESS for a, b in pairwise(roots))


def test_the_program_at_the_calibrated_budget_gives_what_is_promised() -> None:
    for mechanism in PROGRAMS:
        for reading in READINGS:
            try:
                solution = calibration(mechanism, reading, Sizes(2, 4, 1), "ln(3)", bits=32)
            except NoConstantError:
                continue
            worst = programs_constant(mechanism, reading, 2, 4, 1, solution.root)
            assert compare(worst, 3) is not Ordering.GREATER
            assert compare(worst * (1 + solution.unused), 3) is not Ordering.LESS


# --- errors -------------------------------------------------------------------------------------------------------


def enumerated_sum(law: Law, view: str, sizes: Sizes, root: fmpq, estimators: Any) -> fmpq:
    """The sum of the exact errors over X for the data set of all m-sets, each held by one user."""
    m, k, n = sizes
    domain = ItemDomain.of_sizes(k, n)
    channel = law_channel(law, view, range(m, m + 1), Instance(m, domain, root))
    outcome = shape(law.in_view(view).json()["term"])
    data, total = list(channel.inputs), fmpq(0)
    for x in domain.items:
        estimator: Estimator = estimators[0 if x in domain.sensitive else 1]
        values = {law.base: root, "m": m, "K": k, "N": n}
        slope, offset = (fmpq(1) * part.evaluate(values) for part in (estimator.slope, estimator.offset))

        def contribution(y: Report, x: Any = x) -> int:
            return count(outcome, canonical(y), x, k)

        def held(s: Any, x: Any = x) -> int:
            return int(x in s)

        total += Counting(channel, contribution, held, slope, offset).mse(data)
    return total


ESTIMATORS = {
    "SuGRR": (sugrr.SUGRR_SENSITIVE, sugrr.SUGRR_NONSENSITIVE),
    "SuGRRSample": (sugrr.SAMPLE_SENSITIVE, sugrr.SAMPLE_NONSENSITIVE),
    "SuRAP": (surap.SURAP_SENSITIVE, surap.SURAP_NONSENSITIVE),
    "SuRAPSample": (surap.SAMPLE_SENSITIVE, surap.SAMPLE_NONSENSITIVE),
}
OLD = {
    "GRRSplit": (grr.GRR_SPLIT, "multiset", grr.SPLIT_ESTIMATOR),
    "GRRSample": (grr.GRR_SAMPLE, "one", grr.SAMPLE_ESTIMATOR),
    "RAPPORSet": (rappor.RAPPOR_SET, "sen", rappor.SET_ESTIMATOR),
    "RAPPORSample": (rappor.RAPPOR_SAMPLE, "sen", rappor.SAMPLE_ESTIMATOR),
}


@pytest.mark.parametrize("mechanism", ESTIMATORS)
def test_error_sums_are_those_of_the_enumerated_programs(mechanism: str) -> None:
    law, view = LAWS[mechanism], PROGRAMS[mechanism]
    for m, k, n, users in ((2, 2, 1, 3), (1, 2, 2, 4), (2, 3, 0, 3)):
        exact = enumerated_sum(law, view, Sizes(m, k, n), fmpq(3, 2), ESTIMATORS[mechanism])
        assert error_sum(mechanism, Size(users, m, k, n), fmpq(3, 2)) == exact


@pytest.mark.parametrize("mechanism", OLD)
def test_error_sums_of_existing_mechanisms(mechanism: str) -> None:
    law, view, estimator = OLD[mechanism]
    exact = enumerated_sum(law, view, Sizes(2, 3, 0), fmpq(3, 2), (estimator, estimator))
    assert error_sum(mechanism, Size(3, 2, 1, 2), fmpq(3, 2)) == exact


def test_best_choice_is_best() -> None:
    for d, m, w in ((2, 1, fmpq(3)), (7, 2, fmpq(3, 2)), (9, 3, fmpq(5)), (12, 1, fmpq(2)), (12, 4, fmpq(11, 10))):
        sums = [errors._weighted(d, m, w, k) for k in range(1, d - m + 1)]
        chosen = best_choice(d, m, w)
        assert all(compare(sums[chosen - 1], other) is not Ordering.GREATER for other in sums)
        assert chosen == 1 or compare(sums[chosen - 2], sums[chosen - 1]) is Ordering.GREATER


def test_the_best_are_all_that_have_the_smallest_sum() -> None:
    sums = zip("abc", (2, 1, 1), strict=True)
    rows = tuple(Row(name, "calibrated", None, fmpq(total), None, arb(total)) for name, total in sums)
    assert best(rows) == ("b", "c")
    assert best((*rows, Row("d", "unbounded"))) == ("b", "c")
    assert best((Row("d", "unknown"),)) == ()
    wide = Row("d", "calibrated", None, fmpq(1), None, arb(1, 0.5))
    assert best((rows[0], wide)) == ("d",)
    assert best((*rows, wide)) == ("b", "c", "d")


@pytest.mark.parametrize(
    ("reading", "size", "said", "answered"),
    [
        ("samenon", Size(1, 2, 3, 2), "SuGRRSample has the smallest error, 9.619; next is", "show items that are not"),
        ("joint", Size(1, 1, 2, 0), "the smallest known error, 1.841; next is SuRAP with 4.26", "no item in the clear"),
        ("joint", Size(1, 1, 2, 0), "No proved claim gives constant and error of SuWheel here.", "off by about 0.960"),
        ("joint", Size(1, 3, 2, 1), "no proved claim gives constant and error of any mechanism", "is known to promise"),
    ],
)
def test_what_is_said_of_the_best_does_not_hide_what_is_unknown(
    reading: Reading, size: Size, said: str, answered: str
) -> None:
    (block,) = documents({"": size}, ("1",), (reading,))
    assert said in winner(block)
    assert answered in answer(block)


def test_privset_with_one_item_is_grr_sample() -> None:
    """One item, e^epsilon times as likely if it is held: rounding of the roots does not decide between the two."""
    for epsilon in ("8", "ln(50)", "61/7"):
        winners = best(compared("joint", Size(1, 8, 200, 0), epsilon, 32))
        assert {"GRRSample", "PrivSet"} <= set(winners)


def test_the_root_before_rounding_is_in_its_ball() -> None:
    for reading in ("joint", "samenon", "deniability"):
        for mechanism in ("SuGRR", "SuRAP", "SuRAPSample", "SuGRRSample"):
            coarse, fine = (calibration(mechanism, reading, Sizes(3, 8, 8), "1", bits) for bits in (24, 300))
            with ctx.workprec(600):
                assert coarse.exact_root.contains(arb(fine.root))


def test_one_item_makes_split_and_sample_alike() -> None:
    rows = {row.mechanism: row.total for row in compared("joint", Size(10, 1, 3, 4), "ln(3)")}
    assert rows["SuGRR"] == rows["SuGRRSample"]
    assert rows["SuRAP"] == rows["SuRAPSample"]
    assert rows["GRRSplit"] == rows["GRRSample"]


# --- where the formulas come from ---------------------------------------------------------------------------------


def test_every_claim_that_is_used_has_a_formal_statement() -> None:
    for readings in CLAIMS.values():
        for claims in readings.values():
            assert all(formal_of(claim) is not None for claim in claims)
    assert set(NAMES) == set(CLAIMS) - {"SuGRRSet"}


# --- the command --------------------------------------------------------------------------------------------------

_MECHANISM = {
    "status": one_of(["calibrated", "unbounded", "unknown"]),
    **dict.fromkeys(("power", "k"), INTEGER),
    **dict.fromkeys(("claim", "root", "nominal_epsilon", "unused", "error_sum"), TEXT),
}
_COMPARISON = {
    **dict.fromkeys(("data", "epsilon"), TEXT),
    **dict.fromkeys(("users", "m", "K", "N"), INTEGER),
    "reading": one_of(READINGS),
    "best": lists(one_of(NAMES)),
    "mechanisms": by_name(
        objects(_MECHANISM, missing=[name for name in _MECHANISM if name != "status"]), propertyNames=one_of(NAMES)
    ),
}
SCHEMA = objects(
    {"format": {"const": "dp-refimpl budget 2"}, "note": TEXT, "comparisons": lists(objects(_COMPARISON), minItems=1)}
)


def invoke(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["budget", *arguments])


def test_the_command_prints_json_of_one_schema() -> None:
    done = invoke("--m", "2", "--K", "4", "--N", "3", "--users", "5", "--epsilon", "ln(3)", "--epsilon", "1", "--json")
    assert done.exit_code == 0, done.output
    document = json.loads(done.output)
    jsonschema.validate(document, SCHEMA)
    assert len(document["comparisons"]) == 2 * len(READINGS)
    joint = next(c for c in document["comparisons"] if (c["reading"], c["epsilon"]) == ("joint", "ln(3)"))
    drawn = joint["mechanisms"]["SuGRRSample"]
    assert (drawn["root"], drawn["unused"], drawn["claim"]) == ("5", "0", "002.budget.sugrrsample@joint")
    assert joint["mechanisms"]["SuWheel"] == {"status": "unbounded"}


def test_the_command_shows_a_table_for_every_row_of_table_4() -> None:
    done = invoke("--reading", "deniability", "--bits", "32")
    assert done.exit_code == 0, done.output
    assert all(name in done.output for name in (*TABLE4, "SuRAPSample"))


# --- planted faults -----------------------------------------------------------------------------------------------


LARGEST: Any = constants._largest
INVERSE = constants._inverse


def wrong_calibrations() -> Iterator[str]:
    """Where the constant of the enumerated program at the calibrated root does not lie just below e^epsilon."""
    for mechanism, reading in (("SuGRR", "joint"), ("SuRAP", "samenon"), ("SuRAPSample", "joint")):
        solution = calibration(mechanism, reading, Sizes(2, 2, 2), "1", bits=64)
        worst = programs_constant(mechanism, reading, 2, 2, 2, solution.root)
        with ctx.workprec(300):
            target = arb(1).exp()
            below = compare(arb(worst), target) is Ordering.LESS
            close = compare(arb(worst) * (1 + arb(solution.unused)), target) is Ordering.GREATER
            near = compare(arb(solution.unused), fmpq(1, 2**50)) is Ordering.LESS
        if not (below and close and near):
            yield f"{mechanism}, {reading}"


FAULTS: dict[str, tuple[str, Any]] = {
    "rounded up": ("_largest", lambda of, target, bits, guess: LARGEST(of, target, bits, guess) + fmpq(1, 2**bits)),
    "half of the budget": ("_largest", lambda *arguments: (LARGEST(*arguments) + 1) / 2),
    "unused is nothing": ("_upper", lambda ball: fmpq(1, 2**200)),
    "another target": ("_target", lambda epsilon, bits: arb(fmpq(5, 2))),
    "every item is sensitive": ("EXISTING", frozenset(CLAIMS)),
}
test_constants_are_just_below = nothing_wrong_test(wrong_calibrations)
test_planted_faults_are_caught = fault_test(
    wrong_calibrations, in_module(constants, FAULTS), (InternalDisagreementError,)
)


def test_an_inverse_that_is_too_small_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is where the search begins."""
    monkeypatch.setattr(constants, "_inverse", lambda *a: None if (root := INVERSE(*a)) is None else arb(root) / 2)
    assert list(wrong_calibrations()) == []
