"""Laws, mechanisms and moments of certificates as terms of Coq. Trusted as `statements` is: it is total on what it
translates and raises `Outside` for the rest."""

from typing import Any

from dp_coq.expressions import Names, Outside, expression, flag, integer, listed, put, require_fields
from dp_coq.shapes import all_sensitive, is_of_one_item, shape

SIZES = ("K", "N", "m", "n", "f", "g")
"""The names that every law has, in this order: the sizes, the share of users with the item, and what they hold of the
other items."""
KINDS = {"sen": "Sen", "non": "Non", "*": "Every", "sen1": "Sen1", "sen0": "Sen0", "non1": "Non1", "non0": "Non0"}
CLASSES = {"own": "Own", "other": "Other", "any": "Any", "0": "Bit0", "1": "Bit1"}
PUSHES = {"multiset": "Multiset", "set": "AsSet", "sorted": "Sorted"} | dict.fromkeys(
    ("one", "position", "bits", "vectors"), "Blanked"
)
LAW = {"base", "mechanism", "parameters", "power", "term"}
ESTIMATE = {"estimator", "item", "law", "sizes", "type", "where"}
FIELDS = {"unbiased": ESTIMATE} | dict.fromkeys(("mean", "variance", "mse"), ESTIMATE | {"data", "formula"})
CHANCE = (ESTIMATE - {"estimator"}) | {"event", "probability"}
COUNT = {"slope": 1, "offset": 0}
"""The estimate that is the count of the reports of one user."""
FIELDS |= {"chance": CHANCE}
MOMENTS = {"unbiased": "Mean", "mean": "Mean", "variance": "Variance", "mse": "Error", "chance": "Chance"}


def names_of(law: Any) -> Names:
    """The numbers of the names of a law."""
    own = (*SIZES, law["base"], *sorted(law["parameters"]), *sorted(law.get("integers", {})))
    return {name: number for number, name in enumerate(own, 1)}


def names_of_reports(law: Any) -> Names:
    """Those that reports and estimates may depend on: never on the data."""
    return {name: number for name, number in names_of(law).items() if name not in ("n", "f", "g")}


def rows(kinds: Any, names: Names) -> str:
    """The rows of a table: what stands in them, by class."""
    lines = []
    for kind, cells in kinds.items():
        if cells.keys() - CLASSES.keys():
            raise Outside("labels beside an item")
        entries = [f"({CLASSES[name]}, {expression(tree, names)})" for name, tree in cells.items()]
        lines.append(f"({KINDS[kind]}, {listed(entries)})")
    return listed(lines)


def term(tree: Any, names: Names) -> str:
    """The term of a law."""
    match tree:
        case ["row", kinds]:
            return f"(Row {rows(kinds, names)})"
        case ["each", "held", of]:
            return f"(EachHeld {term(of, names)})"
        case ["each", "items", ["row", kinds]]:
            return f"(EachItems {rows(kinds, names)})"
        case ["drawn", of]:
            return f"(Drawn {term(of, names)})"
        case ["pair", first, second]:
            return f"(Pair {term(first, names)} {term(second, names)})"
        case ["copies", number, of]:
            return f"(Copies {expression(number, names)} {term(of, names)})"
        case ["thinned", chance, of]:
            return f"(Thinned {expression(chance, names)} {term(of, names)})"
        case ["push", word, of] if word in PUSHES:
            return f"(Push {PUSHES[word]} {term(of, names)})"
        case [word, *_]:
            raise Outside(f"laws with {word}")
    raise TypeError(f"not a law: {tree!r}")


def sizes(law: Any, where: Any) -> str:
    """The domain of a law. As in the kernel, there are sensitive items only where the law says nothing of others, and
    users hold one item where it is of one item."""
    names, least = names_of(law), {"K": 1, "N": 0, "m": 1, "n": 1, **law.get("integers", {})}
    ranges = []
    for name in names:
        if name in least:
            ranges.append(f"From {integer(least[name])} false true")
        elif name == law["base"]:
            ranges.append("From 1 true false")
        else:
            ranges.append("Unit false" if name in law["parameters"] else "From 0 false false")
    constraints = [*where]
    if all_sensitive(law["term"]):
        constraints.append(["neg", "N"])
    if is_of_one_item(law["term"]):
        constraints.append(["sub", 1, "m"])
    return f"(Domain {listed(ranges)} {listed([expression(tree, names) for tree in constraints])})"


