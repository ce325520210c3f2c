"""False certificates about smallest constants by reading, and about ratios that nothing bounds."""

from dataclasses import replace
from typing import Any

from dp_checks.check import cases
from dp_spec.frequency import grr, rappor, sugrr, surap, wheel
from dp_spec.frequency.claims.baselines import EXCHANGED
from dp_spec.frequency.claims.budget import EXCHANGED_SAMENON, SPARE, TWO_SENSITIVE, TWO_SETS
from dp_spec.vocabulary.law import K, Law, M, N
from dp_spec.vocabulary.statement import Smallest, Unbounded
from dp_spec.vocabulary.term import Term, floor, minimum, term, truncated_exponential
from mutants.law_tables import tabled
from planted.register import COVERS, EXCHANGED_ITEMS, MATCHED, OWN, SLOTS, T, W, planted
from tampered.certificates import Json, certified

E0, H = grr.E0, rappor.H
AT = {"m": 1, "K": 1, "N": 1, "t": "2"}


@planted("u is not shown to be an integer >= 0")
def exchanged_results_without_room() -> Json:
    """At m = 3, K = 4, N = 1 two sets exchange 2 items, but a third sensitive one is common to both."""
    statement = Smallest(
        sugrr.SUGRR, "multiset", "joint", where=(TWO_SETS,), constant=truncated_exponential(EXCHANGED, E0 - 1)
    )
    return certified(statement, "proved", MATCHED)


@planted("another reading, or no such items")
def samenon_exchanges_as_joint_does() -> Json:
    """K sensitive items cannot all be exchanged when the others stay: at m = K = 2 only one of them."""
    where = (TWO_SETS, TWO_SENSITIVE, SPARE)
    statement = Smallest(sugrr.SUGRR, "set", "samenon", where=where, constant=truncated_exponential(EXCHANGED, E0 - 1))
    return certified(statement, "proved", MATCHED)


@planted("a pair has a larger number")
def samenon_without_the_floor() -> Json:
    """min(m, K - 1, d - m) for samenon: at m = 3, K = 4 there are two disjoint pairs, no disjoint triples."""
    statement = Smallest(
        surap.SURAP,
        "sen",
        "samenon",
        where=(TWO_SETS, TWO_SENSITIVE),
        constant=T ** (2 * minimum(M, K - 1, K + N - M)),
    )
    return certified(statement, "proved", EXCHANGED_ITEMS)


@planted("the sets do not differ")
def samenon_with_one_sensitive_item() -> Json:
    """With K = 1 no two sets have the same non-sensitive items: nothing is compared."""
    statement = Smallest(surap.SURAP, "sen", "samenon", where=(TWO_SETS,), constant=T ** (2 * EXCHANGED_SAMENON))
    return certified(statement, "proved", EXCHANGED_ITEMS)


@planted("another reading, or no such items")
def drawn_item_of_a_single_pair() -> Json:
    """The same for one drawn item."""
    statement = Smallest(sugrr.SUGRR_SAMPLE, "one", "samenon", where=(TWO_SETS,), constant=(W + M - 1) / M)
    return certified(statement, "proved", OWN)


@planted("K >= 2 is not stated")
def arcs_of_a_single_pair() -> Json:
    """The same for a point of the circle."""
    statement = Smallest(wheel.SUWHEEL, "hash", "samenon", where=(TWO_SETS,), constant=W)
    return certified(statement, "proved", COVERS)


@planted("invertible data are compared")
def deniability_of_emitted_items() -> Json:
    """suWheel emits an item exactly where its arc is avoided: exchanging a sensitive item for it shows."""
    statement = Smallest(wheel.SUWHEEL, "hash", "deniability", where=(TWO_SETS,), constant=W)
    return certified(statement, "proved", COVERS)


@planted("another reading, or no such items")
def deniability_exchanges_one_item_only() -> Json:
    """m exchanged items where the reading exchanges one."""
    statement = Smallest(
        sugrr.SUGRR, "multiset", "deniability", where=(TWO_SETS,), constant=truncated_exponential(M, E0 - 1)
    )
    return certified(statement, "proved", MATCHED)


