"""What the pytest plugin does once a test uses it (`dp_audit.pytest_plugin` declares it)."""

import json
import os
import re
import tempfile
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache, wraps
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from dp_audit.audit import TIMEOUT, audit_adapter, audit_callable
from dp_audit.declared_maps import LIMIT, audit_map
from dp_audit.options import DEFAULT, Options
from dp_audit.outcome import Audit, Row, Verdict
from dp_audit.report.document import read_audit
from dp_audit.report.page import html_text
from dp_audit.report.text import shortened
from dp_audit.report.words import conclusion, hint, row_sentence, sentence
from dp_checks.runtime.escapes import printable
from dp_checks.runtime.outputs import write_file
from dp_spec.vocabulary.exceptions import DomainError

Target = Callable[..., Any] | str | os.PathLike[str]
"""A function item -> report, a class with the methods of an adapter, or "FILE.py:NAME" of one of them."""
FAILING = (Verdict.FAULT, Verdict.UNDECIDED)


class ConformanceError(AssertionError):
    """What was audited does not conform, or that could not be decided; the message is its page in short."""


class AssertConforms:
    """Audits, and raises on a deviation. Every audit is appended to `audits` as JSON text."""

    def __init__(self, audits: list[str]) -> None:
        self._audits = audits

    def __call__(
        self,
        target: Target,
        oracle: str,
        /,
        *,
        estimate: Callable[..., Sequence[Any]] | None = None,
        accept: Collection[str] = (),
        strict: bool = False,
        options: Options = DEFAULT,
        **parameters: object,
    ) -> Audit:
        """Audit a target against an oracle at these parameters (see `audit_callable`); return the audit, if it
        conforms.

        A file (`"FILE.py:NAME"`) is run by the interpreter of the options, a function or class in a copy of this
        process (where the system can copy one), for at most their timeout (120 seconds). `accept` names checks (rows
        of the audit) whose deviations are known.

        Raises `ConformanceError` (one short screen) for a fault, for what could not be decided and, if `strict`, for a
        warning; `DomainError` for unknown oracles, parameters and names of checks.
        """
        __tracebackhide__ = True
        if isinstance(accept, str):
            raise DomainError("accept", accept, "a list of names of checks")
        audit = _audited(target, oracle, parameters, estimate, options)
        self._audits.append(json.dumps(audit.as_json()))
        unknown = sorted(set(accept) - {row.check for row in audit.rows})
        if unknown:
            raise DomainError("accept", unknown, f"checks of this audit: {', '.join(r.check for r in audit.rows)}")
        failing = (*FAILING, Verdict.WARNING) if strict else FAILING
        wrong = [row for row in audit.rows if row.verdict in failing and row.check not in accept]
        if wrong:
            raise ConformanceError(failure(audit, wrong))
        return audit


SHOWN = 3
"""Rows of a failure; the page has all of them."""


def failure(audit: Audit, wrong: Sequence[Row]) -> str:
    """Return one short screen: the sentence, the worst rows with their hints, how to see it, and the path of the
    page."""
    first = sorted(wrong, key=lambda row: -list(Verdict).index(row.verdict))
    lines = [f"{conclusion([audit])}: {sentence(audit)}", audit.title]
    for row in first[:SHOWN]:
        lines.append(f"  {row.verdict:10}  {row.check}: {shortened(row_sentence(row))}")
        lines += [f"  {'':10}  hint: {hint(row)}"] if hint(row) else []
    lines += [f"  and {len(first) - SHOWN} more"] if len(first) > SHOWN else []
    again = next((row.reproduction for row in first if row.reproduction), ())
    lines += ["to see it:", *(f"  | {line}" for line in again)] if again else []
    page = _page()
    write_file(page, html_text([audit]))
    return "\n".join(map(printable, [*lines, f"page: {page}"]))


def _page() -> Path:
    """Return the path of the page of a test, one for each: of many failing examples of hypothesis, that of the last,
    which is the smallest."""
    test = os.environ.get("PYTEST_CURRENT_TEST", "audit").rpartition(" (")[0] or "audit"
    return _folder() / f"{re.sub(r'[^A-Za-z0-9_.-]+', '-', test)[-100:]}-{zlib.crc32(test.encode()):08x}.html"


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="dp-refimpl-"))


