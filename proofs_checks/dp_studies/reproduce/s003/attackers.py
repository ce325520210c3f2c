"""Attackers of Figure 4, exactly: tiny tables of two binary attributes, of which the second one is sensitive.

The source defines no number. Here an attacker guesses the sensitive value of one record from its other attribute and
the synthetic table, and what is shown is the chance to be right:

* informed: all other records and the method are known, both values are as likely, and the likelier one given the
  synthetic table is guessed. No method that is epsilon-private leaves more than e^epsilon / (1 + e^epsilon).
* matching: nothing else is known; the value that most synthetic rows with the same other attribute have is guessed,
  each with chance 1/2 if there are as many rows of both (or none).
* differencing (simulated in `crowds`, needs no law): as informed, but that value is guessed of which there are more
  synthetic rows with the same other attribute beyond the known records, each with chance 1/2 if there are as many.

All methods have in-degree 1, joint tables with clamped geometric noise, the analog of theirs, and as many synthetic
rows as records; the reconstruction of PrivSCBN has one cluster, and Laplace noise on its conditional distributions. The
segmentation is given: its budget is set aside as printed.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, reduce
from math import factorial, prod
from typing import Any

from flint import acb, arb, fmpq

from dp_refimpl.coins import SamplingCoins
from dp_refimpl.enumeration import output_law
from dp_refimpl.synthesis.conditionals import row_probability
from dp_refimpl.synthesis.data_laws import data_law, multinomial
from dp_refimpl.synthesis.hmprivbayes import HMPrivBayes, budget_shares, data_weights
from dp_refimpl.synthesis.network import INFORMATION, IBayes, Network
from dp_refimpl.synthesis.noisy_tables import NoCellNoise, RangeGeometric
from dp_refimpl.synthesis.privbayes import FixedDegree, GreedyBayes, PrivBayes, joint_alphas
from dp_refimpl.synthesis.scbn import ReconstructedNetwork
from dp_refimpl.synthesis.selection import ExponentialMechanism, Maximum, RealExponentialMechanism
from dp_refimpl.synthesis.tables import CountTable, Record, domain_records, tables
from dp_spec.vocabulary.budget import Budget, real_budget
from dp_spec.vocabulary.precision import precision
from dp_studies.reproduce import intervals
from dp_studies.reproduce.numbers import BITS, ball, beside, signed
from dp_studies.reproduce.streams import generator, number_of

SIZES = (2, 2)
PARTITIONS: Mapping[int, tuple[tuple[int, ...], ...]] = {1: ((0, 1),), 2: ((0,), (1,))}
BETA = Fraction(3, 10)
"""The share of PrivBayes' network."""
Law = dict[CountTable, arb]
"""Of the synthetic table."""
Guess = Mapping[Record, Fraction]
"""The chance to be right about a record."""


def hmprivbayes(k: int) -> Callable[[str, CountTable], Law]:
    """The law of the synthetic table for one cluster, or two."""

    def law(epsilon: str, table: CountTable) -> Law:
        _, second, third = (_part(epsilon, share) for share in budget_shares(len(SIZES), k))
        networks = IBayes(ExponentialMechanism(real_budget(second, BITS)), 1)
        return data_law(HMPrivBayes(networks, data_weights(real_budget(third, BITS))), table, PARTITIONS[k], arb(1))

    return law


def privbayes(epsilon: str, table: CountTable) -> Law:
    """The law of the synthetic table of PrivBayes of degree 1."""
    first, second = (real_budget(_part(epsilon, share), BITS) for share in (BETA, 1 - BETA))
    network = GreedyBayes(ExponentialMechanism(first), FixedDegree(1), arb(1), INFORMATION)
    program = PrivBayes(network, RangeGeometric(joint_alphas(second, 1)))
    made = output_law(lambda coins: program.conditionals(table, network.build(table, coins), coins), arb(1))
    law = dict.fromkeys(tables(SIZES, table.n), arb(0))
    for conditionals, probability in made.items():
        row_law = {record: row_probability(conditionals, record) for record in domain_records(SIZES)}
        for data in law:
            law[data] += probability * multinomial(data, row_law)
    return law


def privscbn(epsilon: str, table: CountTable) -> Law:
    """The law of the synthetic table of the reconstruction of PrivSCBN."""
    third = _part(epsilon, Fraction(1, 3))
    program = ReconstructedNetwork(ExponentialMechanism(real_budget(third, BITS)), 1, arb(1))
    networks = output_law(lambda coins: program.build(table, (0, 1), coins), arb(1))
    scale = conditional_scale(third, table.n)
    return {
        data: sum((chance * _likelihood(table, data, network, scale) for network, chance in networks.items()), arb(0))
        for data in tables(SIZES, table.n)
    }


def conditional_scale(third: str, n: int) -> Fraction:
    """2 d / (n epsilon_3): of the noise on conditional probabilities, as in `releases`."""
    return 2 * len(SIZES) / (n * Fraction(third))


def _likelihood(table: CountTable, data: CountTable, network: Network, scale: Fraction) -> arb:
    """The chance that independent rows are these, in any order: each noisy probability gives its rows on its own."""
    chance = arb(factorial(data.n)) / prod(factorial(count) for _, count in data.counts)
    for x, parents in network:
        exact, drawn = (of.marginal((x, *parents)) for of in (table, data))
        for values in domain_records(exact.sizes[1:]):
            zeros, ones = (exact.count((value, *values)) for value in (0, 1))
            share = Fraction(ones, zeros + ones) if zeros + ones else Fraction(1, 2)
            chance *= noisy_power(share, scale, drawn.count((1, *values)), drawn.count((0, *values)))
    return chance


