"""The randomized program behind every law: one registry, and the exact channels that programs have.

Of laws on sets what an observer of a view sees of the reports; of laws on arcs, of sketches, messages and subsets the
reports as the kernel writes them: (row, bits) of the count-mean sketch, (row, (coordinate, label)) of the one with a
Hadamard matrix, (function, label) of local hashing, (coordinate, label) of Hadamard response, the label of the sign 1
being 0; of a user's messages sorted labels; (function, sorted labels) where one public function serves all of them; the
report and the dummies, each a (function, label), where every message has its own; the item and the bits of all items.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any, Literal, NamedTuple

from flint import fmpq

from dp_checks.verdict import InternalDisagreementError
from dp_refimpl.coins import Coins
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.budget_split import BudgetSplit
from dp_refimpl.frequency.count_sketch import ClientCMS, PlainRow, Sampled
from dp_refimpl.frequency.grr import GRRSplit
from dp_refimpl.frequency.hadamard import HCMS
from dp_refimpl.frequency.hash_families import LabelFunction, PublicFunctions
from dp_refimpl.frequency.hashing import HashFunction
from dp_refimpl.frequency.histogram import THE
from dp_refimpl.frequency.local_hashing import LocalHashing
from dp_refimpl.frequency.padding import pad_and_sample, padded_domain
from dp_refimpl.frequency.parameters import SetParameters
from dp_refimpl.frequency.privset import Dummy, PrivSet
from dp_refimpl.frequency.rappor import RAPPOR
from dp_refimpl.frequency.sugrr import SuGRR
from dp_refimpl.frequency.surap import whole_vector
from dp_refimpl.frequency.urap import URAP
from dp_refimpl.frequency.urr import URR
from dp_refimpl.mechanisms import RECORDS
from dp_refimpl.shuffle.aue import AUE
from dp_refimpl.shuffle.dummies import Constant
from dp_refimpl.shuffle.dump import MixDUMP, PureDUMP
from dp_refimpl.shuffle.odhp import ODHP, Revealed
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError, NotExactError, NotStochasticError
from dp_spec.vocabulary.items import Item, ItemDomain, Report
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.table import Channel

Held = frozenset[Item]
Items = tuple[int, ...]
Rows = dict[Items, dict[Any, Any]]
"""What programs do for sets, as the kernel numbers items and writes outputs."""
Run = Callable[[Any, Coins], Any]
"""A randomized program: what is reported of what a user holds."""


@dataclass(frozen=True)
class Setting:
    """What programs are made of; sets of any size are allowed."""

    domain: ItemDomain
    budget: Any
    m: int
    view: str = "vector"
    order: tuple[Item, ...] | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    functions: tuple[LabelFunction, ...] = ()
    dummies: int = 0
    chosen: int = 0
    completed: bool = False

    @property
    def root(self) -> Any:
        """The number whose power is e^epsilon."""
        return self.budget.root

    @property
    def family(self) -> PublicFunctions | None:
        """One of the functions, drawn uniformly."""
        return PublicFunctions(self.functions) if self.functions else None

    def of(self, kind: Any, *more: Any, **named: Any) -> Any:
        """The mechanism of a class for sets of m items."""
        return kind(self.domain, self.budget, self.m, True, *more, **named)

    def sends(self, hashes: Literal["shared", "fresh"]) -> Any:
        """The sender of messages under public functions."""
        return ODHP(self.domain, self.budget, Constant(self.dummies), self.family, hashes=hashes)


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


class Program(NamedTuple):
    """The class of a program, how it is made if not as others are, and the class of its parts."""

    cls: type
    made: Callable[[Setting], Any] | None = None
    of: type | None = None


MADE: Mapping[str, Callable[[Setting], Any]] = {
    "grr-split": lambda x: x.of(GRRSplit, "vector" if x.view == "vector" else "multiset"),
    "urap": lambda x: URAP(x.domain, x.budget, x.parameters.get("theta")),
    "histogram-the": lambda x: THE(
        x.domain, FreeThirds(x.budget, 1 + (x.root - 1) * x.parameters["z"]), Fraction(2, 3)
    ),
    # a law may spend the whole root on every item (source 002, "the budget has to be divided")
    "sugrr": lambda x: SuGRR(
        x.domain,
        Budget.of_root(x.root, x.m),
        x.m,
        True,
        x.view,  # type: ignore[arg-type]
        x.order,
    ),
    "privset": lambda x: PrivSet(x.domain, x.budget, x.m, x.chosen, x.completed),
    "count_sketch-cms": lambda x: ClientCMS(x.domain, x.budget, x.functions),
    "count_sketch-records": lambda x: ClientCMS(x.domain, x.budget, x.functions),
    "hadamard-hcms": lambda x: HCMS(x.domain, x.budget, x.functions),
    "local_hashing-olh": lambda x: LocalHashing(
        x.domain, x.budget, PublicFunctions(x.functions), fmpq(1, x.functions[0].labels)
    ),
}
"""How mechanisms are made that need more than items and budget (for sets: their size, and any sets)."""
PROGRAMS: Mapping[str, Program] = {
    **{law: Program(record.program, MADE.get(law)) for record in RECORDS.values() for law in record.laws},
    "rappor-split": Program(BudgetSplit, lambda x: x.of(BudgetSplit, of=RAPPOR), RAPPOR),
    "urr-split": Program(BudgetSplit, lambda x: x.of(BudgetSplit, of=URR), URR),
    "urap-split": Program(BudgetSplit, lambda x: x.of(BudgetSplit, of=URAP), URAP),
    "count_sketch-plain": Program(PlainRow, lambda x: PlainRow(x.domain, x.budget, x.functions)),
    "count_sketch-uploaded": Program(
        Sampled, lambda x: Sampled(ClientCMS(x.domain, x.budget, x.functions), x.parameters["rho"])
    ),
    "messages-grr": Program(MixDUMP, lambda x: MixDUMP(x.domain, x.budget, Constant(x.dummies))),
    "messages-plain": Program(PureDUMP, lambda x: PureDUMP(x.domain, Constant(x.dummies))),
    "messages-aue": Program(AUE, lambda x: AUE(x.domain, x.parameters["rho"])),
    "messages-shared": Program(ODHP, lambda x: x.sends("shared")),
    "messages-fresh": Program(ODHP, lambda x: x.sends("fresh")),
    # OD-HP without its randomized response
    "messages-revealed": Program(ODHP, lambda x: Revealed(x.family, x.dummies, x.root * 0 + 1)),
}
"""The programs of the laws of reports, by their names: those of the records, and those that are no mechanisms by
themselves. (Those of laws that add noise: `matrix_programs`.)"""


def program_class(name: str) -> type:
    """The class of the program behind a law of this name. Raises `DomainError` for a law without a program."""
    return _program(name).cls


def classes(name: str) -> tuple[type, ...]:
    """The same class, and that of its parts. Raises as `program_class`."""
    parts = _program(name).of
    return (program_class(name),) if parts is None else (program_class(name), parts)


def _program(name: str) -> Program:
    if name not in PROGRAMS:
        raise DomainError("mechanism", name, "the name of a program")
    return PROGRAMS[name]


def made(law: Law, setting: Setting) -> Any:
    """The program behind a law. Raises `DomainError` for a law that no program is known for."""
    entry = _program(law.mechanism)
    if entry.made is not None:
        return entry.made(setting)
    return setting.of(entry.cls) if takes_sets(law) else entry.cls(setting.domain, setting.budget)


def takes_sets(law: Law) -> bool:
    """Whether the program behind a law takes a set, not an item."""
    return issubclass(program_class(law.mechanism), SetParameters)


# --- sets of items ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Instance:
    """The numbers of a law: sets of m items, the domain, the root of e^epsilon, the order in which items are processed,
    and values of the law's parameters."""

    m: int
    domain: ItemDomain
    root: Any
    order: tuple[Item, ...] | None = None
    parameters: tuple[tuple[str, Any], ...] = ()


