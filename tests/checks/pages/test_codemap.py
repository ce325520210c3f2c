"""The map from papers to code: complete, and every name and path on it exists."""

from importlib import import_module
from pathlib import Path

import pytest

from dp_checks.certify import all_claims
from dp_checks.pages.codemap import Place, named, path_of, places
from dp_checks.pages.notation import folded
from dp_spec.frequency import sugrr
from dp_spec.vocabulary.term import Term, var
from structure.tree import ROOT, tracked_files


@pytest.fixture(scope="module")
def mapped() -> tuple[Place, ...]:
    return places(all_claims(), ROOT)


@pytest.mark.slow
def test_every_claim_has_one_place(mapped: tuple[Place, ...]) -> None:
    assert sorted(i for p in mapped for i in p.claims) == sorted(c.id for c in all_claims())


@pytest.mark.slow
def test_every_object_exists(mapped: tuple[Place, ...]) -> None:
    names = [name for p in mapped for name in p.objects]
    assert names
    for name in names:
        module, _, attribute = name.partition(":")
        assert hasattr(import_module(module), attribute), name


def test_programs_have_what_draws_on_arrays(mapped: tuple[Place, ...]) -> None:
    named = {module.removeprefix("dp_refimpl.fast.") for place in mapped for module in place.arrays}
    assert named >= {"frequency.count_sketch", "shuffle.messages"}


def test_every_program_and_file_exists(mapped: tuple[Place, ...]) -> None:
    modules = {o.partition(":")[0] for p in mapped for o in p.objects} | {s for p in mapped for s in p.arrays}
    for name in {name for p in mapped for name in p.programs}:
        module, _, attribute = name.rpartition(".")
        assert hasattr(import_module(module), attribute), name
        modules.add(module)
    paths = {path.relative_to(ROOT).as_posix() for path in tracked_files()}
    assert {path_of(module) for module in modules} <= paths


def test_every_test_file_exists(mapped: tuple[Place, ...]) -> None:
    listed = {t for p in mapped for t in p.tests}
    assert listed
    assert [t for t in listed if not (ROOT / t).is_file()] == []


def test_every_mechanism_is_named_by_a_test(mapped: tuple[Place, ...]) -> None:
    assert [p.place for p in mapped if p.programs and not p.tests] == []


def test_a_tree_without_tests_maps_to_none(tmp_path: Path) -> None:
    assert {p.tests for p in places(all_claims(), tmp_path)} == {()}


def test_printed_formulas_are_found_by_identity_not_by_value() -> None:
    assert named(sugrr.EQ17_SENSITIVE) == "dp_spec.frequency.sugrr:EQ17_SENSITIVE"
    assert named(sugrr.SUGRR) == "dp_spec.frequency.sugrr:SUGRR"
    copy = Term(sugrr.EQ17_SENSITIVE.head, sugrr.EQ17_SENSITIVE.arguments)
    assert copy == sugrr.EQ17_SENSITIVE
    assert named(copy) is None


def test_folding_writes_table_entries_as_the_papers_do() -> None:
    law = sugrr.SUGRR
    assert folded(law.p * (1 - law.q), law) == var("p") * (1 - var("q"))
    assert folded(var("K") + 1, law) == var("K") + 1
