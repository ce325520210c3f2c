"""What released libraries declare: instances of their constructors, each a target of `audit map`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

from dp_audit.declared_maps import audit_map_file
from dp_audit.environment import locate
from dp_audit.outcome import Audit
from dp_audit.run.adapter_command import versions
from dp_audit.run.child_program import Children, Start
from dp_checks.runtime.parallel import HERE, Workers, spread
from dp_spec.vocabulary.exceptions import UnknownNameError
from dp_spec.vocabulary.integers import require_integer
from dp_spec.vocabulary.names import require_name, suggestions
from dp_studies.libraries.maps import diffprivlib, opendp, smartnoise_sql, tmlt

MEMBERS = 100
"""Members of each instance that are read, if nothing else is said."""
KEPT = Children()
"""Of this process, which may be one of several that share the audits of a library."""


@dataclass(frozen=True)
class MapLibrary:
    """A library: its distribution, the environment of each release (the newest last), the file of targets beside this
    one, and their names."""

    name: str
    environments: Mapping[str, str]
    file: str
    instances: Sequence[str]

    @property
    def path(self) -> Path:
        """Return the file of targets."""
        return Path(__file__).with_name(self.file)

    @property
    def newest(self) -> str:
        """Return the newest release."""
        return list(self.environments)[-1]


MAPS: Mapping[str, MapLibrary] = {
    library.name: library
    for library in (
        MapLibrary("opendp", {"0.15.1": "opendp-0.15.1", "0.16.0": "opendp-0.16.0"}, "opendp.py", opendp.NAMES),
        MapLibrary("diffprivlib", {"0.6.6": "central"}, "diffprivlib.py", diffprivlib.NAMES),
        MapLibrary("smartnoise-sql", {"1.0.10": "further"}, "smartnoise_sql.py", smartnoise_sql.NAMES),
        MapLibrary("tmlt-core", {"0.20.0": "tumult"}, "tmlt.py", tmlt.NAMES),
    )
}


def audit_map_library(
    library: str,
    instance: str,
    *,
    version: str | None = None,
    limit: int = MEMBERS,
    timeout: float = 60.0,
    start: Start | None = None,
) -> Audit:
    """Audit what a released, unmodified library declares of one instance, by default in its newest release.

    `start` runs the child processes: `dp_audit.run.child_program.Children.run` of several audits of one library, which
    is then imported once. Raises `DomainError` for an unknown library, instance or version and for a bad limit,
    `AuditEnvironmentError` when the environment of the library has not been made.
    """
    if start is None:
        with Children() as children:
            return audit_map_library(
                library, instance, version=version, limit=limit, timeout=timeout, start=children.run
            )
    known = MAPS[require_name("library", library, MAPS)]
    if instance not in known.instances:
        constructors = list(dict.fromkeys(name.partition(",")[0] for name in known.instances))
        raise UnknownNameError("instance", instance, constructors, suggestions(instance, known.instances))
    require_integer("limit", limit, 2)
    release = known.newest if version is None else require_name("version", version, known.environments)
    python = locate(known.environments[release]).python
    audit = audit_map_file(known.path, instance, limit=limit, python=python, timeout=timeout, start=start)
    return replace(audit, target=known.name, location="", versions=_versions(python, known.name))


@cache
def _versions(python: Path, name: str) -> Mapping[str, str]:
    return versions(python, (name,))


def audit_map_instances(
    library: str,
    instances: Sequence[str],
    *,
    version: str | None = None,
    limit: int = MEMBERS,
    timeout: float = 60.0,
    by: Workers = HERE,
) -> Iterator[tuple[int, Audit]]:
    """Audits of instances of a library, as they are finished, with their places in `instances`.

    Raises what `audit_map_library` and `dp_checks.runtime.parallel.spread` raise.
    """
    audited = partial(_placed, library, version, limit, timeout)
    try:
        yield from spread(audited, list(enumerate(instances)), by)
    finally:
        KEPT.close()


def _placed(library: str, version: str | None, limit: int, timeout: float, task: tuple[int, str]) -> tuple[int, Audit]:
    place, instance = task
    return place, audit_map_library(library, instance, version=version, limit=limit, timeout=timeout, start=KEPT.run)
