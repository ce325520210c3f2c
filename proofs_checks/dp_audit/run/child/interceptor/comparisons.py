"""The comparison operators of what is undetermined, made of two questions about it."""

from __future__ import annotations

import operator
from typing import Any, Callable

import numpy as np


class Compared:
    """Operators that ask `_compare` (with the function of `operator`) or `_equal` of the class."""

    __slots__ = ()

    def _compare(self, function: Callable[[Any, Any], Any], other: Any) -> Any:
        raise NotImplementedError

    def _equal(self, other: Any) -> Any:
        raise NotImplementedError

    def __lt__(self, other: Any) -> Any:
        return self._compare(operator.lt, other)

    def __le__(self, other: Any) -> Any:
        return self._compare(operator.le, other)

    def __gt__(self, other: Any) -> Any:
        return self._compare(operator.gt, other)

    def __ge__(self, other: Any) -> Any:
        return self._compare(operator.ge, other)

    def __eq__(self, other: Any) -> Any:
        return self._equal(other)

    def __ne__(self, other: Any) -> Any:
        equal = self._equal(other)
        return np.logical_not(equal) if isinstance(equal, (np.bool_, np.ndarray)) else not equal