@planted("a pair has a larger number")
def deniability_of_one_bit() -> Json:
    """Two bits differ, not one: t^2 is reached, even against a non-sensitive item."""
    statement = Smallest(surap.SURAP, "sen", "deniability", where=(TWO_SETS,), constant=T)
    return certified(statement, "proved", EXCHANGED_ITEMS)


@planted("another reading, or no such items")
def deniability_of_the_only_set() -> Json:
    """At d = m there is no other item to exchange for."""
    return certified(Smallest(sugrr.SUGRR, "multiset", "deniability", constant=E0), "proved", MATCHED)


@planted("another reading")
def matched_results_of_a_marginal_law() -> Json:
    """The size of a multiset tells how many items were emitted."""
    statement = Smallest(
        sugrr.SUGRR, "multiset", "marginal", where=(TWO_SETS, SPARE), constant=truncated_exponential(EXCHANGED, E0 - 1)
    )
    return certified(statement, "proved", MATCHED)


@planted("the card is about unordered results of all held items")
def matched_results_in_their_places() -> Json:
    """Results by position are not exchangeable."""
    statement = Smallest(sugrr.SUGRR, "position", "deniability", where=(TWO_SETS,), constant=E0)
    return certified(statement, "proved", MATCHED)


@planted("own is not x other")
def matched_results_with_a_larger_root() -> Json:
    """A table in e0^2, with the constant of one in e0."""
    square = E0**2
    law = tabled(replace(sugrr.SUGRR, power=2 * M), p=sugrr.own(square), q=sugrr.other(square), r=sugrr.kept(square))
    return certified(Smallest(law, "set", "deniability", where=(TWO_SETS,), constant=E0), "proved", MATCHED)


@planted("the constant is not reached")
def emitted_too_rarely() -> Json:
    """With r half of what (18) says, a non-sensitive item that is not emitted tells less than a zero bit."""
    law = tabled(surap.SURAP_SAMPLE, r=(H - 1) / (2 * H))
    statement = Smallest(law, "sen", "deniability", where=(TWO_SETS,), constant=(M + H**2 - 1) / M)
    return certified(statement, "proved", {**OWN, "cases": cases.ONE_OF_ANY})


@planted("no marginal law of what is left")
def empty_report_that_counts() -> Json:
    """Nothing bounds the chance of a report without a sensitive result."""
    statement = Smallest(sugrr.SUGRR_SAMPLE, "one", "marginal", where=(TWO_SETS,), constant=(W + M - 1) / M)
    return certified(statement, "proved", OWN)


@planted("no marginal law of what is left")
def shown_set_without_enough_other_items() -> Json:
    """{a} is shown with p (q + r)^(m-1) only if m - 1 non-sensitive items are there."""
    where = (K - M - 1, N - M + 2)
    statement = Smallest(sugrr.SUGRR, "set", "marginal", "nonempty", where=where, constant=sugrr.SUGRR.e_eps)
    return certified(statement, "proved", {**SLOTS, "cases": cases.SHOWN})


@planted("no marginal law of what is left")
def shown_set_of_every_sensitive_item() -> Json:
    """The other set holds m sensitive items besides a."""
    where = (K - M, N - M + 1)
    statement = Smallest(sugrr.SUGRR, "set", "marginal", "nonempty", where=where, constant=sugrr.SUGRR.e_eps)
    return certified(statement, "proved", {**SLOTS, "cases": cases.SHOWN})


@planted("no marginal law of what is left")
def shown_multiset_is_no_set() -> Json:
    """Multisets of different sizes are told apart."""
    where = (K - M - 1, N - M + 1)
    statement = Smallest(sugrr.SUGRR, "multiset", "marginal", "nonempty", where=where, constant=sugrr.SUGRR.e_eps)
    return certified(statement, "proved", {**SLOTS, "cases": cases.SHOWN})


