"""Judgements about which outputs are possible: shown items, ratios without a bound."""

from typing import Any

from dp_checks.kernel import fields, interval
from dp_checks.kernel.fields import Kind
from dp_checks.kernel.laws import is_plain, shape
from dp_checks.kernel.moments import shown_if_held
from dp_checks.kernel.polynomial import Ratio, is_nonnegative, lift
from dp_checks.kernel.rejected import require
from dp_checks.kernel.sizes import Counts, implied, ranges_of, require_witness, variables
from dp_checks.kernel.terms import evaluate, require_defined


def invertible(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: (9) and (10): x in X_non is emitted with probability > 0 if x in s, never otherwise."""
    law, values, ranges = statement["law"], variables(statement["law"]), ranges_of(statement["law"])
    require(not is_plain(law["term"]) and law["term"][0] == "push", "the law shows no items")
    chance = _shown(law)
    if "probability" in statement:
        require_defined(statement["probability"], values, ranges)
        require(lift(evaluate(statement["probability"], values)) == chance, "x is emitted with another probability")


def _shown(law: Any) -> Ratio:
    """The chance that a held item is shown, which is positive."""
    chance = shown_if_held(law["term"], variables(law))
    require(is_nonnegative(chance, ranges_of(law), strictly=True), "an item is not shown with positive probability")
    return chance


def unbounded(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: at all sizes of the domain, for all eps > 0, no constant bounds the compared ratios (marginal laws).

    s holds an item that s' does not, and may show all of its items. With s' not even y0 can be the same: `whole` tells
    which items are shown; `multiset` how many (m - |y0|), so that s' holds fewer; `one` whether there is one, and s'
    holds none; `set` whether all m were (y0 empty), and s holds no others.
    """
    if evidence.get("rule") == "emitted":
        interval.require_unbounded(statement)
        return
    law, nonempty = statement["law"], statement["counted"] == "nonempty"
    require(statement["relation"] == "marginal" and statement["sizes"] == "exactm", "no such rule")
    name, of = law["term"][1:]
    require(name in ("whole", "multiset") or (name in ("one", "set") and not nonempty), "no such rule")
    require(name != "multiset" or of[:2] == ["each", "held"], "a result for every item")
    require(shape(law["term"]) != "padded slots", "slots of shown items are filled")
    _shown(law)

    def reached(count: Counts, where: tuple[Any, ...], _: Any) -> None:
        sensitive, common = count["ss"] + count["sn"] + count["g"], count["nn"] + count["h"]
        require(implied(count["ns"] - 1, where), "s' holds what s shows")
        require(name == "whole" or count["sn"] == 0, "s' can show as many")
        require(name != "one" or common == 0, "s' may show an item")
        require(name != "set" or sensitive == 0, "s shows less")
        require(not nonempty or implied(sensitive - 1, where), "y0 may be empty")

    require_witness(statement, evidence["cases"], reached)


KINDS = {
    "invertible": Kind(invertible, fields.EXACT | {"probability?": fields.tree}, proved="rule=support"),
    "unbounded": Kind(unbounded, fields.COMPARED, proved="cases | rule=emitted", also=fields.compared),
}