def conforming(
    function: Callable[..., object],
    marks: Sequence[tuple[tuple[Any, ...], Mapping[str, Any]]],
    check: AssertConforms,
) -> Callable[..., None]:
    """Return a test that calls the function and audits what it returns (a target, or a pair with its estimator) for
    every mark `conforms_to`, given as positional and named arguments."""

    @wraps(function)
    def test(*args: Any, **options: Any) -> None:
        __tracebackhide__ = True
        returned = function(*args, **options)
        target, estimate = returned if isinstance(returned, tuple) and len(returned) == 2 else (returned, None)
        if not (callable(target) or isinstance(target, str | os.PathLike)):
            raise TypeError(
                f"a test marked conforms_to returns the randomizer (a function item -> report), not {returned!r}"
            )
        for names, parameters in marks:
            if len(names) != 1:
                raise TypeError(f"conforms_to{names!r}: give the name of one oracle, and its parameters by name")
            keywords = {"estimate": estimate, **parameters} if estimate is not None else parameters
            check(target, names[0], **keywords)

    return test


MAP_OPTIONS = ("members", "search", "exhaustive", "linear", "accepts", "contains")
"""What a declared map may say beside its numbers and metrics."""


def declaring(
    function: Callable[..., object],
    marks: Sequence[tuple[tuple[Any, ...], Mapping[str, Any]]],
    audits: list[str],
) -> Callable[..., None]:
    """Return a test that calls the function and audits what it returns, a function of a member, as a declared map for
    every mark `declares`, given as positional and named arguments; every audit is appended to `audits`."""

    @wraps(function)
    def test(*args: Any, **options: Any) -> None:
        __tracebackhide__ = True
        returned = function(*args, **options)
        if not callable(returned):
            raise TypeError(f"a test marked declares returns the function of a member, not {returned!r}")
        for numbers, parameters in marks:
            if len(numbers) != 1:
                raise TypeError(f"declares{numbers!r}: give one number per unit of distance, or a function of it")
            audit = _audited_map(returned, numbers[0], **parameters)
            audits.append(json.dumps(audit.as_json()))
            wrong = [row for row in audit.rows if row.verdict in FAILING]
            if wrong:
                raise ConformanceError(failure(audit, wrong))

    return test


def _audited_map(function: Any, declared: Any, *, d_in: str, d_out: str, limit: int = LIMIT, **more: Any) -> Audit:
    unknown = sorted(set(more) - set(MAP_OPTIONS))
    if unknown:
        raise DomainError("declares", unknown, f"of {', '.join(MAP_OPTIONS)}")
    numbers = declared if callable(declared) else lambda distance: declared * distance
    target = SimpleNamespace(function=function, declared=numbers, d_in=d_in, d_out=d_out, **more)
    target.__name__ = getattr(function, "__name__", type(function).__name__)
    return audit_map(target, limit=limit)


def read(audits: Sequence[str]) -> list[Audit]:
    """Return the audits that `AssertConforms` kept."""
    return [read_audit(json.loads(text)) for text in audits]


def summary(audits: Sequence[Audit]) -> list[str]:
    """Return how many audits there were, and every warning."""
    worst = {verdict: sum(audit.verdict is verdict for audit in audits) for verdict in reversed(Verdict)}
    lines = [f"{len(audits)} audits: " + ", ".join(f"{n} {verdict}" for verdict, n in worst.items() if n)]
    for audit in audits:
        lines += [
            printable(f"warning: {audit.title}: {row.check}: {row.detail}")
            for row in audit.rows
            if row.verdict is Verdict.WARNING
        ]
    return lines


def _audited(
    target: Target,
    oracle: str,
    parameters: Mapping[str, object],
    estimate: Callable[..., Sequence[Any]] | None,
    options: Options,
) -> Audit:
    if callable(target):
        bounded = replace(options, timeout=TIMEOUT if options.timeout is None else options.timeout)
        return audit_callable(target, oracle, parameters, estimate=estimate, options=bounded)
    if not isinstance(target, str | os.PathLike):
        raise DomainError("target", target, "a function or class, or FILE.py:NAME; an estimator is given by estimate=")
    path, separator, name = os.fspath(target).rpartition(":")
    if not separator or not name.isidentifier():
        raise DomainError("target", str(target), "FILE.py:NAME, a function item -> report, or an adapter class")
    if estimate is not None:
        raise DomainError("estimate", estimate, "None with a file: an adapter class has a server of its own")
    return audit_adapter(path, name, oracle, parameters, options)
