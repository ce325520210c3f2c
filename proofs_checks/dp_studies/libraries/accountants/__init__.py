"""What accountants of released libraries say: functions of numbers, each a target of `audit accountant`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from dp_audit.accountants import audit_accountant_file
from dp_audit.environment import Environment, locate
from dp_audit.outcome import Audit
from dp_audit.run.adapter_command import versions
from dp_spec.vocabulary.names import require_name
from dp_studies.libraries.accountants import targets

ENVIRONMENTS = {"dp-accounting": "accountants", "prv-accountant": "accountants", "smartnoise-sql": "further"}
FILE = Path(targets.__file__)
ACCOUNTANTS: Mapping[str, Sequence[str]] = {library: tuple(names) for library, names in targets.LIBRARIES.items()}
"""By distribution the names of its accountants."""


def audit_library_accountants(
    library: str,
    names: Sequence[str],
    *,
    environment: Environment | None = None,
    timeout: float = 120.0,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Audit]:
    """Audit what some accountants of a released, unmodified library say, in their order.

    Raises `DomainError` for an unknown library or name, `AuditEnvironmentError` when its environment has not been made.
    """
    known = ACCOUNTANTS[require_name("library", library, ACCOUNTANTS)]
    python = (environment or locate(ENVIRONMENTS[library])).python
    audits = []
    for done, name in enumerate(names, 1):
        target = f"{library}, {require_name('name', name, known)}"
        audit = audit_accountant_file(FILE, target, python=python, timeout=timeout)
        audits.append(
            replace(audit, target=library, mechanism=name, location="", versions=versions(python, (library,)))
        )
        progress(done, len(names))
    return audits
