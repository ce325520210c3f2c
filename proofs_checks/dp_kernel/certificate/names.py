"""Names to which a statement gives a meaning: something in it reads each of them."""

import json
from collections.abc import Iterable
from typing import Any

from dp_kernel import schema
from dp_kernel.certificate.digest import laws
from dp_kernel.formulas.terms import symbols
from dp_kernel.judgements.moments import NAMES
from dp_kernel.laws.grammar import all_sensitive
from dp_kernel.meter import require


def require_read(statement: Any, trees: Iterable[Any]) -> None:
    """Raise `Rejected` unless the trees of a statement (or its law) read the numbers of its law, the trees its errors
    and quantities, these what they are taken at, and any of them the variables of its domain."""
    stated = symbols(["", *trees])
    own = [law for law in laws(statement) if "term" in law]
    for law in own:
        _require((*law["parameters"], *law.get("integers", {})), stated | symbols(["", *schema.law(law)]))
    values = statement.get("values", {}) if "domain" in statement else {}
    quantities = statement.get("quantities", {})
    _require((*values, *quantities), stated)
    require(bool(values) or "budget" not in statement, "a budget that nothing spends")
    read = stated | ({*NAMES} - {"f"} if statement.get("of_data") else set())
    for part in (*values.values(), *quantities.values()):
        inner = _of_error(part["error"]) if "error" in part else _of_rows(part["law"], part["of"])
        _require(part["at"], inner)
        read |= (inner - part["at"].keys()) | symbols(["", part.get("root", 0), *part["at"].values()])
    if statement["type"] == "divergence":
        read |= {"x"}.union(*({"K", law["base"], *law["parameters"], *law.get("integers", {})} for law in own))
        read -= set() if own else {"K"}
        drawn = any('["mix"' in json.dumps(law["term"]) for law in own)
        require(drawn or "functions" not in statement, "no functions are drawn")
    domain, at = statement.get("domain", {"variables": {}, "constraints": []}), statement.get("at", {})
    _require((*domain["variables"], *at), read | symbols(["", *domain["constraints"], *at.values()]))


def _require(names: Iterable[str], read: set[str]) -> None:
    require(read.issuperset(names), f"nothing reads {sorted({*names} - read)}")


def _of_error(error: Any) -> set[str]:
    """What an error, and which data have it, depends on: of an item on its frequency, where there are non-sensitive
    ones on their number."""
    of_item = "type" in error
    parts = [error] if of_item else [*error.values()]
    names = symbols(["", *(part["formula"] for part in parts)]) & {*NAMES} | {"m", "n", "K", "g", "f"}
    names |= set() if all_sensitive(parts[0]["law"]["term"]) else {"N"}
    return names if of_item else names - {"f"}


def _of_rows(law: Any, of: Any) -> set[str]:
    """What a quantity of an additive law depends on; s is bound in it."""
    names = symbols(["", law["branching"], *law["rows"], *law.get("restored", [])]) - {"s"}
    return names | {"h"} | ({"k"} if of[1] in ("pair", "contrast") else set())
