"""Formal statements of source 000 on other mechanisms: tables, estimates, variances, how many dummies they ask for."""

from collections.abc import Sequence
from functools import reduce
from itertools import permutations
from operator import add, mul
from typing import TypeVar

from dp_spec.frequency import grr
from dp_spec.frequency.claims.one_item import ONE_ITEM, TWO_ITEMS
from dp_spec.frequency.local_hashing import ANY, B, P, W
from dp_spec.shuffle import messages
from dp_spec.shuffle.claims.estimators import unbiased
from dp_spec.shuffle.claims.variances import mse
from dp_spec.shuffle.dummies import needed
from dp_spec.shuffle.messages import DUMMIES, OTHER, OWN, RHO
from dp_spec.vocabulary.claim import Formal, Unchecked
from dp_spec.vocabulary.error_statements import Formula, formula
from dp_spec.vocabulary.law import USERS, Estimator, F, K
from dp_spec.vocabulary.ranges import ANY_SIZE, POSITIVE, SEVERAL, SOME, UNIT
from dp_spec.vocabulary.statement import Mse, Ratio, Relation, Unbiased, conjunction, instances
from dp_spec.vocabulary.term import Term, minimum, same, summed, term, var

T = TypeVar("T")
EPS, GAMMA, L2, L4, S, X, Y, Z = (var(name) for name in ("eps", "gamma", "l2", "l4", "s", "x", "y", "z"))

# --- randomized response as a blanket: SH and SRR -------------------------------------------------------------------

_SHARES = {"gamma": POSITIVE}
_UP_TO_ONE = (1 - GAMMA,)


def _blanket(labels: Term, p: Term, q: Term) -> tuple[Relation, ...]:
    """Its table is a law, and that of randomized response."""
    own, other = 1 - GAMMA + GAMMA / labels, GAMMA / labels
    root = {"w": own / other}
    return (
        ("eq", own + (labels - 1) * other, term(1)),
        ("le", term(0), own),
        ("le", term(0), other),
        ("eq", own / other, 1 + labels * (1 - GAMMA) / GAMMA),
        ("eq", own, p.substitute(root)),
        ("eq", other, q.substitute(root)),
    )


_REPORTS = (F * OWN * (1 - OWN) + (1 - F) * OTHER * (1 - OTHER)) / (USERS * (OWN - OTHER) ** 2)
_AUE, _PURE = Estimator(term(1), RHO), Estimator(term(1), DUMMIES / K)

BLANKETS: dict[str, Formal] = {
    "000.base.sh.table": formula({"K": SOME, **_SHARES}, *_blanket(K, OWN, OTHER), where=_UP_TO_ONE),
    "000.base.sh.unbiased": Unbiased(grr.GRR_SAMPLE, "one", "sensitive", grr.SAMPLE_ESTIMATOR, where=ONE_ITEM),
    "000.base.sh.var": Mse(grr.GRR_SAMPLE, "one", "sensitive", grr.SAMPLE_ESTIMATOR, where=TWO_ITEMS, formula=_REPORTS),
    "000.base.hpsdp.srr": conjunction(
        formula(
            {"b": SOME, **_SHARES},
            *_blanket(B, P, 1 / (W + B - 1)),
            where=_UP_TO_ONE,
        ),
        Ratio(ANY, "vector", "ldp", where=ONE_ITEM),
    ),
}

# --- permutations, projections --------------------------------------------------------------------------------------

# x = |t - b|^2, y = |b - f|^2 and z = (t - b) (f - b) for the projection b of t and the true histogram f; on the way
# from b to f the square of the distance to t is x - 2 s z + s^2 y
_CLOSER: Relation = ("lt", X - 2 * (Z / (Y + Z)) * Z + (Z / (Y + Z)) ** 2 * Y, X)


def _arrangements(size: int) -> Formula:
    """From the last place i on, what is there is exchanged with a place j_i <= i: one choice leads to each order."""
    order = [term(k) for k in range(size)]
    for i in range(size - 1, 0, -1):
        taken = [same(var(f"j_{i}"), term(k)) for k in range(i + 1)]
        last = reduce(add, (hit * order[k] for k, hit in enumerate(taken)))
        order[: i + 1] = [*(order[k] + hit * (order[i] - order[k]) for k, hit in enumerate(taken[:i])), last]
    return _each_once(order, [(f"j_{i}", i) for i in range(1, size)])


def _each_once(order: Sequence[Term], choices: Sequence[tuple[str, int]]) -> Formula:
    """Under one of the choices, each from 0 up to a number, is the order a stated one, whichever it is."""
    relations: list[Relation] = []
    for stated in permutations(range(len(order))):
        of = reduce(mul, (same(place, term(k)) for place, k in zip(order, stated, strict=True)))
        for name, last in choices:
            of = summed(name, 0, last, of)
        relations.append(("eq", of, term(1)))
    return formula({}, *relations)


def generated(order: list[T], size: int) -> list[list[T]]:
    """Heap's algorithm: what there is before each of its `size` rounds on the first places, and after the last one. A
    round is the whole algorithm on one place less; between two of them the last place is exchanged with the first one,
    or, where the size is even, with the place that has the number of the round."""
    states = [order]
    for i in range(size):
        places = [*(generated(states[-1], size - 1)[-1] if size > 1 else order)]
        if i < size - 1:
            other = i if size % 2 == 0 else 0
            places[other], places[size - 1] = places[size - 1], places[other]
        states.append(places)
    return states


