"""Sphinx extension: names of the reference are found by their last part. Sphinx compares each with all of them, which
took a sixth of the whole build."""

from typing import Any, NamedTuple

from sphinx.application import Sphinx
from sphinx.domains.python import ObjectEntry, PythonDomain
from sphinx.environment import BuildEnvironment
from sphinx.util.typing import ExtensionMetadata


def setup(app: Sphinx) -> ExtensionMetadata:
    """Put the domain in the place of Sphinx's."""
    app.add_domain(Reference, override=True)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


class Alike(NamedTuple):
    """What Sphinx's search reads of a domain: objects whose names have the same last part, and kinds of objects."""

    objects: dict[str, ObjectEntry]
    object_types: Any
    objtypes_for_role: Any


class Reference(PythonDomain):
    """Sphinx's domain of Python, in which names are looked for among those with the same last part."""

    _number = 0

    def find_obj(
        self, env: BuildEnvironment, modname: str, classname: str, name: str, type: str | None, searchmode: int = 0
    ) -> list[tuple[str, ObjectEntry]]:
        """The objects that a name in a text may mean: all of these end with it."""
        if self._number != len(self.objects):
            self._number, self._by_last_part = len(self.objects), dict[str, list[str]]()
            for known in self.objects:
                self._by_last_part.setdefault(_last_part(known), []).append(known)
        names = self._by_last_part.get(_last_part(name.removesuffix("()")), ())
        alike: Any = Alike({known: self.objects[known] for known in names}, self.object_types, self.objtypes_for_role)
        return PythonDomain.find_obj(alike, env, modname, classname, name, type, searchmode)


def _last_part(name: str) -> str:
    return name.rpartition(".")[2]
