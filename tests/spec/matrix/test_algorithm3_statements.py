"""What the statements about Algorithm 3 count by cases, and the operations that they declare, beside every range."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

from flint import fmpq

from dp_spec.matrix.claims.fixed_ranges import _OPERATIONS, _pairs_of_height
from independent import brute_force_matrices as plain
from independent import brute_force_privelet as privelet

HEIGHTS = range(1, 5)


def ranges(h: int) -> Iterator[tuple[int, int, int]]:
    return ((h, first, last) for first, last in plain.ranges(2**h))


def test_every_range_is_in_one_case_of_the_statement_about_a_height() -> None:
    """Where l - 1 and r are in their nodes, and what the statement counts there."""
    cases = {
        (first, last, several): statement
        for (first, last, several), statement in zip(
            [at for at in product((0, 1), (0, 1), (True, False)) if at[2] or at[0] <= at[1]],
            _pairs_of_height(),
            strict=True,
        )
    }
    for (h, a, b), k in ((at, k) for height in HEIGHTS for at in ranges(height) for k in range(1, height + 1)):
        half = 2 ** (k - 1)
        before, left = divmod(a - 1, 2 * half)
        until, right = divmod(b, 2 * half)
        point = {"half": half, "u": left % half, "v": right % half, "full": until - before - 1}
        at = {name: fmpq(x) for name, x in point.items()}
        domain, counted, on_nodes = cases[left // half, right // half, until > before]
        assert all(x.evaluate(at) >= 0 for x in domain.constraints)
        assert all(at[name] >= least.min for name, least in domain.variables.items())
        pairs_there = sum(privelet.lca(h, i, j) == k for i, j in combinations(range(a, b + 1), 2))
        assert counted.evaluate(at) == 2 * pairs_there == 2 * on_nodes.evaluate(at)


def test_the_declared_operations_are_the_most() -> None:
    most = {h: max(privelet.operations(*at) for at in ranges(h)) for h in HEIGHTS}
    assert max(Fraction(operations - 3, h) for h, operations in most.items()) <= _OPERATIONS
    assert privelet.cost("operations")(200) <= _OPERATIONS + Fraction(3, 200)
    assert most[4] - most[3] == _OPERATIONS
