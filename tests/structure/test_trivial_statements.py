"""Formal statements that could not fail: found by their form, in all claims of all sources.

Holding by definition is no evidence. A row of which nothing else can be said is unchecked, with that reason.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

import pytest

from dp_checks.certificate import json_value
from dp_checks.certify import all_claims, all_statements
from dp_kernel.certificate.digest import laws
from dp_kernel.formulas.domains import Region, region
from dp_kernel.formulas.terms import evaluate
from dp_kernel.meter import Rejected, limited
from dp_kernel.numbers.polynomial import Ratio
from dp_spec.shuffle import messages as shuffle_laws
from dp_spec.shuffle.claims.variances import mse
from dp_spec.vocabulary.error_statements import Bounded, Formula, Limit, formula
from dp_spec.vocabulary.law import K, N
from dp_spec.vocabulary.ranges import ANY_SIZE, NATURAL, SEVERAL, SOME, UNIT
from dp_spec.vocabulary.shuffle_statements import Divergence
from dp_spec.vocabulary.statement import All, Completions, Definition, Implies, Not, Statement
from dp_spec.vocabulary.term import Term, summed, term, var

Found = Iterator[str]
Number = tuple[Ratio, Fraction]
"""As a rational function, and at a point."""
A, B, C, F, W, X, Y, Z = (var(name) for name in "abcfwxyz")
STATEMENTS = all_statements()


def parts(statement: Statement) -> Iterator[Statement]:
    """The statements that a statement is made of."""
    match statement:
        case All():
            for part in statement.parts:
                yield from parts(part)
        case Not():
            yield from parts(statement.of)
        case _:
            yield statement


def formulas(statement: Statement) -> Iterator[Formula]:
    yield from (part for part in parts(statement) if isinstance(part, Formula))


def same_sides(statement: Statement) -> Found:
    """A side that is compared with itself; or, where nothing ties them, two names or numbers as they are written."""
    for part in parts(statement):
        match part:
            case Formula() | Bounded():
                stated = [relation[-2:] for relation in part.relations]
            case Limit() if part.value is not None:
                stated = [(part.term, part.value)]
            case _:
                continue
        names = {*part.values, *(part.quantities or {})}
        for left, right in stated:
            written = not (
                left.arguments or right.arguments or part.domain.constraints or {left.head, right.head} & names
            )
            if left == right or written:
                yield f"{left.latex()}, {right.latex()}"


def _is_more(gap: Number, constraint: Number) -> bool:
    """Whether the first is a positive multiple of the second, or a number that is not negative more than it."""
    (x, here), (y, there) = gap, constraint
    if there == 0:
        return False
    return (here / there > 0 and x == y * (here / there)) or (here >= there and x == y + (here - there))


def premises(statement: Statement) -> Found:
    """A conclusion that is one of the premises."""
    for part in formulas(statement):
        if not part.domain.constraints or part.values or part.quantities:
            continue
        ranges = enumerate(part.domain.variables.items())
        at = {name: Fraction(1, 3 + i) if x.unit else Fraction(7 + i) for i, (name, x) in ranges}
        try:
            with limited():
                place = region(json_value(part.json())["domain"])
                stated = [_number(tree, place, at) for tree in part.domain.constraints]
                gaps = [_number(right - left, place, at) for _, left, right in part.relations]
        except (Rejected, ArithmeticError, LookupError, TypeError, ValueError):  # numbers that are no fractions
            continue
        for (op, left, right), gap in zip(part.relations, gaps, strict=True):
            sides = [gap, (-gap[0], -gap[1])] if op == "eq" else [gap]
            if op != "lt" and all(any(_is_more(side, bound) for bound in stated) for side in sides):
                yield f"{left.latex()} {op} {right.latex()}"


def _number(tree: Term, place: Region, at: Mapping[str, Fraction]) -> Number:
    """What a term is, and at a point."""
    return place.value(tree.json()), Fraction(evaluate(tree.json(), at))


def _counts(tree: Term) -> bool:
    """Whether it has a sum of numbers without what it runs over, as many as are said to be there."""
    alone = tree.head == "sum" and not tree.arguments[3].arguments and isinstance(tree.arguments[3].head, int)
    return alone or any(map(_counts, tree.arguments))


def ones(statement: Statement) -> Found:
    """So many as so many are: nothing but sums of ones, and no law."""
    equations = [*parts(statement)]
    relations = [relation for part in formulas(statement) for relation in part.relations]
    if len(equations) != len([*formulas(statement)]) or [*laws(json_value(statement.json()))]:
        return
    if all(_counts(left) or _counts(right) for _, left, right in relations):
        yield ", ".join(f"{left.latex()} {op} {right.latex()}" for op, left, right in relations)


GENERAL = (Completions, Definition, Divergence, Implies)
"""About all channels, or all randomizers."""


def lawless(statement: Statement) -> Found:
    """About no law, and not about all of them."""
    if not [*laws(json_value(statement.json()))] and not any(isinstance(part, GENERAL) for part in parts(statement)):
        yield type(statement).__name__


PAIRS = "the row says how many leaves there are on both sides: the pairs are to be counted"
CHANNEL = "about any channel with the definition: entries of its columns"
EM = "what EM makes of messages has no law of the grammar: listed messages with the chances of randomized response"
NUMBER = "no law has a random number of dummies: what one dummy adds, sent or not"
FAMILY = "all functions of a family, counted in sums; the mean of the estimate under them is that of 004.agg.unbiased"
WRITTEN = "the law (of what is selected, compared, or drawn), or the loss of its noise, is written out in the sentence"
MODEL = "repetitions of a simulation: numbers with the mean and the variance of one of them"
SCORES = "the scores of all tables, and any selection whose scores move so"
EXCEPTIONS: Mapping[str, Mapping[str, str]] = {
    "same sides": {"004.eval.de.limit@absfirst": "what does not change with the number of repetitions: a number v > 0"},
    "ones": {
        "001.sec3.fullpairs@unordered": PAIRS,
        "001.sec3.fullpairs@ordered": PAIRS,
        "004.agg.memory": "the source defines a matrix of k rows of m counters: they are to be counted",
        "001.exp.table2.groups": "how many whole numbers there are from 0 to 10",
        "001.exp.table2.groups.corrected": "how many whole numbers there are from 0 to 10",
    },
    "lawless": {
        **dict.fromkeys(("000.alg1.est-random@samevar", "000.alg1.est-random@samevar.corrected"), NUMBER),
        **{f"000.alg1.em.{name}": EM for name in ("unbiased", "mse", "mse.corrected", "var")},
        "000.thm1.step.ratio": "the chances of a report given that its user randomizes, p and q of the table",
        "000.thm1.pointwise@single": CHANNEL,
        "000.thm1.eq7@sharedsmall-range": "two users under one function: the chances of listed outcomes",
        "000.thm1.count@nbin-mean": "two users whose numbers of dummies are random: the chances of two listed outcomes",
        **dict.fromkeys(
            ("002.def1.noinfer", "002.def1.order", "003.sec1.odds", "003.def1.monotone", "004.def.monotone"), CHANNEL
        ),
        **dict.fromkeys(
            (
                "003.sec1.kanonymity",
                "003.def3.dp@iid",
                "003.def3.dp@shared",
                "003.sec31.binarise@public-domain",
                "003.sec31.binarise@observed-range",
                "003.alg3.round",
                "003.alg3.round.corrected",
                "003.alg3.dp@matrix.once.ro",
                "003.alg3.dp@matrix.once.ro.corrected",
                "003.alg3.dp@matrix.twice.ro",
                "003.alg3.dp@matrix.once.ar",
                "003.sec34.needed",
                "003.alg5.dp@data.values.raw",
                "003.alg5.dp@data.values.raw.corrected",
                "003.alg5.dp@data.values.clamped",
                "003.alg5.dp@data.records.clamped",
                "003.thm1.dp@transcript.data.ro",
                "003.thm1.dp@transcript.fixed.ro",
                "003.thm1.dp@pstar.ro",
                "003.thm1.dp@synth.ro",
                "003.thm1.dp@synth.geometric.ro",
                "003.thm1.dp@transcript.ar",
            ),
            WRITTEN,
        ),
        **dict.fromkeys(("003.eq9.post", "003.base.jtree.graph.corrected"), CHANNEL),
        **{f"003.{name}": WRITTEN for name in ("eq10.dp", "base.jtree.graph", "base.jtree.dp@ro", "base.jtree.dp@ar")},
        **{f"003.alg4.dp@{relation}": SCORES for relation in ("ro", "ar")},
        **{f"003.thm1.dp@transcript.{name}.corrected": SCORES for name in ("data.ro", "ar")},
        **dict.fromkeys(("003.base.privbayes.dp", "003.base.privbayes.network.ar"), SCORES),
        "003.base.privbayes.joints.ar": "the scale of the noise, as it is printed, of tables of n and n + 1 records",
        "003.def4.dp": "any finite set of candidates and any score: the weights of one and of all others",
        "004.server.k": "a cell of the matrix, given the record's row: the law of the estimate is in 004.agg.unbiased",
        **dict.fromkeys(("004.agg.unbiased@cw0", "004.agg.unbiased@cw1"), FAMILY),
        **dict.fromkeys(("004.eval.de.finite", "004.eval.de.finite.corrected"), MODEL),
    },
}
KINDS = ("privacy", "unbiasedness", "variance")
"""Kinds of claims about what a mechanism does."""


def rows_of_mechanisms() -> Iterator[tuple[str, Statement]]:
    kinds = {i: row.kind for row in all_claims() for i, _ in row.formals()}
    yield from ((i, statement) for i, statement in STATEMENTS.items() if kinds[i] in KINDS)


FORMS: Mapping[str, Callable[[Statement], Found]] = {
    "same sides": same_sides,
    "premises": premises,
    "ones": ones,
    "lawless": lawless,
}


@pytest.mark.parametrize("form", FORMS)
def test_no_statement_has_a_form_that_cannot_fail(form: str) -> None:
    asked = dict(rows_of_mechanisms()) if form == "lawless" else STATEMENTS
    offenders = {i: lines for i, statement in asked.items() if (lines := list(FORMS[form](statement)))}
    excused = EXCEPTIONS.get(form, {})
    assert offenders.keys() - excused.keys() == set(), offenders
    assert excused.keys() <= offenders.keys(), "an exception that is none"


LABELED = {"b": SEVERAL, "z": NATURAL}
BITS = formula(LABELED, ("le", B, term(2) ** Z), where=(term(2) ** Z - B,))
PLANTED: tuple[tuple[str, Statement], ...] = (
    # a conclusion that is false, true, or open, by its form
    ("same sides", formula({}, ("lt", term(1), term(1)))),
    ("same sides", formula({"x": UNIT, "y": UNIT}, ("eq", X, Y))),
    ("same sides", formula({"f": UNIT, "n": SOME}, ("lt", F * (1 - F) / N, F * (1 - F) / N))),
    ("same sides", All((mse(shuffle_laws.AUE, shuffle_laws.COUNT, F), formula({"w": UNIT}, ("eq", 1 / W, 1 / W))))),
    ("same sides", Not(Bounded(formula({"x": SOME}).domain, ((X + 1, X + 1),)))),
    ("same sides", Limit(formula({"x": SOME, "a": UNIT}).domain, "x", A, A)),
    # of the premises one, a multiple of one, one and more, both of an equation
    ("premises", BITS),
    ("premises", Not(BITS)),
    ("premises", formula(dict.fromkeys("ab", ANY_SIZE), ("le", A, B), ("le", B, A), where=(B - A, A - B))),
    ("premises", formula(dict.fromkeys("ab", ANY_SIZE), ("eq", A * A, A * B), where=(A * B - A * A, A * A - A * B))),
    ("premises", formula(dict.fromkeys("fac", ANY_SIZE), ("le", F + A - F, F + C - F), where=((F + C) - (F + A),))),
    ("premises", formula(dict.fromkeys("ab", ANY_SIZE), ("le", A / 3, B / 3), where=(2 * (B - A),))),
    ("premises", formula(dict.fromkeys("ab", ANY_SIZE), ("le", A, B + 1), where=(B - A,))),
    # as many as are said to be there
    ("ones", formula({"a": SOME}, ("eq", summed("v", 1, A, term(1)), A))),
    ("ones", formula({"a": SOME}, ("eq", 1 + summed("v", 1, A, term(1)), A + 1))),
    ("ones", formula({"a": SOME, "b": SOME}, ("eq", summed("x", 1, A, summed("y", 1, B, term(1))), A * B))),
    # numbers that are no law's
    ("lawless", formula({"K": SEVERAL, "b": SOME}, ("lt", (1 / K) ** B, term(1)))),
    ("lawless", Not(All((formula({"K": SEVERAL}, ("lt", 1 / K, term(1))),)))),
)


@pytest.mark.parametrize(("form", "statement"), PLANTED)
def test_such_forms_are_found(form: str, statement: Statement) -> None:
    assert [*FORMS[form](statement)]


SOUND: tuple[tuple[str, Statement], ...] = (
    ("same sides", formula(dict.fromkeys("abc", ANY_SIZE), ("le", A, B), where=(C - A, B - C))),
    ("premises", formula(dict.fromkeys("abc", ANY_SIZE), ("le", A, B), where=(C - A, B - C))),
    ("premises", formula(dict.fromkeys("ab", ANY_SIZE), ("le", A + 1, B), where=(B - A,))),
    ("premises", formula(dict.fromkeys("ab", ANY_SIZE), ("le", B, A), where=(B - A,))),
    ("ones", formula({"a": SOME}, ("eq", summed("v", 1, A, var("v")), A * (A + 1) / 2))),
    ("lawless", mse(shuffle_laws.AUE, shuffle_laws.COUNT, F)),
)


@pytest.mark.parametrize(("form", "statement"), SOUND)
def test_others_are_not(form: str, statement: Statement) -> None:
    assert not [*FORMS[form](statement)]
