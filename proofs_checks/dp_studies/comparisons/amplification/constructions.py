"""Ways to bound delta from above for every data set, and from below by one that is named."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dp_checks.check import divergence_windows
from dp_checks.check.two_labels import every_data_set, of_few
from dp_kernel.cards.blanket import Shuffled
from dp_kernel.meter import DEFAULT
from dp_studies.comparisons.amplification.query import Setting

MANY = 4_096
"""Labels of the randomized response that shows what some randomizer does."""


Evidence = Callable[[Shuffled, Fraction, int], dict[str, Any]]


@dataclass(frozen=True)
class Construction:
    """A bound in words; whether it is an upper one; the evidence for a setting, a delta and a number of pieces; the
    labels of the randomizer where any is allowed; what the bound is compared at in a search, if not itself: less work,
    and never more than the bound."""

    words: str
    high: bool
    evidence: Evidence
    labels: int = 2
    probe: Callable[[Shuffled, dict[str, Any]], Fraction] | None = None


def wide(instance: Callable[[Shuffled, Fraction, int, float], dict[str, Any]]) -> Evidence:
    """Evidence in windows as wide as the tails of few messages are long."""
    return lambda s, delta, pieces: instance(s, delta, pieces, divergence_windows.tail_excess(s, delta))


def uppers(setting: Setting, work: int = DEFAULT) -> list[Construction]:
    """Bounds for all data sets, in about so much work."""
    constructions = [
        Construction("the privacy blanket, for every data set", True, wide(divergence_windows.broken_line))
    ]
    if setting.mechanism == "krr" and setting.labels == 2:
        words = "the data sets of two labels, block by block"
        constructions.append(
            Construction(words, True, lambda s, delta, _: every_data_set(s, delta, work // 3), probe=of_few)
        )
    return constructions


def lowers(setting: Setting) -> list[Construction]:
    """Data sets that show something."""
    others = setting.users - 1
    of_any = "randomized response on 2 labels; " if setting.mechanism == "ldp" else ""

    def held(ones: int) -> Construction:
        beside = f"{others - ones} others hold 0 and {ones} hold 1" if ones else "all others hold 0"
        words = f"{of_any}one user holds 0 or 1, {beside}"

        def told(s: Shuffled, delta: Fraction, _: int) -> dict[str, Any]:
            excess = divergence_windows.tail_excess(s, delta)
            return divergence_windows.one_label(delta, min(ones, s.users - 1), excess)

        return Construction(words, False, told)

    if setting.mechanism == "dump" and setting.labels > 2:
        return [Construction("one user holds 0 or 1, whatever others hold", False, wide(divergence_windows.third))]
    third = "one user holds 0 or 1, all others hold 2"
    if setting.labels > 2:
        public = "; one public function maps the three to three labels" if setting.mechanism == "olh" else ""
        return [Construction(third + public, False, wide(divergence_windows.third)), held(0)]
    listed = [held(ones) for ones in divergence_windows.numbers_of_ones(setting.users)]
    if setting.mechanism == "ldp":
        many = f"randomized response on {MANY} labels; {third}"
        listed.append(
            Construction(many, False, lambda s, d, p: wide(divergence_windows.third)(s, d, p) | {"data": [MANY]}, MANY)
        )
    return listed
