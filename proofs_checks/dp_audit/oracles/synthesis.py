"""Oracles of synthetic tables: a selection on tables, noisy joint tables, PrivBayes and HMPrivBayes (source 003).

Every law is that of a program of `dp_refimpl.synthesis`, enumerated: exact where the probabilities are, else in balls
of the current precision. The inputs are data sets, every two of which differ in one record that is replaced; a
selection may have two, one with a record more. Noise is the clamped geometric noise of the catalogue (T6), so that the
laws are finite.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations
from math import prod
from operator import ge
from typing import Any, Literal

from flint import arb, fmpq

from dp_audit.oracles.base import DataSets, Number, OracleKind, epsilon, exponential, integer, number, one_of
from dp_audit.oracles.readers import as_fraction, integers, rational, rationals, several, square
from dp_audit.oracles.readers import tables as records
from dp_refimpl.coins import Coins
from dp_refimpl.enumeration import TooManyPathsError, output_law
from dp_refimpl.records import Claims, always
from dp_refimpl.synthesis.accountant import BETA
from dp_refimpl.synthesis.conditionals import Conditionals, JointTable, draw_row
from dp_refimpl.synthesis.hmprivbayes import HMPrivBayes, fixed_weights, require_partition
from dp_refimpl.synthesis.information import entropy, entropy_sensitivity
from dp_refimpl.synthesis.network import IBayes, Network, Pair, ParentScore, attribute_filter, require_network
from dp_refimpl.synthesis.noisy_tables import HnoisyConditionals, NoCellNoise, RangeGeometric
from dp_refimpl.synthesis.privbayes import DEFAULT_SCORE, SCORES, FixedDegree, GreedyBayes, PrivBayes, joint_alphas
from dp_refimpl.synthesis.selection import ExponentialMechanism
from dp_refimpl.synthesis.tables import CountTable
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError, NotExactError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.precision import current_bits
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import at_most

Records = tuple[tuple[int, ...], ...]
Program = Callable[[CountTable, Coins], Hashable]
Release = Literal["networks", "joints", "conditionals", "data"]
"""What is reported of a run: the networks; the noisy joint tables, too; what is derived from them; the rows."""
HALF = fmpq(1, 2)
MAX_PATHS = 100_000
"""Random paths of a program on one data set; an oracle with more is refused."""
SELECTED: Mapping[str, ParentScore] = {
    **{str(name): score for name, score in SCORES.items()},
    "H": ParentScore(lambda table, x, _: entropy(table, (x,)), entropy_sensitivity),
}
"""The scores of PrivBayes, and the entropy by which IBayes chooses its first attribute."""


@dataclass(frozen=True)
class TableOracle(DataSets):
    """Data sets 0 .. m-1 of records with `sizes` values of their attributes, and a program that reads one of them.

    Raises `DomainError` unless the records have such values, there are two or more data sets, and every two differ in
    one record that is replaced; where it may be added, there may be two, one with a record more.
    """

    sizes: tuple[int, ...]
    tables: tuple[Records, ...]
    epsilon: Budget[Real]

    def __post_init__(self) -> None:
        for record in (record for table in self.tables for record in table):
            if len(record) != len(self.sizes) or any(map(ge, record, self.sizes)):
                raise DomainError("sizes, tables", (self.sizes, record), "a value below each size in every record")
        counted = [Counter(dict(table.counts)) for table in self.data]
        if len(counted) < 2:
            raise DomainError("tables", self.tables, "two or more data sets")
        for one, other in combinations(counted, 2):
            moved = (one - other).total(), (other - one).total()
            added = self.may_be_added and len(counted) == 2 and sum(moved) == 1
            if moved != (1, 1) and not added:
                raise DomainError("tables", self.tables, "data sets that differ in one record, which is replaced")

    @property
    def may_be_added(self) -> bool:
        """Whether the bound is known to hold where a record is added or removed."""
        return False

    @property
    def data(self) -> tuple[CountTable, ...]:
        """The data sets."""
        return tuple(CountTable.of_records(self.sizes, table) for table in self.tables)

    @property
    def number(self) -> int:
        """The number of tables."""
        return len(self.tables)

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Return the law of the program on a data set. Raises `DomainError` for what is no input."""
        try:
            law = _law(self, self.require_input(item), 0)
        except NotExactError:
            law = _law(self, self.require_input(item), current_bits())
        return {y: number(p) for y, p in law.items()}

    @abstractmethod
    def program(self, budget: Budget[Any]) -> Program:
        """Return the program of a budget, in any number field."""


