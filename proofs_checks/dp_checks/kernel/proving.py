"""Proof steps for relations between errors: roots e^x as polynomials in x, and positivity at both ends of a variable
in which a relation is affine.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from dp_checks.kernel.domains import require_inhabited, symbolic
from dp_checks.kernel.formulas import prove
from dp_checks.kernel.moments import renamed
from dp_checks.kernel.polynomial import Ratio, lift, variable
from dp_checks.kernel.rejected import require
from dp_checks.kernel.terms import evaluate, symbols
from dp_checks.kernel.totals import affine, law_of

RANGE = {"min": 0, "strict": False, "integer": False, "unit": False}
UNIT = {"min": 0, "strict": True, "integer": False, "unit": True}
UP_TO_ONE = {**UNIT, "closed": True}


def for_small_epsilon(domain: Any) -> Any:
    """The domain with 0 < eps <= 1, which its constraints state, as the range of eps."""
    require(domain["variables"]["eps"] == {**RANGE, "strict": True}, "eps > 0")
    require(["sub", 1, "eps"] in domain["constraints"], "eps <= 1 is not stated")
    return {**domain, "variables": {**domain["variables"], "eps": UP_TO_ONE}}


def exponential(x: Ratio, number: int, domain: Any) -> tuple[Ratio, Any]:
    """e^x for 0 < x <= 1 is 1 + x + x^2 (1/2 + u/4) for some u strictly between 0 and 1, a variable more of the domain.

    (e^x - 1 - x) / x^2 = 1/2! + x/3! + x^2/4! + ... is larger than 1/2 and at most e - 2 < 3/4.
    """
    prove("lt", lift(0), x, domain, {})
    prove("le", x, lift(1), domain, {})
    name = f"[u{number}]"
    extended = {**domain, "variables": {**domain["variables"], name: UNIT}}
    return 1 + x + x * x * (Fraction(1, 2) + Fraction(1, 4) * variable(name)), extended


def exponentials(trees: Iterable[Any], values: Mapping[str, Any], domain: Any) -> tuple[dict[str, Ratio], Any]:
    """Roots by their trees: e^(...) as in `exponential`, equal ones by one variable, the others as they are."""
    roots: dict[str, Ratio] = {}
    for tree in trees:
        if str(tree) in roots:
            continue
        if isinstance(tree, list) and tree[0] == "exp":
            roots[str(tree)], domain = exponential(lift(evaluate(tree[1], values)), len(roots), domain)
        else:
            roots[str(tree)] = lift(evaluate(tree, values))
    return roots, domain


def prove_affinely(op: str, gain: Ratio, domain: Any, step: Any) -> None:
    """gain > 0 (>= 0, = 0) on the domain by one step; or at both `ends` of a variable in which it is affine.

    An affine function that is positive at 0 and at `high` is positive between; 0 <= variable <= high is stated.
    """
    if "ends" not in step:
        prove(op, lift(0), gain, domain, step)
        return
    require(set(step) == {"ends", "high", "steps"} and len(step["steps"]) == 2, "a step at either end")
    name, high = step["ends"], step["high"]
    require(domain["variables"][name] == {"min": 0, "strict": False, "integer": False, "unit": False}, "from 0 on")
    require(["sub", high, name] in domain["constraints"] and name not in symbols(high), "the end is not stated")
    affine(gain, name)
    inner = {
        "variables": {x: spec for x, spec in domain["variables"].items() if x != name},
        "constraints": [tree for tree in domain["constraints"] if name not in symbols(tree)],
        "lemmas": domain["lemmas"],
    }
    for end, part in zip((lift(0), lift(evaluate(high, symbolic(inner)))), step["steps"], strict=True):
        prove_affinely(op, renamed(gain, {name: end}), inner, part)


def require_sizes(at: Mapping[str, Ratio], domain: Any) -> None:
    """What is put for a size is a size: integers >= 1 (K, m, n), or >= 0 (N), built from integers by + and *; what is
    put for a frequency is >= 0."""
    for name, value in at.items():
        if name in ("f", "g"):
            prove("le", lift(0), value, domain, {})
        if name in ("m", "K", "N", "n"):
            least = 0 if name == "N" else 1
            prove("le", lift(least), value, domain, {})
            require(value.den == lift(1).den, f"{name} is not an integer")
            require(all(c.denominator == 1 for c in value.num.values()), f"{name} is not an integer")
            ranges = domain["variables"]
            require(all(ranges[x]["integer"] for mono in value.num for x, _ in mono), f"{name} is not an integer")


def data_constraints(value: Any, domain: Any) -> list[Any]:
    """Trees that are >= 0 where some data set has the sizes and frequencies that an error is taken at.

    g = f(X_non) are at most m and |X_non|, m - g are among X_sen; an item of frequency f is one of them. A mechanism
    without non-sensitive items is given none.
    """
    error, names = value["error"], {name: name for name in domain["variables"]} | value["at"]
    of_one = error.get("item") if "type" in error else None
    require(of_one or law_of(error)["r"] is not None or names.get("g") == 0, "the law has no non-sensitive items")
    f, g, m, k, n = (names.get(name) for name in ("f", "g", "m", "K", "N"))
    limits = [f, ["sub", 1, f], g, ["sub", m, g], ["sub", n, g], ["sub", ["add", k, g], m], ["sub", ["add", k, n], m]]
    if of_one == "sensitive":
        limits += [["sub", ["sub", m, g], f], ["sub", ["add", ["sub", k, 1], ["add", f, g]], m]]
    elif of_one == "nonsensitive":
        limits += [["sub", n, 1], ["sub", g, f], ["sub", ["add", ["sub", n, 1], f], g]]
    return [tree for tree in limits if not _has_gap(tree)]


def require_data(values: Iterable[Any], domain: Any) -> None:
    """Raise `Rejected` unless a point of the domain is found at which every error is one of some data set."""
    limits = [tree for value in values for tree in data_constraints(value, domain)]
    require_inhabited({**domain, "constraints": [*domain["constraints"], *limits]})


def _has_gap(tree: Any) -> bool:
    return tree is None or (isinstance(tree, list) and any(_has_gap(part) for part in tree))
