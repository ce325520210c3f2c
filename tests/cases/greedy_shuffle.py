"""Certificates about shuffled reports that are small and would keep a checker busy for minutes, or fill its memory."""

from random import Random
from typing import Any

from cases.greedy import DIGITS, hostile
from cases.greedy_sketches import HOSTILE
from corpus.certificates import Json, real, retied

__all__ = ["HOSTILE"]


def proved(name: str = "by a blanket", told: Json | None = None, **fields: Any) -> Json:
    certificate = real(f"divergence proved {name}")
    certificate["statement"] |= fields
    certificate["evidence"]["instances"][0] |= told or {}
    return certificate


def refuted(told: Json, name: str = "by a third value", **fields: Any) -> Json:
    certificate = real(f"divergence refuted {name}")
    certificate["statement"] |= fields
    certificate["evidence"] |= told
    return certificate


ALL: Json = {"by": "all data sets"}


@hostile
def a_huge_list_of_data_sets() -> Json:
    """70 over 7 of them."""
    return proved(told=ALL, users=64, at={"w": 3, "K": 8})


@hostile
def all_multisets_of_long_numbers() -> Json:
    budget = ["div", DIGITS, DIGITS // 7]
    return refuted({**ALL, "data": [0, 1, *range(1, 8), *[0, 3, 7] * 8]}, users=32, at={"w": budget, "K": 8})


@hostile
def all_reports_of_several_messages() -> Json:
    certificate = proved("by enumeration", users=1, at={"t": 2, "K": 8})
    certificate["statement"]["law"]["term"] = ["copies", 8, certificate["statement"]["law"]["term"]]
    return retied(certificate)


@hostile
def a_huge_number_of_users() -> Json:
    return proved(users=10**100)


@hostile
def a_huge_number_of_uniform_messages() -> Json:
    return proved("beside uniform messages", dummies=DIGITS)


@hostile
def users_one_by_one() -> Json:
    return proved("for two labels", users=10**9)


@hostile
def a_huge_window() -> Json:
    return proved(told={"width": 64, "bits": 1024}, users=10**9)


@hostile
def a_long_budget() -> Json:
    """400 000 bits in every step."""
    return proved(users=10**7, e_eps=["add", 1, ["pow", ["div", 1, DIGITS], 800]])


@hostile
def a_long_budget_of_ones() -> Json:
    fields = {"users": 10**7, "e_eps": ["add", 1, ["pow", ["div", 1, DIGITS], 800]]}
    return refuted({"data": [5 * 10**6]}, "by ones", **fields)


@hostile
def a_long_law() -> Json:
    return proved(users=10**7, at={"w": ["add", 3, ["pow", ["div", 1, DIGITS], 800]], "K": 4})


@hostile
def knots_without_a_common_distance() -> Json:
    random, knots = Random(1), [0]
    for _ in range(6000):
        knots.append(knots[-1] + random.getrandbits(490))
    return proved(told={"knots": knots, "bits": 1024})


@hostile
def a_huge_number_of_knots() -> Json:
    return proved(told={"knots": list(range(100_000))}, users=10**6)


@hostile
def a_huge_number_of_blocks() -> Json:
    return proved("beside uniform messages", {"knots": list(range(100_000))}, users=10**9, dummies=10**9)


@hostile
def a_line_of_long_numbers() -> Json:
    return refuted({"line": [2**511, 2**510, 2**511 - 1]}, users=10**10)


@hostile
def a_huge_sum_of_windows() -> Json:
    fields = {"users": 10**11, "dummies": 10**11, "at": {"w": 3, "K": 2}}
    return refuted({"data": [5 * 10**10], "bits": 1024}, "by ones", **fields)


@hostile
def a_huge_scope() -> Json:
    certificate = proved()
    certificate["evidence"]["instances"] *= 100_000
    return certificate
