"""Data sets as evidence: for a moment, at which sizes there is one. Not trusted: what is wrong is refused."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import ceil
from typing import Any

from dp_coq.expressions import Outside, listed, put, rational
from dp_coq.laws import names_of
from dp_coq.shapes import all_sensitive, is_of_one_item
from dp_coq.values import evaluate

LARGEST = 10_000
"""Items of a user that Coq is asked about."""
Groups = Sequence[tuple[int, Sequence[int]]]
"""How many users hold which items."""


def witness(law: Any, values: Any, groups: Groups, item: int) -> str:
    """Values of the sizes and of the other names of a law; the frequencies are those of the users."""
    if min([item, *(x for number, held in groups for x in (number, *held))]) < 0:
        raise Outside("no data set")
    users = sum(number for number, _ in groups)
    f = Fraction(sum(number for number, held in groups if item in held), users)
    g = Fraction(sum(number * sum(y not in range(int(values["K"])) for y in held) for number, held in groups), users)
    at = {**values, "n": users, "f": f, "g": g}
    numbers = listed([rational(Fraction(at[name])) for name in names_of(law)])
    sets = listed([f"({number}, {listed([str(y) for y in sorted(held)])})" for number, held in groups])
    return f"(Witness {numbers} ({sets})%N {item}%N)"


def small(law: Any, where: Any) -> Iterator[dict[str, Any]]:
    """Values at which a law has data sets, the smallest first."""
    alone, single = all_sensitive(law["term"]), is_of_one_item(law["term"])
    others = {law["base"]: Fraction(2), **dict.fromkeys(law["parameters"], Fraction(1, 2)), **law.get("integers", {})}
    for m, k, n in product((1,) if single else range(1, 4), range(1, 6), (0,) if alone else range(4)):
        at = {"K": k, "N": n, "m": m, **others}
        numbers = {name: Fraction(value) for name, value in at.items()}
        if m <= k + n and all(evaluate(tree, numbers) >= 0 for tree in where):
            yield at


def of_some_user(statement: Any) -> str:
    """A data set of one user, who holds the item that is counted and the first ones beside it; or who does not."""
    law, holds = statement["law"], statement.get("event") != "other"
    for at in small(law, statement["where"]):
        item = 0 if statement["item"] == "sensitive" else at["K"]
        beside = [y for y in range(at["K"] + at["N"]) if y != item]
        held = [item] * holds + beside[: at["m"] - holds]
        if item in range(at["K"] + at["N"]) and len(held) == at["m"]:
            return witness(law, at, [(1, held)], item)
    raise Outside("no small sizes")


def of_sizes(at: Any, item: str | None) -> tuple[Groups, int]:
    """Users with these sizes and frequencies (of an item of the class, if there is one), and the item."""
    k, more, m, n = (int(at[name]) for name in ("K", "N", "m", "n"))
    nonsensitive: int = ceil(at.get("g") or 0)
    if max(m, nonsensitive) > LARGEST:
        raise Outside("large data sets")
    holders = int(n * at["f"]) if item else 0
    x = k if item == "nonsensitive" else 0
    groups, least, most = [], [], []
    for number, holds in ((holders, True), (n - holders, False)):
        sensitive = [y for y in range(min(k, m + 1)) if item != "sensitive" or y != x]
        others = [y for y in range(k, k + min(more, m + 1)) if item != "nonsensitive" or y != x]
        left = m - holds
        groups.append((number, holds, sensitive, others, left))
        least.append(number * max(0, left - len(sensitive)))
        most.append(number * min(left, len(others)))
    own = holders if item == "nonsensitive" else 0
    total = sum(least) + own if at.get("g") is None else at["n"] * at["g"]
    rest = int(total) - own - sum(least)
    listed_groups: list[tuple[int, Sequence[int]]] = []
    for (number, holds, sensitive, others, left), low, high in zip(groups, least, most, strict=True):
        taken = min(rest, high - low)
        rest -= taken
        if number:
            each, larger = divmod(low + taken, number)
            for count, v in ((number - larger, each), (larger, each + 1)):
                held = [*([x] if holds else []), *sensitive[: left - v], *others[:v]]
                if count:
                    listed_groups.append((count, held))
    return listed_groups, x


def sizes_at(at: Any, law: Any) -> dict[str, Any]:
    """The sizes, where what is not stated is large enough."""
    others = 0 if all_sensitive(law["term"]) else at["m"] + 1
    return {"K": at["m"] + 1, "N": others, **dict.fromkeys(law["parameters"], Fraction(1, 2)), **at}


def total_of(error: Any) -> Any:
    """The formula of an error: of one item, or summed over the items."""
    if "type" in error:
        return error["formula"]
    total: Any = 0
    for name, items, held in (("sensitive", "K", ["sub", "m", "g"]), ("nonsensitive", "N", "g")):
        if name in error:
            absent, present = (put(error[name]["formula"], {"f": x}) for x in (0, 1))
            total = ["add", total, ["add", ["mul", items, absent], ["mul", held, ["sub", present, absent]]]]
    return total


def of_users(statement: Any, evidence: Any) -> str:
    """The data set that refutes a statement."""
    users = [evidence["s"]] if "s" in evidence else evidence.get("users", [])
    if not users or evidence.get("hashes"):
        raise Outside("users who are drawn")
    at = {name: Fraction(value) if isinstance(value, str) else value for name, value in evidence["instance"].items()}
    return witness(statement["law"], at, [(1, held) for held in users], evidence["item"])
