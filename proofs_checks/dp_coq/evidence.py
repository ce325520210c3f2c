"""Evidence of certificates as terms of Coq. This translation is not trusted: what it gets wrong is refused."""

import json
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from dp_coq import data_sets, exchanges, expressions, laws, trees
from dp_coq.expressions import Names, Outside, expression, flag, listed, rational
from dp_coq.statements import TABLES, budgeted, has_powers, numbered, of_powers, with_errors, with_powers
from dp_coq.values import evaluate

LONGEST = 500
"""Terms with powers that Coq is asked to add: exact fractions of thousands of digits take it minutes."""
LARGEST = 100_000
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
    """For a statement: a point of its domain, hints, a step for every relation; of a bound, the constants; of a moment,
    a data set."""
    if statement["type"] in laws.FIELDS:
        return moment(statement)
    if statement["type"] == "sentence":
        raise Outside("sentence at all sizes")
    if statement["type"] in TABLES:
        return exchanges.ratio(statement, evidence)
    if has_powers(statement):
        return of_exponentials(statement, evidence)
    if statement.get("quantities"):
        return of_quantities(statement, evidence)
    for relation in statement["relations"]:
        require_short(relation)
    names = numbered(statement["domain"])
    if "cover" in evidence:
        raise Outside("boxes")
    steps = listed([step(each, names) for each in evidence["steps"]])
    at = point(evidence["values"], names)
    content = [statement["relations"], statement["domain"]["constraints"], evidence["steps"]]
    if statement["values"]:
        at, shown, more = of_errors(statement, evidence)
        content += [*more, *budgeted(statement)["constraints"]]
        if evidence.get("lemmas"):
            raise Outside("lemmas")
        table, forms, _ = helps(content, evidence, names)
        return f"(Replaced {at} {shown} {table} {forms} {steps})"
    if statement["type"] == "bounded":
        constants = listed([expression(tree, names) for tree in evidence["constants"]])
        return f"(Constants {at} {hints([content, evidence['constants']], evidence, names)} {constants} {steps})"
    return f"(Derivation {at} {hints(content, evidence, names)} {steps})"


LARGEST_POWER = 100
"""The exponents beside powers of e that Coq is asked about: polynomials of a larger degree take it minutes."""


def degree(tree: Any) -> int:
    """The largest product of numbers that are exponents of one another in trees."""
    parts = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    own = tree[2] if isinstance(tree, list) and tree[:1] == ["pow"] and isinstance(tree[2], int) else 1
    return abs(own) * max([1, *map(degree, parts)])


UNKNOWN = Fraction(2)
"""A value of e^x, for a data set: which one it is does not matter where it is above 1."""


def of_exponentials(statement: Any, evidence: Any) -> str:
    """For what has powers of e in it: a point, in which these and errors have no coordinates; for every error its
    formulas and a data set; of a bound, the constants; a step for every relation."""
    if "cover" in evidence:
        raise Outside("boxes")
    if evidence.get("lemmas") or evidence.get("sums"):
        raise Outside("lemmas about powers of e")
    for relation in statement["relations"]:
        require_short(relation)
    if degree([statement["relations"], statement["values"]]) > LARGEST_POWER:
        raise Outside("long powers")
    named, exponents = of_powers(statement)
    names, own = with_powers(named, exponents), numbered(named["domain"])
    around = {**own, **{name: names[name] for name in exponents}}
    at = {**evidence["values"], **dict.fromkeys(exponents, UNKNOWN)}
    _, shown, more = errors_at(named, at, around)
    place = point(dict.fromkeys(names, 0) | evidence["values"], names)
    constants = evidence.get("constants", [])
    steps = [step(each, own) for each in evidence["steps"]]
    if statement["type"] == "bounded":
        steps = [text for each in steps for text in (NOTHING, each)]
    content = [named["relations"], named["domain"]["constraints"], evidence["steps"], constants, more]
    table, _, _ = helps(content, evidence, around)
    listed_constants = listed([expression(tree, own) for tree in constants])
    return f"(Spelled {place} {shown} {listed_constants} {table} [] {listed(steps)})"


def hints(content: Any, evidence: Any, names: Names) -> str:
    return f"(Hints {' '.join(helps(content, evidence, names))} [])"


