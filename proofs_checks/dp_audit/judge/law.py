"""Rows about laws: is it the oracle's, is it private at the nominal epsilon, is the budget used?"""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from itertools import permutations, product
from typing import TypeVar

from flint import arb, fmpq

from dp_audit.exact_numbers import PRECISIONS, Deviation, absolute, figure, judge, largest, order_of, short, told_apart
from dp_audit.judge.plan import COMPILED_REPORTS, LAWS, OTHER_FORM
from dp_audit.judge.question import Question
from dp_audit.observation.values import form, show
from dp_audit.oracles.base import EVERYTHING, Comparison, Number, Oracle, exact_sum
from dp_audit.outcome import BY_DESIGN, TOLERANCE, Row, Verdict
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.precision import kept_by_precision, precision
from dp_spec.vocabulary.scalar import Ordering, compare

N = TypeVar("N", fmpq, Number)
Laws = Mapping[Item, Mapping[Hashable, fmpq]]
"""For every input the exact probability of every output."""
ZERO = fmpq(0)
GRID = fmpq(1, 2**50)
"""What the grid of uniform doubles can do to a probability, with some to spare: eight of its steps."""
EXCESS = fmpq(1, 10**6)
"""By more than this share of the nominal epsilon nothing exceeds it as a matter of rounding."""


def law_rows(
    laws: Laws, oracle: Oracle, suffix: str = "", tolerance: fmpq = TOLERANCE, unexplored: fmpq = ZERO
) -> list[Row]:
    """Return the rows `law`, `privacy` and `tightness`; `suffix` is appended to their names.

    Every probability is at least what is stated and at most `unexplored` more. Then privacy is that of the outputs
    whose probabilities this does not change: the row says how much the others have together.
    """
    row = law_row("law" + suffix, laws, oracle, tolerance, unexplored)
    if not unexplored:
        return [row, *privacy_rows(laws, oracle, suffix, tolerance)]
    entries = max(GRID, unexplored)
    kept, rest = explored(laws, entries, unexplored)
    left = f"; of what was explored: all but a probability of {short(rest)}"
    privacy = privacy_rows(kept, oracle, suffix, tolerance, entries)
    return [
        row,
        *(replace(p, detail=p.detail + left, figures={**p.figures, "not compared": str(rest)}) for p in privacy),
    ]


def explored(laws: Laws, entries: fmpq, unexplored: fmpq) -> tuple[Laws, fmpq]:
    """Return the laws without the outputs that have a probability <= `entries` on all inputs; the most that one is
    left."""
    common = {y for law in laws.values() for y, p in law.items() if p > entries}
    kept = {x: {y: p for y, p in law.items() if y in common} for x, law in laws.items()}
    left = [sum((p for y, p in law.items() if y not in common), unexplored) for law in laws.values()]
    return kept, max(left)


def privacy_rows(
    laws: Laws, oracle: Oracle, suffix: str = "", tolerance: fmpq = TOLERANCE, entries: fmpq = GRID
) -> list[Row]:
    """Return the rows `privacy`, `tightness` and `loss by design`; what an error of `entries`, or of the tolerance, in
    every probability can do is rounding, but that of doubles is none where epsilon is exceeded by more than `EXCESS` of
    it."""
    ratio, witness = largest_ratio(laws, oracle.comparison)
    row = privacy_row("privacy" + suffix, ratio, witness, oracle, tolerance)
    least, most = ratio_bounds(laws, max(entries, tolerance), oracle.comparison)
    printed = compare(entries, GRID) is Ordering.GREATER  # a printed 0 may stand for a small number
    finite = ratio is not None or printed
    if (
        not printed
        and row.verdict in (Verdict.FAULT, Verdict.ROUNDING)
        and ratio is not None
        and exceeds(ratio, oracle)
    ):
        row, finite = replace(row, verdict=Verdict.FAULT), False
    if row.verdict is Verdict.FAULT and finite and compare_ratio(least, oracle)[0] is Verdict.CONFORMS:
        row = replace(row, verdict=Verdict.ROUNDING, detail=f"{row.detail}; within the rounding of the entries")
    own = oracle_ratio(oracle)
    if row.verdict is Verdict.FAULT and not _keeps_bound(own, oracle):
        row = replace(row, detail=f"{row.detail}; {BY_DESIGN}")
    rows = [row, *_loss_rows("loss by design" + suffix, own, oracle)]
    if ratio is None or own is None:
        return rows
    tight = tightness_row("tightness" + suffix, ratio, oracle, tolerance)
    if tight.verdict is Verdict.WARNING and (
        compare(own, least) is not Ordering.LESS and (most is None or compare(own, most) is not Ordering.GREATER)
    ):
        detail = f"{tight.detail.removeprefix('budget is wasted: ')}; within the rounding of the entries"
        tight = replace(tight, verdict=Verdict.ROUNDING, detail=detail)
    return [row, tight, *rows[1:]]


