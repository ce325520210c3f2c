"""Clients that are texts: the rows of `dp_studies.libraries` say which.

Texts are expressions of Python, evaluated here, in the environment of the library: with what `setup` defines, with the
parameters of the audit, with `window`, and with what each of them names more.
"""

from __future__ import annotations

from typing import Any


class Texts:
    """A client and its reports.

    `setup` is executed once, and `made` evaluated after it, as what does not change from report to report. `client`
    makes a fresh client (of `made`), `report` its report (of `client` and `item`), `canonical` the mechanism's report
    (of `report`). `reproduce` are the texts of f-strings.
    """

    def __init__(self, report: str, setup: str = "", made: str = "None", client: str = "made", **more: Any) -> None:
        self._lines, canonical = more.pop("reproduce", []), more.pop("canonical", None)
        self._parameters: dict[str, Any] = more
        self._names: dict[str, Any] = {**more, "window": self._window}
        exec(setup, self._names)
        self._names["made"] = eval(made, self._names)
        self._client, self._report = (compile(text, "<row>", "eval") for text in (client, report))
        if canonical is not None:
            self.canonical = lambda report: eval(canonical, {**self._names, "report": report})

    def client(self) -> Any:
        """A fresh client."""
        return eval(self._client, self._names)

    def privatize(self, client: Any, item: Any) -> Any:
        """The report on one item."""
        return eval(self._report, {**self._names, "client": client, "item": item})

    def _window(self, number: Any) -> Any:
        """A number between the parameters low and high; those outside are merged, which is post-processing."""
        low, high = self._parameters["low"], self._parameters["high"]
        return "below" if number < low else "above" if number > high else number

    @property
    def reproduce(self) -> list[str]:
        """How often each report comes out, in the library's own terms."""
        return [eval(f"f{line!r}", self._names) for line in self._lines]
