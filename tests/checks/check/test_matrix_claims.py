"""Plausible faults in the formulas of source 001: every one is caught, and the printed formula is proved."""

from collections.abc import Iterator, Mapping

import pytest

from dp_checks.check.decision import decide
from dp_checks.ledger import load_ledger
from dp_spec.matrix import accuracy_index, mechanisms, privelet
from dp_spec.matrix.claims.comparison import TREES, binary_delta
from dp_spec.matrix.claims.trees import ABOVE, PAIRS, entry, loss, own, pairs, sensitivity, trees
from dp_spec.matrix.mechanisms import PRIVELET
from dp_spec.matrix.privelet import EPS, SCALE, H, K, N, T, two
from dp_spec.vocabulary.additive import Quantity
from dp_spec.vocabulary.error_statements import Formula, Limit
from dp_spec.vocabulary.statement import Domain, Range, Statement
from dp_spec.vocabulary.term import Term, summed, term, var

V, U, X, A, C = (var(name) for name in ("v", "u", "x", "a", "c"))
AVERAGE, LEVELS = privelet.average(), Domain({"v": Range(integer=True), "u": Range(integer=True)})
PHI = privelet.phi(V + 1, V + 1 + U)


def _pair_sum(times: Term | int = 1, offset: Term | int = 1) -> Term:
    """(13): cnt of the pairs with lowest common ancestor at height v + 1, summed."""
    before = X * two(V + 1)
    cnt = (before + A) * (two(V + 1 + U) - (before + two(V) + C) + offset)
    return times * PHI * summed("x", 0, two(U) - 1, summed("a", 1, two(V), summed("c", 1, two(V), cnt)))


def _diagonal(value: Term) -> Formula:
    return trees(("eq", var("own"), value), own=own(PRIVELET, "coefficient"))


def _pair(value: Term) -> Formula:
    return pairs(("eq", var("pair"), value.substitute(ABOVE)), pair=entry(PRIVELET, "coefficient"))


def _total(value: Term, what: str = "coefficient") -> Formula:
    total = Quantity(PRIVELET, (what, "ranges"))  # type: ignore[arg-type]
    return trees(("eq", var("total"), value), total=total)


def _eq13(left: Term) -> Formula:
    return Formula(LEVELS, (("eq", left, privelet.phi_in_ranges(two(V + 1), two(V + 1 + U))),))


def _index(error: Term, value: Term | int) -> Limit:
    return Limit(Domain({"h": Range(3, integer=True)}), "h", accuracy_index.index_of(error), term(value))


def _loss(value: Term) -> Formula:
    return trees(("eq", var("loss"), value), loss=loss(PRIVELET))


