"""False certificates about relations between errors: steps, ends of a variable, covers."""

from dataclasses import replace

from certificates import Json, certified
from dp_spec.frequency.claims.comparison import SMALL
from dp_spec.vocabulary.error_statements import Errors, Value
from dp_spec.vocabulary.law import USERS, F
from dp_spec.vocabulary.statement import Domain
from dp_spec.vocabulary.term import exp, sqrt, term
from false_errors import (
    ANY,
    AT,
    DROP,
    EPS,
    ITEM,
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
from planted import planted

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


@planted("the relation is not shown to fail at the witness")
def a_relation_that_holds() -> Json:
    return refuted(errors(ROOT, {"a": Value(SENSITIVE, T)}, ("le", A, term(2))), AT)


@planted("the relation is not shown to fail at the witness")
def undecided_enclosures() -> Json:
    """e / (e - 1)^2 against itself."""
    root = exp(term(1))
    statement = errors({"n": SIZE}, {"a": Value(SENSITIVE, root), "b": Value(SENSITIVE, root)}, ("eq", A, B))
    return refuted(statement, {"n": "1"}, bits=8)


# --- ends of a variable -------------------------------------------------------------------------------------------


@planted("not affine in f")
def ends_of_a_parabola() -> Json:
    """f (f - 1) is 0 at both ends and negative between."""
    return proved(errors(ITEM, {"a": Value(SENSITIVE, T)}, ("le", term(0), F * (F - 1))), DROP)


@planted("not affine in f")
def ends_of_a_hyperbola() -> Json:
    """1 / (1 + f) is at most 1 - f / 2 at both ends."""
    return proved(errors(ITEM, {"a": Value(SENSITIVE, T)}, ("le", 1 / (1 + F), 1 - F / 2)), DROP)


@planted("the end is not stated")
def an_end_that_is_nowhere_stated() -> Json:
    statement = errors(ITEM, {"a": Value(SENSITIVE, T)}, ("le", F, term(1) / 2))
    return proved(statement, {"ends": "f", "high": ["div", 1, 2], "steps": [{}, {}]})


@planted("the end is not stated")
def an_end_of_another_variable() -> Json:
    domain = Domain({**ITEM.variables, "y": ANY}, (1 - F,))
    return proved(errors(domain, {"a": Value(SENSITIVE, T)}, ("le", Y, term(1))), {**DROP, "ends": "y"})


@planted("from 0 on")
def ends_of_the_users() -> Json:
    """n >= 1 is an integer: 0 is none of its values."""
    domain = Domain(ROOT, (5 - USERS,))
    return proved(errors(domain, {"a": Value(SENSITIVE, T)}, ("le", term(1), USERS)), {**DROP, "ends": "n", "high": 5})


@planted("a step at either end")
def one_end_only() -> Json:
    return proved(errors(ITEM, {"a": Value(SENSITIVE, T)}, ("le", F, term(0))), {**DROP, "steps": [{}]})


@planted("positivity is not shown")
def false_at_one_end() -> Json:
    return proved(errors(ITEM, {"a": Value(SENSITIVE, T)}, ("le", F, term(1) / 2)), DROP)


@planted("malformed: KeyError")
def ends_of_a_variable_that_is_gone() -> Json:
    return proved(errors(ITEM, {"a": Value(SENSITIVE, T)}, ("le", F, term(1))), {**DROP, "steps": [DROP, {}]})


# --- covers -------------------------------------------------------------------------------------------------------

BETWEEN = Domain(SMALL, (EPS - 1, 5 - EPS))
LARGE = errors(BETWEEN, {"a": Value(SENSITIVE, exp(EPS), {"n": term(1)})}, ("lt", A, term(2)))
"""e^eps / (e^eps - 1)^2 < 2 for 1 <= eps <= 5, but not at 1/2."""
PIECES = ("1", "3/2", "3", "5")
NOT_SMALL = replace(LARGE, relations=(("lt", term(1) / 100, A),))
"""For 1 <= eps <= 4, but not at 5."""
UP_TO_FOUR = ("1", "2", "3", "7/2", "4")


def covered(statement: Errors, *ends: str, bits: int = 64) -> Json:
    return certified(statement, "proved", {"cover": list(ends), "bits": bits})


@planted("the pieces do not cover the domain")
def a_cover_that_begins_late() -> Json:
    return covered(replace(LARGE, domain=Domain(SMALL, (2 * EPS - 1, 5 - EPS))), *PIECES)


@planted("the pieces do not cover the domain")
def a_cover_that_ends_early() -> Json:
    return covered(NOT_SMALL, *UP_TO_FOUR)


@planted("the pieces are in order")
def a_cover_with_a_step_back() -> Json:
    return covered(LARGE, "1", "3/2", "5", "3", "5")


@planted("too few or too many pieces")
def no_cover() -> Json:
    return covered(LARGE)


@planted("too few or too many pieces")
def a_cover_of_too_many_bits() -> Json:
    return covered(LARGE, *[str(1 + i) for i in range(2000)], bits=4096)


@planted("the pieces do not cover the domain")
def an_unbounded_domain() -> Json:
    return covered(replace(NOT_SMALL, domain=Domain(SMALL, (EPS - 1,))), *UP_TO_FOUR)


@planted("constraints that bound the variable are affine")
def a_domain_bounded_by_a_parabola() -> Json:
    """(eps - 4)(eps - 9) >= 0 also leaves all eps >= 9; a line through its values at 0 and 1 is 0 at 3."""
    domain = Domain(SMALL, (EPS - 1, EPS**2 - 13 * EPS + 36))
    return covered(replace(NOT_SMALL, domain=domain), *UP_TO_FOUR)


@planted("not shown on")
def a_piece_on_which_it_fails() -> Json:
    return covered(replace(LARGE, relations=(("lt", A, term(1) / 2),)), "1", "2", "5")


@planted("not shown on")
def a_piece_that_is_too_wide() -> Json:
    return covered(replace(LARGE, relations=(("le", A, A),)), "1", "5")


@planted("enclosures cover one variable at most")
def a_cover_of_two_variables() -> Json:
    return covered(errors(Domain({**BETWEEN.variables, "n": SIZE}, BETWEEN.constraints), LARGE.values, SELF), "1", "5")


@planted("a parameter has no value")
def a_cover_of_the_users() -> Json:
    """The error is not one of an interval of users."""
    domain = Domain({"n": SIZE}, (USERS - 1, 5 - USERS))
    return covered(errors(domain, {"a": Value(SENSITIVE, sqrt(term(2)))}, ("lt", term(0), A)), "1", "5")


@planted("nothing to cover")
def a_cover_of_numbers() -> Json:
    return covered(
        replace(LARGE, domain=Domain({}), values={"a": Value(SENSITIVE, sqrt(term(2)), {"n": term(9)})}), "1", "5"
    )
