"""Arrays of reports, checked at the boundary."""

import numpy as np

from dp_refimpl.fast.array_coins import Indices
from dp_spec.vocabulary.exceptions import DomainError


def require_vector(name: str, numbers: Indices, length: int, below: int) -> Indices:
    """The numbers as int64. Raises `DomainError` unless they are `length` integers in 0..below - 1, one at least."""
    if not isinstance(numbers, np.ndarray) or not np.issubdtype(numbers.dtype, np.integer) or numbers.ndim != 1:
        raise DomainError(name, numbers, "a vector of integers")
    if not len(numbers) or len(numbers) != length:
        raise DomainError(name, len(numbers), f"{length} numbers, one for each report, and at least one")
    if int(numbers.min()) < 0 or int(numbers.max()) >= below:
        raise DomainError(name, (int(numbers.min()), int(numbers.max())), f"integers in 0..{below - 1}")
    return numbers.astype(np.int64)
