"""Numbers of a counterexample that its evidence does not carry, computed again from the program."""

from collections.abc import Mapping
from typing import Any

from flint import fmpq

from dp_checks.check.moments import count
from dp_checks.programs import Instance, canonical, law_channel, mechanism
from dp_kernel.laws.grammar import shape
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.statement import Padding

Data = Mapping[str, Any]


def rational(text: object) -> fmpq:
    """An exact number as certificates write it."""
    return fmpq(*map(int, str(text).split("/")))


def e_epsilon(law: Law, at: Data) -> fmpq:
    """e^epsilon at an instance."""
    number: fmpq = fmpq(1) * law.e_eps.evaluate({law.base: rational(at[law.base]), "m": at["m"]})
    return number


def report_law(law: Law, view: str, at: Data, s: list[int]) -> dict[Any, fmpq]:
    """The exact law of the report (y0, I) of a user who holds s."""
    lengths, domain = range(len(s), len(s) + 1), ItemDomain.of_sizes(at["K"], at["N"])
    own = tuple((name, rational(at[name])) for name in law.parameters)
    channel = law_channel(law, view, lengths, Instance(at["m"], domain, rational(at[law.base]), parameters=own))
    return {canonical(y): p for y, p in channel.rows[frozenset(s)].items()}


def count_law(law: Law, view: str, at: Data, s: list[int], x: int) -> dict[int, fmpq]:
    """The exact law of what one report adds to F_x."""
    chances: dict[int, fmpq] = {}
    outcome = shape(law.in_view(view).json()["term"])
    for y, p in report_law(law, view, at, s).items():
        c = count(outcome, y, x, at["K"])
        chances[c] = chances.get(c, fmpq(0)) + p
    return chances


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


def padded_mean(statement: Padding, data: Data) -> fmpq:
    """The expected estimate for a user whose set is sampled down or filled up to m items."""
    at, law, s = data["instance"], statement.law, frozenset(data["s"])
    place = Instance(at["m"], ItemDomain.of_sizes(at["K"], at["N"]), rational(at[law.base]))
    target = mechanism(law, law.view, place)
    row = law_channel(law, law.view, range(len(s), len(s) + 1), place).rows[s]
    mean: fmpq = sum((p * target.estimate([y])[data["item"]] for y, p in row.items()), fmpq(0))
    return mean


def stated_mean(statement: Padding, data: Data) -> fmpq:
    """The expected estimate as stated."""
    at = data["instance"]
    values = {"m": fmpq(at["m"]), "K": at["K"], "N": at["N"]}
    mean: fmpq = fmpq(1) * statement.mean.evaluate(
        values | {"size": len(data["s"]), "held": int(data["item"] in data["s"])}
    )
    return mean
