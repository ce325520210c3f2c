"""A verdict is decided again when anything that it depends on changes, and only then."""

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from dp_checks import dependencies
from dp_checks.certify import all_statements, certify, decide_statement
from dp_checks.check.decision import checkers
from dp_checks.dependencies import closure, code, key
from dp_checks.runtime.sources import PACKAGES, sources

FORMALS = all_statements()
CONTENT = {i: f.json() for i, f in FORMALS.items()}
PROGRAMS = {i: frozenset(dependencies._programs(content)) for i, content in CONTENT.items()}
ONE_OF_EACH = {(checkers(f), PROGRAMS[i]): i for i, f in FORMALS.items()}
"""By checkers and mechanisms."""


def with_changed(module: str) -> dict[str, bytes]:
    return {**sources(), module: sources()[module] + b"\n# changed\n"}


@cache
def unchanged(claim: str) -> str:
    """The key of a statement with all modules as they are."""
    return key(claim, FORMALS[claim])


def changed(module: str) -> set[str]:
    """The statements that are decided again when a module changes."""
    modules = with_changed(module)
    return {i for i in ONE_OF_EACH.values() if unchanged(i) != key(i, FORMALS[i], modules)}


KERNEL = [module for module in sources() if module.startswith("dp_kernel")]


@pytest.mark.slow
@pytest.mark.parametrize(
    "module",
    [
        *(
            module if i % 4 == 0 else pytest.param(module, marks=pytest.mark.campaign)
            for i, module in enumerate(KERNEL)
        ),
        *("dp_checks.check.decision", "dp_checks.check.ties", "dp_checks.certificate", "dp_checks.programs"),
        *("dp_spec.vocabulary.term", "dp_spec.vocabulary.law", "dp_refimpl.enumeration", "dp_refimpl.coins"),
    ],
)
def test_a_change_of_what_all_depend_on_decides_everything_again(module: str) -> None:
    assert changed(module) == set(ONE_OF_EACH.values())


@pytest.mark.parametrize("checker", ["bounds", "channels", "formulas", "moments", "ratios", "reports"])
def test_a_changed_checker_decides_again_what_it_checks(checker: str) -> None:
    name = f"dp_checks.check.{checker}"
    mine = {i for i in ONE_OF_EACH.values() if name in checkers(FORMALS[i])}
    assert mine
    assert changed(name) >= mine
    assert changed(name) != set(ONE_OF_EACH.values())


@pytest.mark.parametrize("mechanism", ["grr", "rappor", "urr", "urap", "sugrr", "surap", "privset", "wheel", "suwheel"])
def test_a_changed_mechanism_decides_again_what_it_is_in(mechanism: str) -> None:
    name = f"dp_refimpl.frequency.{mechanism}"
    mine = {i for i in ONE_OF_EACH.values() if name in PROGRAMS[i]}
    assert mine
    assert changed(name) >= mine
    assert changed(name) != set(ONE_OF_EACH.values())


@pytest.mark.parametrize(
    "module", ["dp_checks.pages.site", "dp_studies.comparisons.budget.constants", "dp_spec.frequency.claims.privset"]
)
def test_what_is_not_used_decides_nothing_again(module: str) -> None:
    assert changed(module) == set()


def test_statement_and_id_count() -> None:
    (one, first), (other, second) = list(FORMALS.items())[:2]
    assert len({key(one, first), key(other, first), key(one, second)}) == 3


@pytest.mark.slow
@pytest.mark.parametrize("module", ["dp_kernel.certificate.check", "dp_checks.check.channels"])
def test_a_changed_kernel_or_checker_is_not_hidden_by_what_was_decided(
    module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = certify("002.def3.eq11.protects", tmp_path)
    assert certify("002.def3.eq11.protects", tmp_path).taken == len(list(first.certificates.iterdir())) > 0
    modules = with_changed(module)
    monkeypatch.setattr(dependencies, "sources", lambda: modules)
    assert certify("002.def3.eq11.protects", tmp_path).taken == 0


def run_by(claim: str) -> Iterator[str]:
    """The modules of ours of which code is run when a statement is decided."""
    modules: set[Any] = set()

    def called(frame: FrameType, event: str, argument: object) -> None:
        modules.add(frame.f_globals.get("__name__"))

    before = sys.gettrace()
    sys.settrace(called)
    try:
        decide_statement(claim)
    finally:
        sys.settrace(before)
    yield from (str(name) for name in modules if str(name).startswith(PACKAGES))


def short() -> list[str]:
    """Of every checker and of every mechanism the statement that says least."""
    claims: dict[str, str] = {}
    for i in sorted(FORMALS, key=lambda i: len(str(CONTENT[i])), reverse=True):
        claims |= dict.fromkeys((*checkers(FORMALS[i]), *PROGRAMS[i]), i)
    return sorted(set(claims.values()))


SHORT = short()


@pytest.mark.parametrize("claim", [*SHORT[:6], *(pytest.param(claim, marks=pytest.mark.slow) for claim in SHORT[6:])])
def test_every_module_that_is_run_counts(claim: str) -> None:
    statement = FORMALS[claim]
    roots = {*dependencies.ALWAYS, *dependencies.SHARED, *checkers(statement), *PROGRAMS[claim]}
    counted = closure({*roots, *dependencies._kernel(sources())}, sources())
    own = {"dp_checks.certify"}  # the journal's keeper itself
    assert set(run_by(claim)) - counted - own == set()


def test_every_module_is_known_and_code_is_of_roots() -> None:
    assert set(dependencies.LOOKUPS) <= set(sources())
    assert code(["dp_checks.runtime.outputs"]) != code(["dp_checks.runtime.journal"])
    assert "dp_checks.runtime.outputs" in closure(["dp_checks.runtime.journal"], sources())
