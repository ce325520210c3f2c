"""Audits: what the judges need of a target is run, and they judge it.

Code is audited exactly, by enumeration of its draws, and as its users run it; a program in any language, a file of
reports and what enumeration leaves open by samples; a printed table as it stands.
"""

import ast
import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from flint import fmpq

from dp_audit.environment import Environment, require_interpreter
from dp_audit.judge.assessment import assess, finding_rows
from dp_audit.judge.bets.sequential import SAMPLING, Sampling, StreamMonitor, audit_samples
from dp_audit.judge.budgets import OtherBudgets
from dp_audit.judge.confirmation import confirmed, exceptions_asked, law_asked, without_doubted
from dp_audit.judge.consistency import read_together
from dp_audit.judge.defaults import default_rows
from dp_audit.judge.law_text import shown_answer, shown_laws
from dp_audit.judge.out_of_domain import outside_row
from dp_audit.judge.plan import COMPILED, RAW, Plan
from dp_audit.judge.printed_table import table_rows
from dp_audit.judge.process_server import estimate_rows, many_rows
from dp_audit.judge.question import needed
from dp_audit.judge.sampling_fallback import SECONDS, completed, is_open, looked_at, undecided_inputs
from dp_audit.judge.seeds import Draws, Resumed, seed_rows
from dp_audit.judge.unmodified_rows import unmodified_rows, unmodified_runs
from dp_audit.observation.findings import Finding
from dp_audit.observation.jobs import Job, LawsRequest, ReportsRequest, UnmodifiedJob
from dp_audit.observation.samples import SamplerError
from dp_audit.observation.target_laws import TargetKind, TargetLaws
from dp_audit.observation.unmodified_run import UnmodifiedRun
from dp_audit.observation.values import show
from dp_audit.options import DEFAULT, Options, require_hash
from dp_audit.oracles import KINDS, Oracle, certificate, oracle
from dp_audit.oracles.client_parameters import client_values
from dp_audit.oracles.memoization import Memoized
from dp_audit.oracles.post_processing import specified
from dp_audit.oracles.reference import Reference, reference, require_few
from dp_audit.outcome import TOLERANCE, Audit, Row, Verdict
from dp_audit.run.adapter_command import adapter_command, versions
from dp_audit.run.child_program import Children, Start
from dp_audit.run.file_code import FileCode
from dp_audit.run.item_names import Categories, NamedSampler
from dp_audit.run.live_code import CAN_COPY, Copy, Here, LiveSampler
from dp_audit.run.live_objects import location_of_object, module_of, name_of, relative, source_of, with_estimate
from dp_audit.run.process_sampler import Bounds, ProcessSampler, require_command
from dp_audit.run.replay_sampler import ReplaySampler
from dp_audit.run.report_codes import read_chunks
from dp_audit.run.report_files import COLUMNS, Format
from dp_audit.run.reproduction import estimate_lines, lines_of_file, lines_of_object, server_lines
from dp_audit.run.startup_errors import require_start
from dp_audit.run.table_files import Format as TableFormat
from dp_audit.run.table_files import read_table
from dp_audit.terms import Terms
from dp_spec.vocabulary.exceptions import DomainError, FormatError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.names import require_name

SALTED = "in another process the hash function is another one (text is hashed with a salt by Python)"
TIMEOUT = 120.0
"""Seconds that a child process may take, if nothing else is said."""
AT_ONCE = 500
"""Reports that are asked for at once, first: a request costs time, and other rows than `law` need some reports."""
REPEATED_SHARE = fmpq(1, 1000)
"""The part of the error level that the row `seed` has (`watches.SHARES` leaves it)."""
KEEPS = "the first report of each client was tested: whether what the mechanism keeps for a value is kept is not known"
Lines = tuple[str, ...]


# --- code -------------------------------------------------------------------------------------------------------------


class Code(Protocol):
    """Audited code that can be run: a function or class at hand, or of a file."""

    def laws(self, job: Job, /) -> TargetLaws:
        """Return what enumeration of its draws shows."""

    def unmodified(self, job: UnmodifiedJob, /) -> UnmodifiedRun:
        """Return what it does with nothing replaced."""


