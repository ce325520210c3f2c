"""What the methods of source 003 spend: of every stage and release the epsilon that is claimed, and that is certified.

A plan lists the stages that read the data, each with its share of epsilon and how many times this share bounds its
loss. What is released is computed from stages one after the other, which add up: where a statement says what several
stages lose together, that is the one which is cited. Ids of statements are here, no verdicts: that those which a
constant rests on are proved or verified is read from the ledger by a test. (What is verified is known to hold on the
small tables that the evidence names.) All attributes are binary, and noise is Laplace noise, as printed, or for joint
tables that of `RangeGeometric`. On a lattice a coefficient is rounded first, and may move by a step more: nothing is
certified of that.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from flint import fmpq

from dp_refimpl.requirements import require_above, require_integer, require_share, require_word
from dp_refimpl.synthesis.dpsc import Draws
from dp_refimpl.synthesis.hmprivbayes import budget_shares
from dp_refimpl.synthesis.privbayes import DEFAULT_SCORE, ScoreName
from dp_refimpl.synthesis.tables import Relation
from dp_spec.vocabulary.budget import Epsilon, read_epsilon
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import at_most

Weights = Literal["fixed", "data"]
"""Whether the weights e^(-OE) of (12) are public constants, or those of the data."""
ADDED, COMPUTED = "003.prop1.seq@adaptive", "003.def1.dp@subset"
"""Stages one after the other add up; what is computed from their outputs loses no more."""

BETA, HALF = fmpq(3, 10), fmpq(1, 2)
"""The parts of epsilon that PrivBayes has for its network by default, and that Jtree gets for its graph here."""
_TWO_STAGES = ("003.thm1.dp@transcript.data.ro.corrected",)
_THREE_STAGES = ("003.thm1.dp@transcript.fixed.ro.corrected", "003.thm1.dp@synth.geometric.ro.corrected")
"""What matrix and networks lose together, and with the joint tables, of Laplace or geometric noise; d >= 2."""
_DATA_WEIGHTS = tuple(f"003.alg5.dp@data.{name}" for name in ("values.raw", "values.clamped", "records.clamped"))


_SENSITIVITIES: dict[ScoreName, str] = {
    "I": "003.sec32.delta-i@parents.ro",
    "I-general": "003.base.privbayes.sens-i@general",
    "F": "003.base.privbayes.sens-f@half",
    "R": "003.base.privbayes.sens-r",
}


class NotCertifiedError(DomainError):
    """No statement that is proved or verified bounds the loss."""


@dataclass(frozen=True)
class Bound:
    """The loss of a stage is at most `factor` times its budget, by the statements `claims`.

    None: no constant is certified; then `claims` are the statements that say so or are open.
    """

    factor: fmpq | None
    claims: tuple[str, ...]


@dataclass(frozen=True)
class Stage:
    """A stage that reads the data: its share of epsilon, and bounds where a record is replaced, or added or removed.

    What the stages before it have released is given.
    """

    name: str
    share: fmpq
    ro: Bound
    ar: Bound

    def bound(self, relation: Relation) -> Bound:
        """The bound for these neighbors. Raises `DomainError` for an unknown relation."""
        require_word("relation", relation, Relation)
        return self.ro if relation == "ro" else self.ar


@dataclass(frozen=True)
class Spending:
    """What a stage by itself, or everything up to a release, spends: `nominal` is claimed, `certified` is bounded.

    `certified` is None where no constant is; `claims` are as those of `Bound`.
    """

    name: str
    nominal: fmpq
    certified: fmpq | None
    claims: tuple[str, ...]


@dataclass(frozen=True)
class Account:
    """The stages, each by itself, and the releases, each with everything that it is computed from."""

    stages: tuple[Spending, ...]
    releases: tuple[Spending, ...]

    @property
    def transcript(self) -> Spending:
        """Everything that is released, or computed from it."""
        return self.releases[-1]


@dataclass(frozen=True)
class Plan:
    """How a method divides epsilon among its stages, and from how many of them each release is computed.

    Raises `DomainError` unless the shares are >= 0 and add up to 1 (to 0 for a method that uses no budget).

    `together` has the statements on what so many first stages lose together, by relation and number of stages.
    """

    method: str
    stages: tuple[Stage, ...]
    releases: tuple[tuple[str, int], ...]
    together: Mapping[tuple[Relation, int], tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        shares = [stage.share for stage in self.stages]
        if not all(at_most(0, share) for share in shares) or sum(shares, fmpq(0)) not in (0, 1):
            raise DomainError("stages", ", ".join(map(str, shares)), "shares >= 0 that add up to 1, or to 0")

    def budgets(self, epsilon: Epsilon) -> tuple[fmpq, ...]:
        """The epsilon of every stage, of a nominal epsilon. Raises `DomainError` as `account`."""
        whole = rational_epsilon(epsilon)
        return tuple(stage.share * whole for stage in self.stages)

    def account(self, epsilon: Epsilon, relation: Relation = "ro") -> Account:
        """What is spent at a nominal epsilon.

        Raises `DomainError` unless it is rational, and above 0 where any is spent, and for an unknown relation.
        """
        if any(stage.share for stage in self.stages):
            require_above("epsilon", rational_epsilon(epsilon), 0)
        stages = tuple(
            _spending(stage.name, budget, stage.bound(relation))
            for stage, budget in zip(self.stages, self.budgets(epsilon), strict=True)
        )
        releases = ((name, stages[:count], self.together.get((relation, count), ())) for name, count in self.releases)
        return Account(stages, tuple(_added(*release) for release in releases))

    def calibrated(self, epsilon: Epsilon, relation: Relation = "ro") -> fmpq:
        """The nominal epsilon, divided as planned, at which the transcript is certified to lose at most this epsilon.

        Raises `NotCertifiedError` where no constant is certified, and `DomainError` as `account`.
        """
        spent = self.account(1, relation).transcript
        if spent.certified is None:
            reasons = ", ".join(spent.claims)
            allowed = f"a method whose transcript has a certified constant in the relation {relation} (see {reasons})"
            raise NotCertifiedError("method", self.method, allowed)
        require_above("epsilon", whole := rational_epsilon(epsilon), 0)
        return whole / spent.certified


def hmprivbayes_plan(d: int, k: int = 3, weights: Weights = "fixed", draws: Draws = "once") -> Plan:
    """HMPrivBayes with d attributes in k clusters, the budget divided as in Section 4.1.

    One record moves all coefficients, and all clusters: floor(d/2) epsilon_1 + k epsilon_2 + k epsilon_3 are certified
    with fixed weights (twice the first with two draws for each pair), no constant with those of the data, and none
    where a record is added or removed, since the scales tell n. Raises `DomainError` unless 1 <= k <= d, and for
    unknown readings.
    """
    first, second, third = (fmpq(share.numerator, share.denominator) for share in budget_shares(d, k))
    if k > d:
        raise DomainError("k", k, f"an integer in 1..{d}, at most one cluster for each attribute")
    together: Mapping[tuple[Relation, int], tuple[str, ...]] = {("ro", 2): _TWO_STAGES, ("ro", 3): _THREE_STAGES}
    return Plan(
        "HMPrivBayes",
        (
            _matrix(first, d, draws),
            Stage(
                "networks",
                second,
                Bound(fmpq(k), ("003.sec33.allclusters.corrected", "003.eq9.post")),
                Bound(fmpq(k), ("003.thm1.dp@transcript.ar.corrected", "003.eq9.post")),
            ),
            _joints(third, weights, k, ("003.sec34.allclusters.corrected",)),
        ),
        (("matrix", 1), ("partition", 1), ("networks", 2), ("joints", 3), ("conditionals", 3), ("data", 3)),
        together if d > 1 and draws == "once" else {},
    )


def privbayes_plan(d: int, degree: int, beta: fmpq = BETA) -> Plan:
    """PrivBayes with d attributes: beta epsilon for the network, the rest for the joint tables; all of it at degree 0.

    What it claims is certified where a record is replaced. Where one is added or removed this is so of the network; no
    constant bounds what the noisy joint tables lose, the scale of whose noise tells n. Raises `DomainError` unless
    0 <= degree < d, 0 < beta < 1.
    """
    require_integer("d", d, 1)
    require_integer("degree", degree, 0, d - 1)
    if degree:
        require_share("beta", beta)
    first = beta if degree else fmpq(0)
    replaced = Bound(fmpq(1), ("003.base.privbayes.dp",))
    stages = (
        Stage("networks", first, replaced, Bound(fmpq(1), ("003.base.privbayes.network.ar",))),
        Stage("joints", 1 - first, replaced, Bound(None, ("003.base.privbayes.joints.ar",))),
    )
    releases = (("networks", 1), ("joints", 2), ("conditionals", 2), ("data", 2))
    return Plan("PrivBayes", stages, releases, {("ro", 2): replaced.claims})


def jtree_plan(d: int, part: fmpq = HALF) -> Plan:
    """Jtree with d attributes and no sampling (rate 1): this part of epsilon for the graph, the rest for the tables.

    The graph's comparisons of m = d (d - 1) / 2 pairs are certified to lose m / 2 times their budget. (On a sample of
    rate beta it would be ln(1 + beta (e^(m epsilon_a / 2) - 1)), which is no multiple of it.) Raises `DomainError`
    unless d >= 1, 0 < part < 1.
    """
    pairs = require_integer("d", d, 1) * (d - 1) // 2
    require_share("part", part)
    graph = Bound(fmpq(pairs, 2), ("003.base.jtree.graph.corrected", "003.sec32.delta-i@pair.ro"))
    tables = (Bound(fmpq(1), (f"003.base.jtree.cliques@{relation}",)) for relation in get_args(Relation))
    stages = (Stage("graph", part, graph, Bound(None, ("003.base.jtree.dp@ar",))), Stage("tables", 1 - part, *tables))
    together: Mapping[tuple[Relation, int], tuple[str, ...]] = {("ro", 2): ("003.base.jtree.dp@ro.corrected",)}
    return Plan("Jtree", stages, (("graph", 1), ("tables", 2), ("data", 2)), together if d > 1 else {})


def scbn_plan() -> Plan:
    """The reconstruction of PrivSCBN, with equal parts: nothing is certified of it (see `scbn`)."""
    names, bound = ("matrix", "networks", "conditionals"), Bound(None, ("003.base.scbn.claims",))
    stages = tuple(Stage(name, fmpq(1, 3), bound, bound) for name in names)
    return Plan("ReconstructedSCBN", stages, (("matrix", 1), ("networks", 2), ("conditionals", 3), ("data", 3)))


def no_privacy_plan() -> Plan:
    """NoPrivacy uses no budget: what it publishes is exact, and no constant bounds its loss."""
    bound = Bound(None, ("003.sec34.needed",))
    stages = tuple(Stage(name, fmpq(0), bound, bound) for name in ("matrix", "networks", "joints"))
    return Plan("NoPrivacy", stages, (("data", 3),))


def selection_plan(score: ScoreName = DEFAULT_SCORE) -> Plan:
    """One choice by the exponential mechanism, by a score of binary attributes (`I-general`: of any).

    What it claims is certified where a record is replaced; of one that is added or removed nothing is stated for all
    scores. Raises `DomainError` for an unknown score.
    """
    sensitivity = _SENSITIVITIES[require_word("score", score, ScoreName)]
    bounds = Bound(fmpq(1), ("003.def4.dp", sensitivity)), Bound(None, ())
    return Plan("ExponentialMechanism", (Stage("choice", fmpq(1), *bounds),), (("choice", 1),))


def dpsc_plan(d: int, draws: Draws = "once") -> Plan:
    """DPSC with d attributes: floor(d/2) epsilon_1 is certified for the matrix S, of which the clusters are made.

    Twice as much with two draws for each pair, and no constant where a record is added or removed. Raises `DomainError`
    unless d >= 2, and for an unknown reading.
    """
    require_integer("d", d, 2, note=": without pairs nothing is spent")
    return Plan("DPSC", (_matrix(fmpq(1), d, draws),), (("matrix", 1), ("partition", 1)))


def ibayes_plan() -> Plan:
    """IBayes: what it claims is certified of one cluster, in both relations."""
    bounds = (Bound(fmpq(1), (f"003.alg4.dp@{relation}",)) for relation in get_args(Relation))
    return Plan("IBayes", (Stage("networks", fmpq(1), *bounds),), (("networks", 1),))


def noisy_conditionals_plan(weights: Weights = "fixed") -> Plan:
    """HnoisyConditionals of one cluster, for a network that is given: what it claims is certified with fixed weights.

    There is no constant with those of the data. Raises `DomainError` for an unknown reading.
    """
    return Plan("HnoisyConditionals", (_joints(fmpq(1), weights),), (("joints", 1), ("conditionals", 1)))


def rational_epsilon(epsilon: Epsilon) -> fmpq:
    """An epsilon as a rational number. Raises `DomainError` for what is no epsilon >= 0, and for logarithms."""
    base, exponent = read_epsilon(epsilon)
    if base is not None:
        raise DomainError("epsilon", epsilon, "a rational number >= 0, which parts of it are compared with")
    return fmpq(exponent.numerator, exponent.denominator)


def _matrix(share: fmpq, d: int, draws: Draws) -> Stage:
    """S: floor(d/2) times its budget, with two draws for each pair twice as much. Raises for an unknown reading."""
    times = 2 if require_word("draws", draws, Draws) == "twice" else 1
    claims = ("003.alg3.dp@matrix.once.ro.corrected", *["003.prop1.seq@independent"] * (times - 1))
    return Stage("matrix", share, Bound(fmpq(d // 2 * times), claims), Bound(None, ("003.alg3.dp@matrix.once.ar",)))


def _joints(share: fmpq, weights: Weights, k: int = 1, together: tuple[str, ...] = ()) -> Stage:
    """The noisy joint tables of k clusters, which together lose what other claims say. Raises as `_matrix`."""
    claims = ("003.alg5.dp@fixed", *together, "003.alg5.geometric", "003.eq12.shares")
    fixed = require_word("weights", weights, Weights) == "fixed"
    bound = Bound(fmpq(k), claims) if fixed else Bound(None, _DATA_WEIGHTS)
    return Stage("joints", share, bound, Bound(None, ("003.thm1.dp@transcript.ar",)))


def _spending(name: str, budget: fmpq, bound: Bound) -> Spending:
    return Spending(name, budget, None if bound.factor is None else bound.factor * budget, bound.claims)


def _added(name: str, parts: tuple[Spending, ...], together: tuple[str, ...]) -> Spending:
    """Everything up to a release: the claims of the parts that have no constant; those of all together, or of each and
    of how they add up."""
    certified = [part.certified for part in parts if part.certified is not None]
    nominal = sum((part.nominal for part in parts), fmpq(0))
    if len(certified) < len(parts):
        return Spending(name, nominal, None, _listed(*(part.claims for part in parts if part.certified is None)))
    each = (*(part.claims for part in parts), (ADDED,) * (len(parts) > 1))
    computed = (COMPUTED,) * (name not in [part.name for part in parts])
    return Spending(name, nominal, sum(certified, fmpq(0)), _listed(*([together] if together else each), computed))


def _listed(*claims: tuple[str, ...]) -> tuple[str, ...]:
    """Each once."""
    return tuple(dict.fromkeys(claim for some in claims for claim in some))
