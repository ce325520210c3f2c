"""The laws of reports in an unmodified run: on every input, in another process, at other times, later in a client."""

from collections.abc import Iterator

import numpy as np
from flint import arb

from dp_audit.exact_numbers import PRECISIONS, short
from dp_audit.judge.client_reuse import count_states
from dp_audit.judge.events import Observation
from dp_audit.judge.examination import LEVEL, SHARES, Examination, surprised, wrong_row
from dp_audit.judge.plan import AGAIN, CLIENT, CLOCK, CONDITIONS, EARLY_REPORTS, FIRST_REPORTS, FRESH_REPORTS
from dp_audit.judge.question import Question
from dp_audit.judge.rare_counts import Counts, Integers, Surprise
from dp_audit.judge.repetition import repeated
from dp_audit.observation.unmodified_run import raised
from dp_audit.observation.values import show
from dp_audit.outcome import Row, Verdict
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare


def law_rows(examination: Examination) -> Iterator[Row]:
    """Yield the row `unintercepted run`: whether the reports are those of the mechanism, as often as it says, on every
    input."""
    name, observation = "unintercepted run", examination.observation
    items, codes = observation.flat("first", "fresh", "client")
    if not examination.right or not len(items):
        return
    wrong = wrong_row(name, observation, items, codes)
    if wrong is not None:
        yield wrong
        return
    counts = Counts(SHARES["law"])
    for phases in (("first", "fresh", "client"), ("first", "fresh")):
        items, codes = observation.flat(*phases)
        for event in observation.events:
            names = [f"{event.name} on input {show(x)}" for x in observation.inputs]
            counts.add(names.__getitem__, items, event.holds[codes], items, event.chances)
    surprise = counts.worst()
    if surprise is not None:
        yield surprised(name, surprise)
        return
    number = len(observation.flat("first", "fresh", "client")[0])
    detail = f"nothing found in {number} reports on {len(observation.inputs)} inputs, with nothing replaced"
    yield Row(name, Verdict.INFO, f"{detail} (error level {short(LEVEL)})", {"reports": str(number)})


def later_rows(examination: Examination) -> Iterator[Row]:
    """Yield the rows `later reports`: whether a report depends on how many there were before, in the client or in the
    process."""
    observation = examination.observation
    clients = list(observation.draws("client"))
    if not clients or not examination.comparable:
        return
    alike = repeated(observation, *observation.flat("first", "fresh", "client"), SHARES["repeats"])
    if alike is not None and _is_told(observation, *observation.flat("first", "fresh", "client")):
        return
    if alike is not None:
        place, later, length = alike
        detail = f"from call {later} on, {length} calls tell their items as those from call {place} on did"
        sentence = f"{detail}: randomness is used again"
        yield Row(
            "later reports", Verdict.FAULT, sentence, {"error level": str(LEVEL)}, {"calls": f"{place} and {later}"}
        )
        return
    counts = Counts(SHARES["state"])
    count_states(counts, observation)
    surprise = counts.worst() or early_calls(examination)
    if surprise is not None:
        yield surprised("later reports", surprise)
        return
    detail = f"{len(clients)} clients with {len(clients[0].codes)} reports each: alike at every place"
    yield Row("later reports", Verdict.INFO, f"{detail} (error level {short(LEVEL)})")


def early_calls(examination: Examination) -> Surprise | None:
    """Return what refutes that each of the first calls of a process is like any other."""
    if examination.early is None:
        return None
    observation, counts = Observation(examination.early, examination.oracle), Counts(SHARES["early"])
    items, codes = observation.flat("early")
    places = np.concatenate(
        [np.arange(1, len(d.codes) + 1, dtype=np.int64) for d in observation.draws("early")] or [items]
    )
    named = "what tells the item, call {} of a process".format
    counts.add(named, places, observation.tells(items, codes), items, observation.told)
    return counts.worst()


