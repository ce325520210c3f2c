"""Certificates about errors: claims of the project, and small statements for the evidence that those need rarely."""

from dp_spec.frequency import totals
from dp_spec.frequency.claims import communication, comparison, experiments
from dp_spec.vocabulary.error_statements import Value, errors
from dp_spec.vocabulary.law import USERS, F
from dp_spec.vocabulary.statement import Domain, Range, Statement
from dp_spec.vocabulary.term import exp, term, var

FORMAL = comparison.FORMAL | communication.FORMAL | experiments.FORMAL

T, EPS, A, B = (var(x) for x in ("t", "eps", "a", "b"))
_SENSITIVE = totals.SURAP.part("sensitive")
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

REPRESENTATIVE: dict[str, str] = {
    "formula proved for errors": "002.exp.urap.worse@sens",
    "formula proved at both ends": "test.errors.ends",
    "formula proved on pieces": "test.errors.cover",
    "formula proved for small epsilon": "test.errors.small",
    "formula refuted for errors": "002.exp.urap.worse@non",
    "formula refuted by enclosures": "test.errors.close",
    "formula proved for two errors": "002.base.rappor.bettersplit@rappor.corrected",
    "formula refuted for two errors": "002.base.rappor.bettersplit@rappor",
    "formula proved by a square": "002.alg1.popt@f0.corrected2",
    "formula refuted by numbers": "002.alg1.popt@f0",
    "formula refuted for data": "002.sec44.dominates@entries",
    "bounded proved for what grows": "002.prose.splitgrows.corrected",
    "bounded refuted for what grows": "002.prose.splitgrows",
    "bounded proved for terms": "002.prose.grrlarge@ktoinf",
    "bounded refuted for terms": "002.prose.grrlarge@dtoinf",
    "bounded proved": "002.table2.surap@theta",
    "bounded refuted": "002.exp.fig4.power@sugrr",
    "bounded proved for cells": "002.table3.suwheel@cell",
    "cost verified": "002.table3.sugrr",
    "cost refuted": "002.table3.suwheel@real",
    "same-law verified": "002.exp.urr.same@report",
}
