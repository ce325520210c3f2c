"""`audit_library`: runs the audit of a released, unmodified library."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from dp_audit.audits import Audit, Row, Verdict
from dp_audit.copied import Children, Start, run_copied
from dp_audit.environment import Environment, locate
from dp_audit.exact.assess import assess, finding_rows, with_clocks
from dp_audit.exact.shown import shown_answer
from dp_audit.exact.target import Job, run_target, turns
from dp_audit.findings import Finding
from dp_audit.handed import plain
from dp_audit.oracles import KINDS, Oracle, certificate, oracle
from dp_audit.oracles.memoization import Memoized
from dp_audit.oracles.postprocessed import Consistent, Normalized, specified
from dp_audit.plain.drawn import Drawn
from dp_audit.plain.plan import observed
from dp_audit.plain.raw import with_raw
from dp_audit.plain.run import PLAIN_SECONDS, Plain, PlainJob, run_plain
from dp_audit.plain.served import with_estimates
from dp_audit.samples.blackbox import SamplerError, audit_samples
from dp_audit.samples.process import audit_adapter_blackbox, audit_process
from dp_audit.subject import require_few
from dp_checks.runtime.parallel import HERE, Workers, spread
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.names import known_name
from dp_studies.libraries import LIBRARIES, Audited, Library

KEPT = Children()
"""Of this process, which may be one of several that share the audits of a library."""
SMOKE = 20_000
"""Reports on every input in the smoke test of compiled code, ..."""
SMOKE_SECONDS = 120.0
"""... which may take so long."""


def audit_library(
    library: str,
    protocol: str,
    parameters: Mapping[str, object] | None = None,
    *,
    users: tuple[int, ...] | None = None,
    environment: Environment | None = None,
    timeout: float = 300.0,
    repaired: bool = False,
    start: Start = run_copied,
) -> Audit:
    """The audit of a released, unmodified library; `parameters` replace those of its first published audit.

    Estimates are checked for all data sets of the sizes `users`. `repaired`: the same audit of the library with the
    change that its repair states, where one can be run (`Audited.repaired`). `start` runs the child processes, as
    `dp_audit.copied.Children.run` does for several audits of one library. Raises `DomainError` for an unknown library,
    protocol or repair or a bad parameter, `AuditEnvironmentError` when the environment of the library has not been
    made.
    """
    known = _known(library)
    audited = _protocol(known, protocol)
    if repaired:
        if audited.repaired is None:
            raise DomainError("protocol", protocol, "one with a repair that can be run")
        audited = audited.repaired
    given = {**audited.parameters[0], **(parameters or {})}
    kind = KINDS[audited.oracle]
    read = {name: kind.parameters[name](name, value) for name, value in given.items() if name in kind.parameters}
    handed = {name: plain(read.get(name, value)) for name, value in given.items() if _is_handed(audited, name)}
    handed = {**handed, **known.texts, **audited.texts}
    environment = environment or locate(known.environment)
    if audited.method == "process":
        return _sampled(known, audited, protocol, handed, given, environment)
    stated = _facts(known, audited, handed, environment, timeout, start) if audited.conditioned or audited.asks else {}
    facts = {name: fact for name, fact in stated.items() if name in kind.parameters}
    known_parameters = {n: v for n, v in {**given, **facts}.items() if n in kind.parameters}
    reference = _reference(audited, known_parameters)
    require_few(reference.inputs)
    job = _job(known, audited, handed, reference, audited.users if users is None else users)
    target = run_target(job, environment, timeout, start)
    compiled = known.compiled if audited.compiled is None else audited.compiled
    rows = assess(target, reference, audited.unit, compiled)
    rows = _unintercepted(job, rows, audited, compiled, known_parameters, environment, timeout, start)
    return Audit(
        target=library,
        mechanism=protocol,
        oracle=audited.oracle,
        certified=certificate(audited.oracle, known_parameters),
        parameters={name: str(value) for name, value in {**given, **facts}.items()},
        method="exact",
        rows=with_estimates(with_raw(with_clocks(rows))),
        versions=dict(target.versions),
        models=target.models,
        notes=(*known.notes, *audited.notes),
        laws=shown_answer(target, reference),
    )


def audit_protocols(
    library: str,
    planned: Sequence[tuple[str, Mapping[str, object]]],
    *,
    users: tuple[int, ...] | None = None,
    timeout: float = 300.0,
    by: Workers = HERE,
    repaired: bool = False,
) -> Iterator[tuple[int, Audit]]:
    """Audits of protocols at parameters, as they are finished, with their places in what is planned.

    `repaired` as in `audit_library`. Raises what `audit_library` and `dp_checks.runtime.parallel.spread` raise.
    """
    audited = partial(_planned, library, users, timeout, repaired)
    try:
        yield from spread(audited, [(place, *each) for place, each in enumerate(planned)], by)
    finally:
        KEPT.close()


def _planned(
    library: str,
    users: tuple[int, ...] | None,
    timeout: float,
    repaired: bool,
    task: tuple[int, str, Mapping[str, object]],
) -> tuple[int, Audit]:
    place, protocol, parameters = task
    run = partial(audit_library, users=users, timeout=timeout, repaired=repaired, start=KEPT.run)
    return place, run(library, protocol, parameters)


def _reference(audited: Audited, parameters: Mapping[str, object]) -> Oracle:
    """The oracle of an audited mechanism, of parameters and facts that are its own."""
    known = KINDS[audited.oracle].parameters
    reference = oracle(audited.oracle, {name: value for name, value in parameters.items() if name in known})
    if audited.consistent:
        return Consistent.of(reference)
    return Normalized.of(reference) if audited.normalized else reference


def _unintercepted(
    job: Job,
    rows: tuple[Row, ...],
    audited: Audited,
    compiled: bool,
    parameters: Mapping[str, object],
    environment: Environment,
    timeout: float,
    start: Start,
) -> tuple[Row, ...]:
    """The rows with those of a run of the library as it is. If that is compiled it also gives reports for a smoke test:
    of their law, where that is not one given a hash function that is drawn, and of whether types differ."""
    reference = _reference(audited, parameters)
    runs: list[Plain] = []

    def observe(each: PlainJob) -> Plain:
        more = {"more": SMOKE} if compiled and not runs else {}
        seconds = PLAIN_SECONDS + (SMOKE_SECONDS if more else 0.0)
        plain = run_plain(replace(each, phases={**each.phases, **more}), environment, min(timeout, seconds), start)
        runs.append(plain)
        return plain

    found = observed(
        observe,
        job.adapter,
        job.protocol,
        job.parameters,
        reference,
        rows,
        input_type=audited.input_types[0],
        unit=audited.unit,
        estimates=bool(job.users),
        afresh=not compiled,  # it compiles again
        given=(lambda facts: _reference(audited, {**parameters, **facts})) if audited.conditioned else None,
    )
    return (*(_with_compiled(rows, reference, runs[0], bool(audited.conditioned)) if compiled else rows), *found)


def _with_compiled(rows: tuple[Row, ...], reference: Oracle, plain: Plain, conditioned: bool) -> tuple[Row, ...]:
    """A smoke test of the compiled client beside the exact audit of its source: its law, and whether types differ."""
    own = reference.mechanism if isinstance(reference, Normalized) else reference
    drawn = Drawn(own.inputs, plain)
    if conditioned:
        found = [finding for item in own.inputs for finding in _ended(drawn, item)]
        sampled = finding_rows([*found[:1], *drawn.findings])
    else:
        sampled = [*audit_samples(drawn, own, limit=SMOKE), *finding_rows(drawn.findings)]
        sampled = [replace(row, check=f"{row.check} (compiled, samples)") for row in sampled]
    # All reports were read; that the mechanism itself breaks the bound (`privacy`) says nothing of types.
    if all(row.verdict is Verdict.CONSISTENT for row in sampled if not row.check.startswith("privacy")):
        rows = tuple(_of_one_type(row) if row.check.startswith("raw output") else row for row in rows)
    return (*rows, *sampled)


def _ended(drawn: Drawn, item: Item) -> list[Finding]:
    """Why there are not all reports on an item, if there are not."""
    try:
        drawn.sample(item, SMOKE)
    except SamplerError as error:
        return [error.finding]
    return []


def _of_one_type(row: Row) -> Row:
    if row.verdict is not Verdict.UNDECIDED:
        return row
    detail = f"{row.detail}; compiled, all {SMOKE} reports on every input had one type"
    return replace(row, verdict=Verdict.CONSISTENT, detail=detail, witness={})


def _sampled(
    library: Library,
    audited: Audited,
    protocol: str,
    handed: Mapping[str, Any],
    given: Mapping[str, object],
    environment: Environment,
) -> Audit:
    """The statistical audit of a library whose randomness cannot be intercepted."""
    parameters = {name: value for name, value in given.items() if name in KINDS[audited.oracle].parameters}
    if environment.modules is not None:
        command = [str(environment.python), str(library.file), audited.protocol, json.dumps(dict(handed))]
        found = audit_process(
            command,
            audited.oracle,
            parameters,
            limit=audited.reports,
            outside=audited.outside,
            name=library.name,
            variables={**os.environ, "NODE_PATH": str(environment.modules)},
        )
        found = replace(found, versions=_modules(library.name, environment.modules))
    else:
        found = audit_adapter_blackbox(
            library.file,
            audited.protocol,
            handed,
            audited.oracle,
            parameters,
            environment=environment,
            distributions=(library.name,),
            limit=audited.reports,
            unit=audited.unit,
            outside=audited.outside,
            name=library.name,
        )
    return replace(
        found,
        mechanism=protocol,
        parameters={name: str(value) for name, value in given.items()},
        notes=(*library.notes, *audited.notes, *found.notes),
    )


def _modules(name: str, folder: Path) -> dict[str, str]:
    """The version of a module of node."""
    content = json.loads((folder / name / "package.json").read_text(encoding="utf-8"))
    return {name: str(content["version"])}


def _known(library: str) -> Library:
    return LIBRARIES[known_name("library", library, LIBRARIES)]


def _protocol(library: Library, protocol: str) -> Audited:
    return library.protocols[known_name("protocol", protocol, library.protocols)]


def _is_handed(audited: Audited, name: str) -> bool:
    return audited.handed is None or name in audited.handed


def _facts(
    library: Library,
    audited: Audited,
    handed: Mapping[str, Any],
    environment: Environment,
    timeout: float,
    start: Start,
) -> Mapping[str, object]:
    """What the adapter says about the conditioned draws, in a run of its own: the oracle depends on it."""
    job = Job(
        library.file,
        audited.protocol,
        handed,
        (),
        conditioned=audited.conditioned,
        condition_from=audited.condition_from,
    )
    return run_target(job, environment, timeout, start).facts


def _job(
    library: Library, audited: Audited, handed: Mapping[str, Any], reference: Oracle, users: tuple[int, ...]
) -> Job:
    inputs = reference.inputs
    return Job(
        adapter=library.file,
        protocol=audited.protocol,
        parameters=handed,
        inputs=inputs,
        input_types=audited.input_types,
        outside=(*audited.also_outside, *reference.outside) if audited.outside is None else audited.outside,
        reuse=turns(inputs, isinstance(specified(reference), Memoized)) if audited.reused else (),
        users=users,
        conditioned=audited.conditioned,
        condition_from=audited.condition_from,
        distributions=(library.name,),
    )
