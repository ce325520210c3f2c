"""Certificates with random changes of statement and evidence, which an independent brute force finds wrong;
`python -m coq.mutants 10000 --seed 0` gives so many of them to both checkers, many in a file of Coq."""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any

from attack.mutate import at, places
from attack.referee import contradiction, weight
from attack.worlds import MeaninglessError, UndecidedError, World
from dp_coq.compiler import Compiler, ProofError
from dp_coq.expressions import Outside
from dp_coq.parts import Part, parts
from dp_coq.theorems import HEAD, Goal, goal
from dp_kernel.certificate.check import check
from dp_kernel.meter import Rejected, limited

FILE, SECONDS, LONGER, CHARACTERS, WORK, WEIGHT, CALLS = 200, 5, 60, 30_000, 1_000_000, 3_000, 300_000
"""Questions in a file; seconds for one of them, for one that was late, and characters of it; units of the kernel;
instances of a law; calls of functions of the brute force."""
VALUES = ("it holds", "it does not hold", "too small", "no point of the domain", "outside the domain")
"""What the brute force says where values at points show it."""
OPERATORS = (("add", "sub", "mul"), ("le", "lt", "eq"), ("sensitive", "nonsensitive"), ("mse", "variance"))
BROKEN = (ArithmeticError, AssertionError, AttributeError, LookupError, Outside, RecursionError, TypeError, ValueError)
"""What changes that are none of a certificate raise."""
LATE, NONE, LINE = "late", "no term", re.compile(r"^(true|false|late)$", re.MULTILINE)
Choose = Callable[[int], int]


class LengthError(Exception):
    """The brute force has not come to an end."""


@contextmanager
def few_calls(most: int) -> Iterator[None]:
    """Raise `LengthError` in what calls more functions than that."""
    calls = count(1)

    def counted(_frame: Any, event: str, _argument: Any) -> None:
        if event == "call" and next(calls) > most:
            raise LengthError

    sys.setprofile(counted)
    try:
        yield
    finally:
        sys.setprofile(None)


@dataclass(frozen=True)
class Mutant:
    """A wrong certificate of one part: what was changed, what shows that it is wrong, and what Coq is asked."""

    change: str
    part: Part
    why: str
    goal: Goal


