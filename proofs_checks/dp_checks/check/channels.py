"""Checkers for definitions and for implications between them: the pool of example channels, small channels."""

from collections.abc import Iterable, Iterator
from math import comb
from typing import Any

from dp_checks.check.candidate import Candidate, finders
from dp_checks.check.examples import families, mechanisms, pool
from dp_checks.kernel.channels import finite, holds
from dp_checks.kernel.rejected import Rejected
from dp_checks.verdict import InternalDisagreementError
from dp_spec.vocabulary.statement import Completions, Definition, Frequencies, Implies

Data = dict[str, Any]


def definition(statement: Definition) -> Iterator[Candidate]:
    """The richest example that every form accepts with the first that every form rejects; families of small channels.

    Raises `InternalDisagreementError` where the forms disagree on an example.
    """
    usable = [c for c in pool() if all(_applies(form, c) for form in statement.forms)]
    judged = [(c, {_holds(form, c) for form in statement.forms}) for c in usable]
    for c, verdicts in judged:
        if len(verdicts) > 1:
            raise InternalDisagreementError(f"the forms {statement.forms} disagree on {c}")
    good, bad = ([c for c, verdicts in judged if verdicts == {verdict}] for verdict in (True, False))
    tried = families(statement.forms[0])
    if good and bad:
        scope = f"one channel of each kind; the forms agree on all {_number(tried)}"
        data = {"satisfied": _richest(good), "violated": bad[0], "families": tried}
        yield Candidate("verified", "channels", scope, data)


def completions(statement: Completions) -> Iterator[Candidate]:
    """The first channel with the premises, mechanisms of the source before small ones by hand, that the two readings
    judge differently."""
    for c in _with_premises(statement, (*mechanisms(), *pool())):
        if len({_holds(name, c) for name in statement.readings.values()}) == 2:
            scope = f"they differ on a channel with K = {c['K']}, N = {c['N']}, e^eps = {c['e_eps']}"
            yield Candidate("ill_posed", "pair of completions", scope, {"channel": c})
            return


def frequencies(statement: Frequencies) -> Iterator[Candidate]:
    """All small data sets."""
    scope = "all data sets of at most 3 users, d <= 4"
    yield Candidate("verified", "exhausted data sets", scope, {"users": 3, "items": 4})


def implies(statement: Implies) -> Iterator[Candidate]:
    """The first example with the premises and without the conclusions; small channels."""
    for c in _with_premises(statement, pool()):
        if not all(_holds(p, c) for p in statement.conclusions):
            scope = f"K = {c['K']}, N = {c['N']}, sets of {len(c['inputs'][0])}, e^eps = {c['e_eps']}"
            yield Candidate("refuted", "channel", scope, {"channel": c})
            return
    told = statement.conclusions[-1]
    listed = families(told if told.startswith("eq11") else statement.premises[-1])
    tried = [f for f in listed if statement.inputs == "m-sets" or f["m"] == 1]
    yield Candidate("verified", "exhausted channels", f"all {_number(tried)}", {"families": tried})


def _with_premises(statement: Completions | Implies, tried: Iterable[Data]) -> Iterator[Data]:
    """Those on all sets of one size that have the premises."""
    for c in tried:
        sizes = {len(s) for s in c["inputs"]}
        stated = len(sizes) == 1 and (statement.inputs != "singletons" or sizes == {1}) and _complete(c)
        if stated and all(_holds(p, c) for p in statement.premises):
            yield c


def _richest(channels: list[Data]) -> Data:
    """Prefer an example that shows something: one with invertible data, if there is one."""
    return max(channels, key=lambda c: (any(kept for _, kept in c["outputs"]), -len(c["outputs"])))


def _applies(form: str, c: Data) -> bool:
    if form.startswith("uldp"):
        return all(len(s) == 1 for s in c["inputs"])
    return True


def _number(tried: list[Data]) -> str:
    """How many channels there are, in words."""
    number = sum(comb(f["parts"] + len(f["outputs"]) - 1, f["parts"]) ** comb(f["K"] + f["N"], f["m"]) for f in tried)
    return f"{number} channels of {len(tried)} families"


def _complete(c: Data) -> bool:
    return len(c["inputs"]) == comb(c["K"] + c["N"], len(c["inputs"][0]))


def _holds(predicate: str, c: Data) -> bool:
    try:
        return holds(predicate, finite(c))
    except Rejected:
        return False


FINDERS = finders({Completions: completions, Definition: definition, Frequencies: frequencies, Implies: implies})
