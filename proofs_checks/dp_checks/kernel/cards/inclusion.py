"""Card *inclusion*. The chance that an item is in a uniformly drawn set.

**Premises.** `sampled`: of a set s with |s| > m items a uniformly drawn subset of m is kept. `filled`: to a set s with
|s| < m items m - |s| uniformly drawn ones of the d - |s| others are added.

**Conclusion.** An item x is in the result with probability min(1, m / |s|) [x in s]; with probability [x in s] +
(1 - [x in s]) (m - |s|) / (d - |s|).

**Proof.** Of the binom(a, b) subsets of b of a items binom(a - 1, b - 1) = binom(a, b) b / a contain a given one: count
the pairs of a subset and one of its elements in two ways. Items of s stay in a set that is filled up; x outside s is
never in a set that is sampled.

**Source.** Elementary. **Refuter.** `tests/checks/kernel/test_cards.py` draws all subsets.
"""

from fractions import Fraction
from typing import Any

from dp_checks.kernel import fields
from dp_checks.kernel.exact import integer, items
from dp_checks.kernel.fields import Kind
from dp_checks.kernel.laws import sets_of
from dp_checks.kernel.moments import mean_and_variance, ranges_for
from dp_checks.kernel.polynomial import variable
from dp_checks.kernel.rejected import require
from dp_checks.kernel.sizes import fits, point_values
from dp_checks.kernel.terms import evaluate
from dp_checks.kernel.work import applied

_ADDED = ["div", ["mul", ["sub", 1, "held"], ["sub", "m", "size"]], ["sub", ["add", "K", "N"], "size"]]
INCLUDED: dict[str, Any] = {
    "sampled": ["mul", ["min", 1, ["div", "m", "size"]], "held"],
    "filled": ["add", "held", _ADDED],
}
"""The chances, as expressions of m, K, N, size = |s| and held = [x in s]."""


def padding(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: a user's expected estimate of f_x, after s was brought to m items, is `mean` (in those variables).

    Given the reported m-set the estimate has mean [x in it] (it is unbiased for every data set of m-sets), so its mean
    is the chance that x is in it. Refuted by a user with another one.
    """
    law, term = statement["law"], statement["law"]["term"]
    require(term[0] in INCLUDED and not statement["where"], "sets that are sampled or filled up")
    applied("inclusion")
    for item, estimator in zip(("sensitive", "nonsensitive"), statement["estimator"], strict=True):
        spec = {"law": {**law, "term": term[1]}, "item": item, "estimator": estimator, "where": []}
        require(mean_and_variance(spec, ranges_for(spec))[0] == variable("f"), "the expectation is not f_x")
    if verdict == "proved":
        require(statement["mean"] == INCLUDED[term[0]], "another chance than that of the draw")
        return
    at, s, x = evidence["instance"], items(evidence["s"]), integer(evidence["item"], 0)
    require(fits(statement, at), "the instance lies outside the domain")
    require(s in sets_of([len(s)], at["K"], at["N"]) and x < at["K"] + at["N"], "unknown items")
    require(len(s) != at["m"] and (len(s) > at["m"]) == (term[0] == "sampled"), "a set of another size")
    user = point_values(law, at) | {"size": Fraction(len(s)), "held": Fraction(x in s)}
    require(evaluate(statement["mean"], user) != evaluate(INCLUDED[term[0]], user), "the mean is right at the witness")


_ESTIMATED = {"estimator": fields.row_of(fields.estimator, fields.estimator), "mean": fields.tree}
KINDS = {
    "padding": Kind(padding, fields.EXACT | _ESTIMATED, proved="rule=inclusion", refuted="instance s item"),
}