def mechanism(law: Law, view: str, at: Instance) -> Any:
    """The mechanism of `dp_refimpl` behind a law, with e^epsilon = root ** power at set size m; sets of any size
    allowed. Raises `DomainError` for a law that no program is known for."""
    budget = Budget.of_root(at.root, int(law.power.evaluate({"m": at.m})))
    return made(law, Setting(at.domain, budget, at.m, view, at.order, dict(at.parameters)))


def program(law: Law, view: str, target: Any) -> Run:
    """The randomized program with its report (y0, I) as the view shows it, canonically ordered."""
    if not takes_sets(law):
        return lambda s, coins: _of_item(target.randomize(next(iter(s)), coins), law, target.domain)
    if law.mechanism in ("urr-split", "urap-split"):
        return lambda s, coins: _together(target.randomize(s, coins), target.domain)
    return lambda s, coins: report_in_view(view, target.randomize(s, coins))


def report_in_view(view: str, report: Any) -> Report:
    """A mechanism's own report as (y0, I): sets become sorted tuples, reports without invertible data get I = {}."""
    y = report if isinstance(report, Report) else Report(report)
    if view == "whole":
        return whole_vector(y)
    return Report(tuple(sorted(y.protected, key=str)), y.invertible) if isinstance(y.protected, frozenset) else y