def helps(content: Any, evidence: Any, names: Names) -> tuple[str, str, str]:
    """The powers that get names, in trees; the forms of sums; lemmas."""
    content, forms = [content, evidence.get("lemmas", [])], []
    for summed, low, high, *room in evidence.get("sums", []):
        if low != high:
            raise Outside("sums that are enclosed")
        closed, ends = form(summed, low, names)
        forms.append(f"{closed} {' '.join(room) or NOTHING}")
        content.append(ends)
    lemmas = listed([lemma(tree, each, names) for tree, each in evidence.get("lemmas", [])])
    return listed(powers(content, names)), listed(forms), lemmas


NOTHING = "(Step (Cst 1) [] [] None)"
"""A step that uses nothing."""
OFFSETS = (0, 1, 4)
"""By how much integers are larger at the points at which it is guessed where two counts meet."""


def of_quantities(statement: Any, evidence: Any) -> str:
    """For a formula about quantities: that about counts, with what sums over the heights of their trees become."""
    about = trees.about_counts(statement)
    names = numbered(about["domain"])
    sums = [row for name, quantity in statement["quantities"].items() for row in trees.rows_of(name, quantity)]
    parts = [meeting(row, statement, evidence["values"]) for row in sums]
    closed = [becomes(row, part) for row, part in zip(sums, parts, strict=True)]
    own, farther = of_exchanged(statement, about, sums, parts)
    values = {name: trees.value(name, quantity) for name, quantity in statement["quantities"].items()}
    steps = [*replaced(evidence["steps"], values), *farther]
    content = [about["relations"], about["domain"]["constraints"], steps, closed]
    places = [{}, *(quantity["at"] for quantity in statement["quantities"].values())]
    forms = [*own, *(replaced(form, place) for form in evidence.get("sums", []) for place in places)]
    text = json.dumps(content)
    known = {json.dumps(form[0]): form for form in forms if json.dumps(form[0]) in text}
    hint = {"sums": [*known.values()], "lemmas": replaced(evidence.get("lemmas", []), values)}
    found = listed([tree_sum(row, part, names, about) for row, part in zip(sums, parts, strict=True)])
    help_ = f"(Hints {' '.join(helps(content, hint, names))} {found})"
    listed_steps = listed([step(each, names) for each in steps])
    return f"(Derivation {of_counts(statement, evidence['values'], names)} {help_} {listed_steps})"


def of_exchanged(statement: Any, about: Any, sums: list[trees.Row], parts: list[str]) -> tuple[list[Any], list[Any]]:
    """For a quantity about two counts that are exchanged: the forms of sums of what does not depend on the height, and
    the step that shows that no counts are farther apart: each row that they share in part adds twice what it is."""
    if trees.replaced_counts(statement["quantities"]) is None:
        return [], []
    forms: list[Any] = []
    total: Any = 0
    for row, part in zip(sums, parts, strict=True):
        room = [f"({at_most(about)})"] if row.counts == trees.OTHERS else []
        closed = [["mul", row.each, "s"]] * 2
        forms.append([["sum", "s", row.first, row.last, row.each], *closed])
        for start in (row.meet, ["add", row.meet, 1]):
            forms.append([["sum", "s", start, row.last, row.each], *closed, *room])
        if row.counts == trees.OTHERS and part == "Rest":
            total = ["add", total, row.each]
    number = about["domain"]["constraints"].index(["sub", at_root(statement), trees.HEIGHT])
    return forms, [{"multipliers": {str(number): total}}]


def at_most(about: Any) -> str:
    """The step that uses that counts meet at most at the height of the root."""
    stated = about["domain"]["constraints"]
    bound = next(n for n, tree in enumerate(stated) if isinstance(tree, list) and tree[-1] == trees.HEIGHT)
    return f"Step (Cst 1) [({bound}%nat, (Cst 1))] [] None"


def at_root(statement: Any) -> Any:
    """The height of the root."""
    quantity = trees.replaced_counts(statement["quantities"])
    return expressions.put("h", quantity["at"])


