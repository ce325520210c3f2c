"""Certificates about shuffled reports that are small and would keep a checker busy for minutes, or fill its memory."""

from random import Random
from typing import Any

from cases.greedy import DIGITS, hostile
from cases.greedy_sketches import HOSTILE
from corpus.certificates import Json, real, retied

__all__ = ["HOSTILE"]


def proved(name: str = "by a blanket", hint: Json | None = None, **fields: Any) -> Json:
    certificate = real(f"divergence proved {name}")
    certificate["statement"] |= fields
    certificate["evidence"]["instances"][0] |= hint or {}
    return certificate


def refuted(hint: Json, name: str = "by a third value", **fields: Any) -> Json:
    certificate = real(f"divergence refuted {name}")
    certificate["statement"] |= fields
    certificate["evidence"] |= hint
    return certificate


ALL: Json = {"by": "all data sets"}
LONG = ["add", 1, ["pow", ["div", 1, DIGITS], 800]]
"""400 000 bits in every step."""
HOSTILE |= {
    # 70 over 7 of them
    "a_huge_list_of_data_sets": lambda: proved(hint=ALL, users=64, at={"w": 3, "K": 8}),
    "all_multisets_of_long_numbers": lambda: refuted(
        {**ALL, "data": [0, 1, *range(1, 8), *[0, 3, 7] * 8]},
        users=32,
        at={"w": ["div", DIGITS, DIGITS // 7], "K": 8},
    ),
    "a_huge_number_of_users": lambda: proved(users=10**100),
    "a_huge_number_of_uniform_messages": lambda: proved("beside uniform messages", dummies=DIGITS),
    "users_one_by_one": lambda: proved("for two labels", users=10**9),
    "a_huge_window": lambda: proved(hint={"width": 64, "bits": 1024}, users=10**9),
    "a_long_budget": lambda: proved(users=10**7, e_eps=LONG),
    "a_long_budget_of_ones": lambda: refuted({"data": [5 * 10**6]}, "by ones", users=10**7, e_eps=LONG),
    "a_long_law": lambda: proved(users=10**7, at={"w": ["add", 3, LONG[2]], "K": 4}),
    "a_huge_number_of_knots": lambda: proved(hint={"knots": list(range(100_000))}, users=10**6),
    "a_huge_number_of_bends": lambda: proved("for any functions", {"knots": list(range(100_000))}, users=10**6),
    "a_huge_number_of_blocks": lambda: proved(
        "beside uniform messages", {"knots": list(range(100_000))}, users=10**9, dummies=10**9
    ),
    "a_threshold_of_long_numbers": lambda: refuted({"by": "beside messages"}, users=10**7, dummies=10**7, e_eps=LONG),
    "a_huge_sum_of_windows": lambda: refuted(
        {"data": [5 * 10**10], "bits": 1024}, "by ones", users=10**11, dummies=10**11, at={"w": 3, "K": 2}
    ),
}


@hostile
def all_reports_of_several_messages() -> Json:
    certificate = proved("by enumeration", users=1, at={"t": 2, "K": 8})
    certificate["statement"]["law"]["term"] = ["copies", 8, certificate["statement"]["law"]["term"]]
    return retied(certificate)


@hostile
def knots_without_a_common_distance() -> Json:
    random, knots = Random(1), [0]
    for _ in range(6000):
        knots.append(knots[-1] + random.getrandbits(490))
    return proved("for any functions", {"knots": knots, "bits": 1024})


@hostile
def a_huge_scope() -> Json:
    certificate = proved()
    certificate["evidence"]["instances"] *= 100_000
    return certificate
