"""Statements about shuffled reports, and certificates of them: what false ones are made of."""

from typing import Any

from corpus.certificates import Json, certified

DEN: Any = ["sub", ["add", "x", "K"], 1]
POSITIVE: Json = {"min": 1, "strict": False, "integer": True, "unit": False}
THIRD: Json = {"by": "third", "data": [], "width": 9, "bits": 40, "knots": [0]}
BLANKET: Json = {"by": "blanket", "width": 9, "bits": 40, "knots": [0, 2, 4]}
"""The data sets of three users with two labels."""
ALL: Json = {"by": "all data sets"}
TENTH: Any = ["div", 1, 10]


def row(own: Any, other: Any, **more: Any) -> Any:
    return ["row", {"sen": {"own": own, "other": other, **more}}]


RESPONSE: Any = row(["div", "x", DEN], ["div", 1, DEN])


def law(term: Any = RESPONSE, **more: Any) -> Json:
    return {"mechanism": "planted", "base": "x", "power": 1, "parameters": [], "term": term, **more}


def mixed(term: Any = RESPONSE, labels: Any = "b", **more: Any) -> Json:
    return law(["mix", "hash", labels, term], integers={"b": 1}, **more)


def stated(of: Json | None = None, delta: Any = 0, users: Any = 3, e_eps: Any = 2, **more: Any) -> Json:
    body: Json = {"type": "divergence", "domain": {"variables": {}, "constraints": []}, "at": {"x": 3, "K": 3}}
    body |= {"users": users, "dummies": 0, "e_eps": e_eps, "relation": "le", "delta": delta}
    return body | {"law": of or law()} | more


def anything(**more: Any) -> Json:
    """About every randomizer."""
    statement = stated(**{"at": {"x": 3}, **more})
    return {name: part for name, part in statement.items() if name != "law"}


def shown(statement: Json, by: Json = BLANKET, verdict: str = "proved", **values: Any) -> Json:
    return carded(certified(statement, verdict, {"instances": [{"values": values, **by}]}), by)


def refuted(statement: Json, by: Json = THIRD, **values: Any) -> Json:
    return carded(certified(statement, "refuted", {"values": values, **by}), by)


def carded(certificate: Json, by: Json) -> Json:
    """With the card that is applied: none by enumeration."""
    return certificate | {"cards": [] if by["by"] == "all data sets" else ["blanket"]}


def of_data(*data: int) -> Json:
    return {**ALL, "data": list(data)}
