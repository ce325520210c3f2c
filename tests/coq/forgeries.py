"""Certificates of statements that are false by construction, with the evidence of true ones; `python -m coq.forgeries`
gives those of all certificates of `make certify` to Coq."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from dp_coq import exchanges
from dp_coq.compiler import Compiler
from dp_coq.expressions import Outside
from dp_coq.expressions import put as in_place
from dp_coq.laws import FIELDS as MOMENTS
from dp_coq.parts import Part, parts
from dp_coq.statements import TABLES
from dp_coq.statements import statement as translated
from dp_coq.theorems import Goal, decided, goal
from dp_kernel.laws.grammar import all_sensitive

Change = Callable[[Part], Iterator[tuple[Any, str, Any]]]
"""A part that is proved or refuted to statements, the verdicts they do not have, and evidence."""


def with_relation(statement: Any, number: int, relation: Any) -> Any:
    relations = [relation if place == number else other for place, other in enumerate(statement["relations"])]
    return {**statement, "relations": relations}


def reversed_order(part: Part) -> Iterator[tuple[Any, str, Any]]:
    """right < left, where left <= right holds everywhere, and there is a point."""
    for number, (op, left, right) in enumerate(part.statement["relations"] if part.verdict == "proved" else ()):
        if op != "eq":
            yield with_relation(part.statement, number, ["lt", right, left]), "proved", part.evidence


def one_more(part: Part) -> Iterator[tuple[Any, str, Any]]:
    """left = right + 1 and right + 1 <= left, where left = right holds everywhere."""
    for number, (op, left, right) in enumerate(part.statement["relations"] if part.verdict == "proved" else ()):
        if op == "eq":
            more = ["add", right, 1]
            yield with_relation(part.statement, number, ["eq", left, more]), "proved", part.evidence
            yield with_relation(part.statement, number, ["le", more, left]), "proved", part.evidence


def other_verdict(part: Part) -> Iterator[tuple[Any, str, Any]]:
    """What is proved is refuted by the point of its domain; what is refuted is proved by nothing, and by a scale."""
    if part.verdict == "proved":
        for number in range(len(part.statement["relations"])):
            yield part.statement, "refuted", {"values": part.evidence["values"], "relation": number}
    else:
        for step in ({}, {"scale": 2}, {"squares": [[1, 1]]}):
            yield (
                part.statement,
                "proved",
                {"values": part.evidence["values"], "steps": [step] * len(part.statement["relations"])},
            )


def empty_domain(part: Part) -> Iterator[tuple[Any, str, Any]]:
    """The same of no points: nothing is proved of them, and none refutes."""
    domain = part.statement["domain"]
    nowhere = {**domain, "constraints": [*domain["constraints"], -1]}
    yield {**part.statement, "domain": nowhere}, part.verdict, part.evidence


def undefined(part: Part) -> Iterator[tuple[Any, str, Any]]:
    """One relation more, between quotients that are defined nowhere."""
    relations = [*part.statement["relations"], ["eq", ["div", 1, 0], ["div", 1, 0]]]
    if part.verdict == "proved":
        steps = [*part.evidence["steps"], {}]
        yield {**part.statement, "relations": relations}, "proved", {**part.evidence, "steps": steps}
    else:
        yield {**part.statement, "relations": relations}, "refuted", {**part.evidence, "relation": len(relations) - 1}


def no_steps(part: Part) -> Iterator[tuple[Any, str, Any]]:
    """A false relation more, for which there is no step."""
    if part.verdict == "proved":
        relations = [*part.statement["relations"], ["lt", 1, 0]]
        yield {**part.statement, "relations": relations}, "proved", part.evidence


def longer_terms(part: Part) -> Iterator[tuple[Any, str, Any]]:
    """Every term of a closed sum is larger by 1, also in the evidence; the other side is what it was."""
    sums = part.evidence.get("sums", []) if part.verdict == "proved" else []
    for number, (op, left, right) in enumerate(part.statement["relations"]):
        for summed, *_ in sums:
            if (op, left) == ("eq", summed) and json.dumps(summed) not in json.dumps(right):
                more = [*summed[:4], ["add", summed[4], 1]]
                others = [[more if own == summed else own, *forms] for own, *forms in sums]
                yield (
                    with_relation(part.statement, number, ["eq", more, right]),
                    "proved",
                    {**part.evidence, "sums": others},
                )


def turned(part: Part) -> Iterator[tuple[Any, str, Any]]:
    """What is true because a sentence is false, or because log 2 < log 3 = log 6 - log 2; what has no value, as log 0;
    and that sentence where there are no points."""
    said, at = part.statement["sentence"], {"instance": part.evidence["instance"], "case": {}}
    less, same = ["le", ["log", 2], ["log", 3]], ["eq", ["log", 3], ["sub", ["log", 6], ["log", 2]]]
    others = [*(["or", said, true] for true in (["le", 0, 0], less, same)), ["le", ["log", 0], 0]]
    for true in (["not", said], ["all", "forged", ["from", 0, 0], said], *others):
        yield {**part.statement, "sentence": true}, "refuted", at
    domain = part.statement["domain"]
    nowhere = {**domain, "constraints": [*domain["constraints"], -1]}
    yield {**part.statement, "domain": nowhere}, "refuted", part.evidence


def implied(part: Part) -> Iterator[tuple[Any, str, Any]]:
    """Premises imply themselves; of what no channel has they imply all."""
    premises, never = part.statement["premises"], ["le", 1, 0]
    yield {**part.statement, "conclusions": premises or [["le", 0, 1]]}, "refuted", part.evidence
    yield {**part.statement, "premises": [*premises, never]}, "refuted", part.evidence
    yield {**part.statement, "premises": [*premises, ["not", ["le", 1, "K"]]]}, "refuted", part.evidence


def unbounded(part: Part) -> Iterator[tuple[Any, str, Any]]:
    """A name that nothing bounds is at most a constant: 1, or itself and more, which moves."""
    name = "unbounded_name"
    domain = part.statement["domain"]
    free = {"min": 0, "strict": False, "integer": False, "unit": False}
    changed = {
        **part.statement,
        "domain": {**domain, "variables": {**domain["variables"], name: free}},
        "relations": [[name, 1]],
    }
    for constant in (1, ["add", name, 1]):
        values = {**part.evidence["values"], name: "0"}
        yield changed, "proved", {"values": values, "constants": [constant], "steps": [{}]}


def along_nothing(part: Part) -> Iterator[tuple[Any, str, Any]]:
    """1 <= C: every constant from 1 on will do, whatever a family says that moves all names that grow, or none."""
    stated, values = part.statement, {name: Fraction(x) for name, x in part.evidence["values"].items()}
    for moving in (stated["grows"], ()):
        family = {name: ["div", x.numerator, x.denominator] for name, x in values.items()}
        family |= {name: plus(family[name], "L") for name in moving}
        evidence = {"values": part.evidence["values"], "relation": 0, "family": family, "constant": ["div", 1, 16]}
        yield {**stated, "relations": [[1, 1]]}, "refuted", evidence


def true_table(part: Part) -> Iterator[tuple[Any, str, Any]]:
    """The constant that is the smallest one; what a case is said not to be, or 0 <= 0; and the same at no sizes."""
    statement, evidence = part.statement, part.evidence
    if part.verdict != "refuted":
        return
    exact = evidence.get("exact", "unbounded")
    if exact != "unbounded":
        number = Fraction(exact)
        yield {**statement, "constant": ["div", number.numerator, number.denominator]}, "refuted", evidence
    if statement["type"] == "sentence":
        at = {"instance": evidence["instance"], "case": {}}
        for true in (["not", statement["sentence"]], ["or", statement["sentence"], ["le", 0, 0]]):
            yield {**statement, "sentence": true}, "refuted", at
    yield {**statement, "where": [*statement["where"], -1]}, "refuted", evidence


def another_limit(part: Part) -> Iterator[tuple[Any, str, Any]]:
    """A constant that is too small, or too large to be reached; the limit 1; a law of a larger budget; the same at no
    sizes; and what is refuted, proved."""
    statement, law, base = part.statement, part.statement.get("law", {}), part.statement.get("law", {}).get("base")
    if statement["type"] == "sentence":
        return
    if part.verdict == "refuted":
        yield statement, "proved", {"rule": "product", "powers": {"ss": 1}, "cases": {"ss": 1}}
        return
    yield {**statement, "where": [*statement["where"], -1]}, "proved", part.evidence
    cases = part.evidence.get("cases", {"ss": 1})
    if "constant" in statement:
        constant = statement["constant"]
        for other in (plus(constant, 1), ["sub", constant, 1]):
            yield {**statement, "constant": other}, "proved", part.evidence
        exponent = constant[2] if isinstance(constant, list) and constant[:2] == ["pow", base] else 1
        if constant in (base, ["pow", base, exponent]):
            for other in (plus(exponent, 1), ["sub", exponent, 1]):
                yield {**statement, "constant": ["pow", base, other]}, "proved", part.evidence
            larger = {**law, "term": put(law["term"], {base: ["pow", base, 2]})}
            yield {**statement, "law": larger}, "proved", part.evidence
    else:
        yield {**statement, "law": {**law, "power": 0}}, "proved", part.evidence
        unreached = ["pow", base, plus(law["power"], 1)]
        evidence = {**part.evidence, "cases": cases}
        yield {**statement, "type": "smallest", "constant": unreached}, "proved", evidence


def put(term: Any, values: Mapping[str, Any]) -> Any:
    """The term with trees in the place of names in its rows."""
    if isinstance(term, list) and term[0] == "row":
        cells = {kind: {name: in_place(x, values) for name, x in row.items()} for kind, row in term[1].items()}
        return ["row", cells]
    return [put(part, values) for part in term] if isinstance(term, list) else term


def plus(tree: Any, more: Any) -> Any:
    return ["add", tree, more]


def another_moment(part: Part) -> Iterator[tuple[Any, str, Any]]:
    """The moment and 1 more; an estimate that is 1 less; and what is refuted, proved."""
    statement, estimator = part.statement, part.statement.get("estimator")
    if part.verdict == "refuted":
        yield statement, "proved", {"rule": "contributions"}
    elif statement["type"] == "chance":
        yield {**statement, "probability": plus(statement["probability"], 1)}, "proved", part.evidence
    elif statement["type"] == "unbiased":
        yield (
            {**statement, "type": "mean", "data": "fixed", "formula": plus("f", 1)},
            "proved",
            part.evidence,
        )
        shifted = {**estimator, "offset": plus(estimator["offset"], estimator["slope"])}
        yield {**statement, "estimator": shifted}, "proved", part.evidence
    else:
        yield {**statement, "formula": plus(statement["formula"], 1)}, "proved", part.evidence


def no_sizes(part: Part) -> Iterator[tuple[Any, str, Any]]:
    """A moment at no sizes: there is no data set of it."""
    law = part.statement["law"]
    small = {"K": 2, "N": 0 if all_sensitive(law["term"]) else 1, "m": 1, "n": 1, **law.get("integers", {})}
    instance = {**small, law["base"]: "2", **dict.fromkeys(law["parameters"], "1/2")}
    item = 0 if part.statement["item"] == "sensitive" else 2
    users = {"s": [item]} if part.statement["type"] == "chance" else {"users": [[item]]}
    evidence = {"instance": instance, **users, "item": item}
    nowhere = {**part.statement, "where": [*part.statement["where"], -1]}
    yield nowhere, "refuted", evidence
    if part.verdict == "proved":
        yield part.statement, "refuted", evidence


def doubled(term: Any) -> Any:
    """The term with every chance of a row twice as large."""
    if isinstance(term, list) and term[0] == "row":
        return ["row", {kind: {name: ["mul", 2, x] for name, x in cells.items()} for kind, cells in term[1].items()}]
    return [doubled(part) for part in term] if isinstance(term, list) else term


def no_law(part: Part) -> Iterator[tuple[Any, str, Any]]:
    """What is no law, because rows sum to 2."""
    if part.verdict == "proved":
        law = part.statement["law"]
        yield {**part.statement, "law": {**law, "term": doubled(law["term"])}}, "proved", part.evidence


def no_data(part: Part) -> Iterator[tuple[Any, str, Any]]:
    """Errors where there are no data: half a user holds the item, or more items are held than m."""
    for name, value in part.statement["values"].items():
        n, m = (value["at"].get(size, size) for size in ("n", "m"))
        at = {"f": ["div", 1, ["mul", 2, n]]} if "type" in value["error"] else {"g": plus(m, 1)}
        values = {**part.statement["values"], name: {**value, "at": {**value["at"], **at}}}
        yield {**part.statement, "values": values}, part.verdict, part.evidence


def other_budget(part: Part) -> Iterator[tuple[Any, str, Any]]:
    """Another budget than the roots spend."""
    if "budget" in part.statement and part.verdict == "proved":
        yield {**part.statement, "budget": plus(part.statement["budget"], 1)}, "proved", part.evidence


OF_MOMENTS: Mapping[str, Change] = {"another moment": another_moment, "no sizes": no_sizes, "no law": no_law}
CHANGES: Mapping[str, Change] = {
    "the order reversed": reversed_order,
    "one more": one_more,
    "the other verdict": other_verdict,
    "no points": empty_domain,
    "defined nowhere": undefined,
    "no step": no_steps,
    "terms larger by 1": longer_terms,
    "no data": no_data,
    "another budget": other_budget,
}
OF_KINDS: Mapping[str, Mapping[str, Change]] = {
    **dict.fromkeys(MOMENTS, OF_MOMENTS),
    "bounded": {"a bound that moves": unbounded, "1 that is not bounded": along_nothing},
    "implies": {"what is implied": implied},
    "arithmetic": {"a true sentence": turned},
    **{kind: {"a true table": true_table, "another limit": another_limit} for kind in TABLES},
}


def forged(certificates: Iterable[Any]) -> Iterator[tuple[str, Goal]]:
    """Every change of every part that Coq covers."""
    for certificate in certificates:
        for part in parts(certificate["statement"], certificate["verdict"], certificate["evidence"]):
            try:
                true = goal(certificate["id"], part)
            except Outside:
                continue
            changes = OF_KINDS.get(part.statement["type"], CHANGES)
            for name, change in changes.items():
                for statement, verdict, evidence in change(part):
                    try:
                        changed = goal(certificate["id"], Part(part.place, statement, verdict, evidence))
                    except Outside:
                        if change is not another_limit or verdict != part.verdict:
                            continue  # what Coq is not asked about: a refutation with powers of e
                        changed = with_its_reading(true, part.statement, statement)
                    yield name, changed


def with_its_reading(true: Goal, statement: Any, changed: Any) -> Goal:
    """A changed ratio with the evidence of the true one, which says that it is of the changed one."""
    said = true.evidence.replace(exchanges.reading_text(statement), exchanges.reading_text(changed))
    return replace(true, statement=translated(changed), evidence=said)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m coq.forgeries", description=__doc__)
    parser.add_argument("--certificates", type=Path, default=Path("build/certify/certificates"))
    parser.add_argument("--build", type=Path, default=Path("build/coq"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--number", type=int, default=1000, help="at most so many, of all claims alike")
    options = parser.parse_args()
    compiler = Compiler.of(options.build, options.jobs)
    compiler.compile_theory()
    listed = list(forged(json.loads(path.read_text("utf-8")) for path in sorted(options.certificates.glob("*.json"))))
    number = min(options.number, len(listed))
    listed = [listed[place * len(listed) // number] for place in range(number)]
    answers, _ = decided(compiler, [question for _, question in listed])
    accepted = [(name, question.name) for (name, question), yes in zip(listed, answers, strict=True) if yes]
    print(*(f"{number:6} {name}" for name, number in Counter(name for name, _ in listed).items()), sep="\n")
    print(f"{len(listed):6} false statements; accepted: {accepted or 'none'}")
    return 1 if accepted or not listed else 0


if __name__ == "__main__":
    sys.exit(main())
