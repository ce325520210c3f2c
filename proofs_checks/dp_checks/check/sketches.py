"""Checkers for laws with a published choice of a hash function: rules for all sizes, under every family."""

from collections.abc import Iterator

from flint import fmpq

from dp_checks.check import sketch_programs
from dp_checks.check.candidate import EVERY, Candidate, finders
from dp_spec.vocabulary.scalar import at_most
from dp_spec.vocabulary.statement import Ratio
from dp_spec.vocabulary.table import ratio_maximum

ROOT = fmpq(2)
"""The value of the root of e^epsilon at which a counterexample is sought first."""
MOST = 8
"""Powers of the base that are tried."""


def ratio(statement: Ratio) -> Iterator[Candidate]:
    """A product of powers, unless the program breaks the bound under small families."""
    bound = ROOT ** int(statement.law.power.evaluate({}))
    for at in sketch_programs.instances(statement.law):
        worst = ratio_maximum(sketch_programs.program(statement.law, at, ROOT))
        if worst is not None and (worst.ratio is None or not at_most(worst.ratio, bound)):
            return
    for power in range(MOST + 1):
        data = {"rule": "product", "powers": {"ss": power}}
        yield Candidate("proved", "product of powers", f"{EVERY}, all sizes, all families", data)


FINDERS = finders({Ratio: ratio}, unit="sketches")
