"""Formulas as trees: what is written is what is evaluated, stored and printed."""

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.ratfunc import EVERY_EPSILON
from dp_spec.vocabulary.term import (
    Term,
    exp,
    floor,
    log,
    minimum,
    modulo,
    read,
    same,
    summed,
    term,
    truncated_exponential,
    var,
)
from strategies.exact import VARIABLES, holds, rationals, terms

POINTS = st.fixed_dictionaries({name: rationals(1, 6) for name in VARIABLES})


def value(formula: Term, at: Mapping[str, Any]) -> Any:
    """The value, or None at a pole."""
    try:
        return formula.evaluate(at)
    except ZeroDivisionError:
        return None


def python(formula: Term) -> str:
    """The tree as a Python expression, every operation in parentheses."""
    inner = [python(a) for a in formula.arguments]
    signs = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**"}
    if not inner:
        return f"q({formula.head})" if isinstance(formula.head, int) else formula.head
    if formula.head == "neg":
        return f"(-{inner[0]})"
    if formula.head == "min":
        return f"min({', '.join(inner)})"
    if formula.head == "pow":
        return f"({inner[0]} ** int({inner[1]}.p))"
    return f"({inner[0]} {signs[str(formula.head)]} {inner[1]})"


class Latex:
    """A reader of the printed formulas, by the rules of mathematical notation; values are rational."""

    def __init__(self, text: str, at: Mapping[str, fmpq]) -> None:
        self.tokens = re.findall(r"\\[a-z]+|\\,|[0-9]+|[A-Za-z](?:_[0-9A-Za-z])?|[-+^{}(),]", text.replace(" ", ""))
        assert "".join(self.tokens) == text.replace(" ", "")
        self.at = at

    def value(self) -> fmpq:
        result = self.sum()
        assert self.tokens == []
        return result

    def take(self, *expected: str) -> None:
        for token in expected:
            assert self.tokens.pop(0) == token

    def next(self) -> str:
        return self.tokens[0] if self.tokens else ""

    def sum(self) -> fmpq:
        total = self.signed()
        while self.next() in ("+", "-"):
            sign = self.tokens.pop(0)
            part = self.signed()
            total = total + part if sign == "+" else total - part
        return total

    def signed(self) -> fmpq:
        if self.next() == "-":
            self.take("-")
            return -self.product()
        return self.product()

    def product(self) -> fmpq:
        total = self.power()
        while self.next() in (r"\,", r"\cdot"):
            self.tokens.pop(0)
            total *= self.power()
        return total

    def power(self) -> fmpq:
        base = self.atom()
        if self.next() != "^":
            return base
        self.take("^", "{")
        exponent = self.sum()
        self.take("}")
        assert exponent.q == 1
        return base ** int(exponent.p)

    def atom(self) -> fmpq:
        token = self.tokens.pop(0)
        if token == r"\frac":
            self.take("{")
            top = self.sum()
            self.take("}", "{")
            bottom = self.sum()
            self.take("}")
            return top / bottom
        if token in (r"\min", r"\max"):
            self.take("(")
            values = [self.sum()]
            while self.next() == ",":
                self.take(",")
                values.append(self.sum())
            self.take(")")
            return min(values) if token == r"\min" else max(values)
        if token == r"\left":
            self.take("(")
            inside = self.sum()
            self.take(r"\right", ")")
            return inside
        return self.at[token] if token in self.at else fmpq(int(token))


@given(terms())
def test_json_is_read_back(formula: Term) -> None:
    assert read(json.loads(json.dumps(formula.json()))) == formula
    assert hash(read(formula.json())) == hash(formula)


@given(terms(), POINTS)
def test_evaluation_is_that_of_python(formula: Term, at: dict[str, fmpq]) -> None:
    try:
        expected = eval(python(formula), {"q": fmpq, "min": min, "int": int}, dict(at))
    except ZeroDivisionError:
        expected = None
    assert value(formula, at) == expected


