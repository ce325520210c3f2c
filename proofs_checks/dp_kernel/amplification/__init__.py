"""Cards that certificates of `dp-refimpl amplify` may name, and no verdict of the ledger rests on; and by which word of
the evidence each is named."""

from fractions import Fraction
from typing import Any

from dp_kernel.amplification import broken_lines, separate_labels, third_values, two_labels
from dp_kernel.cards.blanket import Hint, Shuffled
from dp_kernel.meter import Rejected, require
from dp_kernel.numbers.json_numbers import integer

ABOVE = ("broken line", "two labels")


def above(by: str, term: Any, s: Shuffled, hint: Hint) -> Fraction:
    """An upper bound of delta for every data set."""
    if by == "broken line":
        return broken_lines.broken_line(s, hint)
    require(by == "two labels" and term is not None and term[0] in ("row", "drawn"), "not all data sets of two labels")
    return two_labels.of_two_labels(s, hint)


def below(evidence: Any, s: Shuffled, hint: Hint) -> Fraction:
    """A lower bound of delta, which a data set shows."""
    match evidence["by"]:
        case "separate labels":
            return separate_labels.separate_labels(s, hint)
        case "beside messages":
            return third_values.beside_messages(s, hint)
        case "one label":
            return two_labels.with_ones(s, integer(evidence["data"][0]), hint)[0]
    raise Rejected("no rule of this name, or no such data set")
