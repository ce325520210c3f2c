"""Linear support vector machines of Figure 5 (e) and (f), by scikit-learn (the extra `svm`), known to this module only.

The squared hinge loss of every record, times the cost, is added to half the squared norm of the weights: no random
numbers are used. What a machine predicts is a measurement in floats, and decides nothing.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from dp_refimpl.fast.array_coins import Bits
from dp_spec.vocabulary.exceptions import RefusedError

Labeled = tuple[Bits, Bits]
"""Features of records, shape (n, features), and their labels, shape (n,)."""


def require_machines() -> Any:
    """The class of the machines. Raises `RefusedError` where scikit-learn is not installed."""
    try:
        from sklearn.svm import LinearSVC
    except ImportError:
        raise RefusedError(
            "support vector machines need scikit-learn: pip install 'dp-refimpl[svm]', or do without (--cost none)"
        ) from None
    return LinearSVC


def misclassified(train: Labeled, tests: Sequence[Labeled], cost: Fraction) -> list[Fraction]:
    """The shares of test records whose label a machine trained with a cost > 0 gets wrong.

    Of training records with equal labels it learns this label. Raises `RefusedError` as above.
    """
    machines, (features, labels) = require_machines(), train
    if (labels == labels[0]).all():
        predicted = [np.full(len(others), labels[0]) for _, others in tests]
    else:
        machine = machines(C=float(cost), dual=False).fit(features.astype(np.float64), labels)
        predicted = [machine.predict(rows.astype(np.float64)) for rows, _ in tests]
    return [
        Fraction(int(np.count_nonzero(guesses != others)), len(others))
        for guesses, (_, others) in zip(predicted, tests, strict=True)
    ]
