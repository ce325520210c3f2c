"""Pairs of sets that reach a bound at all sizes, proposed to the kernel: numbers of exchanged and common items.

ss, sn, ns, nn: a lost item and a gained one, sensitive or not; b: a blank of the smaller set; g, h: common items; o, u:
items in neither set. ["if", a, then, else] by whether a >= 0.
"""

from typing import Any

Tree = Any


def add(a: Tree, b: Tree) -> Tree:
    """a + b as certificates write it."""
    return ["add", a, b]


def sub(a: Tree, b: Tree) -> Tree:
    """a - b as certificates write it."""
    return ["sub", a, b]


M, K, N = "m", "K", "N"
HALF: Tree = ["floor", ["div", K, 2]]
REST = sub(add(K, N), M)
"""d - m."""
_TWICE_M, _TWICE_REST = ["mul", 2, M], ["mul", 2, REST]

_M_LOST = [
    "if",
    sub(K, _TWICE_M),
    {"ss": M, "o": sub(K, _TWICE_M), "u": N},
    {"ss": sub(K, M), "sn": sub(_TWICE_M, K), "u": sub(add(K, N), _TWICE_M)},
]
_K_LOST = {"sn": K, "h": sub(M, K), "u": sub(N, M)}
_REST_LOST = [
    "if",
    sub(K, _TWICE_REST),
    {"ss": REST, "g": sub(K, _TWICE_REST), "h": N},
    {"sn": sub(_TWICE_REST, K), "ss": sub(K, REST), "h": sub(N, sub(_TWICE_REST, K))},
]
JOINT: Tree = ["if", sub(K, M), ["if", sub(REST, M), _M_LOST, _REST_LOST], ["if", sub(REST, K), _K_LOST, _REST_LOST]]
"""As many sensitive items as possible are lost: min(m, K, d - m)."""

_REST_LOST_SHOWN = [
    "if",
    sub(K, _TWICE_REST),
    {"ss": REST, "o": sub(K, _TWICE_REST), "h": sub(M, REST), "u": sub(N, sub(M, REST))},
    {"ss": sub(K, REST), "sn": sub(_TWICE_REST, K), "h": sub(M, REST)},
]
SHOWN: Tree = [
    "if",
    sub(K, M),
    ["if", sub(REST, M), _M_LOST, _REST_LOST_SHOWN],
    ["if", sub(REST, K), _K_LOST, _REST_LOST_SHOWN],
]
"""The same with common items that are not sensitive (K + 2N >= 2m)."""

_KEPT = {"ss": 1, "g": sub(K, 2), "h": sub(M, sub(K, 1)), "u": sub(N, sub(M, sub(K, 1)))}
ONE: Tree = ["if", sub(K, add(M, 1)), {"ss": 1, "g": sub(M, 1), "o": sub(K, add(M, 1)), "u": N}, _KEPT]
"""One sensitive item against another one (K >= 2)."""
ONE_OF_ANY: Tree = [
    "if",
    sub(K, add(M, 1)),
    {"ss": 1, "g": sub(M, 1), "o": sub(K, add(M, 1)), "u": N},
    {"sn": 1, "g": sub(K, 1), "h": sub(M, K), "u": sub(N, add(1, sub(M, K)))},
]
"""One sensitive item against another one, or against a non-sensitive one."""
SINGLE: Tree = ["if", sub(K, 2), {"ss": 1, "o": sub(K, 2), "u": N}, {"sn": 1, "o": sub(K, 1), "u": sub(N, 1)}]
"""Sets of one item."""
WIDE: Tree = {"ss": M, "o": sub(K, _TWICE_M), "u": N}
"""Two sets without a common item (K >= 2m)."""
PLACES: Tree = {"ss": 1, "g": sub(M, 1), "o": sub(K, add(M, 1))}
"""Ordered reports, of {1, .., m} and {2, .., m + 1}: every place differs."""

_SPREAD_M = ["if", sub(M, K), {"sn": K, "h": sub(M, K), "u": sub(N, M)}, _M_LOST[3]]
_SPREAD = [
    "if",
    sub(REST, M),
    _SPREAD_M,
    ["if", sub(K, REST), _REST_LOST[3], _K_LOST],
]
_WIDE_REST = {"ss": REST, "g": sub(K, _TWICE_REST), "h": N}
MARGINAL: Tree = [
    "if",
    sub(K, _TWICE_M),
    ["if", sub(REST, M), WIDE, _WIDE_REST],
    ["if", sub(K, _TWICE_REST), _WIDE_REST, _SPREAD],
]
"""As many sensitive items as possible are lost or gained: min(2m, K, 2(d - m))."""

_LEFT = sub(K, ["mul", 2, HALF])
"""K - 2 floor(K / 2): 0 or 1 sensitive item has no partner."""
_HALF_LOST = {"ss": HALF, "o": _LEFT, "h": sub(M, HALF), "u": sub(N, sub(M, HALF))}


def _samenon(visible: bool) -> Tree:
    """min(m, floor(K / 2), d - m) exchanged; common items are not sensitive if they have to be shown."""
    kept = {"ss": HALF, "g": _LEFT, "h": sub(sub(M, HALF), _LEFT), "u": sub(N, sub(sub(M, HALF), _LEFT))}
    by_half = _HALF_LOST if visible else ["if", sub(N, sub(M, HALF)), _HALF_LOST, kept]
    rest = {"ss": REST, "g": sub(K, _TWICE_REST), "h": N}
    by_rest = {"ss": REST, "h": sub(M, REST), "u": sub(N, sub(M, REST)), "o": sub(K, _TWICE_REST)} if visible else rest
    fewer = ["if", sub(sub(K, _TWICE_REST), 0), by_rest, by_half]
    return ["if", sub(K, _TWICE_M), ["if", sub(REST, M), WIDE, by_rest], fewer]


SAMENON, SAMENON_SHOWN = _samenon(False), _samenon(True)

ALL_SENSITIVE: Tree = {"sb": K, "u": N}
ALL_APART: Tree = {"sb": K, "bn": N}
"""Sets of any size: all sensitive items against none; against all others."""

FEW: Tree = {"sn": K, "h": sub(M, K), "u": sub(N, M)}
"""All sensitive items are lost, and m - K others are common (K <= m <= N)."""
BETWEEN: Tree = {"ss": sub(K, M), "ns": sub(_TWICE_M, K), "u": sub(N, sub(_TWICE_M, K))}
"""s' holds m sensitive items, s the K - m others and non-sensitive ones (m <= K <= 2m)."""


def step(base: str) -> Tree:
    """base - 1."""
    return sub(base, 1)


def few_multipliers(base: str) -> dict[str, Tree]:
    """Of m - K >= 0 (constraint 1): (base - 1)^2 |s'_sen|."""
    return {"1": ["div", ["mul", ["pow", step(base), 2], add(add("[ss]", "[ns]"), "[g]")], ["pow", add(base, 1), 2]]}


def between_multipliers(base: str) -> dict[str, Tree]:
    """Of K - m >= 0 (constraint 1): in |s'_non|."""
    others = add(add("[sn]", "[nn]"), "[h]")
    second = ["mul", ["pow", step(base), 2], others]
    return {"1": ["div", add(second, ["mul", ["pow", step(base), 3], others]), ["pow", add(base, 1), 2]]}


REACHED: tuple[Tree, ...] = (
    *(JOINT, SHOWN, ONE, ONE_OF_ANY, SINGLE, WIDE, PLACES, MARGINAL, SAMENON, SAMENON_SHOWN),
    *(ALL_SENSITIVE, ALL_APART),
)
"""What is tried, in this order."""
