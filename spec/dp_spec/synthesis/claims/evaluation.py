"""Formal statements of source 003, Section 4: data sets, metrics, figures."""

from dp_spec.synthesis.claims.definitions import C, P, Q, S, W, X, Y
from dp_spec.synthesis.marginals import (
    counts,
    errors,
    expected_distance,
    product_distance,
    split_errors,
    table_distance,
)
from dp_spec.synthesis.noise import geometric
from dp_spec.synthesis.tables import records, tables
from dp_spec.vocabulary.arithmetic import (
    BOTH,
    Arithmetic,
    Tree,
    distance,
    every,
    implies,
    less,
    number_of,
    those,
    total,
)
from dp_spec.vocabulary.claim import Formal, Unchecked
from dp_spec.vocabulary.error_statements import formula
from dp_spec.vocabulary.ranges import ANY_SIZE, POSITIVE, SOME, UNIT
from dp_spec.vocabulary.statement import Domain, Relation, conjunction
from dp_spec.vocabulary.term import Term, term, var

VALUES = {
    **dict.fromkeys(("age", "weight", "years of education", "gains", "losses", "hours"), 16),
    "class of work": 7,
    "education": 16,
    "marital status": 7,
    "occupation": 14,
    "relationship": 6,
    "race": 5,
    "sex": 2,
    "country": 41,
    "salary": 2,
}
"""How many values the attributes of Adult have, in records without missing values; the first six in 16 bins."""
BITS = {16: 4, 7: 3, 14: 4, 6: 3, 5: 3, 4: 2, 3: 2, 2: 1, 41: 6, 249: 8}
"""How many bits code so many values."""
PERSONS = {"race": 14, "age": 16, "native language": 3, "gender": 4, "hand": 4, "source": 5, "country": 249}
"""How many values the attributes of Big5 have by its code book, "missed" being one; age in 16 bins, the country one of
the ISO codes. Besides, there are 50 answers of 6 values."""


def _coded(values: int, bits: int) -> tuple[Relation, Relation]:
    """2^(bits - 1) < values <= 2^bits."""
    two: Term = term(2)
    return ("lt", two ** (bits - 1), term(values)), ("le", term(values), two**bits)


def _sum(numbers: list[int]) -> Term:
    return sum(map(term, numbers[1:]), term(numbers[0]))


_DISTANCE = ((Q + X - Q) + ((1 - Q) - (1 - (Q + X)))) / 2
_FIGURES, _DATA = "the curves of Figure 5 are lost", "the data set is no part of the text that we have"

# Whether fewer misclassified records mean a smaller distance (13)


def _closer(one: Tree, other: Tree) -> Tree:
    """Of two synthetic tables, if the first has fewer errors than the second, it is not farther from the original."""
    table = tables(records(2), "n")
    near = ["le", table_distance("one", "original", "n"), table_distance("other", "original", "n")]
    return every(implies(less(one, other), near), original=table, one=table, other=table)


def _rule_errors(data: Tree) -> Tree:
    """The records whose second value is not the one that a rule gives to the first."""
    return number_of("e", data, ["not", ["eq", ["at", "e", 1], ["at", "rule", ["at", "e", 0]]]])


_RATES = every(
    [
        "le",
        distance(_rule_errors("one"), _rule_errors("other")),
        ["mul", "n", table_distance("one", "other", "n")],
    ],
    one=tables(records(2), "n"),
    other=tables(records(2), "n"),
    rule=["lists", BOTH, 2],
)


_ALL_CELLS = those("table", tables(records(2), "n"), every(["in", "cell", "table"], cell=records(2)))
"""The tables in which all four records occur."""


def _growing(noise: str) -> Tree:
    """alpha = h / (h + 1)."""
    return ["div", noise, ["add", noise, 1]]


def _expected(noise: str) -> Tree:
    whole = ["pow", ["add", 1, _growing(noise)], 4]
    return ["div", expected_distance(counts("data"), "n", _growing(noise)), whole]


def _error(alpha: Tree) -> Tree:
    """The expected distance of a noisy count from the count."""
    chance = geometric("x", "count", "n", alpha)
    return total("x", ["from", 0, ["add", "n", 1]], ["mul", distance("x", "count"), chance])