@given(terms(), terms(), POINTS)
def test_terms_that_share_parts_have_the_same_values(a: Term, b: Term, at: dict[str, fmpq]) -> None:
    pool, known = dict[Any, Term](), dict[int, Any]()
    sum_of_b = summed("t", 1, 3, b)  # in which t means something else
    for formula in (a, a + b, a * b, sum_of_b, sum_of_b - b):
        shared = formula.shared(pool)
        assert shared == formula
        assert formula.shared(pool) is shared
        try:
            expected = formula.evaluate(at)
        except ZeroDivisionError:
            with pytest.raises(ZeroDivisionError):
                shared.evaluate(at, known)
        else:
            assert shared.evaluate(at, known) == expected


@given(terms(), POINTS)
def test_print_means_the_same(formula: Term, at: dict[str, fmpq]) -> None:
    expected = value(formula, at)
    if expected is None:
        with pytest.raises(ZeroDivisionError):
            Latex(formula.latex(), at).value()
    else:
        assert Latex(formula.latex(), at).value() == expected


@given(terms(), POINTS)
def test_substitution_is_evaluation(formula: Term, at: dict[str, fmpq]) -> None:
    quotients = {name: term(int(v.p)) / int(v.q) for name, v in at.items()}
    assert value(formula.substitute(quotients), {}) == value(formula, at)
    assert formula.substitute({}) == formula


@given(terms(), POINTS)
def test_fields_agree(formula: Term, at: dict[str, fmpq]) -> None:
    """In Q(t) at a point, and in balls around it, a formula has its rational value."""
    if "min" in str(formula.json()):
        return
    exact = value(formula, at)
    function = value(formula, at | {"t": EVERY_EPSILON.variable("t")})
    if exact is not None and function is not None:
        assert EVERY_EPSILON.lift(function).at({"t": at["t"]}) == exact
        ball = value(formula, {name: arb(v) for name, v in at.items()})
        if isinstance(ball, arb) and ball.is_finite():
            assert holds(ball, fmpq(exact))


@given(terms())
def test_variables(formula: Term) -> None:
    assert set(formula.variables()) == {t for t in re.findall(r"[a-zA-Z]+", formula.latex()) if t in VARIABLES}
    if value(formula.substitute(dict.fromkeys(VARIABLES, 2)), {}) is not None:  # not a pole that is met first
        for name in set(formula.variables()):
            with pytest.raises(DomainError) as error:
                formula.evaluate({n: 2 for n in VARIABLES if n != name})
            assert (error.value.parameter, error.value.value) == ("variable", name)


