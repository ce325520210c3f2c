"""The exact audit of one's own Python code: a function or class at hand, or a file run by another interpreter."""

import ast
import functools
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from dp_audit.checks import ALL, Checks, require_hash
from dp_audit.coarse_reports import Merged
from dp_audit.environment import Environment, require_interpreter
from dp_audit.judge.assessment import assess, with_clocks
from dp_audit.judge.bets.sequential import audit_samples
from dp_audit.judge.budgets import budget_rows
from dp_audit.judge.confirmation import AsItIs, confirmed, without_doubted
from dp_audit.judge.defaults import default_rows
from dp_audit.judge.law_text import shown_answer
from dp_audit.judge.long_lists import with_estimates
from dp_audit.judge.representation import RAW, with_raw
from dp_audit.judge.sampling_fallback import SECONDS, completed, is_open, looked_at, outside_row, undecided_inputs
from dp_audit.observation.jobs import Job, PlainJob, turns
from dp_audit.observation.target_laws import TargetLaws
from dp_audit.observation.unmodified_run import Plain
from dp_audit.observation.values import show
from dp_audit.oracles import KINDS, Oracle, certificate, oracle
from dp_audit.oracles.client_parameters import handed as as_handed
from dp_audit.oracles.memoization import Memoized
from dp_audit.oracles.reference import require_few
from dp_audit.outcome import Audit, Row, Verdict
from dp_audit.process_audit import AT_ONCE, audit_adapter_blackbox
from dp_audit.run.adapter_wrappers import AT_BUDGETS, adapter_text, budgets_text
from dp_audit.run.child_program import Start, run_copied
from dp_audit.run.enumeration import require_seconds, run_target
from dp_audit.run.item_names import Categories
from dp_audit.run.live_code import CAN_COPY, Copy, Here, LiveSampler
from dp_audit.run.live_objects import location_of_object, module_of, name_of, relative, source_of, with_estimate
from dp_audit.run.process_sampler import Bounds
from dp_audit.run.reproduction import estimate_lines, lines_of_file, lines_of_object, server_lines
from dp_audit.run.startup_errors import started
from dp_audit.run.unmodified import PLAIN_SECONDS, run_plain
from dp_audit.unmodified_audit import Observe, observed
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.names import known_name

SALTED = "in another process the hash function is another one (text is hashed with a salt by Python)"
J = TypeVar("J", Job, PlainJob)
A = TypeVar("A")


def audit_callable(
    randomize: Callable[..., Any],
    mechanism: str,
    parameters: Mapping[str, object],
    *,
    estimate: Callable[..., Sequence[Any]] | None = None,
    name: str | None = None,
    checks: Checks = ALL,
    timeout: float | None = None,
) -> Audit:
    """Audit a function `item -> report` against an oracle, in this process: for tests of one's own code.

    `mechanism` and `parameters` name the oracle (`"GRR"`, `{"d": 4, "epsilon": 1.0}`); the function is handed those
    parameters that it has arguments for. `estimate` maps the list of reports to the list of estimates. Instead of a
    function, `randomize` may be a class with the methods of an adapter. With a `timeout` in seconds the audit runs in a
    copy of this process (where the system can copy one), with which all that it started is ended, then or when this
    process ends; else nothing bounds code that hangs.

    Raises `DomainError` for an unknown oracle, bad parameters, or what cannot be called with them.
    """
    if not callable(randomize):
        raise DomainError("randomize", randomize, "a function of the item, or a class with the methods of an adapter")
    if isinstance(randomize, type) and estimate is not None:
        raise DomainError("estimate", estimate, "None with a class, which has a server of its own")
    label = name or name_of(randomize)
    made: Callable[..., Any] = randomize if estimate is None else with_estimate(randomize, estimate)
    with Here(made) if timeout is None or not CAN_COPY else Copy(made, require_seconds(timeout)) as code:
        answer = _audit(
            code.laws,
            code.plain,
            code.at_budgets,
            Path(label),
            label,
            mechanism,
            parameters,
            checks,
            source_of(randomize),
        )
        lines = () if checks.conditioned else lines_of_object(randomize, answer.handed)
        audit = answer.assessed(
            lines,
            estimate_lines(lines, estimate, isinstance(randomize, type), answer.handed) if lines else (),
            target=module_of(randomize),
            location=location_of_object(randomize),
        )
        if checks.conditioned or not is_open(audit) or code.seconds <= 0:
            return audit
        reports = LiveSampler(code.drawing(answer.handed), answer.names)
        inputs = looked_at(answer.reference)
        sampled = audit_samples(reports, answer.reference, inputs=inputs, first=AT_ONCE, seconds=SECONDS)
        strays = undecided_inputs(audit, checks.outside, show)
        rows = (*sampled, *(outside_row(reports, item, show(item), answer.reference) for item in strays))
        return completed(audit, rows, len(answer.reference.inputs), len(inputs))