@cache
def noisy_power(share: Fraction, scale: Fraction, ones: int, zeros: int) -> arb:
    """E P^ones (1 - P)^zeros, P being a share plus Laplace noise of a scale > 0, clamped to 0..1."""
    with precision(BITS):
        center, rate = ball(share), ball(1 / scale)

        def part(low: arb, high: arb, sign: int) -> arb:
            """Of P between two numbers on one side of the share."""

            def density(x: acb, _: bool) -> acb:
                return x**ones * (1 - x) ** zeros * (sign * rate * (x - center)).exp() * rate / 2

            return acb.integral(density, low, high).real

        ends = (zeros == 0) * ((center - 1) * rate).exp() / 2 + (ones == 0) * (-center * rate).exp() / 2
        return part(arb(0), center, 1) + part(center, arb(1), -1) + ends


def noprivacy(epsilon: str, table: CountTable) -> Law:
    """The law of the synthetic table without noise, one cluster; of equal scores one is drawn uniformly."""
    program = HMPrivBayes(IBayes(Maximum(), 1), lambda table, pairs: NoCellNoise())
    return {data: arb(chance) for data, chance in data_law(program, table, PARTITIONS[1], fmpq(1)).items()}


LAWS: Mapping[str, Callable[[str, CountTable], Law]] = {
    "HMPrivBayes, k = 1": hmprivbayes(1),
    "HMPrivBayes, k = 2": hmprivbayes(2),
    "PrivBayes, l = 1": privbayes,
    "PrivSCBN (reconstruction)": privscbn,
    "NoPrivacy": noprivacy,
}
STATED = "HMPrivBayes, k = 1"
"""The method that is simulated, too."""
EPSILON = "0.2"
"""Of Figure 4."""
RUNS = 100
"""Of the program, on the stated table."""


def matching(table: CountTable) -> Guess:
    """The matching attacker's chance of being right about every record, given a synthetic table."""
    chances: dict[Record, Fraction] = {}
    for record in domain_records(SIZES):
        own, other = table.count(record), table.count((record[0], 1 - record[1]))
        chances[record] = _right(own, other)
    return chances


def differencing(others: CountTable, published: CountTable, record: Record) -> Fraction:
    """The differencing attacker's chance of being right about a record beside known ones, given a synthetic table."""
    own, other = (published.count(one) - others.count(one) for one in (record, (record[0], 1 - record[1])))
    return _right(own, other)


def _right(own: int, other: int) -> Fraction:
    return Fraction(1, 2) if own == other else Fraction(int(own > other))


def matched(data: CountTable, published: CountTable) -> Fraction:
    """The mean of the matching attacker's chances over the records of a table."""
    return mean_chance(data, matching(published))


def mean_chance(data: CountTable, guess: Guess) -> Fraction:
    """The mean of an attacker's chances over the records of a table."""
    return sum((guess[record] * count for record, count in data.counts), Fraction(0)) / data.n


def bound(epsilon: str) -> arb:
    """e^epsilon / (1 + e^epsilon), the informed attacker's most against an epsilon-private method."""
    with precision(BITS):
        root = real_budget(epsilon, BITS).exp()
        return root / (1 + root)


def result(method: str, n: int, epsilon: str = EPSILON) -> dict[str, Any]:
    """What both attackers do to a method at n records: means and largest values over all tables, as JSON."""
    with precision(BITS):
        law = cache(lambda table: LAWS[method](epsilon, table))
        informed = [
            _informed(law(rest.plus((x, 0))), law(rest.plus((x, 1)))) for rest in tables(SIZES, n - 1) for x in (0, 1)
        ]
        blind = [_expected(law(table), table) for table in tables(SIZES, n)]
        return {
            "method": method,
            "n": n,
            "epsilon": epsilon,
            **{name: _summary(chances) for name, chances in (("informed", informed), ("matching", blind))},
        }


def stated_table(n: int) -> CountTable:
    """n records whose sensitive value is the other attribute, 0 and 1 in turn."""
    return CountTable.of_records(SIZES, [(i % 2, i % 2) for i in range(n)])


def simulated(n: int, seed: int, level: Fraction, epsilon: str = EPSILON, runs: int = RUNS) -> dict[str, Any]:
    """The matching attacker against so many runs of the program on the stated table, beside the exact chance."""
    table = stated_table(n)
    _, second, third = (_part(epsilon, share) for share in budget_shares(len(SIZES), 1))
    program: HMPrivBayes[Any] = HMPrivBayes(IBayes(RealExponentialMechanism(second), 1), data_weights(Budget(third)))
    values = []
    for run in range(runs):
        coins = SamplingCoins(generator(seed, run, number_of(f"tiny:{n}:{epsilon}")))
        data = program.run(table, PARTITIONS[1], coins).data
        assert isinstance(data, CountTable)
        values.append(matched(table, data))
    with precision(BITS):
        exact = _expected(LAWS[STATED](epsilon, table), table)
        low, high = intervals.lower_mean(values, level), intervals.upper_mean(values, Fraction(1), level)
        mean = sum(values, Fraction(0)) / runs
        agreement = beside(exact, ball(mean), (ball(low), ball(high)))
    return {"method": STATED, "n": n, "epsilon": epsilon, "matching": agreement}


def _part(epsilon: str, share: Fraction) -> str:
    return str(Fraction(epsilon) * share)


def _informed(one: Law, other: Law) -> arb:
    zero = arb(0)
    return sum((one.get(data, zero).max(other.get(data, zero)) for data in one.keys() | other.keys()), zero) / 2


def _expected(law: Law, table: CountTable) -> arb:
    return sum((chance * ball(matched(table, data)) for data, chance in law.items()), arb(0))


def _summary(chances: list[arb]) -> dict[str, str]:
    return {"mean": signed(sum(chances, arb(0)) / len(chances)), "largest": signed(reduce(arb.max, chances))}
