"""A unit of work is a bounded amount of work, whatever the shape of a certificate is."""

import contextlib
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from fractions import Fraction
from types import FrameType
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases.shapes import SHAPES
from dp_kernel import Rejected, meter
from dp_kernel.certificate import check
from dp_kernel.meter import DEFAULT, limited
from dp_kernel.numbers.polynomial import ONE, Bound, Polynomial, Ratio, is_nonnegative, substituted, variables_of

LINES, BYTES = 60, 200
"""Largest number of lines of Python executed for a unit, and of bytes held at a time."""
LIMIT, SLACK = 50_000, 1 << 17
"""Units that are spent here; bytes that are there whatever is checked."""


class Name(str):
    """A variable that counts how often anything looks at it: terms are found by hashes and compared by their names."""

    __slots__ = ()
    looks: ClassVar[int] = 0

    def __hash__(self) -> int:
        Name.looks += 1
        return str.__hash__(self)

    def __eq__(self, other: object) -> bool:
        Name.looks += 1
        return str.__eq__(self, other)

    def __lt__(self, other: str) -> bool:
        Name.looks += 1
        return str.__lt__(self, other)


NAMES = [Name(f"x{i}") for i in range(60)]
POSITIVE: dict[str, Bound] = {name: Bound(Fraction(0), True) for name in NAMES}
ABOVE: dict[str, Bound] = {name: Bound(Fraction(2), True) for name in NAMES}


@st.composite
def polynomials(draw: st.DrawFn) -> Polynomial:
    """A few terms of few or of many variables."""
    polynomial: Polynomial = {}
    for _ in range(draw(st.integers(1, 6))):
        first, number = draw(st.integers(0, 59)), draw(st.sampled_from((0, 1, 2, 40)))
        exponent = draw(st.integers(1, 3))
        polynomial[tuple(sorted((name, exponent) for name in NAMES[first : first + number]))] = draw(st.integers(1, 9))
    return polynomial


OPERATIONS: list[Callable[[Ratio, Ratio], object]] = [
    lambda a, b: a + b,
    lambda a, b: a * b,
    lambda a, b: a / b,
    lambda a, _: a**0,
    lambda a, b: a == b,
    lambda a, _: a == a * 1,
    lambda a, _: Ratio(a.num, a.den),
    lambda a, _: variables_of(a),
    lambda a, _: is_nonnegative(a, POSITIVE, strictly=True),
    lambda a, _: is_nonnegative(Ratio(a.num, ONE), ABOVE),
    lambda a, b: substituted(Ratio(a.num, ONE), {NAMES[0]: b}),
]


@given(polynomials(), polynomials(), polynomials(), polynomials(), st.sampled_from(OPERATIONS))
@settings(max_examples=100)
def test_fractions_pay_for_every_look_at_a_variable(
    a: Polynomial, b: Polynomial, c: Polynomial, d: Polynomial, operation: Callable[[Ratio, Ratio], object]
) -> None:
    first, second = Ratio(a, b), Ratio(c, d)
    Name.looks = 0
    with limited(20_000) as paid, contextlib.suppress(Rejected):
        operation(first, second)
    assert Name.looks <= 40 * paid.spent + 40


@contextlib.contextmanager
def metered(meters: list[meter.Meter]) -> Iterator[None]:
    """Within it, `verify` leaves its meter there."""
    before = meter.limited

    @contextlib.contextmanager
    def noted(limit: int = DEFAULT) -> Iterator[meter.Meter]:
        with before(limit) as paid:
            meters.append(paid)
            yield paid

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(check, "limited", noted)
        yield


def checked(certificate: Any, limit: int = DEFAULT) -> int:
    """The units that were spent."""
    meters: list[meter.Meter] = []
    with metered(meters), contextlib.suppress(Rejected):
        check.verify(certificate, limit)
    return meters[0].spent


@pytest.mark.parametrize("name", SHAPES)
def test_a_unit_is_a_bounded_number_of_lines_and_of_bytes(name: str) -> None:
    build, small = SHAPES[name]
    certificate, lines = build(small), 0

    def traced(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return traced

    tracemalloc.start()
    try:
        units = checked(certificate, LIMIT)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    before = sys.gettrace()
    sys.settrace(traced)
    try:
        assert checked(certificate, LIMIT) == units
    finally:
        sys.settrace(before)
    assert lines <= LINES * units + 3000
    assert peak <= BYTES * units + SLACK