def audit_adapter(
    path: str | os.PathLike[str],
    protocol: str,
    mechanism: str,
    parameters: Mapping[str, object],
    *,
    python: str | os.PathLike[str] = sys.executable,
    timeout: float = 120.0,
    checks: Checks = ALL,
    start: Start = run_copied,
) -> Audit:
    """Audit a class (the methods of an adapter) or function (item -> report) of a Python file, in a child process.

    The file is run by the interpreter `python`, which needs numpy and nothing of ours, for at most `timeout` seconds.
    `start` runs the child processes, as `dp_audit.run.child_program.Children.run` does for several audits of one file.
    Raises `DomainError` for an unknown oracle, bad parameters, and a file, name or interpreter that cannot be used.
    """
    path = Path(path)
    if not path.is_file() or path.suffix != ".py":
        raise DomainError("adapter", str(path), "an existing Python file *.py")
    require_interpreter(python)
    try:
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source)
    except (SyntaxError, ValueError, OSError) as error:
        raise DomainError("adapter", str(path), f"a readable Python file ({error})") from None
    environment, absolute = Environment(Path(python)), str(path.absolute())
    hashing = f"Target = hashed((module := load({absolute!r})).{protocol}, module.{checks.hash})"
    if checks.hash is not None:
        require_hash(checks, tree)

    def run(job: Job) -> TargetLaws:
        return run_target(job, environment, timeout, start)

    def observe(job: PlainJob) -> Plain:
        return run_plain(job, environment, min(timeout, PLAIN_SECONDS), start)

    answer = _audit(
        run if checks.hash is None else _of_text(adapter_text(hashing), run),
        observe if checks.hash is None else _of_text(adapter_text(hashing), observe),
        _of_text(
            budgets_text(absolute),
            lambda job: run(replace(job, shares=f"{absolute}, at budgets")),
            AT_BUDGETS + protocol,
        ),
        path,
        protocol,
        mechanism,
        parameters,
        checks,
        source,
    )
    found = next((n for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef) and n.name == protocol), None)
    made = None if checks.conditioned else answer.laws.made  # the lines would show the law over all hash functions
    lines = () if made is None else lines_of_file(path, protocol, made, answer.handed)
    again = server_lines("; ".join(lines[:2])) if made is not None and made.is_class else ()
    location = relative(path) + (f":{found.lineno}" if found is not None else "")
    audit = answer.assessed(lines, again, target=relative(path), location=location)
    if checks.conditioned or not is_open(audit):
        return audit
    inputs = looked_at(answer.reference)
    sampled = audit_adapter_blackbox(
        path,
        protocol,
        answer.handed,
        answer.reference,
        environment=environment,
        input_type=checks.input_types[0],
        names=answer.names,
        unit=checks.unit,
        outside=undecided_inputs(audit, checks.outside, show),
        bounds=Bounds(timeout=min(timeout, Bounds().timeout), deadline=timeout),
        inputs=inputs,
        seconds=SECONDS,
    )
    return completed(audit, sampled.rows, len(answer.reference.inputs), len(inputs))


@dataclass(frozen=True)
class _Answer:
    """The laws of a target, the oracle they are compared with, and what is seen of it in a plain run."""

    protocol: str
    mechanism: str
    parameters: Mapping[str, object]
    handed: Mapping[str, Any]
    reference: Oracle
    laws: TargetLaws
    checks: Checks
    seen: Callable[[Sequence[Row]], tuple[Row, ...]]
    more: tuple[Row, ...]
    code: AsItIs

    @property
    def names(self) -> Categories | None:
        """Those of the oracle's items that the code knows."""
        return None if self.checks.inputs is None else Categories(self.reference.inputs, self.checks.inputs)

    def assessed(self, lines: tuple[str, ...], again: tuple[str, ...], target: str, location: str) -> Audit:
        """The report. The lines of Python that show a deviation (`again`: of an estimate) yield to the target's own."""
        own = self.laws
        if self.names is not None:
            lines = self.names.lines(lines)
        laws = replace(own, reproduce=own.reproduce or lines, reproduce_estimate=own.reproduce_estimate or again)
        found, beside = assess(laws, self.reference, self.checks.unit), tuple[Row, ...]()
        if self.checks.plain and not self.checks.conditioned and _is_wrong(found):
            laws, beside = confirmed(laws, self.reference, self.code)
            found = assess(laws, self.reference, self.checks.unit) if not beside else found
        rows = (*found, *self.more, *beside)
        if self.checks.plain:
            rows = with_estimates(with_raw(with_clocks((*rows, *self.seen(rows)))))
        if all(row.check != RAW for row in rows):
            rows = (*rows, Row(RAW, Verdict.INFO, "not looked at: the law was not enumerated"))
        return Audit(
            target=target,
            mechanism=self.protocol,
            oracle=self.mechanism,
            certified=certificate(self.mechanism, self.parameters),
            parameters={name: str(value) for name, value in self.parameters.items()},
            method="exact",
            rows=rows,
            versions=dict(laws.versions),
            models=laws.models,
            laws=shown_answer(laws, self.reference),
            location=location,
        )


