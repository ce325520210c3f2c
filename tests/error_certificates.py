"""Certificates about errors: claims of the project, and small statements for the evidence that those need rarely."""

from dp_spec.frequency import totals
from dp_spec.frequency.claims import communication, comparison, experiments
from dp_spec.vocabulary.error_statements import Errors, Value
from dp_spec.vocabulary.law import USERS, F
from dp_spec.vocabulary.statement import Domain, Range, Statement
from dp_spec.vocabulary.term import exp, term, var

FORMAL = comparison.FORMAL | communication.FORMAL | experiments.FORMAL

T, EPS, A, B = (var(x) for x in ("t", "eps", "a", "b"))
_SENSITIVE = totals.SURAP.part("sensitive")
_ONE = {"n": term(1)}
_ITEM = Domain({"t": Range(1, strict=True), "n": Range(1, integer=True), "f": Range()}, (1 - F,))
_TWICE = {"n": 2 * USERS}

STATEMENTS: dict[str, Statement] = {
    "test.errors.ends": Errors(_ITEM, {"a": Value(_SENSITIVE, T)}, (("le", F * A, A),)),
    "test.errors.cover": Errors(
        Domain({"eps": Range(strict=True)}, (EPS - 1, 5 - EPS)),
        {"a": Value(_SENSITIVE, exp(EPS), _ONE)},
        (("lt", A, 1 / EPS), ("lt", term(0), A)),
    ),
    "test.errors.close": Errors(
        Domain({"n": Range(1, integer=True)}),
        {"a": Value(_SENSITIVE, exp(term(1)))},
        (("le", A, term(920_673) / 1_000_000),),
    ),
    "test.errors.small": Errors(
        Domain({"eps": Range(strict=True), "n": Range(1, integer=True)}, (1 - EPS,)),
        {"a": Value(_SENSITIVE, exp(EPS / 2)), "b": Value(_SENSITIVE, exp(EPS / 2), _TWICE)},
        (("lt", B, A), ("lt", A, 8 / (USERS * EPS**2))),
    ),
}
"""By an id of their own."""

REPRESENTATIVE: dict[str, str] = {
    "errors proved": "002.exp.urap.worse@sens",
    "errors proved at both ends": "test.errors.ends",
    "errors proved on pieces": "test.errors.cover",
    "errors proved for small epsilon": "test.errors.small",
    "errors refuted": "002.exp.urap.worse@non",
    "errors refuted by enclosures": "test.errors.close",
    "order proved": "002.table2.surap@theta",
    "order refuted": "002.exp.fig4.power@sugrr",
    "cost proved": "002.table3.sugrr",
    "cost proved on arcs": "002.table3.suwheel@cell",
    "cost refuted on arcs": "002.table3.suwheel@real",
    "same-law proved": "002.exp.urr.same@report",
}
