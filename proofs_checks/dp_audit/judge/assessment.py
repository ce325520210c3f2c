"""The checks of an exact audit: all that a target's child process answered, against the oracle, one row each."""

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace

from flint import fmpq

from dp_audit.exact_numbers import Deviation, absolute, figure, judge, largest, short
from dp_audit.judge.client_reuse import reuse_rows
from dp_audit.judge.estimator import Unit, estimate_rows
from dp_audit.judge.law import compare_ratio, form_row, largest_ratio, law_rows
from dp_audit.judge.library_claims import stated_rows
from dp_audit.judge.plan import AGAIN_STREAMS, ANY, ESTIMATES, LAWS, STREAMS
from dp_audit.judge.question import Question
from dp_audit.judge.representation import raw_row
from dp_audit.observation.findings import Finding
from dp_audit.observation.reproduction import expression, of_one_client, with_numpy
from dp_audit.observation.target_laws import Entry, Law, TargetLaws
from dp_audit.observation.values import show
from dp_audit.oracles.base import Oracle, exact_sum
from dp_audit.oracles.post_processing import Normalized
from dp_audit.outcome import TOLERANCE, Row, Verdict
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import Ordering, compare

_UNDECIDED = (
    "UnmodeledRandomness",
    "TooManyPaths",
    "TargetReadsClock",
    "TargetDied",
    "TargetHung",
    "TargetExceedsLimits",
)
_FINDINGS = {
    **dict.fromkeys(_UNDECIDED, Verdict.UNDECIDED),
    "TargetSeedsOthers": Verdict.WARNING,
    "SomeLists": Verdict.INFO,
}


def assess(
    target: TargetLaws,
    oracle: Oracle,
    unit: Unit = "frequencies",
    compiled: bool = False,
) -> tuple[Row, ...]:
    """Return all rows for the laws of a target. `compiled`: the library is, and its source was interpreted."""
    rows: list[Row] = []
    for input_type in dict.fromkeys(law.input_type for law in target.laws):
        suffix = "" if input_type == target.laws[0].input_type else f" ({input_type} inputs)"
        laws = {law.inputs[0]: law for law in target.laws if law.input_type == input_type}
        rows += _type_rows(laws, oracle, suffix, compiled)
    rows += _outside_rows(target, oracle)
    rows += reuse_rows(target, oracle)
    rows += estimate_rows(target, oracle, unit)
    rows += stated_rows(target, oracle)
    rows += _post_processing_rows(oracle) if target.estimates else []
    rows += finding_rows(target.findings)
    if not target.complete and not target.findings:
        rows.append(Row("run", Verdict.UNDECIDED, "the job was not finished"))
    return tuple(_with_reproduction(row, target) for row in rows)


def _with_reproduction(row: Row, target: TargetLaws) -> Row:
    """Return the row with the target's own three lines, for the input of its witness or those of a client in turn."""
    wanted = row.verdict in (Verdict.FAULT, Verdict.WARNING) and not row.reproduction
    if not wanted or not target.reproduce:
        return row
    written = {show(law.inputs[0]): expression(law.inputs[0]) for law in (*target.laws, *target.outside)}
    turns = next((law.inputs for law in target.reuse if show(law.inputs) == row.witness.get("inputs")), None)
    if row.check == "reused client" and turns is not None:
        return replace(row, reproduction=with_numpy(of_one_client(target.reproduce, expression(turns))))
    if "input" not in row.witness:
        return row
    if row.check.endswith("outside the domain") and "[{input}]" in "".join(target.reproduce):
        return row  # the lines know the names of the items only
    typed = re.search(r" \((\S+) inputs\)$", row.check)
    literal = written.get(row.witness["input"], row.witness["input"])
    literal = f"{typed[1]}({literal})" if typed else literal
    return replace(row, reproduction=with_numpy([line.replace("{input}", literal) for line in target.reproduce]))


def _type_rows(laws: Mapping[Item, Law], oracle: Oracle, suffix: str, compiled: bool) -> list[Row]:
    """Return the rows about the laws for one type of inputs."""
    refused = next((law.refused for law in laws.values() if law.refused is not None), None)
    if refused is not None:
        return [Row("law" + suffix, Verdict.UNDECIDED, f"{type(refused).__name__}: {refused.message}")]
    missing = [x for x in oracle.inputs if x not in laws]
    if missing:
        return [Row("law" + suffix, Verdict.UNDECIDED, f"no answer for the input {show(missing[0])}")]
    raised = [(entry, x) for x, law in laws.items() for entry in law.entries if entry.raised is not None]
    for entry, x in raised:
        if compare(entry.probability, TOLERANCE) is Ordering.GREATER:
            witness = {"input": show(x), "raised": str(entry.raised), "probability": str(entry.probability)}
            detail = f"raises {str(entry.raised).split(':')[0]} on input {show(x)}"
            return [Row("law" + suffix, Verdict.FAULT, detail, {}, witness)]
    rare = _rare_rows("exceptions" + suffix, raised)
    by_output = {x: _by_outcome(law) for x, law in laws.items()}
    raw = raw_row("raw output" + suffix, laws, oracle.comparison.of_outputs, compiled)
    unexplored = max(law.unexplored for law in laws.values())
    law, *others = law_rows(by_output, oracle, suffix, unexplored=unexplored)
    other_form = form_row("law" + suffix, {x: law.by_output() for x, law in laws.items()}, oracle)
    return [other_form or law, *others, *rare, raw]


