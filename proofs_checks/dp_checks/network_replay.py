"""Counterexamples of source 003 about Bayesian networks, run in the programs of `dp_refimpl.synthesis`."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from itertools import combinations
from typing import Any

from flint import arb, fmpq

from dp_checks.instances import Instance, Program, Told, free_coins, raises, six_digits
from dp_refimpl.enumeration import output_law
from dp_refimpl.synthesis.conditionals import Conditionals, row_probability
from dp_refimpl.synthesis.dpsc import coefficients
from dp_refimpl.synthesis.information import Information, entropy, mutual_information
from dp_refimpl.synthesis.log_quotients import compare_quotients
from dp_refimpl.synthesis.maximal_information import GridSizes
from dp_refimpl.synthesis.network import IBayes, Network, NoCandidateError, attribute_filter
from dp_refimpl.synthesis.network_ratios import largest_ratio
from dp_refimpl.synthesis.noisy_tables import HnoisyConditionals, NoCellNoise, RangeGeometric
from dp_refimpl.synthesis.selection import ExponentialMechanism, Maximum
from dp_refimpl.synthesis.tables import CountTable, domain_records, neighbor_pairs
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.scalar import Ordering, at_most

TWO = (2, 2)


# --- networks without noise


def _network(case: Instance) -> Network:
    return tuple((x, tuple(parents)) for x, parents in enumerate(case.named["parents"]))


def _fitted(table: CountTable, network: Network) -> Conditionals:
    return HnoisyConditionals(NoCellNoise(), 0, "none").publish(table, network, free_coins())


def _law(conditionals: Conditionals, sizes: Sequence[int]) -> dict[tuple[int, ...], fmpq]:
    return {record: row_probability(conditionals, record) for record in domain_records(sizes)}


def _associations(case: Instance) -> Told:
    """The joint laws of two attributes in the network and in the table."""
    table = case.table
    law = _law(_fitted(table, _network(case)), table.sizes)
    for a, b in combinations(range(len(table.sizes)), 2):
        for x, y in domain_records(TWO):
            chance = sum((p for record, p in law.items() if (record[a], record[b]) == (x, y)), fmpq(0))
            share = fmpq(table.marginal((a, b)).count((x, y)), table.n)
            if chance != share:
                return [f"attributes {a} and {b} are {x}, {y}: {chance} in the network, {share} in the table"], True
    return ["all pairs of attributes have the joint laws of the table"], False


def _record(network: Callable[[Instance], Network]) -> Program:
    """The chance of a record in the network and in the table."""

    def program(case: Instance) -> Told:
        table, record = case.table, tuple(case.named["record"])
        chance = row_probability(_fitted(table, network(case)), record)
        share = fmpq(table.count(record), table.n)
        return [f"P{record} = {chance} in the network, {share} in the table"], chance != share

    return program


def _filter_limit(case: Instance) -> Told:
    """Coefficients of 0, and b times the noise: what the filter keeps, and the chance of the row then."""
    table, row, entries = case.table, tuple(case.named["row"]), case.named["noise"]
    chances = []
    for b in (fmpq(0), case.number("b")):
        matrix = [[b * entries[i + j - 1] if i != j else fmpq(0) for j in range(3)] for i in range(3)]
        kept = attribute_filter(matrix, case.number("eta"))
        network: Network = ((0, ()), (1, ()), (2, tuple(c for c in (0, 1) if (2, c) in kept)))
        chances.append(row_probability(_fitted(table, network), row))
    return [f"P{row} = {chances[0]} without noise, {chances[1]} with it"], chances[0] != chances[1]


def _distance(table: CountTable, law: Mapping[tuple[int, ...], fmpq]) -> fmpq:
    """Half the L1 distance to the frequencies of two attributes."""
    return sum((abs(law[record] - fmpq(table.count(record), table.n)) for record in law), fmpq(0)) / 2


def _noisy_distance(table: CountTable, alpha: fmpq) -> fmpq:
    """The mean distance of two attributes with one noisy joint table."""
    step = HnoisyConditionals(RangeGeometric((alpha,)), 1)
    published = output_law(partial(step.publish, table, ((0, ()), (1, (0,)))), fmpq(1))
    return sum((p * _distance(table, _law(made, TWO)) for made, p in published.items()), fmpq(0))


def _no_privacy(case: Instance) -> Told:
    own = _distance(case.table, _law(_fitted(case.table, ((0, ()), (1, ()))), TWO))
    noisy = _noisy_distance(case.table, case.number("alpha"))
    words = f"distance of NoPrivacy {own}, mean distance of PrivBayes {noisy}"
    return [f"{words}, stated at most"], not at_most(own, noisy)


def _more_noise(case: Instance) -> Told:
    alphas = [fmpq(g, g + 1) for g in (case.integer("g"), case.integer("h"))]
    one, other = (_noisy_distance(case.table, alpha) for alpha in alphas)
    words = (
        f"mean distances at alpha = {alphas[0]} and {alphas[1]}: {six_digits(arb(one))} and {six_digits(arb(other))}"
    )
    return [f"{words}, stated at most"], not at_most(one, other)


# --- networks by their scores


def _totals(table: CountTable, degree: int, root: int) -> list[Information]:
    """The sums of information of all networks that are built greedily from a root, however ties are broken."""
    cluster = range(len(table.sizes))
    networks = output_law(partial(IBayes(Maximum(), degree).grow, table, cluster, root), fmpq(1))
    zero = Information(fmpq(1), table.n)
    return [sum((mutual_information(table, x, parents) for x, parents in made), zero) for made in networks]


def _best_root(case: Instance) -> Told:
    table, c = case.table, case.integer("c")
    heights = [entropy(table, (x,)) for x in range(c)]
    highest = reduce(_greater, heights)
    best = [reduce(_greater, _totals(table, 2, root)) for root in range(c)]
    chosen = reduce(_greater, [best[x] for x in range(c) if heights[x] == highest])
    most = reduce(_greater, best)
    own, other = (six_digits(information.bits()) for information in (chosen, most))
    return [f"information from roots of maximal entropy {own} bits, from another {other}"], most.compare(
        chosen
    ) is Ordering.GREATER


def _greater(one: Information, other: Information) -> Information:
    return other if other.compare(one) is Ordering.GREATER else one


def _loss_of_networks(case: Instance) -> Told:
    """No chance of a network is e^epsilon_2 times that for a neighbor."""
    c, n, t = case.integer("c"), case.integer("n"), case.number("t")
    program = IBayes(ExponentialMechanism(Budget.of_root(t, 2 * c)), case.integer("l"))
    ratios = [largest_ratio(program, *pair, range(c)) for pair in neighbor_pairs((2,) * c, n, "ro")]
    largest = reduce(lambda a, b: b if at_most(a, b) else a, ratios)
    return [f"largest ratio of chances {largest}, stated {t ** (2 * c)}"], largest != t ** (2 * c)


def _no_candidate(case: Instance) -> Told:
    program = IBayes(Maximum(), case.integer("l"), "exact-l")
    return raises(lambda: program.candidates(range(case.integer("c")), case.named["placed"]), NoCandidateError)


def _strongest(matrix: Callable[[Instance], Any], *, diagonal: bool = True) -> Program:
    """A pair with the largest entry of its row is dropped."""

    def program(case: Instance) -> Told:
        entries, x, y = matrix(case), case.named["x"], case.named["y"]
        others = [entries[x][z] for z in range(len(entries)) if z != x]
        strongest = all(compare_quotients(z, entries[x][y]) is not Ordering.GREATER for z in others)
        kept = attribute_filter(entries, fmpq(case.integer("p"), case.integer("q")), "or", diagonal=diagonal)
        word = "kept" if (x, y) in kept else "dropped"
        return [f"attributes {x} and {y}, strongest in the row of {x}: {word}"], strongest and (x, y) not in kept

    return program


def _noisy_matrix(case: Instance) -> Any:
    return [list(map(fmpq, row)) for row in case.named["S"]]


NETWORKS: Mapping[str, Program] = {
    "003.prose.assoc@cluster": _associations,
    "003.prose.assoc@across": _record(lambda case: ((0, ()), (1, ()))),
    "003.sec23.fact@equality": _record(_network),
    "003.prose.maxroot@l2": _best_root,
    "003.alg4.candidates@exact-l": _no_candidate,
    "003.alg4.tight": _loss_of_networks,
    "003.eq9.strongest@exact.or": _strongest(lambda case: coefficients(case.table, GridSizes())),
    "003.eq9.strongest@noisy.diagonal": _strongest(_noisy_matrix),
    "003.eq9.strongest@noisy.off": _strongest(_noisy_matrix, diagonal=False),
    "003.fig5.nopriv.best@general": _no_privacy,
    "003.fig5.limit": _filter_limit,
    "003.fig5.monotone": _more_noise,
}
"""By the id of the refuted statement."""
