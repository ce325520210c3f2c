"""False certificates about relations between errors: steps, ends of a variable, covers."""

from dataclasses import replace

from dp_spec.frequency.claims.comparison import SMALL
from dp_spec.vocabulary.error_statements import Formula, Value
from dp_spec.vocabulary.law import USERS, F
from dp_spec.vocabulary.statement import Domain, Range
from dp_spec.vocabulary.term import exp, term, var
from planted.errors import (
    ANY,
    AT,
    DROP,
    EPS,
    ITEM,
    OF_ITEM,
    OTHER,
    ROOT,
    SELF,
    SENSITIVE,
    SIZE,
    A,
    B,
    T,
    Y,
    errors,
    proved,
    refuted,
)
from planted.register import planted
from tampered.certificates import Json, certified

# --- relations ----------------------------------------------------------------------------------------------------


@planted("positivity is not shown")
def the_larger_error_is_smaller() -> Json:
    values = {"a": Value(SENSITIVE, T), "b": Value(SENSITIVE, T, {"n": USERS + 1})}
    return proved(errors(ROOT, values, ("lt", A, B)))


@planted("positivity is not shown")
def strictly_smaller_at_the_edge() -> Json:
    """f = 0: both errors are 0."""
    values = {"a": Value(OTHER, T), "b": Value(OTHER, T, {"f": 2 * F})}
    return proved(errors(Domain(ITEM.variables, (1 - 2 * F,)), values, ("lt", A, B)))


@planted("not an identity")
def equal_to_a_half() -> Json:
    return proved(errors(ITEM, {"a": Value(SENSITIVE, T)}, ("eq", A, A / 2)))


@planted("one proof step for every relation")
def a_relation_without_a_step() -> Json:
    return proved(errors(ITEM, {"a": Value(SENSITIVE, T)}, SELF, ("lt", A, term(0))), {})


@planted("f is not shown to differ from 0")
def a_quotient_of_nothing() -> Json:
    return proved(errors(ITEM, {"a": Value(OTHER, T)}, ("eq", A / F, 1 / (USERS * (T - 1)))))


@planted("the relation is not shown to fail")
def a_relation_that_holds() -> Json:
    return refuted(errors(ROOT, {"a": Value(SENSITIVE, T)}, ("le", A, term(2))), AT)


@planted("the relation is not shown to fail at the witness")
def undecided_enclosures() -> Json:
    """e / (e - 1)^2 against itself."""
    root = exp(term(1))
    statement = errors(OF_ITEM, {"a": Value(SENSITIVE, root), "b": Value(SENSITIVE, root)}, ("eq", A, B))
    return refuted(statement, {"n": "1", "m": "1", "f": "0"})


# --- ends of a variable -------------------------------------------------------------------------------------------

ZERO = A - A
"""The error is read, and adds nothing."""


@planted("not affine in f")
def ends_of_a_parabola() -> Json:
    """f (f - 1) is 0 at both ends and negative between."""
    return proved(errors(ITEM, {"a": Value(SENSITIVE, T)}, ("le", ZERO, F * (F - 1))), DROP)


@planted("not affine in f")
def ends_of_a_hyperbola() -> Json:
    """1 / (1 + f) is at most 1 - f / 2 at both ends."""
    return proved(errors(ITEM, {"a": Value(SENSITIVE, T)}, ("le", 1 / (1 + F) + ZERO, 1 - F / 2)), DROP)


@planted("the end is not stated")
def an_end_that_is_nowhere_stated() -> Json:
    statement = errors(ITEM, {"a": Value(SENSITIVE, T)}, ("le", F + ZERO, term(1) / 2))
    return proved(statement, {"ends": ["f", ["div", 1, 2]]})


@planted("the end is not stated")
def an_end_of_another_variable() -> Json:
    domain = Domain({**ITEM.variables, "y": ANY}, (1 - F,))
    return proved(errors(domain, {"a": Value(SENSITIVE, T)}, ("le", Y + ZERO, term(1))), {"ends": ["y", 1]})


@planted("positivity is not shown")
def ends_of_the_users() -> Json:
    """It fails at the end 0, which no number of users is."""
    domain = Domain(ROOT, (5 - USERS,))
    return proved(errors(domain, {"a": Value(SENSITIVE, T)}, ("le", term(1) + ZERO, USERS)), {"ends": ["n", 5]})


@planted("positivity is not shown")
def false_at_one_end() -> Json:
    return proved(errors(ITEM, {"a": Value(SENSITIVE, T)}, ("le", F + ZERO, term(1) / 2)), DROP)


@planted("positivity is not shown")
def false_at_the_end_zero() -> Json:
    return proved(errors(ITEM, {"a": Value(SENSITIVE, T)}, ("le", term(1) / 2 + ZERO, F)), DROP)


