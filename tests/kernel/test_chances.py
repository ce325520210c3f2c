"""A chance is that of an event: the kernel's number against an enumeration that shares no code with it."""

from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest

from attack.laws import adds
from attack.worlds import World
from cases.divergences import row
from corpus.certificates import Json, certified
from dp_kernel import Rejected, verify

CONTRIBUTIONS = {"rule": "contributions"}
DEN: Any = ["sub", ["add", "w", "K"], 1]
OWN, OTHER = ["div", "w", DEN], ["div", 1, DEN]
REPORT: Any = row(OWN, OTHER)
UNIFORM: Any = ["row", {"*": {"any": ["div", 1, "K"]}}]
UNARY: Any = ["row", {"sen1": {"1": ["div", "w", ["add", "w", 1]], "0": ["div", 1, ["add", "w", 1]]},
                      "sen0": {"1": ["div", 1, ["add", "w", 1]], "0": ["div", "w", ["add", "w", 1]]}}]  # fmt: skip


def of(term: Any, power: Any = 1, **more: Any) -> Json:
    return {"mechanism": "planted", "base": "w", "power": power, "parameters": [], "term": term, **more}


def sorted_(*laws: Any) -> Any:
    return ["push", "sorted", ["pair", *laws] if len(laws) == 2 else laws[0]]


def chance(term: Any, probability: Any, event: str = "held", evidence: Json = CONTRIBUTIONS, **more: Any) -> Json:
    body = {"type": "chance", "law": of(term, **more), "item": "sensitive", "event": event, "sizes": "exactm"}
    verdict = "refuted" if "exact" in evidence else "proved"
    return certified({**body, "where": [], "probability": probability}, verdict, evidence)


TWO: Any = row(["div", "w", ["add", "w", 1]], ["div", 1, ["add", "w", 1]])
HALF: Any = ["div", 1, 2]
KEPT, HIT = ["div", "w", ["add", "w", 1]], ["div", 1, ["add", "w", 1]]
FUNCTIONS = [((0, 0), Fraction(1, 2)), ((0, 1), Fraction(1, 2))]
"""Of two items, which share a label with chance 1/2."""
SLOTS: Any = ["push", "multiset", ["each", "held", REPORT]]


def missed(*factors: Any) -> Any:
    """1 less the product of what is left of 1 for each chance, to a power."""
    total: Any = 1
    for success, number in factors:
        total = ["mul", total, ["pow", ["sub", 1, success], number]]
    return ["sub", 1, total]


OTHERS: Any = ["sub", "m", 1]
CASES: dict[str, tuple[Any, str, Any, Json]] = {
    "copies": (sorted_(["copies", 2, REPORT]), "held", missed((OWN, 2)), {}),
    "copies of another": (sorted_(["copies", 3, REPORT]), "other", missed((OTHER, 3)), {}),
    "results": (SLOTS, "held", missed((OWN, 1), (OTHER, OTHERS)), {"power": "m"}),
    "other results": (SLOTS, "other", missed((OTHER, "m")), {"power": "m"}),
    "a set": (["push", "set", SLOTS[2]], "other", missed((OTHER, "m")), {"power": "m"}),
    "dummies": (sorted_(REPORT, ["copies", 2, UNIFORM]), "held", missed((OWN, 1), (["div", 1, "K"], 2)), {}),
    "vectors": (
        ["push", "vectors", ["each", "held", ["each", "items", UNARY]]],
        "held",
        missed((KEPT, 1), (HIT, OTHERS)),
        {"power": ["mul", 2, "m"]},
    ),
    # laws whose counts had no enumerated meaning
    "thinned results": (
        ["each", "held", ["thinned", HALF, REPORT]],
        "held",
        missed((["div", OWN, 2], 1), (["div", OTHER, 2], OTHERS)),
        {"power": "m"},
    ),
    "two functions": (
        ["pair", ["mix", "f", 2, TWO], ["mix", "g", 2, TWO]],
        "other",
        missed((HALF, 2)),
        {"power": 2, "families": {"f": HALF, "g": HALF}},
    ),
}


def brute_force(name: str, m: int, k: int) -> set[Fraction]:
    """The chance of a count above 0, for all sets and items of the case."""
    term, event, _, more = CASES[name]
    listed = dict.fromkeys(more.get("families", {}), FUNCTIONS)
    world = World(m, k, 0, {"w": Fraction(3)}, listed=listed)
    found = set()
    for s, x in product(map(frozenset, combinations(range(k), m)), range(k)):
        if (x in s) == (event == "held"):
            found.add(sum((p for number, p in adds(term, s, x, world).items() if number > 0), Fraction(0)))
    return found


def sizes(name: str) -> list[tuple[int, int]]:
    """m and K: those of single items, of sets, of two items with listed functions."""
    term, *_, more = CASES[name]
    if "families" in more:
        return [(1, 2)]
    return [(1, 2), (1, 3), *([(2, 3), (2, 4)] if "held" in str(term) else [])]


@pytest.mark.parametrize("name", CASES)
def test_the_chance_of_the_event_is_proved(name: str) -> None:
    term, event, probability, more = CASES[name]
    verify(chance(term, probability, event, **more))


@pytest.mark.parametrize("name", CASES)
def test_a_witness_shows_what_brute_force_finds(name: str) -> None:
    """Against the statement that the event never happens; and the proved chance is right at the witness."""
    term, event, probability, more = CASES[name]
    hashes = {x: [[str(p), list(image)] for image, p in FUNCTIONS] for x in more.get("families", {})}
    for m, k in sizes(name):
        [exact] = brute_force(name, m, k)
        at = {"m": m, "K": k, "N": 0, "w": "3"}
        evidence = {"instance": at, "item": 0 if event == "held" else k - 1, "s": [*range(m)]}
        evidence |= {"exact": str(exact), "stated": "0"} | ({"hashes": hashes} if hashes else {})
        verify(chance(term, 0, event, evidence, **more))
        with pytest.raises(Rejected, match="the statement is right at the witness"):
            verify(chance(term, probability, event, evidence, **more))


def test_dummies_beside_reports_with_dummies_are_enumerated() -> None:
    """The same number of uniform messages, sent by users or added by the shuffler."""
    shared: Json = {"domain": {"variables": {}, "constraints": []}, "at": {"w": 3, "K": 2}, "users": 2, "e_eps": 2}
    body = {"type": "divergence", **shared, "relation": "le", "delta": 0}
    laws = of(sorted_(REPORT, ["copies", 1, UNIFORM])), of(REPORT)
    evidence = {"instances": [{"values": {}, "by": "all data sets"}]}
    for law, dummies, than in ((laws[0], 1, (laws[1], 3)), (laws[1], 3, (laws[0], 1))):
        beside = {"law": than[0], "dummies": than[1]}
        verify(certified({**body, "law": law, "dummies": dummies, "than": beside}, "proved", evidence))