def _loss_rows(check: str, own: Number | None, oracle: Oracle) -> list[Row]:
    """Return what the mechanism itself spends, where that is less than the nominal epsilon."""
    if own is None:
        return []
    with precision(PRECISIONS[0]):
        spent, nominal = arb(own).log(), arb(oracle.privacy()).log()
        if compare(spent, nominal * (1 - EXCESS)) is not Ordering.LESS:
            return []
    detail = f"the mechanism itself spends epsilon {short(spent)} of the nominal {short(nominal)}"
    return [Row(check, Verdict.INFO, detail, {"of the mechanism": figure(spent), "nominal": figure(nominal)})]


def exceeds(ratio: fmpq, oracle: Oracle) -> bool:
    """Return whether a ratio of probabilities stands for more than (1 + `EXCESS`) times the nominal epsilon."""
    order = order_of(lambda: (arb(ratio).log(), arb(oracle.privacy()).log() * (1 + EXCESS)))
    return order is Ordering.GREATER


def _keeps_bound(own: Number | None, oracle: Oracle) -> bool:
    """Return whether the mechanism itself keeps the bound that it is judged by (or this precision cannot tell)."""
    return own is not None and compare(own, oracle.privacy()) is not Ordering.GREATER


def law_row(check: str, laws: Laws, oracle: Oracle, tolerance: fmpq = TOLERANCE, unexplored: fmpq = ZERO) -> Row:
    """Return the row of the total variation distance, and the largest deviation of a probability, over all inputs."""

    def deviations() -> tuple[Deviation, Number]:
        of_probabilities, distances = [], []
        for x, theirs in laws.items():
            differences = _differences(theirs, oracle.law(x), unexplored)
            of_probabilities += [Deviation(size, _witness(x, y, a, b)) for size, y, a, b, _ in differences]
            distances.append(Deviation(exact_sum(size * times for size, _, _, _, times in differences) / 2))
        return largest(of_probabilities), largest(distances).size

    (worst, distance), verdict = judge(deviations, lambda pair: pair[0].size, tolerance)
    if unexplored and verdict in (Verdict.CONFORMS, Verdict.ROUNDING):
        verdict = Verdict.ROUNDING if unexplored <= tolerance else Verdict.CONSISTENT
    figures = {"largest deviation of a probability": figure(worst.size), "total variation distance": figure(distance)}
    detail = f"total variation distance {short(distance)}, largest deviation of a probability {short(worst.size)}"
    if unexplored:
        figures["unexplored"] = str(unexplored)
        where = "outside" if verdict is Verdict.FAULT else "in"
        detail += f"; the oracle lies {where} the intervals [p, p + {short(unexplored)}]: so much is left open"
    return Row(check, verdict, detail, figures, worst.witness)


