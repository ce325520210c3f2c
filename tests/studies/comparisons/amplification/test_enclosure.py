"""Known numbers; certificates; faults in what is untrusted make ends loose, never wrong, and faults in what builds the
statements are seen."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from dp_checks.check import divergence_windows
from dp_kernel.amplification import third_values
from dp_kernel.cards.blanket import Shuffled
from dp_kernel.certificate.check import verify
from dp_kernel.meter import Rejected
from dp_kernel.numbers.tails import Line
from dp_spec.vocabulary.exceptions import RefusedError
from dp_spec.vocabulary.term import term
from dp_studies.comparisons.amplification import enclosure, solve
from dp_studies.comparisons.amplification.constructions import uppers
from dp_studies.comparisons.amplification.enclosure import Bound
from dp_studies.comparisons.amplification.query import Setting
from independent.shuffled_divergence import contains_epsilon, exact

WORK = 10**9
LARGE = Setting("krr", 10**6, "4", 64)
SMALL = Setting("krr", 4, "ln(3)", 3)
DELTA = Fraction(1, 100)


def test_sixty_four_labels_of_a_million_users() -> None:
    ends = solve.epsilon(LARGE, Fraction(1, 10**8), 10, 8_000_000)
    assert ends.lower.value <= Decimal(".030428418")  # these two are the ends of another program
    assert Decimal(".0304283369") <= ends.upper.value
    assert ends.upper.value <= ends.lower.value * (1 + Decimal("1e-5"))
    assert ends.upper.work < 8_000_000


@pytest.mark.parametrize(
    ("setting", "eps", "least"),
    [
        (Setting("krr", 10**6, "1", 64), "1/2", "8.5116"),
        (Setting("krr", 10**6, "1", 4), "1/2", "8.4990"),
        (Setting("olh", 10**6, "1", 64), "1/2", "8.5116"),
        (Setting("ldp", 10**6, "1"), "1/2", "8.498"),
        (Setting("krr", 10**5, "1", 64), "2", "8.3029"),
        (Setting("krr", 10**6, "1", 64), "2", "10.5809"),
    ],
    ids=str,
)
def test_the_largest_budget_is_found_beyond_where_bounds_are_loose(setting: Setting, eps: str, least: str) -> None:
    """At budgets just above epsilon delta is practically 0, and a bound that is made for delta is none."""
    ends = solve.epsilon0(setting, Fraction(eps), Fraction(1, 10**8), 6, WORK)
    assert ends.lower.value >= Decimal(least)
    assert ends.upper.value <= ends.lower.value * Decimal("1.05")


@pytest.mark.campaign
def test_few_messages_of_many_users_take_little_work() -> None:
    """A report of 160,000 hides the others: bounds are those of 18,000 messages, not of a fourth of the users."""
    ends = solve.epsilon(Setting("krr", 10**9, "12", 3), Fraction(1, 10**30), 6, 2_000_000)
    assert not ends.left_out
    assert not ends.upper.cheaper
    assert ends.upper.value <= ends.lower.value * Decimal("1.001")
    ends = solve.epsilon(Setting("krr", 10**9, "12", 3), Fraction(1, 10**30), 6, 1_000_000)
    assert ends.upper.value > ends.lower.value * 2
    assert ends.upper.cheaper


@pytest.mark.campaign
@pytest.mark.parametrize(("budget", "most"), [("6", "3e-80"), ("3", "1e-100"), ("0.51", "1e-100")])
def test_a_delta_that_is_practically_0_has_an_upper_end(budget: str, most: str) -> None:
    ends = solve.delta(Setting("krr", 10**6, budget, 64), Fraction(1, 2), 6, 8_000_000)
    assert ends.upper.value <= Decimal(most)
    assert ends.upper.outcome is not None


def test_a_bound_of_fewer_users_is_a_bound() -> None:
    """Where the work is not enough for all of them; with more it is smaller."""
    setting, delta = Setting("krr", 10**9, "4", 64), Fraction(1, 10**6)
    few, more = (solve.epsilon(setting, delta, 6, work) for work in (100_000, 400_000))
    for ends in (few, more):
        (instance,) = ends.upper.outcome.evidence.data["instances"]  # type: ignore[union-attr]
        assert instance["users"] < 10**9
        assert ends.upper.cheaper
        verify(ends.upper.certificate("test"), WORK)
    assert few.lower.value <= more.upper.value < few.upper.value


def test_all_others_hold_the_targets_item() -> None:
    """That is the worst data set for few users and an epsilon close to the budget."""
    ends = solve.epsilon(Setting("krr", 100, "4", 3), Fraction(1, 10**6), 8, WORK)
    assert ends.lower.value >= Decimal("3.99996")
    assert ends.lower.shown_by == "one user holds 0 or 1, all others hold 0"
    assert ends.upper.value <= ends.lower.value * Decimal("1.0000001")


@pytest.mark.slow
@pytest.mark.parametrize(("users", "exact"), [(1000, ".12661448"), (10_000, ".035658815")])
def test_both_ends_meet_for_two_labels(users: int, exact: str) -> None:
    ends = solve.epsilon(Setting("krr", users, "1", 2), Fraction(1, 10**6), 9, 8_000_000)
    assert {round(end.value, len(exact) - 1) for end in ends[:2]} == {Decimal(exact)}
    assert ends.upper.shown_by == "the data sets of two labels, block by block"


@pytest.mark.slow
def test_more_work_brings_the_ends_of_two_labels_together() -> None:
    def gap(work: int) -> Decimal:
        ends = solve.epsilon(Setting("krr", 10**5, "2", 2), Fraction(1, 10**6), 7, work)
        return ends.upper.value / ends.lower.value - 1

    assert gap(4_000_000) < gap(1_000_000) / 2 < gap(200_000) / 4


@pytest.mark.campaign
def test_the_work_of_a_check_is_said_before() -> None:
    for setting in (LARGE, Setting("olh", 10**5, "2", 8), Setting("krr", 10**4, "2", 4, 10**4)):
        ends = solve.delta(setting, Fraction(1, 20), 6, WORK)
        bound = Bound(setting, ends_of(setting), Fraction(1, 10**6), WORK)
        assert ends.upper.work / 3 < bound.units() < ends.upper.work * 3


def ends_of(setting: Setting) -> Any:
    return uppers(setting)[0]


CHANGES: dict[str, Callable[[Any], Any]] = {
    "delta": lambda c: c["statement"].__setitem__("delta", ["div", 1, 10**9]),
    "users": lambda c: c["statement"].__setitem__("users", 1),
    "epsilon": lambda c: c["statement"].__setitem__("e_eps", 1),
    "verdict": lambda c: c.__setitem__("verdict", "refuted"),
    "cards": lambda c: c.__setitem__("cards", []),
    "work": lambda c: c.__setitem__("work", 1),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_certificate_is_rejected(change: str) -> None:
    certificate: Any = solve.epsilon(SMALL, DELTA, 6, WORK).upper.certificate("test")
    verify(certificate, WORK)
    CHANGES[change](certificate)
    with pytest.raises(Rejected):
        verify(certificate, WORK)


# --- faults -----------------------------------------------------------------------------------------------------------


def narrow(delta: Fraction, excess: float = 0) -> dict[str, int]:
    return {"width": 1, "bits": 8}


def no_knots(s: Shuffled, width: int, pieces: int = 1) -> list[int]:
    return [0]


def far_knots(s: Shuffled, width: int, pieces: int = 1) -> list[int]:
    return [0, s.users, 2 * s.users]


def falling_knots(s: Shuffled, width: int, pieces: int = 1) -> list[int]:
    return [0, 2, 1]


def wrong_line(s: Shuffled) -> Line:
    return Line(0, 1, 2)


def steep_line(s: Shuffled) -> Line:
    return Line(0, 3, 2)


def never(s: Shuffled) -> Line:
    return Line(10 * s.users, 0, 1)


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("windows", narrow),
        ("blocks", no_knots),
        ("blocks", far_knots),
        ("blocks", falling_knots),
        ("bends", no_knots),
        ("bends", far_knots),
        ("bends", falling_knots),
        ("threshold", wrong_line),
        ("threshold", steep_line),
        ("threshold", never),
        ("guess", lambda s, delta: 1e-6),
        ("guess", lambda s, delta: 1e6),
    ],
)
@pytest.mark.parametrize("setting", [SMALL, Setting("krr", 3, "ln(3)", 3, 2), Setting("dump", 3, None, 3, 9)])
def test_untrusted_parts_make_no_wrong_end(
    name: str, fault: Any, setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    delta = DELTA if setting.epsilon0 else Fraction(1, 5)
    good = solve.epsilon(setting, delta, 6, WORK)
    monkeypatch.setattr(third_values if name == "threshold" else divergence_windows, name, fault)
    try:
        ends = solve.epsilon(setting, delta, 6, WORK)
    except RefusedError:
        return
    assert contains_epsilon(ends, exact(setting), delta)
    assert ends.lower.value <= good.upper.value
    assert good.lower.value <= ends.upper.value


def unchecked(body: Any, verdict: str, data: Any) -> None:
    """A kernel that is not asked."""


@pytest.mark.parametrize("name", ["check", "Not", "fraction"])
def test_faults_where_ends_are_made_are_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    faults: dict[str, Any] = {
        "check": unchecked,
        "Not": lambda statement: statement,
        "fraction": lambda number: term(1),
    }
    real = solve.outwards
    if name == "check":  # ends a little too near
        monkeypatch.setattr(solve, "outwards", lambda x, digits, *, up: real(x, digits, up=not up)[3:])
    monkeypatch.setattr(enclosure, name, faults[name])
    try:
        ends = solve.epsilon(SMALL, DELTA, 6, WORK)
    except RefusedError:
        return
    certificates = [end.certificate("test") for end in ends[:2]]
    assert None in certificates or not all(map(holds, certificates)) or not contains_epsilon(ends, exact(SMALL), DELTA)


def holds(certificate: Any) -> bool:
    """Whether the kernel accepts it."""
    try:
        verify(certificate, WORK)
    except Rejected:
        return False
    return True
