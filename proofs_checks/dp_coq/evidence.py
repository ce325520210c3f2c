"""Evidence of certificates as terms of Coq. This translation is not trusted: what it gets wrong is refused."""

import json
from fractions import Fraction
from typing import Any

from dp_coq import data_sets, expressions, laws
from dp_coq.expressions import Names, Outside, expression, listed, rational
from dp_coq.statements import budgeted, numbered, with_errors
from dp_coq.values import evaluate

LONGEST = 500
"""Terms with powers that Coq is asked to add: exact fractions of thousands of digits take it minutes."""
LARGEST = 20_000
"""Characters of a sentence that Coq is asked about."""


def require_short(tree: Any) -> None:
    """Raise `Outside` where a sum of powers between two numbers is long."""
    match tree:
        case ["sum", _, int() as low, int() as high, term] if high - low >= LONGEST and '"pow"' in json.dumps(term):
            raise Outside("long sums")
        case [_, *arguments]:
            for argument in arguments:
                require_short(argument)


def point(values: Any, names: Names) -> str:
    return listed([rational(Fraction(values[name])) for name in names])


def step(step: Any, names: Names) -> str:
    """One step: scale, multipliers of what is stated, squares, ends."""
    if step.keys() - {"scale", "multipliers", "squares", "ends"}:
        raise Outside("induction")
    multipliers = [f"({number}%nat, {expression(tree, names)})" for number, tree in step.get("multipliers", {}).items()]
    squares = [f"({expression(tree, names)}, {expression(root, names)})" for tree, root in step.get("squares", [])]
    ends = "None"
    if "ends" in step:
        name, high = step["ends"]
        ends = f"(Some ({names[name]}%positive, {expression(high, names)}))"
    return f"Step {expression(step.get('scale', 1), names)} {listed(multipliers)} {listed(squares)} {ends}"


def symbols(tree: Any, names: Names) -> set[int]:
    """The numbers of the names in a tree."""
    if isinstance(tree, list):
        return set().union(*(symbols(part, names) for part in tree))
    return {names[tree]} if isinstance(tree, str) and tree in names else set()


def powers(tree: Any, names: Names) -> list[str]:
    """The bases of powers, and the names in their exponents, each once; but not those under a sum."""
    match tree:
        case ["sum", _, low, high, _]:
            return powers([low, high], names)
        case ["pow", base, exponent]:
            own = [f"({expression(base, names)}, {number}%positive)" for number in sorted(symbols(exponent, names))]
            return [*dict.fromkeys([*own, *powers([base, exponent], names)])]
        case list() | dict():
            inner = tree.values() if isinstance(tree, dict) else tree
            return [*dict.fromkeys(text for part in inner for text in powers(part, names))]
    return []


def derivation(statement: Any, evidence: Any) -> str:
    """For a statement: a point of its domain, the powers that get names, the forms of sums, a step for every relation;
    of a bound, the constants; of a moment, a data set."""
    if statement["type"] in laws.FIELDS:
        return moment(statement)
    for relation in statement["relations"]:
        require_short(relation)
    names = numbered(statement["domain"])
    if "cover" in evidence:
        raise Outside("boxes")
    if evidence.get("lemmas"):
        raise Outside("lemmas")
    steps = listed([step(each, names) for each in evidence["steps"]])
    at = point(evidence["values"], names)
    if statement["type"] == "bounded":
        if evidence.get("sums"):
            raise Outside("sums with symbolic ends")
        return f"(Constants {at} {listed([expression(tree, names) for tree in evidence['constants']])} {steps})"
    told = [statement["relations"], statement["domain"]["constraints"], evidence["steps"]]
    if statement["values"]:
        at, shown, more = of_errors(statement, evidence)
        told += [*more, *budgeted(statement)["constraints"]]
    forms = []
    for summed, low, high in evidence.get("sums", []):
        if low != high:
            raise Outside("sums that are enclosed")
        closed, ends = form(summed, low, names)
        forms.append(closed)
        told.append(ends)
    if statement["values"]:
        return f"(Replaced {at} {shown} {listed(powers(told, names))} {listed(forms)} {steps})"
    return f"(Derivation {at} {listed(powers(told, names))} {listed(forms)} {steps})"