def form_row(check: str, laws: Laws, oracle: Oracle) -> Row | None:
    """Return the row of a law that is `undecided` because on no input a report has the form of one of the oracle's."""
    pairs = [(law, oracle.law(x)) for x, law in laws.items()]
    if any(y in own for law, own in pairs for y in law):
        return None
    theirs, ours = (
        {form(y): y for one in reversed(side) for y in reversed([*one])} for side in zip(*pairs, strict=True)
    )
    if not theirs or any(_is_one_form(a, b) for a in theirs for b in ours):
        return None
    examples = [f"{name} as {show(y)[:60]}" for forms in (theirs, ours) for name, y in [*forms.items()][-1:]]
    detail = (
        f"{OTHER_FORM}{examples[0]}, those of the mechanism {examples[1]}: return that, or add a method `canonical`"
    )
    return Row(check, Verdict.UNDECIDED, detail)


def _is_one_form(a: str, b: str) -> bool:
    """Return whether two forms may be those of one type of values: an empty list is a list, an empty set is a set."""
    return a == b or (a[:1] == b[:1] and ("[]" in (a, b) or "{}" in (a, b)))


def _differences(
    theirs: Mapping[Hashable, fmpq], ours: Mapping[Hashable, Number], unexplored: fmpq
) -> list[tuple[Number, Hashable, fmpq, Number, int]]:
    """Return (size, output, target, oracle, how often) of the deviations: those of the same two probabilities once.

    The size is the distance from the interval [target, target + unexplored] to the oracle.
    """
    alike: dict[tuple[int, int], tuple[Hashable, fmpq, Number]] = {}
    times: Counter[tuple[int, int]] = Counter()
    for y in {**ours, **theirs}:
        a, b = theirs.get(y, ZERO), ours.get(y, ZERO)
        key = id(a), id(b)
        if key not in alike:
            alike[key] = y, a, b
        times[key] += 1
    half, differences = unexplored / 2, []
    for key, (y, a, b) in alike.items():
        beyond = absolute(a + half - b) - half
        inside = unexplored and compare(beyond, 0) is Ordering.LESS
        differences.append((ZERO if inside else beyond, y, a, b, times[key]))
    return differences


def _witness(item: Item, output: Hashable, target: fmpq, reference: Number) -> dict[str, str]:
    return {"input": show(item), "output": show(output), "target": str(target), "oracle": figure(reference)}


def privacy_row(
    check: str, ratio: fmpq | None, witness: Mapping[str, str], oracle: Oracle, tolerance: fmpq = TOLERANCE
) -> Row:
    """Return the largest ratio (None: infinite) against the nominal bound."""
    where = "" if oracle.comparison is EVERYTHING else f"; {oracle.comparison}"
    with precision(128):
        bound = oracle.privacy()
        nominal = {"e^epsilon": figure(bound), "nominal epsilon": figure(arb(bound).log())}
        if ratio is None:
            detail = f"no finite epsilon: an output is possible for one input and impossible for another{where}"
            return Row(check, Verdict.FAULT, detail, {**nominal, "effective epsilon": "infinite"}, witness)
        effective, budget = arb(ratio).log(), arb(bound).log()
    verdict, relation = compare_ratio(ratio, oracle, tolerance)
    figures = {"largest ratio": str(ratio), **nominal, "effective epsilon": figure(effective)}
    theirs, ours, spent = short(ratio), short(bound), short(effective)
    if verdict is Verdict.FAULT:
        (theirs, ours), (spent, _) = told_apart(ratio, bound), told_apart(effective, budget)
    detail = f"largest ratio {theirs} {relation} e^epsilon = {ours}; effective epsilon {spent}"
    return Row(check, verdict, detail + where, figures, witness)


