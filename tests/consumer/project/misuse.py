"""Mistakes that only types can see: mypy must object to each line marked with "wrong"."""

from dp_refimpl.frequency.grr import GRR
from dp_spec.vocabulary.budget import Budget, rational_budget, real_budget
from dp_spec.vocabulary.items import ItemDomain

GRR(ItemDomain(("a", "b")), 0.5)  # wrong: a float is no budget
GRR(("a", "b"), rational_budget("ln(3)"))  # wrong: a tuple is no item domain
half: float = rational_budget("ln(3)").exp()  # wrong: an exact number is no float
same: Budget[int] = real_budget("0.5")  # wrong: another number field
GRR(ItemDomain(("a", "b")), rational_budget("ln(3)")).randomise("a")  # wrong: no such method