# --- ratios that nothing bounds -----------------------------------------------------------------------------------

BOUNDED = "a case without what is stated"


def unbounded(law: Law, view: Any, at: Json, *where: Term, relation: Any = "marginal", counted: Any = "all") -> Json:
    return certified(Unbounded(law, view, relation, counted, where=where), "verified", {"instances": [at]})


@planted(BOUNDED)
def empty_set_that_nobody_shows() -> Json:
    """With N = m - 1 every set holds a sensitive item, and shows one."""
    return unbounded(sugrr.SUGRR, "set", {"m": 2, "K": 2, "N": 1}, TWO_SETS, N - M + 1)


@planted(BOUNDED)
def every_set_holds_another_item() -> Json:
    """With K < m every drawn item may be non-sensitive, for every set."""
    return unbounded(sugrr.SUGRR_SAMPLE, "one", {"m": 2, "K": 1, "N": 2}, TWO_SETS, N - 1)


@planted(BOUNDED)
def no_item_that_is_emitted() -> Json:
    """With N = 0 suRAP is RAPPOR."""
    return unbounded(surap.SURAP, "whole", {"m": 1, "K": 2, "N": 0}, TWO_SETS)


@planted("the instance lies outside the domain")
def sizes_that_are_not_stated() -> Json:
    return unbounded(surap.SURAP, "whole", {"m": 1, "K": 1, "N": 1}, TWO_SETS, N - 2)


@planted(BOUNDED)
def nothing_that_is_compared() -> Json:
    """There is one set of two of two items."""
    return unbounded(surap.SURAP, "whole", {"m": 2, "K": 1, "N": 1})


@planted(BOUNDED)
def multiset_of_one_item() -> Json:
    """m = 1, empty multisets left out: p / q bounds what is shown."""
    return unbounded(sugrr.SUGRR, "multiset", {"m": 1, "K": 2, "N": 1}, TWO_SETS, N - 1, K - 2, counted="nonempty")


@planted(BOUNDED)
def empty_set_that_does_not_count() -> Json:
    """e^eps bounds what remains."""
    return unbounded(sugrr.SUGRR, "set", {"m": 1, "K": 2, "N": 1}, N - M, counted="nonempty")


@planted(BOUNDED)
def empty_result_that_does_not_count() -> Json:
    """The same for one drawn item."""
    return unbounded(sugrr.SUGRR_SAMPLE, "one", {"m": 1, "K": 2, "N": 1}, K - M, N - 1, counted="nonempty")


@planted(BOUNDED)
def sensitive_bits_alone() -> Json:
    """Without the other bits nothing is told of emitted items."""
    return unbounded(surap.SURAP, "sen", {"m": 1, "K": 2, "N": 1}, TWO_SETS, N - 1)


@planted(BOUNDED)
def joint_reading_is_bounded() -> Json:
    """Items that only one of the sets holds are not compared."""
    return unbounded(surap.SURAP, "whole", {"m": 1, "K": 2, "N": 1}, TWO_SETS, N - 1, relation="joint")


@planted(BOUNDED)
def emitted_with_probability_zero() -> Json:
    """r = 0: the whole vector says no more than its sensitive bits."""
    return unbounded(tabled(surap.SURAP, r=0 * T), "whole", {"m": 1, "K": 2, "N": 1}, TWO_SETS, N - 1)


@planted("the law is not about arcs")
def vectors_on_arcs() -> Json:
    """What is proved of laws on arcs only."""
    statement = Unbounded(surap.SURAP, "whole", "marginal", where=(TWO_SETS, N - 1))
    return certified(statement, "proved", {"rule": "emitted"})


@planted("the bound is not a power of the base")
def rounded_symbol() -> Json:
    """A constant that rounds a number which is not known."""
    statement = Smallest(surap.SURAP, "sen", "deniability", where=(TWO_SETS,), constant=floor(T) + term(1))
    return certified(statement, "proved", EXCHANGED_ITEMS)
