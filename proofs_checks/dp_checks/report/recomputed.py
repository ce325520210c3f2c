"""Numbers of a counterexample that its evidence does not carry, computed again from the program."""

from collections.abc import Mapping
from typing import Any

from flint import fmpq

from dp_checks.check.ties import canonical
from dp_checks.enumeration import exact_channel
from dp_checks.kernel.laws import count
from dp_checks.programs import law_channel, mechanism, program
from dp_refimpl.coins import Coins
from dp_refimpl.frequency.padding import pad_and_sample
from dp_spec.vocabulary.estimation import Counting
from dp_spec.vocabulary.items import ItemDomain, Report
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.statement import Mse, Padding

Data = Mapping[str, Any]


def rational(text: object) -> fmpq:
    """An exact number as certificates write it."""
    return fmpq(*map(int, str(text).split("/")))


def e_epsilon(law: Law, at: Data) -> fmpq:
    """e^epsilon at an instance."""
    found: fmpq = fmpq(1) * law.e_eps.evaluate({law.base: rational(at[law.base]), "m": at["m"]})
    return found


def report_law(law: Law, view: str, at: Data, s: list[int]) -> dict[Any, fmpq]:
    """The exact law of the report (y0, I) of a user who holds s."""
    lengths, domain = range(len(s), len(s) + 1), ItemDomain.of_sizes(at["K"], at["N"])
    extra: dict[str, Any] = {name: rational(at[name]) for name in law.parameters}
    channel = law_channel(law, view, at["m"], lengths, domain, rational(at[law.base]), **extra)
    return {canonical(y): p for y, p in channel.rows[frozenset(s)].items()}


def count_law(law: Law, view: str, at: Data, s: list[int], x: int) -> dict[int, fmpq]:
    """The exact law of what one report adds to F_x."""
    found: dict[int, fmpq] = {}
    for y, p in report_law(law, view, at, s).items():
        c = int(count({"draw": law.draw, "unit": law.unit}, view, y, x, at["K"]))
        found[c] = found.get(c, fmpq(0)) + p
    return found


def stated_count_law(law: Law, at: Data, held: bool) -> dict[int, fmpq]:
    """The law of the sum of one Bernoulli(p) variable, if the item is held, and Bernoulli(q) variables, m in all."""
    values = {law.base: rational(at[law.base]), "m": at["m"], "K": at["K"], "N": at["N"]}
    p, q = fmpq(1) * law.p.evaluate(values), fmpq(1) * law.q.evaluate(values)
    law_of_sum = {0: fmpq(1)}
    for chance in [p] * held + [q] * (at["m"] - held):
        law_of_sum = {
            c: law_of_sum.get(c, fmpq(0)) * (1 - chance) + law_of_sum.get(c - 1, fmpq(0)) * chance
            for c in range(max(law_of_sum) + 2)
        }
    return law_of_sum


def one_user_mse(side: Mse, at: Data) -> fmpq:
    """The exact MSE for one user, who holds item 0 if f is 1 and does not if it is 0."""
    law, m, held = side.law, int(at["m"]), rational(at["f"]) == 1
    domain = ItemDomain.of_sizes(int(at.get("K", m + 1)))
    root = rational(at[law.base])
    channel = law_channel(law, side.view, m, range(m, m + 1), domain, root)
    values = {law.base: root, "m": m, "K": len(domain.items), "N": 0}
    slope, offset = (fmpq(1) * part.evaluate(values) for part in (side.estimator.slope, side.estimator.offset))
    table = {"draw": law.draw, "unit": law.unit}

    def contribution(y: Report) -> int:
        return int(count(table, side.view, canonical(y), 0, len(domain.items)))

    counting = Counting(channel, contribution, lambda s: int(0 in s), slope, offset)
    found: fmpq = counting.mse([next(s for s in channel.inputs if (0 in s) == held)])
    return found


def padded_mean(statement: Padding, data: Data) -> fmpq:
    """The expected estimate for a user whose set is sampled down or filled up to m items."""
    at, law, s = data["instance"], statement.law, frozenset(data["s"])
    domain = ItemDomain.of_sizes(at["K"], at["N"])
    target = mechanism(law, statement.view, at["m"], domain, rational(at[law.base]))
    randomize = program(law, statement.view, target)

    def run(held: frozenset[Any], coins: Coins) -> Report:
        return randomize(pad_and_sample(held, at["m"], domain, (), coins, fmpq(1)), coins)

    row = exact_channel(run, [s], fmpq(1)).rows[s]
    mean: fmpq = sum((p * target.estimate([y])[data["item"]] for y, p in row.items()), fmpq(0))
    return mean


def stated_mean(statement: Padding, data: Data) -> fmpq:
    """The expected estimate as stated."""
    at = data["instance"]
    values = {"m": fmpq(at["m"]), "K": at["K"], "N": at["N"]}
    found: fmpq = fmpq(1) * statement.mean.evaluate(
        values | {"size": len(data["s"]), "held": int(data["item"] in data["s"])}
    )
    return found
