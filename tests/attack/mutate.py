"""Mutations of statements and certificates that mean something: a coefficient, an exponent, a strictness, a range, a
name, a relation, a constraint, sizes, a row, evidence of another row; a scope and ties that are others.
"""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

from attack import terms

Json = dict[str, Any]
WORDS: tuple[tuple[str, ...], ...] = (
    ("ldp", "marginal", "joint", "deniability", "samenon"),
    ("all", "nonempty"),
    ("exactm", "atmost", "all"),
    ("sensitive", "nonsensitive"),
    ("fixed", "iid"),
    ("held", "other"),
    ("held", "items"),
    ("multiset", "set", "position", "padded", "sorted"),
    ("bits", "whole"),
    ("sen", "non"),
    ("eq", "le", "lt"),
    ("add", "sub", "mul", "div"),
    ("m", "K", "N", "n", "f", "g"),
    ("proved", "verified", "refuted"),
    ("product", "linear", "matching", "cover", "counting"),
    ("mse", "variance"),
    ("ratio", "smallest"),
    ("law", "other"),
)


def places(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to all values in a document."""
    yield path
    pairs = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, child in pairs:
        yield from places(child, (*path, key))


def at(node: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        node = node[key]
    return node


def mutated(document: Any, others: list[Any], rng: Random) -> Any:
    """The document with one to three changes."""
    mutant = deepcopy(document)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        paths = [path for path in places(mutant) if path]
        path = rng.choice(paths)
        holder, key = at(mutant, path[:-1]), path[-1]
        holder[key] = deepcopy(_other(holder[key], others, rng))
        if isinstance(holder, list) and len(holder) > 1 and rng.random() < 0.05:
            del holder[rng.randrange(len(holder))]
        elif isinstance(holder, dict) and rng.random() < 0.02 and key in holder:
            del holder[key]
    return mutant


def _other(value: Any, others: list[Any], rng: Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice([value + 1, value - 1, -value, 2 * value, 0, 1, "m", "K", "N"])
    if isinstance(value, str):
        same = [word for words in WORDS if value in words for word in words]
        digits = [f"{rng.randrange(1, 9)}/{rng.randrange(1, 9)}", str(rng.randrange(5))]
        return rng.choice(same or (digits if value[:1].isdigit() else [value, *digits, 1]))
    if isinstance(value, list) and len(value) == 2 and value[0] == "row" and isinstance(value[1], dict):
        all_sensitive = not any(kind.startswith("non") for kind in value[1])
        if "sen1" in value[1]:
            return terms.bit_rows(rng, all_sensitive=all_sensitive)[2]
        return terms.item_row(rng, all_sensitive=all_sensitive)
    if isinstance(value, list) and value and rng.random() < 0.4:
        return rng.choice([value[-1], [*value, value[-1]], value[:-1], value[::-1]])
    if others and rng.random() < 0.5:
        return _alike(value, rng.choice(others), rng)
    return rng.choice([value, 0, 1, [], {}, ["neg", 1], ["sub", "K", 1], ["div", 1, "K"], ["mul", 2, "m"]])


def _alike(value: Any, other: Any, rng: Random) -> Any:
    """A part of another document of the same make."""

    def make(node: Any) -> Any:
        if isinstance(node, dict):
            return frozenset(node)
        return (type(node), node[:1] if isinstance(node, list) else None)

    parts = [part for path in places(other) if make(part := at(other, path)) == make(value)]
    return deepcopy(rng.choice(parts)) if parts else value


# --- what binds a certificate to its claim --------------------------------------------------------------------------


def scopes(verdict: str, evidence: Any) -> list[Any]:
    """The lists of what something was verified on, by parts: instances, and families of channels."""
    if verdict != "verified":
        return []
    if "parts" in evidence:
        return [listed for part in evidence["parts"] for listed in scopes(*part)]
    return [evidence[name] for name in ("instances", "families") if name in evidence]


def _points(certificate: Json) -> list[Any]:
    """What was verified, without the hints that make it fast."""
    groups = scopes(certificate["verdict"], certificate["evidence"])
    return [sorted(json.dumps(of.get("values", of), sort_keys=True) for of in listed) for listed in groups]


def difference(original: Json, changed: Json) -> str:
    """What a certificate that is accepted under the id of another one should not have; "" if nothing is different."""
    for name in ("statement", "verdict"):
        if original[name] != changed[name]:
            return f"another {name} than its id has"
    if _points(original) != _points(changed):
        return "another scope than its id has"
    alike = (sorted(json.dumps(tie, sort_keys=True) for tie in x["ties"]) for x in (original, changed))
    return "" if len({*map(tuple, alike)}) == 1 else "other ties than its id has"


def unbound(original: Json, rng: Random) -> Json:
    """The certificate with another scope, other ties or (where there are none) another verdict."""
    changed = deepcopy(original)
    listed = scopes(changed["verdict"], changed["evidence"])
    ways: list[Callable[[], None]] = []
    if listed:
        ways += [lambda: _other_scope(rng.choice(listed), rng)] * 2
    if changed["ties"]:
        ways.append(lambda: _other_tie(rng.choice(changed["ties"]), rng))
    if not ways:
        changed["verdict"] = rng.choice([x for x in ("proved", "verified", "refuted") if x != original["verdict"]])
        return changed
    rng.choice(ways)()
    return changed


def _other_scope(listed: list[Any], rng: Random) -> None:
    """A point fewer, one twice, one alone, or a smaller one."""
    chosen = rng.randrange(len(listed))
    family = listed[chosen]
    match rng.randrange(5):
        case 0 if len(listed) > 1:
            del listed[chosen]
        case 1:
            listed.append(deepcopy(family))
        case 2 if len(listed) > 1:
            listed[:] = [family] * rng.choice((1, len(listed)))
        case 3 if "parts" in family:
            family["parts"] = max(1, family["parts"] - 1)
        case 4 if len(family.get("outputs", ())) > 2:
            del family["outputs"][rng.randrange(len(family["outputs"]))]
        case _:
            sizes = family.get("values", family)
            name = rng.choice([*sizes]) if sizes else "m"
            sizes[name] = _moved(sizes.get(name, 1), rng)


def _moved(number: Any, rng: Random) -> Any:
    if isinstance(number, int):
        return number + rng.choice((-1, 1))
    return rng.choice(("2", "3/2", "5")) if isinstance(number, str) else number


def _other_tie(tie: Json, rng: Random) -> None:
    """Sizes that are none or others, or another table."""
    name = rng.choice(("at", "at", "table"))
    if name == "table":
        tie["table"] = "".join(rng.choice("0123456789abcdef") for _ in tie["table"])
        return
    sizes = rng.choice(tie["at"])
    numbers = [x for x, y in sizes.items() if isinstance(y, int)]
    sizes[rng.choice(numbers)] = rng.choice((-1, 0, 5, 1000))