def canonical(report: Report) -> tuple[Any, Items]:
    """A report as the kernel writes outputs."""
    return report.protected, tuple(sorted(report.invertible, key=str))  # type: ignore[arg-type]


def _together(reports: tuple[Any, ...], domain: ItemDomain) -> Report:
    """The reports on single items as one: the sensitive results (vectors) of all, the invertible data of all."""
    if all(isinstance(report, Report) for report in reports):
        return Report(tuple(y.protected for y in reports), frozenset(x for y in reports for x in y.invertible))
    sensitive = [z for z in reports if z in domain.sensitive]
    return Report(tuple(sorted(sensitive, key=str)), frozenset(reports) - frozenset(sensitive))


def _of_item(y: Any, law: Law, domain: ItemDomain) -> Report:
    if isinstance(y, Report):
        return y
    return Report(None, frozenset([y])) if law.unit == "items" and y in domain.nonsensitive else Report(y)


@lru_cache(maxsize=1024)
def law_channel(law: Law, view: str, sizes: range, at: Instance) -> Channel[Held, Report, Any]:
    """The exact channel of the program behind a law on all sets of the given sizes.

    Sets are brought to m items first where the law says so; sensitive dummies are numbered K..K+m-1, as in the kernel.
    Channels are remembered: statements on one law ask for the same ones.
    """
    one, m, domain = at.root * 0 + 1, at.m, at.domain
    if not law.brought:
        return exact_channel(program(law, view, mechanism(law, view, at)), domain.subsets(sizes), one)
    k, n, kind = len(domain.sensitive), len(domain.nonsensitive), "existing"
    fakes: tuple[int, ...] = ()
    if law.brought[0] == "dummies":
        sensitive = law.brought[1] == "sen"
        first, kind = (k, "sensitive") if sensitive else (k + n, "nonsensitive")
        fakes = tuple(range(first, first + m))
        domain = ItemDomain(tuple(range(k)), tuple(range(k + m * sensitive, k + m * sensitive + n)))
    larger = padded_domain(domain, fakes, kind)  # type: ignore[arg-type]
    randomize = program(law, view, mechanism(law, view, replace(at, domain=larger)))

    def run(items: Held, coins: Coins) -> Any:
        return randomize(pad_and_sample(items, m, domain, fakes, coins, one), coins)

    return exact_channel(run, domain.subsets(sizes), one)


# --- arcs -------------------------------------------------------------------------------------------------------------


