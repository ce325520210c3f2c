"""`raw output` in a plain run: do types, order and content of real reports depend on the input, given their values?

Given its value, the raw description of a report is to have one law on all inputs. The first half of the reports chooses
which descriptions speak for an input; of the second half it is counted how often they come with it. Given all values,
and how often such descriptions come with each value on all inputs together, the counts are hypergeometric and
independent, if nothing depends on the input. Chernoff's bound of their sum needs no more (Hoeffding 1963).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import comb

from flint import arb, ctx, fmpq

from dp_audit.exact_numbers import PRECISIONS, short, show
from dp_audit.judge.representation import content as content_of
from dp_audit.judge.representation import itself, kind, kinds_shown, part_shown
from dp_audit.judge.unmodified import LEVEL, SHARES, Ran
from dp_audit.observation.values import rational
from dp_audit.outcome import Row, Verdict
from dp_audit.run.child.reports import SHORTENED
from dp_spec.vocabulary.scalar import Ordering, compare

RAW = "raw output"
WEIGHTS = tuple(1 << k for k in (1, 2, 4, 8, 16, 32, 64))
"""Bases of the moments that are tried."""
UNSEEN = fmpq(1, 10**9)
"""A description of a law is contradicted, if it would be missed so seldom."""
CONTRADICTED = "found only where draws are replaced"
Told = tuple[int, int, str]
"""(item, report, what is said of it)."""


def with_raw(rows: Sequence[Row]) -> tuple[Row, ...]:
    """One row `raw output`: that of the law, unless real reports say something else."""
    mine = [row for row in rows if row.check == RAW]
    if len(mine) < 2:
        return tuple(rows)
    law, real = mine[0], mine[-1]
    worse = law.verdict is not Verdict.FAULT and real.verdict in (Verdict.FAULT, Verdict.WARNING)
    kept = real if worse or CONTRADICTED in real.detail else law
    return tuple(kept if row is law else row for row in rows if row is law or row.check != RAW)


def raw_rows(ran: Ran) -> Iterator[Row]:
    """`raw output`: a fault that real reports prove; or how many were looked at."""
    told = [each for each in ran.plain.raws if not each[2].startswith("not described")]
    if not told:
        return
    inputs, seen = ran.plain.inputs, kinds_shown({raw for _, _, raw in told})
    number = f"{len(told)} reports on {len(inputs)} inputs, with nothing replaced (error level {short(LEVEL)})"
    ways: tuple[tuple[Callable[[str], str], str], ...] = (
        (kind, "the type or order of the report"),
        (itself, ""),
        (str, "the array that the report is a part of (its `base`)"),
    )
    for key, named in ways:
        found = _telling([(x, code, key(raw)) for x, code, raw in told], len(inputs), SHARES["raw"] / len(ways))
        if found is not None:
            item, code, raw = found
            part = named or part_shown({content_of(other) for _, y, other in told if y == code})
            witness = {"input": show(inputs[item]), "output": show((ran.plain.reports[code], raw))[:400]}
            detail = f"{seen}: {part} shows more than the value, in {number}"
            verdict = Verdict.WARNING if key is str else Verdict.FAULT
            yield Row(RAW, verdict, detail, {"reports": str(len(told))}, witness)
            return
    missing = _contradicted(ran, told)
    if missing:
        yield Row(RAW, Verdict.INFO, f"{seen}: nothing found in {number}; {missing} was {CONTRADICTED}")
        return
    yield Row(
        RAW, Verdict.INFO, f"{seen}: nothing depends on the input, given the value, as far as was seen in {number}"
    )


def _telling(told: Sequence[Told], inputs: int, level: fmpq) -> Told | None:
    """A description that is proved to come more often with one input, given its value."""
    half = len(told) // 2
    learned, tested = told[:half], told[half:]
    with_all, with_one = Counter((y, raw) for _, y, raw in learned), Counter(learned)
    values, values_of = Counter(y for _, y, _ in learned), Counter((x, y) for x, y, _ in learned)
    if len(with_all) == len(values):
        return None  # one description for each value
    for item in range(inputs):
        speaks = {
            (y, raw)
            for (y, raw), times in with_all.items()
            if with_one[item, y, raw] * values[y] > times * values_of[item, y]
        }
        here, hits = Counter[int](), Counter[int]()
        total, both = Counter[int](), 0
        for x, y, raw in tested:
            total[y] += 1
            here[y] += x == item
            hits[y] += (y, raw) in speaks
            both += x == item and (y, raw) in speaks
        strata = []
        for y, every in total.items():
            if 0 < hits[y] < every and 0 < here[y] < every:
                strata.append((every, hits[y], here[y]))
            else:  # this number is known
                both -= min(hits[y], here[y])
        if strata and _is_rare(strata, both, level / inputs):
            return max(((item, y, raw) for y, raw in speaks), key=lambda each: with_one[each])
    return None


def _is_rare(strata: Sequence[tuple[int, int, int]], least: int, level: fmpq) -> bool:
    """Whether the sum of independent hypergeometric numbers (of all, marked, drawn) is >= `least` with a probability
    below the level."""
    if least <= sum(marked * drawn / every for every, marked, drawn in strata):
        return False
    times = Counter(strata)
    with ctx.workprec(PRECISIONS[0]):
        threshold = arb(level).log()
        for weight in WEIGHTS:
            bound = -least * arb(weight).log()
            for (every, marked, drawn), number in times.items():
                bound += number * (arb(_moment(every, marked, drawn, weight)) / comb(every, drawn)).log()
            if compare(bound, threshold) is Ordering.LESS:
                return True
    return False


def _moment(every: int, marked: int, drawn: int, weight: int) -> int:
    """C(every, drawn) times the expectation of weight^k, k of the drawn ones being marked."""
    fewest = max(0, drawn - (every - marked))
    return sum(
        comb(marked, k) * comb(every - marked, drawn - k) * weight**k for k in range(fewest, min(marked, drawn) + 1)
    )


def _contradicted(ran: Ran, told: Sequence[Told]) -> str:
    """The report that proves the fault of the law, if it should have come and never did, or came where it cannot."""
    row = ran.raw
    if row is None or row.verdict is not Verdict.FAULT or any(SHORTENED in raw for _, _, raw in told):
        return ""
    output, item, pair = (row.witness.get(name, "") for name in ("output", "input", "inputs"))
    chances = row.witness.get("probabilities", "1 and 1").split(" and ")
    seen: dict[str, set[str]] = {}
    for x, y, raw in set(told):
        forms = (itself(raw), content_of(raw), raw)
        shown = {show((ran.plain.reports[y], form)) for form in forms}
        seen.setdefault(show(ran.plain.inputs[x]), set()).update(shown)
    number = sum(show(ran.plain.inputs[x]) == item for x, _, _ in told)
    missed = (1 - rational(chances[0])) ** number < UNSEEN and output not in seen.get(item, ())
    other = pair[len(f"{item} and ") :]
    impossible = chances[-1] == "0" and output in seen.get(other, ())
    return f"that {output[:200]} tells {item} from {other}" if missed or impossible else ""