FORMAL: dict[str, Formal] = {
    "003.sec43.total": formula({}, ("eq", term(45222) + 54778, term(100_000))),
    "003.sec41.adult52": formula(
        {},
        ("eq", _sum([1] * len(VALUES)), term(15)),
        *(relation for values in dict.fromkeys(VALUES.values()) for relation in _coded(values, BITS[values])),
        ("eq", _sum([BITS[values] for values in VALUES.values()]), term(52)),
    ),
    "003.sec41.big5bits": formula(
        {},
        ("eq", _sum([1] * len(PERSONS)) + 50, term(57)),
        *(relation for values in sorted({*PERSONS.values(), 6}) for relation in _coded(values, BITS[values])),
        ("eq", _sum([BITS[values] for values in PERSONS.values()]) + term(50) * BITS[6], term(175)),
    ),
    "003.sec41.adult.source": Unchecked(_DATA),
    "003.sec41.big5.source": Unchecked(_DATA),
    # P and Q of the cells where P is larger are p = q + x and q, elsewhere 1 - p and 1 - q
    "003.sec42.avd@single": conjunction(
        formula(
            dict.fromkeys("qx", ANY_SIZE),
            ("eq", _DISTANCE, X),
            ("le", term(0), _DISTANCE),
            ("le", _DISTANCE, term(1)),
            where=(1 - Q - X,),
        ),
        # an event has a part c of p and s of q, where P is larger, and x of a and y of b, where it is not
        formula(dict.fromkeys("pqcsxy", ANY_SIZE), ("le", (C + X) - (S + Y), P - Q), where=((P - C) - (Q - S), Y - X)),
    ),
    # w more marginals of mean distance y, and one at distance x
    "003.sec42.avd@averaged": formula(
        {"x": ANY_SIZE, "y": ANY_SIZE, "w": POSITIVE},
        ("le", term(0), (X + W * Y) / (1 + W)),
        ("le", (X + W * Y) / (1 + W), term(1)),
        where=(1 - X, 1 - Y),
    ),
    "003.sec42.svm@split-synthetic": Arithmetic(
        Domain({"n": SOME}), _closer(split_errors("one", "n"), split_errors("other", "n"))
    ),
    "003.sec42.svm@test-original": Arithmetic(
        Domain({"n": SOME}), _closer(errors("one", "original"), errors("other", "original"))
    ),
    "003.sec42.svm@test-original.corrected": Arithmetic(Domain({"n": SOME}), _RATES),
    "003.fig4.decreasing": Unchecked("no formula of the probability of leakage is printed, and the curves are lost"),
    "003.fig4.safer": Unchecked("no formula of the probability of leakage is printed, and the curves are lost"),
    "003.fig5.nopriv.constant": Unchecked("NoPrivacy reads no epsilon: both sides would be the same expression"),
    "003.fig5.nopriv.best@figures": Unchecked(_FIGURES),
    "003.fig5.nopriv.best@general": Arithmetic(
        Domain({"n": SOME, "alpha": UNIT}),
        every(
            [
                "le",
                ["mul", ["pow", ["add", 1, "alpha"], 4], product_distance("data", "n")],
                expected_distance(counts("data"), "n", "alpha"),
            ],
            data=tables(records(2), "n"),
        ),
    ),
    # a parent has the chance p, with a value of its child q
    "003.fig5.nopriv.best@general.corrected": formula({"p": POSITIVE, "q": ANY_SIZE}, ("eq", P * (Q / P), Q)),
    "003.fig5.monotone": Arithmetic(
        Domain({"n": SOME, "g": SOME, "h": SOME}, (var("h") - var("g"),)),
        every(["le", _expected("g"), _expected("h")], data=_ALL_CELLS),
    ),
    "003.fig5.monotone.corrected": Arithmetic(
        Domain({"n": SOME, "alpha": UNIT, "less": UNIT}),
        every(["le", _error(["mul", "less", "alpha"]), _error("alpha")], count=["from", 0, ["add", "n", 1]]),
    ),
    "003.fig5.best": Unchecked(_FIGURES),
    "003.fig5.scbn": Unchecked(_FIGURES),
}