def tightness_row(check: str, ratio: fmpq, oracle: Oracle, tolerance: fmpq = TOLERANCE) -> Row:
    """Return whether the target spends as much of the budget as the mechanism itself does, whose ratio must be
    finite."""

    @kept_by_precision(len(PRECISIONS))
    def spent() -> Number:
        own = oracle_ratio(oracle)
        assert own is not None
        return own

    def shortfall() -> Number:
        own = spent()
        return (own - ratio) / own

    missing, verdict = judge(shortfall, lambda gap: gap, tolerance)
    with precision(128):
        own, bound, effective = arb(spent()).log(), arb(oracle.privacy()).log(), arb(ratio).log()
    figures = {"effective epsilon": figure(effective), "of the mechanism": figure(own), "nominal": figure(bound)}
    detail = f"effective epsilon {short(effective)}, of the mechanism itself {short(own)}, nominal {short(bound)}"
    if verdict is Verdict.FAULT:
        return Row(check, Verdict.WARNING, f"budget is wasted: {detail}", figures)
    if compare(missing, 0) is Ordering.LESS:  # more than the mechanism spends: the rows before say how bad it is
        verdict = Verdict.ROUNDING if compare(missing, -tolerance) is not Ordering.LESS else Verdict.WARNING
    return Row(check, verdict, detail, figures)


def compare_ratio(ratio: fmpq, oracle: Oracle, tolerance: fmpq = TOLERANCE) -> tuple[Verdict, str]:
    """Return a ratio of probabilities against the nominal bound: verdict and the sign that belongs between them."""
    for bits in PRECISIONS:
        with precision(bits):
            bound = oracle.privacy()
            order = compare(ratio, bound)
            excess = compare(ratio / bound - 1, tolerance)
        if order is Ordering.EQUAL:
            return Verdict.CONFORMS, "="
        if order is Ordering.LESS:
            return Verdict.CONFORMS, "<"
        if order is Ordering.GREATER and excess is not Ordering.UNDECIDED:
            rounding = excess is not Ordering.GREATER
            return (Verdict.ROUNDING, "> (within rounding)") if rounding else (Verdict.FAULT, ">")
    return Verdict.UNDECIDED, "?"


def largest_ratio(laws: Laws, comparison: Comparison = EVERYTHING) -> tuple[fmpq | None, dict[str, str]]:
    """Return largest P(y|x) / P(y|x') that is compared, with its witness; None when it is infinite, 1 if nothing is."""
    best, witness = fmpq(0), dict[str, str]()
    for y, top, low, a, b in _compared(laws, comparison):
        if a == 0 or (b != 0 and compare(a / b, best) is not Ordering.GREATER):
            continue
        witness = {"input": show(top), "output": show(y), "inputs": f"{show(top)} and {show(low)}"}
        witness["probabilities"] = f"{a} and {b}"
        if b == 0:
            return None, witness
        best = a / b
    return best or fmpq(1), witness


def oracle_ratio(oracle: Oracle) -> Number | None:
    """Return the largest compared ratio of the oracle's own law (None: infinite), or a ball around it at this
    precision."""
    comparison = oracle.comparison
    laws = observed_laws({x: oracle.law(x) for x in oracle.inputs}, comparison)
    ratios: list[Number] = [fmpq(1)]
    extremes: dict[tuple[int, ...], tuple[Number, Number]] = {}
    for y in dict.fromkeys(y for law in laws.values() for y in law):
        column = {x: law[y] for x, law in laws.items() if y in law}
        if comparison is EVERYTHING:
            if len(column) < len(laws):
                return None
            top_and_low = _extreme([*column.values()], 1), _extreme([*column.values()], 0)
            extremes[tuple(map(id, top_and_low))] = top_and_low
            continue
        for top, other in product(column, laws):
            if comparison.compares(top, other, y):
                if other not in column:
                    return None
                ratios.append(column[top] / column[other])
    return _extreme([*ratios, *(a / b for a, b in extremes.values())], 1)