def of_counts(statement: Any, values: Any, names: Names) -> str:
    """A point, with two counts that meet at height k for every quantity about such, or the first count."""
    at = {name: Fraction(x) for name, x in values.items()}
    counted: dict[str, Any] = {}
    for name, quantity in statement["quantities"].items():
        if quantity["of"][1] == "replace":
            far = evaluate(expressions.put(["pow", quantity["law"]["branching"], ["sub", "h", 1]], quantity["at"]), at)
            counted |= dict.fromkeys((trees.FARTHEST[0], trees.OTHERS[0]), Fraction(0))
            counted |= {trees.FARTHEST[1]: far, trees.OTHERS[1]: Fraction(1), trees.HEIGHT: Fraction(1)}
            continue
        x, y = trees.counts(name, quantity["of"][1])
        other = expressions.put(["pow", quantity["law"]["branching"], ["sub", "k", 1]], quantity["at"])
        counted |= {x: Fraction(0)} | ({y: evaluate(other, at)} if x != y else {})
    return point({**at, **counted}, names)


def meeting(row: trees.Row, statement: Any, values: Any) -> str:
    """Where the sum of a row begins, as it seems at some points."""
    if row.counts[0] == row.counts[1]:
        return "Whole"
    whole = [name for name, spec in statement["domain"]["variables"].items() if spec["integer"]]
    points = []
    for offsets in product(OFFSETS, repeat=len(whole)):
        moved = zip(whole, offsets, strict=True)
        at = {name: Fraction(x) for name, x in values.items()} | {name: Fraction(values[name]) + x for name, x in moved}
        if row.counts == trees.OTHERS:
            root = evaluate(at_root(statement), at)
            points += [{**at, trees.HEIGHT: height} for height in (Fraction(1), root)]
        else:
            points.append(at)
    first, last, meet = ([evaluate(tree, at) for at in points] for tree in (row.first, row.last, row.meet))
    if all(low >= high + row.differ for low, high in zip(first, meet, strict=True)):
        return "Whole"
    return "Nothing" if all(low + 1 <= high for low, high in zip(last, meet, strict=True)) else "Rest"


def becomes(row: trees.Row, part: str) -> Any:
    """What the sum of a row becomes, as in `checker/Trees.v`."""

    def along(first: Any) -> Any:
        return replaced(row.each, {"s": first}) if first == row.last else ["sum", "s", first, row.last, row.each]

    if part == "Rest" and row.differ:
        return ["sub", along(["add", row.meet, 1]), replaced(row.each, {"s": row.meet})]
    return {"Whole": along(row.first), "Nothing": 0, "Rest": along(row.meet)}[part]


def tree_sum(row: trees.Row, part: str, names: Names, about: Any) -> str:
    """A sum over the heights of a tree. Where counts meet at some height, this is at most that of the root."""
    own = {**names, "s": max(names.values(), default=0) + 1}
    counted = " ".join(f"{names[count]}%positive" for count in row.counts)
    ends = " ".join(expression(tree, names) for tree in (row.meet, row.first, row.last))
    more = listed(powers(replaced(row.each, {"s": ["add", row.first, "s"]}), own))
    start = f"TreeSum {flag(row.differ)} {expression(row.branching, names)} {counted} {ends}"
    over = at_most(about) if row.counts == trees.OTHERS else NOTHING
    last = {"Whole": [over] * (row.counts[0] != row.counts[1]), "Nothing": [NOTHING], "Rest": [NOTHING, over]}
    steps = [NOTHING] * 4 + last[part]
    return f"{start} {expression(row.each, own)} {part} {more} {listed(steps)}"


def lemma(tree: Any, each: Any, names: Names) -> str:
    """What is shown to be >= 0, by a step or by induction."""
    stated = expression(tree, names)
    if "induct" not in each:
        return f"Shown {stated} ({step(each, names)})"
    ends = " ".join(f"({step(each[name], names)})" for name in ("first", "next"))
    return f"Inducted {stated} {names[each['induct']]}%positive {expression(each['factor'], names)} {ends}"


def family(statement: Any, evidence: Any) -> str:
    """Against a bound: a family of points in L, the only name there; everything is said in L."""
    places, sides = evidence["family"], statement["relations"][evidence["relation"]]
    hint = {name: replaced(evidence.get(name, default), places) for name, default in (("lemmas", []), ("step", {}))}
    if evidence.get("sums"):
        raise Outside("sums in families")
    names, along = numbered(statement["domain"]), {"L": 1}
    content = [replaced([sides, statement["domain"]["constraints"]], places), hint["step"]]
    coordinates = listed([expression(places[name], along) for name in names])
    number = f"{evidence['relation']}%nat {coordinates} {expression(evidence['constant'], along)}"
    last = f"{hints(content, hint, along)} ({step(hint['step'], along)})"
    return f"(Unbounded {point(evidence['values'], names)} {number} {last})"