def another(value: Any, names: Sequence[str], rng: Random) -> Any:
    """A number, a name, a word, or a tree in the place of one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice([value + 1, value - 1, 2 * value, value + rng.randrange(2, 9)])
    if isinstance(value, str):
        alike = [word for words in OPERATORS if value in words for word in words if word != value]
        return rng.choice(alike or [name for name in names if name != value] or [value])
    if isinstance(value, list) and value and isinstance(value[0], str):
        return rng.choice([["add", value, 1], ["sub", value, 1], ["mul", 2, value], value[-1]])
    return value


def put_everywhere(document: Any, old: Any, new: Any) -> Any:
    """The document with a tree in the place of another one, wherever it stands."""
    if document == old:
        return deepcopy(new)
    if isinstance(document, dict):
        return {name: put_everywhere(value, old, new) for name, value in document.items()}
    return [put_everywhere(value, old, new) for value in document] if isinstance(document, list) else document


def stated_places(statement: Any) -> list[tuple[Any, ...]]:
    """Where a statement says something that can be changed."""
    listed = (path for path in places(statement) if len(path) > 1)
    return [path for path in listed if path[-1] not in ("unit", "type") and not isinstance(at(statement, path), dict)]


def changed(part: Part, others: Sequence[Part], rng: Random) -> tuple[str, Part]:
    """A part with one or two changes of its statement, and its evidence: as it was, changed alike, or that of another
    part; or with a change of its evidence, for either verdict."""
    statement, evidence, verdict = deepcopy(part.statement), deepcopy(part.evidence), part.verdict
    names = sorted(statement.get("domain", {}).get("variables", {})) or ["K", "N", "m"]
    way = rng.choice(("evidence as it was", "evidence changed alike", "evidence of another", "evidence changed"))
    for _ in range(rng.choice((1, 1, 2))):
        path = rng.choice(stated_places(statement))
        holder, old = at(statement, path[:-1]), at(statement, path)
        holder[path[-1]] = new = another(old, names, rng)
        if way == "evidence changed alike" and isinstance(old, list):
            evidence = put_everywhere(evidence, old, new)
    if way == "evidence of another":
        other = rng.choice(others)
        evidence = {**deepcopy(other.evidence), **{name: evidence[name] for name in ("values",) if name in evidence}}
    elif way == "evidence changed":
        statement = deepcopy(rng.choice((statement, part.statement)))
        path = rng.choice([path for path in places(evidence) if path])
        at(evidence, path[:-1])[path[-1]] = another(at(evidence, path), names, rng)
        verdict = rng.choice(("proved", "refuted")) if "values" in evidence else verdict
        evidence = {"relation": 0, "steps": [{}] * len(statement.get("relations", ())), **evidence}
        extra = {"proved": ("relation",), "refuted": ("steps", "sums", "lemmas")}[verdict]
        evidence = {name: value for name, value in evidence.items() if name not in extra or part.verdict == verdict}
    return way, Part(part.place, statement, verdict, evidence)


def falsehood(part: Part, choose: Choose) -> str:
    """Why a part is wrong, by values at points; empty where none are seen to show it."""
    law = part.statement.get("law")
    if law and weight(part.statement, World(2, 2, 2, {})) > WEIGHT:
        return ""
    why, _ = contradiction(part.statement, part.verdict, part.evidence, choose)
    return why if any(word in why for word in VALUES) else ""


def covered(certificates: Sequence[Any]) -> dict[str, list[tuple[str, Part]]]:
    """The parts that Coq is asked about, with the names of their claims, by kind and verdict."""
    groups: dict[str, list[tuple[str, Part]]] = {}
    for certificate in certificates:
        for part in parts(certificate["statement"], certificate["verdict"], certificate["evidence"]):
            try:
                question = goal(certificate["id"], part).question
            except Outside:
                continue
            if len(question) <= CHARACTERS:
                groups.setdefault(f"{part.statement['type']} {part.verdict}", []).append((certificate["id"], part))
    return groups


def mutants(certificates: Sequence[Any], rng: Random) -> Iterator[Mutant]:
    """Wrong certificates without end: any part that is covered, or one of any kind."""
    groups = covered(certificates)
    every = [each for listed in groups.values() for each in listed]
    while True:
        claim, part = rng.choice(every if rng.random() < 0.7 else groups[rng.choice([*groups])])
        others = [other for _, other in groups[f"{part.statement['type']} {part.verdict}"]]
        try:
            change, mutant = changed(part, others, rng)
            question = goal(claim, mutant)
            with few_calls(CALLS):
                why = falsehood(mutant, rng.randrange) if len(question.question) <= CHARACTERS else ""
        except (*BROKEN, LengthError, MeaninglessError, UndecidedError):
            continue
        if why:
            yield Mutant(f"{mutant.verdict} {mutant.statement['type']}, {change}", mutant, why, question)


def kernel_accepts(part: Part) -> bool:
    try:
        with limited(WORK):
            check(part.statement, part.verdict, part.evidence)
    except (Rejected, *BROKEN):
        return False
    return True


def asked(goals: Sequence[Goal], seconds: int = SECONDS) -> str:
    """A file of Coq in which the checker answers each question, or is late."""
    lines = [HEAD]
    for number, each in enumerate(goals):
        value = f"let b := eval vm_compute in q{number} in idtac b"
        lines.append(f"Definition q{number} : bool := {each.question}.")
        lines.append(f'Goal True. first [timeout {seconds} ({value}) | idtac "{LATE}"]. Abort.')
    return "\n".join(lines) + "\n"


def answered(compiler: Compiler, goals: Sequence[Goal], seconds: int = SECONDS) -> list[str]:
    """`true`, `false` or `late` for each question; `no term` for what Coq does not read."""
    try:
        answers = [word for text in compiler.answers([asked(goals, seconds)]) for word in LINE.findall(text)]
    except ProofError:
        half = len(goals) // 2
        parts_of_it = (goals[:half], goals[half:]) if half else ()
        return [word for part in parts_of_it for word in answered(compiler, part, seconds)] or [NONE]
    if len(answers) != len(goals):
        raise ProofError(f"Coq answers {len(answers)} of {len(goals)} questions")
    return answers


def described(who: str, mutant: Mutant) -> str:
    part = mutant.part
    document = {"statement": part.statement, "verdict": part.verdict, "evidence": part.evidence}
    return f"{who} accepts, of {mutant.goal.claim}: {mutant.why}\n{json.dumps(document)}"


def difference(mutant: Mutant, word: str) -> str:
    """What Coq does not answer and the kernel refuses, and why that is no judgement of Coq's."""
    why = {
        LATE: f"Coq has no answer after {LONGER} seconds",
        NONE: "Coq reads no term there",
        "false": f"Coq refuses it as well, after more than {SECONDS} seconds",
    }[word]
    return f"{why}: {mutant.goal.claim}, {mutant.change}; {mutant.why}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m coq.mutants", description=__doc__)
    parser.add_argument("number", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--certificates", type=Path, default=Path("build/certify/certificates"))
    parser.add_argument("--build", type=Path, default=Path("build/coq"))
    options = parser.parse_args()
    compiler = Compiler.of(options.build, 1)
    compiler.compile_theory()
    files = sorted(options.certificates.glob("*.json"))
    drawn = mutants([json.loads(file.read_text("utf-8")) for file in files], Random(options.seed))
    changes, coq, accepted = Counter[str](), Counter[str](), list[tuple[str, Mutant]]()
    rest: list[tuple[Mutant, str]] = []
    while number := min(FILE, options.number - changes.total()):
        some = list(islice(drawn, number))
        answers = answered(compiler, [each.goal for each in some])
        changes.update(each.change for each in some)
        coq.update(answers)
        open_ = [each for each, word in zip(some, answers, strict=True) if word == LATE]
        again = [word for each in open_ for word in answered(compiler, [each.goal], LONGER)]
        rest += zip(open_, again, strict=True)
        rest += [(each, word) for each, word in zip(some, answers, strict=True) if word == NONE]
        yes = [("Coq", each) for each, word in zip(some, answers, strict=True) if word == "true"]
        yes += [("Coq", each) for each, word in zip(open_, again, strict=True) if word == "true"]
        yes += [("the kernel", each) for each in some if kernel_accepts(each.part)]
        accepted += yes
        print(*(described(*each) for each in yes), sep="\n", end="\n" * bool(yes))
        print(f"{changes.total():6} wrong certificates; Coq: {dict(coq)}", flush=True)
    print(*(f"{number:6} {change}" for change, number in sorted(changes.items())), sep="\n")
    print(*(difference(*each) for each in rest if each[1] != "true"), sep="\n", end="\n" * bool(rest))
    last = Counter(word for _, word in rest)
    late = f"{coq[LATE]} late, of which {last['false']} are refused in time for {LONGER} seconds"
    print(f"{changes.total():6} wrong certificates, {late}, {coq[NONE]} not read; accepted: {len(accepted) or 'none'}")
    return 1 if accepted or not changes else 0


if __name__ == "__main__":
    sys.exit(main())
