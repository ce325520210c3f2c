"""Steps 2 to 6 of Algorithm 1 of source 003: from a symmetric matrix S to the rows of U, by their exact distances.

The rows depend on a basis of the kept eigenvectors, their scalar products only on the projection P on the kept space:
these are P_ij / sqrt(P_ii P_jj). P is computed in balls. Eigenvalues that are equal as numbers are known to be equal
from the characteristic polynomial over the weights, taken as variables (or as powers of one transcendental number:
nothing is lost then), and distances from the symmetries of S; equal ones that no symmetry tells stay undecided. A row
is never zero: the kept space contains B^(1/2) 1, so that P_ii is b_i over the sum of b at least.

Where the k_1-th and the next eigenvalue are equal, the print does not say which vectors are kept. Here they are the
projections on the eigenspace of unit vectors: of the one with the longest projection, of the one with the longest
projection orthogonal to the first, and so on; of several, the first.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from itertools import combinations, islice, product
from typing import Any, Literal

from flint import arb, arb_mat, fmpq

from dp_refimpl.requirements import require_above, require_integer, require_word
from dp_refimpl.synthesis.characteristic_polynomial import Characteristic, common_exponents
from dp_refimpl.synthesis.diagonalization import diagonalization
from dp_refimpl.synthesis.distances import MAX_BITS, Key
from dp_refimpl.synthesis.log_quotients import Exact, LogQuotient, enclosed
from dp_spec.vocabulary.exceptions import DomainError, UndecidedError
from dp_spec.vocabulary.precision import current_bits, precision
from dp_spec.vocabulary.scalar import Ordering, at_most, compare

Matrix = tuple[tuple[Exact, ...], ...]
Weights = Literal["printed", "njw"]

MAX_SYMMETRIES = 64
"""So many symmetries are tried that could make two rows equal."""
MAX_FORMAL = 8
"""Equal eigenvalues are recognized in matrices of at most so many rows."""


@dataclass(frozen=True)
class Reduction:
    """How a matrix becomes points: scale sigma > 0 (rational), k_1 = `kept` eigenvectors, and the weights.

    `printed`: w_ij = exp(-s_ij / (2 sigma^2)) for all i, j; `njw`: w_ij = exp(-s_ij^2 / (2 sigma^2)), w_ii = 0. Raises
    `DomainError` for others.
    """

    sigma: fmpq
    kept: int
    weights: Weights = "printed"

    def __post_init__(self) -> None:
        require_above("sigma", self.sigma, 0)
        require_integer("kept", self.kept, 1)
        require_word("weights", self.weights, Weights)


@dataclass(frozen=True)
class Frame:
    """The unit vectors whose projections are kept of an eigenspace, and all whose projections are combinations."""

    pivots: frozenset[int]
    span: frozenset[int]


NO_FRAME = Frame(frozenset(), frozenset())


@dataclass(frozen=True)
class _Rows:
    """The projection on the kept space, and what chose a part of an eigenspace."""

    projection: arb_mat
    frame: Frame


@dataclass(frozen=True)
class SpectralEmbedding:
    """The rows of U for a matrix S, as points with exact squared distances.

    Raises `DomainError` unless S is a symmetric square matrix of exact numbers with zero diagonal (without symmetry
    there are no orthonormal eigenvectors), at least `kept` rows, and, for `njw`, two (one point has degree 0 there).
    """

    matrix: Matrix
    reduction: Reduction
    _grams: dict[int, "_Rows | None"] = field(default_factory=dict, init=False, repr=False, compare=False)
    _keys: dict[tuple[int, int], Key] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        require_symmetric(self.matrix)
        if self.reduction.kept > self.size:
            raise DomainError("kept", self.reduction.kept, f"an integer in 1..{self.size}")
        if self.reduction.weights == "njw" and self.size == 1:
            raise DomainError("matrix", self.matrix, "at least two rows: the degree of a single point is 0")

    @property
    def size(self) -> int:
        """The number of rows."""
        return len(self.matrix)

    def weight_matrix(self, bits: int) -> arb_mat:
        """W (step 2) in balls."""
        with precision(bits):
            weights = [[_power(exponent) for exponent in row] for row in self._logarithms(bits)]
            return arb_mat(_hollow(weights) if self.reduction.weights == "njw" else weights)

    def laplacian(self, bits: int) -> arb_mat:
        """L = B^(-1/2) (B - W) B^(-1/2) (steps 3 and 4) in balls.

        Weights are divided by the largest of their rows first, so that no power is large, and 1 - w_ii / b_i is the sum
        of the other weights over b_i.
        """
        n = range(self.size)
        with precision(bits):
            logarithms = self._logarithms(bits)
            highest = self._highest(logarithms)
            w = [[_power(e - highest[i]) for e in row] for i, row in enumerate(logarithms)]
            rest = [sum(row, arb(0)) for row in _hollow(w)]
            degrees = [rest[i] + w[i][i] for i in n] if self.reduction.weights == "printed" else rest
            roots = [degree.sqrt() for degree in degrees]
            laplacian = arb_mat(self.size, self.size)
            for i, j in product(n, n):
                power = _power(logarithms[i][j] - (highest[i] + highest[j]) / 2)
                laplacian[i, j] = rest[i] / degrees[i] if i == j else -power / (roots[i] * roots[j])
            return laplacian

    def _logarithms(self, bits: int) -> list[list[Any]]:
        """The logarithms of the weights, rational where the entries are, else in balls."""
        scale, square = 2 * self.reduction.sigma**2, self.reduction.weights == "njw"
        rows = [[s if isinstance(s, fmpq) else enclosed(s, bits) for s in row] for row in self.matrix]
        return [[-(s * s if square else s) / scale for s in row] for row in rows]

    def _highest(self, logarithms: list[list[Any]]) -> list[fmpq]:
        """The largest logarithm of every row, 0 if some are irrational (those of coefficients, which are small)."""
        if any(isinstance(e, arb) for row in logarithms for e in row):
            return [fmpq(0)] * self.size
        diagonal = self.reduction.weights == "printed"
        maxima = []
        for i, row in enumerate(logarithms):
            used = [e for j, e in enumerate(row) if diagonal or i != j]
            maxima.append(reduce(lambda a, b: b if at_most(a, b) else a, used))
        return maxima

    def key(self, i: int, j: int) -> Key:
        """The squared distance where it is known (0, or 2), else the first pair of rows that a symmetry maps to it.

        Raises `UndecidedError` where `MAX_BITS` bits do not separate the eigenvalues.
        """
        if self.reduction.kept in (1, self.size):  # the rows are 1 (the first eigenvector is positive), or orthonormal
            return fmpq(0 if self.reduction.kept == 1 else 2)
        i, j = sorted((self._first_equal[i], self._first_equal[j]))
        if i == j:
            return fmpq(0)
        pair = (i, j)
        if pair not in self._keys:
            self._keys[pair] = self._found_key(pair)
        return self._keys[pair]

    def enclosure(self, pair: tuple[int, int], bits: int) -> arb | None:
        """A ball around the squared distance of two rows, or None if so many bits do not separate the eigenvalues."""
        rows = self._rows(bits)
        if rows is None:
            return None
        i, j = pair
        with precision(bits):
            root = (rows.projection[i, i] * rows.projection[j, j]).sqrt()
            return 2 - 2 * rows.projection[i, j] / root

    def _found_key(self, pair: tuple[int, int]) -> Key:
        if self.reduction.kept == self.size - 1 and any(self._is_dropped_zero(i) for i in pair):
            return fmpq(2)
        earlier = (first for first in combinations(range(self.size), 2) if first < pair)
        return next((self.key(*first) for first in earlier if self._are_alike(first, pair)), pair)

    def _are_alike(self, pair: tuple[int, int], other: tuple[int, int]) -> bool:
        """Whether a symmetry makes the distances of two pairs equal."""
        frame = self._decided_rows(64).frame
        maps = [dict(zip(pair, image, strict=True)) for image in (other, other[::-1])]
        if any(self._symmetry(start, frame) for start in maps):
            return True
        if self.reduction.kept < self.size - 1 or self._sign(pair) is not self._sign(other):
            return False
        alike = any(all(self._symmetry({i: image}, frame) for i, image in start.items()) for start in maps)
        return alike and self._sign(pair) is not Ordering.UNDECIDED

    def _sign(self, pair: tuple[int, int]) -> Ordering:
        """The sign of P_ij.

        If one vector z is dropped, P_ij = -z_i z_j for i != j, and P_ii = 1 - z_i^2, where z_i^2 is the same for rows
        that a symmetry maps to each other: the sign says all.
        """
        bits = 64
        while bits < MAX_BITS and compare(self._decided_rows(bits).projection[pair], 0) is Ordering.UNDECIDED:
            bits *= 2
        return compare(self._decided_rows(bits).projection[pair], 0)

    def _is_dropped_zero(self, i: int) -> bool:
        """Whether a symmetry of order two that fixes i changes the sign of the one dropped vector, which is 0 there."""
        swaps = islice(self._involutions({i: i}, self._decided_rows(64).frame), MAX_SYMMETRIES)
        return any(self._trace_is(swap, sum(j == image for j, image in swap.items()) + 1) for swap in swaps)

    @cached_property
    def _first_equal(self) -> list[int]:
        """For every row the first one that a symmetry makes equal to it."""
        frame = self._decided_rows(64).frame
        firsts: list[int] = []
        for j in range(self.size):
            firsts.append(next((i for i in range(j) if firsts[i] == i and self._are_equal(i, j, frame)), j))
        return firsts

    def _are_equal(self, i: int, j: int, frame: Frame) -> bool:
        """Whether a symmetry of order two leaves all kept vectors as they are, and swaps i and j, or changes the signs
        of all but the first, B^(1/2) 1, and fixes i and j, where these are 0 then.
        """
        swaps = islice(self._involutions({i: j, j: i}, frame), MAX_SYMMETRIES)
        fixing = islice(self._involutions({i: i, j: j}, frame), MAX_SYMMETRIES)
        kept = self.reduction.kept
        return any(self._trace_is(swap, kept) for swap in swaps) or any(
            not self._trace_is(swap, 4 - kept) for swap in fixing
        )

    def _trace_is(self, swap: dict[int, int], highest: int) -> bool:
        """Whether the trace of a symmetry of order two on the kept space is at least `highest`, not lower by 2 or more.

        It is the dimension k_1 less twice that of the vectors whose sign changes.
        """
        bits = 64
        while True:
            projection = self._decided_rows(bits).projection
            trace = sum((projection[i, image] for i, image in swap.items()), arb(0))
            if compare(trace, highest - 2) is Ordering.GREATER:
                return True
            if compare(trace, highest) is Ordering.LESS:
                return False
            bits *= 2

    def _decided_rows(self, bits: int) -> "_Rows":
        """The rows at the first precision, from `bits` on, that is enough."""
        while bits <= MAX_BITS:
            rows = self._rows(bits)
            if rows is not None:
                return rows
            bits *= 2
        raise UndecidedError(f"eigenvalues are not separated with {MAX_BITS} bits")

    def _rows(self, bits: int) -> "_Rows | None":
        if bits not in self._grams:
            with precision(bits):
                self._grams[bits] = self._computed_rows(bits)
        return self._grams[bits]

    def _computed_rows(self, bits: int) -> "_Rows | None":
        spectrum = diagonalization(self.laplacian(bits))
        if spectrum is None:
            return None
        kept = self.reduction.kept
        first, last = next((low, high) for _, low, high in spectrum.balls if low < kept <= high)
        whole = spectrum.projection(0, last if last == kept else first) if last == kept or first else None
        if last == kept:
            rows = None if whole is None else _Rows(whole, NO_FRAME)
        elif self.size > MAX_FORMAL or len(spectrum.balls) < self._characteristic.distinct or (first and whole is None):
            return None
        else:
            space, eigenvalue = (
                spectrum.projection(first, last),
                next(ball for ball, low, _ in spectrum.balls if low == first),
            )
            part = None if space is None else self._part(space, kept - first, eigenvalue)
            rows = part if part is None or whole is None else _Rows(part.projection + whole, part.frame)
        if rows is None:
            return None
        positive = all(compare(rows.projection[i, i], 0) is Ordering.GREATER for i in range(self.size))
        return rows if positive else None

    def _part(self, space: arb_mat, dimension: int, eigenvalue: arb) -> "_Rows | None":
        """The projection on so many projected unit vectors (see above); None if a longest one is not found."""
        multiplicity = int(space.trace().unique_fmpz() or 0)
        factor = self._characteristic.factor_at(eigenvalue, multiplicity, self._variables())
        if factor is None:
            return None
        left, frame = space, NO_FRAME
        for _ in range(dimension):
            lengths = [left[i, i] for i in range(self.size)]
            longest = [
                i for i, one in enumerate(lengths) if not any(compare(one, more) is Ordering.LESS for more in lengths)
            ]
            first = longest[0]
            equal = all(self._symmetry({first: i}, frame) for i in longest[1:])
            if not equal or compare(lengths[first], 0) is not Ordering.GREATER:
                return None
            column = arb_mat([[left[i, first]] for i in range(self.size)])
            left = left - column * column.transpose() * (1 / lengths[first])
            frame = self._frame(frame.pivots | {first}, factor, multiplicity)
        return _Rows(space - left, frame)

    def _frame(self, pivots: frozenset[int], factor: Any, multiplicity: int) -> "Frame":
        """The unit vectors whose projections are combinations of those of the pivots.

        The block A of the projection is singular exactly if the eigenvalue is a pole of order less than |A| of the
        block's determinant of (x - L)^-1, the quotient of the minor without A and the characteristic polynomial.
        """
        span = set(pivots)
        for i in set(range(self.size)) - pivots:
            deleted = tuple(sorted(pivots | {i}))
            if multiplicity - self._characteristic.multiplicity(factor, deleted) < len(deleted):
                span.add(i)
        return Frame(pivots, frozenset(span))

    def _variables(self) -> list[arb]:
        """The numbers that the variables of the characteristic polynomial stand for, at the current precision."""
        scale = 2 * self.reduction.sigma**2
        t = _power(-self._step / scale)
        logarithms, variables = self._logarithms(current_bits()), []
        for label in self._characteristic.labels:
            i, j = next(
                (i, j) for i, row in enumerate(self._labels) for j, other in enumerate(row) if -1 - other == label
            )
            variables.append(_power(logarithms[i][j]))
        return [t, *variables]

    def _symmetry(self, start: dict[int, int], frame: Frame) -> bool:
        """Whether some permutation that extends `start` leaves S and the kept space as they are."""
        if not self._fits(start, frame):
            return False
        if len(start) == self.size:
            return True
        new = next(i for i in range(self.size) if i not in start)
        used = set(start.values())
        return any(
            self._symmetry({**start, new: image}, frame)
            for image in range(self.size)
            if image not in used and sorted(self._labels[new]) == sorted(self._labels[image])
        )

    def _involutions(self, start: dict[int, int], frame: Frame) -> Iterator[dict[int, int]]:
        """The symmetries of order two (or one) that extend `start`, which is one on the points it moves."""
        if not self._fits(start, frame):
            return
        new = next((i for i in range(self.size) if i not in start), None)
        if new is None:
            yield start
            return
        for image in range(new, self.size):
            if image not in start:
                yield from self._involutions({**start, new: image, image: new}, frame)

    def _fits(self, start: dict[int, int], frame: Frame) -> bool:
        """Whether a map of some points leaves S, between them, and the kept space as they are."""
        return all(
            (i not in frame.pivots or image in frame.span)
            and all(self._labels[i][j] == self._labels[image][other] for j, other in start.items())
            for i, image in start.items()
        )

    @cached_property
    def _labels(self) -> list[list[int]]:
        """The entries as numbers 0, 1, ..., equal ones alike."""
        labels: dict[Exact, int] = {}
        return [[labels.setdefault(entry, len(labels)) for entry in row] for row in self.matrix]

    @property
    def _characteristic(self) -> Characteristic:
        return self._formal[0]

    @property
    def _step(self) -> fmpq:
        return self._formal[1]

    @cached_property
    def _formal(self) -> tuple[Characteristic, fmpq]:
        """The characteristic polynomial, and the step of the exponents of its variable t."""
        hollow = self.reduction.weights == "njw"
        entries = [[s * s if hollow and isinstance(s, fmpq) else s for s in row] for row in self.matrix]
        rational = [[s for s in row if isinstance(s, fmpq)] for row in entries]
        exponents = common_exponents(rational) if all(len(row) == self.size for row in rational) else None
        if exponents is not None:
            return Characteristic(exponents[0], hollow), exponents[1]
        return Characteristic(tuple(tuple(-1 - label for label in row) for row in self._labels), hollow), fmpq(0)


def require_symmetric(matrix: Sequence[Sequence[object]]) -> None:
    """Raise `DomainError` unless the matrix is square, not empty, symmetric, exact, with zero diagonal."""
    n = len(matrix)
    if not isinstance(matrix, tuple) or not n or any(not isinstance(row, tuple) or len(row) != n for row in matrix):
        raise DomainError("matrix", matrix, "a square matrix, a tuple of tuples, of at least one row")
    for i, row in enumerate(matrix):
        for j, entry in enumerate(row):
            if not isinstance(entry, fmpq | LogQuotient):
                raise DomainError("matrix", entry, "exact numbers: fmpq, or quotients of logarithms")
            if entry != matrix[j][i]:
                raise DomainError("matrix", (entry, matrix[j][i]), f"a symmetric matrix: entries {i}, {j} and {j}, {i}")
        if row[i] != 0:
            raise DomainError("matrix", row[i], "zeros on the diagonal")


def _power(exponent: Any) -> arb:
    return arb(exponent).exp()


def _hollow(rows: list[list[arb]]) -> list[list[arb]]:
    """The rows with zeros on the diagonal."""
    return [[arb(0) if i == j else entry for j, entry in enumerate(row)] for i, row in enumerate(rows)]