def replaced(part: Any, places: Mapping[str, Any]) -> Any:
    """A part of evidence, with trees in the place of names."""
    if isinstance(part, dict):
        return {name: value if name == "induct" else replaced(value, places) for name, value in part.items()}
    if isinstance(part, list):
        return [replaced(each, places) for each in part]
    return places.get(part, part) if isinstance(part, str) else part


def moment(statement: Any) -> str:
    """For a moment: a data set, and the powers of the law and of the formula."""
    stated = [statement[name] for name in ("estimator", "formula", "probability") if name in statement]
    content = [statement["law"]["term"], statement["where"], *stated]
    table = listed(powers(content, laws.names_of(statement["law"])))
    return f"(Computed {data_sets.of_some_user(statement)} {table} [] [{NOTHING}])"


def of_errors(statement: Any, evidence: Any) -> tuple[str, str, list[Any]]:
    """A point, with the values of errors; for every error its formulas and a data set; trees in which powers occur."""
    exact, proofs, trees = errors_at(statement, evidence["values"], numbered(statement["domain"]))
    return listed([rational(exact[name]) for name in with_errors(statement)]), proofs, trees


def errors_at(statement: Any, at: Any, around: Names) -> tuple[dict[str, Fraction], str, list[Any]]:
    """The same, where names have these values."""
    values = {name: Fraction(x) for name, x in at.items()}
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
    return exact, listed(proofs), trees_with_powers


def form(summed: Any, closes: Any, names: Names) -> tuple[str, Any]:
    """A sum, what closes it and the powers that occur where its index runs; and what it becomes."""
    _, index, low, high, term = summed
    if index in names:
        raise Outside("sums in sums")
    own = {**names, index: max(names.values(), default=0) + 1}
    before, here = ["sub", low, 1], ["add", low, index]
    along = [replaced(tree, {index: here}) for tree in (term, closes)]
    text = f"Form {expression(summed, names)} {expression(closes, own)} {listed(powers(along, own))}"
    ends = [replaced(closes, {index: end}) for end in (high, before)]
    return text, [*ends, ["sub", high, low]]


def datum(value: Any) -> str:
    """A number, a list, or nothing, as evidence writes them."""
    if value is None:
        return "(Lst [])"
    if isinstance(value, list):
        return f"(Lst {listed([datum(part) for part in value])})"
    return f"(Num {rational(Fraction(value))})"


def counterexample(statement: Any, evidence: Any) -> str:
    """Against a statement: a point of its domain, and which relation fails there, or in which case a sentence does."""
    if has_powers(statement):
        raise Outside("refutations with powers of e")
    if statement["type"] in laws.FIELDS:
        return f"(FailsFor {data_sets.of_users(statement, evidence)})"
    if statement["type"] == "bounded":
        return family(statement, evidence)
    if statement["type"] in TABLES:
        place = {"n": 1, "f": 0, "g": 0, **evidence["instance"]}
        values = evidence.get("case", {})
        case = [datum(values[name]) for name in quantified(statement["sentence"], values)] if values else []
        return f"(FalseIn {point(place, laws.names_of(statement['law']))} {listed(case)})"
    if statement["type"] == "implies":
        return f"(FalseOf {listed([datum(value) for value in channel(evidence['channel'])])})"
    if statement.get("quantities"):
        names = numbered(trees.about_counts(statement)["domain"])
        return f"(Fails {of_counts(statement, evidence['values'], names)} {evidence['relation']}%nat)"
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


def channel(data: Any) -> list[Any]:
    """The numbers of a channel and the rows of its table."""
    inputs = combinations(range(data["K"] + data["N"]), data["m"])
    rows = [
        [list(held), output, chance]
        for held, chances in zip(inputs, data["rows"], strict=True)
        for output, chance in zip(data["outputs"], chances, strict=True)
        if Fraction(chance)
    ]
    return [data["K"], data["N"], data["m"], data["e_eps"], rows]


def quantified(sentence: Any, case: Any) -> list[str]:
    """The names of the first quantifiers of a sentence that a case says something of."""
    names = []
    while sentence[0] == "all" and sentence[1] in case:
        names.append(sentence[1])
        sentence = sentence[3]
    return names
