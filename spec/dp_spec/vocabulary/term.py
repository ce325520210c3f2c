"""Formulas as expression trees: written once, evaluated in any field, carried by certificates, printed as LaTeX.

Nothing is simplified: the tree keeps the order in which the paper prints it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import product
from math import comb
from typing import Any, cast

from flint import arb, fmpq

from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.integers import is_integer, require_integer
from dp_spec.vocabulary.scalar import at_most

Json = list["Json"] | str | int
"""A term on paper: an integer, a variable's name, or [operator, argument, ...]."""

OPERATORS = frozenset(
    {"add", "sub", "mul", "div", "pow", "neg", "min", "floor", "binom", "exptrunc", "exp", "log", "sum"}
)
_ARITY = {
    "sum": 4,
    **dict.fromkeys(("add", "sub", "mul", "div", "pow", "binom", "exptrunc"), 2),
    **dict.fromkeys(("neg", "floor", "exp", "log"), 1),
}
_SYMBOLS = {"e0": "e_0", "w": "w", "eps": r"\epsilon", "theta": r"\theta"}
_PRECEDENCE = {
    "add": 1,
    "sub": 1,
    "neg": 1,
    "mul": 2,
    "div": 3,
    "pow": 3,
    "min": 5,
    "floor": 5,
    "binom": 5,
    "exptrunc": 1,
    "sum": 1,
    "exp": 4,
    "log": 4,
}


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """A node: an integer constant, a variable, or an operator applied to terms."""

    head: int | str
    arguments: tuple["Term", ...] = ()

    def __add__(self, other: "Term | int") -> "Term":
        return Term("add", (self, term(other)))

    def __radd__(self, other: int) -> "Term":
        return Term("add", (term(other), self))

    def __sub__(self, other: "Term | int") -> "Term":
        return Term("sub", (self, term(other)))

    def __rsub__(self, other: int) -> "Term":
        return Term("sub", (term(other), self))

    def __mul__(self, other: "Term | int") -> "Term":
        return Term("mul", (self, term(other)))

    def __rmul__(self, other: int) -> "Term":
        return Term("mul", (term(other), self))

    def __truediv__(self, other: "Term | int") -> "Term":
        return Term("div", (self, term(other)))

    def __rtruediv__(self, other: int) -> "Term":
        return Term("div", (term(other), self))

    def __pow__(self, exponent: "Term | int") -> "Term":
        return Term("pow", (self, term(exponent)))

    def __neg__(self) -> "Term":
        return Term("neg", (self,))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Term) and (self.head, self.arguments) == (other.head, other.arguments)

    def __hash__(self) -> int:
        return hash((self.head, self.arguments))

    def variables(self) -> Iterator[str]:
        """Names of the free variables, left to right, with repetitions."""
        left = [self]
        while left:
            node = left.pop()
            if node.head == "sum":
                bound = node.arguments[0].head
                yield from (name for argument in node.arguments for name in argument.variables() if name != bound)
            elif node.arguments:
                left += reversed(node.arguments)
            elif isinstance(node.head, str):
                yield node.head

    def substitute(self, values: "Mapping[str, Term | int]") -> "Term":
        """The term with variables replaced (what a sum runs over is none of them).

        Raises `DomainError` for a term with the variable that a sum runs over, put into that sum.
        """
        if self.head == "sum":
            index = self.arguments[0].head
            values = {name: t for name, t in values.items() if name != index}
            used = {name: t for name, t in values.items() if name in self.variables()}
            if any(index in {*term(t).variables()} for t in used.values()):
                raise DomainError("values", index, "terms without the variable that a sum runs over")
        if self.arguments:
            return Term(self.head, tuple(a.substitute(values) for a in self.arguments))
        return term(values[self.head]) if isinstance(self.head, str) and self.head in values else self

    def shared(self, pool: "dict[tuple[str | int, tuple[int, ...]], Term]") -> "Term":
        """The same term, of parts in a pool where they are there: in all terms made so equal parts are one object."""
        parts = tuple(a.shared(pool) for a in self.arguments)
        return pool.setdefault((self.head, tuple(map(id, parts))), Term(self.head, parts))

    def evaluate(self, values: Mapping[str, Any], known: dict[int, Any] | None = None) -> Any:
        """The value in the field of `values` (exponents need plain integers; int / int is an exact fraction).

        `known` keeps the values of parts by their identity, for terms that share parts. Raises `DomainError` for an
        unbound variable, `ZeroDivisionError` at a pole, and as `compare` for `min`.
        """
        if known is None:
            return self._evaluated(values, None)
        if id(self) not in known:
            known[id(self)] = self._evaluated(values, known)
        return known[id(self)]

    def _evaluated(self, values: Mapping[str, Any], known: dict[int, Any] | None) -> Any:
        if not self.arguments:
            if isinstance(self.head, int):
                return self.head
            if self.head not in values:
                raise DomainError("variable", self.head, f"one of {sorted(values)}")
            return values[self.head]
        if self.head == "sum":
            index, *ends, of = self.arguments
            low, high = (require_integer("an end of a sum", end.evaluate(values), 0) for end in ends)
            return reduce(
                lambda total, x: total + of.evaluate({**values, cast(str, index.head): x}), range(low, high + 1), 0
            )
        return _APPLY[cast(str, self.head)](*(a.evaluate(values, known) for a in self.arguments))

    def json(self) -> Json:
        """The tree as nested lists; `read` is its inverse."""
        return [cast(str, self.head), *(a.json() for a in self.arguments)] if self.arguments else self.head

    def choices(self) -> "list[Term]":
        """The terms without min(...) that it has the value of one of (sums stay as they are)."""
        if not self.arguments or self.head == "sum":
            return [self]
        parts = [a.choices() for a in self.arguments]
        if self.head == "min":
            return [choice for part in parts for choice in part]
        return [Term(self.head, arguments) for arguments in product(*parts)]

    def latex(self, symbols: Mapping[str, str] | None = None) -> str:
        """The formula as printed; `symbols` overrides how a variable is written."""
        return _latex(self, {**_SYMBOLS, **(symbols or {})})


