"""Clients and servers that are texts: the rows of `dp_studies.libraries` say which."""

from __future__ import annotations

from typing import Any

PARTS = {
    "client": "",
    "report": "client, item",
    "canonical": "report",
    "conditions": "report",
    "facts": "conditioned",
    "server": "",
    "aggregate": "server, report",
    "estimate": "server",
}
"""The expressions of Python that a row may have, and what each is of."""


def texts(names: dict[str, Any]) -> type[Any]:
    """The protocol whose expressions are evaluated with these names, and with the parameters of the audit.

    `made` is evaluated once, as what does not change from report to report; `client` is it unless there is a text.
    `reproduce` and `reproduce_estimate` are the texts of f-strings.
    """

    class Texts:
        def __init__(self, made: str = "None", client: str = "made", **more: Any) -> None:
            parts = {"client": client, **{name: more.pop(name) for name in PARTS if name in more}}
            lines = {name: more.pop(name, ()) for name in ("reproduce", "reproduce_estimate")}
            own = {**names, **more, "window": lambda number: _window(number, more["low"], more["high"])}
            own["made"] = eval(made, own)
            for name, text in parts.items():
                function = eval(f"lambda {PARTS[name]}: ({text})", own)
                setattr(self, "privatize" if name == "report" else name, function)
            self.reproduce, self.reproduce_estimate = (
                [eval(f"f{line!r}", own) for line in lines[name]] for name in ("reproduce", "reproduce_estimate")
            )

    return Texts


def _window(number: Any, low: Any, high: Any) -> Any:
    """A number between low and high; those outside are merged, which is post-processing."""
    return "below" if number < low else "above" if number > high else number