def visited(size: int) -> Formula:
    """What Heap's algorithm visits at a number from 0 to size! - 1, which is the sum of j_k k!: j_k <= k of the rounds
    on k + 1 places are over."""
    order = [term(k) for k in range(size)]
    for k in range(size - 1, 0, -1):
        begun = [same(var(f"j_{k}"), term(i)) for i in range(k + 1)]
        states = generated(order, k + 1)
        order = [reduce(add, (hit * states[i][place] for i, hit in enumerate(begun))) for place in range(size)]
    return _each_once(order, [(f"j_{k}", k) for k in range(1, size)])


def put_last(size: int) -> Formula:
    """In every round of Heap's algorithm another element stands last."""
    places = [term(places[-1]) for places in generated(list(range(size)), size)[:size]]
    last = reduce(add, (same(var("j"), term(i)) * place for i, place in enumerate(places)))
    return formula({}, *(("eq", summed("j", 0, size - 1, same(last, term(k))), term(1)) for k in range(size)))


POST: dict[str, Formal] = {
    # each element is as likely to be put last; if every order of the other n - 1 has the chance x, every order has the
    # chance x / n. That the orders are those of smaller n is not shown
    "000.base.hpsdp.mrs@fisheryates": conjunction(
        formula(
            {"n": SOME, "x": ANY_SIZE},
            ("eq", 1 / USERS * X, X / USERS),
            ("eq", summed("i", 1, USERS, X / USERS), X),
        ),
        instances(*map(_arrangements, (2, 3))),
    ),
    # of odd and of even numbers; where all orders of the other places are visited in a round, all orders are
    "000.base.hpsdp.mrs@heapindex": instances(*map(visited, (2, 3)), *map(put_last, (4, 5, 6, 7))),
    "000.base.hpsdp.mrs@source": Unchecked("reference [18] is not in the text that we have"),
    # z > 0 is impossible: a point near b would be closer to t. So |t - f|^2 = x - 2 z + y is at least y
    "000.base.hpsdp.pop@l2": conjunction(
        formula({"x": ANY_SIZE, "y": ANY_SIZE, "z": POSITIVE}, _CLOSER),
        formula({"x": ANY_SIZE, "y": ANY_SIZE, "z": ANY_SIZE}, ("le", Y, X + 2 * Z + Y)),
    ),
    # the estimates (1 + x, -x) and (1 - x, x) of two items, each with chance 1/2; the first is projected to (1, 0)
    "000.base.hpsdp.pop@unbiased": formula(
        {"x": ANY_SIZE}, ("eq", (minimum(1, 1 + X) + (1 - X)) / 2, ((1 + X) + (1 - X)) / 2), where=(1 - X,)
    ),
}

# --- the DUMP mechanisms, AUE ---------------------------------------------------------------------------------------

_PURE_NEEDED = 14 * K * L2 / EPS**2 + 1
_MIXED_NEEDED = needed(K, EPS, L4, S, GAMMA * (USERS - 1))
_LOGS = {"K": SOME, "n": SOME, "eps": POSITIVE, "l2": POSITIVE, "l4": POSITIVE, "gamma": POSITIVE, "s": ANY_SIZE}
_MURS = EPS**2 * (USERS - 1) / (14 * L2)

MIXDUMP_VARIANCE = mse(
    messages.GRR,
    messages.T3_GRR,
    (USERS * F * OWN * (1 - OWN) + USERS * (1 - F) * OTHER * (1 - OTHER) + USERS * DUMMIES * ((K - 1) / K**2))
    / (USERS**2 * (OWN - OTHER) ** 2),
)
AUE_VARIANCE = mse(messages.AUE, _AUE, RHO * (1 - RHO) / USERS)

MESSAGES: dict[str, Formal] = {
    # e^epsilon_l + d' - 1 = M_c; squares of both sides
    "000.base.murs.inverse": formula(
        {"eps": POSITIVE, "n": SEVERAL, "l2": POSITIVE, "b": SEVERAL},
        ("eq", 14 * L2 * ((_MURS - B + 1) + B - 1) / (USERS - 1), EPS**2),
    ),
    "000.base.puredump.unbiased": unbiased(messages.PLAIN, _PURE),
    "000.base.puredump.var": mse(messages.PLAIN, _PURE, DUMMIES * (K - 1) / (USERS * K**2)),
    "000.base.puredump.inverse": formula(_LOGS, ("eq", 14 * K * L2 / (_PURE_NEEDED - 1), EPS**2)),
    "000.base.mixdump.unbiased": unbiased(messages.GRR, messages.T3_GRR),
    "000.base.mixdump.var": MIXDUMP_VARIANCE,
    "000.base.mixdump.inverse": formula(
        _LOGS, ("eq", _MIXED_NEEDED + GAMMA * (USERS - 1) - S - 1, 14 * K * L4 / EPS**2)
    ),
    "000.base.aue.unbiased": unbiased(messages.AUE, _AUE),
    "000.base.aue.var": AUE_VARIANCE,
    "000.base.aue.messages": formula({"K": SOME, "rho": UNIT}, ("eq", 1 + summed("j", 1, K, RHO), 1 + K * RHO)),
}

FORMAL: dict[str, Formal] = BLANKETS | POST | MESSAGES
"""Every id with its formal statement."""