def _is_wrong(rows: Sequence[Row]) -> bool:
    """Whether the law is called wrong."""
    return any(row.check == "law" and row.verdict is Verdict.FAULT for row in rows)


def _audit(
    run: Callable[[Job], TargetLaws],
    observe: Observe,
    at: Callable[[Job], TargetLaws],
    adapter: Path,
    protocol: str,
    mechanism: str,
    parameters: Mapping[str, object],
    checks: Checks,
    source: str,
) -> _Answer:
    """Run the job. Where draws are conditioned on, a run before it asks for the facts that complete the oracle."""
    mechanism = known_name("oracle", mechanism, KINDS)
    parameters = {known_name("parameter", n, KINDS[mechanism].parameters): v for n, v in parameters.items()}
    handed = as_handed(KINDS[mechanism], parameters) | dict(checks.handed)
    job = Job(
        adapter,
        protocol,
        handed,
        (),
        input_types=checks.input_types,
        distributions=checks.distributions,
        limits=checks.limits,
        conditioned=checks.conditioned,
        condition_from=checks.condition_from,
        seconds=checks.seconds,
    )
    facts = started(run(job), adapter, protocol).facts if checks.conditioned else {}

    def completed_by(facts: Mapping[str, object]) -> dict[str, object]:
        return {**parameters, **{n: fact for n, fact in facts.items() if n in KINDS[mechanism].parameters}}

    complete = completed_by(facts)
    changing = facts != (run(replace(job, salt=1)).facts if facts else {})
    reference = oracle(mechanism, complete)
    require_few(reference.inputs)
    inputs = reference.inputs
    names = None if checks.inputs is None else Categories(inputs, checks.inputs)
    if names is not None:
        run, observe = names.run(run), names.observe(observe)
    if type(reference).seen is not Oracle.seen:
        merged = Merged(reference)
        run, observe, at = merged.run(run), merged.observe(observe), merged.run(at)
    whole = replace(
        job,
        inputs=inputs,
        outside=checks.outside,
        reuse=turns(inputs, isinstance(reference, Memoized)) if checks.reuse else (),
        users=checks.users,
    )
    code = AsItIs(observe, adapter, protocol, handed, checks.input_types[0], inputs)
    laws = started(run(whole), adapter, protocol)
    if checks.plain:
        laws = without_doubted(laws, code)
    seen = functools.partial(
        observed,
        observe,
        adapter,
        protocol,
        handed,
        reference,
        input_type=checks.input_types[0],
        unit=checks.unit,
        reuse=checks.reuse,
        estimates=bool(checks.users),
        afresh=adapter.suffix == ".py",
        given=(lambda facts: oracle(mechanism, completed_by(facts))) if checks.conditioned else None,
    )
    items = inputs if checks.inputs is None else checks.inputs
    more = [Row("fresh process", Verdict.FAULT, SALTED)] if changing else []
    more += default_rows(source, protocol, KINDS[mechanism].parameters) if checks.plain else []
    if checks.plain and not checks.conditioned:  # at another budget, another hash function is drawn
        more += budget_rows(at, handed, mechanism, complete, reference, laws, items)
    return _Answer(protocol, mechanism, complete, handed, reference, laws, checks, seen, tuple(more), code)


def _of_text(written: str, run: Callable[[J], A], protocol: str = "Target") -> Callable[[J], A]:
    """A run of jobs for an adapter file with this text, which has such a protocol."""

    def of_text(job: J) -> A:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "wrapped_target.py")
            file.write_text(written, encoding="utf-8")
            return run(replace(job, adapter=file, protocol=protocol))

    return of_text