def moment(statement: Any) -> str:
    """For a moment: a data set, and the powers of the law and of the formula."""
    stated = [statement[name] for name in ("estimator", "formula", "probability") if name in statement]
    told = [statement["law"]["term"], statement["where"], *stated]
    table = listed(powers(told, laws.names_of(statement["law"])))
    return f"(Computed {data_sets.of_some_user(statement)} {table} [] [Step (Cst 1) [] [] None])"


def of_errors(statement: Any, evidence: Any) -> tuple[str, str, list[Any]]:
    """A point, with the values of errors; for every error its formulas and a data set; trees in which powers occur."""
    around, values = numbered(statement["domain"]), {name: Fraction(x) for name, x in evidence["values"].items()}
    exact, proofs, trees_with_powers = dict(values), [], []
    for name in sorted(statement["values"]):
        value = statement["values"][name]
        parts = laws.mechanisms(value["error"])
        law = parts[0]["law"]
        trees = laws.trees_at(value, law, around)
        at = data_sets.sizes_at({own: evaluate(tree, values) for own, tree in trees.items()}, law)
        item = value["error"].get("item")
        users, x = data_sets.of_sizes(at, item)
        names = laws.names_of(law)
        formulas = listed([expression(part["formula"], names) for part in parts])
        proofs.append(f"({formulas}, {data_sets.witness(law, at, users, x)})")
        total = data_sets.total_of(value["error"])
        exact[name] = evaluate(total, at)
        trees_with_powers += [expressions.put(total, trees), *trees.values()]
    numbers = listed([rational(exact[name]) for name in with_errors(statement)])
    return numbers, listed(proofs), trees_with_powers


def put(tree: Any, index: str, by: Any) -> Any:
    """The tree with another one in the place of an index."""
    if isinstance(tree, list):
        return [tree[0], *(put(part, index, by) for part in tree[1:])]
    return by if tree == index else tree


def form(summed: Any, closes: Any, names: Names) -> tuple[str, Any]:
    """A sum, what closes it and the powers that occur where its index runs; and what it becomes."""
    _, index, low, high, term = summed
    if index in names:
        raise Outside("sums in sums")
    own = {**names, index: max(names.values(), default=0) + 1}
    before, here = ["sub", low, 1], ["add", low, index]
    along = [put(tree, index, here) for tree in (term, closes)]
    text = f"Form {expression(summed, names)} {expression(closes, own)} {listed(powers(along, own))}"
    ends = [put(closes, index, end) for end in (high, before)]
    return text, [*ends, ["sub", high, low]]


def datum(value: Any) -> str:
    """A number, or a list, as evidence writes them."""
    if isinstance(value, list):
        return f"(Lst {listed([datum(part) for part in value])})"
    return f"(Num {rational(Fraction(value))})"


def counterexample(statement: Any, evidence: Any) -> str:
    """Against a statement: a point of its domain, and which relation fails there, or in which case a sentence does."""
    if statement["type"] in laws.FIELDS:
        return f"(FailsFor {data_sets.of_users(statement, evidence)})"
    if statement["type"] == "bounded":
        raise Outside("families of points")
    names = numbered(statement["domain"])
    if statement["type"] == "arithmetic":
        if len(json.dumps(statement["sentence"])) > LARGEST:
            raise Outside("long sentences")
        case = [datum(evidence["case"][name]) for name in quantified(statement["sentence"], evidence["case"])]
        return f"(FalseIn {point(evidence['instance'], names)} {listed(case)})"
    if evidence["relation"] not in range(len(statement["relations"])):
        raise Outside("no such relation")
    require_short(statement["relations"][evidence["relation"]])
    if statement["values"]:
        at, shown, _ = of_errors(statement, evidence)
        return f"(FailsAt {at} {shown} {evidence['relation']}%nat)"
    return f"(Fails {point(evidence['values'], names)} {evidence['relation']}%nat)"


def quantified(sentence: Any, case: Any) -> list[str]:
    """The names of the first quantifiers of a sentence that a case says something of."""
    names = []
    while sentence[0] == "all" and sentence[1] in case:
        names.append(sentence[1])
        sentence = sentence[3]
    return names