@dataclass(frozen=True)
class Expected:
    """The oracle by name whose law code is to have, with parameters that facts about its hash function complete."""

    name: str
    arguments: Mapping[str, object]

    def parameters(self, facts: Mapping[str, object]) -> dict[str, object]:
        """Return all parameters."""
        return {**self.arguments, **{n: fact for n, fact in facts.items() if n in KINDS[self.name].parameters}}

    def oracle(self, facts: Mapping[str, object]) -> Oracle:
        """Return the oracle, given the facts. Raises `DomainError`."""
        return oracle(self.name, self.parameters(facts))


@dataclass(frozen=True)
class Subject:
    """Code that is audited: how it is run, what of it, what it is handed, and which oracle it is to conform to."""

    code: Code
    adapter: Path
    protocol: str
    handed: Mapping[str, Any]
    expected: Expected
    options: Options

    @property
    def job(self) -> Job:
        """Return a job without inputs."""
        options = self.options
        return Job(
            self.adapter,
            self.protocol,
            self.handed,
            (),
            input_types=options.input_types,
            distributions=options.distributions,
            limits=options.limits,
            conditioned=options.conditioned,
            condition_from=options.condition_from,
            seconds=options.seconds,
        )

    def plan(self, reference: Oracle) -> Plan:
        """Return what is asked of it, compared with the oracle."""
        options = self.options
        return Plan(
            reference,
            input_type=options.input_types[0],
            users=options.users,
            outside=outside_of(reference, options),
            reuse=options.reuse,
            turns=options.turns,
            compiled=options.compiled,
            afresh=self.adapter.suffix == ".py" and not options.compiled,  # it would be compiled again
            oracle_of=self.expected.oracle if options.conditioned else None,
        )


def subject_of(
    code: Code, adapter: Path, protocol: str, mechanism: str, parameters: Mapping[str, object], options: Options
) -> Subject:
    """Return the subject of an audit. Raises `DomainError` for an unknown mechanism or parameter."""
    name = require_name("oracle", mechanism, KINDS)
    values = {require_name("parameter", n, KINDS[name].parameters): v for n, v in parameters.items()}
    handed = client_values(KINDS[name], values) | dict(options.handed)
    return Subject(code, adapter, protocol, handed, Expected(name, values), options)


@dataclass(frozen=True)
class Enumerated:
    """A subject with its laws, in the terms of its oracle.

    `facts` complete the oracle, where draws are conditioned on (they were asked for in a run before); `changing`: they
    are others in another process.
    """

    subject: Subject
    facts: Mapping[str, object]
    changing: bool
    terms: Terms
    laws: TargetLaws

    @property
    def reference(self) -> Oracle:
        """Return the oracle, completed."""
        return self.terms.oracle

    def observe(self, inputs: tuple[Item, ...], phases: Mapping[str, object], process: int = 0) -> UnmodifiedRun:
        """Return an unmodified run with these phases."""
        own = self.subject
        job = UnmodifiedJob(own.adapter, own.protocol, own.handed, inputs, phases, self.reference.inputs, process)
        return self.terms.unmodified(own.code.unmodified(self.terms.unmodified_job(job)), job)

    def reports(self, asked: ReportsRequest) -> UnmodifiedRun:
        """Return reports of fresh clients, with nothing replaced."""
        phases = {"input_type": self.subject.options.input_types[0], "counted": asked.count}
        return self.observe(asked.inputs, phases)

    def coarse_laws(self, asked: LawsRequest) -> TargetLaws:
        """Return laws at other budgets, whatever the items are called."""
        own, terms = self.subject, Terms(self.reference)
        handed = {"parameters": dict(own.handed)}
        bounds: dict[str, Any] = {"limits": asked.limits, "seconds": asked.seconds, "at_budgets": True}
        return terms.laws(own.code.laws(terms.job(Job(own.adapter, own.protocol, handed, asked.inputs, **bounds))))