@lru_cache(maxsize=64)
def _law(oracle: TableOracle, item: int, bits: int) -> dict[Hashable, Any]:
    """Return the law in exact numbers (0 bits), or in balls of so many bits."""
    budget: Budget[Any] = Budget.of_root(arb(exponential(oracle.epsilon))) if bits else oracle.epsilon
    program = oracle.program(budget)
    try:
        return output_law(partial(program, oracle.data[item]), budget.root * 0 + 1, max_paths=MAX_PATHS)
    except TooManyPathsError:
        raise DomainError("tables", oracle.tables, f"data sets with at most {MAX_PATHS} random paths each") from None


@dataclass(frozen=True)
class TableSelection(TableOracle):
    """The exponential mechanism on a data set: a candidate, an attribute with its parents, by its score.

    Raises `DomainError` for fewer than two records, and for a candidate that the score is not for: `I` has its
    sensitivity where the attribute or its parents have two values together, `I-general` elsewhere, `F` is of an
    attribute with two values, `H` of one without parents.
    """

    candidates: tuple[Pair, ...]
    score: str

    def __post_init__(self) -> None:
        super().__post_init__()
        table = min(self.data, key=lambda one: one.n)
        _require_records(table)
        for x, parents in self.candidates:
            table.marginal((x, *parents))
            own, others = self.sizes[x], prod(self.sizes[p] for p in parents)
            fits = {"I": 2 in (own, others), "I-general": 2 not in (own, others), "F": own == 2}
            if bool(parents) is (self.score == "H") or not fits.get(self.score, True):
                raise DomainError("candidates", self.candidates, f"pairs that the score {self.score} is for")

    @property
    def may_be_added(self) -> bool:
        """Whether the bound holds there: for `I` and `H`, each data set having its own sensitivity."""
        return self.score in ("I", "H")

    def program(self, budget: Budget[Any]) -> Program:
        """Return the program that chooses a candidate and reports its number."""
        score, mechanism = SELECTED[self.score], ExponentialMechanism(budget)

        def run(table: CountTable, coins: Coins) -> int:
            scores = [score.value(table, x, parents) for x, parents in self.candidates]
            return mechanism.choose(scores, score.sensitivity(table.n), coins)

        return run


@dataclass(frozen=True)
class NoisyJoints(TableOracle):
    """Algorithm 5 of source 003 for a network that is given: noisy joint tables, or what is derived or drawn from them.

    `weights` are those of all attributes and do not depend on the data. Raises `DomainError` for what is no network.
    """

    network: Network
    degree: int
    weights: tuple[fmpq, ...] | None = None
    release: Release = "joints"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.data[0].marginal([x for x, _ in require_network(self.network)])
        _weights(self.sizes, self.weights)

    def view_of(self, output: Hashable) -> Hashable:
        """Return the output with each probability, which need not be exact, as the nearest fraction of numbers that
        cells can have."""
        if self.release == "data":
            return _multiset(output)
        most = self.data[0].n * prod(self.sizes)
        return output if self.release == "joints" else nearest(output, most)

    def program(self, budget: Budget[Any]) -> Program:
        """Return the program of the cells of the noisy joint tables, the rows of the conditional distributions, or as
        many synthetic rows."""
        noise = fixed_weights(budget, dict(enumerate(_weights(self.sizes, self.weights))))

        def run(table: CountTable, coins: Coins) -> Hashable:
            first = HnoisyConditionals(NoCellNoise(), self.degree).prefix_length(table, self.network)
            step = HnoisyConditionals(noise(table, self.network[first:]), self.degree)
            joints = step.noisy_joints(table, self.network, coins)
            if self.release == "joints":
                return cells(joints)
            made = step.conditionals(self.network, joints)
            return rows(made) if self.release == "conditionals" else synthetic_rows(made, table.n, coins)

        return run