def again_rows(examination: Examination) -> Iterator[Row]:
    """Yield the row `fresh process`: whether a second process gives the same reports again."""
    if examination.again is None:
        return
    observation = examination.observation
    first, second = (
        [d.codes for d in Observation(run, examination.oracle).draws("first")]
        for run in (examination.run, examination.again)
    )
    same = [examination.run.reports[c] for (c,) in first] == [examination.again.reports[c] for (c,) in second]
    items, codes = observation.flat("first")
    # exceptions may be alike
    answered = np.array([not raised(observation.run.reports[c]) for c in codes.tolist()], bool)
    items, codes = items[answered], codes[answered]
    if not same or not len(items):
        return
    with precision(PRECISIONS[0]):
        chance = arb(1)
        for x, c in zip(items.tolist(), codes.tolist(), strict=True):
            held = [arb(e.chances[x] if e.holds[c] else 1 - e.chances[x]) for e in observation.events]
            least = min(held, key=lambda p: float(p))
            chance *= 1 if least.is_zero() else least  # an impossible report is wrong, and no sign of a seed
        if compare(chance, SHARES["again"]) is not Ordering.LESS or _is_told(
            observation, *observation.flat("first", "fresh")
        ):
            return
    witness = {"reports": show(tuple(examination.run.reports[c] for c in codes[:12]))}
    detail = f"the first {len(items)} reports of two processes are the same: they are not random"
    yield Row("fresh process", Verdict.FAULT, detail, {"error level": str(LEVEL)}, witness)


def _is_told(observation: Observation, items: Integers, codes: Integers) -> bool:
    """Return whether every report is told by its item alone, or all are exceptions: that is no matter of seeds, and the
    law says what is wrong."""
    pairs, reports = set(zip(items.tolist(), codes.tolist(), strict=True)), set(codes.tolist())
    determined = len(pairs) == len(set(items.tolist())) and len(reports) > 1
    return determined or all(raised(observation.run.reports[code]) for code in reports)


def clock_rows(examination: Examination) -> Iterator[Row]:
    """Yield the row `clock`: whether the law is the same at other times."""
    if not examination.run.clock:
        return
    observation = examination.observation
    items = np.array([item for _, item, codes in examination.run.clock for _ in codes], np.int64)
    codes = np.array([code for _, _, codes in examination.run.clock for code in codes], np.int64)
    moments = {when: place for place, when in enumerate(dict.fromkeys(when for when, _, _ in examination.run.clock))}
    moment = np.array([moments[when] for when, _, codes in examination.run.clock for _ in codes], np.int64)
    wrong = wrong_row("clock", observation, items, codes)
    if wrong is not None:
        yield wrong
        return
    counts = Counts(SHARES["clock"])
    for event in observation.events:
        names = [f"{event.name} on input {show(x)}, {when}" for when in moments for x in observation.inputs]
        labels = moment * len(observation.inputs) + items
        counts.add(names.__getitem__, labels, event.holds[codes], items, event.chances)
    surprise = counts.worst()
    if surprise is not None:
        yield surprised("clock", surprise)
        return
    yield Row("clock", Verdict.WARNING, f"a clock is read; the law is the same at {len(moments)} other times")


QUESTIONS = (
    Question(
        "unintercepted-run",
        "are the reports those of the mechanism when nothing is replaced?",
        meaning="Are the reports of the code as it is, with nothing replaced, those of the mechanism?",
        needs=(FIRST_REPORTS, FRESH_REPORTS, CLIENT, CONDITIONS),
        unasked='"not run", where draws are conditioned on and the adapter has no `conditions(report)`',
        hint="draw every report with the mechanism's probability, whoever looks",
        order=10,
        of_run=law_rows,
    ),
    Question(
        "fresh-process",
        "does it give other reports?",
        meaning="Does another process give other reports?",
        needs=(FIRST_REPORTS, AGAIN),
        unasked="said only where a second process gives the same reports",
        hint="seed generators from the entropy of the system, or not at all",
        order=20,
        of_run=again_rows,
    ),
    Question(
        "clock",
        "is the law the same at other times?",
        meaning=(
            "Where a clock is read: is the law the same at every hour of a day, on later days, when a minute, an "
            "hour, a day begins, and for clients that were made so long before?"
        ),
        needs=(CLOCK,),
        unasked="asked where a clock is read",
        hint="let no clock change what is drawn",
        order=80,
        of_run=clock_rows,
    ),
    Question(
        "later-reports",
        "do they depend on how many there were before, or forget what the mechanism keeps?",
        meaning=(
            "Is the 3rd, 10th, 1000th report of a client, and every call of the process, like the first? Do "
            "reports repeat, after whatever number of calls? Is what the mechanism keeps for a value still kept?"
        ),
        needs=(FIRST_REPORTS, FRESH_REPORTS, CLIENT, EARLY_REPORTS),
        hint="draw fresh randomness for every report, and keep nothing of the reports before",
        order=90,
        of_run=later_rows,
    ),
)
