"""Every law of reports has a program, and every record of a mechanism names laws that are stated."""

from importlib import import_module
from pkgutil import walk_packages

import pytest

import dp_spec
from dp_checks import matrix_programs, programs
from dp_refimpl.mechanisms import RECORDS
from dp_spec.vocabulary.additive import Additive
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.law import Law

MODULES = [import_module(info.name) for info in walk_packages(dp_spec.__path__, "dp_spec.")]


def stated(kind: type[Law] | type[Additive]) -> set[str]:
    """The names of the laws of a kind, also those of which nothing is claimed yet."""
    return {law.mechanism for module in MODULES for law in vars(module).values() if isinstance(law, kind)}


def test_every_law_has_a_program() -> None:
    assert len(stated(Law)) > 25
    assert stated(Law) <= programs.PROGRAMS.keys()
    assert all(matrix_programs.program_class(name) for name in stated(Additive))


def test_every_record_names_laws_that_are_stated() -> None:
    named = {law: record.program for record in RECORDS.values() for law in record.laws}
    assert named.keys() <= stated(Law) | stated(Additive)
    assert all(programs.classes(law)[0] is program for law, program in named.items())


def test_other_laws_are_refused() -> None:
    with pytest.raises(DomainError, match="nothing"):
        programs.classes("nothing")
