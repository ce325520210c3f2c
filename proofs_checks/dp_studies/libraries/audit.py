"""`audit_library`: runs the audit of a released, unmodified library."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from dp_audit.audit import Expected, Subject, assessed, audit_adapter_blackbox, audit_process, enumerated, report
from dp_audit.environment import Environment, locate
from dp_audit.judge.bets.sequential import Sampling
from dp_audit.options import Options
from dp_audit.oracles import KINDS, Oracle
from dp_audit.oracles.client_parameters import client_value
from dp_audit.oracles.post_processing import Consistent, Normalized
from dp_audit.outcome import Audit
from dp_audit.run.child_program import Children, Start, run_copied
from dp_audit.run.file_code import FileCode
from dp_checks.runtime.parallel import HERE, Workers, spread
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.names import require_name
from dp_studies.libraries import LIBRARIES, Audited, Library

KEPT = Children()
"""Of this process, which may be one of several that share the audits of a library."""
COMPILED_SECONDS = 120.0
"""What an unmodified run of compiled code may take longer."""


@dataclass(frozen=True)
class LibraryOptions:
    """How a library is audited.

    Estimates are checked for all data sets of the sizes `users` (None: those of the published audits). `repaired`: the
    same audit of the library with the change that its repair states, where one can be run (`Audited.repaired`).
    `timeout`: seconds that a child process may take.
    """

    users: tuple[int, ...] | None = None
    repaired: bool = False
    timeout: float = 300.0


DEFAULT = LibraryOptions()


def audit_library(
    library: str,
    protocol: str,
    parameters: Mapping[str, object] | None = None,
    options: LibraryOptions = DEFAULT,
    *,
    environment: Environment | None = None,
    start: Start = run_copied,
) -> Audit:
    """The audit of a released, unmodified library; `parameters` replace those of its first published audit.

    `start` runs the child processes, as `Children.run` does for several audits of one library. Raises `DomainError` for
    an unknown library, protocol or repair or a bad parameter, `AuditEnvironmentError` when the environment of the
    library has not been made.
    """
    entry = _known(library)
    audited = _protocol(entry, protocol)
    if options.repaired:
        if audited.repaired is None:
            raise DomainError("protocol", protocol, "one with a repair that can be run")
        audited = audited.repaired
    values = {**audited.parameters[0], **(parameters or {})}
    environment = environment or locate(entry.environment)
    if audited.method == "process":
        return _sampled(entry, audited, protocol, values, environment)
    subject = _subject(entry, audited, values, FileCode(entry.file, environment, options.timeout, start))
    if options.users is not None:
        subject = replace(subject, options=replace(subject.options, users=options.users))
    enumeration = enumerated(subject)
    laws, rows = assessed(enumeration)
    facts = {name: fact for name, fact in enumeration.facts.items() if name in KINDS[audited.oracle].parameters}
    return replace(
        report(enumeration, laws, rows, library, ""),
        mechanism=protocol,
        parameters={name: str(value) for name, value in {**values, **facts}.items()},
        notes=(*entry.notes, *audited.notes),
    )


def audit_protocols(
    library: str,
    planned: Sequence[tuple[str, Mapping[str, object]]],
    options: LibraryOptions = DEFAULT,
    *,
    by: Workers = HERE,
) -> Iterator[tuple[int, Audit]]:
    """Audits of protocols at parameters, as they are finished, with their places in what is planned.

    Raises what `audit_library` and `dp_checks.runtime.parallel.spread` raise.
    """
    audited = partial(_planned, library, options)
    try:
        yield from spread(audited, [(place, *each) for place, each in enumerate(planned)], by)
    finally:
        KEPT.close()


def _planned(library: str, options: LibraryOptions, task: tuple[int, str, Mapping[str, object]]) -> tuple[int, Audit]:
    place, protocol, parameters = task
    return place, audit_library(library, protocol, parameters, options, start=KEPT.run)


@dataclass(frozen=True)
class Documented(Expected):
    """The oracle of an audited mechanism, with the post-processing that its library documents."""

    audited: Audited

    def oracle(self, facts: Mapping[str, object]) -> Oracle:
        """The oracle, given the facts. Raises `DomainError`."""
        own = super().oracle(facts)
        if self.audited.consistent:
            return Consistent.of(own)
        return Normalized.of(own) if self.audited.normalized else own


def _subject(library: Library, audited: Audited, values: Mapping[str, object], code: FileCode) -> Subject:
    own = {name: value for name, value in values.items() if name in KINDS[audited.oracle].parameters}
    compiled = library.compiled if audited.compiled is None else audited.compiled
    options = Options(
        users=audited.users,
        unit=audited.unit,
        outside=audited.outside,
        also_outside=audited.also_outside if audited.outside is None else (),
        turns=audited.reused,
        follow_up=False,
        input_types=audited.input_types,
        conditioned=audited.conditioned,
        condition_from=audited.condition_from,
        asks=audited.asks,
        compiled=compiled,
        distributions=(library.name,),
        seconds=None,
    )
    if compiled:
        code = replace(code, unmodified_seconds=code.unmodified_seconds + COMPILED_SECONDS)
    expected = Documented(audited.oracle, own, audited)
    return Subject(code, code.path, audited.protocol, _client_values(audited, values), expected, options)


def _client_values(audited: Audited, values: Mapping[str, object]) -> dict[str, Any]:
    """The parameters of the adapter's class."""
    kind = KINDS[audited.oracle]
    read = {name: kind.parameters[name](name, value) for name, value in values.items() if name in kind.parameters}
    named = values if audited.handed is None else {n: v for n, v in values.items() if n in audited.handed}
    handed = {name: client_value(read.get(name, value)) for name, value in named.items()}
    return {**audited.texts, **handed}


def _sampled(
    library: Library, audited: Audited, protocol: str, values: Mapping[str, object], environment: Environment
) -> Audit:
    """The statistical audit of a library whose randomness cannot be intercepted."""
    parameters = {name: value for name, value in values.items() if name in KINDS[audited.oracle].parameters}
    handed, file = _client_values(audited, values), library.file
    sampling = Sampling(limit=audited.reports, first=audited.first)
    options = Options(outside=audited.outside, unit=audited.unit, handed=handed)
    if environment.modules is not None:
        command = [str(environment.python), str(file), audited.protocol, json.dumps(handed)]
        options = replace(options, variables={**os.environ, "NODE_PATH": str(environment.modules)})
        audit = audit_process(command, audited.oracle, parameters, options, sampling)
        audit = replace(audit, versions=_modules(library.name, environment.modules))
    else:
        options = replace(options, python=environment.python, distributions=(library.name,))
        audit = audit_adapter_blackbox(file, audited.protocol, audited.oracle, parameters, options, sampling)
    return replace(
        audit,
        target=library.name,
        mechanism=protocol,
        parameters={name: str(value) for name, value in values.items()},
        notes=(*library.notes, *audited.notes, *audit.notes),
    )


def _modules(name: str, folder: Path) -> dict[str, str]:
    """The version of a module of node."""
    content = json.loads((folder / name / "package.json").read_text(encoding="utf-8"))
    return {name: str(content["version"])}


def _known(library: str) -> Library:
    return LIBRARIES[require_name("library", library, LIBRARIES)]


def _protocol(library: Library, protocol: str) -> Audited:
    return library.protocols[require_name("protocol", protocol, library.protocols)]
