"""DPSC: private spectral clustering of attributes (source 003, Algorithm 3): noisy coefficients, then clusters.

The data are read for the matrix S alone; the partition is computed from S. Laplace noise is replaced by noise on a
lattice whose law is exact; a matrix drawn with Laplace noise in floats is clustered like any other.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from sys import float_info
from typing import TYPE_CHECKING, Generic, Literal, Protocol

from flint import arb, fmpq, fmpz

from dp_refimpl.coins import Coins
from dp_refimpl.matrix.geometric import DiscreteLaplace
from dp_refimpl.requirements import require_above, require_drawing, require_integer, require_word
from dp_refimpl.synthesis.clustering import Partition
from dp_refimpl.synthesis.log_quotients import Exact, LogQuotient, log_quotient, nearest_multiple
from dp_refimpl.synthesis.maximal_information import GridSizes, maximal_information
from dp_refimpl.synthesis.spectral_clustering import Method, spectral_clusters
from dp_refimpl.synthesis.spectral_embedding import Matrix, Reduction
from dp_refimpl.synthesis.tables import CountTable
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import S

if TYPE_CHECKING:
    from numpy.random import Generator  # takes long, and exact work does without

Draws = Literal["once", "twice"]
"""One draw for each pair of attributes, or independent ones for (i, j) and (j, i)."""


class EntryNoise(Protocol):
    """Noise that is added to a coefficient."""

    def entry(self, coefficient: Exact, coins: Coins) -> Exact:
        """The noisy coefficient."""
        ...


@dataclass(frozen=True)
class LatticeNoise(Generic[S]):
    """The multiple of `step` nearest to a coefficient, plus `step` times a two-sided geometric variable, clamped.

    P[z] = (1 - alpha) / (1 + alpha) alpha^|z|, alpha = e^(-step / b_S); what is beyond low * step and high * step takes
    these values. Raises `DomainError` unless step > 0 is rational, 0 < alpha < 1, and low < high are integers.
    """

    step: fmpq
    alpha: S
    low: int
    high: int

    def __post_init__(self) -> None:
        DiscreteLaplace(self.alpha)
        require_above("step", self.step, 0)
        require_integer("high", self.high)
        require_integer("low", self.low, most=self.high - 1)

    def law(self, coefficient: Exact) -> tuple[S, ...]:
        """The probabilities of low * step, ..., high * step."""
        noise, center = DiscreteLaplace(self.alpha), nearest_multiple(coefficient, self.step)
        inside = [noise.prob(z - center) for z in range(self.low + 1, self.high)]
        return (1 - noise.at_least(self.low + 1 - center), *inside, noise.at_least(self.high - center))

    def entry(self, coefficient: Exact, coins: Coins) -> fmpq:
        """A point of the lattice."""
        return (self.low + coins.choose(self.law(coefficient))) * self.step


@dataclass(frozen=True)
class LaplaceEntries:
    """Laplace noise as printed, in floats taken at their exact values, for measuring errors: it takes no coins.

    The last bits of a float show where it comes from: only discrete noise is private exactly. Raises `DomainError`
    unless the scale is a float >= 0 that is finite.
    """

    scale: float
    generator: "Generator"

    def __post_init__(self) -> None:
        if not isinstance(self.scale, float) or not 0 <= self.scale <= float_info.max:
            raise DomainError("scale", self.scale, "a float >= 0, finite")
        require_drawing(self.generator)

    def entry(self, coefficient: Exact, coins: Coins) -> fmpq:
        """The coefficient, to 53 bits if it is irrational, plus the noise; a draw beyond all floats is the largest."""
        most = float_info.max
        draw = min(max(self.generator.laplace(0.0, self.scale), -most), most)
        if isinstance(coefficient, LogQuotient):
            coefficient = nearest_multiple(coefficient, fmpq(1, 2**53)) * fmpq(1, 2**53)
        return coefficient + _rational(draw)


@dataclass(frozen=True)
class NoEntryNoise:
    """No noise, as in NoPrivacy."""

    def entry(self, coefficient: Exact, coins: Coins) -> Exact:
        """The coefficient."""
        return coefficient


@dataclass(frozen=True)
class DPSC:
    """Algorithm 3: grid sizes of MIC, noise, steps 2 to 6 of Algorithm 1, k clusters, and how they are found.

    Raises `DomainError` for an unknown reading, and unless k >= 1.
    """

    sizes: GridSizes
    noise: EntryNoise
    reduction: Reduction
    k: int
    draws: Draws = "once"
    method: Method = "exact"

    def __post_init__(self) -> None:
        require_integer("k", self.k, 1)
        require_word("draws", self.draws, Draws)
        require_word("method", self.method, Method)

    def noisy_matrix(self, table: CountTable, coins: Coins) -> Matrix:
        """S (step 1): MIC plus noise, zeros on the diagonal. Raises `UndefinedError` as MIC, and for no attributes."""
        exact, d = coefficients(table, self.sizes), len(table.sizes)
        pairs = combinations(range(d), 2) if self.draws == "once" else permutations(range(d), 2)
        noisy = {(i, j): self.noise.entry(exact[i][j], coins) for i, j in pairs}
        if self.draws == "once":
            noisy |= {(j, i): entry for (i, j), entry in noisy.items()}
        return tuple(tuple(noisy.get((i, j), fmpq(0)) for j in range(d)) for i in range(d))

    def partition(self, matrix: Matrix, coins: Coins) -> Partition:
        """The clusters of the attributes (steps 2 and 3), from S alone.

        Raises `DomainError` for a matrix that is not symmetric (of `twice`), and unless 1 <= k_1, k <= d;
        `UndecidedError` as k-means does.
        """
        return spectral_clusters(matrix, self.reduction, self.k, self.method, coins)

    def publish(self, table: CountTable, coins: Coins) -> Partition:
        """The clusters of the attributes of a data set. Raises as `noisy_matrix` and `partition`."""
        return self.partition(self.noisy_matrix(table, coins), coins)


def coefficients(table: CountTable, sizes: GridSizes) -> Matrix:
    """MIC of all pairs of attributes, zeros on the diagonal. Raises `UndefinedError`, `DomainError` without records."""
    d = len(table.sizes)
    if not d:
        raise DomainError("table", table, "a table with attributes")
    entries: dict[tuple[int, int], Exact] = {}
    for i, j in combinations(range(d), 2):
        vector, width = table.marginal((i, j)).vector, table.sizes[j]
        counts = [list(vector[x * width : (x + 1) * width]) for x in range(table.sizes[i])]
        entries[i, j] = entries[j, i] = maximal_information(counts, sizes)
    return tuple(tuple(entries.get((i, j), fmpq(0)) for j in range(d)) for i in range(d))


def coefficient_sensitivity(n: int) -> Exact:
    """Delta m as printed, (1/n) log n + ((n-1)/n) log (n/(n-1)) in bits: log2(B_n) / n with B_n = n^n / (n-1)^(n-1).

    It is 0 for n = 1. Raises `DomainError` unless n >= 1.
    """
    require_integer("n", n, 1, note=": a table with records")
    return log_quotient(fmpq(fmpz(n) ** n, fmpz(n - 1) ** (n - 1)), fmpq(2), n)


def access_count(d: int) -> fmpq:
    """r = d (d - 1) / (2 floor(d / 2)) accesses, of floor(d / 2) attribute pairs. Raises `DomainError` for d < 2."""
    require_integer("d", d, 2, note=": without pairs there is no access")
    return fmpq(d * (d - 1), 2 * (d // 2))


def noise_scale(n: int, d: int, epsilon: fmpq) -> Exact:
    """b_S = Delta m r / epsilon_1 in bits. Raises `DomainError` for n < 2 (there it is 0), d < 2, epsilon_1 <= 0."""
    require_above("epsilon", epsilon, 0)
    delta, factor = coefficient_sensitivity(n), access_count(d) / epsilon
    if delta == 0:
        raise DomainError("n", n, "at least 2: noise of scale 0 protects nothing")
    return delta.scaled(factor) if isinstance(delta, LogQuotient) else delta * factor


def lattice_alpha(step: fmpq, scale: Exact, bits: int = 128) -> Real | arb:
    """alpha = e^(-step / b_S): exact where b_S is rational (n = 2), otherwise a ball of so many bits."""
    if isinstance(scale, fmpq):
        exponent = -step / scale
        return Real.power(None, Fraction(int(exponent.p), int(exponent.q)))
    return (-arb(step) / scale.enclosure(bits)).exp()


def _rational(number: float) -> fmpq:
    exact = Fraction(number)
    return fmpq(exact.numerator, exact.denominator)