def _rare_rows(check: str, raised: Sequence[tuple[Entry, Item]]) -> list[Row]:
    """Return the row of exceptions whose probability is as small as a rounding error, if there are any."""
    if not raised:
        return []
    entry, item = max(raised, key=lambda pair: pair[0].probability)
    texts = {x: {other.raised for other, y in raised if y == x} for _, x in raised}
    tells = "" if len({frozenset(own) for own in texts.values()}) == 1 else "; its text depends on the input"
    # not "input": the target's own lines, which sample, would not show it
    witness = {"for": show(item), "raised": str(entry.raised), "probability": str(entry.probability)}
    detail = f"{entry.raised}, with probability {short(entry.probability)}{tells}"
    return [Row(check, Verdict.WARNING, detail, {}, witness)]


def _by_outcome(law: Law) -> dict[Hashable, fmpq]:
    """Return the probability of every output, and of every type of exception."""
    chances: dict[Hashable, fmpq] = {}
    for entry in law.entries:
        outcome = entry.output if entry.raised is None else ("raised", entry.raised.split(":")[0])
        before = chances.get(outcome)
        chances[outcome] = entry.probability if before is None else before + entry.probability
    return chances


def _outside_rows(target: TargetLaws, oracle: Oracle) -> list[Row]:
    """Return a row for each input outside the domain: it is rejected, or its report must at least keep the bound."""
    usable = {law.inputs[0]: law.by_output() for law in reversed(target.laws) if law.refused is None}
    rows = []
    for law in target.outside:
        check = f"input {show(law.inputs[0])}, outside the domain"
        if law.refused is not None:
            rows.append(Row(check, Verdict.UNDECIDED, law.refused.message))
        elif all(entry.raised is not None for entry in law.entries):
            rows.append(Row(check, Verdict.CONFORMS, f"always rejected: {law.entries[0].raised}"))
        else:
            rows.append(_accepted_row(check, law, usable, oracle))
    return rows


def _accepted_row(check: str, law: Law, inside: Mapping[Item, Mapping[Hashable, fmpq]], oracle: Oracle) -> Row:
    item = law.inputs[0]
    rejected = exact_sum(e.probability for e in law.entries if e.raised is not None)
    ratio, witness = largest_ratio({**inside, item: law.by_output()}, oracle.comparison)
    within = ratio is not None and compare_ratio(ratio, oracle)[0] in (Verdict.CONFORMS, Verdict.ROUNDING)
    how = "its report keeps the bound" if within else "its report breaks the bound"
    detail = f"accepted: rejected with probability {short(rejected)} instead of 1; {how}"
    if within:
        entry = max((e for e in law.entries if e.raised is None), key=lambda e: e.probability)
        witness = {"output": show(entry.output), "probability": str(entry.probability)}
    return Row(check, Verdict.WARNING if within else Verdict.FAULT, detail, {}, {**witness, "input": show(item)})


def _post_processing_rows(oracle: Oracle) -> list[Row]:
    """Return the row that says how much a documented post-processing biases the estimates for one user."""
    if not isinstance(oracle, Normalized):
        return []

    def biases() -> Deviation:
        deviations = []
        for item in oracle.inputs:
            for j, bias in enumerate(oracle.bias([item])):
                deviations.append(Deviation(absolute(bias), {"data": show((item,)), "estimand": str(j)}))
        return largest(deviations)

    worst, verdict = judge(biases, lambda deviation: deviation.size)
    if verdict is not Verdict.FAULT:
        return []
    detail = f"documented: estimates are clipped at 0 and normalized; largest bias for one user {short(worst.size)}"
    return [Row("post-processing", Verdict.WARNING, detail, {"largest bias": figure(worst.size)}, worst.witness)]


def finding_rows(findings: Sequence[Finding]) -> list[Row]:
    """Return a row for each thing that a target did and no law can describe."""
    names = [type(finding).__name__ for finding in findings]
    verdicts = [_FINDINGS.get(name, Verdict.FAULT) for name in names]
    return [Row(n, v, f.message) for n, v, f in zip(names, verdicts, findings, strict=True)]


QUESTIONS = (
    Question(
        "making",
        "can it be made with these parameters?",
        needs=(ANY,),
        unasked="said only where it fails",
        hint="accept all parameters that the mechanism allows",
    ),
    Question(
        "seeds",
        "is every generator seeded from the entropy of the system?",
        rows="`TargetSeeds`, `TargetMutatedInput`, ...",
        meaning=(
            "What a law cannot describe: a generator seeded by the code itself, changed inputs, printed text, "
            "clocks, hangs. (`TargetSeedsOthers`: the import seeds a global generator from which the code itself does "
            "not draw; `SomeLists`: the time was enough for the estimates of some lists of reports only.)"
        ),
        needs=(ANY, STREAMS, AGAIN_STREAMS),
        unasked="said only where it happens",
        hint="draw from generators that nobody seeds, and seed none that others draw from",
    ),
    Question(
        "run",
        "did the audited code answer everything in time, and draw its randomness from known sources?",
        needs=(ANY,),
        unasked="said only where it happens",
        hint="make the code answer in time, and draw its randomness from the standard library or numpy",
    ),
    Question(
        "post-processing",
        "what does the documented post-processing of estimates cost?",
        rows="`post-processing`",
        needs=(ESTIMATES,),
        unasked="asked where the library documents one",
        hint="say what the post-processing costs, or offer the estimates before it",
    ),
    Question(
        "exceptions",
        "are there rare ones?",
        meaning=(
            "Which exceptions come with a probability as small as a rounding error, and do their texts tell the input?"
        ),
        needs=(LAWS,),
        unasked="said only where they come with a probability as small as a rounding error",
        hint="give a report for every outcome of the draws",
    ),
)