@planted("from 0 on")
def ends_of_no_variable() -> Json:
    return proved(errors(ITEM, {"a": Value(SENSITIVE, T)}, ("le", F + ZERO, term(1) / 2)), {"ends": ["y", 1]})


@planted("from 0 on")
def ends_of_what_may_be_negative() -> Json:
    domain = Domain({**ITEM.variables, "y": Range(-1)}, (1 - F, 5 - Y))
    return proved(errors(domain, {"a": Value(SENSITIVE, T)}, ("le", ZERO, Y)), {"ends": ["y", 5]})


# --- covers -------------------------------------------------------------------------------------------------------

ONE = {"n": term(1), "m": term(1), "f": term(0)}
BETWEEN = Domain(SMALL, (EPS - 1, 5 - EPS))
LARGE = errors(BETWEEN, {"a": Value(SENSITIVE, exp(EPS), ONE)}, ("lt", A, term(2)))
"""e^eps / (e^eps - 1)^2 < 2 for 1 <= eps <= 5, but not at 1/2."""
PIECES = ("1", "3/2", "3", "5")
NOT_SMALL = replace(LARGE, relations=(("lt", term(1) / 100, A),))
"""For 1 <= eps <= 4, but not at 5."""
UP_TO_FOUR = ("1", "2", "3", "7/2", "4")


def covered(statement: Formula, *ends: str) -> Json:
    return certified(statement, "proved", {"cover": list(ends)})


@planted("the pieces do not cover the domain")
def a_cover_that_begins_late() -> Json:
    return covered(replace(LARGE, domain=Domain(SMALL, (2 * EPS - 1, 5 - EPS))), *PIECES)


@planted("the pieces do not cover the domain")
def a_cover_that_ends_early() -> Json:
    return covered(NOT_SMALL, *UP_TO_FOUR)


@planted("the pieces are in order")
def a_cover_with_a_step_back() -> Json:
    return covered(LARGE, "1", "3/2", "5", "3", "5")


@planted("enclosures cover one variable at most")
def no_cover() -> Json:
    return covered(LARGE)


@planted("enclosures cover one variable at most")
def a_cover_of_one_end() -> Json:
    return covered(LARGE, "1")


@planted("the pieces do not cover the domain")
def an_unbounded_domain() -> Json:
    return covered(replace(NOT_SMALL, domain=Domain(SMALL, (EPS - 1,))), *UP_TO_FOUR)


@planted("not affine in eps")
def a_domain_bounded_by_a_parabola() -> Json:
    """(eps - 4)(eps - 9) >= 0 also leaves all eps >= 9; a line through its values at 0 and 1 is 0 at 3."""
    domain = Domain(SMALL, (EPS - 1, EPS**2 - 13 * EPS + 36))
    return covered(replace(NOT_SMALL, domain=domain), *UP_TO_FOUR)


@planted("nothing is put into a power with a symbolic exponent")
def a_domain_bounded_by_a_power() -> Json:
    """x^x - 20 x + 30 is > 0 at 1, < 0 at 2, and > 0 again from 4 on."""
    x = var("x")
    domain = Domain({"x": Range(1)}, (x - 1, x**x - 20 * x + 30))
    return covered(Formula(domain, (("lt", x, exp(term(1))),)), "1", "2")


@planted("not shown on")
def a_piece_on_which_it_fails() -> Json:
    return covered(replace(LARGE, relations=(("lt", A, term(1) / 2),)), "1", "2", "5")


@planted("not shown on")
def a_piece_that_is_too_wide() -> Json:
    return covered(replace(LARGE, relations=(("le", A, A),)), "1", "5")


@planted("enclosures cover one variable at most")
def a_cover_of_two_variables() -> Json:
    domain = Domain({**BETWEEN.variables, "n": SIZE}, BETWEEN.constraints)
    return covered(errors(domain, LARGE.values, SELF, ("eq", USERS, USERS)), "1", "5")


@planted("not shown on")
def a_cover_of_the_users() -> Json:
    """Of one user the error is larger than 1/2."""
    domain = Domain({"n": SIZE}, (USERS - 1, 5 - USERS))
    return covered(
        errors(domain, {"a": Value(SENSITIVE, exp(term(1)), {"m": term(1), "f": term(0)})}, ("lt", A, term(1) / 2)),
        "1",
        "5",
    )


@planted("enclosures cover one variable at most")
def a_cover_of_numbers() -> Json:
    return covered(
        replace(LARGE, domain=Domain({}), values={"a": Value(SENSITIVE, exp(term(1)), {**ONE, "n": term(9)})}), "1", "5"
    )
