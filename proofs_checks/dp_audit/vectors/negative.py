"""What a wrong implementation does, under the name of its bug, with the checks it fails - computed, not typed."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from flint import fmpq

from dp_audit.exact_numbers import absolute
from dp_audit.judge.law import Laws, law_rows
from dp_audit.observation.values import thaw
from dp_audit.oracles import Oracle, oracle
from dp_audit.outcome import TOLERANCE, Verdict
from dp_audit.vectors.bugs import HASH, ONE, Bug, K
from dp_audit.vectors.positive import law, numbers, outputs, shown
from dp_audit.vectors.table_bugs import PARAMETERS as ON_TABLES
from dp_refimpl.enumeration import output_law
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import Ordering, compare

D = 4
BUDGET = "ln(4)"
E = fmpq(4)
"""e^epsilon of all negative vectors: its root is rational, too."""
FURTHER: Mapping[str, Mapping[str, object]] = {"SS": {"k": K}, "LH": {"g": 2, "hash": HASH}}
"""The parameters that only some mechanisms have."""


def case(bug: Bug) -> dict[str, Any]:
    """Return the negative vector of a bug. Raises `DomainError` if no check fails: then it is no bug."""
    of_mechanism = {"d": D, "epsilon": BUDGET, **FURTHER.get(bug.mechanism, {})}
    parameters = ON_TABLES.get(f"{bug.mechanism}-{bug.name}", ON_TABLES.get(bug.mechanism, of_mechanism))
    reference = oracle(bug.mechanism, parameters)
    vector: dict[str, Any] = {
        "id": f"{bug.mechanism}-{bug.name}",
        "result": "invalid",
        "bug": bug.name,
        "says": bug.says,
        "flags": list(bug.flags),
        "parameters": shown(bug.mechanism, parameters),
    }
    vector |= _wrong_law(bug, reference) if bug.randomize is not None else _wrong_estimates(bug, reference)
    if not vector["fails"]:
        raise DomainError("bug", bug.name, "a program that fails a check")
    return vector


def _wrong_law(bug: Bug, reference: Oracle) -> dict[str, Any]:
    randomize = bug.randomize
    assert randomize is not None
    budget = reference.privacy()
    assert isinstance(budget, fmpq)
    laws: Laws = {x: output_law(partial(randomize, x, D, budget), ONE) for x in range(len(reference.inputs))}
    failed = [row.check for row in law_rows(laws, reference) if row.verdict in (Verdict.FAULT, Verdict.WARNING)]
    return {"law": law(reference.inputs, laws.__getitem__), "fails": failed}


def _wrong_estimates(bug: Bug, reference: Oracle) -> dict[str, Any]:
    assert bug.estimate is not None
    shown_estimates, failed = [], False
    for first in outputs(reference):
        for reports in ((first,), (first, outputs(reference)[-1])):
            ours, theirs = reference.estimate(reports), bug.estimate(reports, D, E)
            assert ours is not None
            differ = [
                compare(absolute(a - b), TOLERANCE) is Ordering.GREATER for a, b in zip(ours, theirs, strict=True)
            ]
            failed = failed or any(differ)
            shown_estimates.append(
                {"reports": [thaw(y) for y in reports], "estimates": numbers(partial(tuple, theirs))}
            )
    return {"estimates": shown_estimates, "fails": ["estimator"] if failed else []}
