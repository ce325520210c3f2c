"""Card *matching*. The smallest constant of unordered results of all held items is sum_{i <= A} (x - 1)^i / i!.

**Premises.** The law is a push by `multiset` or `set` of `each held` of a row: a sensitive item is reported as itself
with probability own = x other, x = base > 1, every kind of item as each other sensitive label with probability other, a
non-sensitive item as itself with the rest: other = 1 / (x + K - 1) > 0, the rest is (x - 1) other > 0. A is the largest
number of sensitive items that s can lose.

**Proof.** `docs/cards/matching.txt`, SHA-256 cbf6c54bc2903925ec8643de039c7518e1accce62996f5aa01107e9f8318604e.

**Source.** Written for source 002 (supplement to Thm 1); the identity E x^M = sum (x-1)^i E binom(M, i) is the
factorial-moment expansion. **Refuter.** `tests/kernel/test_cards.py` enumerates random tables.
"""

from typing import Any

from dp_kernel.formulas.domains import Region
from dp_kernel.laws.grammar import all_sensitive, valued
from dp_kernel.laws.sizes import Counts, lost, require_constant, variables, vectors
from dp_kernel.meter import Rejected, applied, require
from dp_kernel.numbers.polynomial import Ratio, lift


def matching(statement: Any, evidence: Any) -> None:
    """Raise `Rejected` unless the premises hold and the stated constant is the card's."""
    applied("matching")
    law, relation, base = statement["law"], statement["relation"], variables(statement["law"])[statement["law"]["base"]]
    sensitive = all_sensitive(law["term"])
    match valued(law["term"], variables(law)):
        case ["push", "multiset" | "set", ["each", "held", ["row", kinds]]]:
            own, other = kinds["sen"]["own"], kinds["sen"]["other"]
        case _:
            raise Rejected("the card is about unordered results of all held items")
    require(all(set(cells) == {"own", "other"} and cells["other"] == other for cells in kinds.values()), "other rows")
    require(own == base * other, "own is not x other")
    require(relation != "ldp" or sensitive, "epsilon-LDP: no non-sensitive items")
    require((relation != "marginal" or sensitive) and statement["sizes"] == "exactm", "another reading")

    def reached(count: Counts, where: tuple[Any, ...]) -> None:
        require(count["ns"] == 0 and count["nn"] == 0, "another item is lost")
        require(count["g"] == 0 or lost(count) == 1, "a common item is sensitive")

    def room(bound: Any, count: Counts, at: Region) -> Ratio:
        """What A exceeds the number of lost items by."""
        largest = 1 if bound == law["base"] else bound[1]
        require(bound in (law["base"], ["exptrunc", largest, ["sub", law["base"], 1]]), "not the constant of the card")
        return lift(at.value(largest)) - lost(count)

    require_constant(statement, vectors(statement), room, evidence, reached)