def term(value: "Term | int") -> Term:
    """An integer as a term; a term as it is. Raises `DomainError` for anything else."""
    if isinstance(value, Term):
        return value
    if not is_integer(value):
        raise DomainError("value", value, "a Term or an int")
    return Term(value)


def var(name: str) -> Term:
    """A variable. Raises `DomainError` for an empty name."""
    if not isinstance(name, str) or not name:
        raise DomainError("name", name, "a non-empty name")
    return Term(name)


def minimum(*terms: Term | int) -> Term:
    """The smallest of some terms (at least one)."""
    if not terms:
        raise DomainError("terms", terms, "at least one term")
    return Term("min", tuple(term(t) for t in terms))


def floor(x: Term) -> Term:
    """The largest integer that is not larger than x."""
    return Term("floor", (x,))


def modulo(x: Term, divisor: "Term | int") -> Term:
    """The remainder of x; printed as such."""
    return x - divisor * floor(x / divisor)


def same(x: Term, y: Term) -> Term:
    """1 where two whole numbers are the same, 0 elsewhere; printed as [x = y]."""
    return 1 - minimum((x - y) ** 2, 1)


def summed(index: str, low: "Term | int", high: "Term | int", of: Term) -> Term:
    """The sum of a term over index = low, .., high (whole numbers)."""
    return Term("sum", (var(index), term(low), term(high), of))


def binomial(n: "Term | int", k: "Term | int") -> Term:
    """The number of k-subsets of n things (whole numbers n, k >= 0)."""
    return Term("binom", (term(n), term(k)))


def truncated_exponential(count: Term, x: Term) -> Term:
    """The first count + 1 terms of the exponential series: the sum of x^j / j! over 0 <= j <= count."""
    return Term("exptrunc", (count, x))


def exp(x: Term) -> Term:
    """e^x: decided by balls and enclosures only."""
    return Term("exp", (x,))


def log(x: Term) -> Term:
    """The natural logarithm: decided by balls and enclosures only."""
    return Term("log", (x,))


def sqrt(x: Term) -> Term:
    """The square root of a positive number: e^(log(x) / 2)."""
    return exp(log(x) / 2)


def read(json: Json) -> Term:
    """The term of a JSON tree. Raises `DomainError` for a malformed one."""
    if isinstance(json, list):
        if len(json) < 2 or not isinstance(json[0], str) or json[0] not in OPERATORS:
            raise DomainError("json", json, f"[operator, arguments...], operator one of {sorted(OPERATORS)}")
        arity = _ARITY.get(json[0])
        if arity is not None and len(json) != arity + 1:
            raise DomainError("json", json, f"{arity} argument(s) for {json[0]!r}")
        return Term(json[0], tuple(read(a) for a in json[1:]))
    if isinstance(json, bool) or not isinstance(json, str | int) or json == "":
        raise DomainError("json", json, "an integer, a variable name or a list")
    return Term(json)


def _divide(a: Any, b: Any) -> Any:
    return fmpq(a, b) if isinstance(a, int) and isinstance(b, int) else a / b


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(exponent, fmpq) and exponent.q == 1:
        exponent = int(exponent.p)
    if not isinstance(exponent, int):
        raise DomainError("exponent", exponent, "an integer")
    if isinstance(base, int) and exponent < 0:
        base = fmpq(base)
    return base**exponent