def observed_laws(laws: Mapping[Item, Mapping[Hashable, N]], comparison: Comparison) -> dict[Item, dict[Hashable, N]]:
    """Return the laws of what a comparison observes of the outputs."""
    if comparison is EVERYTHING:
        return {x: dict(law) if not isinstance(law, dict) else law for x, law in laws.items()}
    observed: dict[Item, dict[Hashable, N]] = {}
    for x, law in laws.items():
        observed[x] = {}
        for y, p in law.items():
            view = comparison.observed(y)
            observed[x][view] = observed[x][view] + p if view in observed[x] else p
    return observed


def _compared(laws: Laws, comparison: Comparison) -> Iterator[tuple[Hashable, Item, Item, fmpq, fmpq]]:
    """Yield (what is observed, two inputs, its probabilities on them) for all that is compared.

    Where everything is, only the inputs with the largest and the smallest probability; else without those pairs of
    inputs on both of which it is impossible.
    """
    observed = observed_laws(laws, comparison)
    for y in dict.fromkeys(y for law in observed.values() for y in law):
        column = {x: law.get(y, ZERO) for x, law in observed.items()}
        if comparison is EVERYTHING:
            top, low = max(column, key=column.__getitem__), min(column, key=column.__getitem__)
            yield y, top, low, column[top], column[low]
            continue
        for x, other in permutations(column, 2):
            if (column[x] != 0 or column[other] != 0) and comparison.compares(x, other, y):
                yield y, x, other, column[x], column[other]


def _extreme(numbers: list[Number], end: int) -> Number:
    """Return minimum (0) or maximum (1): exactly where the numbers can be told apart, else a ball around the
    candidates."""
    first, *others = {id(number): number for number in numbers}.values()
    best = first
    for number in others:
        order = compare(number, best)
        if order is Ordering.UNDECIDED:
            best = arb(best).union(arb(number))
        elif order is (Ordering.GREATER if end else Ordering.LESS):
            best = number
    return best


def ratio_bounds(laws: Laws, tolerance: fmpq, comparison: Comparison = EVERYTHING) -> tuple[fmpq, fmpq | None]:
    """Return smallest and largest value (None: infinite) that the largest ratio can have if entries are off by
    `tolerance`."""
    least, most = fmpq(0), fmpq(1)
    infinite = False
    for _, _, _, top, low in _compared(laws, comparison):
        if top + tolerance == 0:
            continue
        if low - tolerance <= 0:
            infinite = True
        else:
            most = max(most, (top + tolerance) / (low - tolerance))
        if low + tolerance > 0:
            least = max(least, (top - tolerance) / (low + tolerance))
    return least, None if infinite else most


QUESTIONS = (
    Question(
        "law",
        "is the output law that of the mechanism?",
        meaning=(
            "Is the output law that of the mechanism? Total variation distance and largest deviation, with input "
            "and output."
        ),
        needs=(LAWS, COMPILED_REPORTS),
        hint="draw every report with the mechanism's probability; the chart shows where the two differ",
    ),
    Question(
        "privacy",
        "is the largest ratio of probabilities at most e^epsilon at the nominal epsilon?",
        meaning=(
            "Is the largest ratio of the probabilities that are compared at most $e^\\epsilon$ for the nominal "
            "$\\epsilon$? Which $\\epsilon$ is effective?"
        ),
        needs=(LAWS,),
        hint="the likelier of the two probabilities may be at most e^epsilon times the other: change the "
        "probabilities, or say the epsilon that is spent",
    ),
    Question(
        "tightness",
        "is the privacy budget used?",
        meaning="Is the budget spent as the mechanism spends it, neither more nor less?",
        needs=(LAWS,),
        unasked="not stated where the largest ratio is infinite",
        hint="the same privacy allows smaller errors: use the mechanism's own probabilities",
    ),
    Question(
        "loss-by-design",
        "does the mechanism itself spend less than the nominal epsilon?",
        meaning="How much of ε does the mechanism itself leave unspent?",
        needs=(LAWS,),
        unasked="said only where the mechanism spends less than the nominal budget",
        hint="a mechanism that spends all of the budget has smaller errors",
    ),
)
