"""What is checked for pyright are all packages of ours, and what is left out of it is there."""

from importlib.util import find_spec

from structure.public_types import INTERNAL, PACKAGES, PUBLIC, incomplete, is_public
from structure.tree import ROOT


def test_all_packages_are_looked_at() -> None:
    folders = {path.parent.name for path in ROOT.glob("*/dp_*/py.typed")}
    assert folders == set(PACKAGES)


def test_what_is_internal_is_there_and_what_is_exported_is_not_internal() -> None:
    for name in INTERNAL:
        spec = find_spec(name.rstrip("."))
        assert spec is not None
        assert spec.submodule_search_locations
        assert not is_public(f"{name}anything")
    assert all(is_public(name) for name in PUBLIC)
    assert all(is_public(name) for name in ("dp_audit.audit.Options", "dp_studies.libraries.base.Library", "dp_kernel"))


def test_a_type_that_is_not_known_or_only_inferred_is_named() -> None:
    known = {"name": "a.b", "isTypeKnown": True, "isTypeAmbiguous": False}
    unknown = {
        "name": "a.c",
        "isTypeKnown": False,
        "isTypeAmbiguous": False,
        "diagnostics": [{"message": "no type\nx"}],
    }
    inferred = {"name": "a.d", "isTypeKnown": True, "isTypeAmbiguous": True}
    assert [*incomplete([known, unknown, inferred])] == ["  a.c: no type", "  a.d: "]
