"""The row `seed`: is a process random at all, or does it give the same reports when it is asked the same again?"""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence

from flint import arb, fmpq

from dp_audit.exact_numbers import order_of
from dp_audit.judge.out_of_domain import support
from dp_audit.judge.plan import OF_PROCESS
from dp_audit.judge.question import Question
from dp_audit.observation.samples import Reports, Sampler, SamplerError, Target
from dp_audit.observation.values import show
from dp_audit.oracles.base import Number, Oracle, multiplied
from dp_audit.outcome import Row, Verdict
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import Ordering

REPEATED = 200
"""Reports that are compared with those of a fresh process."""
Start = Callable[[], Target]
Draws = list[tuple[Item, Hashable]]


def seed_rows(start: Start, sampler: Target, oracle: Oracle, level: fmpq, draws: Draws) -> list[Row]:
    """Return whether the same requests give the same reports again, in this process or in a fresh one.

    The probability that n reports repeat given ones is the product of their probabilities, so that a correct target is
    accused with probability at most `level`, half of it for either comparison. `draws` receives the first reports.
    """
    again: Draws = []
    other: Draws = []
    try:
        _draw(sampler, oracle, draws)
    except SamplerError:
        return []  # asked again, it fails again: `audit_samples` reports it
    try:
        _draw(sampler, oracle, again)
        with start() as fresh:
            _draw(fresh, oracle, other)
    except SamplerError as error:
        detail = f"could not be asked for the same reports again: {error.finding.message}"
        return [Row("seed", Verdict.UNDECIDED, detail)]
    figures = {"error level": str(level), "reports": str(len(draws))}
    for what, repeated in (("the same process", again), ("a fresh process", other)):
        if repeated == draws and order_of(lambda: (_probability(draws, oracle), level / 2)) is Ordering.LESS:
            witness = {"input": show(draws[0][0]), "reports": show(tuple(y for _, y in draws[:12]))}
            detail = f"{what}, asked the same again, gives the same {len(draws)} reports: they are not random"
            return [Row("seed", Verdict.FAULT, detail, figures, witness)]
    detail = f"{len(draws)} reports are others when asked again, in the same process and in a fresh one"
    if draws in (again, other):
        detail = f"{len(draws)} reports are the same when asked again, which their probability explains"
    return [Row("seed", Verdict.CONSISTENT, detail, figures)]


def _draw(sampler: Sampler, oracle: Oracle, draws: Draws) -> None:
    """Add 200 reports in a known order, on all inputs: single ones if the child does not tell the order."""
    inputs = oracle.inputs[:REPEATED]
    each = REPEATED // len(inputs)
    for item in inputs:
        answer = sampler.sample(item, each)
        if isinstance(answer, Mapping):
            for _ in range(each):
                draws += [(item, output) for output in support(sampler.sample(item, 1))]
        else:
            draws += [(item, output) for output in answer]


class Resumed:
    """A sampler after reports that it gave already: they are handed out first, so that no report is lost."""

    def __init__(self, sampler: Sampler, draws: Draws) -> None:
        self._sampler = sampler
        self._left: dict[Item, list[Hashable]] = {}
        for item, output in draws:
            self._left.setdefault(item, []).append(output)

    def sample(self, item: Item, count: int, /) -> Reports:
        """Return reports as the sampler does, first those that it gave before."""
        left = self._left.pop(item, [])
        first, self._left[item] = left[:count], left[count:]
        if len(first) == count:
            return first
        try:
            return _joined(first, self._sampler.sample(item, count - len(first)))
        except SamplerError as error:
            raise SamplerError(error.finding, _joined(first, error.partial or ())) from None


def _joined(first: Sequence[Hashable], more: Reports) -> Reports:
    return Counter(first) + Counter(more) if isinstance(more, Mapping) else (*first, *more)


def _probability(draws: Draws, oracle: Oracle) -> Number:
    """Return an upper bound of the probability of these reports."""
    probabilities: dict[tuple[Item, Hashable], Number] = {}
    events = {item: oracle.events(item) for item in dict.fromkeys(item for item, _ in draws)}
    for item, output in draws:
        if not oracle.possible_on(item, output):
            probabilities[item, output] = fmpq(1)  # wrong, and no sign of a seed
        elif (item, output) not in probabilities:
            sides = [e.probability if e.holds(output) else 1 - e.probability for e in events[item]]
            probabilities[item, output] = min(sides, key=lambda p: float(arb(p)), default=fmpq(1))
    return multiplied(probabilities[draw] for draw in draws)


QUESTIONS = (
    Question(
        "seed",
        "does a process give other reports when it is asked the same again?",
        needs=(OF_PROCESS,),
        hint="seed generators from the entropy of the system, or not at all",
    ),
)
