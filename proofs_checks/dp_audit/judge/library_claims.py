"""Rows about figures that a library states about itself, which its adapter hands over as facts.

`stated variance`: of the estimate, from one report and before any clipping, of an item nobody holds, and `stated
variance, two users` from two; `stated variance, held by all`: of the item of the only user. A variance that is stated
to be negative is a fault.
`stated attack success`: the probability that the best guess of the item held, from one report, is right when all items
are equally likely.
"""

from collections.abc import Callable, Hashable
from functools import partial

from flint import fmpq

from dp_audit.exact_numbers import Deviation, absolute, figure, judge, largest, short
from dp_audit.judge.plan import FACTS
from dp_audit.judge.question import Question
from dp_audit.observation.target_laws import TargetLaws
from dp_audit.oracles.base import Number, Oracle, exact_sum
from dp_audit.oracles.hashing import FixedHashing, IdealHashing
from dp_audit.oracles.post_processing import Normalized
from dp_audit.outcome import Row, Verdict
from dp_spec.vocabulary.items import Item

VARIANCE, TWO, HELD = "stated variance", "stated variance, two users", "stated variance, held by all"
ATTACK = "stated attack success"


def stated_rows(target: TargetLaws, oracle: Oracle) -> list[Row]:
    """Return the stated figures against the exact ones of the mechanism; of local hashing, over all hash functions."""
    own = oracle.mechanism if isinstance(oracle, Normalized) else oracle
    mechanism = IdealHashing(own.d, own.cells, ()) if isinstance(own, FixedHashing) else own
    exact: dict[str, Callable[[], Number]] = {ATTACK: lambda: attack_success(mechanism)}
    first, last = mechanism.inputs[0], mechanism.inputs[-1]
    for name, data in ((HELD, (first,)), (VARIANCE, (last,)), (TWO, (last, last))):
        if mechanism.variance(data) is not None:
            exact[name] = partial(_first_variance, mechanism, data)
    kinds = [name for name in (VARIANCE, TWO, HELD, ATTACK) if name in target.facts and name in exact]
    stated = {name: target.facts[name] for name in kinds}
    return [_row(name, number, exact[name]) for name, number in stated.items()]


def _first_variance(oracle: Oracle, data: tuple[Item, ...]) -> Number:
    """Return the variance of the estimate of the first item, which the first input holds and the last one does not."""
    variances = oracle.variance(data)
    assert variances is not None
    return variances[0]


def attack_success(oracle: Oracle) -> Number:
    """Return (1/d) times the sum over the outputs of the largest probability that an input has for it."""
    laws = [oracle.law(item) for item in oracle.inputs]
    outputs: dict[Hashable, None] = dict.fromkeys(y for law in laws for y in law)
    return exact_sum(largest([Deviation(law.get(y, fmpq(0))) for law in laws]).size for y in outputs) / len(laws)


def _row(name: str, stated: object, exact: Callable[[], Number]) -> Row:
    if isinstance(stated, bool) or not isinstance(stated, int | fmpq):
        return Row(name, Verdict.WARNING, f"no finite number is stated: {stated}")
    number = fmpq(stated)
    (size, reference), verdict = judge(lambda: (absolute(number - exact()), exact()), lambda pair: pair[0])
    detail = f"stated {short(number)}, exact {short(reference)}"
    if number < 0:
        verdict, detail = Verdict.FAULT, f"{detail}: nothing that is stated here can be negative"
    figures = {"stated": figure(number), "exact": figure(reference), "deviation": figure(size)}
    surprising = verdict is Verdict.FAULT and number >= 0
    return Row(name, Verdict.WARNING if surprising else verdict, detail, figures)


QUESTIONS = (
    Question(
        "stated-variance",
        "is it the exact one?",
        needs=(FACTS,),
        unasked="asked where the library states one",
        hint="state the exact variance",
    ),
    Question(
        "stated-attack-success",
        "is it the exact one?",
        needs=(FACTS,),
        unasked="asked where the library states one",
        hint="state the exact chance of the attack",
    ),
)
