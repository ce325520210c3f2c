"""The decision: candidates of the checker for a statement's kind, accepted or rejected by the kernel."""

from collections.abc import Iterator
from typing import Any

from dp_checks.check import arcs, channels, errors, formulas, moments, ratios, reports, subsets
from dp_checks.check.candidate import Candidate
from dp_checks.check.ties import tie
from dp_checks.kernel.check import check
from dp_checks.kernel.rejected import Rejected
from dp_checks.verdict import Evidence, InternalDisagreementError, Outcome, Verdict
from dp_spec.vocabulary.claim import Formal, Unchecked
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.statement import (
    All,
    BernoulliSum,
    Compare,
    Completions,
    Computable,
    Definition,
    Exceeds,
    Formula,
    Implies,
    Independent,
    Invertible,
    InvertibleWithin,
    Mse,
    NoChannel,
    Padding,
    ProductForm,
    Ratio,
    SmallerOrder,
    Smallest,
    Statement,
    Unbiased,
    Unbounded,
    Unique,
    Vanishing,
)


def decide(formal: Formal, hint: str = "") -> Outcome:
    """The verdict on a formal statement: that of the first candidate whose evidence the kernel accepts.

    Checkers propose a counterexample first (they search the programs for one even where a proof is at hand), then
    proofs, then exhausted scopes. `hint` is the id under which proof hints are filed. Raises
    `InternalDisagreementError` when a law is not that of the program, or when the kernel rejects a counterexample
    found in the program.
    """
    if isinstance(formal, Unchecked):
        return Outcome("unchecked", Evidence("none", formal.reason))
    tied = _ties(formal)
    body = formal.json()
    for candidate in candidates(formal, hint):
        try:
            check(body, candidate.verdict, candidate.data)
        except (Rejected, ArithmeticError, LookupError, ValueError) as error:
            if candidate.verdict == "refuted":
                raise InternalDisagreementError(f"{hint}: the kernel rejects {candidate}: {error}") from error
        else:
            scope = f"{candidate.scope}; {tied}" if tied else candidate.scope
            return Outcome(candidate.verdict, Evidence(candidate.kind, scope, candidate.data))
    return Outcome("unchecked", Evidence("none", "no evidence was found that the kernel accepts"))


def candidates(statement: Statement, hint: str = "") -> Iterator[Candidate]:
    """What the checker for this kind of statement proposes."""
    for family in (arcs, errors, subsets):
        proposed = family.candidates(statement, hint)
        if proposed is not None:
            yield from proposed
            return
    match statement:
        case All():
            yield from _all(statement, hint)
        case Completions():
            yield from _completions(statement, hint)
        case Smallest():
            yield from ratios.smallest(statement)
        case Unbounded():
            yield from ratios.unbounded(statement)
        case Exceeds():
            yield from ratios.exceeds(statement)
        case Ratio():
            yield from ratios.ratio(statement)
        case Mse():
            yield from moments.mse(statement)
        case Unbiased():
            yield from moments.unbiased(statement)
        case BernoulliSum():
            yield from moments.bernoulli_sum(statement)
        case Compare():
            yield from moments.compare(statement)
        case SmallerOrder():
            yield from moments.smaller_order(statement)
        case Formula():
            yield from formulas.formula(statement, hint)
        case Vanishing():
            yield from formulas.vanishing(statement)
        case Independent():
            yield from formulas.independent(statement)
        case Invertible():
            yield from reports.invertible(statement)
        case InvertibleWithin():
            yield from reports.invertible_within(statement)
        case Computable():
            yield from reports.computable(statement)
        case ProductForm():
            yield from reports.product_form(statement)
        case Padding():
            yield from reports.padding(statement)
        case Definition():
            yield from channels.definition(statement)
        case Implies():
            yield from channels.implies(statement)
        case NoChannel():
            yield from channels.no_channel(statement)
        case Unique():
            yield from channels.unique(statement)
        case _:
            raise InternalDisagreementError(f"no checker for {type(statement).__name__}")


def _all(statement: All, hint: str) -> Iterator[Candidate]:
    outcomes = [decide(part, hint) for part in statement.parts]
    for index, outcome in enumerate(outcomes):
        if outcome.verdict == "refuted":
            data: dict[str, Any] = {"part": index, "evidence": outcome.evidence.data}
            yield Candidate("refuted", outcome.evidence.kind, f"part {index + 1}: {outcome.evidence.scope}", data)
            return
    verdicts = {outcome.verdict for outcome in outcomes}
    if verdicts <= {"proved", "verified"}:
        parts = [[outcome.verdict, outcome.evidence.data] for outcome in outcomes]
        kinds = ", ".join(dict.fromkeys(outcome.evidence.kind for outcome in outcomes))
        verdict: Verdict = "proved" if verdicts == {"proved"} else "verified"
        yield Candidate(verdict, kinds, f"all {len(outcomes)} parts", {"parts": parts})


def _completions(statement: Completions, hint: str) -> Iterator[Candidate]:
    outcomes = {name: decide(completion, hint) for name, completion in statement.completions.items()}
    data = {"completions": {n: {"verdict": o.verdict, "evidence": o.evidence.data} for n, o in outcomes.items()}}
    scope = "; ".join(f"{name}: {outcome.verdict}" for name, outcome in outcomes.items())
    yield Candidate("ill_posed", "pair of completions", scope, data)


def _ties(statement: Statement) -> str:
    """Tie every law of the statement to its program; what was compared, in words."""
    listed: set[tuple[Law, str]] = set()
    for part in (statement, getattr(statement, "left", None), getattr(statement, "right", None)):
        law, view = getattr(part, "law", None), getattr(part, "view", None)
        if isinstance(law, Law) and isinstance(view, str):
            listed.add((law, view))
    listed |= set(errors.laws(statement))
    tied = [(law.unit == "arcs", len(tie(law, view))) for law, view in sorted(listed, key=str) if law.base != "v"]
    number, instances = (sum(n for on_arcs, n in tied if on_arcs == arc) for arc in (False, True))
    words = [f"law = enumerated program at {number} sizes, every epsilon"] if number else []
    words += [f"density = enumerated program's at {instances} instances"] if instances else []
    return "; ".join(words)
