"""Statements about laws on subsets (PrivSet): the table, its privacy, its estimator."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from dp_checks.kernel import subset_errors
from dp_checks.kernel.defined import is_nonzero
from dp_checks.kernel.exact import integer
from dp_checks.kernel.polynomial import lift
from dp_checks.kernel.rejected import require
from dp_checks.kernel.subset_counts import number_at, read, rows, sizes, symbolic, value
from dp_checks.kernel.terms import evaluate

INSTANCE = ("d", "m", "k", "w")


def law(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: the table is a law, and `held`, `other` are the chances that a held, another item is in the report."""
    if verdict == "refuted":
        require(not _is_law(statement, evidence["instance"]), "the table is as stated at the witness")
        return
    require(verdict == "proved" and evidence == {"lemma": "counting"}, "unknown evidence")
    found = symbolic(statement["table"])
    for name, chance in (("held", found.held), ("other", found.other)):
        require(value(statement[name], found.values, found.ranges) == chance, f"not the chance of a {name} item")


def ratio(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: epsilon-LDP. Every report has one of two probabilities, `hit` = w `miss`, under every set."""
    if verdict == "refuted":
        worst, w = _largest(statement, evidence["instance"])
        require(worst is None or worst > w, "no ratio is larger than e^epsilon at the witness")
        return
    require(verdict == "proved" and evidence == {"lemma": "two probabilities"}, "unknown evidence")
    _require_factor(statement)


def smallest(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: the smallest constant is `constant`. Proved for w, if `hit` = w `miss`.

    Reached: some report o meets one user's set and misses another's. Plain: s' any m items, o any k <= d - m of the
    others (k >= 1), s any m items with one of o. Padded: s' no items, so that it is completed to the m dummies, o any
    k <= d items, s an item of o, completed.
    """
    if verdict == "refuted":
        at = evidence["instance"]
        worst, _ = _largest(statement, at)
        require(worst != evaluate(statement["constant"], _values(statement, at)), "the constant is right there")
        return
    require(verdict == "proved" and evidence == {"lemma": "two probabilities"}, "unknown evidence")
    _require_factor(statement)
    found = symbolic(statement["table"])
    constant = value(statement["constant"], found.values, found.ranges)
    require(constant == found.values["w"], "the lemma's constant is e^epsilon")


def unbiased(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: the estimator is unbiased. A user adds 1 to F_x with chance P if x is held, with chance Q if not."""
    if verdict == "refuted":
        require(_is_biased(statement, evidence["instance"]), "the estimator is unbiased at the witness")
        return
    require(verdict == "proved" and evidence == {"lemma": "counting"}, "unknown evidence")
    found = symbolic(statement["table"])
    slope, offset = (value(statement["estimator"][name], found.values, found.ranges) for name in ("slope", "offset"))
    require(is_nonzero(read(statement["estimator"]["slope"]), found.values, found.ranges), "a slope of 0 is possible")
    require(found.held - offset == slope and found.other == offset, "the expectation is not f_x")


CHECKS: dict[str, Callable[[Any, str, Any], None]] = {
    "subsets-law": law,
    "subsets-ratio": ratio,
    "subsets-smallest": smallest,
    "subsets-unbiased": unbiased,
    **subset_errors.CHECKS,
}


def _require_factor(statement: Any) -> None:
    found = symbolic(statement["table"])
    require(found.hit == lift(found.values["w"]) * found.miss, "the two probabilities do not differ by e^epsilon")


# --- one size -----------------------------------------------------------------------------------------------------


def _values(statement: Any, at: Any) -> dict[str, Fraction]:
    _, outputs, m = sizes(statement["table"], at, INSTANCE)
    k = integer(at["k"], 1, outputs - m)
    return {"D": Fraction(outputs), "m": Fraction(m), "k": Fraction(k), "w": number_at(at, "w")}


def _rows(statement: Any, at: Any) -> list[tuple[Any, dict[Any, Any]]]:
    table, values = statement["table"], _values(statement, at)
    hit, miss = (evaluate(table[name], values) for name in ("hit", "miss"))
    return list(rows(table["reading"], at["d"], at["m"], at["k"], hit, miss))


def _is_law(statement: Any, at: Any) -> bool:
    stated = {name: evaluate(statement[name], _values(statement, at)) for name in ("held", "other")}
    for s, row in _rows(statement, at):
        if sum(row.values()) != 1 or min(row.values()) < 0:
            return False
        for x in range(at["d"]):
            if sum(p for o, p in row.items() if x in o) != stated["held" if x in s else "other"]:
                return False
    return True


def _largest(statement: Any, at: Any) -> tuple[Fraction | None, Fraction]:
    """The largest ratio (None: unbounded) and w."""
    worst, listed = Fraction(0), _rows(statement, at)
    for s, row in listed:
        for other, beside in listed:
            for o, p in row.items() if s != other else ():
                if p and not beside[o]:
                    return None, number_at(at, "w")
                worst = max(worst, p / beside[o]) if p else worst
    require(worst > 0, "nothing is compared there")
    return worst, number_at(at, "w")


def _is_biased(statement: Any, at: Any) -> bool:
    values = _values(statement, at)
    slope, offset = (evaluate(statement["estimator"][name], values) for name in ("slope", "offset"))
    return any(
        (sum(p for o, p in row.items() if x in o) - offset) / slope != (x in s)
        for s, row in _rows(statement, at)
        for x in range(at["d"])
    )
