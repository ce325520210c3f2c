"""Changes after which a certificate about explicit matrices is no longer true, or no longer shown."""

from typing import Any

from tampered.changes import Change, E, S, put

LAW = (S, "strategy")


def row(number: int, field: int, law: str = "strategy") -> Any:
    return put(S, law, "rows", number, field)


def reversed_rows(old: Any) -> Any:
    return old[::-1]


def rest(old: Any) -> Any:
    return old[1:]


def longer(old: Any) -> Any:
    return [*old, old[-1]]


def negated(old: Any) -> Any:
    return [-x if isinstance(x, int) else x.removeprefix("-") if x[0] == "-" else f"-{x}" for x in old]


_TREES: list[Change] = [
    row(0, 1)(2),
    row(0, 2)(2),
    row(0, 3)(-1),
    row(0, 4)(0),
    row(0, 4)(["sub", "h", 1]),
    put(*LAW, "rows")([]),
    put(*LAW, "rows")(longer),
    put(*LAW, "branching")(3),
    put(*LAW, "noise")("discrete"),
    put(S, "at", "h")(0),
    put(S, "at", "h")(2),
    put(S, "at", "h")(40),
    put(S, "at", "h")("h"),
    put(S, "at", "h")(["div", 1, 2]),
    put(S, "at", "eps")(0),
    put(S, "at", "eps")(-1),
]
"""Another tree, or none."""
_ROWS: list[Change] = [
    put(S, "workload")([]),
    put(S, "workload")(rest),
    put(S, "workload")(longer),
    put(S, "workload", 0)(longer),
    put(S, "workload", 0)(rest),
    put(S, "estimates")([]),
    put(S, "estimates")(rest),
    put(S, "estimates", 0)(longer),
    put(S, "estimates", 0)(rest),
]
"""Of other lengths."""

FALSIFIED_MATRICES: dict[str, list[Change]] = {
    "best-linear proved": [
        *_TREES,
        *_ROWS,
        row(0, 0)("differences"),
        row(0, 3)(["add", "s", 1]),
        row(0, 4)(["add", "s", 1]),
        put(S, "workload")(reversed_rows),
        put(S, "workload", 0)([0, 1]),
        put(S, "workload", 0, 0)("1/2"),
        put(S, "estimates")(reversed_rows),
        put(S, "estimates", 0)(negated),
        put(S, "estimates", 0)([1, 0, 0]),
        put(S, "estimates", 0)([0, 0, 0]),
        put(S, "estimates", 1)([0, 0, 1]),
        put(S, "estimates", 1, 2)(0),
        put(E, "multipliers")([]),
        put(E, "multipliers")(rest),
        put(E, "multipliers")(longer),
        put(E, "multipliers")(reversed_rows),
        put(E, "multipliers", 0)(negated),
        put(E, "multipliers", 0)(rest),
        put(E, "multipliers", 2, 1)(7),
    ],
    "best-linear refuted": [
        *_TREES,
        *_ROWS,
        row(0, 4)(["mul", 9, ["add", 1, ["mul", 9, "s"]]]),
        put(S, "workload", 0)([0, 1]),
        put(S, "estimates", 0)(["2/3", "-1/3", "1/3"]),
        put(E, "query")(1),
        put(E, "query")(2),
        put(E, "query")(3),
        put(E, "query")(-1),
        put(E, "better")([1, 0, 0]),
        put(E, "better")([0, -1, 1]),
        put(E, "better")([0, 0, 0]),
        put(E, "better")(negated),
        put(E, "better")(rest),
        put(E, "better")(longer),
        lambda c: c[E].pop("better"),
    ],
    "best-linear refuted for a bias": [
        *_TREES,
        *_ROWS[:1],
        *_ROWS[2:],
        put(S, "workload", 0)([0, 0]),
        put(S, "estimates", 0)([1, 0, 0]),
        put(S, "estimates", 0)([0, -1, 1]),
        put(E, "query")(1),
        put(E, "query")(-1),
        lambda c: c[E].update(better=[0, 0, 0]),
        lambda c: c[E].update(better=["2/3", "-1/3", "1/3"]),
    ],
    "dominates proved": [
        *_TREES,
        row(0, 3)(["div", 1, 2]),
        row(1, 3)(["div", 1, 2]),
        row(0, 4)(["mul", 2, ["div", ["add", "h", 1], "eps"]]),
        row(0, 4, "other")(1),
        row(0, 3, "other")(2),
        row(0, 0, "other")("differences"),
        row(0, 2, "other")(0),
        put(S, "other", "branching")(3),
        put(S, "other", "noise")("discrete"),
        put(S, "factor")(1),
        put(S, "factor")(["div", 7, 5]),
        put(S, "factor")(2),
        put(S, "factor")(0),
        put(S, "factor")(-2),
        put(S, "factor")("eps"),
        lambda c: c[S].update(strategy=c[S]["other"], other=c[S]["strategy"]),
        put(E, "lower")([]),
        put(E, "lower")(rest),
        put(E, "lower")(longer),
        put(E, "lower", 1)([]),
        put(E, "lower", 1)([0]),
        put(E, "lower", 1)([1, 0]),
        put(E, "lower", 1)(negated),
        put(E, "lower", 0)([1]),
        put(E, "pivots")(negated),
        put(E, "pivots")(rest),
        put(E, "pivots")(longer),
        put(E, "pivots")([0, 0]),
        put(E, "pivots")([]),
        put(E, "pivots", 1)(1),
    ],
    "dominates refuted": [
        *_TREES[1:],
        row(0, 4, "other")(["mul", 2, ["div", ["add", "h", 1], "eps"]]),
        row(0, 3)(2),
        put(S, "other", "branching")(3),
        put(S, "other", "noise")("discrete"),
        put(S, "factor")(["div", 3, 2]),
        put(S, "factor")(0),
        put(S, "factor")(-1),
        put(S, "factor")("h"),
        put(E, "vector")([0, 0]),
        put(E, "vector")([1, -1]),
        put(E, "vector")([1]),
        put(E, "vector")([1, 1, 1]),
        put(E, "vector")([]),
    ],
}
