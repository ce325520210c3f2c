"""What is asked of a target: the observations that questions need, and how much of each a plan has.

Of an unmodified run there is enough to see, at the error level, what happens every time.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from flint import arb

from dp_audit.exact_numbers import PRECISIONS
from dp_audit.observation.findings import TargetReadsClock
from dp_audit.observation.jobs import some_inputs, turns
from dp_audit.observation.unmodified_run import UnmodifiedRun
from dp_audit.oracles.base import Oracle
from dp_audit.oracles.memoization import Memoized
from dp_audit.oracles.post_processing import specified
from dp_audit.outcome import Row, Verdict
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.precision import precision

FIRST, FRESH, DRAWN, TYPED = 64, 2048, 4096, 400
"""Reports: before anything is seeded, of fresh clients on all inputs together (where they draw a hash function), on
each input of another type."""
REPORTS = 1026
"""Of one client that is used again."""
BESIDE = 50_000
"""More reports, if something is left beside any."""
CLIENTS = (16, 96)
"""Clients that are used again, at least and at most."""
EXITS, EXIT_SECONDS = 128, 40.0
"""Processes on each of two inputs that report and exit, where something is written at exit."""
EARLY, EARLY_SECONDS = 64, 3.0
"""Calls of processes that just begin."""
RAW_REPORTS, RAW_KNOWN = 8192, 1024
"""Reports whose types are looked at; where the law says what they are."""
SECONDS = 8.0
COMPILED = 20_000
"""Reports on every input of compiled code whose source was enumerated."""
SIZES = (130, 300, 70_000)
"""Numbers of reports beyond 7, 8 and 16 bits."""
FEW, GIVEN_SIZES = (2, 3, 6, 12), (130, 300, 3000, 70_000)
"""Where reports have hash functions that are drawn: the time for 3000 says whether there is time for more."""
TYPES = ("numpy.int64", "bool", "str")
HOUR = 3600.0
DAYS = (1, 2, 3, 4, 5, 6, 100, 366, 3660)
OFFSETS = tuple(HOUR * hours for hours in (*range(1, 24), *(24 * days for days in DAYS)))
PERIODS = (60.0, HOUR, 24 * HOUR)
"""Of clocks: also the beginning of the next minute, hour and day is looked at."""
NATS = 38.0
"""About ln(2 T / level): what the surprises of all reports at one place must sum to."""
RAW, OTHER_FORM = "raw output", "not compared: reports have another form, "
"""The row about what a report is beside its value; what the row `law` begins with, if that was not compared."""

OracleOf = Callable[[Mapping[str, Any]], Oracle]
"""The oracle given facts about a hash function. It raises `DomainError` for facts that do not suit it."""


@dataclass(frozen=True)
class Plan:
    """A target as far as it decides what is asked of it.

    `earlier` are rows about it: a law or an estimator that is known to be wrong is not looked at again. `users`,
    `outside`, `reuse`, `turns` and `compiled` as in `Options`; `afresh`: the beginning is run in a second process.
    `oracle_of`: where the law is one given draws that select a hash function, the oracle given other facts about it.
    `first` is the unmodified run that has been made, if there is one.
    """

    oracle: Oracle
    earlier: tuple[Row, ...] = ()
    input_type: str = "int"
    users: tuple[int, ...] = (1, 2)
    outside: tuple[Item, ...] = ()
    reuse: bool = True
    turns: bool = True
    compiled: bool = False
    afresh: bool = True
    oracle_of: OracleOf | None = None
    first: UnmodifiedRun | None = None

    @property
    def right(self) -> bool:
        """Whether the law is not known to be wrong, and is compared with the oracle's."""
        laws = [row for row in self.earlier if row.check == "law"]
        return not any(row.verdict is Verdict.FAULT or row.detail.startswith(OTHER_FORM) for row in laws)

    @cached_property
    def inputs(self) -> tuple[Item, ...]:
        """Return those that unmodified runs use."""
        return some_inputs(self.oracle.inputs)

    @property
    def keeps(self) -> bool:
        """Whether the mechanism keeps something for a value."""
        return isinstance(specified(self.oracle), Memoized)

    @property
    def independent(self) -> bool:
        """Whether the reports of a client that is used again are asked for, and are to be independent."""
        return self.reuse and not self.keeps

    @property
    def served(self) -> bool:
        """Whether there is a server whose estimates are not known to be wrong."""
        wrong = {row.check for row in self.earlier if row.verdict is Verdict.FAULT}
        return bool(self.users) and not wrong & {"estimator", "estimates"}

    @property
    def raw(self) -> Row | None:
        """Return the row `raw output` of the law, if there is one."""
        return next((row for row in self.earlier if row.check == RAW), None)

    @property
    def again(self) -> bool:
        """Whether the unmodified run came to its end, and others are made in other processes."""
        return self.afresh and self.first is not None and self.first.complete

    @property
    def clients(self) -> int:
        """Return as many clients as make it surprising that one of their reports always tells the item, a multiple of
        4."""
        with precision(PRECISIONS[0]):
            every = [self.oracle.events(x) for x in self.inputs]
            chances = [max((float(arb(event.probability)) for event in events), default=1.0) for events in every]
        mean = sum(chances) / len(chances)
        needed = NATS / -math.log(mean) if mean < 1 else CLIENTS[1]
        return min(max(CLIENTS[0], 4 * math.ceil(needed / 4)), CLIENTS[1])

    def amounts(self, needs: "Iterable[Need]", run: str) -> dict[str, object]:
        """Return how much a run has of each of the needs that are parts of it; what it has none of is left out."""
        amounts = {need.name: need.amount(self) for need in needs if need.name and need.run == run}
        return {name: amount for name, amount in amounts.items() if amount}