E0, K, H, A, B, X = (var(name) for name in ("e0", "K", "h", "a", "b", "x"))
S, T = var("s"), var("t")
PRINTED: list[tuple[Term, str]] = [
    # in the order of what is written
    (E0 / (E0 + K - 1), r"\frac{e_0}{e_0 + K - 1}"),
    (K - 1 + E0, "K - 1 + e_0"),
    (E0 - (K - 1), r"e_0 - \left(K - 1\right)"),
    (2 * K * 3, r"2 \, K \cdot 3"),
    ((-K) ** 2, r"\left(-K\right)^{2}"),
    (term(-2) ** 2, r"\left(-2\right)^{2}"),
    # powers, logarithms, sums
    (term(2) ** (H + 1), "2^{h + 1}"),
    ((term(2) ** H) ** 2, r"\left(2^{h}\right)^{2}"),
    (term(2) ** H**2, "2^{h^{2}}"),
    ((1 / term(2)) ** H, r"\left(\frac{1}{2}\right)^{h}"),
    (log(H) ** 3, r"\left(\log\left(h\right)\right)^{3}"),
    (exp(H) ** 2, r"\left(\exp\left(h\right)\right)^{2}"),
    (exp(X) + log(X + 1) * X, r"\exp\left(x\right) + \log\left(x + 1\right) \, x"),
    (3 * term(2) ** H * term(4) ** S, r"3 \cdot 2^{h} \cdot 4^{s}"),
    (summed("s", 1, H - 1, 1 / term(2) ** S), r"\sum_{s=1}^{h - 1} \frac{1}{2^{s}}"),
    (2 * summed("s", var("k") + 1, H, S), r"2 \, \left(\sum_{s=k + 1}^{h} s\right)"),
    (summed("s", 0, H, summed("t", S, H, T - S)), r"\sum_{s=0}^{h} \sum_{t=s}^{h} \left(t - s\right)"),
    (summed("s", 0, H, S) ** 2, r"\left(\sum_{s=0}^{h} s\right)^{2}"),
    (summed("x", 1, var("n"), 1 / X), r"\sum_{x=1}^{n} \frac{1}{x}"),
    (summed("x", 1, 2, X + 1), r"\sum_{x=1}^{2} \left(x + 1\right)"),
    # remainders, same numbers, maxima
    (floor(K / 2), r"\left\lfloor \frac{K}{2} \right\rfloor"),
    (modulo(A, 3), r"(a \bmod 3)"),
    (2 * modulo(A * B + 1, 3) ** 2, r"2 \, (\left(a \, b + 1\right) \bmod 3)^{2}"),
    (B - same(modulo(A, 3), term(0)), r"b - [(a \bmod 3) = 0]"),
    (A - 3 * floor(B / 3), r"a - 3 \, \left\lfloor \frac{b}{3} \right\rfloor"),
    (2 * (A + B - minimum(A, B)) ** 2, r"2 \, \max(a, b)^{2}"),
    (A + B - minimum(B, A), r"a + b - \min(b, a)"),
    (2 - minimum((A - B) ** 2, 1), r"2 - \min(\left(a - b\right)^{2}, 1)"),
]


@pytest.mark.parametrize(("formula", "latex"), PRINTED, ids=[latex for _, latex in PRINTED])
def test_formulas_are_printed_as_they_are_meant(formula: Term, latex: str) -> None:
    assert formula.latex() == latex


def test_names_are_printed_as_one_says() -> None:
    assert var("w").latex({"w": r"\omega"}) == r"\omega"


def test_integers_stay_exact() -> None:
    assert (term(1) / 3).evaluate({}) == fmpq(1, 3)
    assert (term(2) ** -3).evaluate({}) == fmpq(1, 8)
    assert minimum(3, term(1) / 2, 2).evaluate({}) == fmpq(1, 2)
    assert (1 - var("m") + 2).evaluate({"m": 1}) == 2
    assert (var("m") ** var("K")).evaluate({"m": fmpq(2), "K": fmpq(3)}) == 8
    for pole in (term(1) / 0, term(0) ** -1, 1 / (var("m") - 1)):
        with pytest.raises(ZeroDivisionError):
            pole.evaluate({"m": 1})


MALFORMED = [
    [],
    ["add"],
    ["add", 1],
    ["add", 1, 2, 3],
    ["neg", 1, 2],
    ["pow", 2],
    ["log", 1, 2],
    ["exp"],
    ["exptrunc", 1],
    ["cbrt", 2],
    [1, 2],
    [["add"], 1, 2],
    1.5,
    True,
    None,
    "",
    {},
    ["add", 1, None],
    ["add", 1, [2]],
    ["min"],
]


def test_real_functions_are_balls() -> None:
    x = var("x")
    with ctx.workprec(120):
        for formula, of_two in ((exp(log(x)), 2), (exp(x) / exp(x - 1) - exp(term(1)) + x, 2)):
            ball = formula.evaluate({"x": fmpq(2)})
            assert holds(ball, fmpq(of_two))
            assert ball.rel_accuracy_bits() > 100
    assert truncated_exponential(term(3), x).evaluate({"x": fmpq(1, 2)}) == fmpq(79, 48)
    assert truncated_exponential(term(0), x).evaluate({"x": fmpq(1, 2)}) == 1
    for formula in (exp(x), log(x), truncated_exponential(term(2), x)):
        assert read(formula.json()) == formula


