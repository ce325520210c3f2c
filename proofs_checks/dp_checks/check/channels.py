"""Checkers for definitions and for implications between them: the pool of example channels, small channels."""

from collections.abc import Iterable, Iterator
from math import comb
from typing import Any

from dp_checks.check.channel_pool import families, mechanisms, pool
from dp_checks.check.proposals import Candidate, finders
from dp_checks.verdict import InternalDisagreementError
from dp_kernel.finite.channels import channels
from dp_kernel.finite.sentences import truth
from dp_kernel.meter import Rejected
from dp_spec.vocabulary.sentences import PREDICATES
from dp_spec.vocabulary.statement import Completions, Definition, Implies

Data = dict[str, Any]


def definition(statement: Definition) -> Iterator[Candidate]:
    """Families of small channels. Raises `InternalDisagreementError` where the forms disagree on an example."""
    tried = families(statement.forms[0])
    if all(examples(statement)):
        yield Candidate("verified", "channels", f"the forms agree on all {_number(tried)}", {"families": tried})


def examples(statement: Definition) -> tuple[list[Data], list[Data]]:
    """The examples that every form accepts, the richest first, and those that every form rejects.

    Raises `InternalDisagreementError` where the forms disagree on an example.
    """
    usable = [c for c in pool() if all(_applies(form, c) for form in statement.forms)]
    judged = [(c, {_holds(form, c) for form in statement.forms}) for c in usable]
    for c, verdicts in judged:
        if len(verdicts) > 1:
            raise InternalDisagreementError(f"the forms {statement.forms} disagree on {c}")
    good, bad = ([c for c, verdicts in judged if verdicts == {verdict}] for verdict in (True, False))
    return sorted(good, key=_shows, reverse=True), bad


def completions(statement: Completions) -> Iterator[Candidate]:
    """The first channel with the premises, mechanisms of the source before small ones by hand, that the two readings
    judge differently."""
    for c in _with_premises(statement, (*mechanisms(), *pool())):
        if len({_holds(name, c) for name in statement.readings.values()}) == 2:
            scope = f"they differ on a channel with K = {c['K']}, N = {c['N']}, e^eps = {c['e_eps']}"
            yield Candidate("ill_posed", "pair of completions", scope, {"channel": c})
            return


def implies(statement: Implies) -> Iterator[Candidate]:
    """The first example with the premises and without the conclusions; small channels."""
    for c in _with_premises(statement, pool()):
        if not all(_holds(p, c) for p in statement.conclusions):
            scope = f"K = {c['K']}, N = {c['N']}, sets of {c['m']}, e^eps = {c['e_eps']}"
            yield Candidate("refuted", "channel", scope, {"channel": c})
            return
    conclusion = statement.conclusions[-1]
    listed = families(conclusion if conclusion.startswith("eq11") else statement.premises[-1])
    tried = [f for f in listed if statement.inputs == "m-sets" or f["m"] == 1]
    yield Candidate("verified", "exhausted channels", f"all {_number(tried)}", {"families": tried})


def _with_premises(statement: Completions | Implies, tried: Iterable[Data]) -> Iterator[Data]:
    """Those on the stated inputs that have the premises."""
    for c in tried:
        stated = statement.inputs != "singletons" or c["m"] == 1
        if stated and all(_holds(p, c) for p in statement.premises):
            yield c


def _shows(c: Data) -> tuple[bool, int]:
    """Prefer an example that shows something: one with invertible data, if there is one."""
    return any(kept for _, kept in c["outputs"]), -len(c["outputs"])


def _applies(form: str, c: Data) -> bool:
    return not form.startswith("uldp") or c["m"] == 1


def _number(tried: list[Data]) -> str:
    """How many channels there are, in words."""
    number = sum(comb(f["parts"] + len(f["outputs"]) - 1, f["parts"]) ** comb(f["K"] + f["N"], f["m"]) for f in tried)
    return f"{number} channels of {len(tried)} families"


def _holds(predicate: str, c: Data) -> bool:
    try:
        return all(truth(PREDICATES[predicate], example, {}) for example in channels(c))
    except (LookupError, Rejected):
        return False


FINDERS = finders({Completions: completions, Definition: definition, Implies: implies})
