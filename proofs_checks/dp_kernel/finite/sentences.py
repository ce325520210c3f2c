"""Sentences: a first-order language over the sets of items, the reports and their chances in a law, or in a channel;
and over lists of numbers.

A variable runs over a listed collection; chances are numbers, or functions of e^eps. A sentence is shown to be true, or
shown to be false, at all values of the variables of the law; where neither is shown nothing is decided. Collections are
lists, equal if they are so place by place; items and sets stand in lexicographic order.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import reduce
from itertools import chain, combinations, product, repeat
from itertools import combinations_with_replacement as repeated
from typing import Any, NamedTuple

from dp_kernel import schema
from dp_kernel.cards import noise
from dp_kernel.formulas.logarithms import is_at_least_zero, logarithm
from dp_kernel.formulas.terms import calculated, natural, symbols
from dp_kernel.laws.grammar import Items, sets_of
from dp_kernel.laws.instances import is_empty
from dp_kernel.meter import Rejected, paid, pay, require
from dp_kernel.numbers.polynomial import Bound, Ratio

Values = Mapping[str, Any]
LAW, OTHER, OUTCOMES = "law", "other", "outcomes"
"""The words for the law of a statement, another one, and that of the outcomes that a report shows a function of."""

VALUES: Mapping[str, tuple[tuple[str, ...], Callable[..., Any]]] = {
    "sets": (
        ("value", "value"),
        lambda model, low, high: tuple(sets_of(paid(range(natural(low), natural(high + 1))), *model.sizes)),
    ),
    "from": (("value", "value"), lambda model, low, high: tuple(paid(range(natural(low), natural(high))))),
    "support": (("word", "value"), lambda model, law, s: tuple(paid(model.row(law, s)))),
    "chance": (("word", "value", "value"), lambda model, law, s, y: model.row(law, s).get(y, Fraction(0))),
    "behind": (("value", "value"), lambda model, s, y: _behind(model, s, y)),
    "events": (("value",), lambda model, things: _subsets(things)),
    "only": (("value",), lambda model, thing: (thing,)),
    "size": (("value",), lambda model, things: len(things)),
    "at": (("value", "value"), lambda model, data, place: data[natural(place)]),
    "count": (("value", "value"), lambda model, data, x: _count(model, data, x)),
    "joined": (("value", "value"), lambda model, one, other: tuple(paid(one + other))),
    "lists": (("value", "value"), lambda model, things, n: _of_length(n, lambda k: product(things, repeat=k))),
    "multisets": (("value", "value"), lambda model, things, n: _of_length(n, lambda k: repeated(things, k))),
    "log": (("value",), lambda model, x: logarithm(Fraction(x))),
    "laplace": (("value", "value", "value"), lambda model, *vectors: _laplace(model, *vectors)),
}
"""Sets of items of so many to so many; numbers from one to below the other; the reports that are possible for a set,
their chances, the outcomes behind one; subsets; of lists the number, a place, and how often something occurs; two of
them joined; all lists of so many things, in every order, or in one; logarithms; the loss of Laplace noise."""
FOLDS: Mapping[str, Callable[[Iterator[Any]], Any]] = {
    "union": lambda parts: tuple(dict.fromkeys(chain(*parts))),
    "total": lambda parts: reduce(lambda a, b: calculated(["add"], [a, b]), parts, 0),
    "product": lambda parts: reduce(lambda a, b: calculated(["mul"], [a, b]), parts, 1),
    "listed": tuple,
}
"""What is made of a datum for every thing of a collection."""
OPERATORS = dict.fromkeys(("add", "sub", "mul", "div", "pow", "binom", "exptrunc", "min"), 2) | {"neg": 1}
PARTS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("all", "some"), ("truth", "name", "value", "truth")),
    **dict.fromkeys(("and", "or"), ("truth", "truth", "truth")),
    "not": ("truth", "truth"),
    "empty": ("truth", "value"),
    **dict.fromkeys(("le", "eq", "in"), ("truth", "value", "value")),
    **dict.fromkeys(FOLDS, ("value", "name", "value", "value")),
    "those": ("value", "name", "value", "truth"),
    "number": ("value", "truth"),
    **{name: ("value", *sorts) for name, (sorts, _) in VALUES.items()},
    **{name: ("value",) * (1 + number) for name, number in OPERATORS.items()},
}
"""What a constructor makes, and of what: truths, values, a name that its last part may use, the word for a law."""


class Model(NamedTuple):
    """What sentences speak of: K and N, numbers and the ranges of their variables, by the word for a law the possible
    outputs of a user who holds a set and their chances, the report that shows an outcome; what is computed already."""

    sizes: tuple[int, ...]
    numbers: Values
    ranges: Mapping[str, Bound]
    row: Callable[[str, Items], Mapping[Any, Any]]
    report: Callable[[Any], Any]
    memory: dict[Any, Any]


def sentence(value: Any) -> list[Any]:
    """A sentence of these constructors, whose variables are bound; its expressions without such variables."""
    return _expressions(value, "truth", frozenset())


def _expressions(value: Any, sort: str, bound: frozenset[str]) -> list[Any]:
    pay(1)
    if sort in ("name", "word") or not isinstance(value, list):
        require(sort != "truth" and not (sort == "name" and value in bound), f"no sentence, or a name in use: {value}")
        (schema.tree if sort == "value" else schema.identifier)(value)
        return [value] if sort == "value" and value not in bound else []
    require(bool(value) and value[0] in PARTS, f"no constructor of sentences: {str(value)[:60]}")
    made, *sorts = PARTS[value[0]]
    require(made == sort and len(value) == 1 + len(sorts), f"another place, or other parts, than {value[0]} has")
    own = frozenset(value[1:2] if sorts[0] == "name" and isinstance(value[1], str) else ())
    inner = [bound] * (len(sorts) - 1) + [bound | own]
    trees = [_expressions(*part) for part in zip(value[1:], sorts, inner, strict=True)]
    if value[0] in OPERATORS and trees == [[part] for part in value[1:]]:
        return [value]
    return [*chain(*trees)]


def truth(of: Any, model: Model, at: Values) -> bool | None:
    """Whether the sentence, with these values of its variables, is shown to be true, or false; None: neither."""
    pay(1)
    match of:
        case ["le" | "eq" | "in", *sides]:
            a, b = (evaluated(side, model, at) for side in sides)
            if of[0] == "le":
                return is_at_least_zero(b - a, model.ranges) or (False if _is_positive(a - b, model) else None)
            return (_is_same if of[0] == "eq" else _is_among)(a, b, model)
        case ["not", inner]:
            return {True: False, False: True, None: None}[truth(inner, model, at)]
        case ["and" | "or", *parts]:
            truths = (truth(part, model, at) for part in parts)
        case ["all" | "some", name, things, inner]:
            truths = (truth(inner, model, {**at, name: x}) for x in evaluated(things, model, at))
        case ["empty", datum]:
            return is_empty(evaluated(datum, model, at))
        case _:
            raise Rejected("no sentence")
    return _joined(truths, decisive=of[0] in ("or", "some"))


def _joined(truths: Iterable[bool | None], *, decisive: bool) -> bool | None:
    """The truth of parts of which one that is `decisive` suffices."""
    joined: bool | None = not decisive
    for shown in truths:
        if shown is decisive:
            return decisive
        joined = None if shown is None else joined
    return joined


def evaluated(of: Any, model: Model, at: Values) -> Any:
    """The number, the datum, or the list. Raises `Rejected`, or an error that is one, where it is not defined."""
    if not isinstance(of, list):
        return of if type(of) is int else at[of] if of in at else model.numbers[of]
    pay(2)  # names and numbers among its parts pay nothing themselves
    constructor, *parts = of
    if constructor in VALUES:
        sorts, value = VALUES[constructor]
        data = [x if sort == "word" else evaluated(x, model, at) for x, sort in zip(parts, sorts, strict=True)]
        return value(model, *data)
    if constructor in FOLDS:
        name, things, inner = parts
        key = _key(of, model, at)
        if key not in model.memory:
            made = (evaluated(inner, model, {**at, name: x}) for x in evaluated(things, model, at))
            model.memory[key] = FOLDS[constructor](made)
        return model.memory[key]
    if constructor == "those":
        name, things, test = parts
        return tuple(x for x in evaluated(things, model, at) if _is_true(test, model, {**at, name: x}))
    if constructor == "number":
        return int(_is_true(of[1], model, at))
    arguments = [evaluated(x, model, at) for x in parts]
    require({int, Fraction, Ratio}.issuperset(map(type, arguments)), "arithmetic with something else than numbers")
    if constructor == "min":
        return _smaller(model, *arguments)
    defined = constructor != "div" or any(_is_positive(x, model) for x in (arguments[1], -arguments[1]))
    require(defined and (constructor != "pow" or natural(arguments[1]) >= 0), "not defined everywhere")
    whole = constructor in ("add", "sub", "mul", "neg")  # an integer of integers
    return calculated(of, arguments if whole else [Fraction(x) if type(x) is int else x for x in arguments])


def _is_same(a: Any, b: Any, model: Model) -> bool | None:
    if _is_fixed(a) and _is_fixed(b):
        return bool(a == b)
    if isinstance(a, tuple):
        return len(a) == len(b) and _joined(map(_is_same, a, b, repeat(model)), decisive=False)
    gap = a - b
    return True if gap == 0 else False if any(_is_positive(x, model) for x in (gap, -gap)) else None


def _is_among(a: Any, things: tuple[Any, ...], model: Model) -> bool | None:
    if _is_fixed(a) and _is_fixed(things):
        return a in things
    return _joined((_is_same(a, x, model) for x in things), decisive=True)


def _count(model: Model, data: tuple[Any, ...], x: Any) -> int:
    require(_is_fixed(data) and _is_fixed(x), "how often it occurs may depend on what varies")
    return data.count(x)


def _is_fixed(thing: Any) -> bool:
    """Whether nothing varies in it."""
    if type(thing) is not tuple:
        return type(thing) is not Ratio
    pay(len(thing))
    return {Ratio, tuple}.isdisjoint(map(type, thing)) or all(map(_is_fixed, thing))


def _is_positive(number: Any, model: Model) -> bool:
    return is_at_least_zero(number, model.ranges, strictly=True)


def _key(of: Any, model: Model, at: Values) -> Any:
    """What the value of an expression depends on: the expression, and what its names stand for."""
    if id(of) not in model.memory:
        model.memory[id(of)] = of, sorted(symbols(of))  # no other one gets its id while it is remembered
    return (id(of), *(_hashable(at[name]) for name in model.memory[id(of)][1] if name in at))


def _hashable(value: Any) -> Any:
    if isinstance(value, tuple):
        return value if _is_fixed(value) else tuple(map(_hashable, value))
    return f"{value.num}/{value.den}" if isinstance(value, Ratio) else value


def _of_length(n: Any, lists: Callable[[int], Iterator[Any]]) -> tuple[Any, ...]:
    length = natural(n)
    pay(length)
    return tuple(paid(lists(length), *range(length)))


def _smaller(model: Model, *numbers: Any) -> Any:
    low, high = numbers if is_at_least_zero(numbers[1] - numbers[0], model.ranges) else numbers[::-1]
    require(is_at_least_zero(high - low, model.ranges), "which is smaller depends on what varies")
    return low


def _laplace(model: Model, one: Any, other: Any, scales: Any) -> Any:
    require(all(_is_positive(b, model) for b in scales), "a scale is not > 0")
    return noise.loss([-_smaller(model, a - b, b - a) for a, b in zip(one, other, strict=True)], scales)


def _behind(model: Model, s: Items, y: Any) -> tuple[Any, ...]:
    return tuple(z for z in paid(model.row(OUTCOMES, s)) if model.report(z) == y)


def _subsets(things: tuple[Any, ...]) -> tuple[Any, ...]:
    subsets = chain.from_iterable(combinations(things, size) for size in range(len(things) + 1))
    return tuple(paid(subsets, *range(len(things))))


def _is_true(test: Any, model: Model, at: Values) -> bool:
    """The truth of the test; raises `Rejected` where it is not shown."""
    shown = truth(test, model, at)
    require(shown is not None, "true for some values of the variables, false for others")
    return shown is True


def cases(of: Any, model: Model, at: Values, only: Values | None = None) -> Iterator[tuple[Values, Any]]:
    """What a sentence says of all values (or of just these) of the variables it begins with."""
    if of[0] != "all":
        yield at, of
        return
    for x in evaluated(of[2], model, at):
        if only is None or x == only[of[1]]:
            yield from cases(of[3], model, {**at, of[1]: x}, only)