TWO = Domain({"h": Range(1, integer=True), "eps": Range(strict=True)})
FAULTS: Mapping[str, tuple[Statement, ...]] = {
    "001.thm2.eq6.diag": (
        _diagonal(summed("t", 1, H, 1 / two(T) ** 2)),  # without c_0
        _diagonal(1 / two(H) + summed("t", 1, H, 1 / two(T) ** 2)),  # c_0 not squared
        _diagonal(1 / two(H) ** 2 + summed("t", 1, H, 1 / two(T))),  # no squares
        _diagonal(1 / two(H) ** 2 + summed("t", 0, H, 1 / two(T) ** 2)),  # the leaves, too
        _diagonal(1 / two(H) ** 2 + summed("t", 2, H, 1 / two(T) ** 2)),  # from height 2 on
    ),
    "001.thm2.eq6.off": (
        _pair(1 / two(H) ** 2 + summed("t", K + 1, H, 1 / two(T) ** 2) + 1 / two(K) ** 2),  # the sign of the ancestor
        _pair(1 / two(H) ** 2 + summed("t", K, H, 1 / two(T) ** 2) - 1 / two(K) ** 2),  # counted above, too
        _pair(1 / two(H) ** 2 + summed("t", K + 1, H, 1 / two(T) ** 2)),  # without the ancestor
        _pair(summed("t", K + 1, H, 1 / two(T) ** 2) - 1 / two(K) ** 2),  # without c_0
        _pair(1 / two(H) ** 2 + summed("t", K + 1, H, 1 / two(T) ** 2) - 1 / two(K - 1) ** 2),  # a height too low
    ),
    "001.eq13@ordered": (
        _eq13(_pair_sum()),  # pairs once
        _eq13(_pair_sum(4)),
        _eq13(_pair_sum(2, 0)),  # ranges that end before the last leaf
        _eq13(_pair_sum(2, 2)),
        _eq13(-_pair_sum(2)),
    ),
    "001.eq15": (
        _total(privelet.in_ranges() + 1),
        _total(privelet.in_ranges() * 2),  # every pair twice again
        _total(privelet.diagonal_in_ranges(N)),  # the trace alone
        _total(privelet.in_ranges() - privelet.diagonal_in_ranges(N)),  # without the diagonal
        _total(privelet.diagonal_in_ranges(N) + summed("t", 1, H, privelet.phi_in_ranges(two(T), N)) / 2),
    ),
    "001.eq16": (
        _total(AVERAGE * N**2),  # N^2 ranges
        _total(AVERAGE * N * (N - 1) / 2),  # ranges of two leaves or more
        _total(privelet.approximate() * privelet.ranges(N)),  # (17)
        _total((AVERAGE - 2 / (9 * N**2)) * privelet.ranges(N)),
        _total((H / 6 + term(1) / 36 + 1 / N) * privelet.ranges(N)),
    ),
    "001.eq18": (
        _total(SCALE**2 * AVERAGE * privelet.ranges(N), "covariance"),  # Lap(1) of variance 1
        _total(2 * SCALE * AVERAGE * privelet.ranges(N), "covariance"),
        _total(2 * (H / EPS) ** 2 * AVERAGE * privelet.ranges(N), "covariance"),  # Delta = h
        _total(2 * (SCALE * EPS) ** 2 * AVERAGE * privelet.ranges(N), "covariance"),  # epsilon = 1
        _total(2 * SCALE**2 * AVERAGE, "covariance"),
    ),
    "001.alg1.privacy@addremove": (
        trees(("le", var("loss"), EPS), loss=loss(PRIVELET, eps=2 * EPS)),
        trees(("le", var("loss"), EPS), domain=TWO, loss=loss(mechanisms.IDENTITY, eps=EPS * (H + 1))),
        _loss(H * EPS / (H + 1)),  # without the total
        _loss(EPS * (H + 1)),
        trees(("le", var("loss"), EPS), domain=TWO, loss=loss(PRIVELET, "replace")),
    ),
    "001.alg1.sens@addremove": tuple(
        trees(("eq", var("delta"), value), delta=sensitivity(PRIVELET))
        for value in (H, H + 2, 2 * (H + 1), two(H), term(1))
    ),
    "001.def3.naive@root": (
        _index(accuracy_index.NAIVE_ERROR, 6),
        _index(accuracy_index.NAIVE_ERROR / 2, 1),
        _index(accuracy_index.NAIVE_NOROOT_ERROR * 2, 1),
        _index(accuracy_index.naive_average(True), 1),
        _index(accuracy_index.IDENTITY_ERROR, 1),
        binary_delta(mechanisms.NAIVE_ROOT, H),
        binary_delta(mechanisms.NAIVE_NOROOT, H + 1),
    ),
    "001.def3.privelet@with-delta": tuple(
        _index(error, 6)
        for error in (
            2 * accuracy_index.PRIVELET_ERROR,
            (2 * H) ** 2 * AVERAGE,
            AVERAGE,
            (H + 1) * AVERAGE,
            (H + 1) ** 2 * AVERAGE / 2,
        )
    ),
}


def _planted() -> Iterator[tuple[str, int]]:
    for claim, faults in FAULTS.items():
        assert len(faults) >= 5
        yield from ((claim, number) for number in range(len(faults)))


@pytest.mark.parametrize(("claim", "number"), [*_planted()])
def test_a_fault_in_a_formula_is_caught(claim: str, number: int) -> None:
    """It is refuted; a limit, unless its true value is proved without a hint, is not proved."""
    fault = FAULTS[claim][number]
    caught = ("refuted", "unchecked") if isinstance(fault, Limit) else ("refuted",)
    assert decide(fault, claim).verdict in caught


def test_the_formulas_without_a_fault_are_proved() -> None:
    ledger = load_ledger()
    assert {ledger[claim].verdict for claim in FAULTS} == {"proved"}


def test_pairs_are_those_of_trees_of_every_height() -> None:
    assert list(PAIRS.variables) == ["j", "u", "eps"]
    assert PAIRS.constraints == () == TREES.constraints