@dataclass(frozen=True)
class GreedyBayesOracle(TableOracle):
    """The network of PrivBayes alone, by the whole budget.

    Raises `DomainError` for fewer than two records, and for attributes for which the sensitivity of the score is not
    that of every pair: they have two values for `I` and `F`, more for `I-general`.
    """

    degree: int
    score: str = DEFAULT_SCORE

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_score(self.data[0], self.score)

    def program(self, budget: Budget[Any]) -> Program:
        """Return the program of the network."""
        network, rule = ExponentialMechanism(budget), FixedDegree(self.degree)
        return GreedyBayes(network, rule, budget.root * 0 + 1, SELECTED[self.score]).build


@dataclass(frozen=True)
class PrivBayesOracle(GreedyBayesOracle):
    """PrivBayes: a network by the share `beta` of the budget, its noisy joint tables by the rest, in equal parts."""

    beta: fmpq = BETA
    release: Release = "joints"

    def view_of(self, output: Hashable) -> Hashable:
        """Return the output; the order of rows does not matter."""
        return _multiset(output) if self.release == "data" else output

    def program(self, budget: Budget[Any]) -> Program:
        """Return the program of the network and the cells of its noisy joint tables, or as many synthetic rows."""
        d, one = len(self.sizes), budget.root * 0 + 1
        selection, rule = ExponentialMechanism(share(budget, self.beta)), FixedDegree(self.degree)
        noise = RangeGeometric(joint_alphas(share(budget, 1 - self.beta), d - min(self.degree, d - 1)))
        synthesis = PrivBayes(GreedyBayes(selection, rule, one, SELECTED[self.score]), noise)
        made: Any = synthesis.on_tables(self.sizes, self.data[0].n, self.release)

        def run(table: CountTable, coins: Coins) -> Hashable:
            release = made.program(table, coins)
            return release.records if self.release == "data" else (release[0], cells(release[1]))

        return run


@dataclass(frozen=True)
class CalibratedHMPrivBayes(TableOracle):
    """HMPrivBayes for a given partition with k clusters, calibrated: a cluster gets beta epsilon / k for its network
    and (1 - beta) epsilon / k for its joint tables, so that the clusters together lose epsilon at most.

    In print, and in the program `HMPrivBayes`, every cluster gets the whole of both (ledger: 003.sec33.allclusters,
    003.sec34.allclusters). The filter (9) is that of a noisy matrix which is public here, and of eta. Raises
    `DomainError` for what is no partition, for fewer than two records, unless all attributes have two values, and for a
    matrix of another size.
    """

    partition: tuple[tuple[int, ...], ...]
    degree: int
    weights: tuple[fmpq, ...] | None = None
    beta: fmpq = HALF
    release: Release = "joints"
    matrix: tuple[tuple[fmpq, ...], ...] | None = None
    eta: fmpq = HALF

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_score(self.data[0], "I")
        if self.matrix is not None and len(self.matrix) != len(self.sizes):
            raise DomainError("matrix", self.matrix, f"{len(self.sizes)} rows, one for each attribute")
        self.kept()
        require_partition(self.data[0], self.partition)
        _weights(self.sizes, self.weights)

    def kept(self) -> frozenset[tuple[int, int]] | None:
        """Return the ordered pairs of attributes that the filter leaves; None: all."""
        return None if self.matrix is None else attribute_filter(self.matrix, self.eta)

    def view_of(self, output: Hashable) -> Hashable:
        """Return the output; the order of rows does not matter."""
        return _multiset(output) if self.release == "data" else output

    def program(self, budget: Budget[Any]) -> Program:
        """Return the program of the network of every cluster and the cells of its noisy joint tables, or as many
        synthetic rows."""
        k, weights = len(self.partition), dict(enumerate(_weights(self.sizes, self.weights)))
        networks = IBayes(ExponentialMechanism(share(budget, self.beta / k)), self.degree, kept=self.kept())
        synthesis = HMPrivBayes(networks, fixed_weights(share(budget, (1 - self.beta) / k), weights))
        made: Any = synthesis.on_tables(self.sizes, self.data[0].n, self.partition, self.release)

        def run(table: CountTable, coins: Coins) -> Hashable:
            release = made.program(table, coins)
            if self.release == "joints":
                return tuple(zip(release[0], map(cells, release[1]), strict=True))
            output: Hashable = release.records if self.release == "data" else release
            return output

        return run