def with_laws(subject: Subject, facts: Mapping[str, object], changing: bool = False) -> Enumerated:
    """Run the jobs on all inputs of the oracle that the facts complete. Raises `DomainError` for too many inputs."""
    options, own = subject.options, subject.expected.oracle(facts)
    require_few(own.inputs)
    names = None if options.names is None else Categories(own.inputs, options.names)
    terms = Terms(own, names)
    amounts: dict[str, Any] = subject.plan(own).amounts(needed(), "laws")
    laws = subject.code.laws(terms.job(replace(subject.job, **amounts)))
    if facts and laws.facts:  # of the outcomes that the reports show
        facts, terms = laws.facts, Terms(subject.expected.oracle(laws.facts), names)
    return Enumerated(subject, facts, changing, terms, terms.laws(laws))


def outside_of(own: Oracle, options: Options) -> tuple[Item, ...]:
    """Return the inputs that should be refused."""
    return (*options.also_outside, *(own.outside if options.outside is None else options.outside))


def enumerated(subject: Subject) -> Enumerated:
    """Run the jobs, and ask again where the laws may not be those of the code. Raises `DomainError` for what cannot be
    made or called with these parameters."""
    adapter, protocol, options, facts = subject.adapter, subject.protocol, subject.options, dict[str, object]()
    if options.conditioned or options.asks:
        facts = dict(require_start(subject.code.laws(subject.job), adapter, protocol).facts)
    changing = options.follow_up and bool(facts) and facts != subject.code.laws(replace(subject.job, salt=1)).facts
    enumeration = with_laws(subject, facts, changing)
    require_start(enumeration.laws, adapter, protocol)
    asked = exceptions_asked(enumeration.laws) if options.unmodified and options.follow_up else None
    if asked is None:
        return enumeration
    return replace(enumeration, laws=without_doubted(enumeration.laws, enumeration.reports(asked)))


def assessed(
    enumeration: Enumerated, lines: Lines = (), estimating: Lines = (), source: str = ""
) -> tuple[TargetLaws, tuple[Row, ...]]:
    """Return the laws, and all rows about them and about the code as it is. The lines of Python that show a deviation
    (`estimating`: of an estimate) yield to the target's own; `source` is the text of its file."""
    options, own = enumeration.subject.options, enumeration.laws
    if enumeration.terms.names is not None:
        lines = enumeration.terms.names.lines(lines)
    laws = replace(own, reproduce=own.reproduce or lines, reproduce_estimate=own.reproduce_estimate or estimating)
    rows, beside = assess(laws, enumeration.reference, options.unit, options.compiled), tuple[Row, ...]()
    wrong = any(row.check == "law" and row.verdict is Verdict.FAULT for row in rows)
    if options.unmodified and options.follow_up and not options.conditioned and wrong:
        asked = law_asked(laws, enumeration.reference)
        if asked is not None:
            laws, beside = confirmed(laws, enumeration.reference, enumeration.reports(asked))
            rows = assess(laws, enumeration.reference, options.unit) if not beside else rows
    rows = (*rows, *_more_rows(enumeration, laws, source), *beside)
    if options.unmodified:
        rows = read_together(observed(enumeration, rows))
    if all(row.check != RAW for row in rows):
        rows = (*rows, Row(RAW, Verdict.INFO, "not looked at: the law was not enumerated"))
    return laws, rows


def _more_rows(enumeration: Enumerated, laws: TargetLaws, source: str) -> list[Row]:
    """Return the rows about the hash function of another process, about defaults, and about other budgets."""
    subject, options = enumeration.subject, enumeration.subject.options
    rows = [Row("fresh process", Verdict.FAULT, SALTED)] if enumeration.changing else []
    if not (options.unmodified and options.follow_up):
        return rows
    name, parameters = subject.expected.name, subject.expected.parameters(enumeration.facts)
    rows += default_rows(source, subject.protocol, KINDS[name].parameters)
    if options.conditioned:  # at another budget, another hash function is drawn
        return rows
    names = enumeration.reference.inputs if options.names is None else options.names
    budgets = OtherBudgets(name, parameters, enumeration.reference, laws, names)
    asked = budgets.request
    return rows if asked is None else [*rows, *budgets.rows(enumeration.coarse_laws(asked))]


