"""How quantified domains are written: variables, ranges and constraints."""

from dp_checks.report.notation import latex
from dp_spec.vocabulary.statement import Domain, Range
from dp_spec.vocabulary.term import Term, var


def domain(about: Domain) -> str:
    """ ", for all ..."": variables, ranges and constraints of a formula."""
    ranges = [_range(name, bounds) for name, bounds in about.variables.items()]
    constraints = [constraint(c) for c in about.constraints]
    return ", for all " + ", ".join([*ranges, *constraints]) if ranges or constraints else ""


def _range(name: str, bounds: Range) -> str:
    symbol = latex(var(name))
    if bounds.unit:
        return f"$0<{symbol}<1$"
    kind = r"\text{ integer}" if bounds.integer else ""
    relation = ">" if bounds.strict else r"\ge "
    return f"${symbol}{relation}{bounds.min}{kind}$"


def constraint(needed: Term) -> str:
    """A constraint (needed >= 0) within a line."""
    if needed == 1 - var("m"):
        return "$m=1$"
    return rf"${latex(needed)}\ge 0$"
