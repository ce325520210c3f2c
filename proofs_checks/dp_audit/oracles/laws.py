"""Laws as declared maps return them, and what two of them show to whoever tells them apart.

A law is a list of pairs (output, probability). An adaptive one has, in place of a probability, a pair (probability,
law of what is asked next); a list of laws is their product, of independent answers.
"""

from collections.abc import Hashable, Mapping
from functools import reduce

from flint import fmpq

from dp_audit.oracles.values import number_of, rows_of
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import Ordering, compare

Chances = tuple[tuple[fmpq, fmpq], ...]
"""Probabilities of outcomes under two laws, of which no two have the same ratio."""
MAX_OUTCOMES = 200_000
"""Of a product: more are not listed."""


def law_of(value: Hashable) -> Mapping[Hashable, fmpq]:
    """Return the probabilities of a law by output; of an adaptive one and of a product by lists of answers.

    Raises `DomainError` for anything else, negative or repeated ones.
    """
    rows = rows_of(value)
    if _is_product(rows):
        return reduce(_product, map(law_of, rows), {(): fmpq(1)})
    law: dict[Hashable, fmpq] = {}
    for pair in rows:
        for output, probability in _branch(value, pair).items():
            if output in law:
                raise _refusal(value)
            law[output] = probability
    return law


def total_of(value: Hashable) -> fmpq:
    """Return the sum of the probabilities of a law; of a product, the one of its laws that is farthest from 1."""
    rows = rows_of(value)
    if _is_product(rows):
        return max(map(total_of, rows), key=lambda total: abs(total - 1))
    return sum(law_of(value).values(), fmpq(0))


def chances(x: Hashable, y: Hashable) -> Chances:
    """Return what two laws show: their probabilities, summed over outcomes that have the same ratio.

    Of products with equally many laws the ratios are multiplied, without a list of all outcomes.
    """
    left, right = rows_of(x), rows_of(y)
    if _is_product(left) and _is_product(right) and len(left) == len(right):
        return reduce(composed, map(chances, left, right), ((fmpq(1), fmpq(1)),))
    p, q = law_of(x), law_of(y)
    return _merged([(p.get(output, fmpq(0)), q.get(output, fmpq(0))) for output in {**p, **q}])


def composed(left: Chances, right: Chances) -> Chances:
    """Return what two independent answers show together."""
    _require_few(len(left) * len(right))
    return _merged([(p * r, q * s) for p, q in left for r, s in right])


def _merged(pairs: list[tuple[fmpq, fmpq]]) -> Chances:
    by_ratio: dict[fmpq | None, tuple[fmpq, fmpq]] = {}
    for p, q in pairs:
        if p != 0 or q != 0:
            ratio = None if q == 0 else p / q
            before = by_ratio.get(ratio, (fmpq(0), fmpq(0)))
            by_ratio[ratio] = before[0] + p, before[1] + q
    return tuple(by_ratio.values())


def _product(left: Mapping[Hashable, fmpq], right: Mapping[Hashable, fmpq]) -> Mapping[Hashable, fmpq]:
    _require_few(len(left) * len(right))
    return {(*rows_of(a), b): p * q for a, p in left.items() for b, q in right.items()}


def _require_few(number: int) -> None:
    if number > MAX_OUTCOMES:
        raise DomainError("laws", f"{number} outcomes together", f"laws whose product has at most {MAX_OUTCOMES}")


def _is_product(rows: tuple[Hashable, ...]) -> bool:
    """Return whether these are laws, and not pairs that begin with an output."""
    return bool(rows) and all(isinstance(row, tuple) and not _is_pair(row) for row in rows)


def _is_pair(row: tuple[Hashable, ...]) -> bool:
    return len(row) == 2 and (_is_number(row[1]) or _is_continued(row[1]))


def _is_continued(value: Hashable) -> bool:
    """Return whether this is a probability with a law."""
    if not isinstance(value, tuple) or len(value) != 2 or not _is_number(value[0]):
        return False
    return isinstance(value[1], tuple) and all(isinstance(row, tuple) for row in value[1]) and not _is_number(value[1])


def _is_number(value: Hashable) -> bool:
    return isinstance(value, int | fmpq) or (isinstance(value, tuple) and len(value) == 2 and value[0] == "float")


def _branch(value: Hashable, pair: Hashable) -> Mapping[Hashable, fmpq]:
    """Return what one pair of a law says: its output with a probability, or all answers that begin with it."""
    if not isinstance(pair, tuple) or not _is_pair(pair):
        raise _refusal(value)
    output, says = pair
    if not _is_number(says):
        assert isinstance(says, tuple)
        probability, following = _branch(value, (output, says[0]))[output], law_of(says[1])
        return {(output, answer): probability * chance for answer, chance in following.items()}
    number = number_of(says)
    if number is None or compare(number, 0) is Ordering.LESS:
        raise _refusal(value)
    return {output: number}


def _refusal(value: Hashable) -> DomainError:
    return DomainError("law", value, "pairs (output, probability >= 0), every output once")
