"""A run of a target as its users run it, with nothing replaced: its reports, and what it left beside them."""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dp_audit.observation.findings import Finding
from dp_spec.vocabulary.items import Item


@dataclass(frozen=True)
class Draws:
    """Successive reports of one client, by code, on `item` (an index into the inputs) or, step 1, on all in turn.

    Of the phases `first` and `fresh` each report is of a new client.
    """

    phase: str
    item: int
    step: int
    codes: tuple[int, ...]


@dataclass(frozen=True)
class UnmodifiedRun:
    """What a target did. `reports` are the different ones; ("raised", text) is an exception.

    `beside` lists (item, report, text, times), `watched` all such reports in their order; `streams` what tells the
    generators that the first reports drew from; `left` texts written at exit of processes that reported once, `exits`
    what was written at exit of this run. `typed` (type, item, {(report, type of the report): times}); `many` and
    `updated` estimates, with the reports that were handed to the server in turn; `clock` (when, item, reports);
    `more` (item, reports, their types), where items are places among all inputs; `raws` (item, report, its types, order
    and content); where draws are conditioned on (item, 0, those that the report shows).
    """

    inputs: tuple[Item, ...]
    reports: tuple[Hashable, ...] = ()
    draws: tuple[Draws, ...] = ()
    beside: tuple[tuple[int, int, str, int], ...] = ()
    watched: tuple["TextsBeside", ...] = ()
    streams: tuple[tuple[str, ...], ...] = ()
    left: tuple[tuple[int, int, str, int], ...] = ()
    exits: tuple[str, ...] = ()
    typed: tuple[tuple[str, int, Mapping[tuple[int, str], int]], ...] = ()
    many: tuple["ListEstimates", ...] = ()
    updated: tuple["Updated", ...] = ()
    clock: tuple[tuple[str, int, tuple[int, ...]], ...] = ()
    more: tuple[tuple[int, tuple[int, ...], tuple[str, ...]], ...] = ()
    raws: tuple[tuple[int, int, str], ...] = ()
    raised: tuple[tuple[str, str], ...] = ()
    findings: tuple[Finding, ...] = ()
    complete: bool = False

    def recoded(self, code: Callable[[int, int], int]) -> "UnmodifiedRun":
        """Return the run with the codes of reports that `code` makes of the place of an input and a code; not of what
        is beside reports or about their types."""

        def recode(item: int, codes: tuple[int, ...], step: int = 0) -> tuple[int, ...]:
            return tuple(code((item + step * k) % len(self.inputs), c) for k, c in enumerate(codes))

        typed = []
        for name, item, kinds in self.typed:
            counts: Counter[tuple[int, str]] = Counter()
            for (c, kind), times in kinds.items():
                counts[code(item, c), kind] += times
            typed.append((name, item, counts))
        return replace(
            self,
            draws=tuple(replace(each, codes=recode(each.item, each.codes, each.step)) for each in self.draws),
            typed=tuple(typed),
            many=tuple(replace(each, codes=recode(0, each.codes)) for each in self.many),
            updated=tuple(replace(each, codes=recode(each.item, each.codes)) for each in self.updated),
            clock=tuple((when, item, recode(item, codes)) for when, item, codes in self.clock),
        )


@dataclass(frozen=True)
class TextsBeside:
    """What was left beside reports on random items: (item, report, text) in their order, where there was something.

    `left` of `looked` reports of the whole run had something beside them.
    """

    texts: tuple[tuple[int, int, str], ...]
    left: int
    looked: int


@dataclass(frozen=True)
class ListEstimates:
    """The estimates of `size` reports, which are these in turn again and again; or what was raised.

    `shown`: few reports as the target has them. `asked`: the server was asked for estimates after each report.
    """

    size: int
    codes: tuple[int, ...]
    estimates: tuple[Any, ...] = ()
    raised: str = ""
    shown: tuple[str, ...] = ()
    asked: bool = False


@dataclass(frozen=True)
class Updated:
    """After parameters were set: reports on an item; or (item -1) estimates."""

    how: str
    item: int
    codes: tuple[int, ...]
    estimates: tuple[Any, ...] = ()
    raised: str = ""


RAISED, NO_FORM, NETWORK, SHORTENED = "raised", "no canonical form", "network: ", " ... "
"""Words of the child program: what begins an exception, that of a
report that cannot be read, a text that was sent, and what a long text is cut off with."""


def raised(report: Hashable) -> str:
    """Return the text of an exception, or "" for a report."""
    return str(report[1]) if isinstance(report, tuple) and len(report) == 2 and report[0] == RAISED else ""
