"""What is measured, and decides nothing: post-processing, in floats, and times (Figure 5).

POP, which is HP-SDP's, is done after all algorithms, EM after OD-HP. EM needs the messages themselves, with their
functions: all n users and |M| dummies are drawn, each with a function of its own, and the errors of the same messages
without EM and with it are given.

Times are those of our programs: nothing depends on them, and no two runs give the same. Every message is made and
counted, unlike for the errors. Fewer users are timed where messages or items are too many; what all users would take is
in proportion.
"""

import platform
from collections.abc import Iterator, Mapping
from itertools import count
from time import perf_counter
from typing import Any, TypedDict

import numpy as np
from flint import arb, fmpq, fmpz
from numpy.typing import NDArray

from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.fast.array_counts import Draws
from dp_refimpl.fast.frequency.label_arrays import draw_label_hashes
from dp_refimpl.fast.shuffle.em import OwnFunctions, em_array, starting_array
from dp_refimpl.fast.shuffle.messages import (
    Sent,
    estimates_array,
    exact_chance,
    sample_hashed,
    sample_item_counts,
    sent_counts,
)
from dp_refimpl.frequency.hash_families import CarterWegman
from dp_refimpl.shuffle.dummies import Constant
from dp_refimpl.shuffle.dump import MixDUMP
from dp_refimpl.shuffle.em import likelihood
from dp_refimpl.shuffle.hpsdp import SRR, pop_array
from dp_refimpl.shuffle.murs import SOLH
from dp_refimpl.shuffle.odhp import ODHP
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.precision import precision
from dp_studies.reproduce.numbers import BITS
from dp_studies.reproduce.s000.counts import Counted
from dp_studies.reproduce.s000.data import DataSet
from dp_studies.reproduce.s000.parameter_choices import Choice, best, choices
from dp_studies.reproduce.s000.settings import Plan, Point
from dp_studies.reproduce.streams import draws

NEARLY_UNIFORM, SMALL = 16, 1 << 16
"""Residues for each label, and how many at most for that alone."""
Floats = NDArray[np.float64]


class Measured(TypedDict):
    """Mean squared errors of the same messages' estimates, before and after a post-processing."""

    before: str
    after: str


def squared_error(law: Counted, estimates: Floats) -> float:
    """The mean of (f~_v - f_v)^2 over the items."""
    return float(np.square(estimates - law.data.array / law.data.users).mean())


def popped(law: Counted, counts: Indices) -> tuple[float, float]:
    """The errors of one run without POP, and with it."""
    estimates = estimates_array(law.estimator, counts, law.messages, law.data.users)
    return squared_error(law, estimates), squared_error(law, pop_array(estimates))


def functions_of(items: int, labels: int) -> CarterWegman:
    """x -> ((a x + b) mod P) mod h: labels of two items are independent, each of them with a chance that differs from
    1 / h by less than 1 / P. P is so small that EM with a function for every message is a matter of seconds."""
    least = max(items, labels, min(NEARLY_UNIFORM * labels, SMALL))
    prime = next(p for p in count(least) if fmpz(p).is_prime())
    return CarterWegman(ItemDomain.of_sizes(items).items, prime, labels, True)


def own_messages(law: Counted, coins: Draws) -> OwnFunctions:
    """The messages of all users, then the dummies; each carries a function of its own."""
    data, h = law.data, law.choice.labels
    hashes = draw_label_hashes(functions_of(data.items, h), law.messages, coins)
    own = hashes.part(slice(data.users)).values(np.repeat(np.arange(data.items), data.array)[:, None])
    with precision(BITS):
        kept = exact_chance(law.own - law.changed)
    sent = coins.below(h, (law.messages, 1))
    users = sent[: data.users]
    users[:] = np.where(coins.bernoulli(kept, own.shape).view(np.bool_), own, users)
    return OwnFunctions(hashes, sent, data.items)


def refined(law: Counted, steps: int, coins: Draws) -> Measured:
    """EM with the likelihood `mix`, from the start `vector`, so many steps: the errors without it, and with it."""
    sent = own_messages(law, coins)
    estimates = estimates_array(law.estimator, sent.support(), law.messages, law.data.users)
    mean = fmpq(law.choice.dummies, law.data.users)
    with precision(BITS):
        chances = likelihood("mix", law.own, law.changed, law.choice.labels, mean)
        inside, outside = (float(exact_chance(x)) for x in (chances.inside, chances.outside))
    histogram = em_array(sent, starting_array(estimates), inside, outside, steps).histogram
    return {"before": shown(squared_error(law, estimates)), "after": shown(squared_error(law, histogram))}


def shown(number: float) -> str:
    """A float as far as it is measured."""
    return f"{number:.5e}"


# --- times ------------------------------------------------------------------------------------------------------------

MESSAGES, RESIDUES = 30_000_000, 1 << 31
"""Messages at most; entries of tables of residues, for functions."""
STEPS = 2
"""Steps of EM that are timed."""


