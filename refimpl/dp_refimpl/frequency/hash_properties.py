"""What holds of families of hash functions to labels, computed exactly from their laws (source 004).

Everything is an enumeration of the law, which is checked to be one, also that of a family from elsewhere. All functions
raise `DomainError` for what is no `LabelFamily`, and as `LabelFamily.law`.
"""

from flint import fmpq

from dp_refimpl.frequency.finite_families import independence_of
from dp_refimpl.frequency.hash_families import ExplicitFamily, LabelFamily, LabelFunction, PublicFunctions
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item


def collision_probability(family: LabelFamily, x: Item, y: Item) -> fmpq:
    """The chance that two items share a label; 1 for an item and itself. Raises `DomainError` for unknown items."""
    return _collisions(_written_out(family), x, y)


def independence(family: LabelFamily) -> int:
    """The largest k such that the labels of every k different items are independent and uniform."""
    law = _written_out(family)
    return independence_of(_rows(law), law.labels)


def separates(functions: tuple[LabelFunction, ...]) -> bool:
    """Whether some function gives different labels to some two items. Raises `DomainError` as `PublicFunctions`."""
    return any(len(set(h.values)) > 1 for h in PublicFunctions(functions).functions)


def _written_out(family: LabelFamily) -> ExplicitFamily:
    """The law of a family, checked to be one. Raises `NotStochasticError` if it is not."""
    if not isinstance(family, LabelFamily):
        raise DomainError("family", family, "a LabelFamily")
    law = family.law()
    return ExplicitFamily(tuple(law), tuple(law.values()))


def _rows(law: ExplicitFamily) -> list[tuple[tuple[int, ...], fmpq]]:
    return [(h.values, weight) for h, weight in law.law().items()]


def _collisions(law: ExplicitFamily, x: Item, y: Item) -> fmpq:
    shared = [weight for h, weight in law.law().items() if h(x) == h(y)]
    return sum(shared, fmpq(0))
