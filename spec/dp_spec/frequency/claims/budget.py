"""Formal statements: the exact smallest constants of every reading of (11), a supplement to source 002, section 4."""

from dp_spec.frequency.claims import surap as bits
from dp_spec.frequency.claims.baselines import EXCHANGED
from dp_spec.frequency.grr import E0, W
from dp_spec.frequency.rappor import H, T
from dp_spec.frequency.sugrr import SUGRR, SUGRR_SAMPLE
from dp_spec.frequency.surap import SURAP, SURAP_SAMPLE
from dp_spec.frequency.wheel import SUWHEEL, WHEEL
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.law import K, Law, M, N
from dp_spec.vocabulary.statement import Compared, Smallest, Unbounded, View
from dp_spec.vocabulary.term import Term, floor, minimum, term, truncated_exponential

TWO_SETS = K + N - M - 1
"""d > m: there are two sets to compare."""

TWO_SENSITIVE = K - 2
"""With d > m: there are two sets with the same non-sensitive items."""

SPARE = K + 2 * N - 2 * M
"""K + 2N >= 2m: two sets that exchange as many sensitive items as possible can have nothing else of the kind."""

EXCHANGED_SAMENON = minimum(M, floor(K / 2), K + N - M)
"""The largest number of sensitive items that two m-sets with the same non-sensitive items can exchange."""

_VIEWS: tuple[View, ...] = ("multiset", "set")
_EXCHANGES: dict[Compared, tuple[Term, tuple[Term, ...]]] = {
    "joint": (EXCHANGED, (TWO_SETS,)),
    "deniability": (term(1), (TWO_SETS,)),
    "samenon": (EXCHANGED_SAMENON, (TWO_SETS, TWO_SENSITIVE)),
}
"""How many sensitive items two compared sets can exchange, and where anything is compared."""


def _matched(view: View, relation: Compared) -> Smallest:
    """suGRR: reports of unordered results."""
    a, where = _EXCHANGES[relation]
    if relation == "deniability":
        return Smallest(SUGRR, view, relation, where=where, constant=E0)
    return Smallest(SUGRR, view, relation, where=(*where, SPARE), constant=truncated_exponential(a, E0 - 1))


def _drawn(relation: Compared, *where: Term, nonempty: bool = False) -> Smallest:
    """suGRR-Sample: one result."""
    counted = {"counted": "nonempty"} if nonempty else {}
    return Smallest(SUGRR_SAMPLE, "one", relation, where=where, constant=(W + M - 1) / M, **counted)  # type: ignore[arg-type]


def _bits(law: Law, relation: Compared) -> Smallest:
    """suRAP and suRAP-Sample: vectors of bits."""
    a, where = _EXCHANGES[relation]
    if law.draw == "all":
        constant = T**2 if relation == "deniability" else T ** (2 * a)
    else:
        constant = (H**2 + M - 1) / M if relation == "deniability" else (M + a * (H**2 - 1)) / M
    return Smallest(law, "sen", relation, where=where, constant=constant)


def _arcs(law: Law, relation: Compared) -> Smallest:
    """Wheel and suWheel, given any published hash function."""
    where = (TWO_SETS, TWO_SENSITIVE) if relation == "samenon" else (TWO_SETS,)
    return Smallest(law, "hash", relation, where=where, constant=W)


FORMAL: dict[str, Formal] = {
    "002.budget.sugrr@multiset-marginal": Unbounded(SUGRR, "multiset", "marginal", where=(TWO_SETS, N - 1)),
    "002.budget.sugrr@multiset-marginal-nonempty": Unbounded(
        SUGRR, "multiset", "marginal", "nonempty", where=(TWO_SETS, N - 1, K - 2, M - 2)
    ),
    "002.budget.sugrr@set-marginal": Unbounded(SUGRR, "set", "marginal", where=(N - M,)),
    "002.budget.sugrr@set-marginal-nonempty": Smallest(
        SUGRR, "set", "marginal", "nonempty", where=(K - M - 1, N - M + 1), constant=SUGRR.e_eps, cases=True
    ),
    **{f"002.budget.sugrr@{view}-{r}": _matched(view, r) for view in _VIEWS for r in _EXCHANGES},
    "002.budget.sugrrsample@bot-in-marginal": Unbounded(SUGRR_SAMPLE, "one", "marginal", where=(K - M, N - 1)),
    "002.budget.sugrrsample@bot-out-marginal": _drawn("marginal", TWO_SETS, nonempty=True),
    **{f"002.budget.sugrrsample@{relation}": _drawn(relation, *where) for relation, (_, where) in _EXCHANGES.items()},
    "002.budget.surap@whole-marginal": Unbounded(SURAP, "whole", "marginal", where=(TWO_SETS, N - 1)),
    "002.budget.surap@sen-marginal": bits.FORMAL["002.thm4.surap.tight@sen-marginal.corrected"],
    **{f"002.budget.surap@{relation}": _bits(SURAP, relation) for relation in _EXCHANGES},
    "002.budget.surapsample@whole-marginal": Unbounded(SURAP_SAMPLE, "whole", "marginal", where=(TWO_SETS, N - 1)),
    "002.budget.surapsample@sen-marginal": bits.FORMAL["002.thm4.surapsample.tight@sen-marginal.corrected"],
    "002.budget.surapsample@sen-marginal-few": bits.FORMAL["002.thm4.surapsample.tight@sen-marginal.corrected2"],
    "002.budget.surapsample@sen-marginal-between": bits.FORMAL["002.thm4.surapsample.tight@sen-marginal.corrected3"],
    **{f"002.budget.surapsample@{relation}": _bits(SURAP_SAMPLE, relation) for relation in _EXCHANGES},
    "002.budget.suwheel@marginal": _arcs(SUWHEEL, "marginal"),
    "002.budget.suwheel@joint": Unbounded(SUWHEEL, "hash", "joint", where=(TWO_SETS, N - 1)),
    "002.budget.suwheel@deniability": Unbounded(SUWHEEL, "hash", "deniability", where=(TWO_SETS, N - 1)),
    "002.budget.suwheel@samenon": _arcs(SUWHEEL, "samenon"),
    "002.budget.wheel@joint": _arcs(WHEEL, "ldp"),
    "002.budget.wheel@deniability": _arcs(WHEEL, "deniability"),
}
"""Every id of the section with its formal statement."""
