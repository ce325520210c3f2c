"""Formal statements of source 003, Section 4: data sets, metrics, figures."""

from dp_spec.synthesis.claims.definitions import POSITIVE, C, P, Q, S, W, X, Y
from dp_spec.vocabulary.claim import Formal, Unchecked
from dp_spec.vocabulary.error_statements import Formula
from dp_spec.vocabulary.statement import All, Domain, Range, Relation
from dp_spec.vocabulary.term import Term, term

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
BITS = {16: 4, 7: 3, 14: 4, 6: 3, 5: 3, 2: 1, 41: 6}
"""How many bits code so many values."""


def _coded(values: int, bits: int) -> tuple[Relation, Relation]:
    """2^(bits - 1) < values <= 2^bits."""
    two: Term = term(2)
    return ("lt", two ** (bits - 1), term(values)), ("le", term(values), two**bits)


def _sum(numbers: list[int]) -> Term:
    return sum(map(term, numbers[1:]), term(numbers[0]))


_DISTANCE = ((Q + X - Q) + ((1 - Q) - (1 - (Q + X)))) / 2
_FIGURES, _DATA = "the curves of Figure 5 are lost", "the data set is no part of the text that we have"

FORMAL: dict[str, Formal] = {
    "003.sec43.total": Formula(Domain({}), (("eq", term(45222) + 54778, term(100_000)),)),
    "003.sec41.adult52": Formula(
        Domain({}),
        (
            ("eq", _sum([1] * len(VALUES)), term(15)),
            *(relation for values, bits in BITS.items() for relation in _coded(values, bits)),
            ("eq", _sum([BITS[values] for values in VALUES.values()]), term(52)),
        ),
    ),
    "003.sec41.adult.source": Unchecked(_DATA),
    "003.sec41.big5.source": Unchecked(_DATA),
    # P and Q of the cells where P is larger are p = q + x and q, elsewhere 1 - p and 1 - q
    "003.sec42.avd@single": All(
        (
            Formula(
                Domain(dict.fromkeys("qx", Range()), (1 - Q - X,)),
                (
                    ("eq", _DISTANCE, X),
                    ("le", term(0), _DISTANCE),
                    ("le", _DISTANCE, term(1)),
                ),
            ),
            # an event has a part c of p and s of q, where P is larger, and x of a and y of b, where it is not
            Formula(
                Domain(dict.fromkeys("pqcsxy", Range()), ((P - C) - (Q - S), Y - X)),
                (("le", (C + X) - (S + Y), P - Q),),
            ),
        )
    ),
    # w more marginals of mean distance y, and one at distance x
    "003.sec42.avd@averaged": Formula(
        Domain({"x": Range(), "y": Range(), "w": POSITIVE}, (1 - X, 1 - Y)),
        (("le", term(0), (X + W * Y) / (1 + W)), ("le", (X + W * Y) / (1 + W), term(1))),
    ),
    "003.fig5.best": Unchecked(_FIGURES),
    "003.fig5.scbn": Unchecked(_FIGURES),
}