def arc_table(law: Law, at: Mapping[str, int], root: fmpq, h: HashFunction, lengths: range) -> Rows:
    """The exact law, given h, of what a report tells: (0, the items that the server finds hit by the point) and the
    invertible data; for all sets of the given sizes that have a density.

    Raises `InternalDisagreementError` where the density differs between cells with the same hits.
    """
    target = mechanism(law, law.view, Instance(at["m"], ItemDomain.of_sizes(at["K"], at["N"]), root))
    hits = {cell: tuple(x for x in target.domain.items if target.hit(x, h, cell)) for cell in target.cells(h)}
    sets = [s for s in target.domain.subsets(lengths) if _has_density(target, s, h)]
    cells = exact_channel(lambda s, coins: canonical(report_in_view("", target.randomize(s, h, coins))), sets, fmpq(1))
    rows: Rows = {}
    for s, row in cells.rows.items():
        chances, density = rows.setdefault(tuple(sorted(s)), {}), dict[Items, Any]()
        for (cell, kept), p in row.items():
            hit, q = hits[cell], p / (cell[1] - cell[0])
            chances[(0, hit), kept] = chances.get(((0, hit), kept), 0) + p
            if density.setdefault(hit, q) != q:
                raise InternalDisagreementError(f"{law.mechanism}: two densities of {set(s)} where {hit} are hit")
    return rows


def _has_density(target: Any, s: Held, h: HashFunction) -> bool:
    """Whether the program finds a density for this set: always, unless there are more than m items."""
    try:
        target.density(s, h)
    except NotStochasticError:
        return False
    return True


# --- sketches, messages and subsets -----------------------------------------------------------------------------------


def published_table(law: Law, at: Mapping[str, Any], root: Any, **parameters: Any) -> Rows:
    """The exact law of the report for every set at an instance (see `check.public_choices`)."""
    items, one = tuple(range(at["K"])), root * 0 + 1
    setting = Setting(
        ItemDomain(items, ()),
        Budget.of_root(root, int(law.power.evaluate({"m": 1}))),
        at["m"],
        parameters=parameters,
        functions=tuple(LabelFunction(items, tuple(values), at["b"]) for values in at.get("functions", ())),
        dummies=at.get("c", 0),
        chosen=at.get("k", 0),
        completed=bool(law.brought),
    )
    target = made(law, setting)
    inputs, run = {"messages": _messages, "sketches": _sketch, "subsets": _subset}[law.unit](law, setting, target)
    rows = exact_channel(run, inputs, target.one).rows
    return {tuple(sorted(s)): {(y, ()): p * one for y, p in row.items()} for s, row in rows.items()}


def _sketch(law: Law, x: Setting, target: Any) -> tuple[Iterable[Any], Run]:
    def run(held: Items, coins: Coins) -> Any:
        reports = [target.randomize(z, coins) for z in held]
        written = tuple(_report(z, x.functions) for z in reports if z is not None)
        return written if law.term[0] in ("each", "thinned") else written[0]

    return combinations(x.domain.items, x.m), run


def _report(report: Any, functions: tuple[LabelFunction, ...]) -> Any:
    match report:
        case (LabelFunction() as h, label):
            return functions.index(h), label
        case (tuple() as signs, row):
            return row, tuple(int(sign == 1) for sign in signs)
        case (coordinate, sign):
            return coordinate, int(sign != 1)
        case (sign, row, coordinate):
            return row, (coordinate, int(sign != 1))
    raise DomainError("report", report, "a report under public functions")


def _messages(law: Law, x: Setting, target: Any) -> tuple[Iterable[Any], Run]:
    def run(held: Items, coins: Coins) -> Any:
        sent = target.messages(held[0], coins)
        match law.mechanism:
            case "messages-aue":
                return sent[0], tuple(int(z in sent[1:]) for z in x.domain.items)
            case "messages-shared":
                return x.functions.index(sent[0][0]), (tuple(sorted(label for _, label in sent)), ())
            case "messages-fresh" | "messages-revealed":
                first, *others = ((x.functions.index(h), label) for h, label in sent)
                return first, tuple(others)
        return tuple(sorted(sent))

    return combinations(x.domain.items, 1), run


def _subset(law: Law, x: Setting, target: Any) -> tuple[Iterable[Any], Run]:
    """Reports are sorted, dummies numbered after the items."""

    def run(held: Held, coins: Coins) -> Items:
        chosen = target.randomize(held, coins)
        return tuple(sorted(len(x.domain.items) + z.number if isinstance(z, Dummy) else int(z) for z in chosen))

    return target.domain.subsets(range(0 if x.completed else x.m, x.m + 1)), run