@dataclass(frozen=True)
class Public(DataSets):
    """What is published without noise: it may not depend on which of d data sets, all neighbors, is at hand."""

    d: int
    epsilon: Budget[Real]

    @property
    def number(self) -> int:
        """d."""
        return self.d

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Return the law of the empty list, with probability 1."""
        self.require_input(item)
        return {(): fmpq(1)}


def cells(joints: Sequence[JointTable]) -> tuple[tuple[int, ...], ...]:
    """Return the noisy numbers of records of joint tables, which are integers here."""
    return tuple(tuple(int(cell.p) for cell in joint.cells) for joint in joints)


def rows(conditionals: Conditionals) -> tuple[tuple[tuple[fmpq, ...] | None, ...], ...]:
    """Return for every pair and all values of its parents the law of the attribute."""
    return tuple(tuple(law for _, law in conditional.rows) for conditional in conditionals)


def synthetic_rows(conditionals: Conditionals, number: int, coins: Coins) -> Records:
    """Return the multiset of so many rows, drawn in order."""
    return _multiset(tuple([draw_row(conditionals, coins) for _ in range(number)]))


def nearest(output: Hashable, most: int) -> Hashable:
    """Return nested tuples with every rational number as the nearest fraction with a denominator of at most so much."""
    if isinstance(output, tuple):
        return tuple(nearest(part, most) for part in output)
    if not isinstance(output, fmpq):
        return output
    fraction = as_fraction(output).limit_denominator(most)
    return fmpq(fraction.numerator, fraction.denominator)


def share(budget: Budget[Any], part: fmpq) -> Budget[Any]:
    """Return the budget of a share > 0. Raises `NotExactError` where the field has no such number."""
    return Budget.of_root(budget.exp(as_fraction(part)))


def _multiset(records: Any) -> Records:
    return tuple(sorted(records))


def _require_records(table: CountTable) -> None:
    if table.n < 2:
        raise DomainError("tables", table.counts, "data sets of two or more records: else the sensitivity is 0")


def _require_score(table: CountTable, score: str) -> None:
    _require_records(table)
    few, most = {"I": (2, 2), "F": (2, 2), "I-general": (3, max(table.sizes))}.get(score, (1, max(table.sizes)))
    if any(not few <= size <= most for size in table.sizes):
        raise DomainError("sizes", table.sizes, f"numbers of values that the score {score} is for")


def _weights(sizes: Sequence[int], weights: tuple[fmpq, ...] | None) -> tuple[fmpq, ...]:
    """Return a weight of every attribute, equal ones by default. Raises `DomainError` for others than numbers > 0."""
    numbers = (fmpq(1),) * len(sizes) if weights is None else weights
    if len(numbers) != len(sizes) or any(at_most(weight, 0) for weight in numbers):
        raise DomainError("weights", numbers, f"{len(sizes)} numbers > 0, one for each attribute")
    return numbers


# --- parameters -------------------------------------------------------------------------------------------------------


def _pair(name: str, value: object) -> Pair:
    """Return an attribute with the list of its parents. Raises `DomainError` for anything else."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise DomainError(name, value, "pairs of an attribute and the list of its parents, as [[0, []], [1, [0]]]")
    return integer(0)(name, value[0]), integers(name, value[1])


def _share(name: str, value: object) -> fmpq:
    """Return a share of the budget. Raises `DomainError` unless it is above 0 and below 1."""
    rate = rational(name, value)
    if at_most(rate, 0) or at_most(1, rate):
        raise DomainError(name, value, "a number above 0 and below 1")
    return rate


