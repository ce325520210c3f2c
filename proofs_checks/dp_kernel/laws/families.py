"""Public choices of `mix`: listed families at an instance, shown to have the premises of the law; what the users' items
share under fixed functions.

kappa(x, y) is the share of the choices under which two items have one label. kappa1 and kappa2 are the sums of kappa
and of kappa^2 over the users' items other than the counted one, by the number of users.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any

from dp_kernel.formulas.terms import evaluate
from dp_kernel.laws.grammar import SEPARATING, nodes, parts
from dp_kernel.laws.sizes import Instance, point_values
from dp_kernel.meter import paid, require
from dp_kernel.numbers.json_numbers import functions, integer

Image = tuple[int, ...]
Functions = list[tuple[Fraction, Image]]
"""A law on functions: the labels of all items."""


def unnamed(law: Any) -> str:
    """The family of the outermost choice, if nothing is assumed of it, or "" (no family)."""
    of = law["term"]
    while of[0] != "mix" and parts(of):
        of = parts(of)[0]
    return of[1] if of[0] == "mix" and of[1] not in law.get("families", {}) else ""


def families_at(listed: Any, law: Any, at: Instance) -> Mapping[str, Functions]:
    """The law's families: [probability, labels of all items] for every choice; each has its premise."""
    values, families = point_values(law, at), dict[str, Functions]()
    for node, world in nodes(law["term"], values):
        if node[0] == "mix":
            label = partial(integer, low=0, high=int(evaluate(node[2], world)) - 1)
            families[node[1]] = functions(listed[node[1]], int(world["K"]), label)
            _require_premise(families[node[1]], law.get("families", {}).get(node[1]), values)
    require(listed.keys() == families.keys(), "other families than the law has")
    return families


def _require_premise(law: Functions, premise: Any, values: Mapping[str, Any]) -> None:
    pairs = paid(combinations(range(len(law[0][1])), 2), *(p for p, _ in law))
    chances = {shared(law, x, y) for x, y in pairs}
    if premise == SEPARATING:
        require(any(chance < 1 for chance in chances), "no two items have different labels")
    elif premise is not None:
        require(chances <= {evaluate(premise, values)}, "two items share a label with another chance")


def shared(listed: Functions, x: int, y: int) -> Fraction:
    """kappa(x, y)."""
    return sum((p for p, image in listed if image[x] == image[y]), Fraction(0))


def averages(listed: Functions, x: int, users: list[int]) -> dict[str, Fraction]:
    """kappa1 and kappa2 of an item for users who hold one item each, and the sum of f_y^2 over the other items y."""
    others, n = [y for y in users if y != x], len(users)
    kappas = {f"kappa{j}": sum((shared(listed, x, y) ** j for y in others), Fraction(0)) / n for j in (1, 2)}
    return kappas | {"squared": sum((Fraction(others.count(y), n) ** 2 for y in {*others}), Fraction(0))}
