"""Figure 5: how long our programs take, measured. Nothing depends on it, and no two runs give the same numbers.

Every message is made and counted, unlike for the errors. Fewer users are timed where messages or items are too many;
what all users would take is in proportion.
"""

import platform
from collections.abc import Iterator, Mapping
from time import perf_counter
from typing import Any

import numpy as np
from flint import arb, ctx

from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.fast.shuffle.em import OwnFunctions, em_array, starting_array
from dp_refimpl.fast.shuffle.messages import Sent, estimates_array, sample_hashed, sample_item_counts, sent_counts
from dp_refimpl.frequency.hash_families import CarterWegman
from dp_refimpl.shuffle.dummies import Constant
from dp_refimpl.shuffle.dump import MixDUMP
from dp_refimpl.shuffle.hpsdp import SRR, pop_array
from dp_refimpl.shuffle.murs import SOLH
from dp_refimpl.shuffle.odhp import ODHP
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import ItemDomain
from dp_studies.reproduce.numbers import BITS
from dp_studies.reproduce.s000.data import DataSet
from dp_studies.reproduce.s000.parameter_choices import Choice, best, choices
from dp_studies.reproduce.s000.post_processing import Floats, functions_of
from dp_studies.reproduce.s000.settings import Plan, Point
from dp_studies.reproduce.streams import draws

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
    """The seconds of the best settings with printed parameters at the smallest epsilon, as JSON."""
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
    with ctx.workprec(BITS):
        program = MixDUMP(ItemDomain.of_sizes(data.items), Budget.of_root(choice.root), Constant(each))
        watch = Watch()
        counts = sample_item_counts(program, np.bincount(held, minlength=data.items), draws(plan.seed))
        users = watch.lap()
        estimates_array(program.estimator, counts, len(held) * (each + 1), len(held))
        return users, watch.lap(), 0.0


def _hashed(choice: Choice, data: DataSet, held: Indices, each: int, plan: Plan) -> tuple[float, float, float]:
    domain, family = ItemDomain.of_sizes(data.items), functions_of(data.items, choice.labels)
    with ctx.workprec(BITS):
        program = _program(choice, domain, family, each)
        watch = Watch()
        sent = sample_hashed(program, held, draws(plan.seed))
        users = watch.lap()
        found = estimates_array(program.estimator, sent_counts(program, sent), sent.labels.size, len(held))
        server = watch.lap()
        if choice.algorithm == "OD-HP":
            _em(sent, found, program, data)
            return users, server, watch.lap() / STEPS
        if choice.algorithm == "HP-SDP":
            pop_array(found)
            return users, server, watch.lap()
        return users, server, 0.0


def _program(choice: Choice, domain: ItemDomain, family: CarterWegman, each: int) -> SOLH[arb] | SRR[arb] | ODHP[arb]:
    """As printed: the dummies of OD-HP carry the function of the report."""
    if choice.algorithm == "HP-SDP":
        return SRR(domain, family, choice.labels / (choice.root + choice.labels - 1))
    budget = Budget.of_root(choice.root)
    return SOLH(domain, budget, family) if choice.algorithm == "MURS" else ODHP(domain, budget, Constant(each), family)


def _em(sent: Sent, found: Floats, program: SOLH[arb] | SRR[arb] | ODHP[arb], data: DataSet) -> None:
    messages = OwnFunctions(sent.hashes, sent.labels, data.items)
    em_array(messages, starting_array(found), float(program.p), float(program.q), STEPS)


def lines(found: Mapping[str, Any]) -> Iterator[str]:
    """For a terminal."""
    for one in found["times"]:
        yield (
            f"{one['data']}, {one['algorithm']}: {one['users_timed']} users and server {one['users']:.2g} + "
            f"{one['server']:.2g} s, after {one['after']:.2g} s; all users about {one['all']:.2g} s"
        )
