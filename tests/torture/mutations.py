"""Changes to valid inputs of readers: of bytes, of tokens, and of the tree where the input is JSON."""

import json
import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from random import Random
from typing import Any

DEPTH = 3000
RAW = (
    *("9" * 5000, "-" + "9" * 400, "1" + "0" * 25, "1e400", "1e-400", "1e999999999", "-0.0", "0.1"),
    *("NaN", "-Infinity", "[" * DEPTH + "]" * DEPTH, '{"a":' * DEPTH + "1" + "}" * DEPTH),
    *('{"set": [' * DEPTH + "]}" * DEPTH, '"\\ud800"'),
)
"""JSON text (or nearly) that no value of Python would be written as."""
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 2, -1, 3, 7, 20, 1000, 2**31, 2**63, -(2**64), 10**25, 0.5, 1e308, 5e-324),
    *("", " ", "0", "1", "-1", "1/2", "1/0", "0/1", "2.5", "1e5", "1e999999999", "1e-999999999", "9" * 5000),
    *("nan", "inf", "ln(3)", "ln(1)", "ln(0)", "1000000*ln(2)", "ln(9999999999)/7", "1/3*ln(2)/0", "١٢", "1_000"),
    *("\x00", "é", "\u202e", "K", "m", "epsilon", "ldp", "a" * 10000, "*", "[!", "002.*"),
    *([], {}, [[]], [0, 1], {"set": [1, 0]}, {"fraction": "1/2"}),
    *({"set": None}, {"fraction": 5}, {"bytes": "0"}, {"bytes": 1}, {"tuple": [1]}, {"odd": 0}),
)
"""Values that are odd somewhere. {"odd": n} stands for one that JSON does not have, where a reader takes values."""
TOKENS = (
    *(b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\n", b"\r", b"\r\n", b"\n\n", b'"', b'""', b",", b"/", b"-", b"e"),
    *(b"0", b"\\u0000", b"\xed\xa0\x80", "\u2028".encode(), "\x85".encode()),
    *(b"*ln(", b")", b"[", b"]", b"{", b"}", b"9" * 5000, b"E9999", b"  ", b"1/3", b"-1"),
)
_LARGEST = 20_000
"""Bytes of a document whose tree is changed: others take too long."""


def changed(seed: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    """A valid input after one to four changes (seldom none)."""
    data = seed
    for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3, 4))):
        kind = rng.random()
        if kind < 0.5 and (tree := parsed(data)) is not None:
            data = _changed_tree(tree, rng)
        elif kind < 0.6:
            other = rng.choice(others)
            data = data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]
        else:
            data = _changed_bytes(data, rng)
    return data


def _changed_bytes(data: bytes, rng: Random) -> bytes:
    """Bits flipped, the end cut off, a part deleted or doubled, bytes, a token or a number put in."""
    start, stop = sorted((rng.randrange(len(data) + 1), rng.randrange(len(data) + 1)))
    flipped = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8)) if data else 0):
        flipped[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return rng.choice(
        [
            bytes(flipped),
            data[:start],
            data[:start] + data[min(stop, start + rng.choice((1, 1, 2, 10, 100))) :],
            data[:stop] + data[start:stop] * rng.choice((1, 1, 3)) + data[stop:],
            data[:start] + rng.randbytes(rng.choice((1, 1, 4))) + data[start:],
            data[:start] + chr(rng.randrange(0xE000, 0x110000)).encode() + data[start:],
            data[:start] + rng.choice((*TOKENS, *(text.encode() for text in RAW[:8]))) + data[start:],
        ]
    )


def parsed(data: bytes) -> Any:
    """The JSON value; None if it is none, or large."""
    if len(data) > _LARGEST:
        return None
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def places(node: Any) -> Iterator[tuple[Any, Any]]:
    """(list or object, index or key) of everything in a document."""
    stack = [node]
    while stack:
        holder = stack.pop()
        if isinstance(holder, dict | list):
            for key, child in holder.items() if isinstance(holder, dict) else enumerate(holder):
                yield holder, key
                stack.append(child)


def _changed_tree(tree: Any, rng: Random) -> bytes:
    """A node replaced, deleted, doubled, wrapped or exchanged with another, a key renamed; `[]` if that is too deep."""
    root = [tree]
    paths = list(places(root))
    holder, key = rng.choice(paths)
    other, place = rng.choice(paths)
    match rng.randrange(8):
        case 0 | 1 | 2:
            holder[key] = deepcopy(rng.choice(VALUES))
        case 3:
            holder[key] = f"raw{rng.randrange(len(RAW))}raw"
        case 4 if holder is not root:
            del holder[key]
        case 5:
            holder[key] = deepcopy(other[place])
        case 6 if isinstance(holder, dict):
            holder[rng.choice(("", "x", key + " ", key.upper(), "type", "id"))] = holder.pop(key)
        case 7 if isinstance(holder, list) and holder is not root:
            holder.insert(key, deepcopy(holder[key]))
        case _:
            holder[key] = rng.choice(([holder[key]], {"set": [holder[key]]}, {"x": holder[key]}))
    try:
        text = json.dumps(root[0])
    except (ValueError, RecursionError):
        return b"[]"
    return re.sub(r'"raw([0-9]+)raw"', lambda match: RAW[int(match[1])], text).encode()
