"""(9) and (10) of source 002: a non-sensitive item is emitted with positive probability if it is held, and never
otherwise."""

from dp_spec.vocabulary.error_statements import formula
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.ranges import ABOVE_ONE, UNIT
from dp_spec.vocabulary.statement import Chance, Domain, Range, Statement, View
from dp_spec.vocabulary.term import Term, term


def emission(law: Law, view: View, probability: Term, where: tuple[Term, ...] = ()) -> tuple[Statement, ...]:
    """A held item is emitted with the probability, another one with probability 0; the probability is positive."""
    ranges = {name: Range(int(name != "N"), integer=True) for name in ("m", "K", "N")}
    ranges |= {law.base: ABOVE_ONE, **dict.fromkeys(law.parameters, UNIT)}
    return (
        Chance(law, view, "nonsensitive", "held", probability, where=where),
        Chance(law, view, "nonsensitive", "other", term(0), where=where),
        formula(Domain(ranges).restricted({*probability.variables()}), ("lt", term(0), probability)),
    )