def _floor(number: Any) -> Any:
    """An integer; a ball that holds all it can be, where the number is one around an integer."""
    if isinstance(number, int):
        return number
    if isinstance(number, arb):
        return number.floor()
    if not isinstance(number, fmpq):
        raise DomainError("floor", number, "an exact number, or a ball")
    return int(number.floor())


def _binomial(n: Any, k: Any) -> int:
    return comb(
        require_integer("n of a binomial coefficient", n, 0), require_integer("k of a binomial coefficient", k, 0)
    )


def _real(name: str) -> Callable[[Any], Any]:
    """A real function of a ball (exact numbers are taken as balls of the current precision)."""
    return lambda x: getattr(x if isinstance(x, arb) else arb(x), name)()


_APPLY: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": _divide,
    "pow": _power,
    "neg": lambda a: -a,
    "floor": _floor,
    "binom": _binomial,
    "exp": _real("exp"),
    "log": _real("log"),
    "exptrunc": lambda count, x: reduce(lambda inner, j: _divide(x * inner, j) + 1, range(int(count), 0, -1), x**0),
    "min": lambda *values: reduce(lambda a, b: a if at_most(a, b) else b, values),
}


def _latex(t: Term, symbols: Mapping[str, str]) -> str:
    if not t.arguments:
        return symbols.get(t.head, t.head) if isinstance(t.head, str) else str(t.head)
    abbreviation = _abbreviated(t)
    if abbreviation is not None:
        sign, x, y = abbreviation
        if sign == r"\max":
            return rf"\max({_latex(x, symbols)}, {_latex(y, symbols)})"
        left, right = (_wrapped(a, _latex(a, symbols), 2 if sign == r"\bmod" else 0) for a in (x, y))
        return rf"({left} \bmod {right})" if sign == r"\bmod" else f"[{left} = {right}]"
    match t:
        case Term("exp", (Term("div", (Term("log", (x,)), Term(2))),)):
            return rf"\sqrt{{{_latex(x, symbols)}}}"
    inner = [_latex(a, symbols) for a in t.arguments]
    match t.head:
        case "div":
            return rf"\frac{{{inner[0]}}}{{{inner[1]}}}"
        case "min":
            return rf"\min({', '.join(inner)})"
        case "binom":
            return rf"\binom{{{inner[0]}}}{{{inner[1]}}}"
        case "floor":
            return rf"\left\lfloor {inner[0]} \right\rfloor"
        case "exp" | "log":
            return rf"\{t.head}\left({inner[0]}\right)"
        case "sum":
            body = inner[3] if t.arguments[3].head == "sum" else _wrapped(t.arguments[3], inner[3], 2)
            return rf"\sum_{{{inner[0]}={inner[1]}}}^{{{inner[2]}}} {body}"
        case "exptrunc":
            return rf"\sum_{{j=0}}^{{{inner[0]}}} \frac{{1}}{{j!}} \left({inner[1]}\right)^{{j}}"
        case "neg":
            return "-" + _wrapped(t.arguments[0], inner[0], 2)
        case "pow":
            return rf"{_wrapped(t.arguments[0], inner[0], 5)}^{{{inner[1]}}}"
        case "mul":
            left, right = _wrapped(t.arguments[0], inner[0], 2), _wrapped(t.arguments[1], inner[1], 2)
            return rf"{left} \cdot {right}" if right[0].isdigit() else rf"{left} \, {right}"
        case _:
            sign = "+" if t.head == "add" else "-"
            return f"{inner[0]} {sign} {_wrapped(t.arguments[1], inner[1], 1 if sign == '+' else 2)}"


def _abbreviated(t: Term) -> tuple[str, Term, Term] | None:
    """The sign and the two terms of what `modulo` or `same` has written, or of a maximum: x + y - min(x, y)."""
    match t:
        case Term("sub", (x, Term("mul", (d, Term("floor", (Term("div", (y, e)),)))))) if (x, d) == (y, e):
            return r"\bmod", x, d
        case Term("sub", (Term(1), Term("min", (Term("pow", (Term("sub", (x, y)), Term(2))), Term(1))))):
            return "=", x, y
        case Term("sub", (Term("add", (x, y)), Term("min", (a, b)))) if (a, b) == (x, y):
            return r"\max", x, y
    return None


def _wrapped(argument: Term, inner: str, needed: int) -> str:
    if _abbreviated(argument) is not None:
        precedence = _PRECEDENCE["min"]
    elif argument.arguments:
        precedence = _PRECEDENCE[cast(str, argument.head)]
    elif "^" in inner:  # a symbol such as e^{\epsilon}: itself a power
        precedence = _PRECEDENCE["pow"]
    else:
        precedence = _PRECEDENCE["neg"] if isinstance(argument.head, int) and argument.head < 0 else 9
    return rf"\left({inner}\right)" if precedence < needed else inner
