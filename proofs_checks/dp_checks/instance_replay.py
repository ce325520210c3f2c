"""Counterexamples of source 003 that are no pair of neighbors, run in the programs of `dp_refimpl.synthesis`.

The numbers, tables, networks or matrices of a case are given to the program that the statement is about: it has to find
the statement false there.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial, reduce
from itertools import combinations, count, product
from math import comb, prod
from typing import Any

from flint import arb, fmpq

from dp_checks.instances import Instance, Program, Told, free_coins, less, raises, six_digits, table_of
from dp_checks.network_replay import NETWORKS
from dp_refimpl.enumeration import output_law
from dp_refimpl.matrix.laplace import Laplace
from dp_refimpl.synthesis.accountant import hmprivbayes_plan
from dp_refimpl.synthesis.binary_codes import BinaryCode
from dp_refimpl.synthesis.clustering import exact_k_means, partitions
from dp_refimpl.synthesis.conditionals import Conditional, JointTable, UnderivableError
from dp_refimpl.synthesis.distances import RationalPoints
from dp_refimpl.synthesis.dpsc import DPSC, LatticeNoise, NoEntryNoise, coefficients
from dp_refimpl.synthesis.hmprivbayes import HMPrivBayes, NotComputedError, Readings, budget_shares, set_union
from dp_refimpl.synthesis.information import (
    Information,
    entropy,
    information_sensitivity,
    mutual_information,
)
from dp_refimpl.synthesis.information_moves import information_change
from dp_refimpl.synthesis.jtree import consistent, junction_weights
from dp_refimpl.synthesis.junction_trees import JunctionTree
from dp_refimpl.synthesis.log_quotients import enclosed
from dp_refimpl.synthesis.maximal_information import GridSizes, UndefinedError, maximal_information
from dp_refimpl.synthesis.network import IBayes, Network, candidate_count
from dp_refimpl.synthesis.noisy_tables import (
    HnoisyConditionals,
    NoCellNoise,
    noise_scales,
    risk_entropy,
)
from dp_refimpl.synthesis.privbayes import joint_scale
from dp_refimpl.synthesis.selection import Maximum
from dp_refimpl.synthesis.spectral_clustering import distance_matrix, spectral_clusters
from dp_refimpl.synthesis.spectral_embedding import Reduction, SpectralEmbedding
from dp_refimpl.synthesis.tables import CountTable, neighbor_pairs, tables
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import Ordering, at_most, compare

ALPHAS = (Fraction(11, 20), Fraction(3, 5))
"""The exponents of the bound on the cells of a grid."""
TWO = (2, 2)


def run(claim: str, evidence: Mapping[str, Any]) -> Told | None:
    """What the program says of the instance of a refutation, or why there is none; None for other statements."""
    if claim in NO_PROGRAM:
        return [f"no program: {NO_PROGRAM[claim]}"], True
    program = PROGRAMS.get(claim)
    if program is None:
        return None
    inner = evidence.get("evidence", evidence)
    return program(Instance(inner.get("instance", inner.get("values")), inner.get("case", {})))


# --- numbers of candidates, shares and scales


def _nominal(case: Instance) -> Told:
    d = case.integer("d")
    share = budget_shares(d, 3)[2]
    return _scales(case, d, case.number("eps") * fmpq(share.numerator, share.denominator))


def _certified(case: Instance) -> Told:
    plan = hmprivbayes_plan(2 * case.integer("h"), 3)
    return _scales(case, 2 * case.integer("h"), plan.budgets(str(plan.calibrated(str(case.number("eps")))))[2])


def _scales(case: Instance, d: int, third: fmpq) -> Told:
    """Of the joint tables of a cluster, whose epsilon_3 this is, and of PrivBayes with 7/10 of epsilon."""
    n, c, degree = (case.integer(name) for name in ("n", "c", "l"))
    own = noise_scales(n, third, (fmpq(1),) * (c - min(c - 1, degree)))[0]
    return less("scales of HMPrivBayes and PrivBayes", own, joint_scale(n, d - degree, case.number("eps") * 7 / 10))


def _pairs(sizes: Sequence[int], degree: int) -> Told:
    d = sum(sizes)
    own = sum(candidate_count(c, degree) for c in sizes) + comb(d, 2)
    return less("candidate pairs and coefficients of three clusters, pairs of one", own, candidate_count(d, degree))


def _equal_clusters(case: Instance) -> Told:
    q, r = case.integer("q"), case.integer("r")
    return _pairs([q + (i < r) for i in range(3)], case.integer("l"))


def _more_parents(case: Instance) -> Told:
    c, degree = case.integer("c"), case.integer("l")
    return less("candidate pairs with l and l + 1 parents", *(candidate_count(c, degree + more) for more in (0, 1)))


def _cell_sensitivity(case: Instance) -> Told:
    n = case.integer("n")
    sizes = ((2,) * case.integer("h"), (2,) * (case.integer("h") + 1))
    largest = [max(_moved(*pair) for pair in neighbor_pairs(size, n, "ro")) for size in sizes]
    return less("L1 sensitivity of the frequencies of few and many cells", *(fmpq(x, n) for x in largest))


def _moved(one: CountTable, other: CountTable) -> int:
    return sum(abs(x - y) for x, y in zip(one.vector, other.vector, strict=True))


def _all_cells(case: Instance) -> Told:
    d, degree = case.integer("d"), case.integer("l")
    network = (d - degree) * 2 ** (degree + 1) * joint_scale(1, d - degree, fmpq(1))
    whole = 2**d * joint_scale(1, 1, fmpq(1))
    words = (
        f"expected L1 norm of the noise on a network's tables and on all cells (n epsilon = 1): {network} and {whole}"
    )
    return [f"{words}, stated at most"], not at_most(network, whole)


def _parts(case: Instance) -> Told:
    c, d, degree = (case.integer(name) for name in ("c", "d", "l"))
    step = HnoisyConditionals(NoCellNoise(), degree)
    noised = []
    for number in (c, d):
        network: Network = tuple((x, tuple(range(max(0, x - degree), x))) for x in range(number))
        noised.append(number - step.prefix_length(CountTable((2,) * d, ()), network))
    return less("noised joint tables of the cluster and of all attributes", *noised)


def _choices(case: Instance) -> Told:
    d = case.integer("d")
    network = IBayes(Maximum("first"), 1).build(CountTable.of_records((2,) * d, [(0,) * d]), range(d), free_coins())
    words = f"choices by scores in clusters, and of PrivBayes: {len(network)} and {d - 1}"
    return [f"{words}, stated at most"], len(network) > d - 1


# --- information and its coefficient


def _gender(case: Instance) -> Told:
    one, other = (entropy(case.table, (a,)) for a in (0, 1))
    words = f"entropies {six_digits(one.bits())} and {six_digits(other.bits())} bits, stated at most"
    return [words], one.compare(other) is Ordering.GREATER


def _by_records(case: Instance) -> Told:
    """The sum over all records instead of all values: every value as often as it occurs."""
    table, counts = case.table, [count for _, count in case.table.counts]
    summed = Information(prod((fmpq(table.n, c) ** (c * c) for c in counts), start=fmpq(1)), table.n)
    own = entropy(table, (0,))
    words = f"sum over records {six_digits(summed.bits())}, entropy {six_digits(own.bits())} bits"
    return [words], summed.compare(own) is not Ordering.EQUAL


def _highest(case: Instance) -> Told:
    table = case.table
    own, most = entropy(table, (0,)), Information(fmpq(table.n) ** table.n, table.n)
    words = f"entropy of equally frequent values {six_digits(own.bits())} bits, stated {six_digits(most.bits())}"
    return [words], own.compare(most) is not Ordering.EQUAL


def _normalized(case: Instance) -> Told:
    """OE by log of the number of records is below 1 in every table."""
    n = case.integer("m") * case.integer("v")
    highest = [risk_entropy(table, 0, "records").enclosure() for table in tables((case.integer("v"),), n)]
    most = reduce(lambda a, b: a.max(b), highest)
    return [f"largest OE of {n} records {six_digits(most)}, stated 1 for some data"], compare(most, 1) is Ordering.LESS


def _same_coefficient(case: Instance) -> Told:
    """MIC where the second attribute is the first, for both exponents."""
    columns = [case.named["one"], case.named["other"]]
    pairs = [[_coefficient(list(zip(x, x, strict=True)), GridSizes(alpha=alpha)) for x in columns] for alpha in ALPHAS]
    words = " and ".join(six_digits(enclosed(x, 128)) for x in pairs[0])
    return [f"MIC of an attribute with itself {words}, stated the same"], all(one != other for one, other in pairs)


def _of_function(case: Instance) -> Told:
    column, function = case.named["column"], case.named["function"]
    records = [(x, function[x]) for x in column]
    values = [_coefficient(records, GridSizes(alpha=alpha)) for alpha in ALPHAS]
    words = f"MIC of an attribute and a function of it {six_digits(enclosed(values[0], 128))}, stated 1"
    return [words], all(x != 1 for x in values)


def _coefficient(records: Sequence[tuple[int, int]], sizes: GridSizes) -> Any:
    table = table_of([list(x) for x in records])
    vector, width = table.vector, table.sizes[1]
    return maximal_information([list(vector[i : i + width]) for i in range(0, len(vector), width)], sizes)


def _undefined(reading: Any) -> Program:
    """No table has a coefficient, with neither exponent."""

    def program(case: Instance) -> Told:
        diagonal = [(i % case.integer("v"), i % case.integer("w")) for i in range(case.integer("n"))]
        outcomes = [
            raises(partial(_coefficient, diagonal, GridSizes(reading, alpha)), UndefinedError) for alpha in ALPHAS
        ]
        return outcomes[0][0], all(fails for _, fails in outcomes)

    return program


def _natural(case: Instance) -> Told:
    """With I in nats the largest coefficient is less than 1."""
    values = [coefficients(table, GridSizes())[0][1] for table in tables(TWO, 2 * case.integer("h"))]
    most = reduce(lambda a, b: a.max(b), [enclosed(x, 128) for x in values]) * arb(2).log()
    return [f"largest MIC, informations in nats, {six_digits(most)}, stated 1"], compare(most, 1) is Ordering.LESS


def _formula_of_information(case: Instance) -> Told:
    sizes, n = (case.integer("v"), case.integer("w")), case.integer("n")
    change, stated = information_change(sizes, n), information_sensitivity(n)
    words = f"largest change of information {six_digits(change.bits())} bits, stated {six_digits(stated.bits())}"
    return [words], change.compare(stated) is not Ordering.EQUAL


# --- clusters


def _independent(case: Instance) -> Told:
    x, y = case.named["x"], case.named["y"]
    information = mutual_information(case.table, x, (y,))
    words = f"information of attributes of two clusters {six_digits(information.bits())} bits, stated 0"
    return [words], not information.is_zero


def _both_change(case: Instance) -> Told:
    rest, one, other = (case.named[name] for name in ("rest", "one", "other"))
    sizes, labels = (2,) * case.integer("d"), case.named["labels"]
    pair = [CountTable.of_records(sizes, [*rest, record]) for record in (one, other)]
    parts = [[a for a, label in enumerate(labels) if label == i] for i in range(case.integer("k"))]
    changed = sum(pair[0].marginal(part) != pair[1].marginal(part) for part in parts)
    return [f"data subsets that a replaced record changes: {changed}, stated at most 1"], changed > 1


def _sigma(case: Instance) -> tuple[fmpq, str]:
    """The multiple of 1/20 with e^(-1 / (2 sigma^2)) next to t, which has no rational sigma, and both in words."""
    exact = (1 / (2 * (1 / arb(case.number("t"))).log())).sqrt()
    sigma = next(fmpq(i, 20) for i in count(1) if compare(exact, fmpq(2 * i + 1, 40)) is Ordering.LESS)
    return sigma, f"sigma = {sigma}, e^(-1 / (2 sigma^2)) = {six_digits((-1 / (2 * arb(sigma) ** 2)).exp())}"


def _grouping(case: Instance) -> Told:
    """Two attributes with the coefficient 1 in different clusters."""
    sigma, words = _sigma(case)
    table = table_of([[x, x, y, y] for x, y in case.named["pairs"]])
    partition = DPSC(GridSizes(), NoEntryNoise(), Reduction(sigma, 3), 2).publish(table, free_coins())
    matrix, block = coefficients(table, GridSizes()), {a: i for i, part in enumerate(partition) for a in part}
    apart = [(i, j) for i, j in combinations(range(4), 2) if matrix[i][j] == 1 and block[i] != block[j]]
    return [f"{words}: clusters {partition}, attributes {apart} with the coefficient 1 are apart"], bool(apart)


def _similarity(case: Instance) -> Told:
    """Another partition has more similarity inside its clusters than the one that is returned."""
    sigma, words = _sigma(case)
    points = RationalPoints(tuple(tuple(map(fmpq, point)) for point in case.named["points"]))
    matrix, scale = distance_matrix(points), 2 * arb(sigma) ** 2
    returned = spectral_clusters(matrix, Reduction(sigma, 2), 2, "exact", free_coins())
    sums = {
        partition: sum(
            ((-enclosed(matrix[i][j], 128) / scale).exp() for part in partition for i in part for j in part), arb(0)
        )
        for partition in partitions(points.size, 2)
    }
    better = [other for other in sums if compare(sums[other], sums[returned]) is Ordering.GREATER]
    said = f"{words}: clusters {returned}, similarity inside {six_digits(sums[returned])}"
    return [f"{said}; {better[0]} has {six_digits(sums[better[0]])}" if better else said], bool(better)


def _single_point(case: Instance) -> Told:
    return raises(lambda: SpectralEmbedding(((fmpq(0),),), Reduction(fmpq(1), 1, "njw")), DomainError)


def _columns(case: Instance) -> Told:
    """The points are the columns of U: what is clustered are eigenvectors."""
    columns = list(zip(*case.named["U"], strict=True))
    points = RationalPoints(tuple(tuple(map(fmpq, column)) for column in columns))
    clustered, d = exact_k_means(points, case.integer("k")), case.integer("d")
    covered = sum(map(len, clustered))
    return [f"clusters of the columns of U {clustered}, of {d} attributes"], covered != d


def _twice(case: Instance) -> Told:
    """With independent draws some matrix is not symmetric."""
    noise = LatticeNoise(fmpq(1), fmpq(1, 2), 0, 1)
    program = DPSC(GridSizes(), noise, Reduction(fmpq(1), 1), 1, "twice")
    law = output_law(partial(program.noisy_matrix, table_of([[0, 0], [0, 1], [1, 0], [1, 1]])), fmpq(1))
    skew = [matrix for matrix in law if matrix[0][1] != matrix[1][0]]
    entries = [list(map(str, row)) for row in skew[0]] if skew else []
    return [f"a noisy matrix of two attributes: {entries}, stated symmetric"], bool(skew)


def _far_seeds(seeding: Any) -> Program:
    """The second center, after the first one of the case, need not be at the greatest distance of two points."""

    def program(case: Instance) -> Told:
        places, (first, second) = case.named["places"], case.named["seeds"]
        left = [i for i in range(len(places)) if i != first]
        squares = {i: fmpq(places[i] - places[first]) ** 2 for i in left}
        farthest = max(abs(places[i] - places[first]) for i in left)
        allowed = squares[second] != 0 if seeding == "d2" else abs(places[second] - places[first]) == farthest
        apart, most = abs(places[second] - places[first]), max(places) - min(places)
        words = f"centers at {places[first]} and {places[second]}, which the rule allows, are {apart} apart"
        return [f"{words}, two points are {most} apart"], allowed and apart < most

    return program


# --- conditional distributions, rows, junction trees


def _underivable(network: Network, prefix: Any) -> Program:
    """A conditional distribution cannot be derived from the first noisy joint table."""

    def program(case: Instance) -> Told:
        size = len(network)
        table, step = CountTable.of_records((2,) * size, [(0,) * size]), HnoisyConditionals(NoCellNoise(), 1, prefix)
        return raises(lambda: step.publish(table, network, free_coins()), UnderivableError)

    return program


def _no_law(case: Instance) -> Told:
    cells = tuple(fmpq(x - 1) for x in case.named["noisy"])
    joint = JointTable((0,), (len(cells),), cells)
    made = Conditional.of_joint(joint, 0, (), "undefined")
    return [
        f"noisy cells {list(map(str, cells))}: the conditional distribution is {made.rows[0][1]}"
    ], not made.is_defined


def _unequal_losses(
    flips: tuple[int, int], weights: Callable[[Instance], tuple[fmpq, fmpq]], *, equal: bool
) -> Program:
    """Losses of the two noisy joint tables of one record where one value is another one."""

    def program(case: Instance) -> Told:
        record = list(case.named["one" if "parent" in case.named else "record"])
        pairs, scales = (0, 1), noise_scales(1, case.number("eps"), weights(case))
        losses = []
        for flip in flips:
            changed = [*record]
            changed[flip] = 1 - changed[flip]
            one, other = (CountTable.of_records((2,) * 3, [r]) for r in (record, changed))
            joints = ((1, 0), (2, case.named.get("parent", 1)))
            moved = [_moved(one.marginal(a), other.marginal(a)) for a in joints]
            losses.append(sum((moved[i] / scales[i] for i in pairs), fmpq(0)))
        words = f"losses where attribute {flips[0]} or {flips[1]} changes: {losses[0]} and {losses[1]}"
        wrong = losses[0] != losses[1] if equal else not at_most(losses[0], losses[1])
        return [f"{words}, stated {'equal' if equal else 'at most'}"], wrong

    return program


def _not_computed(case: Instance) -> Told:
    program = HMPrivBayes(IBayes(Maximum(), 1), lambda table, pairs: NoCellNoise(), Readings(order="listing"))
    return raises(lambda: program.run(CountTable.of_records((2,), [(0,)]), ((0,),), free_coins()), NotComputedError)


def _as_set(case: Instance) -> Told:
    labels, rows = case.named["label"], case.named["bits"]
    clusters = tuple(tuple(a for a, label in enumerate(labels) if label == i) for i in sorted(set(labels)))
    union = set_union(clusters, [[tuple(row[a] for a in cluster) for row in rows] for cluster in clusters])
    words = f"the union of the rows of all clusters: {len(union)} records of {sorted(map(len, union))} attributes"
    return [words], len(union) != len(rows) or any(len(record) != len(labels) for record in union)


def _patterns(case: Instance) -> Told:
    code = BinaryCode((case.integer("v"),))
    empty = [bits for bits in product((0, 1), repeat=case.integer("b")) if code.decoded(bits) is None]
    return [f"patterns of bits that are no value: {empty}"], bool(empty)


def _junction(case: Instance) -> Told:
    """The weights of all records, of two cliques with a common attribute."""
    tree, n = JunctionTree(((0, 1), (1, 2)), (None, 0)), case.integer("n")
    cells = zip(tree.cliques, (case.named["first"], case.named["second"]), strict=True)
    noisy = [JointTable(clique, TWO, tuple(map(fmpq, entries))) for clique, entries in cells]
    total = sum(junction_weights(consistent(noisy, tree, n), tree, (2, 2, 2)).values(), fmpq(0))
    return [f"sum over all records {total}, stated 1"], total != 1


# --- noise on vectors


def _norm(case: Instance) -> Told:
    """Independent noise of scale Delta / epsilon on every coordinate."""
    eps = case.number("eps")
    law = Laplace(case.integer("delta") / eps)
    gaps = [abs(x - y) for x, y in zip(case.named["one"], case.named["other"], strict=True)]
    ratio, limit = Real.lift(1), Real.power(None, Fraction(int(eps.p), int(eps.q)))
    for gap in gaps:
        ratio = ratio * law.density_ratio(gap)
    largest, stated = (six_digits(number.enclosure(128)) for number in (ratio, limit))
    return [f"largest ratio of densities {largest}, stated at most {stated}"], compare(ratio, limit) is Ordering.GREATER


_CHAIN: Network = ((0, ()), (1, (0,)), (2, (1,)))
PROGRAMS: Mapping[str, Program] = {
    **NETWORKS,
    "003.abs.noise@nominal": _nominal,
    "003.abs.noise@certified": _certified,
    "003.abs.efficiency@count": _equal_clusters,
    "003.abs.efficiency@anyclusters": lambda case: _pairs(case.named["sizes"], case.integer("l")),
    "003.sec1.direct@sensitivity": _cell_sensitivity,
    "003.sec1.direct@noise": _all_cells,
    "003.prose.gender@empirical": _gender,
    **dict.fromkeys(("003.def2.norm@l2", "003.def2.norm@linf"), _norm),
    "003.sec22.mi-compare": _same_coefficient,
    "003.sec22.mic-detects@function": _of_function,
    "003.def5.defined@strict.a1": _undefined("strict.a1"),
    "003.def5.defined@strict.a2": _undefined("strict.a2"),
    "003.def5.range@ln": _natural,
    "003.alg1.cut@within": _similarity,
    "003.alg3.grouping": _grouping,
    "003.alg1.welldef@njw": _single_point,
    "003.alg2.order@listing": _not_computed,
    "003.alg2.union@setunion": _as_set,
    "003.sec31.inverse@all": _patterns,
    "003.sec32.pairs@twice": _twice,
    "003.alg3.rows@columns": _columns,
    "003.sec32.kmeanspp@d2": _far_seeds("d2"),
    "003.sec32.kmeanspp@farthest": _far_seeds("farthest"),
    "003.eq7.entropy@records": _by_records,
    "003.sec33.hmax@records": _highest,
    "003.sec33.independent@records": _both_change,
    "003.sec33.independent@statistical": _independent,
    "003.eq11.range@records": _normalized,
    "003.alg5.lprime@d-attrs": _underivable(_CHAIN, "d-attrs"),
    "003.alg5.step3@filter": _underivable(((0, ()), (1, ())), "d-degree"),
    "003.prose.attrprotect@attrloss": _unequal_losses(
        (1, 2), lambda case: (case.number("x"), case.number("x") + case.number("y")), equal=False
    ),
    "003.prose.even": _unequal_losses((0, 1), lambda case: (case.number("x"), case.number("y")), equal=True),
    "003.alg5.normalise@undefined": _no_law,
    "003.prose.splits@per-cluster": _parts,
    "003.prose.splits@total": _choices,
    "003.fig6.l@count.all": _more_parents,
    "003.base.privbayes.sens-i.tight@general": _formula_of_information,
    "003.base.jtree.junction@clamped": _junction,
}
"""By the id of the refuted statement."""

NO_PROGRAM: Mapping[str, str] = {
    "003.def1.dp@point": "the mechanisms of the instance have densities, and those of the programs have none",
    "003.alg1.laplacian@upto-d": "none sums the degrees over some of the columns only",
    "003.alg1.cut@ncut": "the distances are logarithms of rational weights, which the exact clustering does not take",
    "003.eq10.norm@literal-index": "none divides by the weight of one pair as often as there are pairs",
    **dict.fromkeys(
        ("003.sec42.svm@split-synthetic", "003.sec42.svm@test-original"),
        "the rule that stands for the support vector machine is a part of the statement alone",
    ),
    "003.base.privbayes.sens-r.tight": "it is refuted for tables of all sizes by a proof, so that there is no instance",
}
"""Why no program is run on a refuted statement, by its id."""
