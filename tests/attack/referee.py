"""Judgement on accepted certificates: instances of what they claim, small ones and ones beyond what finders look at."""

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import comb, factorial
from typing import Any

from attack import arcs, arithmetic, definitions, families, formulas, multisets, trees
from attack.truth import choices, is_inside, judge, world_of
from attack.worlds import MeaninglessError, UndecidedError, World

SIZES = sorted(
    ((m, k, n) for m in range(1, 4) for k in range(1, 6) for n in range(5) if k + n <= 6),
    key=lambda size: (size[1] + size[2], size),
)
BASES = (Fraction(2), Fraction(101, 100), Fraction(7), Fraction(3, 2), Fraction(50))
LARGE = 60_000


def weight(statement: Any, world: World) -> int:
    """About how much there is to enumerate."""
    term = statement["law"]["term"]
    m, d = world.m, world.k + world.n + (world.m if term[0] == "dummies" else 0)
    sets = 2**d if statement.get("sizes") == "all" else comb(d, min(m, d)) + (d if term[0] == "dummies" else 0)
    results = _outcomes(term, m, d)
    orders = factorial(d) if statement.get("any_order") else 1
    return results * orders * (sets * sets if "relation" in statement else sets * 4)


def _outcomes(term: Any, m: int, d: int) -> int:
    match term:
        case ["row", _]:
            return d + 1
        case ["each", "held", of]:
            return int(_outcomes(of, 1, d) ** m)
        case ["each", "items", _]:
            return int(2**d)
        case ["pair", one, other]:
            return _outcomes(one, m, d) * _outcomes(other, m, d)
        case ["copies", _, of]:
            return int(_outcomes(of, m, d) ** 3)
        case ["mix", _, _, of]:
            return int(3**d) * _outcomes(of, 1, 3)
        case ["sampled" | "filled", of]:
            return _outcomes(of, m, d) * comb(d, min(m, d))
    return _outcomes(term[-1], m, d) if isinstance(term[-1], list) else 2**d


def instances(statement: Any, choose: Callable[[int], int], number: int = 10) -> Iterator[Any]:
    """Instances of a statement about all sizes: the smallest ones, then others."""
    law = statement["law"]
    fitting = []
    for m, k, n in SIZES:
        values = {name: Fraction(least) for name, least in law.get("integers", {}).items()}
        world = World(m, k, n, values)
        try:
            if is_inside(statement, world) and weight(statement, world) <= LARGE:
                fitting.append((m, k, n))
        except MeaninglessError:
            continue
    rest = fitting[number // 2 :]
    some = fitting[: number // 2] + [rest[choose(len(rest))] for _ in range(number - number // 2) if rest]
    for m, k, n in dict.fromkeys(some):
        at: dict[str, Any] = {"m": m, "K": k, "N": n, law["base"]: BASES[choose(len(BASES))]}
        at |= {name: (Fraction(1, 3), Fraction(6, 7), Fraction(1, 50))[choose(3)] for name in law["parameters"]}
        at |= {name: least + choose(2) for name, least in law.get("integers", {}).items()}
        if is_inside(statement, world_of(statement, at)):
            yield at


def chosen(statement: Any, at: Any, witness: Any, choose: Callable[[int], int]) -> Any:
    """The families of functions at an instance: those of a witness, or some. Raises `NoFamilyError`."""
    world = world_of(statement, at)
    if statement["type"] == "shared":
        family, *others = choices(statement["law"]["term"]) or ["none"]
        premises = statement["law"].get("families", {})
        if family in premises or family == "none" or any(name not in premises for name in others):
            raise MeaninglessError("not one family that is drawn")
        if statement["labels"] != next(labels_of(statement["law"]["term"])):
            raise MeaninglessError("other labels")
        return {"functions": families.draws(statement, world, choose, witness is not None)}
    hashes = None if witness is None else witness.get("hashes")
    if arcs.part(statement["law"]["term"]):
        listed = isinstance(hashes, list)
        return arcs.read(statement, hashes, world) if listed else arcs.families(statement, world, choose)
    if isinstance(hashes, dict):
        return families.read(statement["law"], hashes, world)
    return families.families(statement["law"], world, choose)


def labels_of(term: Any) -> Iterator[Any]:
    """The numbers of labels of a term."""
    if term[0] == "mix":
        yield term[2]
    for part in term[1:]:
        if isinstance(part, list) and isinstance(part[0], str):
            yield from labels_of(part)


def contradiction(statement: Any, verdict: str, evidence: Any, choose: Callable[[int], int]) -> tuple[str, bool]:
    """Why an accepted verdict is wrong ("" if it is not seen to be), and whether the truth was known at all."""
    try:
        return _contradiction(statement, verdict, evidence, choose)
    except UndecidedError:
        return "", False
    except MeaninglessError as error:
        return f"nothing is stated: {error}", True


def _contradiction(statement: Any, verdict: str, evidence: Any, choose: Callable[[int], int]) -> tuple[str, bool]:
    match statement["type"], verdict:
        case (("all" | "instances"), "refuted"):
            return contradiction(statement["parts"][evidence["part"]], verdict, evidence["evidence"], choose)
        case (("all" | "instances"), _):
            pairs = zip(statement["parts"], evidence["parts"], strict=True)
            reasons = [contradiction(part, kind, proof, choose) for part, (kind, proof) in pairs]
            return next((why for why, _ in reasons if why), ""), all(decided for _, decided in reasons)
        case "not", _:
            other = {"proved": "refuted", "refuted": "proved"}[verdict]
            return contradiction(statement["of"], other, evidence["evidence"], choose)
        case "divergence", _:
            return multisets.contradiction(statement, verdict, evidence, choose)
        case "arithmetic", _:
            return arithmetic.contradiction(statement, verdict, evidence, choose)
        case "formula", _:
            return formulas.formula(statement, verdict, evidence, choose)
        case "bounded", _ if (limit := trees.stated_limit(statement)) is not None:
            return trees.limit(limit, verdict, choose)
        case "bounded", _:
            return formulas.bounded(statement, verdict, evidence, choose)
        case "sentence", _ if "hashes" in json.dumps(evidence):
            raise UndecidedError  # listed functions
        case (("implies" | "definition" | "completions"), _):
            return definitions.contradiction(statement, verdict, evidence, choose)
    return of_law(statement, verdict, evidence, choose)


def of_law(statement: Any, verdict: str, evidence: Any, choose: Callable[[int], int]) -> tuple[str, bool]:
    """The same for a statement about a law: at instances that it names, or at small ones."""
    law = statement["law"]
    if verdict == "proved":
        tried = list(instances(statement, choose))
    elif verdict == "verified":
        named = {name: Fraction(1, 3) for name in law["parameters"]} | law.get("integers", {})
        tried = [{law["base"]: b, **named, **at} for at in evidence["instances"] for b in BASES[:3]]
    else:
        tried = [evidence["instance"]]
        if not is_inside(statement, world_of(statement, tried[0])):
            return "the instance lies outside the domain", True
    decided, nothing = False, ""
    for at in tried:
        witness = evidence if verdict == "refuted" else None
        try:
            holds = judge(statement, at, witness, chosen(statement, at, witness, choose))
        except UndecidedError:
            continue
        except families.NoFamilyError as error:
            nothing = f"no premises: {error}"
            continue
        except MeaninglessError as error:
            return f"nothing is stated at {at}: {error}", True
        decided = True
        if holds == (verdict == "refuted"):
            return f"it {'holds' if holds else 'does not hold'} at {at}", True
    return ("", decided) if decided else (nothing, bool(nothing))
