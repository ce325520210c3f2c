"""Small statements about errors, for evidence that claims need rarely."""

from dp_spec.frequency import total_errors
from dp_spec.vocabulary.error_statements import Value, errors
from dp_spec.vocabulary.law import USERS, F
from dp_spec.vocabulary.statement import Domain, Range, Statement
from dp_spec.vocabulary.term import exp, term, var

T, EPS, A, B = (var(x) for x in ("t", "eps", "a", "b"))
_SENSITIVE = total_errors.SURAP.part("sensitive")
_ONE = {"n": term(1), "m": term(1), "f": term(0)}
_OF_ITEM = {"m": Range(1, integer=True), "n": Range(1, integer=True), "f": Range()}
_ITEM = Domain({"t": Range(1, strict=True), **_OF_ITEM}, (1 - F,))
_TWICE = {"n": 2 * USERS}

STATEMENTS: dict[str, Statement] = {
    "test.errors.ends": errors(_ITEM, {"a": Value(_SENSITIVE, T)}, (("le", F * A, A),)),
    "test.errors.cover": errors(
        Domain({"eps": Range(strict=True)}, (EPS - 1, 5 - EPS)),
        {"a": Value(_SENSITIVE, exp(EPS), _ONE)},
        (("lt", A, 1 / EPS), ("lt", term(0), A)),
    ),
    "test.errors.close": errors(
        Domain(_OF_ITEM, (1 - F,)),
        {"a": Value(_SENSITIVE, exp(term(1)))},
        (("le", A, term(920_673) / 1_000_000),),
    ),
    "test.errors.small": errors(
        Domain({"eps": Range(strict=True), **_OF_ITEM}, (1 - EPS, 1 - F)),
        {"a": Value(_SENSITIVE, exp(EPS / 2)), "b": Value(_SENSITIVE, exp(EPS / 2), _TWICE)},
        (("lt", B, A), ("lt", A, 8 / (USERS * EPS**2))),
    ),
}
"""By an id of their own."""
