"""Members that a search proposes: boundaries at which planted faults show, and always the same ones."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from dp_audit import Verdict, audit_map
from dp_audit.oracles.input_metrics import input_metric, root_above
from dp_audit.oracles.metrics import METRICS
from dp_audit.run.child.members import Domain, boundaries, ends, proposals, rough
from dp_spec.vocabulary.exceptions import DomainError


@dataclass(frozen=True)
class Searched:
    """A target without a listed member."""

    name: str
    function: Callable[[Any], Any]
    per_unit: Any
    search: dict[str, Any]
    d_in: str = "symmetric"
    d_out: str = "absolute"
    members: tuple[Any, ...] = field(default=())

    def declared(self, distance: Any) -> Any:
        return self.per_unit * distance


def lists(of: Any, least: int = 0, most: int = 3, *near: Any) -> dict[str, Any]:
    return {"of": of, "sizes": [least, most], "near": near}


def clamp(value: Any, low: Any, high: Any) -> Any:
    return min(max(value, low), high)


def clamped_sum(low: Any, high: Any) -> Callable[[Any], Any]:
    return lambda rows: sum(clamp(value, low, high) for value in rows)


def wrapped(bits: int) -> Callable[[Any], int]:
    """A sum that goes over the end of its type to the other one."""
    return lambda rows: (sum(rows) + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)


def saturated(rows: Any) -> int:
    total = 0
    for value in rows:
        total = clamp(total + value, *ends("i8"))
    return total


def doubled(rows: Any) -> int:
    """Integers that went through doubles."""
    return int(sum(float(value) for value in rows))


def running_float_sum(rows: Any) -> float:
    total = 0.0
    for value in rows:
        total += clamp(value, -1.0, 1.0)
    return total


WRONG = (
    Searched("wraps i8", wrapped(8), 128, lists("i8")),
    Searched("wraps i32", wrapped(32), 2**31, lists("i32")),
    Searched("wraps i64", wrapped(64), 2**63, lists("i64")),
    Searched("magnitude of the smallest", lambda rows: sum(rows), 127, lists("i8")),
    Searched("saturates out of order", saturated, 128, lists("i8")),
    Searched("through doubles", lambda rows: doubled(rows) - sum(rows), 0, lists("i64")),
    Searched("distinct through doubles", lambda rows: len(set(rows)) - len({float(v) for v in rows}), 0, lists("u64")),
    Searched("empty", lambda rows: 5 if not rows else 0, 1, lists("i32", 0, 2)),
    Searched("permuted", lambda rows: rows[:1] == [1], 1, lists([0, 1], 0, 3)),
    Searched("repeated", lambda rows: len(rows) - len(set(rows)), Fraction(1, 2), lists("i32")),
    Searched("NaN passes", lambda rows: sum(v if v != v else clamp(v, 0, 1) for v in rows), 1, lists("f64")),
    Searched(
        "infinity passes", lambda rows: sum(0 if math.isnan(v) else max(v, 0.0) for v in rows), 1e300, lists("f64")
    ),
    Searched("subnormal", lambda rows: sum(1 / v > 1e300 for v in rows if v > 0), 0, lists("f64")),
    Searched("cancellation", lambda rows: int(sum(v for v in rows if abs(v) < 1e300) or 0), 2, lists("f64", 0, 3)),
    Searched("beside a bound", lambda rows: sum(v == 11 for v in rows), 0, lists("i32", 0, 3, 10)),
    Searched("one double below", lambda rows: sum(0.1 > v > 0.0999999 for v in rows), 0, lists("f64", 0, 3, 0.1)),
    Searched("long text", lambda rows: sum(len(v) > 255 for v in rows), 0, lists("str")),
    Searched("accents", lambda rows: sum(len(v) != len(v.encode()) for v in rows), 0, lists("str")),
    Searched("null", lambda rows: rows.count(None), 0, lists([0, 1, None])),
    Searched("truth", lambda rows: sum(rows), Fraction(1, 2), lists("bool")),
    Searched("two records at once", lambda rows: max(rows, default=0) - min(rows, default=0), 13, lists([0, 3, 7, 20])),
    Searched("scale", lambda value: 3 * value, 2, {"of": "i32"}, "absolute"),
    Searched(
        "rounds", lambda value: round(value) if math.isfinite(value) else 0, 1, {"of": "f64", "near": [0.5]}, "absolute"
    ),
    Searched("norm", lambda rows: [sum(rows), *rows], 2, lists([0, 1, 2], 9, 9), "L2", "L2"),
)
RIGHT = (
    *(
        Searched(
            f"sum {low} {high} {kind} {d_in}",
            clamped_sum(low, high),
            max(abs(low), abs(high)),
            lists(kind, 0, 4, low, high),
            d_in,
        )
        for low, high in ((0, 10), (-5, 3))
        for kind in ("i8", "u8", "i32", "i64", "u64")
        for d_in in ("symmetric", "insert-delete")
    ),
    *(
        Searched(f"clamp {kind}", lambda rows: [clamp(v, 0, 9) for v in rows], 1, lists(kind), "symmetric", "symmetric")
        for kind in ("i32", "u16")
    ),
    Searched("length", len, 1, lists("f64")),
    Searched("count of texts", lambda rows: rows.count("a"), 1, lists("str")),
    Searched(
        "histogram", lambda rows: [rows.count(v) for v in (0, 1, None)], 1, lists([0, 1, None]), "symmetric", "L2"
    ),
    Searched("affine", lambda value: 3 * value - 7, 3, {"of": "i64"}, "absolute"),
    Searched("prefix sums", lambda rows: [sum(rows[:n]) for n in range(4)], 3, lists([0, 1, 2], 3, 3), "L1", "L1"),
    Searched(
        "response",
        lambda bit: {bit: Fraction(3, 4), not bit: Fraction(1, 4)},
        2,
        {"of": "bool"},
        "discrete",
        "max-divergence",
    ),
)


@pytest.mark.parametrize("target", WRONG, ids=lambda target: target.name)
def test_a_planted_fault_is_found(target: Searched) -> None:
    audit = audit_map(target, limit=150)
    assert [row.check for row in audit.faults] == ["declared map"], audit.text()


@pytest.mark.parametrize("target", RIGHT, ids=lambda target: target.name)
def test_a_right_number_is_not_accused(target: Searched) -> None:
    audit = audit_map(target, limit=80)
    assert audit.verdict is Verdict.CONSISTENT, audit.text()


def test_the_search_goes_beyond_what_is_listed() -> None:
    listed = tuple([value] for value in (0, 1, 2, 3))
    grid = Searched("", lambda rows: sum(v * (v > 2**20) for v in rows), 2**20, lists("i32"), members=listed)
    audit = audit_map(grid)
    row = audit.row("declared map")
    assert (row.verdict, row.witness["left"] in map(str, listed)) == (Verdict.FAULT, False)


def test_it_climbs_to_the_largest_ratio() -> None:
    """The worst pair has nine equal records, which are not among those at boundaries."""
    target = Searched("", lambda rows: sum(rows) ** 2, 1, lists([0, 1, 2, 3], 0, 9))
    members = list(proposals(target, 200))
    pairs = [(x, y) for x in members for y in members if rough("symmetric", x, y) == 1]
    assert max(abs(sum(x) ** 2 - sum(y) ** 2) for x, y in pairs) == 27**2 - 24**2


@pytest.mark.parametrize("target", [WRONG[1], WRONG[10], RIGHT[0]], ids=lambda target: target.name)
def test_the_members_are_the_same_every_time_and_as_many_as_asked(target: Searched) -> None:
    first, again = (list(map(repr, proposals(target, 60))) for _ in range(2))
    assert first == again
    assert len(set(first)) == len(first)
    assert audit_map(target, limit=20).text().count("20 members")


def test_no_member_has_a_negative_zero() -> None:
    """Whether it is another record than 0 is for a library to say, and most do not."""
    members = proposals(Searched("", lambda rows: sum(v for v in rows if math.isfinite(v)), 1, lists("f64")), 200)
    values = [value for rows in members for value in rows]
    assert {math.copysign(1, value) for value in values if value == 0} == {1}


@pytest.mark.parametrize("kind", ["i8", "u8", "i32", "i64", "u64"])
def test_integers_stay_in_their_type(kind: str) -> None:
    low, high = ends(kind)
    assert {low, high, low + 1, high - 1} <= set(boundaries(kind, ()))
    values = [value for rows in proposals(Searched("", sum, 1, lists(kind)), 100) for value in rows]
    assert all(low <= value <= high for value in values)


def test_what_the_domain_does_not_accept_is_left_out() -> None:
    class Finite(Searched):
        def accepts(self, member: Any) -> bool:
            return all(map(math.isfinite, member))

    target = Finite("", lambda rows: sum(map(math.isfinite, rows)), 1, lists("f64"), members=([math.nan], [1.0]))
    audit = audit_map(target, limit=60)
    assert (audit.verdict, "nan" in audit.text()) == (Verdict.CONSISTENT, False)


def test_no_member_is_lost_where_the_domain_raises() -> None:
    class Broken(Searched):
        def accepts(self, member: Any) -> bool:
            return 1 / len(member) > 0

    with pytest.raises(ZeroDivisionError):
        audit_map(Broken("", len, 1, lists("i8")), limit=60)


@pytest.mark.parametrize(
    ("search", "words"),
    [
        (None, "a dictionary"),
        ({"sizes": [0, 1]}, "with of"),
        ({"of": "i7"}, "i8"),
        ({"of": "i8", "size": [0, 1]}, "near, of, seed, sizes"),
        ({"of": "i8", "sizes": [2, 1]}, "sizes"),
        ({"of": "i8", "sizes": 3}, "sizes"),
        ({"of": []}, "a list of values"),
    ],
)
def test_a_bad_search_is_refused(search: Any, words: str) -> None:
    with pytest.raises(DomainError, match=words):
        audit_map(Searched("", sum, 1, search))


def test_a_seed_is_another_search() -> None:
    domains = [Domain({**lists("i64"), "seed": seed}) for seed in (1, 1, 2)]
    draws = [[domain.draw() for _ in range(20)] for domain in domains]
    assert draws[0] == draws[1]
    assert draws[0] != draws[2]


@given(st.fractions(0, 10**6))
def test_roots_are_exact_or_just_above(number: Fraction) -> None:
    square = fmpq(number.numerator, number.denominator)
    root = root_above(square)
    assert square <= root**2 <= (root - fmpq(1, 2**63)) ** 2 + 2 * root / 2**62
    assert root_above(square**2) == square


ROWS = st.lists(st.integers(0, 2), max_size=5)


@given(ROWS, ROWS)
def test_rough_distances_are_the_exact_ones(x: list[int], y: list[int]) -> None:
    for name in ("symmetric", "insert-delete", "change-one", "Hamming", "discrete", "L1", "Linf"):
        exact = METRICS[name].scaled(tuple(x), tuple(y))
        assert rough(name, x, y) == (None if exact is None else Fraction(str(exact))), name
    square = METRICS["L2"].scaled(tuple(x), tuple(y))
    assert (rough("L2", x, y) is None) == (square is None)
    assert isinstance(square, fmpq | None)
    assert square is None or round(float(rough("L2", x, y) or 0) ** 2) == square


@pytest.mark.parametrize(
    ("name", "left", "right", "square"),
    [
        ("L2", (0, 0), (3, 4), 25),
        ("Linf of L2", (("a", (3, 4)),), (("a", (0, 0)),), 25),
        ("L2 of symmetric", (("a", (1, 1)), ("b", (2,))), (), 5),
        ("L1 of symmetric", (("a", (1, 1)), ("b", (2,))), (), 9),
    ],
)
def test_a_distance_of_inputs_is_not_its_square(name: str, left: Any, right: Any, square: int) -> None:
    assert input_metric("d_in", name).scaled(left, right) == root_above(fmpq(square))