@dataclass(frozen=True)
class Need:
    """An observation that questions need, in words.

    It is the part `name` of a job, of which a plan has this `amount`, none if that is false. A job is of the kind
    `laws`, or is an unmodified run: the first one (`run`), the beginning of another process (`again`), processes that
    exit (`exits`), or some that just begin (`early`).
    """

    words: str
    name: str = ""
    amount: Callable[[Plan], object] = bool
    run: str = "run"


def _some(seconds: float = SECONDS, **amounts: object) -> dict[str, object]:
    return {**amounts, "seconds": seconds}


# --- enumeration ------------------------------------------------------------------------------------------------------

LAWS = Need("enumerated laws", "inputs", lambda plan: plan.oracle.inputs, "laws")
OUTSIDE = Need("enumerated laws or reports in turn", "outside", lambda plan: plan.outside, "laws")
REUSE = replace(LAWS, name="reuse", amount=lambda p: p.reuse and p.turns and turns(p.oracle.inputs, p.keeps))
ESTIMATES = Need("estimates of a server", "users", lambda plan: plan.users, "laws")
OTHER_LAWS, SOURCE, FACTS = map(Need, ("enumerated laws at other budgets", "the source", "facts of an adapter"))
TABLE, IN_TURN, OF_PROCESS = map(Need, ("a printed table", "reports in turn", "reports in turn of a process"))
MAP = Need("a declared map on members of its domain")
ACCOUNTANT = Need("what an accountant says of some parameters")
ANY = Need("a run of any kind")

# --- unmodified runs --------------------------------------------------------------------------------------------------


def _fresh(plan: Plan) -> object:
    return _some(count=max(64, (FRESH if plan.oracle_of is None else DRAWN) // len(plan.inputs)))


def _typed(plan: Plan) -> object:
    integers = plan.input_type == "int" and all(type(x) is int for x in plan.inputs)
    return plan.right and integers and _some(types=TYPES, count=TYPED)


def _client(plan: Plan) -> object:
    return plan.right and plan.independent and _some(clients=plan.clients, reports=REPORTS)


def _memory(plan: Plan) -> object:
    asked = plan.right and plan.reuse and plan.keeps and plan.oracle_of is None
    return asked and _some(clients=CLIENTS[1], reports=REPORTS)


def _many(plan: Plan) -> object:
    return plan.served and (_some(sizes=SIZES) if plan.oracle_of is None else _some(sizes=GIVEN_SIZES, few=FEW))


def _clock(plan: Plan) -> object:
    read = any(row.check == TargetReadsClock.__name__ for row in plan.earlier)
    count = max(16, 400 // len(plan.inputs))
    return plan.right and read and _some(offsets=OFFSETS, periods=PERIODS, count=count, rounds=4)


def _raw(plan: Plan) -> object:
    return _some(count=RAW_REPORTS if plan.raw is None else RAW_KNOWN)


def _exit(plan: Plan) -> object:
    written = plan.first is not None and any(plan.first.exits)
    return plan.right and written and _some(EXIT_SECONDS, count=EXITS)


def _early(plan: Plan) -> object:
    clients = plan.again and plan.right and plan.independent and plan.oracle_of is None and plan.clients
    return clients and clients != CLIENTS[1] and _some(EARLY_SECONDS, processes=clients, calls=EARLY)


FIRST_REPORTS = Need("the first reports of a process", "first", lambda plan: FIRST)
STREAMS = Need("the generators that these draw from", "streams", lambda plan: plan.afresh)
CONDITIONS = Need("the draws that reports show", "conditioned", lambda plan: plan.oracle_of is not None)
FRESH_REPORTS = Need("reports of fresh clients", "fresh", _fresh)
TYPED_REPORTS = Need("reports on items of other types", "typed", _typed)
CLIENT = Need("reports of clients that are used again", "client", _client)
MEMORY = Need("reports of clients that keep something", "memory", _memory)
BESIDE_REPORTS = Need(
    "what is left beside reports", "beside_reports", lambda p: p.right and _some(count=BESIDE, reuse=p.independent)
)
MANY = Need("estimates of long lists", "many", _many)
UPDATED = Need("what comes after a parameter was set", "updated", lambda p: p.right and max(64, FRESH // len(p.inputs)))
CLOCK = Need("reports at other times", "clock", _clock)
RAW_FORMS = Need("types, order and content of reports", "raw", _raw)
COMPILED_REPORTS = Need("reports of code that is compiled", "more", lambda plan: plan.compiled and COMPILED)
AGAIN = Need("the beginning of another process", "first", lambda plan: plan.again and FIRST, "again")
AGAIN_STREAMS = replace(AGAIN, name="streams", amount=lambda plan: plan.again)
AGAIN_CONDITIONS = replace(AGAIN, name="conditioned", amount=lambda plan: plan.again and plan.oracle_of is not None)
EXIT = Need("processes that report and exit", "exit", _exit, "exits")
EARLY_REPORTS = Need("processes that just begin", "early", _early, "early")
