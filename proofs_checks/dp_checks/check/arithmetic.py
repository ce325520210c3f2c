"""Checker for sentences about numbers, lists and logarithms: values of the integers in the declared order, by their
sum; a first case that fails there, at some values of the other variables, or all cases at all of them."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import product
from typing import Any

from flint import fmpq

from dp_checks.certificate import json_value
from dp_checks.check.proposals import Candidate, Finder, text
from dp_checks.hints import CASES, LISTED
from dp_checks.registry import Key, keyed
from dp_kernel.finite.models import model_at
from dp_kernel.finite.sentences import cases, truth
from dp_kernel.meter import DEFAULT, OutOfWorkError, Rejected, limited
from dp_spec.vocabulary.arithmetic import Arithmetic
from dp_spec.vocabulary.statement import Range

Json = dict[str, Any]

UNITS = 400_000
"""What instances after the first may cost together where no hint lists them."""
HIGHEST = 12
"""How far above their least values integers are tried together."""
REALS = (fmpq(2), fmpq(3, 2), fmpq(5), fmpq(1, 2), fmpq(1, 4), fmpq(3, 4))
"""Values of other variables at which counterexamples are sought."""


def arithmetic(statement: Arithmetic, hint: str) -> Iterator[Candidate]:
    """A first case in which the sentence is false, or the listed instances, at which it is true."""
    if hint in CASES:
        yield Candidate("refuted", "witness", _in_words([CASES[hint]["instance"]], {}), CASES[hint])
        return
    body, instances = json_value(statement.json()), list[Json]()
    variables = statement.domain.variables
    if listed := [dict(at) for at in LISTED.get(hint, ()) if _is_inside(body, at)]:
        yield _at_all(listed, variables)  # mostly accepted: then nothing is false there
    left = UNITS
    for at in LISTED.get(hint) or _instances(variables):
        if not _is_inside(body, at):
            continue
        try:
            with limited(left if instances and hint not in LISTED else DEFAULT) as meter:
                false = _false_case(body, dict(at))
        except OutOfWorkError:
            break
        except Rejected:  # without a meaning there: it is not verified at what is left
            return
        left -= meter.spent
        if false is not None:
            if false:
                yield Candidate("refuted", "witness", _in_words([false["instance"]], {}), false)
            return
        instances.append(dict(at))
    if instances and instances != listed:
        yield _at_all(instances, variables)


def _at_all(instances: list[Json], variables: Mapping[str, Range]) -> Candidate:
    """The proposal that all cases are true at these values of the integers."""
    return Candidate("verified", "exhausted scope", _in_words(instances, variables), {"instances": instances})


def _is_inside(body: Json, at: Mapping[str, int]) -> bool:
    """Whether the integers lie in the domain (of this part, where hints are those of several)."""
    try:
        model_at(body, at)
    except Rejected:
        return False
    return True


def _false_case(body: Json, at: Json) -> Json | None:
    """A case that is shown to be false at numbers; an empty one if one is shown to be neither; None if all are true."""
    model = model_at(body, at)
    for case, said in cases(body["sentence"], model, {}):
        if truth(said, model, case):
            continue
        free = [name for name in body["domain"]["variables"] if name not in at]
        for values in product(REALS, repeat=len(free)):
            point = {**at, **{name: text(x) for name, x in zip(free, values, strict=True)}}
            with suppress(Rejected):
                there = model_at(body, point)
                for _, sentence in cases(body["sentence"], there, {}, case):
                    if truth(sentence, there, case) is False:
                        return {"instance": point, "case": _case_json(case)}
        return {}
    return None


def _case_json(case: Any) -> Any:
    """A case as certificates write it: integers, and lists of them."""
    if isinstance(case, Mapping):
        return {name: _case_json(x) for name, x in case.items()}
    return [_case_json(x) for x in case] if isinstance(case, tuple) else int(case)


def _instances(variables: Mapping[str, Range]) -> Iterator[Json]:
    """Values of the integers, those with the smallest sum first."""
    whole = {name: x.min + x.strict for name, x in variables.items() if x.integer}
    for above in range(HIGHEST + 1) if whole else [0]:
        for steps in product(range(above + 1), repeat=len(whole)):
            if sum(steps) == above:
                yield {name: low + step for (name, low), step in zip(whole.items(), steps, strict=True)}


def _in_words(listed: list[Json], variables: Mapping[str, Range]) -> str:
    names, free = list(listed[0]), [name for name, x in variables.items() if not x.integer]
    every = [f"every {', '.join(free)}"] if free else []
    points = [", ".join(str(at[name]) for name in names) for at in listed]
    if len(names) == 1:
        return "; ".join([f"{names[0]} = {', '.join(points)}", *every])
    where = [f"({', '.join(names)}) in {', '.join(f'({point})' for point in points)}"] if names else []
    return "; ".join([*where, *every]) or "all cases"


FINDERS: dict[Key, Finder] = keyed({Arithmetic: arithmetic})
