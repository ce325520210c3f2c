"""Random sentences about numbers, lists and logarithms, and what is true of them: lists, fractions, and 200 digits of
logarithms (equal ones agree in all of them). Of what is attacked only the ways to propose evidence are imported.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import reduce
from itertools import combinations_with_replacement, product
from math import comb
from operator import add, mul, neg, sub
from random import Random
from typing import Any

from mpmath import mp, mpf

from attack import prover
from attack.prover import Attempt
from attack.worlds import MeaninglessError, UndecidedError, names, value
from dp_kernel.finite import sentences
from dp_kernel.finite.models import model_at

Json = dict[str, Any]
Number = Fraction | mpf
DIGITS = 200
CLOSE = mpf(10) ** -150
MANY = 100_000
"""Lists that are made at most."""
REALS = (Fraction(1, 3), Fraction(5, 2), Fraction(1), Fraction(7), Fraction(101, 100))
ARITHMETIC = ("add", "sub", "mul", "div", "pow", "binom", "neg")
EXACT: dict[str, Callable[..., Any]] = {"add": add, "sub": sub, "mul": mul, "neg": neg}
"""What is the same of fractions and of logarithms."""
At = Mapping[str, Any]
"""Values of names."""


# --- what is true -----------------------------------------------------------------------------------------------------


def contradiction(statement: Json, verdict: str, evidence: Json, choose: Callable[[int], int]) -> tuple[str, bool]:
    """Why an accepted verdict is wrong ("" if it is not seen to be), and whether the truth was known at all."""
    variables = statement["domain"]["variables"]
    if verdict == "refuted":
        point = {name: Fraction(x) for name, x in evidence["instance"].items()}
        if not inside(statement["domain"], point):
            return "the point lies outside the domain", True
        return ("the case holds", True) if is_case_true(statement["sentence"], evidence["case"], point) else ("", True)
    is_true = truth(statement["sentence"])
    for at in evidence["instances"]:
        for _ in range(3):
            point = {name: Fraction(at[name]) if name in at else REALS[choose(len(REALS))] for name in variables}
            if not inside(statement["domain"], point):
                if all(name in at for name in variables):
                    return "an instance outside the domain", True
                continue
            if not is_true(point):
                return f"false at {point}", True
    return "", True


def inside(domain: Json, point: dict[str, Fraction]) -> bool:
    """Whether a point lies in a domain."""
    for name, spec in domain["variables"].items():
        x = point[name]
        low = x > spec["min"] or (x == spec["min"] and not (spec["strict"] or spec["unit"]))
        if not low or (spec["unit"] and x >= 1) or (spec["integer"] and x.denominator != 1):
            return False
    return all(value(tree, point) >= 0 for tree in domain["constraints"])


def is_case_true(of: Any, case: Json, at: At) -> bool:
    """The same of one case of the variables that a sentence begins with."""
    rest, point = dict(case), dict(at)
    while of[0] == "all":
        x = _tupled(rest.pop(of[1]))
        if not any(same(x, y) for y in meaning(of[2])(point)):
            raise MeaninglessError("a case that is none")
        point[of[1]] = x
        of = of[3]
    if rest:
        raise MeaninglessError("a case of other variables")
    return truth(of)(point)


def truth(of: Any) -> Callable[[At], bool]:
    """Whether a sentence is true, by the values of its names."""
    match of:
        case ["not", inner]:
            denied = truth(inner)
            return lambda at: not denied(at)
        case ["and" | "or", *parts]:
            one, other = map(truth, parts)
            return (lambda at: one(at) and other(at)) if of[0] == "and" else (lambda at: one(at) or other(at))
        case ["all" | "some", name, things, inner]:
            some, true, quantified = meaning(things), truth(inner), all if of[0] == "all" else any
            return lambda at: quantified(true({**at, name: x}) for x in some(at))
        case ["in", thing, things]:
            x, some = meaning(thing), meaning(things)
            return lambda at: _number_of(x(at), some(at)) > 0
        case ["eq" | "le", *sides]:
            left, right = map(meaning, sides)
            return lambda at: _is_related(of[0], left(at), right(at))
    return _unknown(f"no truth of {of[0]}")


def _unknown(why: str) -> Callable[[At], Any]:
    def undecided(at: At) -> Any:
        raise UndecidedError(why)

    return undecided


def _is_related(relation: str, a: Any, b: Any) -> bool:
    return same(a, b) or (relation == "le" and bool(_number(a) < _number(b)))


def _number_of(x: Any, things: Iterable[Any]) -> int:
    """How often something is in a list."""
    return sum(same(x, y) for y in things)


def same(a: Any, b: Any) -> bool:
    """Whether two numbers, or two lists, are equal."""
    if a is b or (isinstance(a, Fraction) and isinstance(b, Fraction)):
        return bool(a == b)
    if isinstance(a, tuple) != isinstance(b, tuple):
        return False
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, mpf) or isinstance(b, mpf):
        with mp.workdps(DIGITS):
            return bool(abs(_number(a) - _number(b)) < CLOSE)
    return False


def meaning(of: Any) -> Callable[[At], Any]:
    """A number, or a list, by the values of its names."""
    match of:
        case str():
            return lambda at: _bound(of, at)
        case int():
            number = Fraction(of)
            return lambda at: number
        case ["size", things]:
            some = meaning(things)
            return lambda at: Fraction(len(some(at)))
        case ["count", *parts]:
            data, x = map(meaning, parts)
            return lambda at: Fraction(_number_of(x(at), data(at)))
        case ["at", *parts]:
            data, place = map(meaning, parts)
            return lambda at: _at(data(at), _natural(place(at)))
        case ["number", test]:
            true = truth(test)
            return lambda at: Fraction(true(at))
        case ["total" | "product", name, things, inner]:
            some, one, combined = meaning(things), meaning(inner), "mul" if of[0] == "product" else "add"
            return lambda at: reduce(
                lambda total, x: _combined(combined, [total, one({**at, name: x})]),
                some(at),
                Fraction(of[0] == "product"),
            )
        case ["min", *parts]:
            left, right = map(meaning, parts)
            return lambda at: _least(left(at), right(at))
        case ["log", x]:
            argument = meaning(x)
            return lambda at: _logarithm(argument(at))
        case ["laplace", *vectors]:
            one, other, scales = map(meaning, vectors)
            return lambda at: _loss(one(at), other(at), scales(at))
        case [name, *arguments] if name in ARITHMETIC:
            numbers = [*map(meaning, arguments)]
            return lambda at: _combined(name, [x(at) for x in numbers])
    return _kept(names(of), _listing(of))


def _kept(texts: Iterable[str], things: Callable[[At], Any]) -> Callable[[At], Any]:
    """The same list as the last time, where no name that stands in it has another value."""
    free = [*texts]
    last: list[tuple[Any, Any]] = [((), ())]

    def listing(at: At) -> Any:
        values = tuple(map(at.get, free))
        if last[0][0] != values:
            last[0] = values, things(at)
        return last[0][1]

    return listing


def _listing(of: Any) -> Callable[[At], tuple[Any, ...]]:
    match of:
        case ["from", *ends]:
            low, high = map(meaning, ends)
            return lambda at: tuple(map(Fraction, range(_natural(low(at)), _natural(high(at)))))
        case ["lists" | "multisets", things, number]:
            some, size = meaning(things), meaning(number)
            return lambda at: _lists(some(at), _natural(size(at)), of[0] == "lists")
        case ["events", things]:
            some = meaning(things)
            return lambda at: _events(some(at))
        case ["only", thing]:
            x = meaning(thing)
            return lambda at: (x(at),)
        case ["joined", *parts]:
            one, other = map(meaning, parts)
            return lambda at: (*one(at), *other(at))
        case ["those", name, things, test]:
            some, true = meaning(things), truth(test)
            return lambda at: tuple(x for x in some(at) if true({**at, name: x}))
        case ["listed", name, things, inner]:
            some, one = meaning(things), meaning(inner)
            return lambda at: tuple(one({**at, name: x}) for x in some(at))
        case ["union", name, things, inner]:
            some, one = meaning(things), meaning(inner)
            return lambda at: _union(one({**at, name: x}) for x in some(at))
    return _unknown(f"no value of {of[0]}")


def _bound(name: str, at: At) -> Any:
    if name not in at:
        raise MeaninglessError(f"unknown name {name}")
    return at[name]


def _at(data: Any, place: int) -> Any:
    if place >= len(data):
        raise MeaninglessError("no such place")
    return data[place]


def _lists(elements: Any, size: int, ordered: bool) -> tuple[Any, ...]:
    many = len(elements) ** min(size, 64) if ordered else comb(max(len(elements) + size - 1, size), size)
    if many > MANY:
        raise UndecidedError("too many lists")
    return tuple(product(elements, repeat=size) if ordered else combinations_with_replacement(elements, size))


def _events(elements: Any) -> tuple[Any, ...]:
    if 2 ** len(elements) > MANY:
        raise UndecidedError("too many events")
    chosen = sorted(product((False, True), repeat=len(elements)), key=sum)
    return tuple(tuple(x for x, kept in zip(elements, keep, strict=True) if kept) for keep in chosen)


def _union(lists: Iterable[Any]) -> tuple[Any, ...]:
    joined: list[Any] = []
    for things in lists:
        joined += [y for y in things if not any(same(y, z) for z in joined)]
    return tuple(joined)


def _least(a: Any, b: Any) -> Any:
    return a if same(a, b) or _number(a) < _number(b) else b


def _logarithm(argument: Any) -> mpf:
    if argument <= 0:
        raise MeaninglessError("the logarithm of no positive number")
    with mp.workdps(DIGITS):
        return mp.log(_number(argument))


def _loss(one: Any, other: Any, scales: Any) -> Any:
    gaps = [_combined("sub", [a, b]) for a, b in zip(one, other, strict=True)]
    with mp.workdps(DIGITS):  # where `abs` and `sum` round as well
        parts = [_combined("div", [abs(gap), b]) for gap, b in zip(gaps, scales, strict=True)]
        return sum(parts, Fraction(0))


def _combined(name: str, numbers: list[Any]) -> Any:
    if all(isinstance(x, Fraction) for x in numbers):
        return EXACT[name](*numbers) if name in EXACT else value([name, *numbers], {})
    with mp.workdps(DIGITS):
        a = [_number(x) for x in numbers]
        if name in EXACT:
            return EXACT[name](*a)
        if name == "div" and not same(numbers[1], Fraction(0)):
            return a[0] / a[1]
    raise UndecidedError(f"{name} of logarithms")


def _number(x: Any) -> mpf:
    with mp.workdps(DIGITS):
        return mp.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mp.mpf(x)


def _natural(quantity: Any) -> int:
    if not isinstance(quantity, Fraction) or quantity.denominator != 1 or quantity < 0:
        raise MeaninglessError("no natural number")
    return int(quantity)


def _tupled(x: Any) -> Any:
    return tuple(map(_tupled, x)) if isinstance(x, list | tuple) else Fraction(x)


# --- what is tried ----------------------------------------------------------------------------------------------------

WHOLE = {"min": 1, "strict": False, "integer": True, "unit": False}
RANGES = (
    {"min": 0, "strict": True, "integer": False, "unit": False},
    {"min": 1, "strict": False, "integer": False, "unit": False},
    {"min": 0, "strict": False, "integer": False, "unit": True},
)


def attempts(rng: Random) -> Iterator[Attempt]:
    """A random sentence in n, t or both, with what the kernel shows of it, and what it does not."""
    of = sentence(rng, 3, ["n"], ["t"])
    used = names({"sentence": of})
    variables = {name: x for name, x in {"n": WHOLE, "t": rng.choice(RANGES)}.items() if name in used}
    domain: Json = {"variables": variables, "constraints": []}
    if "n" in used and rng.random() < 0.2:
        domain["constraints"] = [["sub", "n", rng.choice((1, 2))]]
    yield from shown({"type": "arithmetic", "domain": domain, "sentence": of}, rng)


def shown(statement: Json, rng: Random, most: int = 4) -> Iterator[Attempt]:
    """That a sentence holds at some n, and a case in which the kernel finds it false there; else any case."""
    of, variables = statement["sentence"], statement["domain"]["variables"]
    for n in rng.sample(range(1, most + 1), 2):
        yield statement, "verified", {"instances": [{name: n for name in variables if name == "n"}]}
        with suppress(*prover.ERRORS):
            point = {name: n if name == "n" else str(rng.choice(reals(spec))) for name, spec in variables.items()}
            model = model_at(statement, point)
            listed = [*sentences.cases(of, model, {})]
            false = [case for case, said in listed if sentences.truth(said, model, case) is False]
            case = {name: _plain(x) for name, x in rng.choice(false or [case for case, _ in listed]).items()}
            yield statement, "refuted", {"instance": point, "case": case}


def reals(spec: Json) -> list[Fraction]:
    """The numbers that are tried of a range."""
    return [x for x in REALS if x >= spec["min"] and not (spec["unit"] and x >= 1)]


def _plain(x: Any) -> Any:
    return [*map(_plain, x)] if isinstance(x, tuple) else int(x)


def sentence(rng: Random, depth: int, numbers: list[str], reals: list[str], lists: tuple[str, ...] = ()) -> Any:
    """A sentence over names of integers, of other numbers and of lists of integers."""
    drawn = rng.random()
    if depth and drawn < 0.35:
        name = f"x{len(numbers)}"
        inner = sentence(rng, depth - 1, [*numbers, name], reals, lists)
        return [rng.choice(("all", "all", "some")), name, integers(rng, numbers, lists), inner]
    if depth and drawn < 0.5:
        name = f"l{len(lists)}"
        made = [rng.choice(("lists", "multisets")), integers(rng, numbers, ()), rng.choice((1, 2, 2))]
        return ["all", name, made, sentence(rng, depth - 1, numbers, reals, (*lists, name))]
    if depth and drawn < 0.65:
        parts = (sentence(rng, depth - 1, numbers, reals, lists) for _ in "12")
        return [rng.choice(("and", "or")), *parts]
    if depth and drawn < 0.75:
        return ["not", sentence(rng, depth - 1, numbers, reals, lists)]
    if drawn < 0.82:
        return ["in", rng.choice(numbers), integers(rng, numbers, lists)]
    if drawn < 0.88:
        return rng.choice(
            (
                ["in", number(rng, 1, numbers, reals, lists), varying(rng, numbers, reals)],
                ["eq", varying(rng, numbers, reals), varying(rng, numbers, reals)],
                ["le", rng.choice((1, *numbers)), ["count", varying(rng, numbers, reals), rng.choice((1, *reals))]],
            )
        )
    sides = [number(rng, 2, numbers, reals, lists) for _ in "12"]
    if rng.random() < 0.3:
        sides[1] = rng.choice((sides[0], ["add", sides[0], rng.choice((0, 1, *numbers))], ["mul", 1, sides[0]]))
    return [rng.choice(("le", "le", "eq")), *sides]


def integers(rng: Random, numbers: list[str], lists: tuple[str, ...]) -> Any:
    """A list of integers."""
    made: list[Any] = [["from", rng.choice((0, 1)), rng.choice((2, 3, *numbers))], *lists, *lists]
    made.append(["joined", made[0], ["only", rng.choice((0, 2, *numbers))]])
    made.append(["those", "kept", made[0], rng.choice((["le", "kept", 1], ["not", ["eq", "kept", 1]]))])
    made.append(["listed", "each", made[0], ["add", "each", rng.choice((1, *numbers))]])
    made.append(["union", "each", made[0], ["only", ["min", "each", 1]]])
    return rng.choice(made)


def varying(rng: Random, numbers: list[str], reals: list[str]) -> Any:
    """A list of numbers that vary."""
    ends = [["only", rng.choice((0, 1, *numbers, *reals, ["mul", 2, rng.choice(reals)]))] for _ in "12"]
    each = ["listed", "each", ["from", 0, 2], ["mul", "each", rng.choice((1, *reals))]]
    return rng.choice((ends[0], ["joined", *ends], each))


def number(rng: Random, depth: int, numbers: list[str], reals: list[str], lists: tuple[str, ...]) -> Any:
    """A number: of integers, of the other variables, of logarithms, of lists."""
    if not depth or rng.random() < 0.3:
        return rng.choice((0, 1, 2, 3, *numbers, *numbers, *reals))
    things = integers(rng, numbers, lists)
    inner = number(rng, depth - 1, numbers, reals, lists)
    positive = rng.choice((2, 3, 6, ["add", rng.choice(numbers), 1], ["div", 2, 3], ["add", ["size", things], 1]))
    scales = ["listed", "scale", things, rng.choice((1, 2, ["log", 2]))]
    other = ["listed", "moved", things, rng.choice((0, ["add", "moved", 1], ["log", ["add", "moved", 2]]))]
    made: tuple[Any, ...] = (
        [rng.choice(("add", "sub", "mul", "min")), inner, number(rng, depth - 1, numbers, reals, lists)],
        ["div", inner, positive],
        ["pow", rng.choice((2, *reals, rng.choice(numbers))), rng.choice((0, 2, *numbers))],
        ["neg", inner],
        ["log", positive],
        ["mul", rng.choice((2, 3)), ["log", rng.choice((2, 3, 6))]],
        ["size", things],
        ["count", things, rng.choice((0, 1, *numbers))],
        ["at", things, rng.choice((0, 1))],
        ["size", ["events", things]],
        ["binom", rng.choice((2, 3, *numbers)), rng.choice((1, 2))],
        ["number", ["in", rng.choice(numbers), things]],
        [rng.choice(("total", "product")), "y", things, rng.choice(("y", ["add", "y", 1], ["pow", 2, "y"], inner))],
        ["laplace", things, other, scales],
    )
    return rng.choice(made)
