"""The domain of the reference finds what Sphinx's own finds, in the same order."""

from itertools import product
from runpy import run_path
from types import SimpleNamespace
from typing import Any

import pytest
from sphinx.domains.python import ObjectEntry, PythonDomain

from structure.tree import ROOT

REFERENCES = run_path(str(ROOT / "docs" / "references.py"))
OBJECTS = {
    "a": "module",
    "a.b": "module",
    "a.Law": "class",
    "a.b.Law": "class",
    "a.b.Law.of": "method",
    "a.Law.of": "attribute",
    "a.b.of": "function",
    "Law": "data",
    "a.b.Outlaw": "class",
}
NAMES = ("Law", "of", "of()", "Law.of", "b.Law", "a.b.Law", "Outlaw", "law", "b", "a", "none.Law", "Law.", "")


@pytest.fixture
def environment() -> Any:
    objects = {name: ObjectEntry("page", f"id-{name}", kind, False) for name, kind in OBJECTS.items()}
    return SimpleNamespace(domaindata={"py": {"version": PythonDomain.data_version, "objects": objects, "modules": {}}})


def results(domain: Any, environment: Any) -> list[Any]:
    """What is found of all names, from all places, as every kind."""
    places = product(("", "a", "a.b", "c"), ("", "Law"), NAMES, (None, "class", "func", "obj", "meth", "mod"), (0, 1))
    return [domain.find_obj(environment, *place) for place in places]


def test_the_same_objects_are_found(environment: Any) -> None:
    expected = results(PythonDomain(environment), environment)
    assert {0, 1, 2} <= {len(matches) for matches in expected}
    assert results(REFERENCES["Reference"](environment), environment) == expected


def test_an_object_that_is_added_is_found(environment: Any) -> None:
    domain = REFERENCES["Reference"](environment)
    assert domain.find_obj(environment, "", "", "new", "func", 1) == []
    entry = ObjectEntry("page", "id", "function", False)
    domain.objects["a.new"] = entry
    assert domain.find_obj(environment, "", "", "new", "func", 1) == [("a.new", entry)]
