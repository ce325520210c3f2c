"""The pytest plugin `dp_refimpl`: markers and a fixture that assert that a randomizer is what it should be::

    @pytest.mark.conforms_to("GRR", d=4, epsilon=1.0)
    def test_client():
        return my_randomizer            # a function: item -> report

    @pytest.mark.declares(100, d_in="change-one", d_out="absolute", search={"of": "i32", "sizes": [0, 3]})
    def test_sum():
        return my_clamped_sum           # a function of a data set, and the number it declares per unit of distance

This module is imported by every pytest run where the package is installed, so it imports pytest only; the audit itself
(`dp_audit.plugin`) is loaded by the first test that uses it.
"""

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import TestCase

import pytest

if TYPE_CHECKING:
    from dp_audit.plugin import AssertConforms

FORMATS = ("json", "junit", "sarif", "html")
_AUDITS = pytest.StashKey[list[str]]()
_MARKER = (
    "conforms_to(oracle, estimate=None, accept=(), strict=False, options=Options(), **parameters): "
    "the randomizer that the test returns has exactly the law of the oracle at these parameters"
)
_DECLARES = (
    "declares(number, d_in, d_out, members=(), search={}, exhaustive=False, linear=False, limit=1000): outputs of the "
    "function that the test returns are at most number, per unit of distance of inputs or as a function of it, apart"
)
_MARKERS = ("conforms_to", "declares")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options for files that all audits of a session are written to."""
    group = parser.getgroup("dp-refimpl", "audits of randomizers (dp-refimpl)")
    for form in FORMATS:
        group.addoption(f"--dp-{form}", metavar="FILE", default=None, help=f"write all audits to FILE ({form})")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the markers, and collect what is audited."""
    for marker in (_MARKER, _DECLARES):
        config.addinivalue_line("markers", marker)
    config.stash[_AUDITS] = []
    for form in FORMATS:
        path = config.getoption(f"--dp-{form}")
        if path is not None and not Path(path).absolute().parent.is_dir():
            raise pytest.UsageError(f"--dp-{form} {path}: {Path(path).parent} is no folder")
    if not hasattr(config, "workerinput"):  # a worker of pytest-xdist sends its audits with its test reports
        config.pluginmanager.register(_Session(config), "dp-refimpl-audits")


@pytest.fixture(scope="session")
def assert_conforms(request: pytest.FixtureRequest) -> "AssertConforms":
    """Return `assert_conforms`: `assert_conforms(randomize, "GRR", d=4, epsilon=1.0)` fails, with the outcome of the
    audit, on a deviation."""
    from dp_audit.plugin import AssertConforms

    return AssertConforms(request.config.stash[_AUDITS])


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Refuse a marker that would have no effect."""
    owner = getattr(item, "cls", None)
    for marker in _MARKERS:
        if isinstance(owner, type) and issubclass(owner, TestCase) and item.get_closest_marker(marker):
            pytest.fail(f"{marker} has no effect on methods of unittest.TestCase: use a test function", pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Audit what a marked test returns."""
    marks, declared = ([(m.args, m.kwargs) for m in pyfuncitem.iter_markers(marker)] for marker in _MARKERS)
    if not marks and not declared:
        return (yield)
    if marks and declared:
        pytest.fail("conforms_to and declares are of one function each: use two tests", pytrace=False)
    from dp_audit.plugin import AssertConforms, ConformanceError, conforming, declaring
    from dp_checks.runtime.escapes import printable
    from dp_spec.vocabulary.exceptions import DomainError

    original = pyfuncitem.obj
    audits = pyfuncitem.config.stash[_AUDITS]
    pyfuncitem.obj = (
        conforming(original, marks, AssertConforms(audits)) if marks else declaring(original, declared, audits)
    )
    try:
        return (yield)
    except ConformanceError as error:  # the message says it all: no frame of ours would add to it
        failed = str(error)
    except DomainError as error:  # so does this one, which may repeat what the code has said
        failed = printable(str(error))
    finally:
        pyfuncitem.obj = original
    pytest.fail(failed, pytrace=False)  # out of the handler, or it would be shown twice


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let the audits of a phase of a test travel with its report."""
    report = yield
    audits = item.config.stash[_AUDITS]
    if audits:
        vars(report)["dp_refimpl_audits"] = list(audits)
        audits.clear()
    return report


class _Session:
    """All audits of a session; in the controlling process only."""

    def __init__(self, config: pytest.Config) -> None:
        self._files = {form: config.getoption(f"--dp-{form}") for form in FORMATS}
        self._audits: list[str] = []
        self._lines: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the audits of a test."""
        self._audits += getattr(report, "dp_refimpl_audits", [])

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the files that were asked for."""
        wanted = {form: path for form, path in self._files.items() if path is not None}
        if not self._audits:
            self._lines += [f"no audit was run: {path} is not written" for path in wanted.values()]
            return
        from dp_audit.plugin import read, summary
        from dp_audit.report import write
        from dp_checks.runtime.escapes import printable

        reports = read(self._audits)
        self._lines += summary(reports)
        for form, path in wanted.items():
            try:
                write(form, reports, Path(path))
                self._lines.append(printable(f"wrote {path}"))
            except OSError as error:
                self._lines.append(printable(f"cannot write {path}: {error}"))
                session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say how many audits there were, and which of those that passed had a warning."""
        if self._lines:
            terminalreporter.section("audits", sep="-")
            for line in self._lines:
                terminalreporter.write_line(line)
