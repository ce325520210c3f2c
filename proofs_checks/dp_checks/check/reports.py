"""Checkers for what reports show: invertible data, counts, products, padding, costs, equal laws.

One search: over instances in the declared order and the cases that the kernel lists there.
"""

from collections.abc import Iterator
from dataclasses import replace

from flint import fmpq

from dp_checks.certificate import json_value
from dp_checks.check.places import Place, arc_length, places, witness
from dp_checks.check.proposals import ROOTS, Candidate, at_sizes, finders, sizes_of, text
from dp_kernel.finite.models import model_at
from dp_kernel.finite.sentences import cases, truth
from dp_spec.vocabulary.error_statements import Cost, SameLaw
from dp_spec.vocabulary.statement import BernoulliSum, Computable, Frequencies, Padding, ProductForm
from dp_spec.vocabulary.term import Term, var

Listed = BernoulliSum | Computable | Frequencies | Padding | ProductForm
_MORE: tuple[Term, ...] = (var("K") + var("N") - 1 - var("m"),)
"""More items than a set has."""


def by_cases(statement: Listed) -> Iterator[Candidate]:
    """A first case in which the sentence is false, in the declared order; all cases at listed sizes."""
    body = json_value(statement.json())
    for place in places(statement, body):
        model = model_at(body, place.at)
        for case, said in cases(body["sentence"], model, {}):
            if truth(said, model, case) is False:
                yield witness(statement, place, {"case": dict(case)})
                return
    yield at_sizes(statement.law, *_scope(statement))


def _scope(statement: Listed) -> tuple[tuple[Term, ...], int]:
    """Constraints on the sizes at which all cases are shown, and how many items there are at most."""
    match statement:
        case ProductForm():
            return _MORE, 3
        case Padding():
            return _MORE if statement.law.brought == ("sampled",) else (), 4
    return statement.where, 4


def cost(statement: Cost) -> Iterator[Candidate]:
    """Reports on a grid of hash values, which stand for a continuum, that are too many; the reports at listed sizes."""
    if statement.law.unit == "arcs":
        sizes = next(sizes_of(statement.law, statement.where))
        at = {**sizes.json(), statement.law.base: text(ROOTS[0])}
        fine = 2 * int((1 / arc_length(statement.law, sizes, ROOTS[0])).p)
        grid = [[[text(fmpq(i, fine))], text(fmpq(1, fine))] for i in range(fine)]
        yield replace(witness(statement, Place(at | {"hashes": grid}), {"case": {}}), kind="continuum")
    else:
        yield at_sizes(statement.law, statement.where)


def same_law(statement: SameLaw) -> Iterator[Candidate]:
    """The two laws at listed sizes; on arcs at listed budgets, too, and under listed hash functions."""
    if statement.law.unit != "arcs":
        yield at_sizes(statement.law, statement.where)
        return
    body = json_value(statement.json())
    instances = [place.at | {"hashes": place.hashes} for place in places(statement, body, 2)]
    budgets = sorted({at[statement.law.base] for at in instances})
    scope = f"{len(instances)} instances with at most 2 items, {statement.law.base} in {', '.join(budgets)}"
    yield Candidate("verified", "exhausted scope", scope, {"instances": instances})


_BY_CASES = (BernoulliSum, Computable, Frequencies, Padding, ProductForm)
FINDERS = finders({Cost: cost, SameLaw: same_law, **dict.fromkeys(_BY_CASES, by_cases)})
