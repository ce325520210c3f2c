"""Counterexamples of source 003 that are two neighboring tables, run in the programs of `dp_refimpl.synthesis`.

The two tables of a case are given to the program that the statement is about; the program has to find that they are
apart as the certificate says. Numbers that are irrational are enclosed, and printed with six digits. Other instances
are those of `instance_replay`.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, product
from typing import Any

from flint import arb, fmpq

from dp_checks.instance_replay import run
from dp_checks.instances import Told, six_digits
from dp_checks.verdict import InternalDisagreementError
from dp_refimpl.coins import Coins
from dp_refimpl.enumeration import output_law
from dp_refimpl.synthesis.binary_codes import equal_width_bin
from dp_refimpl.synthesis.clamped_laplace import PositiveCells, equal_rows
from dp_refimpl.synthesis.conditionals import draw_row
from dp_refimpl.synthesis.dpsc import LatticeNoise, access_count, coefficient_sensitivity, coefficients, noise_scale
from dp_refimpl.synthesis.hmprivbayes import budget_shares
from dp_refimpl.synthesis.information import entropy_sensitivity, mutual_information
from dp_refimpl.synthesis.jtree import DependencyGraph
from dp_refimpl.synthesis.log_quotients import compare_quotients, enclosed
from dp_refimpl.synthesis.maximal_information import GridSizes, maximal_information
from dp_refimpl.synthesis.network import IBayes
from dp_refimpl.synthesis.noisy_tables import (
    Base,
    HnoisyConditionals,
    RangeGeometric,
    entropy_weights,
    geometric_alphas,
    noise_scales,
    shares,
)
from dp_refimpl.synthesis.selection import ExponentialMechanism
from dp_refimpl.synthesis.tables import CountTable, Record, domain_records
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.scalar import Ordering, compare

PRECISION = 128
"""Bits of enclosures."""
LONG = 10
"""Letters of a fraction that is printed with six digits instead."""


@dataclass(frozen=True)
class Case:
    """Numbers of an instance, what else a case names, and its two tables."""

    at: Mapping[str, Any]
    named: Mapping[str, Any]
    one: CountTable
    other: CountTable

    def number(self, name: str) -> fmpq:
        """A number of the instance."""
        return fmpq(*map(int, str(self.at[name]).split("/")))


def replayed(claim: str, evidence: Mapping[str, Any]) -> list[str]:
    """What the program makes of the instance of a refutation, and its two tables, where these are neighbors; why there
    is no program; nothing for statements of other sources.

    Raises `InternalDisagreementError` where the program does not find what the statement denies.
    """
    program = PROGRAMS.get(claim)
    if program is None:
        words, outcome = list[str](), run(claim, evidence)
    else:
        case = _case(evidence.get("evidence", evidence), added=claim.endswith("@ar"))
        words, outcome = (
            [f"table {[list(x) for x in table.records]}" for table in (case.one, case.other)],
            program(case),
        )
    if outcome is None:
        return []
    lines, fails = outcome
    if not fails:
        raise InternalDisagreementError(f"{claim}: the program does not confirm it: {'; '.join((*words, *lines))}")
    return [*words, *lines]


def _case(evidence: Mapping[str, Any], added: bool) -> Case:
    """The tables of a refutation; where it names no record, of attributes in two groups that vary with one record each:
    `added` says that the second record joins the first."""
    at, named = evidence["instance"], evidence["case"]
    if not named:
        g, h = int(at["g"]), int(at["h"])
        none, first, second = (0,) * (g + h), (1,) * g + (0,) * h, (0,) * g + (1,) * h
        tables = [[none, first], [none, first, second] if added else [none, second]]
    elif not at.keys() >= _CELLS.keys():
        rest = [_record(x) for x in named.get("rest", ())]
        tables = [[*rest, *_added(named["one"])], [*rest, *(_added(named["other"]) if "other" in named else [])]]
    else:
        rest = [pair for name, pair in _CELLS.items() for _ in range(int(at[name]))]
        tables = [[*rest, _record(named["one"])], rest]
    records = [record for table in tables for record in table]
    sizes = [max(2, *(1 + record[a] for record in records)) for a in range(len(records[0]))]
    return Case(at, named, *(CountTable.of_records(sizes, table) for table in tables))


_CELLS = {"p": (0, 0), "q": (0, 1), "r": (0, 2), "x": (1, 0), "y": (1, 1), "z": (1, 2)}
"""The counts of a table of an attribute with two values and one with three."""


def _added(value: Any) -> list[tuple[int, ...]]:
    """A record, or a list of one or none."""
    several = isinstance(value, list) and all(isinstance(x, list) for x in value)
    return [tuple(x) for x in value] if several else [_record(value)]


def _record(value: Any) -> tuple[int, ...]:
    return tuple(value) if isinstance(value, list) else (value,)


def _over(what: str, loss: arb, stated: arb | fmpq) -> Told:
    limit = arb(stated)
    return [f"{what} {six_digits(loss)}, stated at most {six_digits(limit)}"], compare(loss, limit) is Ordering.GREATER


# --- losses of noise


def _moved(case: Case, pairs: Iterator[tuple[int, int]], draws: int = 1) -> arb:
    """The loss of noisy entries of the matrix, epsilon_1 = 1."""
    matrices = [coefficients(table, GridSizes()) for table in (case.one, case.other)]
    scale = enclosed(noise_scale(case.one.n, len(case.one.sizes), fmpq(1)), PRECISION)
    gaps = (abs(enclosed(matrices[0][i][j], PRECISION) - enclosed(matrices[1][i][j], PRECISION)) for i, j in pairs)
    return draws * sum(gaps, arb(0)) / scale


def _all(case: Case) -> Iterator[tuple[int, int]]:
    return combinations(range(len(case.one.sizes)), 2)


def _access(case: Case) -> Told:
    d = len(case.one.sizes)
    loss = _moved(case, iter([(i, i + 1) for i in range(0, d - 1, 2)]))
    return _over("loss of one access (epsilon_1 = 1)", loss, 1 / access_count(d))


def _matrix(draws: int) -> Callable[[Case], Told]:
    return lambda case: _over("loss of the matrix (epsilon_1 = 1)", _moved(case, _all(case), draws), fmpq(1))


def _marginals(case: Case, epsilon: fmpq) -> fmpq:
    """The loss of the noisy tables of single attributes, a cluster each."""
    scale, n, loss = noise_scales(case.one.n, epsilon, (fmpq(1),))[0], case.one.n, fmpq(0)
    for a in range(len(case.one.sizes)):
        one, other = (table.marginal((a,)).vector for table in (case.one, case.other))
        loss += sum((fmpq(abs(x - y), n) / scale for x, y in zip(one, other, strict=True)), fmpq(0))
    return loss


def _runs(case: Case) -> Told:
    epsilon = case.number("eps")
    return _over("loss of the joint tables of all clusters", arb(_marginals(case, epsilon)), epsilon)


def _transcript(case: Case) -> Told:
    d = len(case.one.sizes)
    first, _, third = (fmpq(share.numerator, share.denominator) for share in budget_shares(d, d))
    loss = arb(first) * _moved(case, _all(case)) + arb(_marginals(case, third))
    return _over("loss of the transcript (epsilon = 1)", loss, fmpq(1))


# --- scales that tell the tables apart


def _sizes(case: Case) -> Told:
    d = len(case.one.sizes)
    scales = [noise_scale(table.n, d, fmpq(1)) for table in (case.one, case.other)]
    words = " and ".join(six_digits(enclosed(scale, PRECISION)) for scale in scales)
    return [f"scales of the noise on the matrix {words} (epsilon_1 = 1)"], compare_quotients(
        *scales
    ) is not Ordering.EQUAL


def _weights(case: Case) -> Told:
    first_shares: list[Any] = [shares(entropy_weights(table, (1, 2)))[0] for table in (case.one, case.other)]
    said = " and ".join(map(str, first_shares))
    words = [f"shares of epsilon_3 of the first joint table {said}, which have to be the same"]
    return words, compare(*first_shares) in (Ordering.LESS, Ordering.GREATER)


# --- laws


def _ratio(what: str, chances: Sequence[fmpq], limit: fmpq) -> Told:
    one, other = chances
    first, second, ratio, most = (
        str(x) if len(str(x)) < LONG else six_digits(arb(x)) for x in (*chances, one / other, limit)
    )
    return [f"P({what}) = {first} and {second}, ratio {ratio}, stated at most {most}"], one > limit * other


def _counts(of: Callable[[CountTable], tuple[int, int]]) -> Callable[[Case], Told]:
    """Two noisy counts of a table."""

    def shown(case: Case) -> Told:
        alpha, n, outputs = case.number("alpha"), int(case.at["n"]), case.named["outputs"]
        noise, chances = RangeGeometric((alpha, alpha)), list[fmpq]()
        for table in (case.one, case.other):
            laws = [noise.law(i, count, n) for i, count in enumerate(of(table))]
            chances.append(laws[0][outputs[0]] * laws[1][outputs[1]])
        return _ratio(f"noisy counts {outputs}", chances, 1 / alpha)

    return shown


def _networks(case: Case) -> Told:
    """k clusters with the same columns, t = e^(epsilon_2 / (2 c))."""
    t, c, k = case.number("t"), int(case.at["c"]), int(case.at["k"])
    order, parents = case.named["network"]
    network = tuple((x, tuple(own)) for x, own in zip(order, parents, strict=True))
    program = IBayes(ExponentialMechanism(Budget.of_root(t, 2 * c)), int(case.at["l"]))
    chances = [program.probability(table, network) ** k for table in (case.one, case.other)]
    return _ratio(f"{k} networks {network}", chances, t ** (2 * c))


def _synthetic(case: Case) -> Told:
    """d clusters with the same column each: the chance of their rows, e^(-epsilon_3 / 2) = m / (m + 1)."""
    d, m, drawn = int(case.at["d"]), case.number("m"), tuple(map(_record, case.named["drawn"]))
    tables = HnoisyConditionals(RangeGeometric((m / (m + 1),)), 0)

    def rows(table: CountTable, coins: Coins) -> tuple[Record, ...]:
        conditionals = tables.publish(table, ((0, ()),), coins)
        return tuple([draw_row(conditionals, coins) for _ in drawn])

    chances = [output_law(partial(rows, table), fmpq(1))[drawn] ** d for table in (case.one, case.other)]
    return _ratio(f"rows {case.named['drawn']} of {d} clusters", chances, ((m + 1) / m) ** (d + 3))


def _clamped(base: Base) -> Callable[[Case], Told]:
    """Which cells of two joint tables are above 0, weights of the data: of each cell what has the larger ratio.

    e^(-epsilon_3) = (m / (m + 1))^(2 q).
    """

    def program(case: Case) -> Told:
        m, q = case.number("m"), int(case.at["q"])
        budget, parent = Budget.of_root(arb((m + 1) / m), 2 * q), case.named["parent"]
        noises = [
            PositiveCells(geometric_alphas(budget, shares(entropy_weights(table, (1, 2), base))))
            for table in (case.one, case.other)
        ]
        pattern, chances = list[int](), (arb(1), arb(1))
        for (joint, attributes), record in product(enumerate(((0, 1), (parent, 2))), domain_records((2, 2))):
            one, other = (
                noise.law(joint, table.marginal(attributes).count(record))
                for noise, table in zip(noises, (case.one, case.other), strict=True)
            )
            sign = int(compare(one[1] * other[0], one[0] * other[1]) is Ordering.GREATER)
            pattern.append(sign)
            chances = chances[0] * one[sign], chances[1] * other[sign]
        return _enclosed_ratio(f"cells above 0: {pattern}", chances, arb(((m + 1) / m) ** (2 * q)))

    return program


def _enclosed_ratio(what: str, chances: tuple[arb, arb], limit: arb) -> Told:
    one, other, ratio, most = map(six_digits, (*chances, chances[0] / chances[1], limit))
    words = f"P({what}) = {one} and {other}, ratio {ratio}, stated at most {most}"
    return [words], compare(chances[0], limit * chances[1]) is Ordering.GREATER


def _values(case: Case) -> Told:
    """d clusters of one attribute: the one value of each whose noisy cell is above 0, e^(-epsilon_3 / 2) = m / (m + 1).

    This is the value that has the whole mass in P*.
    """
    d, m, chances = int(case.at["d"]), case.number("m"), list[fmpq]()
    tables = HnoisyConditionals(PositiveCells((m / (m + 1),)), 0)
    for table in (case.one, case.other):
        chance = fmpq(1)
        for a, value in enumerate(case.named["seen"]):
            law = output_law(partial(tables.noisy_joints, table.marginal((a,)), ((0, ()),)), fmpq(1))
            chance *= sum(
                (p for (joint,), p in law.items() if joint.cells[value] and not joint.cells[1 - value]), fmpq(0)
            )
        chances.append(chance)
    return _ratio(f"P* is certain of the values {case.named['seen']}", chances, ((m + 1) / m) ** (d + 3))


def _rows(case: Case) -> Told:
    """d clusters with the same column each: all rows have the drawn value, e^(-epsilon_3 / 2) = (m / (m + 1))^g."""
    d, n, g, m = int(case.at["d"]), int(case.at["n"]), int(case.at["g"]), case.number("m")
    drawn = int(case.named["drawn"])
    counts = [(table.count((drawn,)), table.count((1 - drawn,))) for table in (case.one, case.other)]
    bounds = [equal_rows(pair, n, m / (m + 1), g) for pair in counts]
    one, other, limit = bounds[0][0] ** d, bounds[1][1] ** d, ((m + 1) / m) ** (g * (d + 3))
    words = f"P({n} rows of {drawn} in {d} clusters) >= {six_digits(arb(one))} and <= {six_digits(arb(other))}"
    ratio = f"ratio >= {six_digits(arb(one / other))}, stated at most {six_digits(arb(limit))}"
    return [f"{words}, {ratio}"], one > limit * other


def _parts(case: Case) -> Told:
    """The parts of a table by the first attribute, of each of which only its number of records matters."""
    release, chances, published = case.named["release"], list[fmpq](), list[tuple[int, ...]]()
    for table in (case.one, case.other):
        parts = [CountTable.of_records(table.sizes, [x for x in table.records if x[0] == i]) for i in range(2)]
        ones = [part.marginal((1,)).count((1,)) if table.sizes[1] > 1 else 0 for part in parts]
        published.append(
            tuple(release[part.n * (part.n + 1) // 2 + one] for part, one in zip(parts, ones, strict=True))
        )
        chances.append(fmpq(published[-1] == published[0]))
    words = (
        f"the two parts release {list(published[0])} with chances {chances[0]} and {chances[1]}, and are 0-private each"
    )
    return [words], chances[0] > case.number("w") * chances[1]


def _one_draw(case: Case) -> Told:
    """One draw of noise for all answers: here the difference of the first two, e^epsilon = w."""
    w, change, chances = case.number("w"), int(case.at["delta"]), list[fmpq]()
    noise = LatticeNoise(fmpq(1), 1 / w, -change, change)
    answers = [table.records[0] for table in (case.one, case.other)]

    def difference(record: Record, coins: Coins) -> fmpq:
        draw = noise.entry(fmpq(0), coins)
        return (record[0] + draw) - (record[1] + draw)

    stated = fmpq(answers[0][0] - answers[0][1])
    chances = [output_law(partial(difference, record), fmpq(1)).get(stated, fmpq(0)) for record in answers]
    words = (
        f"P(the first two answers differ by {stated}) = {chances[0]} and {chances[1]}, stated at most {w} times that"
    )
    return [words], chances[0] > w * chances[1]


def _bins(case: Case) -> Told:
    """Numbers of records in the bins of the observed range."""
    bins, counts = int(case.at["c"]), list[list[int]]()
    for table in (case.one, case.other):
        column = [fmpq(record[0]) for record in table.records]
        low, high = (fmpq(end(table.records)[0]) for end in (min, max))
        codes = Counter(equal_width_bin(x, low, high, bins) if low != high else bins - 1 for x in column)
        counts.append([codes[code] for code in range(bins)])
    moved = sum(abs(x - y) for x, y in zip(*counts, strict=True))
    words = f"records in the bins of the observed range {counts[0]} and {counts[1]}, {fmpq(moved, 2)} have moved"
    return [f"{words}, stated at most 1"], moved > 2


def _graph(times: Callable[[Case], fmpq]) -> Callable[[Case], Told]:
    """Which of g and of h attributes vary, by the graph with noise in steps of Delta_s and epsilon_1 = 2 log w."""

    def shown(case: Case) -> Told:
        g, sizes, budget = int(case.at["g"]), case.one.sizes, Budget.of_root(case.number("w"), 2)
        varying, fixed = (list(combinations(range(*ends), 2)) for ends in ((0, g), (g, len(sizes))))
        chances = [
            DependencyGraph.of_budget(budget, table.n, sizes, fmpq(1, 2), fmpq(7, 10)).probability(
                table, varying, fixed
            )
            for table in (case.one, case.other)
        ]
        what = f"edges between all of {[*range(g)]}, none in {[*range(g, len(sizes))]}, with noise in steps of 7/10"
        return _ratio(what, chances, times(case) * case.number("w") ** 2)

    return shown


# --- sensitivities


def _information(case: Case) -> Told:
    one, other = (mutual_information(table, 0, (1,)) for table in (case.one, case.other))
    moved, most = (one - other).magnitude(), entropy_sensitivity(case.one.n)
    words = (
        f"informations {six_digits(one.bits())} and {six_digits(other.bits())} bits, change {six_digits(moved.bits())}"
    )
    return [f"{words}, stated at most {six_digits(most.bits())}"], moved.compare(most) is Ordering.GREATER


def _sensitivities(case: Case) -> Told:
    one, other = (entropy_sensitivity(table.n) for table in (case.one, case.other))
    numbers = " and ".join(six_digits(information.bits()) for information in (one, other))
    return [f"Delta H of {case.one.n} and {case.other.n} records {numbers} bits, stated the same"], one.compare(
        other
    ) is not Ordering.EQUAL


def _mixed(case: Case) -> Told:
    one, other = (mutual_information(table, 0, (1,)) for table in (case.one, case.other))
    moved, most = (one - other).magnitude().bits(PRECISION), entropy_sensitivity(case.one.n).nats(PRECISION)
    return _over("change of the information in bits", moved, most)


def _mic(case: Case) -> Told:
    coefficients_of = []
    for table in (case.one, case.other):
        vector, width = table.vector, table.sizes[1]
        coefficients_of.append(enclosed(maximal_information([list(vector[:width]), list(vector[width:])]), PRECISION))
    most = enclosed(coefficient_sensitivity(case.one.n), PRECISION)
    words = f"MIC {six_digits(coefficients_of[0])} and {six_digits(coefficients_of[1])}, change"
    return _over(words, abs(coefficients_of[0] - coefficients_of[1]), most)


PROGRAMS: Mapping[str, Callable[[Case], Told]] = {
    "003.sec32.delta-i@general.ro": _information,
    "003.sec32.delta-m@ordinal.ar": _mic,
    **dict.fromkeys(("003.def1.adj@ar", "003.def1.adj@both"), _sizes),
    "003.def2.function@ar": _sensitivities,
    "003.log.base@mi-bits.sens-nats": _mixed,
    "003.sec33.deltau@general": _information,
    "003.prop2.par@ro.parts-ar": _counts(lambda table: (table.count((0,)), table.count((1,)))),
    "003.prop2.par@vertical": _counts(
        lambda table: (table.marginal((0,)).count((1,)), table.marginal((1,)).count((1,)))
    ),
    "003.prop2.par@ro.parts-ro": _parts,
    "003.def3.dp@shared": _one_draw,
    "003.sec31.binarise@observed-range": _bins,
    "003.alg3.round": _access,
    **dict.fromkeys(("003.alg3.dp@matrix.once.ro", "003.alg3.tight"), _matrix(1)),
    "003.alg3.dp@matrix.twice.ro": _matrix(2),
    **dict.fromkeys(("003.alg3.dp@matrix.once.ar", "003.thm1.dp@transcript.ar"), _sizes),
    "003.sec33.allclusters": _networks,
    **dict.fromkeys(("003.alg5.dp@data.values.raw", "003.thm1.dp@transcript.data.ro"), _weights),
    "003.alg5.dp@data.values.clamped": _clamped("values"),
    "003.alg5.dp@data.records.clamped": _clamped("records"),
    "003.sec34.allclusters": _runs,
    "003.thm1.dp@transcript.fixed.ro": _transcript,
    "003.base.jtree.graph": _graph(lambda case: fmpq(1)),
    **dict.fromkeys(("003.base.jtree.dp@ro", "003.base.jtree.dp@ar"), _graph(lambda case: case.number("x"))),
    "003.thm1.dp@synth.geometric.ro": _synthetic,
    "003.thm1.dp@pstar.ro": _values,
    "003.thm1.dp@synth.ro": _rows,
}
"""By the id of the refuted statement."""
