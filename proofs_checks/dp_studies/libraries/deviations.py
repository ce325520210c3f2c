"""A page for every mechanism of a released library that deviates, which its maintainers can act on.

What deviates, by how much and how to see it are from the audits; that a repair ends it is the audit of the repaired
library. Only the repair itself is words (`dp_studies.libraries.base.Repair`).
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dp_audit.oracles import KINDS
from dp_audit.report.markdown import escape, figure, parameters, privacy
from dp_checks.pages.notation import table
from dp_studies.libraries import LIBRARIES, Audited, Library

Published = Mapping[str, Any]
LEAD = (
    "What deviates from the mechanism, in the unmodified release, as the audits that are published here computed it: "
    "how to see it, what it costs, what would repair it, and how to check the repair. Exact figures are in the "
    "data of the audits; whether a deviation is intended is for the authors to say."
)
COSTS = ("nominal epsilon", "effective epsilon")


def deviating(audits: Sequence[Published]) -> tuple[tuple[str, str], ...]:
    """Library and mechanism of every audit with a fault, each once."""
    return tuple(dict.fromkeys((str(a["target"]), str(a["mechanism"])) for a in audits if a["verdict"] == "fault"))


def address(library: str, mechanism: str) -> str:
    """The page of a mechanism."""
    return f"audits/{library}/{re.sub(r'[^a-z0-9]+', '-', mechanism.lower()).strip('-')}.md"


def pages(audits: Sequence[Published], repaired: Mapping[tuple[str, str, str], Published]) -> dict[str, str]:
    """The pages, as text by path; `repaired` are audits with the repair, by library, mechanism and parameters."""
    texts = {}
    for library, mechanism in deviating(audits):
        own = [a for a in audits if (a["target"], a["mechanism"]) == (library, mechanism) and a["verdict"] == "fault"]
        texts[address(library, mechanism)] = "\n".join(_page(library, mechanism, own, repaired)).rstrip() + "\n"
    return texts


def parameters_key(audit: Published) -> str:
    """The parameters of an audit as one text."""
    return json.dumps(audit["parameters"], sort_keys=True)


def _page(
    library: str, mechanism: str, audits: Sequence[Published], repaired: Mapping[tuple[str, str, str], Published]
) -> Iterator[str]:
    entry = LIBRARIES.get(library)
    audited = entry.protocols.get(mechanism) if entry else None
    version = str(audits[0]["versions"].get(library, ""))
    yield from (f"# {escape(f'{library} {version}'.strip())}: {escape(mechanism)}", "", LEAD, "")
    yield from ("## What deviates", "", *_rows(audits), "")
    yield from ("## How to see it", "", *_reproductions(entry, audited, version, library, audits), "")
    yield from ("## Repair", "", *_repair(audited), "")
    yield from ("## Checking the repair", "", *_check(library, entry, audited, mechanism, audits), "")
    yield from _achieved([(a, repaired.get((library, mechanism, parameters_key(a)))) for a in audits])


def _rows(audits: Sequence[Published]) -> list[str]:
    """Every row that deviates, with its figures and what the audit says of epsilon."""
    rows = []
    for audit in audits:
        costs = _costs(audit)
        for row in (row for row in audit["rows"] if row["verdict"] == "fault"):
            figures = "; ".join(
                f"{name}: {figure(value)}" for name, value in row["figures"].items() if name not in COSTS
            )
            rows.append([parameters(audit), escape(row["check"]), escape(row["detail"]), escape(figures) or "–", costs])
    return table(["Parameters", "Check", "What was found", "Figures", "nominal and effective ε"], rows, "lllll")


def _costs(audit: Published) -> str:
    """Nominal and effective epsilon: that of the parameters, and what the row about privacy has."""
    nominal, effective = (privacy(audit, name) for name in COSTS)
    return f"{escape(audit['parameters'].get('epsilon', '–')) if nominal == '–' else nominal}, {effective}"


def _reproductions(
    entry: Library | None, audited: Audited | None, version: str, library: str, audits: Sequence[Published]
) -> Iterator[str]:
    """The first one of every kind of check, else those that the repair states."""
    script = entry is not None and entry.environment == "javascript"
    install = f"npm install {library}@{version} tslib" if script else f"pip install {library}=={version}"
    yield from ("```console", f"$ {install}", "```", "")
    titles: dict[tuple[str, ...], str] = {}
    kinds: set[str] = set()
    for audit in audits:
        for row in audit["rows"]:
            if row["verdict"] == "fault" and row["reproduction"] and _kind(row["check"]) not in kinds:
                kinds.add(_kind(row["check"]))
                titles.setdefault(tuple(row["reproduction"]), f"{escape(row['check'])}, {parameters(audit)}")
    if not titles and audited is not None and audited.repair is not None and audited.repair.shows:
        titles[audited.repair.shows] = ""
    for code, what in titles.items():
        yield from ((f"{what}:", "") if what else ())
        yield from (
            f"```{'javascript' if script else 'python'}",
            *(line.replace("```", "'''") for line in code),
            "```",
            "",
        )
    if not titles:
        yield "The audit itself shows it (below): it has no shorter form."


def _kind(check: str) -> str:
    """A check without the type of the inputs, the input and the number of users."""
    return "outside" if check.endswith("outside the domain") else check.partition(" (")[0].partition(",")[0]


def _repair(audited: Audited | None) -> list[str]:
    if audited is None or audited.repair is None:
        return ["None is proposed here."]
    return [f"Proposed: {audited.repair.says}."]


def _check(
    library: str, entry: Library | None, audited: Audited | None, mechanism: str, audits: Sequence[Published]
) -> Iterator[str]:
    """The command of the audit, with the repaired library in the place of the released one."""
    if entry is None or audited is None:
        return
    folder = f".audit-env/{entry.environment}"
    install = f"python -m pip --python {folder}/bin/python install --no-deps CHECKOUT"
    if entry.environment == "javascript":
        install = f"npm install --prefix {folder} --ignore-scripts CHECKOUT"
    yield from ("```console", f"$ dp-refimpl audit environment {entry.environment}", f"$ {install}")
    for audit in audits:
        yield f"$ dp-refimpl audit library {library} {_quoted(mechanism)}{_options(audited, audit)}"
    yield "```"


def _options(audited: Audited, audit: Published) -> str:
    """The parameters that are not those of the first published audit, as options."""
    first = audited.parameters[0]
    values = next(
        (p for p in audited.parameters if all(str(v) == audit["parameters"].get(n) for n, v in p.items())), {}
    )
    kind = KINDS[audited.oracle]
    options = [
        f" --param {_quoted(f'{name}={json.dumps(value) if isinstance(value, tuple) else value}')}"
        for name, value in values.items()
        if name in kind.parameters and value != first.get(name)
    ]
    return "".join(options)


def _achieved(compared: Sequence[tuple[Published, Published | None]]) -> Iterator[str]:
    """What the same audits say when the adapter makes the change."""
    rows = []
    for before, after in compared:
        if after is not None:
            worse = [escape(row["check"]) for row in after["rows"] if row["verdict"] == after["verdict"]]
            left = "; ".join(worse) if after["verdict"] in ("fault", "undecided", "warning") else "–"
            rows.append([parameters(before), before["verdict"], after["verdict"], left, _costs(after)])
    if rows:
        head = ["Parameters", "Released", "With the repair", "Rows of that verdict", "nominal and effective ε"]
        yield from ("The same audits of the library with the repair:", "", *table(head, rows, "lllll"))
    else:
        yield "The repair has not been run here."


def _quoted(text: str) -> str:
    return text if re.fullmatch(r"[A-Za-z0-9_.=-]+", text) else "'" + text.replace("'", "") + "'"
