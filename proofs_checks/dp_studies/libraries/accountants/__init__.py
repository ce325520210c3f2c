"""What accountants of released libraries say: functions of numbers, each a target of `audit accountant`."""

from collections.abc import Iterator, Mapping, Sequence
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
    library: str, names: Sequence[str], *, environment: Environment | None = None, timeout: float = 120.0
) -> Iterator[tuple[int, Audit]]:
    """Audits of what some accountants of a released, unmodified library say, with their places in `names`, each as it
    is finished.

    Raises `DomainError` for an unknown library or name, `AuditEnvironmentError` when its environment has not been made.
    """
    known = ACCOUNTANTS[require_name("library", library, ACCOUNTANTS)]
    chosen = [require_name("name", name, known) for name in names]
    python = (environment or locate(ENVIRONMENTS[library])).python
    released = versions(python, (library,))

    def audited(name: str) -> Audit:
        audit = audit_accountant_file(FILE, f"{library}, {name}", python=python, timeout=timeout)
        return replace(audit, target=library, mechanism=name, location="", versions=released)

    return enumerate(map(audited, chosen))