_PAIRS = several(_pair, 1)
_DATA = "[[[0, 0], [1, 1]], [[0, 0], [1, 0]]]"
_WORDS = {
    "tables": ("the inputs: data sets, each the list of its records; every two differ in one record", _DATA),
    "matrix": ("noisy coefficients of all pairs of attributes, which are public here", "[[0, 1], [1, 0]]"),
    "eta": ("the factor of the filter (9), 1/2 by default; without a matrix there is no filter", "1/3"),
    "candidates": ("attributes with their parents", "[[0, [1]], [1, [0]]]"),
    "network": ("attributes with their parents, which stand before", "[[0, []], [1, [0]]]"),
    "partition": ("the clusters of attributes", "[[0], [1]]"),
    "sizes": ("numbers of values of the attributes", "2, 2"),
    "degree": ("how many parents an attribute has at most", "1"),
    "score": (f"the score; {DEFAULT_SCORE} by default", "I"),
    "weights": ("a constant for every attribute, by which joint tables share the budget; all 1 by default", "1, 2"),
    "release": ("what is reported; the joint tables by default", "joints"),
    "beta": ("the share of the budget of the networks; 1/2 by default", "1/3"),
}
_THREE = {
    "sizes": (_WORDS["sizes"][0], "2, 2, 2"),
    "tables": (_WORDS["tables"][0], "[[[0, 0, 0], [1, 1, 0]], [[0, 0, 0], [1, 0, 0]]]"),
    "candidates": (_WORDS["candidates"][0], "[[1, [0]], [2, [0]]]"),
    "score": ("I where an attribute or its parents have two values, I-general elsewhere, F, R; H without parents", "I"),
}
"""An example with two candidates that differ."""
_PRIVBAYES = {
    "beta": ("the share of the budget of the network; 3/10 by default", "1/3"),
}
"""The default is that of the program of that name."""
_EXAMPLE: Mapping[str, object] = {"sizes": (2, 2), "tables": (((0, 0), (1, 1)), ((0, 0), (1, 0))), "epsilon": "8*ln(2)"}
_EXAMPLE_TABLES = (((0, 0, 0), (1, 1, 0)), ((0, 0, 0), (1, 0, 1)))
_CHAIN = ((0, ()), (1, (0,)))
_BASE = {"sizes": integers, "tables": several(records), "epsilon": epsilon}
_NOISE = (
    "two-sided geometric noise, P(z) proportional to e^(-epsilon_j |z| / 2), on every cell of a joint table, clamped "
    "to 0 .. n"
)
_NETWORK = "a uniform root, then pair after pair by the exponential mechanism with"
_CELLS = "the lists of the cells of all noisy joint tables, in the order of attribute and parents"
_SYNTHETIC = "as many rows drawn from the conditional distributions that these imply, in any order"
_NUMBER = "an input is the number of a data set"
_SENSITIVITIES = {
    "H": "eq8.delta-h@ro",
    "I": "base.privbayes.sens-i@binary",
    "I-general": "base.privbayes.sens-i@general",
    "F": "base.privbayes.sens-f@half",
    "R": "base.privbayes.sens-r",
}


def _selected(default: str) -> Claims:
    """Return the claims on the sensitivity of the score, or that it moves by at most one of its own with a record more;
    and on the selection."""

    def ids(parameters: Mapping[str, Any]) -> tuple[str, ...]:
        added = len({len(table) for table in parameters.get("tables", ())}) > 1
        score = "alg4.dp@ar" if added else _SENSITIVITIES[parameters.get("score", default)]
        return always(score, "def4.norm", "def4.dp", source="003")(parameters)

    return ids


def _released(*ids: str) -> Claims:
    """Return these claims, and that laws are derived from the tables, rows from these, and that this spends nothing."""
    more = {
        "conditionals": ("alg5.normalise@uniform",),
        "data": ("alg5.normalise@uniform", "alg2.sample", "alg2.union@rowjoin", "def1.dp@subset"),
    }

    def ids_of(parameters: Mapping[str, Any]) -> tuple[str, ...]:
        filtered = ("eq9.post",) if parameters.get("matrix") else ()
        return always(*ids, *filtered, *more.get(parameters.get("release", ""), ()), source="003")(parameters)

    return ids_of


