"""Card *counting*. A k-subset of D items whose probability depends on whether it meets a set s of m items.

**Premises.** The law is a `subset` (or, of sets of at most m items, one completed by sensitive `dummies`): a k-subset o
of the D items inside has probability hit if it meets the (completed) set s of m items and miss if not; 1 <= m, 1 <= k
<= D - m.

**Conclusion.** binom(D - m, k) subsets miss s, the other binom(D, k) subsets meet it; so it is a law if hit, miss >= 0
and the sum over all subsets is 1. A held item is in o with probability hit binom(D - 1, k - 1), another one with hit
(binom(D - 1, k - 1) - binom(D - m - 1, k - 1)) + miss binom(D - m - 1, k - 1). If hit = e^eps miss, miss > 0, then
e^eps is the smallest constant that bounds the ratios of all reports.

**Proof.** `docs/cards/counting.txt`, SHA-256 18f523eb50a3b4267f21ed3ec75fd24848fdda79cc1521b7f9e0a0e3aa4f38f6.

**Source.** Elementary; the law is that of PrivSet (reference [23] of source 002) and, for m = 1, subset selection.
**Refuter.** `tests/kernel/test_cards.py` counts all subsets at small sizes.
"""

from collections.abc import Mapping
from typing import Any

from dp_kernel.formulas.domains import Region
from dp_kernel.formulas.terms import evaluate
from dp_kernel.laws.sizes import completed, goal, region_of
from dp_kernel.meter import applied, require
from dp_kernel.numbers.polynomial import is_nonnegative, lift


def counts(k: Any, values: Mapping[str, Any]) -> tuple[Any, Any, Any, Any]:
    """The numbers of k-subsets that miss s; that meet it; that have a given item; and, not in s, miss s."""
    d, m = values["K"], values["m"]
    sizes = ((d, k), (d - m, k), (d - 1, k - 1), (d - m - 1, k - 1))
    all_, missing, having, apart = (evaluate(["binom", "n", "k"], {"n": n, "k": size}) for n, size in sizes)
    return missing, all_ - missing, having, apart


def require_law(table: list[Any], place: Region) -> None:
    """Raise `Rejected` unless [size, hit, miss] is a law at all sizes."""
    applied("counting")
    (k, hit, miss), m = map(place.value, table), place.values["m"]
    for least in (m - 1, k - 1, place.values["K"] - m - k, hit, miss):
        require(is_nonnegative(lift(least), place.ranges), "a size or a probability is not shown to be large enough")
    missing, meeting, _, _ = counts(k, place.values)
    require(hit * meeting + miss * missing == 1, "the probabilities of all subsets do not sum to 1")


def chances(table: list[Any], values: Mapping[str, Any]) -> tuple[Any, Any]:
    """The chances that a held item, that another one is in the report; the table's expressions are numbers."""
    k, hit, miss = table
    _, _, having, apart = counts(k, values)
    return hit * having, hit * (having - apart) + miss * apart


def require_ratio(statement: Any, evidence: Any) -> None:
    """Raise `Rejected` unless hit = c miss, miss > 0, c the bound, and the sets are those of the premises."""
    statement = completed(statement)
    (name, _, *table), place = statement["law"]["term"], region_of(statement["law"])
    of_subsets = (name, statement["relation"], statement["sizes"]) == ("subset", "ldp", "exactm")
    require(of_subsets, "the card is about ratios of subsets, for sets of m items, or completed to m")
    hit, miss, bound = map(place.value, (*table, goal(statement)))
    require(is_nonnegative(lift(miss), place.ranges, strictly=True), "miss is not shown to be > 0")
    require(hit == bound * miss, "the two probabilities do not differ by this constant")
