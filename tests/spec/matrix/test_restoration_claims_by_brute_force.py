"""Best estimates and dominated strategies decided again: normal equations with plain fractions, and the common
eigenvectors of both forms; against the verdicts of the ledger. The weights are those of the programs."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from dp_checks.matrix_programs import mechanism
from dp_refimpl.matrix.linear_forms import noise_symbols
from dp_refimpl.matrix.mechanism import strategy
from dp_spec.matrix.claims.restorations import FORMAL
from independent import brute_force_matrices as plain
from independent.brute_force_matrices import Matrix
from independent.verdicts import Fails, agreement_test, heights, once

LOW = range(1, 4)


def tree(h: int) -> Matrix:
    return plain.tree(2**h, 2, True)


def haar(h: int) -> Matrix:
    return plain.haar(2**h)


def plainly(rows: Any) -> Matrix:
    return [[Fraction(int(x.p), int(x.q)) for x in row] for row in rows]


def is_best(name: str, h: int) -> bool:
    """Whether a program's estimates of all ranges have the weights of least squares, for noise of one scale."""
    program = mechanism(name, 2**h, 2)
    answers = noise_symbols(program.answers)
    rows = [program.answer(answers, *ends).row("z", program.answers) for ends in plain.ranges(2**h)]
    a = plainly(strategy(program).table())
    asked = [plain.ones(2**h, *ends) for ends in plain.ranges(2**h)]
    assert plain.product(plainly(rows), a) == asked
    return plainly(rows) == plain.product(asked, plain.least_squares(a))


def form(strategy: Matrix, vector: list[Fraction]) -> Fraction:
    """v^T A^T A v over the square of the sensitivity, for an eigenvector v."""
    image = plain.product(plain.transposed(strategy), plain.product(strategy, [[x] for x in vector]))
    values = {y / x for x, [y] in zip(vector, image, strict=True) if x}
    sensitivity = max(sum(map(abs, column), Fraction(0)) for column in zip(*strategy, strict=True))
    assert all(y == 0 for x, [y] in zip(vector, image, strict=True) if x == 0)
    [value] = values
    return value / sensitivity**2


def smallest(strategy: Matrix, other: Matrix) -> Fraction:
    """The smallest constant: Haar's vectors are orthogonal, and eigenvectors of both forms."""
    return max(form(other, v) / form(strategy, v) for v in plain.haar(len(strategy[0])))


def encloses(h: int, strategy: Callable[[int], Matrix], other: Callable[[int], Matrix], factor: Fraction) -> bool:
    return factor - Fraction(1, 1000) < smallest(strategy(h), other(h)) <= factor


def identity(h: int) -> Matrix:
    return plain.identity(2**h)


def flat(h: int) -> bool:
    return (
        encloses(h, identity, haar, Fraction(2**h, (h + 1) ** 2))
        and encloses(h, haar, identity, Fraction((h + 1) ** 2, 2))
        and all(smallest(identity(k), haar(k)) <= 1 for k in range(6))
        and any(form(haar(6), v) > form(identity(6), v) for v in plain.haar(64))
    )


TRUTH: dict[str, Callable[[], Fails]] = {
    "001.supp.best@privelet": heights(lambda h: is_best("privelet", h), LOW),
    "001.supp.best@boost": heights(lambda h: is_best("consistency-root", h), LOW),
    "001.supp.best@naive": heights(lambda h: not is_best("tree-root", h), LOW),
    "001.supp.dominates@boost": heights(lambda h: encloses(h, haar, tree, 2 - Fraction(1, 2**h)), range(2, 4)),
    "001.supp.dominates@privelet": heights(lambda h: encloses(h, tree, haar, Fraction(2)), range(2, 4)),
    "001.supp.dominates@identity": once(lambda: all(map(flat, (2, 3)))),
}
test_plain_matrices_agree_with_the_ledger = pytest.mark.slow(agreement_test(TRUTH))


def test_every_claim_is_decided() -> None:
    assert TRUTH.keys() == FORMAL.keys()


@pytest.mark.parametrize("h", range(1, 5))
def test_the_constants_of_the_two_trees(h: int) -> None:
    """At every height: 2 - 2^-h at the total, and 2 at the difference of two neighboring counts."""
    assert (smallest(haar(h), tree(h)), smallest(tree(h), haar(h))) == (2 - Fraction(1, 2**h), Fraction(2))
