"""HnoisyConditionals: joint tables of a network with entropy-weighted noise (source 003, Algorithm 5, (11), (12))."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from sys import float_info
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol

from flint import arb, fmpq

from dp_refimpl.coins import Coins
from dp_refimpl.matrix.geometric import DiscreteLaplace
from dp_refimpl.requirements import require_drawing, require_integer, require_word
from dp_refimpl.synthesis.conditionals import Conditional, Conditionals, EmptyMass, JointTable
from dp_refimpl.synthesis.information import LogarithmRatio, entropy, require_records
from dp_refimpl.synthesis.network import Network, require_network
from dp_refimpl.synthesis.tables import CountTable, domain_records
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import S, at_most, ball

if TYPE_CHECKING:
    from numpy.random import Generator  # takes long, and exact work does without

Prefix = Literal["d-degree", "d-attrs", "none"]
"""What d in l' = min(c - 1, d) is: the bound on the number of parents, or the number of attributes of the data.

Not printed: 0 (`none`), so that all joint tables get noise, and all pairs of a network with the filter (9) a law.
"""
Base = Literal["values", "records"]
"""The n in log n of (11): the number of values of the attribute, or the number of records."""


class CellNoise(Protocol):
    """Noise that is added to the numbers of records in the cells of a joint table, independently."""

    def cells(self, joint: int, counts: Sequence[int], n: int, coins: Coins) -> tuple[fmpq, ...]:
        """The noisy numbers for counts of n records, in the joint table of this index among those with noise."""
        ...


@dataclass(frozen=True)
class RangeGeometric(Generic[S]):
    """Two-sided geometric noise clamped to 0..n: a rational analog of Laplace noise and of the clamping at 0.

    Joint i has alpha_i = e^(-omega_i epsilon_3 / 2), the analog of (12). The clamping at n is not in Algorithm 5.
    Raises `DomainError` unless 0 < alpha < 1.
    """

    alphas: tuple[S, ...]

    def __post_init__(self) -> None:
        for alpha in self.alphas:
            DiscreteLaplace(alpha)

    def law(self, joint: int, count: int, n: int) -> tuple[S, ...]:
        """The probabilities of 0..n. Raises `DomainError` for a count outside 0..n, and for a joint without alpha."""
        _require_joint(joint, self.alphas)
        if not 0 <= count <= require_records(n):
            raise DomainError("count", count, f"an integer in 0..{n}")
        noise = DiscreteLaplace(self.alphas[joint])
        return (noise.at_least(count), *(noise.prob(x - count) for x in range(1, n)), noise.at_least(n - count))

    def cells(self, joint: int, counts: Sequence[int], n: int, coins: Coins) -> tuple[fmpq, ...]:
        """Numbers in 0..n."""
        laws = {count: self.law(joint, count, n) for count in set(counts)}
        return tuple(map(fmpq, coins.choose_each([laws[count] for count in counts])))


@dataclass(frozen=True)
class LaplaceCells:
    """Laplace noise as printed, in floats taken at their exact values, for measuring errors: it takes no coins.

    `scales` are those of (12), of frequencies. The last bits of a float show where it comes from: only discrete noise
    is private exactly. Raises `DomainError` for scales below 0 and for those that no float holds.
    """

    scales: tuple[float, ...]
    generator: "Generator"

    def __post_init__(self) -> None:
        for scale in self.scales:
            if not isinstance(scale, float) or not 0 <= scale <= float_info.max:
                raise DomainError("scale", scale, "a float >= 0, finite")
        require_drawing(self.generator)

    def cells(self, joint: int, counts: Sequence[int], n: int, coins: Coins) -> tuple[fmpq, ...]:
        """Every count and n times the noise of a frequency; a draw beyond all floats is the largest float.

        Raises `DomainError` for a joint without a scale.
        """
        _require_joint(joint, self.scales)
        most = float_info.max
        draws = self.generator.laplace(0.0, self.scales[joint], len(counts)).tolist()
        exact = [Fraction(min(max(draw, -most), most)) for draw in draws]
        return tuple(count + n * fmpq(z.numerator, z.denominator) for count, z in zip(counts, exact, strict=True))


@dataclass(frozen=True)
class NoCellNoise:
    """No noise, as in NoPrivacy."""

    def cells(self, joint: int, counts: Sequence[int], n: int, coins: Coins) -> tuple[fmpq, ...]:
        """The counts."""
        return tuple(map(fmpq, counts))


@dataclass(frozen=True)
class HnoisyConditionals:
    """Algorithm 5 of source 003 for one cluster: which joint tables get noise, and what is derived from them.

    Raises `DomainError` unless degree >= 0 is an integer, and for an unknown reading.
    """

    noise: CellNoise
    degree: int
    prefix: Prefix = "d-degree"
    empty: EmptyMass = "uniform"

    def __post_init__(self) -> None:
        require_integer("degree", self.degree, 0)
        require_word("empty", self.empty, EmptyMass)
        require_word("prefix", self.prefix, Prefix)

    def prefix_length(self, table: CountTable, network: Network) -> int:
        """l' = min(c - 1, d), the number of pairs that are derived from the joint table of pair l' + 1."""
        d = {"d-degree": self.degree, "d-attrs": len(table.sizes), "none": 0}[self.prefix]
        return min(len(require_network(network)) - 1, d)

    def noisy_joints(self, table: CountTable, network: Network, coins: Coins) -> tuple[JointTable, ...]:
        """The joint tables of the pairs l' + 1, ..., c with noise, before negative cells are set to 0.

        Raises `DomainError` for a table without records, and for a network of attributes that it does not have.
        """
        n, joints = require_records(table.n), []
        for i, (x, parents) in enumerate(network[self.prefix_length(table, network) :]):
            exact = table.marginal((x, *parents))
            counts = [exact.count(record) for record in domain_records(exact.sizes)]
            cells = self.noise.cells(i, counts, n, coins)
            joints.append(JointTable((x, *parents), exact.sizes, cells))
        return tuple(joints)

    def conditionals(self, network: Network, joints: Sequence[JointTable]) -> Conditionals:
        """P*: a conditional distribution for each pair, read off the noisy joint tables alone.

        Raises `UnderivableError` where a pair among the first l' has attributes that joint table l' + 1 does not have,
        `DomainError` for no joint tables or too many.
        """
        first = len(require_network(network)) - len(joints)
        if not joints or first < 0:
            raise DomainError("joints", joints, f"from 1 to {len(network)} joint tables")
        sources = [joints[0]] * first + list(joints)
        pairs = zip(network, sources, strict=True)
        return tuple(Conditional.of_joint(joint, x, parents, self.empty) for (x, parents), joint in pairs)

    def publish(self, table: CountTable, network: Network, coins: Coins) -> Conditionals:
        """P* of a cluster. Raises as `noisy_joints` and `conditionals`."""
        return self.conditionals(network, self.noisy_joints(table, network, coins))


def risk_entropy(table: CountTable, x: int, base: Base = "values") -> LogarithmRatio:
    """OE of an attribute (11), H / log m with m the number of its values or of the records.

    Raises `DomainError` for m = 1 (0 / 0), for an unknown reading, and as `entropy`.
    """
    require_word("base", base, Base)
    quantity = entropy(table, (x,))
    m = table.sizes[x] if base == "values" else table.n
    if m == 1:
        raise DomainError(base, m, "at least 2: the logarithm of 1 is no divisor")
    return LogarithmRatio(quantity.power, fmpq(m) ** table.n)


def entropy_weights(
    table: CountTable, attributes: Sequence[int], base: Base = "values", bits: int = 128
) -> tuple[Real, ...] | tuple[arb, ...]:
    """e^(-OE) of the attributes: exact if all OE are rational, or 1 each if all are equal; otherwise balls.

    Only quotients of weights are used. Raises `DomainError` as `risk_entropy`.
    """
    entropies = [risk_entropy(table, x, base) for x in attributes]
    if len(set(entropies)) == 1:
        return (Real.lift(1),) * len(entropies)
    exact = [ratio.exact() for ratio in entropies]
    rational = [number for number in exact if number is not None]
    if len(rational) == len(exact):
        return tuple(Real.power(None, -number) for number in rational)
    with precision(bits):
        return tuple((-ratio.enclosure(bits)).exp() for ratio in entropies)


def shares(weights: Sequence[S]) -> tuple[S, ...]:
    """omega_j, a weight divided by the sum of all. Raises `DomainError` without weights, and unless all are > 0."""
    if not weights or any(at_most(weight, 0) for weight in weights):
        raise DomainError("weights", weights, "at least one weight, all > 0")
    total = sum(weights[1:], weights[0])
    return tuple(weight / total for weight in weights)


def noise_scales(n: int, epsilon: Any, weights: Sequence[S]) -> tuple[S, ...]:
    """b_j = 2 / (n epsilon_3 omega_j) of (12), for a number epsilon_3 that the weights can be divided by.

    Raises `DomainError` without weights, unless they are > 0, unless n >= 1, and for epsilon_3 <= 0.
    """
    if at_most(epsilon, 0):
        raise DomainError("epsilon", epsilon, "a number > 0")
    return tuple(2 / (share * epsilon * require_records(n)) for share in shares(weights))


def geometric_alphas(budget: Budget[S], parts: Sequence[Any]) -> tuple[S, ...]:
    """alpha_j = e^(-omega_j epsilon_3 / 2) of joint tables that get the shares omega_j of the budget epsilon_3.

    Raises `NotExactError` where the field has no such number, `DomainError` for irrational shares unless it has balls.
    """
    return tuple(_alpha(budget, part) for part in parts)


def _require_joint(joint: int, noises: Sequence[object]) -> None:
    if not 0 <= joint < len(noises):
        raise DomainError("joint", joint, f"an index below {len(noises)}, the number of joint tables with noise")


def _alpha(budget: Budget[S], part: Any) -> S:
    exact = part.rational() if isinstance(part, Real) else part if isinstance(part, fmpq) else None
    if exact is not None:
        return 1 / budget.exp(Fraction(int(exact.p), 2 * int(exact.q)))
    root: Any = budget.root
    if not isinstance(root, arb):
        raise DomainError("budget", root, f"a ball: the share {part} is irrational")
    return (-(root.log() * budget.power * ball(part)) / 2).exp()  # type: ignore[return-value]