class Watch:
    """Seconds of wall time since it was made, or since the lap before."""

    def __init__(self) -> None:
        self._before = perf_counter()

    def lap(self) -> float:
        """The seconds."""
        before, self._before = self._before, perf_counter()
        return self._before - before


def measured(plan: Plan) -> dict[str, Any]:
    """The seconds of the best settings with printed parameters at the smallest epsilon, as JSON; nothing if the plan
    does not ask for times."""
    if not plan.times:
        return {}
    epsilon = min(plan.epsilons, key=lambda text: plan.target(text).epsilon)
    rows = []
    for data in plan.data:
        point = Point(data, "printed", epsilon)
        for name, choice in best(list(choices(plan, point)), data).items():
            rows.append({"data": data.name, "algorithm": name, **_timed(choice, data, plan)})
    return {
        "epsilon": epsilon,
        "machine": f"{platform.machine()}, {platform.system()}, Python {platform.python_version()}",
        "note": "Seconds of wall time of this program, one process: users (all messages), server (estimates of all "
        "items), after (POP, or one step of EM). `users_timed` users are timed; `all` is in proportion, after POP as "
        "it is.",
        "times": rows,
    }


def _timed(choice: Choice, data: DataSet, plan: Plan) -> dict[str, Any]:
    each = -(-choice.dummies // data.users)
    number = min(data.users, MESSAGES // (each + 1))
    if choice.hashed:
        prime = functions_of(data.items, choice.labels).prime
        number = number if prime**2 <= 2 * RESIDUES else min(number, RESIDUES // prime)
    number = max(1, number)
    coins = draws(plan.seed, number)
    held = np.sort(np.repeat(np.arange(data.items), data.array)[coins.below(data.users, number)])
    if choice.algorithm == "mixDUMP":
        users, server, after = _items(choice, data, held, each, plan)
    else:
        users, server, after = _hashed(choice, data, held, each, plan)
    grows = choice.algorithm == "OD-HP"
    total = (users + server + (after if grows else 0)) * data.users / number + (0 if grows else after)
    seconds = {"users": users, "server": server, "after": after, "all": total}
    return {"users_timed": number, "dummies_each": each, **{name: float(f"{s:.3g}") for name, s in seconds.items()}}


def _items(choice: Choice, data: DataSet, held: Indices, each: int, plan: Plan) -> tuple[float, float, float]:
    with precision(BITS):
        program = MixDUMP(ItemDomain.of_sizes(data.items), Budget.of_root(choice.root), Constant(each))
        watch = Watch()
        counts = sample_item_counts(program, np.bincount(held, minlength=data.items), draws(plan.seed))
        users = watch.lap()
        estimates_array(program.estimator, counts, len(held) * (each + 1), len(held))
        return users, watch.lap(), 0.0


def _hashed(choice: Choice, data: DataSet, held: Indices, each: int, plan: Plan) -> tuple[float, float, float]:
    domain, family = ItemDomain.of_sizes(data.items), functions_of(data.items, choice.labels)
    with precision(BITS):
        program = _program(choice, domain, family, each)
        watch = Watch()
        sent = sample_hashed(program, held, draws(plan.seed))
        users = watch.lap()
        estimates = estimates_array(program.estimator, sent_counts(program, sent), sent.labels.size, len(held))
        server = watch.lap()
        if choice.algorithm == "OD-HP":
            _em(sent, estimates, program, data)
            return users, server, watch.lap() / STEPS
        if choice.algorithm == "HP-SDP":
            pop_array(estimates)
            return users, server, watch.lap()
        return users, server, 0.0


def _program(choice: Choice, domain: ItemDomain, family: CarterWegman, each: int) -> SOLH[arb] | SRR[arb] | ODHP[arb]:
    """As printed: the dummies of OD-HP carry the function of the report."""
    if choice.algorithm == "HP-SDP":
        return SRR(domain, family, choice.labels / (choice.root + choice.labels - 1))
    budget = Budget.of_root(choice.root)
    return SOLH(domain, budget, family) if choice.algorithm == "MURS" else ODHP(domain, budget, Constant(each), family)


def _em(sent: Sent, estimates: Floats, program: SOLH[arb] | SRR[arb] | ODHP[arb], data: DataSet) -> None:
    messages = OwnFunctions(sent.hashes, sent.labels, data.items)
    em_array(messages, starting_array(estimates), float(program.p), float(program.q), STEPS)


def time_lines(document: Mapping[str, Any]) -> Iterator[str]:
    """For a terminal."""
    for one in document.get("times", ()):
        yield (
            f"{one['data']}, {one['algorithm']}: {one['users_timed']} users and server {one['users']:.2g} + "
            f"{one['server']:.2g} s, after {one['after']:.2g} s; all users about {one['all']:.2g} s"
        )
