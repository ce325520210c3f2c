"""Audit of a printed table: probabilities as somebody states them, compared with the oracle's as they stand."""

from collections.abc import Hashable

from flint import fmpq

from dp_audit.exact_numbers import Deviation, absolute, figure, judge, largest
from dp_audit.judge.law import Laws, law_row, privacy_rows
from dp_audit.judge.plan import TABLE
from dp_audit.judge.question import Question
from dp_audit.observation.printed_table import Entry, PrintedTable
from dp_audit.observation.values import show
from dp_audit.oracles.base import Oracle, exact_sum
from dp_audit.outcome import Row, Verdict
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import Ordering, compare


def table_rows(table: PrintedTable, oracle: Oracle, tolerance: fmpq) -> list[Row]:
    """Return the rows `domain`, `entries`, `normalization`, `law`, `privacy`, `tightness`."""
    laws = table.laws
    rows = [_domain_row(table, oracle), _entries_row(table, oracle)]
    if table.repeated or len(table.entries) > sum(map(len, laws.values())):
        return [*rows, Row("law", Verdict.UNDECIDED, "rows or entries that stand twice do not state a law")]
    inside = {x: laws[x] for x in oracle.inputs if x in laws}
    if not inside:
        return rows
    rows.append(_normalization_row(laws, tolerance))
    rows.append(law_row("law", inside, oracle, tolerance))
    if any(compare(entry.probability, 0) is Ordering.LESS for entry in table.entries):
        return [*rows, Row("privacy", Verdict.UNDECIDED, "negative entries are no probabilities")]
    if not any(p for law in inside.values() for p in law.values()):
        return [*rows, Row("privacy", Verdict.UNDECIDED, "no entry is positive")]
    return [*rows, *privacy_rows(inside, oracle, tolerance=tolerance, entries=tolerance)]


def _domain_row(table: PrintedTable, oracle: Oracle) -> Row:
    laws = table.laws
    if table.repeated:
        x = table.repeated[0]
        return Row("domain", Verdict.FAULT, f"input {show(x)} has several rows", {}, {"input": show(x)})
    missing = [x for x in oracle.inputs if x not in laws]
    unknown = [x for x in laws if x not in oracle.inputs]
    if missing:
        detail = f"{len(missing)} inputs without a row, {show(missing[0])} for one"
        return Row("domain", Verdict.FAULT, detail, {}, {"input": show(missing[0])})
    if unknown:
        detail = f"{len(unknown)} inputs outside the domain, {show(unknown[0])} for one, are not looked at"
        return Row("domain", Verdict.WARNING, detail, {}, {"input": show(unknown[0])})
    return Row("domain", Verdict.CONFORMS, f"a row for each of the {len(laws)} inputs")


def _entries_row(table: PrintedTable, oracle: Oracle) -> Row:
    """Return whether every entry is a probability of an output of the mechanism, and stands once."""
    probabilities: dict[tuple[Item, Hashable], fmpq] = {}
    problems: list[tuple[str, Entry]] = []
    for entry in table.entries:
        key = entry.input, entry.output
        p = entry.probability
        if key in probabilities:
            problems.append((f"stands twice, once as {probabilities[key]}", entry))
        probabilities[key] = p
        if compare(p, 0) is Ordering.LESS:
            problems.append(("is negative", entry))
        elif compare(p, 1) is Ordering.GREATER:
            problems.append(("is more than 1", entry))
        elif compare(p, 0) is not Ordering.EQUAL and not oracle.possible(entry.output):
            problems.append(("belongs to no output of the mechanism", entry))
    if not problems:
        return Row("entries", Verdict.CONFORMS, f"{len(probabilities)} probabilities of outputs of the mechanism")
    what, entry = problems[0]
    witness = {"input": show(entry.input), "output": show(entry.output), "target": str(entry.probability)}
    detail = f"{len(problems)} wrong: the entry of {witness['output']} on input {witness['input']} {what}"
    return Row("entries", Verdict.FAULT, detail, {"wrong entries": str(len(problems))}, witness)


def _normalization_row(laws: Laws, tolerance: fmpq) -> Row:
    """Return whether the rows sum to 1, up to the rounding of their entries."""

    sums = {x: exact_sum(law.values()) for x, law in laws.items()}

    def deviations() -> Deviation:
        return largest(
            [
                Deviation(absolute(sums[x] - 1) / max(1, len(law)), {"input": show(x), "sum": figure(sums[x])})
                for x, law in laws.items()
            ]
        )

    worst, verdict = judge(deviations, lambda deviation: deviation.size, tolerance)
    if verdict is Verdict.CONFORMS:
        return Row("normalization", verdict, "every row sums to 1")
    detail = f"the row of input {worst.witness['input']} sums to {worst.witness['sum']}"
    return Row("normalization", verdict, detail, {"largest deviation per entry": figure(worst.size)}, worst.witness)


QUESTIONS = (
    Question(
        "domain",
        "has every input of the mechanism a row?",
        needs=(TABLE,),
        hint="give one row for every input of the mechanism",
    ),
    Question(
        "entries",
        "is each a probability of an output of the mechanism, and stands once?",
        needs=(TABLE,),
        hint="print every probability of the mechanism once",
    ),
    Question(
        "normalization",
        "do the rows sum to 1?",
        needs=(TABLE,),
        unasked="left out where rows or entries stand twice",
        hint="print more digits, so that the rows sum to 1",
    ),
)