def test_names_of_operations_are_names() -> None:
    assert var("add").evaluate({"add": 3}) == 3
    assert var("m") != "m"


@given(st.integers(-50, 50), st.integers(1, 9))
def test_floor_is_that_of_integers(top: int, bottom: int) -> None:
    assert floor(var("a") / var("b")).evaluate({"a": top, "b": bottom}) == top // bottom
    assert floor(var("a")).evaluate({"a": fmpq(top, bottom)}) == top // bottom
    assert read(floor(var("a")).json()) == floor(var("a"))


def test_floor_of_a_ball_holds_what_it_can_be() -> None:
    assert floor(var("a")).evaluate({"a": arb(7) / 2}) == 3
    around = floor(var("a")).evaluate({"a": arb(2, 0.1)})
    assert around.contains(1)
    assert around.contains(2)


@given(st.integers(0, 9), st.integers(0, 9))
def test_sums_are_those_of_their_terms(low: int, high: int) -> None:
    of = summed("x", var("a"), var("b"), var("x") ** 2 * var("c"))
    assert of.evaluate({"a": low, "b": high, "c": 3}) == sum(3 * x * x for x in range(low, high + 1))
    assert set(of.variables()) == {"a", "b", "c"}
    assert of.substitute({"x": 5, "c": 1}).evaluate({"a": low, "b": high}) == sum(x * x for x in range(low, high + 1))
    assert read(of.json()) == of


def test_nothing_is_captured_by_a_sum() -> None:
    of = summed("x", 1, 2, var("x") * var("c"))
    assert of.substitute({"x": var("c")}) == of


@given(st.integers(-50, 50), st.integers(-50, 50), st.integers(1, 9))
def test_remainders_and_same_numbers(a: int, b: int, divisor: int) -> None:
    assert modulo(var("a"), divisor).evaluate({"a": a}) == a % divisor
    at = {"a": a, "b": b, "d": divisor}
    assert same(modulo(var("a"), var("d")), modulo(var("b"), var("d"))).evaluate(at) == ((a - b) % divisor == 0)


@given(terms(), terms(), POINTS)
def test_a_maximum_is_printed_as_such(a: Term, b: Term, at: dict[str, fmpq]) -> None:
    largest = a + b - minimum(a, b)
    expected = value(largest, at)
    assert largest.latex() == rf"\max({a.latex()}, {b.latex()})"
    if expected is not None:
        assert Latex(largest.latex(), at).value() == expected == max(value(a, at), value(b, at))


test_refusals = refusal_test(
    refuses("exponent", lambda exponent: (term(2) ** var("m")).evaluate({"m": exponent}), fmpq(1, 2), 0.5, arb(1), "2"),
    refuses("number", lambda number: minimum(1, var("m")).evaluate({"m": number}), 0.5, float("nan"), "1"),
    refuses("value", term, 0.5, True, "m", None, fmpq(1)),
    refuses("value", lambda value: var("m") + value, 0.5, True, "m", None, fmpq(1)),
    refuses("json", read, *MALFORMED),
    refuses("name", var, ""),
    refuses("terms", lambda: minimum()),
    refuses("values", lambda: summed("x", 1, 2, var("x") * var("c")).substitute({"c": var("x") + 1}), says="runs over"),
    refuses(
        "an end of a sum",
        lambda end: summed("x", 0, var("b"), var("x")).evaluate({"b": end}),
        *(fmpq(1, 2), -1, True),
        says="an end of a sum",
    ),
    refuses("floor", lambda number: floor(var("a")).evaluate({"a": number}), 0.5, "2", says="floor"),
)
