"""Functions of users that stand in arrays as the programs have them."""

from dp_refimpl.fast.frequency.label_arrays import Affine, LabelHashes
from dp_refimpl.frequency.hash_families import LabelFunction


def label_functions(hashes: LabelHashes, family: Affine) -> tuple[LabelFunction, ...]:
    """One for each user."""
    return tuple([family.member([int(a), int(b)]) for b, a in hashes.hashes.coefficients])