def observed(enumeration: Enumerated, rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """Return the rows that are known, and those of unmodified runs."""
    subject, reference = enumeration.subject, enumeration.reference
    plan = replace(subject.plan(reference), earlier=rows)
    runs = unmodified_runs(plan, enumeration.observe)
    if subject.options.compiled and runs["run"] is not None:
        rows = _with_compiled(rows, reference, runs["run"], bool(subject.options.conditioned))
    return (*rows, *unmodified_rows(plan, runs, subject.options.unit))


def _with_compiled(rows: tuple[Row, ...], reference: Oracle, run: UnmodifiedRun, conditioned: bool) -> tuple[Row, ...]:
    """Return the rows of an exact audit of source that is compiled for its users, and those of a smoke test of the
    compiled code: of its law, where that is not one given a hash function that is drawn, and of whether types differ.
    """
    own = specified(reference)
    drawn = ReplaySampler(own.inputs, run)
    if conditioned:
        findings = [finding for item in own.inputs for finding in _ended(drawn, item)]
        sampled = finding_rows([*findings[:1], *drawn.findings])
    else:
        sampled = [*audit_samples(drawn, own, sampling=Sampling(limit=COMPILED)), *finding_rows(drawn.findings)]
        sampled = [replace(row, check=f"{row.check} (compiled, samples)") for row in sampled]
    # All reports were read; that the mechanism itself breaks the bound (`privacy`) says nothing of types.
    if all(row.verdict is Verdict.CONSISTENT for row in sampled if not row.check.startswith("privacy")):
        rows = tuple(_of_one_type(row) if row.check.startswith(RAW) else row for row in rows)
    return (*rows, *sampled)


def _ended(drawn: ReplaySampler, item: Item) -> list[Finding]:
    """Return why there are not all reports on an item, if there are not."""
    try:
        drawn.sample(item, COMPILED)
    except SamplerError as error:
        return [error.finding]
    return []


def _of_one_type(row: Row) -> Row:
    if row.verdict is not Verdict.UNDECIDED:
        return row
    detail = f"{row.detail}; compiled, all {COMPILED} reports on every input had one type"
    return replace(row, verdict=Verdict.CONSISTENT, detail=detail, witness={})


def report(enumeration: Enumerated, laws: TargetLaws, rows: tuple[Row, ...], target: str, location: str) -> Audit:
    """Return the audit of code with these laws and rows, as `target`, at a location that may be unknown ("")."""
    expected = enumeration.subject.expected
    parameters = expected.parameters(enumeration.facts)
    ignored = () if laws.made is None else laws.made.ignored
    return Audit(
        target=target,
        mechanism=enumeration.subject.protocol,
        oracle=expected.name,
        certified=certificate(expected.name, parameters),
        parameters={name: str(value) for name, value in parameters.items()},
        method="exact",
        rows=rows,
        versions=dict(laws.versions),
        models=laws.models,
        notes=(f"methods that were not looked at: {', '.join(ignored)}",) if ignored else (),
        laws=shown_answer(laws, enumeration.reference),
        location=location,
    )


def audit_callable(
    randomize: Callable[..., Any],
    mechanism: str,
    parameters: Mapping[str, object],
    *,
    estimate: Callable[..., Sequence[Any]] | None = None,
    options: Options = DEFAULT,
) -> Audit:
    """Audit a function `item -> report` against an oracle, in this process: for tests of one's own code.

    `mechanism` and `parameters` name the oracle (`"GRR"`, `{"d": 4, "epsilon": 1.0}`); the function is handed those
    parameters that it has arguments for. `estimate` maps the list of reports to the list of estimates. Instead of a
    function, `randomize` may be a class with the methods of an adapter. With a `timeout` among the options the audit
    runs in a copy of this process (where the system can copy one), with which all that it started is ended, then or
    when this process ends; else nothing bounds code that hangs.

    Raises `DomainError` for an unknown oracle, bad parameters, or what cannot be called with them.
    """
    if not callable(randomize):
        raise DomainError("randomize", randomize, "a function of the item, or a class with the methods of an adapter")
    if isinstance(randomize, type) and estimate is not None:
        raise DomainError("estimate", estimate, "None with a class, which has a server of its own")
    label, timeout = name_of(randomize), options.timeout
    made: Callable[..., Any] = randomize if estimate is None else with_estimate(randomize, estimate)
    with Here(made) if timeout is None or not CAN_COPY else Copy(made, timeout) as code:
        enumeration = enumerated(subject_of(code, Path(label), label, mechanism, parameters, options))
        handed = enumeration.subject.handed
        kind = enumeration.laws.made or TargetKind(isinstance(randomize, type), ())
        kind = replace(kind, is_class=isinstance(randomize, type))  # with an estimator, a function is made one
        lines = () if options.conditioned else lines_of_object(randomize, handed, kind.calls)
        again = estimate_lines(lines, estimate, kind, handed) if lines else ()
        laws, rows = assessed(enumeration, lines, again, source_of(randomize))
        audit = report(enumeration, laws, rows, module_of(randomize), location_of_object(randomize))
        if options.conditioned or not is_open(audit) or code.seconds <= 0:
            return audit
        own, sampler = enumeration.reference, LiveSampler(code.drawing(handed), enumeration.terms.names)
        inputs = looked_at(own)
        sampled = audit_samples(sampler, own, Sampling(inputs=inputs, first=AT_ONCE, seconds=SECONDS))
        strays = undecided_inputs(audit, outside_of(own, options), show)
        more = [outside_row(sampler, item, show(item), own) for item in strays]
        return completed(audit, (*sampled, *more), len(own.inputs), len(inputs))


def audit_adapter(
    path: str | os.PathLike[str],
    protocol: str,
    mechanism: str,
    parameters: Mapping[str, object],
    options: Options = DEFAULT,
    *,
    start: Start | None = None,
) -> Audit:
    """Audit a class (the methods of an adapter) or function (item -> report) of a Python file, in a child process.

    The file is run by the interpreter `options.python`, which needs numpy and nothing of ours. `start` runs the child
    processes: `dp_audit.run.child_program.Children.run` of several audits of one file, which is then imported once.
    Raises `DomainError` for an unknown oracle, bad parameters, and a file, name or interpreter that cannot be used.
    """
    if start is None:
        with Children() as children:
            return audit_adapter(path, protocol, mechanism, parameters, options, start=children.run)
    path = Path(path)
    if not path.is_file() or path.suffix != ".py":
        raise DomainError("adapter", str(path), "an existing Python file *.py")
    require_interpreter(options.python)
    try:
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source)
    except (SyntaxError, ValueError, OSError) as error:
        raise DomainError("adapter", str(path), f"a readable Python file ({error})") from None
    if options.hash is not None:
        require_hash(options, tree)
    timeout = TIMEOUT if options.timeout is None else options.timeout
    code = FileCode(path, Environment(Path(options.python)), timeout, start, options.hash)
    enumeration = enumerated(subject_of(code, path, protocol, mechanism, parameters, options))
    # the lines would show the law over all hash functions
    made = None if options.conditioned else enumeration.laws.made
    lines = () if made is None else lines_of_file(path, protocol, made, enumeration.subject.handed)
    again = server_lines("; ".join(lines[:2]), made.calls) if made is not None and made.is_class else ()
    laws, rows = assessed(enumeration, lines, again, source)
    node = next((n for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef) and n.name == protocol), None)
    location = relative(path) + (f":{node.lineno}" if node is not None else "")
    audit = report(enumeration, laws, rows, relative(path), location)
    return audit if options.conditioned or not is_open(audit) else _completed_by_samples(enumeration, audit, timeout)


