"""Statements about shuffled reports, and evidence: every rule, from both sides."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from dp_spec.frequency.grr import GRR_SAMPLE
from dp_spec.frequency.local_hashing import OLH
from dp_spec.vocabulary.law import Law, bits
from dp_spec.vocabulary.shuffle_statements import Divergence, Shuffled
from dp_spec.vocabulary.statement import Domain, Range, Statement
from dp_spec.vocabulary.term import Term, exp, term, var

Json = dict[str, Any]
Shown = tuple[str, str, Json]
"""A statement's id, a verdict, evidence."""
USERS, BUDGET = var("users"), var("budget")
ANY_FAMILY = replace(OLH, families={})
RAPPOR = Law("rappor", "t", term(2), bits(var("t") / (var("t") + 1), 1 / (var("t") + 1)))
CROWD = Domain({"users": Range(1, integer=True), "budget": Range(1, strict=True)})
TWO_LABELS = {"w": term(3), "K": term(2)}


def number(value: str) -> Term:
    p, q = Fraction(value).as_integer_ratio()
    return term(p) / q


def about(law: Law | None, users: int, e_eps: Term | int, delta: str, **more: Any) -> Divergence:
    budget = exp(term(2)) if law is None else term(7)
    at = {"x": budget} if law is None else {"w": budget, "K": term(4), **({"b": term(3)} if law.integers else {})}
    body: Json = {"at": at, "dummies": term(0), "e_eps": term(e_eps) if isinstance(e_eps, int) else e_eps} | more
    return Divergence(law, Domain({}), term(users), delta=number(delta), **body)


def hint(width: int = 6, digits: int = 64, *knots: int, **more: Any) -> Json:
    return {"width": width, "bits": digits, "knots": [0, *knots], **more}


def everywhere(by: str, fields: Json) -> Json:
    return {"instances": [{"values": {}, "by": by, **fields}]}


def at_points(**values: list[Any]) -> Json:
    """Instances with these values, enumerated."""
    listed = [dict(zip(values, point, strict=True)) for point in zip(*values.values(), strict=True)]
    return {"instances": [{"values": point, "by": "all data sets"} for point in listed]}


def shown_by(by: str, data: list[int], fields: Json) -> Json:
    return {"values": {}, "by": by, "data": data, **fields}


FUNCTIONS = {"hash": [["1/2", [0, 1, 1, 2]], ["1/2", [0, 0, 1, 1]]]}
SMALL = {"w": BUDGET, "K": term(3)}
HALF = exp(term(1) / 2)
STATEMENTS: dict[str, Statement] = {
    "test.shuffle.response": about(GRR_SAMPLE, 100, 2, "1/1000"),
    "test.shuffle.response.low": about(GRR_SAMPLE, 100, 2, "1/1500"),
    "test.shuffle.dummies.low": about(GRR_SAMPLE, 50, 2, "1/1000000000", dummies=term(80)),
    "test.shuffle.dummies": about(GRR_SAMPLE, 50, 2, "1/500000", dummies=term(80)),
    "test.shuffle.harder": about(GRR_SAMPLE, 50, 2, "1/400000", dummies=term(80)),
    "test.shuffle.functions": about(ANY_FAMILY, 100, 2, "1/750"),
    "test.shuffle.functions.low": about(ANY_FAMILY, 100, 2, "1/850"),
    "test.shuffle.merged": about(GRR_SAMPLE, 12, 2, "1/50"),
    "test.shuffle.listed": about(ANY_FAMILY, 1, 2, "1/4"),
    "test.shuffle.all": about(None, 300, HALF, "1/4000"),
    "test.shuffle.all.low": about(None, 300, HALF, "1/21000"),
    "test.shuffle.two": about(GRR_SAMPLE, 12, 2, "1/94", at=TWO_LABELS),
    "test.shuffle.two.low": about(GRR_SAMPLE, 12, 2, "1/95", at=TWO_LABELS),
    "test.shuffle.alone": Divergence(
        *(GRR_SAMPLE, Domain({"budget": CROWD.variables["budget"]}), term(1), term(1)),
        *((BUDGET - 1) / (BUDGET + 2), "eq"),
        at=SMALL,
    ),
    "test.shuffle.fewer": Divergence(
        GRR_SAMPLE, CROWD, USERS, term(1), relation="lt", dummies=term(2), at=SMALL, than=Shuffled(GRR_SAMPLE)
    ),
    "test.shuffle.more": Divergence(
        GRR_SAMPLE, CROWD, USERS, term(1), relation="lt", at=SMALL, than=Shuffled(GRR_SAMPLE, term(2))
    ),
    "test.shuffle.bits": Divergence(
        RAPPOR, Domain({}), term(2), term(2), number("8/81"), "eq", at={"t": term(2), "K": term(2)}
    ),
    "test.shuffle.bits.low": Divergence(
        RAPPOR, Domain({}), term(2), term(2), number("7/81"), at={"t": term(2), "K": term(2)}
    ),
}
"""By an id of their own."""

