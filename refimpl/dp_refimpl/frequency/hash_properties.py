"""What holds of families of hash functions to labels, computed exactly from their laws (source 004).

Everything is an enumeration of the law, which is checked to be one, also that of a family from elsewhere. All functions
raise `DomainError` for what is no `LabelFamily`, and as `LabelFamily.law`.
"""

from itertools import combinations

from flint import fmpq

from dp_refimpl.frequency.finite_families import independence_of, independent
from dp_refimpl.frequency.hash_families import ExplicitFamily, LabelFamily, LabelFunction, PublicFunctions
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item


def collision_probability(family: LabelFamily, x: Item, y: Item) -> fmpq:
    """The chance that two items share a label; 1 for an item and itself. Raises `DomainError` for unknown items."""
    return _collisions(_written_out(family), x, y)


def joint_collisions(family: LabelFamily, x: Item) -> tuple[tuple[fmpq, ...], tuple[tuple[fmpq, ...], ...]]:
    """The chances that an item shares the label of x, and that two items both do; items in the order of the family.

    What variances over the draw of functions need of a family (`dp_spec.frequency.collisions.Shared`). Raises
    `DomainError` for an unknown item.
    """
    law = _written_out(family)
    shared = [(weight, [h(y) == h(x) for y in law.items]) for h, weight in law.law().items()]
    items = range(len(law.items))
    triples = [[sum((w for w, hit in shared if hit[i] and hit[j]), fmpq(0)) for j in items] for i in items]
    return tuple(triples[i][i] for i in items), tuple(map(tuple, triples))


def same_collision_probability(family: LabelFamily) -> fmpq | None:
    """The chance that two different items share a label, if it is the same for all of them; None otherwise.

    Raises `DomainError` for a family of fewer than two items.
    """
    law = _written_out(family)
    if len(law.items) < 2:
        raise DomainError("items", law.items, "at least two items, or no two are different")
    pairs = combinations(law.items, 2)
    first = _collisions(law, *next(pairs))
    return first if all(_collisions(law, x, y) == first for x, y in pairs) else None


def is_uniform(family: LabelFamily) -> bool:
    """Whether the label of every item is uniform."""
    law = _written_out(family)
    return independent(_rows(law), law.labels, 1)


def independence(family: LabelFamily) -> int:
    """The largest k such that the labels of every k different items are independent and uniform."""
    law = _written_out(family)
    return independence_of(_rows(law), law.labels)


def collision_fraction(functions: tuple[LabelFunction, ...], x: Item, y: Item) -> fmpq:
    """kappa(x, y): the fraction of k published functions under which two items share a label (source 004).

    A function that is listed twice counts twice. Raises `DomainError` as `PublicFunctions`, and for unknown items.
    """
    rows = PublicFunctions(functions).functions
    return fmpq(sum(h(x) == h(y) for h in rows), len(rows))


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
