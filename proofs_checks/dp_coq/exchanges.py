"""Evidence for ratios of reports of bits, or of a drawn item, at all sizes: factors of exchanged items, why they add up
to the exponent of the bound, and sets that reach it. Not trusted: what is wrong is refused."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dp_coq import data_sets, laws
from dp_coq.expressions import Outside, expression, flag, listed, rational
from dp_coq.shapes import all_sensitive
from dp_coq.statements import compared
from dp_coq.values import evaluate

RELATIONS = {"ldp": "Ldp", "deniability": "Deniability", "samenon": "Samenon", "joint": "Joint", "marginal": "Marginal"}
Place = tuple[bool, bool, bool]
"""Whether an item is sensitive, whether the one set has it, whether the other one has."""
LOST, LOST_OTHER = (True, True, False), (False, True, False)
GAINED, GAINED_OTHER = (True, False, True), (False, False, True)
EXCHANGED: tuple[Place, ...] = (LOST, LOST_OTHER, GAINED, GAINED_OTHER)
COMMON: tuple[Place, ...] = ((True, True, True), (False, True, True))
PLACES: tuple[Place, ...] = (*EXCHANGED, *COMMON, (True, False, False), (False, False, False))
"""In the order of `checker/Places.v`."""
VECTOR = (("ss", "sn", "sb"), ("ns", "nn", "nb"), ("ss", "ns", "bs"), ("sn", "nn", "bn"), ("g",), ("h",))
"""Which exchanges of the kernel the numbers of items at the first six places consist of."""
LARGEST_RATE, DEPTH = 4, 8
Points = Sequence[Mapping[str, Fraction]]
"""Values of the names of a law, at which what holds everywhere is guessed."""
Form = dict[str, Fraction]
"""A linear expression: coefficients by names; that of "" is the constant."""


def linear(tree: Any) -> Form:
    """The coefficients of a linear expression. Raises `Outside` for another one."""
    match tree:
        case int():
            return {"": Fraction(tree)}
        case str():
            return {tree: Fraction(1)}
        case ["neg", part]:
            return scaled(linear(part), Fraction(-1))
        case ["add", first, second]:
            return plus(linear(first), linear(second))
        case ["sub", first, second]:
            return plus(linear(first), scaled(linear(second), Fraction(-1)))
        case ["mul", int() as number, part] | ["mul", part, int() as number]:
            return scaled(linear(part), Fraction(number))
    raise Outside("exponents that are not linear")


def scaled(form: Form, number: Fraction) -> Form:
    return {name: number * x for name, x in form.items()}


def plus(one: Form, other: Form) -> Form:
    return {name: one.get(name, Fraction(0)) + other.get(name, Fraction(0)) for name in one.keys() | other.keys()}


def from_least(form: Form, least: Mapping[str, int]) -> Form:
    """The form in what names exceed their least values by."""
    constant = sum((x * least.get(name, 0) for name, x in form.items()), form.get("", Fraction(0)))
    return {**form, "": constant}


def multipliers(gap: Form, stated: Sequence[Form], depth: int = DEPTH) -> dict[int, int] | None:
    """How often forms that are >= 0 are subtracted until no coefficient is negative; nothing where it takes more."""
    low = next((name for name, x in sorted(gap.items()) if x < 0), None)
    if low is None:
        return {}
    for number, form in enumerate(stated if depth else ()):
        if form.get(low, Fraction(0)) < 0:
            rest = multipliers(plus(gap, scaled(form, Fraction(-1))), stated, depth - 1)
            if rest is not None:
                return {**rest, number: rest.get(number, 0) + 1}
    return None


@dataclass(frozen=True)
class Sizes:
    """The names of a law, what is stated of them, and the least values that they have."""

    names: Mapping[str, int]
    stated: tuple[Any, ...]
    least: Mapping[str, int]

    def step(self, low: Any, high: Any, factor: Any = 1) -> str:
        """The step that shows low <= high, or this for their multiples by what is > 0. Raises `Outside` where none is
        known."""
        for depth in range(DEPTH):
            gap = from_least(linear(["sub", high, low]), self.least)
            used = multipliers(gap, [from_least(linear(tree), self.least) for tree in self.stated], depth)
            if used is not None:
                trees = {n: x if factor == 1 else ["mul", x, factor] for n, x in sorted(used.items())}
                written = listed([f"({n}%nat, {expression(tree, self.names)})" for n, tree in trees.items()])
                return f"Step (Cst 1) {written} [] None"
        raise Outside("sizes that are not compared")

    def steps(self, relations: Sequence[tuple[Any, Any]]) -> str:
        return listed([self.step(low, high) for low, high in relations])

    def where(self, tree: Any) -> "Sizes":
        return Sizes(self.names, (*self.stated, tree), self.least)


@dataclass(frozen=True)
class Reading:
    """Which sets a ratio compares, of which sizes, and its bound."""

    relation: str
    sizes: tuple[Any, Any]
    bound: Any

    def facts(self, numbers: Sequence[Any]) -> list[Any]:
        """What is >= 0 of compared sets, as `checker/Vectors.v` lists it."""
        lost, lost_other, gained, gained_other, common, common_other = numbers
        one = ["add", ["add", lost, lost_other], ["add", common, common_other]]
        other = ["add", ["add", gained, gained_other], ["add", common, common_other]]
        low, high = self.sizes
        rooms = [
            ["sub", "K", ["add", ["add", lost, gained], common]],
            ["sub", "N", ["add", ["add", lost_other, gained_other], common_other]],
        ]
        both = [tree for size in (one, other) for tree in (["sub", size, low], ["sub", high, size])]
        new = ["add", gained, gained_other]
        more: dict[str, list[Any]] = {
            "deniability": [["sub", lost, 1], ["sub", 1, lost], ["neg", lost_other], ["sub", new, 1], ["sub", 1, new]],
            "samenon": [["neg", lost_other], ["neg", gained_other]],
        }
        return [*rooms, *both, *more.get(self.relation, [])]

    def absent(self) -> tuple[Place, ...]:
        """The places where no item of such sets is."""
        gone = {"deniability": (LOST_OTHER,), "samenon": (LOST_OTHER, GAINED_OTHER)}
        return gone.get(self.relation, ())

    def compares(self, place: Place, bit: bool) -> bool:
        sensitive, one, other = place
        return self.relation != "joint" or sensitive or not bit or (one and other)

    def chance(self, rows: Any, place: Place, held: bool, bit: bool) -> Any:
        """The chance of what is compared of a bit."""
        row = rows.get(("sen" if place[0] else "non") + str(int(held)), {})
        if self.relation == "marginal" and not place[0]:
            return ["add", row.get("1", 0), row.get("0", 0)]
        return row.get(str(int(bit)), 0)


@dataclass(frozen=True)
class Factors:
    """Powers of the base, and a shift, that bound the factors of items at the places where they are exchanged."""

    base: str
    shift: Any
    rates: Mapping[Place, int]

    def total(self, numbers: Sequence[Any]) -> Any:
        first, second, third, fourth = (
            ["mul", self.rates[place], number] if place in self.rates else 0
            for place, number in zip(EXCHANGED, numbers, strict=False)
        )
        return ["add", ["add", first, second], ["add", third, fourth]]

    def adding_up(self, exponent: Any, numbers: Sequence[Any]) -> list[tuple[Any, Any]]:
        """What shows that the powers are at most the exponent, as in `checker/Vectors.v`."""
        none = [(number, 0) for place, number in zip(EXCHANGED, numbers, strict=False) if place not in self.rates]
        lost, gained = ["add", numbers[0], numbers[1]], ["add", numbers[2], numbers[3]]
        balance = [] if self.shift == 1 else [(lost, gained), (gained, lost)]
        return [(self.total(numbers), exponent), *none, *balance]

    def exactly(self, exponent: Any) -> Callable[[Sequence[Any], Sizes], list[str]]:
        """The steps which show that the powers of some numbers are the exponent."""

        def last(numbers: Sequence[Any], there: Sizes) -> list[str]:
            relations = [(exponent, self.total(numbers)), *self.adding_up(exponent, numbers)]
            return [there.step(low, high) for low, high in relations]

        return last

    def vector(self) -> str:
        """The powers by places, of which the last two have none."""
        rates = [f"(Some {self.rates[place]}%nat)" if place in self.rates else "None" for place in EXCHANGED]
        return f"(Vector {' '.join([*rates, 'None', 'None'])})"

    def text(self, names: Mapping[str, int]) -> str:
        return f"(Rated {names[self.base]} {expression(self.shift, names)} {self.vector()})"


def ratio(statement: Any, evidence: Any) -> str:
    """For a ratio, or a smallest constant: a point, the factors, why they add up, who reaches it. Raises `Outside`
    where reports are neither bits nor of a drawn item."""
    law = statement["law"]
    match law["term"]:
        case ["push", "bits", ["each", "items", ["row", rows]]]:
            proof = of_bits(statement, evidence, rows)
        case ["push", "bits", ["drawn", ["each", "items", ["row", rows]]]] if "constant" in statement:
            if reading_of(statement).relation == "marginal" and not all_sensitive(law["term"]):
                raise Outside("what is seen of bits of one item")
            high, low = (["div", rows["sen1"].get(bit, 0), rows["sen0"].get(bit, 0)] for bit in ("1", "0"))
            proof = of_weights(statement, evidence, high, low, single=False)
        case ["push", "bits", ["drawn", ["each", "items", ["row", rows]]]]:
            proof = of_drawn_bits(statement, rows)
        case ["push", "one", ["drawn", ["row", rows]]] if "constant" in statement:
            high, low = (["add", rows["sen"].get(name, 0), rows["sen"].get("any", 0)] for name in ("own", "other"))
            proof = of_weights(statement, evidence, high, low, single=True)
        case ["push", "one", ["drawn", ["row", _]]]:
            proof = f"{derived(statement, Factors(law['base'], 1, {}), '[]')} {NOBODY}"
        case _:
            raise Outside(f"{statement['type']} at all sizes")
    place = {"n": 1, "f": 0, "g": 0, **smallest_sizes(statement)}
    point = listed([rational(Fraction(place[name])) for name in laws.names_of(law)])
    return f"(Compared (RatioProof {point} {proof}))"


def smallest_sizes(statement: Any) -> dict[str, Any]:
    """Small values of the names of the law, at which the statement says something."""
    at = next(data_sets.small(statement["law"], statement["where"]), None)
    if at is None:
        raise Outside("no small sizes")
    return at


def derived(statement: Any, factors: Factors, adding: str) -> str:
    return f"(Derived {reading_text(statement)} {factors.text(laws.names_of(statement['law']))} {adding})"


def of_drawn_bits(statement: Any, rows: Any) -> str:
    """The factors of bits of one drawn item, as of one exchange: what shows no other item is possible in both sets."""
    law = statement["law"]
    relation, sizes, bound = compared(statement, law["term"][1])
    reading = Reading("marginal" if relation == "marginal" else "joint", sizes, bound)
    proposed = [*proposals(reading, rows, law, smallest_sizes(statement))]
    factors = min(proposed, key=lambda factors: sum(factors.rates.values()))
    return f"{derived(statement, factors, '[]')} {NOBODY}"


def of_weights(statement: Any, evidence: Any, high: Any, low: Any, single: bool) -> str:
    """For a smallest constant of a drawn item, whose weight is high where a report shows it, and low where not: why no
    set shows more, and who shows so many. The constant is that of as many shown items as it may be, one or m."""
    reading, law = reading_of(statement), statement["law"]
    size, sizes = reading.sizes[0], own_sizes(law, statement["where"])
    places = samples(law, smallest_sizes(statement))
    at = [*places, *({**place, "m": place["m"] + 2, "K": place["K"] + 3} for place in places)]
    more = ["sub", high, low]

    def makes(number: Any) -> bool:
        """Whether the constant is that of so many shown items."""
        first = ["add", ["mul", size, low], ["mul", number, more]]
        return all(evaluate(first, x) == evaluate(["mul", reading.bound, ["mul", size, low]], x) for x in at)

    largest = next(filter(makes, (1, size)), None)
    if largest is None:
        raise Outside("constants of other numbers of shown items")
    numbers = [f"[{number}]" for number in range(len(VECTOR))]
    around = sizes
    for fact in reading.facts(numbers):
        around = around.where(fact)
    adding = listed([around.step(1 if single else numbers[0], largest, more)])

    def extreme(numbers: Sequence[Any], there: Sizes) -> list[str]:
        return [there.step(1, numbers[0]), there.step(largest, 1 if single else numbers[0], more)]

    factors = Factors(law["base"], 1, {})
    cases = reaches(evidence["cases"], reading, extreme, sizes)
    return f"{derived(statement, factors, adding)} {factors.vector()} [] {cases}"


def reading_of(statement: Any) -> Reading:
    return Reading(*compared(statement, statement["law"]["term"][1]))


def of_bits(statement: Any, evidence: Any, rows: Any) -> str:
    """The factors of bits of all items, why they add up to the exponent, and who reaches the constant."""
    law, at = statement["law"], smallest_sizes(statement)
    reading = reading_of(statement)
    match reading.bound:
        case ["pow", base, exponent] if base == law["base"]:
            pass
        case base if base == law["base"]:
            exponent = 1
        case _:
            raise Outside("bounds that are no powers")
    sizes = own_sizes(law, statement["where"])
    failed = Outside("no factors")
    for factors in proposals(reading, rows, law, at):
        try:
            adding = adds_up(reading, factors, exponent, sizes)
            reach = NOBODY
            if "constant" in statement:
                bits = {place: reaching(reading, factors, rows, place, samples(law, at)) for place in PLACES}
                rates = {place: rate for place, rate in factors.rates.items() if bits[place] is not None}
                used = Factors(factors.base, factors.shift, rates)
                cases = reaches(evidence["cases"], reading, used.exactly(exponent), sizes)
                reach = f"{used.vector()} {listed([flag(bool(bit)) for bit in bits.values()])} {cases}"
        except Outside as reason:
            failed = reason
        else:
            return f"{derived(statement, factors, adding)} {reach}"
    raise failed


def reading_text(statement: Any) -> str:
    """The reading of a ratio, which the checker makes the sentence of."""
    relation, sizes, bound = compared(statement, statement["law"]["term"][1])
    limits = " ".join(expression(tree, laws.names_of(statement["law"])) for tree in (*sizes, bound))
    flags = f"{flag('constant' in statement)} {flag(statement['counted'] == 'nonempty')}"
    return f"(Reading {RELATIONS[relation]} {limits} {flags})"


NOBODY = f"(Vector {' '.join(['None'] * 6)}) [] (Leaf (Vector {' '.join(['(Cst 0)'] * 6)}) [])"
"""What a ratio has in the place of those who reach it."""


def own_sizes(law: Any, where: Sequence[Any]) -> Sizes:
    """The names of a law, and what `laws.sizes` states of them."""
    stated = [*where, ["sub", ["add", "K", "N"], "m"]] + ([["neg", "N"]] if all_sensitive(law["term"]) else [])
    return Sizes(laws.names_of(law), tuple(stated), {"K": 1, "m": 1, "n": 1, law["base"]: 1, **law.get("integers", {})})


def samples(law: Any, at: Mapping[str, Any]) -> list[dict[str, Fraction]]:
    """Values of the names of a law, at which its chances are compared."""
    values = {name: Fraction(x) for name, x in at.items()}
    shares = dict.fromkeys(law["parameters"], Fraction(1, 3))
    return [values, {**values, law["base"]: Fraction(7, 2)}, {**values, **shares, law["base"]: Fraction(9, 8)}]


def proposals(reading: Reading, rows: Any, law: Any, at: Mapping[str, Any]) -> Iterator[Factors]:
    """Factors that seem to bound what laws of bits say; the shift is 1, or how much likelier held items are shown."""
    points = samples(law, at)
    quotient = ["div", rows["sen1"].get("1", 0), rows["sen0"].get("1", 0)]
    for shift in (1, quotient):
        rates = {}
        for place in EXCHANGED:
            if place not in reading.absent():
                rate = smallest_rate(reading, Factors(law["base"], shift, {}), rows, place, points)
                if rate is not None:
                    rates[place] = rate
        yield Factors(law["base"], shift, rates)


def sides(reading: Reading, factors: Factors, rows: Any, place: Place, bit: bool) -> tuple[Any, Any]:
    """What is compared at a place, without the power of the base."""
    one, other = (reading.chance(rows, place, held, bit) for held in place[1:])
    lost = place[1] and not place[2]
    return (one, ["mul", factors.shift, other]) if lost else (["mul", factors.shift, one], other)


def smallest_rate(reading: Reading, factors: Factors, rows: Any, place: Place, points: Points) -> int | None:
    """The least power of the base that seems to bound the factors at a place."""
    pairs = [sides(reading, factors, rows, place, bit) for bit in (False, True) if reading.compares(place, bit)]
    return next(
        (
            rate
            for rate in range(LARGEST_RATE + 1)
            if all(evaluate(a, at) <= at[factors.base] ** rate * evaluate(b, at) for at in points for a, b in pairs)
        ),
        None,
    )


def reaching(reading: Reading, factors: Factors, rows: Any, place: Place, points: Points) -> bool | None:
    """The bit that seems to reach the bound at a place, if there is one."""
    power = factors.rates.get(place, 0)
    for bit in (True, False):
        one, other = sides(reading, factors, rows, place, bit)
        equal = all(evaluate(one, at) == at[factors.base] ** power * evaluate(other, at) for at in points)
        possible = all(evaluate(reading.chance(rows, place, place[2], bit), at) > 0 for at in points)
        if reading.compares(place, bit) and possible and (equal or place not in EXCHANGED):
            return bit
    return None


def adds_up(reading: Reading, factors: Factors, exponent: Any, sizes: Sizes) -> str:
    """The steps which show that the powers of all compared sets are at most the exponent."""
    numbers = [f"[{number}]" for number in range(len(VECTOR))]
    for fact in reading.facts(numbers):
        sizes = sizes.where(fact)
    return sizes.steps(factors.adding_up(exponent, numbers))


def reaches(cases: Any, reading: Reading, last: Callable[[Sequence[Any], Sizes], list[str]], sizes: Sizes) -> str:
    """The numbers of items of sets that reach the bound, and steps that show it, the last ones of a kind of laws."""
    match cases:
        case ["if", tree, then, other]:
            no = ["sub", ["neg", tree], 1]
            parts = [(then, sizes.where(tree)), (other, sizes.where(no))]
            yes_no = " ".join(reaches(part, reading, last, there) for part, there in parts)
            return f"(Branch {expression(tree, sizes.names)} {yes_no})"
        case dict():
            numbers = [total([cases[name] for name in parts if name in cases]) for parts in VECTOR]
            exchanged = ["add", ["add", numbers[0], numbers[1]], ["add", numbers[2], numbers[3]]]
            natural = [sizes.step(0, tree) for tree in (*numbers, *reading.facts(numbers))]
            steps = listed([*natural, sizes.step(1, exchanged), *last(numbers, sizes)])
            return f"(Leaf (Vector {' '.join(expression(tree, sizes.names) for tree in numbers)}) {steps})"
    raise Outside("cases")


def total(trees: Sequence[Any]) -> Any:
    """The sum of trees."""
    first, *others = trees or [0]
    return ["add", first, total(others)] if others else first
