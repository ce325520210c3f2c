"""Formal statements of source 000: what dummies add, with the shuffler's help and without.

A shuffler who helps leaves the bundle of a user: a report and c dummies, without order (`users` is 1, and no other
dummies). The others' messages, where they are known too, are independent of it.
"""

from dataclasses import replace
from typing import Literal

from dp_spec.frequency.claims.one_item import exactly
from dp_spec.frequency.grr import GRR_SAMPLE
from dp_spec.frequency.local_hashing import SEPARATED, W
from dp_spec.shuffle.claims.algorithm import RANGES, A, Y, domain
from dp_spec.shuffle.claims.amplification import FORMAL as BOUNDS
from dp_spec.shuffle.claims.definitions import SUMS
from dp_spec.shuffle.messages import DUMMIES, GRR, HASHED, PLAIN, SHARED, SHARED_OTHERS
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import formula
from dp_spec.vocabulary.law import SEPARATING, USERS, K, Law
from dp_spec.vocabulary.ranges import SOME
from dp_spec.vocabulary.shuffle_statements import Divergence, Shuffled
from dp_spec.vocabulary.statement import All, Domain, Not, Range, Ratio, Smallest, conjunction
from dp_spec.vocabulary.term import term, var

ONE = term(1)


def _with(names: str, **more: Range) -> Domain:
    return Domain({**domain(names).variables, **more})


def _functions(law: Law) -> Literal["all"] | None:
    return "all" if law in (HASHED, SHARED) else None


# --- more dummies, more randomness ----------------------------------------------------------------------------------


def _one_more(law: Law, names: str) -> All:
    """A dummy more for every user, who draws it without the data: what an analyzer might do."""
    more, less = (USERS * (DUMMIES + extra) for extra in (1, 0))
    compared = Divergence(
        law, domain(names), USERS, A, dummies=more, than=Shuffled(law, less), functions=_functions(law)
    )
    return conjunction(SUMS, compared)


V = var("v")
_MORE_RANDOM = GRR_SAMPLE.rebased({"w": V}, "v", ONE)

MORE: dict[str, Formal] = {
    "000.prose.dummies-mono@nohash": _one_more(GRR_SAMPLE, "a w K n c"),
    "000.prose.dummies-mono@fresh": _one_more(HASHED, "a w K b n c"),
    # a dummy carries the function of its user, which other messages of that user show
    "000.prose.dummies-mono@shared": conjunction(
        SUMS,
        Divergence(
            SHARED_OTHERS,
            domain("a w K b n c"),
            USERS,
            A,
            at={"d": DUMMIES + 1},
            than=Shuffled(SHARED),
            functions="all",
        ),
    ),
    # gamma falls with e^epsilon_l, from v to w = v + y; the number of dummies grows by one
    "000.prose.mixdump-joint": conjunction(
        Divergence(
            _MORE_RANDOM,
            _with("a y K n c", v=RANGES["w"]),
            USERS,
            A,
            dummies=USERS * DUMMIES,
            than=Shuffled(GRR_SAMPLE, USERS * DUMMIES),
            at={"w": V + Y},
        ),
        _one_more(GRR_SAMPLE, "a w K n c"),
    ),
}

# --- the bundle of a user -------------------------------------------------------------------------------------------

_BUNDLE = replace(SHARED, families={"hash": SEPARATING}, integers={**SHARED.integers, "c": 1})
"""One dummy or more, and a function that separates two values with a positive chance."""
_LEVEL = Smallest(_BUNDLE, "vector", "ldp", where=(K - 2,), constant=W)
_REPORT_LEVEL = exactly(SEPARATED)


def _less(law: Law, report: Law, names: str) -> Divergence:
    """delta is strictly smaller than that of the report, for every e^epsilon = a < w = a + y."""
    where, at, than = _with(names, c=SOME), {"w": A + Y}, Shuffled(report)
    return Divergence(law, where, ONE, A, relation="lt", at=at, than=than, functions=_functions(law))


# under a function that separates two values the labels are those of randomized response
_HIDDEN = conjunction(_less(GRR, GRR_SAMPLE, "a y K"), _less(SHARED, HASHED, "a y K b"))
_AS_STATED = BOUNDS["000.thm1.eq7@shared-range"]

# all messages are x: a user with x sends that if all dummies are x, a user with another item never does
_REVEALED = formula(
    {"a": RANGES["a"], "K": RANGES["K"], "c": RANGES["c"]}, ("lt", A * (0 * (1 / K**DUMMIES)), 1 * (1 / K**DUMMIES))
)
"""For every number a some bundle is more than a times as likely for one item as for another."""
_PURE_LEVEL = Ratio(PLAIN, "vector", "ldp", where=(K - 2,))
"""w is any number above 1: no level at all."""

BUNDLES: dict[str, Formal] = {
    # "some level below e^epsilon_l": none is, whatever the number of dummies
    "000.prose.collude-sc@pure": Not(_LEVEL),
    "000.prose.collude-sc@pure.corrected": _LEVEL,
    "000.prose.collude-sc@approx": _HIDDEN,
    "000.prose.collude-sc@thm1level": _AS_STATED,
    "000.prose.collude-su@pure": Not(_LEVEL),
    "000.prose.collude-su@approx": _HIDDEN,
    "000.prose.collude-su@thm1level": _AS_STATED,
    # both levels are e^epsilon_l
    "000.prose.hpsdp-privacy@pure": Not(conjunction(_REPORT_LEVEL, _LEVEL)),
    "000.prose.hpsdp-privacy@pure.corrected": conjunction(_REPORT_LEVEL, _LEVEL),
    "000.prose.hpsdp-privacy@approx": _HIDDEN,
    "000.base.puredump.local": _PURE_LEVEL,
    "000.base.puredump.local.corrected": conjunction(Not(_PURE_LEVEL), _REVEALED),
}

FORMAL: dict[str, Formal] = MORE | BUNDLES
"""Every id with its formal statement."""
