"""The randomized program behind every law, and what an observer of a view sees of its reports."""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from dp_refimpl.coins import Coins
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.budget_split import BudgetSplit
from dp_refimpl.frequency.grr import GRRSample, GRRSplit
from dp_refimpl.frequency.histogram import THE
from dp_refimpl.frequency.padding import pad_and_sample, padded_domain
from dp_refimpl.frequency.rappor import RAPPOR, RAPPORSample, RAPPORSet
from dp_refimpl.frequency.sugrr import SuGRR, SuGRRSample
from dp_refimpl.frequency.surap import SuRAP, SuRAPSample, whole_vector
from dp_refimpl.frequency.unary import OUE
from dp_refimpl.frequency.urap import URAP
from dp_refimpl.frequency.urr import URR
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError, NotExactError
from dp_spec.vocabulary.items import Item, ItemDomain, Report
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.table import Channel

Held = frozenset[Item]
OF_ONE_ITEM = ("urr", "urap", "unary-oue", "histogram-the")
"""Laws whose programs take an item, not a set."""
Program = Callable[[Held, Coins], Report]


class FreeThirds(Budget[Any]):
    """A budget with any number for e^(eps/3): THE at theta = 2/3 is then THE with that number for e^(eps theta / 2)."""

    def __init__(self, budget: Budget[Any], third: Any) -> None:
        for name, value in (("root", budget.root), ("power", budget.power), ("third", third)):
            object.__setattr__(self, name, value)

    def exp(self, share: Fraction | int = 1) -> Any:
        """Raises `NotExactError` for other shares than those that the threshold divides epsilon / 2 into."""
        third = vars(self)["third"]
        powers = {Fraction(1, 3): third, Fraction(1, 6): super().exp(Fraction(1, 2)) / third}
        if share not in powers:
            raise NotExactError("share", share, "1/3 or 1/6")
        return powers[Fraction(share)]


def mechanism(
    law: Law, view: str, m: int, domain: ItemDomain, root: Any, order: tuple[Item, ...] | None = None, **parameters: Any
) -> Any:
    """The mechanism of `dp_refimpl` behind a law, with e^epsilon = root ** power at set size m; sets of any size
    allowed. Raises `DomainError` for a law that no program is known for."""
    budget = Budget.of_root(root, int(law.power.evaluate({"m": m})))
    match law.mechanism:
        case "grr-split":
            return GRRSplit(domain, budget, m, True, "vector" if view == "vector" else "multiset")
        case "grr-sample":
            return GRRSample(domain, budget, m, True)
        case "rappor-set":
            return RAPPORSet(domain, budget, m, True)
        case "rappor-sample":
            return RAPPORSample(domain, budget, m, True)
        case "rappor-split":
            return BudgetSplit(domain, budget, m, True, of=RAPPOR)
        case "urr-split":
            return BudgetSplit(domain, budget, m, True, of=URR)
        case "urap-split":
            return BudgetSplit(domain, budget, m, True, of=URAP)
        case "urr":
            return URR(domain, budget)
        case "urap":
            return URAP(domain, budget, parameters.get("theta"))
        case "unary-oue":
            return OUE(domain, budget)
        case "histogram-the":
            return THE(domain, FreeThirds(budget, 1 + (root - 1) * parameters["z"]), Fraction(2, 3))
        case "sugrr":
            # a law may spend the whole root on every item (source 002, "the budget has to be divided")
            return SuGRR(domain, Budget.of_root(root, m), m, True, view, order)  # type: ignore[arg-type]
        case "sugrr-sample":
            return SuGRRSample(domain, budget, m, True)
        case "surap":
            return SuRAP(domain, budget, m, True)
        case "surap-sample":
            return SuRAPSample(domain, budget, m, True)
    raise DomainError("mechanism", law.mechanism, "the name of a program")


def program(law: Law, view: str, target: Any) -> Program:
    """The randomized program with its report (y0, I) as the view shows it, canonically ordered."""
    if isinstance(target, URR):
        return lambda s, coins: _split_item(target.randomize(next(iter(s)), coins), target.domain)
    if isinstance(target, OUE | THE):
        return lambda s, coins: Report(target.randomize(next(iter(s)), coins))
    if isinstance(target, URAP):
        return lambda s, coins: target.randomize(next(iter(s)), coins)
    if law.mechanism in ("urr-split", "urap-split"):
        return lambda s, coins: _together(target.randomize(s, coins), target.domain)
    return lambda s, coins: seen(law, view, target.randomize(s, coins))


def seen(law: Law, view: str, report: Any) -> Report:
    """A mechanism's own report as (y0, I): sets become sorted tuples, reports without invertible data get I = {}."""
    if not isinstance(report, Report):
        return Report(report)
    if view == "whole":
        return whole_vector(report)
    if view == "set":
        return Report(tuple(sorted(report.protected, key=str)), report.invertible)  # type: ignore[call-overload]
    return report


def _together(reports: tuple[Any, ...], domain: ItemDomain) -> Report:
    """The reports on single items as one: the sensitive results (vectors) of all, the invertible data of all."""
    if all(isinstance(report, Report) for report in reports):
        return Report(tuple(y.protected for y in reports), frozenset(x for y in reports for x in y.invertible))
    sensitive = [z for z in reports if z in domain.sensitive]
    return Report(tuple(sorted(sensitive, key=str)), frozenset(reports) - frozenset(sensitive))


def _split_item(z: Item, domain: ItemDomain) -> Report:
    return Report(z) if z in domain.sensitive else Report(None, frozenset([z]))


@lru_cache(maxsize=1024)
def law_channel(
    law: Law,
    view: str,
    m: int,
    sizes: range,
    domain: ItemDomain,
    root: Any,
    order: tuple[Item, ...] | None = None,
    **parameters: Any,
) -> Channel[Held, Report, Any]:
    """The exact channel of the program behind a law on all sets of the given sizes.

    Sets are brought to m items first where the law says so; sensitive dummies are numbered K..K+m-1, as in the kernel.
    Channels are remembered: statements on one law ask for the same ones.
    """
    one = root * 0 + 1
    if not law.brought:
        target = mechanism(law, view, m, domain, root, order, **parameters)
        return exact_channel(program(law, view, target), domain.subsets(sizes), one)
    k, n, kind = len(domain.sensitive), len(domain.nonsensitive), "existing"
    fakes: tuple[int, ...] = ()
    if law.brought[0] == "dummies":
        sensitive = law.brought[1] == "sen"
        first, kind = (k, "sensitive") if sensitive else (k + n, "nonsensitive")
        fakes = tuple(range(first, first + m))
        domain = ItemDomain(tuple(range(k)), tuple(range(k + m * sensitive, k + m * sensitive + n)))
    larger = padded_domain(domain, fakes, kind)  # type: ignore[arg-type]
    randomize = program(law, view, mechanism(law, view, m, larger, root, order, **parameters))

    def run(items: Held, coins: Coins) -> Report:
        return randomize(pad_and_sample(items, m, domain, fakes, coins, one), coins)

    return exact_channel(run, domain.subsets(sizes), one)
