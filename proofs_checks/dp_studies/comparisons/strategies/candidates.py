"""Strategies for a workload of linear queries on N counts: which there are for N, padded or not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from flint import fmpq_mat, fmpz

from dp_refimpl.matrix.base import Mechanism
from dp_refimpl.matrix.consistency import Boost
from dp_refimpl.matrix.haar import Haar, HaarTree, Normalization
from dp_refimpl.matrix.identity import Identity
from dp_refimpl.matrix.mechanism import MatrixMechanism
from dp_refimpl.matrix.parameters import Neighbors, Root, require_kind
from dp_refimpl.matrix.privelet import Privelet
from dp_refimpl.matrix.tree import Tree
from dp_refimpl.matrix.weighted_privelet import WeightedPrivelet
from dp_refimpl.matrix.workload_totals import Workload
from dp_refimpl.requirements import is_integer
from dp_spec.vocabulary.exceptions import DomainError

NAMES = ("Identity", "Tree", "Boost", "Privelet", "WeightedPrivelet", "HaarAveraged", "HaarOrthonormal")
MAX_SIZE = 2**60
MAX_COLUMNS = 256
"""Of a strategy that is given as a matrix: it is inverted exactly."""
MAX_ENTRIES = 1 << 18
"""Of a workload that is given as a matrix."""
PADDED = 64
"""Branching factors up to this one are tried where trees are padded."""


class NoiseLaw(Enum):
    """Laplace noise, or discrete Laplace noise, which is added to integers alone."""

    LAPLACE = "laplace"
    DISCRETE = "discrete"


@dataclass(frozen=True, eq=False)
class Setting:
    """N counts, queries on them, who are neighbors, the noise; branching factors (none: all that fit), padding.

    Raises `DomainError` for N outside 1..`MAX_SIZE`, branching factors below 2 or above `MAX_SIZE`, a matrix of
    another width or of more than `MAX_ENTRIES` entries.
    """

    size: int
    workload: Workload | fmpq_mat = Workload.RANGES
    neighbors: Neighbors = Neighbors.ADD_REMOVE
    noise: NoiseLaw = NoiseLaw.LAPLACE
    branchings: tuple[int, ...] = ()
    pad: bool = False

    def __post_init__(self) -> None:
        for name, number, least in (("n", self.size, 1), *(("branching", b, 2) for b in self.branchings)):
            if not is_integer(number, least, MAX_SIZE):
                raise DomainError(name, number, f"an integer in {least}..2^60")
        require_kind("neighbors", self.neighbors, Neighbors)
        require_kind("noise", self.noise, NoiseLaw)
        if isinstance(self.workload, fmpq_mat):
            if self.workload.ncols() != self.size:
                columns = self.workload.ncols()
                raise DomainError("workload", f"{columns} columns", f"{self.size} columns, one for each count")
            if not 0 < self.workload.nrows() * self.size <= MAX_ENTRIES:
                raise DomainError("workload", f"{self.workload.nrows()} rows", f"1..{MAX_ENTRIES} entries in all")
        else:
            require_kind("workload", self.workload, Workload)


@dataclass(frozen=True, eq=False)
class Candidate:
    """A strategy by the name of its family or file, and the program; its size is N or, padded, more."""

    name: str
    mechanism: Mechanism

    @property
    def label(self) -> str:
        """With branching factor and root."""
        if isinstance(self.mechanism, Tree):
            return f"{self.name} (b={self.mechanism.branching}, {self.mechanism.root.value})"
        return self.name


@dataclass(frozen=True)
class Missing:
    """A strategy that there is not, and why."""

    label: str
    reason: str


def candidates(setting: Setting, names: Sequence[str] = NAMES) -> tuple[list[Candidate], list[Missing]]:
    """The strategies of these families for a setting, and those that do not apply, in the order of `NAMES`."""
    applicable, missing = [], []
    for one in _all(setting, [name for name in NAMES if name in names]):
        reason = None if isinstance(one, Missing) else inapplicable(one, setting)
        if isinstance(one, Missing):
            missing.append(one)
        elif reason is not None:
            missing.append(Missing(one.label, reason))
        else:
            applicable.append(one)
    return applicable, missing


def of_matrix(name: str, matrix: fmpq_mat, setting: Setting) -> Candidate:
    """A strategy that is given as a matrix. Raises `DomainError` for other widths, too many columns, a lower rank, and
    the name of a family."""
    if name in NAMES:
        raise DomainError("strategy", name, "another name: it is that of a family of strategies")
    if not matrix.ncols() == setting.size <= MAX_COLUMNS:
        allowed = f"{setting.size} columns, at most {MAX_COLUMNS}"
        raise DomainError("strategy", f"{name}: {matrix.ncols()} columns", allowed)
    return Candidate(name, MatrixMechanism(matrix))


def inapplicable(candidate: Candidate, setting: Setting) -> str | None:
    """Why the noise does not go with a strategy; None where it does."""
    mechanism = candidate.mechanism
    if setting.noise is NoiseLaw.LAPLACE:
        return None
    fractions = isinstance(mechanism, HaarTree) and mechanism.divided
    if fractions or (isinstance(mechanism, MatrixMechanism) and mechanism.matrix.numer_denom()[1] != 1):
        return "discrete noise: its answers are fractions"
    if isinstance(mechanism, Haar) and mechanism.normalization is Normalization.ORTHONORMAL:
        return "discrete noise: its scales are irrational"
    return None


def branchings(size: int) -> list[int]:
    """The b >= 2 of which the size is a power, increasing; 2 for a single count."""
    bases = [2] if size == 1 else []
    for height in range(size.bit_length(), 0, -1):
        b = int(fmpz(size).root(height))
        if b >= 2 and b**height == size:
            bases.append(b)
    return bases


def padded(size: int, branching: int) -> int:
    """The least power of b that is not below the size."""
    leaves = 1
    while leaves < size:
        leaves *= branching
    return leaves


def _all(setting: Setting, names: Sequence[str]) -> Iterator[Candidate | Missing]:
    for name in names:
        if name == "Identity":
            yield Candidate(name, Identity(setting.size))
        elif name in ("Tree", "Boost"):
            yield from _trees(name, setting)
        else:
            yield _haar(name, setting)


def _trees(name: str, setting: Setting) -> Iterator[Candidate | Missing]:
    n, fitting = setting.size, branchings(setting.size)
    tried = setting.branchings or (sorted({*range(2, PADDED + 1), *fitting}) if setting.pad and n > 1 else fitting)
    for b in dict.fromkeys(tried):
        size = padded(n, b)
        for root in Root:
            label = f"{name} (b={b}, {root.value})"
            if size != n and not setting.pad:
                yield Missing(label, f"{n} is no power of {b} (--pad fills up to {size} with zeros)")
            elif size == 1 and root is Root.OMITTED:
                yield Missing(label, "a single count is the root itself")
            else:
                yield Candidate(name, (Tree if name == "Tree" else Boost)(size, b, root))


def _haar(name: str, setting: Setting) -> Candidate | Missing:
    size = padded(setting.size, 2)
    if size != setting.size and not setting.pad:
        return Missing(name, f"{setting.size} is no power of 2 (--pad fills up to {size} with zeros)")
    if name == "HaarAveraged":
        return Candidate(name, Haar(size, Normalization.AVERAGED))
    if name == "HaarOrthonormal":
        return Candidate(name, Haar(size, Normalization.ORTHONORMAL))
    return Candidate(name, Privelet(size) if name == "Privelet" else WeightedPrivelet(size))
