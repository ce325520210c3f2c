"""What a child answers about its target: exact laws, estimates, findings; read line by line."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace

from flint import fmpq

from dp_audit.observation.findings import Finding
from dp_spec.vocabulary.items import Item

ZERO = fmpq(0)
View = Callable[[Hashable], Hashable]
"""What is told of a report."""
OPAQUE = " (opaque)"
"""Word of the child program: what ends the type of a report that cannot be looked into."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One output of a law: canonical value, raw description, probability, and the exception if one came out."""

    output: Hashable
    raw: str
    probability: fmpq
    raised: str | None


@dataclass(frozen=True)
class Law:
    """Exact law of the report on an input; for several inputs, of the tuple of reports of one client used in turn.

    Every probability is at least the entry's, and at most `unexplored` more.
    """

    inputs: tuple[Item, ...]
    input_type: str
    entries: tuple[Entry, ...]
    refused: Finding | None = None
    unexplored: fmpq = ZERO

    def by_output(self) -> dict[Hashable, fmpq]:
        """Return the probability of every canonical output."""
        law: dict[Hashable, fmpq] = {}
        for entry in self.entries:
            before = law.get(entry.output)
            law[entry.output] = entry.probability if before is None else before + entry.probability
        return law

    def by_raw(self) -> dict[Hashable, fmpq]:
        """Return the probability of every (canonical output, raw description)."""
        return {(entry.output, entry.raw): entry.probability for entry in self.entries}

    def viewed(self, view: View) -> "Law":
        """Return the law of what a view tells of a report; of several reports, of each of them."""

        def output(entry: Entry) -> Hashable:
            if len(self.inputs) == 1 or not isinstance(entry.output, tuple) or entry.raised is not None:
                return view(entry.output)
            return tuple(map(view, entry.output))

        return replace(self, entries=tuple(replace(entry, output=output(entry)) for entry in self.entries))


@dataclass(frozen=True)
class Estimate:
    """The server's estimates for a list of reports (indices into `TargetLaws.reports`).

    `stepwise` are the estimates of a server that was also asked for estimates after every report.
    """

    reports: tuple[int, ...]
    estimates: tuple[fmpq, ...]
    stepwise: tuple[fmpq, ...]
    refused: Finding | None = None


@dataclass(frozen=True)
class TargetKind:
    """A target: whether it is a class, or a function of the item; and the parameters that it takes.

    `calls`: of a class that is client and server in one, how its object makes a report of `{input}`, and estimates of
    `{reports}`. `ignored`: its methods that seem to estimate something, if none is asked for estimates.
    """

    is_class: bool
    taken: tuple[str, ...]
    calls: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True)
class TargetLaws:
    """All that the child answered, and the findings. `complete` is False when it did not reach the end of the job.

    `facts` are what the adapter says about the conditioned draws; `reproduce` and `reproduce_estimate` lines of Python
    in the library's own terms with the placeholder `{input}`. `forms`: the reports as Python expressions of the
    target's own form ("" where there is none). `made`: how it was made, if it was.
    """

    laws: tuple[Law, ...] = ()
    outside: tuple[Law, ...] = ()
    reuse: tuple[Law, ...] = ()
    reports: tuple[tuple[Hashable, str], ...] = ()
    estimates: tuple[Estimate, ...] = ()
    findings: tuple[Finding, ...] = ()
    models: tuple[str, ...] = ()
    versions: tuple[tuple[str, str], ...] = ()
    complete: bool = False
    facts: Mapping[str, object] = field(default_factory=dict)
    reproduce: tuple[str, ...] = ()
    reproduce_estimate: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    made: "TargetKind | None" = None

    def viewed(self, view: View) -> "TargetLaws":
        """Return the laws of what a view tells of each report."""
        laws, outside, reuse = (
            tuple(law.viewed(view) for law in laws) for laws in (self.laws, self.outside, self.reuse)
        )
        reports = tuple((view(value), raw) for value, raw in self.reports)
        return replace(self, laws=laws, outside=outside, reuse=reuse, reports=reports)