KINDS = {
    "TableSelection": OracleKind(
        partial(TableSelection, score="I"),
        {**_BASE, "candidates": _PAIRS, "score": one_of(tuple(SELECTED))},
        "a candidate with probability proportional to e^(epsilon u / (2 s)), u its score of sensitivity s",
        f"the number of a candidate; {_NUMBER}",
        frozenset({"score"}),
        _selected("I"),
        _WORDS | _THREE,
        vectors=tuple(
            {**_EXAMPLE, "sizes": (2, 2, 2), "tables": _EXAMPLE_TABLES, **more}
            for more in (
                {"candidates": ((1, (0,)), (2, (0,)))},
                {"candidates": ((1, (0,)), (2, (0, 1))), "epsilon": "1"},
                {"candidates": ((1, (0,)), (2, (0, 1))), "score": "F"},
                {"candidates": ((1, (0,)), (2, (0, 1))), "score": "R"},
                {"candidates": ((0, ()), (1, ()), (2, ())), "score": "H"},
            )
        ),
    ),
    "NoisyJoints": OracleKind(
        NoisyJoints,
        {
            **_BASE,
            "network": _PAIRS,
            "degree": integer(0),
            "weights": rationals,
            "release": one_of(("joints", "conditionals", "data")),
        },
        f"{_NOISE}; epsilon_j is the share of a table by the weight of its attribute; the first `degree` attributes of "
        "the network (all but one at most) have no table: their laws are read off that of the next one",
        f"{_CELLS}; or for every attribute and all values of its parents its law; or as many rows drawn from these, in "
        f"any order; {_NUMBER}",
        frozenset({"weights", "release"}),
        _released("sec34.jointsens@ro", "alg5.geometric", "eq12.shares", "alg5.dp@fixed"),
        _WORDS,
        vectors=(
            {**_EXAMPLE, "network": _CHAIN, "degree": 1},
            {**_EXAMPLE, "network": _CHAIN, "degree": 0, "weights": (1, 3), "release": "conditionals"},
        ),
    ),
    "GreedyBayes": OracleKind(
        GreedyBayesOracle,
        {**_BASE, "degree": integer(0), "score": one_of(tuple(SCORES))},
        f"{_NETWORK} epsilon / (d - 1)",
        f"the network, a list of attributes with their parents; {_NUMBER}",
        frozenset({"score"}),
        _selected(DEFAULT_SCORE),
        _WORDS,
    ),
    "Public": OracleKind(
        Public,
        {"d": integer(2), "epsilon": epsilon},
        "the empty list with probability 1",
        f"the names of the parts that are another than for data set 0, where no part has noise; {_NUMBER}",
        words={"d": ("number of data sets, every two of which are neighbors", "2")},
    ),
    "PrivBayes": OracleKind(
        PrivBayesOracle,
        {
            **_BASE,
            "degree": integer(0),
            "score": one_of(tuple(SCORES)),
            "beta": _share,
            "release": one_of(("joints", "data")),
        },
        f"{_NETWORK} beta epsilon / (d - 1); then {_NOISE}; epsilon_j are equal shares of the rest",
        f"the network, a list of attributes with their parents, and {_CELLS}; or {_SYNTHETIC}; {_NUMBER}",
        frozenset({"score", "beta", "release"}),
        _released("base.privbayes.dp", "base.privbayes.equal", "alg5.geometric"),
        _WORDS | _PRIVBAYES,
        vectors=({**_EXAMPLE, "degree": 1, "score": "I", "beta": "1/2"},),
    ),
    "CalibratedHMPrivBayes": OracleKind(
        CalibratedHMPrivBayes,
        {
            **_BASE,
            "partition": records,
            "degree": integer(0),
            "weights": rationals,
            "beta": _share,
            "release": one_of(("networks", "joints", "data")),
            "matrix": square,
            "eta": _share,
        },
        "for each of k clusters a network, attribute after attribute, of pairs that the filter (9) keeps, by the "
        f"exponential mechanism with an equal share of beta epsilon / k; then {_NOISE}; epsilon_j is the share of a "
        "table of (1 - beta) epsilon / k by the weight of its attribute",
        f"for every cluster the network, a list of attributes with their parents, and {_CELLS}; or the networks; or "
        f"{_SYNTHETIC}; {_NUMBER}",
        frozenset({"weights", "beta", "release", "matrix", "eta"}),
        _released(
            *("alg4.law", "alg4.dp@ro", "sec33.allclusters.corrected"),
            *("alg5.geometric", "alg5.dp@fixed", "sec34.allclusters.corrected"),
        ),
        _WORDS,
        vectors=({**_EXAMPLE, "partition": ((0,), (1,)), "degree": 1},),
    ),
}