def mechanism(spec: Any, estimator: Any) -> str:
    """A law, which items are counted, and how their number is estimated."""
    law, names = spec["law"], names_of_reports(spec["law"])
    require_fields(law, LAW | ({"integers", "families"} & law.keys()))
    look = shape(law["term"])
    if look in ("", "bit"):
        raise Outside("a term without a meaning")
    if law.get("families"):
        raise Outside("families of functions")
    if spec["sizes"] != "exactm":
        raise Outside("sets that are completed")
    if estimator.keys() != {"slope", "offset"}:
        raise Outside("estimates from two counts")
    sensitive = spec["item"] == "sensitive"
    if not sensitive and (all_sensitive(law["term"]) or look != "seen"):
        raise Outside("items that no report shows")
    slope, offset = (expression(estimator[name], names) for name in ("slope", "offset"))
    return f"(Mechanism {sizes(law, spec['where'])} {term(law['term'], names)} {flag(sensitive)} {offset} {slope})"


def of_one_user(statement: Any) -> list[Any]:
    """What is >= 0 where one user reports, who holds the item, or does not."""
    return [["sub", 1, "n"], ["sub", "f", 1] if statement["event"] == "held" else ["neg", "f"]]


def moment(statement: Any) -> str:
    """A statement about a moment of an estimate, for every data set."""
    require_fields(statement, FIELDS[statement["type"]])
    if statement.get("data", "fixed") != "fixed":
        raise Outside("users who are drawn")
    names, of_sizes = names_of(statement["law"]), names_of_reports(statement["law"])
    for tree in statement["where"]:
        expression(tree, of_sizes)
    if statement["type"] == "chance":
        of = mechanism({**statement, "where": [*statement["where"], *of_one_user(statement)]}, COUNT)
        formula = expression(statement["probability"], names)
    else:
        of = mechanism(statement, statement["estimator"])
        formula = expression(statement.get("formula", "f"), names)
    return f"(Moments (Moment {MOMENTS[statement['type']]} {of} {formula}))"


ERROR = ESTIMATE | {"data", "formula"}
VALUE = {"at", "error", "root"}


def mechanisms(error: Any) -> list[Any]:
    """The estimates that an error is of: one of an item, or those of sensitive and of other items."""
    return [error] if "type" in error else [error[name] for name in sorted(error)]


def trees_at(value: Any, law: Any, around: Names) -> dict[str, Any]:
    """Trees for the names of a law, where they are stated: what the value says, or what has the same name around it. As
    in the kernel, N is 0 where a law says nothing of other items, and a sum over items has no share of one of them."""
    own = {name: name for name in SIZES if name in around} | value["at"] | {law["base"]: value["root"]}
    without = ["N"] * all_sensitive(law["term"]) + ["f"] * ("type" not in value["error"])
    return {name: tree for name, tree in own.items() if name not in without}


def error(value: Any, around: Names) -> str:
    """The error that a name of a formula stands for."""
    require_fields(value, VALUE)
    parts = mechanisms(value["error"])
    for part in parts:
        require_fields(part, ERROR)
        if (part["type"], part["data"], part["where"]) != ("mse", "fixed", []):
            raise Outside("errors of another kind")
    law, summed = parts[0]["law"], "type" not in value["error"]
    if not {*SIZES}.issuperset(value["at"]):
        raise Outside("fields of sizes")
    if summed and "f" in value["at"]:
        raise Outside("the share of one item, of a sum")
    if any(part["law"] != law for part in parts):
        raise Outside("errors of several laws")
    names = names_of(law)
    trees = trees_at(value, law, around)
    places = [f"({names[name]}%positive, {expression(trees[name], around)})" for name in names if name in trees]
    listed_parts = listed([mechanism(part, part["estimator"]) for part in parts])
    return f"(ErrorOf {listed_parts} {flag(summed)} {listed(places)})"


def power_of(value: Any, around: Names) -> Any:
    """What e^eps is, for a name: the power of the root."""
    law = mechanisms(value["error"])[0]["law"]
    return ["pow", value["root"], put(law["power"], trees_at(value, law, around))]
