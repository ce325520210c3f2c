"""What released libraries declare: instances of their constructors, each a target of `audit map`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dp_audit.declared_maps import LIMIT, audit_map_file
from dp_audit.environment import Environment, locate
from dp_audit.outcome import Audit
from dp_audit.run.adapter_command import versions
from dp_spec.vocabulary.exceptions import UnknownNameError
from dp_spec.vocabulary.names import require_name, suggestions
from dp_studies.libraries.maps import opendp


@dataclass(frozen=True)
class MapLibrary:
    """A library: its distribution, the environment it is in, the file of targets beside this one, and their names."""

    name: str
    environment: str
    file: str
    instances: Sequence[str]

    @property
    def path(self) -> Path:
        """Return the file of targets."""
        return Path(__file__).with_name(self.file)


MAPS: Mapping[str, MapLibrary] = {
    library.name: library for library in (MapLibrary("opendp", "central", "opendp.py", opendp.NAMES),)
}


def audit_map_library(
    library: str,
    instance: str,
    *,
    environment: Environment | None = None,
    limit: int = LIMIT,
    timeout: float = 60.0,
) -> Audit:
    """Audit what a released, unmodified library declares of one instance.

    Raises `DomainError` for an unknown library or instance, `AuditEnvironmentError` when the environment of the library
    has not been made.
    """
    known = MAPS[require_name("library", library, MAPS)]
    if instance not in known.instances:
        constructors = list(dict.fromkeys(name.partition(",")[0] for name in known.instances))
        raise UnknownNameError("instance", instance, constructors, suggestions(instance, known.instances))
    python = (environment or locate(known.environment)).python
    audit = audit_map_file(known.path, instance, limit=limit, python=python, timeout=timeout)
    return replace(audit, target=known.name, location="", versions=versions(python, (known.name,)))


def audit_map_instances(
    library: str,
    instances: Sequence[str],
    *,
    environment: Environment | None = None,
    timeout: float = 60.0,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Audit]:
    """Audit some instances of a library, in their order. Raises as `audit_map_library`."""
    audits = []
    for done, instance in enumerate(instances, 1):
        audits.append(audit_map_library(library, instance, environment=environment, timeout=timeout))
        progress(done, len(instances))
    return audits