def _completed_by_samples(enumeration: Enumerated, audit: Audit, timeout: float) -> Audit:
    """Return the audit of a file, with what samples decide of it."""
    own, subject = enumeration.reference, enumeration.subject
    options = replace(
        subject.options,
        outside=undecided_inputs(audit, outside_of(own, subject.options), show),
        bounds=Bounds(timeout=min(timeout, Bounds().timeout), deadline=timeout),
        handed=subject.handed,
    )
    inputs = looked_at(own)
    sampling = Sampling(inputs=inputs, seconds=SECONDS, first=AT_ONCE)
    sampled = audit_adapter_blackbox(subject.adapter, subject.protocol, own, None, options, sampling)
    return completed(audit, sampled.rows, len(own.inputs), len(inputs))


# --- programs, and adapters as they run for their users ---------------------------------------------------------------


def audit_process(
    command: Sequence[str],
    oracle: Oracle | str,
    parameters: Mapping[str, object] | None = None,
    options: Options = DEFAULT,
    sampling: Sampling = SAMPLING,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Audit:
    """Ask a child process for reports (and estimates) and test them against an oracle, or one by name.

    Of the options `unit`, `names`, `outside`, `bounds` and `variables` are looked at, and `unmodified`: whether it is
    asked for estimates of long lists, too. `progress` as in `audit_samples`. Three processes are started: one that is
    audited, one to see whether a fresh one repeats its reports, one for the inputs outside. Whatever they do is a row.
    Raises `DomainError` for parameters outside their domain and a command that cannot be found.
    """
    mechanism = reference(oracle, parameters)
    program = _Program(require_command(command), mechanism.oracle, options)
    if not isinstance(sampling.level, fmpq) or not 0 < sampling.level < 1:
        raise DomainError("level", sampling.level, "a rational number (fmpq) in (0, 1)")
    rows, notes = _process_rows(program, replace(sampling, first=max(AT_ONCE, sampling.first)), progress)
    for item in outside_of(mechanism.oracle, options):
        with program.start() as fresh:
            rows.append(outside_row(fresh, item, show(item), mechanism.oracle))
    return _statistical(mechanism, shlex.join(command), "process", rows, notes)


@dataclass(frozen=True)
class _Program:
    """A command that is started to answer for an oracle."""

    command: Sequence[str]
    oracle: Oracle
    options: Options

    def start(self) -> ProcessSampler:
        """Return a process that answers in the terms of the oracle."""
        options, decimals = self.options, self.oracle.window is not None
        if options.names is None:
            return ProcessSampler(self.command, options.bounds, variables=options.variables, decimals=decimals)
        names = Categories(self.oracle.inputs, options.names)
        return NamedSampler(names, self.command, options.bounds, variables=options.variables, decimals=decimals)


def _process_rows(
    program: _Program, sampling: Sampling, progress: Callable[[int, int], None] | None
) -> tuple[list[Row], list[str]]:
    """Return the rows and the notes of a process that is asked for reports and estimates."""
    own, options = program.oracle, program.options
    notes = [KEEPS] if isinstance(specified(own), Memoized) else []
    with program.start() as sampler:
        draws: Draws = []
        seed = seed_rows(program.start, sampler, own, sampling.level * REPEATED_SHARE, draws)
        rows = [*audit_samples(Resumed(sampler, draws), own, sampling, progress), *seed]
        reports = [report for _, report in draws]
        if sampler.failure is None:
            estimated, refused = estimate_rows(sampler, own, reports, options.unit)
            rows += estimated
            notes += [f"no estimates: {refused}"] if refused else []
            right = bool(estimated) and estimated[0].verdict is not Verdict.FAULT
            if options.unmodified and right and sampler.failure is None:
                rows += many_rows(sampler, own, reports, options.unit)
        last = sampler.finish()
        rows += finding_rows([last] if last else [])
    return rows, notes


def audit_adapter_blackbox(
    adapter: Path | str,
    protocol: str,
    oracle: Oracle | str,
    parameters: Mapping[str, object] | None = None,
    options: Options = DEFAULT,
    sampling: Sampling = SAMPLING,
) -> Audit:
    """Audit an adapter (a file, or a module of the environment) statistically, as it runs for its users: nothing is
    intercepted, compiled code is compiled. It is run by `options.python`; `options.handed` are the parameters of its
    class. Every report is drawn by a fresh client. The rest as in `audit_process`.
    """
    inputs = reference(oracle, parameters).oracle.inputs if options.names is None else options.names
    python, kind = options.python, options.input_types[0]
    command, variables = adapter_command(python, adapter, protocol, options.handed, kind, inputs)
    options = replace(options, variables=variables, unmodified=False)  # long lists are for the run as it is
    audit = audit_process(command, oracle, parameters, options, sampling)
    packages = versions(python, ("numpy", *options.distributions))
    return replace(audit, target=Path(adapter).stem, mechanism=protocol, versions=packages)


# --- files ------------------------------------------------------------------------------------------------------------


def audit_reports(
    path: Path | str,
    oracle: Oracle | str,
    parameters: Mapping[str, object] | None = None,
    sampling: Sampling = SAMPLING,
    *,
    columns: tuple[str, str] = COLUMNS,
    form: Format | None = None,
) -> Audit:
    """Test a file of reports against an oracle, or one by name. Reading stops at the first alarm.

    `columns` name the input and the report of a row, `sampling.inputs` those that occur (None: all of the oracle),
    `sampling.names` what the file calls the items, `form` the format (None: as the suffix says). The order of rows must
    be that in which reports were made, or any other that was not chosen by looking at them. A report that the mechanism
    cannot make is a fault. Raises `FormatError` that names file, line (or row) and column for what cannot be read,
    `MissingExtraError` without pyarrow for Parquet, `OSError` for a file that cannot be opened.
    """
    mechanism = reference(oracle, parameters)
    own, inputs = mechanism.oracle, mechanism.oracle.inputs if sampling.inputs is None else sampling.inputs
    monitor = StreamMonitor(own, replace(sampling, inputs=tuple(inputs)))
    view = None if own.window is None else own.view_of
    names = None if sampling.names is None else Categories(own.inputs, sampling.names)
    called = tuple(inputs) if names is None else tuple(map(names.name, inputs))
    chunks = read_chunks(Path(path), called, columns, form, monitor.row_width, view)
    monitor.add_chunks(chunks if names is None else names.chunks(chunks))
    if not monitor.reports:
        raise FormatError(str(path), "no rows", "at least one row below the header")
    notes = [f"read up to report {monitor.reports}, where the alarm was raised"] if monitor.alarmed else []
    return replace(_statistical(mechanism, str(path), "reports", monitor.rows(), notes), location=str(path))


def audit_table(
    path: Path | str,
    oracle: Oracle | str,
    parameters: Mapping[str, object] | None = None,
    *,
    tolerance: fmpq = TOLERANCE,
    form: TableFormat | None = None,
    names: tuple[Item, ...] | None = None,
) -> Audit:
    """Compare a printed table with an oracle, or one by name.

    `tolerance` is how far a printed probability may be from the exact one (half a unit of the last printed digit, where
    it is rounded): deviations within it are `rounding`. `form` is the format (None: as the suffix says), `names` what
    the table calls the items of the oracle, in their order. Nothing is normalized. Raises `FormatError` for what cannot
    be read, `DomainError` for a tolerance outside [0, 1), `OSError` for a file that cannot be opened.
    """
    if not isinstance(tolerance, fmpq) or not 0 <= tolerance < 1:
        raise DomainError("tolerance", tolerance, "a rational number (fmpq) in [0, 1)")
    mechanism = reference(oracle, parameters)
    require_few(mechanism.oracle.inputs)
    table = read_table(path, form)
    table = table if names is None else Categories(mechanism.oracle.inputs, names).table(table)
    audit = _statistical(mechanism, str(path), "table", table_rows(table, mechanism.oracle, tolerance), ())
    laws = shown_laws(table.laws, mechanism.oracle)
    return replace(audit, tolerance=str(tolerance), laws=laws, location=str(path))


def _statistical(mechanism: Reference, target: str, method: Any, rows: Sequence[Row], notes: Sequence[str]) -> Audit:
    return Audit(
        target=target,
        mechanism=mechanism.name,
        oracle=mechanism.name,
        certified=mechanism.certified,
        parameters=mechanism.parameters,
        method=method,
        rows=tuple(rows),
        notes=tuple(notes),
    )
