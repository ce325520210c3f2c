"""Whether a target could be made at all with the parameters: otherwise nothing is said about it."""

import re
from pathlib import Path

from dp_audit.observation.findings import TargetRaised
from dp_audit.observation.target_laws import TargetLaws
from dp_audit.run.live_objects import relative
from dp_checks.runtime.escapes import printable
from dp_spec.vocabulary.exceptions import DomainError

_CRASHES = ("ZeroDivisionError", "IndexError", "KeyError", "OverflowError", "RecursionError", "UnboundLocalError")
"""Exceptions that do not say "these parameters are not allowed"."""
_MISSING = ("ModuleNotFoundError", "ImportError")
_ARGUMENTS = ("missing", "got an unexpected", "takes")
_CALL = re.compile(r"TypeError: \S+\(\) (missing|got an unexpected|takes) ")
"""An exception of a call itself."""
_WITHOUT = "AttributeError: module 'audited_adapter' has no attribute '{}'"
"""What the child says of a file without the name."""
_BEGINNINGS = ("during import: ", "during making the protocol: ", "during facts: ")


def require_start(laws: TargetLaws, adapter: Path, protocol: str) -> TargetLaws:
    """Return the laws, unless the target could not even be made: that says nothing about it. Raises `DomainError`."""
    for finding in laws.findings:
        if isinstance(finding, TargetRaised) and finding.message.startswith(_BEGINNINGS) and not _is_crash(finding):
            if finding.message.endswith(_WITHOUT.format(protocol)):
                raise DomainError(
                    "FILE.py:NAME", _name(adapter, protocol), "the name of a function or class of the file"
                )
            said = printable(finding.message)
            raise DomainError("code", _name(adapter, protocol), f"what can be made with these parameters ({said})")
    unusable = _unusable(laws, protocol)
    if unusable:
        said = printable(unusable)
        raise DomainError("code", _name(adapter, protocol), f"what can be called with these parameters ({said})")
    return laws


def _name(adapter: Path, protocol: str) -> str:
    return protocol if adapter.name == protocol else f"{relative(adapter)}:{protocol}"


def _unusable(laws: TargetLaws, protocol: str) -> str:
    """Return the exception that comes on every input, or for every list of reports, if it says that the code cannot be
    used here: a module is missing, or an argument; "" otherwise."""
    said = (*_MISSING, *(f"TypeError: {protocol.rpartition('.')[2]}() {how}" for how in _ARGUMENTS))
    texts = {entry.raised or "" for law in laws.laws for entry in law.entries}
    if texts and all(text.startswith(said) for text in texts):
        return min(texts)
    refused = {e.refused.message if isinstance(e.refused, TargetRaised) else "" for e in laws.estimates}
    return min(refused) if refused and all(map(_CALL.match, refused)) else ""


def _is_crash(finding: TargetRaised) -> bool:
    """Return whether making the protocol failed for another reason than that the parameters are not those of the
    code."""
    return finding.message.startswith(_BEGINNINGS[1]) and finding.message[len(_BEGINNINGS[1]) :].startswith(_CRASHES)
