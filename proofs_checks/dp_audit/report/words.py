"""What an audit found, in words: one of three, a sentence, and for every deviation a sentence and a repair hint."""

from collections.abc import Sequence

from dp_audit.exact_numbers import told_apart
from dp_audit.judge.question import of_kind
from dp_audit.observation.findings import MalformedAnswer
from dp_audit.oracles.memoization import LASTING
from dp_audit.outcome import BY_DESIGN, Audit, Row, Verdict
from dp_audit.report.kinds import kind_of
from dp_audit.report.text import exact

CONFORMS, CONSISTENT, UNDECIDED, DEVIATES = "conforms", "consistent", "undecided", "deviates"
"""The results of an audit: the law is the mechanism's; no fault was found, in samples or in the part of the law that
was explored; no fault, but not all could be decided; a fault."""
_SAMPLED = ("process", "reports")
VALIDATION = frozenset({"outside"})
"""Kinds of checks about what the code accepts, not about what it draws."""
_NUMBERS = ("declared-map", "accountant")
"""Kinds of checks that say themselves whether the whole domain was looked at: they conform then."""
_OPEN = frozenset({"run", "making"})
"""Kinds of checks of which the hint says how they can be decided."""
_FIRST = (
    "privacy",
    "law",
    "raw-output",
    "alphabet",
    "reused-client",
    "later-reports",
    "expectation",
    "variance",
    "estimator",
    "estimates",
)
_KEEP = (
    "draw what the mechanism keeps (round 1) once for a value, keep it as long as the client lives, and draw every "
    "report from what is kept"
)


_OF_MAPS = {
    CONFORMS: "no declared number is too small{}, on the whole domain",
    CONSISTENT: "no declared number is too small{}, on the members that were looked at",
}


def conclusion(audits: Sequence[Audit]) -> str:
    """Return the result of some audits (at least one): the worst."""
    verdicts = {row.verdict for audit in audits for row in audit.rows}
    if verdicts & {Verdict.FAULT, Verdict.UNDECIDED}:
        return DEVIATES if Verdict.FAULT in verdicts else UNDECIDED
    return CONSISTENT if any(map(_is_sampled, audits)) else CONFORMS


def _is_sampled(audit: Audit) -> bool:
    """Return whether the law is known from samples, or in part; or a declared number at some members or calls."""
    verdicts = {kind_of(row.check): row.verdict for row in audit.rows}
    numbers = any(verdicts.get(kind, Verdict.CONFORMS) is not Verdict.CONFORMS for kind in _NUMBERS)
    laws = (row.verdict for row in audit.rows if kind_of(row.check) in ("law", "privacy"))
    return audit.method in _SAMPLED or numbers or Verdict.CONSISTENT in laws


def sentence(audit: Audit) -> str:
    """Return the result in one sentence: what is worst about the code, or that nothing is wrong."""
    who = f"{audit.target} {audit.mechanism}" if audit.mechanism else audit.target
    if audit.method == "map" and conclusion([audit]) in _OF_MAPS:
        beyond = ", beyond rounding" if any(row.verdict is Verdict.ROUNDING for row in audit.rows) else ""
        return f"{who}: {_OF_MAPS[conclusion([audit])].format(beyond)}."
    if audit.method == "accountant" and conclusion([audit]) in _OF_MAPS:
        return f"{who}: no number is too small, beyond rounding, in the calls that were made."
    match conclusion([audit]):
        case "deviates":
            worst = min(audit.faults, key=_rank)
            return f"{who} {_fault(audit, worst)}."
        case "undecided":
            open_rows = [row for row in audit.rows if row.verdict is Verdict.UNDECIDED]
            return f"{who}: not all could be decided; {open_rows[0].check}: {open_rows[0].detail}."
    if conclusion([audit]) == CONFORMS:
        return f"{who} has the law of {audit.oracle}{_at(audit)}{_warned(audit)}."
    return f"{who}: no deviation from {audit.oracle}{_at(audit)} was found{_warned(audit)}."


def _warned(audit: Audit) -> str:
    """Return which rows are warnings, in words to be added; "" where there are none."""
    warned = dict.fromkeys(row.check for row in audit.rows if row.verdict is Verdict.WARNING)
    return f"; there are warnings about {', '.join(warned)}" if warned else ""


def row_sentence(row: Row) -> str:
    """Return a deviation in one sentence, with decimals."""
    witness = row.witness
    if kind_of(row.check) == "law" and {"input", "output", "target", "oracle"} <= witness.keys():
        a, b = told_apart(exact(witness["target"]), exact(witness["oracle"]))
        return f"given input {witness['input']} the report {witness['output']} has probability {a}, not {b}"
    if kind_of(row.check) == "outside" and "input" in witness:
        return f"input {witness['input']} is outside the domain and is accepted"
    return row.headed


def hint(row: Row) -> str:
    """Return what to do about a deviation; "" where there is nothing to say."""
    kind = kind_of(row.check)
    if LASTING in row.figures:
        return _KEEP
    if kind == "law" and row.witness.get("oracle") == "0" and row.verdict is Verdict.FAULT:
        return "the mechanism has no such report: `dp-refimpl audit oracles` says their form, `canonical` makes it"
    if row.detail.startswith("raises "):
        return "give a report on every input of the domain"
    if row.check == MalformedAnswer.__name__:
        return "answer exactly as the guide says, with nothing else"
    asked = of_kind(kind) if row.verdict is not Verdict.UNDECIDED or kind in _OPEN else None
    return "" if asked is None else asked.hint


def is_validation(row: Row) -> bool:
    """Return whether a row is about what is accepted, not about laws, privacy and estimates."""
    return kind_of(row.check) in VALIDATION


def _rank(row: Row) -> int:
    kind = kind_of(row.check)
    return _FIRST.index(kind) if kind in _FIRST else len(_FIRST)


def _fault(audit: Audit, row: Row) -> str:
    kind, figures = kind_of(row.check), row.figures
    if audit.method == "accountant":
        return f"says a number that is {row.detail}" if row.detail.startswith("too small") else row.detail
    if audit.method == "map":
        return f"does not keep what is declared, {row.check}: {row_sentence(row)}"
    if kind == "privacy" and {"effective epsilon", "nominal epsilon"} <= figures.keys():
        if figures["effective epsilon"] == "infinite":
            return "keeps no epsilon at all: some report is possible for one input and impossible for another"
        spent, said = told_apart(exact(figures["effective epsilon"]), exact(figures["nominal epsilon"]), 3)
        also = ", as the mechanism itself does" if BY_DESIGN in row.detail and not _law_is_wrong(audit) else ""
        return f"spends epsilon = {spent}, not {said}{also}"
    if row.detail.startswith("raises "):
        return f"{row.detail}, where {audit.oracle}{_at(audit)} has a report"
    if kind == "law":
        return f"does not have the law of {audit.oracle}{_at(audit)}: {row_sentence(row)}"
    if is_validation(row) and "input" in row.witness:
        return f"accepts input {row.witness['input']}, which is outside the domain of {audit.oracle}{_at(audit)}"
    return f"deviates from {audit.oracle}{_at(audit)}, {row.check}: {row_sentence(row)}"


def _law_is_wrong(audit: Audit) -> bool:
    return any(kind_of(row.check) == "law" for row in audit.faults)


def _at(audit: Audit) -> str:
    parameters = ", ".join(f"{name} = {value}" for name, value in audit.parameters.items())
    return f" at {parameters}" if parameters else ""
