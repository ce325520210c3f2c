"""The lines of Python that show a deviation: they call what was audited on `{input}`, its server on `{reports}`."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from dp_audit.observation.reproduction import PRIVATIZE
from dp_audit.observation.target_laws import TargetKind
from dp_audit.run.child.targets import taken
from dp_audit.run.live_objects import module_of, name_of, relative

_COUNT = "print(Counter(repr({call}) for _ in range(10**5)).most_common())"


def _call(handed: Mapping[str, Any]) -> str:
    """Return the arguments of a function that is audited: the placeholder of the item, and what it is handed."""
    return ", ".join(["{input}", *(f"{name}={value!r}" for name, value in handed.items())])


def _instance(handed: Mapping[str, Any]) -> str:
    """Return the text of the adapter, an instance of the audited class."""
    return f"adapter = audited({', '.join(f'{name}={value!r}' for name, value in handed.items())})"


def server_lines(made: str, calls: Sequence[str] = ()) -> tuple[str, ...]:
    """Return lines with the estimate of the server of an adapter that is made so (`calls`: as in `Made`)."""
    if calls:
        return made, calls[1]
    return (
        f"{made}; server = adapter.server()",
        "for report in {reports}: adapter.aggregate(server, report)",
        "print(adapter.estimate(server))",
    )


def estimate_lines(
    lines: Sequence[str], estimate: Callable[..., Any] | None, made: TargetKind, handed: Mapping[str, Any]
) -> tuple[str, ...]:
    """Return lines with the estimate of code at hand, whose reports these lines show; none without an estimator."""
    if made.is_class:
        return server_lines("; ".join(lines[:2]), made.calls)
    if estimate is None:
        return ()
    own = "".join(f", {name}={value!r}" for name, value in taken(estimate, dict(handed)).items())
    return (_import(estimate, "estimate"), f"print(estimate({{reports}}{own}))")


def _import(function: Callable[..., Any], name: str) -> str:
    """Return a line that binds a function at hand to a name; a comment where it has no name of its own in a module."""
    qualified = str(getattr(function, "__qualname__", ""))
    if qualified.isidentifier():
        return f"from {module_of(function)} import {qualified} as {name}"
    return f"{name} = ...  # {name_of(function)}"


def lines_of_object(
    function: Callable[..., Any], handed: Mapping[str, Any], calls: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return lines that make many reports on one input, of a function or class at hand."""
    first = _import(function, "audited")
    if isinstance(function, type):
        made = _instance(taken(function, dict(handed)))
        return (
            f"from collections import Counter; {first}",
            made,
            _COUNT.replace("{call}", calls[0] if calls else PRIVATIZE),
        )
    call = f"audited({_call(taken(function, dict(handed)))})"
    return (first, "from collections import Counter", _COUNT.replace("{call}", call))


def lines_of_file(path: Path, name: str, made: TargetKind, handed: Mapping[str, Any]) -> tuple[str, ...]:
    """Return lines that make many reports on one input, of a function or class of a file."""
    load = f"audited = run_path({relative(path)!r})[{name!r}]"
    own = {name: value for name, value in handed.items() if name in made.taken}
    if made.is_class:
        return (
            "from runpy import run_path; from collections import Counter",
            f"{load}; {_instance(own)}",
            _COUNT.replace("{call}", made.calls[0] if made.calls else PRIVATIZE),
        )
    call = f"audited({_call(own)})"
    return "from runpy import run_path; from collections import Counter", load, _COUNT.replace("{call}", call)
