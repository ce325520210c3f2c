"""What mechanisms with messages (H, y) share: which items a message supports, and how often labels collide."""

from typing import Generic

from flint import fmpq

from dp_refimpl.frequency.hash_families import AffineLabels, AllFunctions, CarterWegman, LabelFamily, LabelFunction
from dp_refimpl.frequency.hash_properties import collision_probability
from dp_refimpl.frequency.local_hashing import affine_collision
from dp_refimpl.requirements import is_integer
from dp_refimpl.shuffle.protocol_parts import Message, Randomizer
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import S


class HashedMessages(Randomizer[S], Generic[S]):
    """Messages (H, y) of a family of label functions: one supports the items that H maps to y."""

    family: LabelFamily

    def supports(self, message: Message, item: Item) -> bool:
        """Whether H(item) = y."""
        assert isinstance(message, tuple)
        h, label = message
        return bool(h(item) == label)

    def require_message(self, message: Message) -> None:
        """Raise `DomainError` for what is no pair of a function of the family's items and labels, and a label."""
        require_hashed(message, self.family)


def require_hashed(message: Message, family: LabelFamily) -> None:
    """Raise `DomainError` for what is no pair of a function from the family's items, and a label."""
    if not isinstance(message, tuple) or len(message) != 2 or not isinstance(message[0], LabelFunction):
        raise DomainError("messages", message, "pairs of a function and a label")
    h, label = message
    if h.items != family.items or h.labels != family.labels:
        raise DomainError("messages", message, f"functions from {family.items} to {family.labels} labels")
    if not is_integer(label, 0, family.labels - 1):
        raise DomainError("messages", message, f"labels in 0..{family.labels - 1}")


def collision(family: LabelFamily, x: Item, y: Item) -> fmpq:
    """The chance that two items share a label under a drawn function; known without a law for the large families."""
    if x == y:
        return fmpq(1)
    if isinstance(family, AllFunctions):
        return fmpq(1, family.labels)
    if isinstance(family, CarterWegman | AffineLabels):
        return affine_collision(family)
    return collision_probability(family, x, y)