SHOWN: dict[str, Shown] = {
    "divergence proved by a blanket": (
        *("test.shuffle.response", "proved"),
        everywhere("blanket", hint(8, 64, *range(20, 44, 4))),
    ),
    "divergence proved beside uniform messages": (
        *("test.shuffle.dummies", "proved"),
        everywhere("blanket", hint(8, 64, *range(10, 40, 5))),
    ),
    "divergence proved at a harder point": (
        *("test.shuffle.harder", "proved"),
        everywhere("blanket", hint(8, 64, *range(10, 40, 5)) | {"users": 49, "dummies": 79, "e_eps": "199/100"}),
    ),
    "divergence proved for any functions": (
        *("test.shuffle.functions", "proved"),
        everywhere("broken line", hint(8, 64, 10, 20, 30)),
    ),
    "divergence proved for every randomizer": ("test.shuffle.all", "proved", everywhere("blanket", hint(8))),
    "divergence proved for two labels": (
        "test.shuffle.two",
        "proved",
        everywhere("two labels", hint(8, 64, *range(1, 12))),
    ),
    "divergence proved by enumeration": ("test.shuffle.bits", "proved", everywhere("all data sets", {})),
    "divergence verified for one user": ("test.shuffle.alone", "verified", at_points(budget=[2, "5/2"])),
    "divergence verified beside fewer messages": (
        *("test.shuffle.fewer", "verified"),
        at_points(users=[1, 2], budget=[2, "7/2"]),
    ),
    "divergence refuted by a third value": (
        *("test.shuffle.response.low", "refuted"),
        shown_by("third", [], hint(8)),
    ),
    "divergence refuted by a public function": (
        *("test.shuffle.functions.low", "refuted"),
        shown_by("third", [], hint(8)),
    ),
    "divergence refuted beside uniform messages": (
        *("test.shuffle.dummies.low", "refuted"),
        shown_by("beside messages", [], hint(8)),
    ),
    "divergence refuted by separate labels": (
        *("test.shuffle.response.low", "refuted"),
        shown_by("separate labels", [], hint(8, 64, *range(50, 80, 4))),
    ),
    "divergence refuted by merged labels": ("test.shuffle.merged", "refuted", shown_by("one label", [0], hint(8))),
    "divergence refuted under listed functions": (
        *("test.shuffle.listed", "refuted"),
        {"values": {}, "by": "all data sets", "data": [0, 1], "hashes": FUNCTIONS},
    ),
    "divergence refuted by a randomizer": ("test.shuffle.all.low", "refuted", shown_by("one label", [0], hint(8))),
    "divergence refuted by ones": ("test.shuffle.two.low", "refuted", shown_by("one label", [0], hint(8))),
    "divergence refuted by one label": ("test.shuffle.two.low", "refuted", shown_by("one label", [0], hint(8))),
    "divergence refuted beside more messages": (
        *("test.shuffle.more", "refuted"),
        {"values": {"users": 2, "budget": 2}, "by": "all data sets", "data": [0, 1, 2]},
    ),
    "divergence refuted by enumeration": (
        *("test.shuffle.bits.low", "refuted"),
        {"values": {}, "by": "all data sets", "data": [0, 1, 0]},
    ),
}
"""What is not looked for here: the search is in `dp_studies.comparisons.amplification`."""
