"""Advisories: every fault of a released library under an id of its own, as JSON in the OSV schema 1.6 and as a page.

    python -m dp_studies.libraries.advisories

writes `docs/data/published/advisories`, which the site serves as it is, from the published audits and the list of ids,
`docs/data/advisories.toml`. Only which rows of which audits are one fault is said there: sentence, effect, reproduction
and what a repair achieves are computed from the audits.
"""

import json
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import product
from pathlib import Path
from typing import Any

from dp_audit import Audit
from dp_audit.report.document import read_audit
from dp_audit.report.kinds import kind_of
from dp_audit.report.markdown import cut, escape, figure, parameters
from dp_audit.report.text import shortened
from dp_audit.report.words import sentence
from dp_checks.pages.notation import table
from dp_checks.runtime.outputs import write_file
from dp_spec.vocabulary.exceptions import RefusedError
from dp_studies.libraries import LIBRARIES, Repair, published_audits
from dp_studies.libraries.deviations import Published, address, parameters_key

LIST = Path("docs") / "data" / "advisories.toml"
FOLDER = Path("docs") / "data" / "published" / "advisories"
SCHEMA = "1.6.0"
"""Of the Open Source Vulnerability format."""
COSTS = ("nominal epsilon", "effective epsilon")
TESTS = ("error level", "reports", "pairs", "expected", "power", "log10")
"""How figures begin that are about the test, and no effects."""
ANYTHING = "[0, infinity]"
"""An enclosure that says nothing."""
Key = tuple[str, str, str]
"""A package, a mechanism of it, and the kind of a row (`dp_audit.report.kinds.kind_of`)."""
Repaired = Mapping[tuple[str, str, str], Published]


@dataclass(frozen=True)
class Advisory:
    """An id and what it is of: the rows of these kinds in the audits of these mechanisms of a package, which are one
    fault. One that is `withdrawn` is of no row any more; its id and its text stay."""

    id: str
    published: date
    package: str
    mechanisms: tuple[str, ...]
    questions: tuple[str, ...]
    withdrawn: date | None = None

    @property
    def keys(self) -> frozenset[Key]:
        """Return what rows of this fault may be about."""
        return frozenset() if self.withdrawn else frozenset(product([self.package], self.mechanisms, self.questions))


def advisories(tree: Path) -> tuple[Advisory, ...]:
    """Return the list of ids, in its order."""
    listed = tomllib.loads((tree / LIST).read_text(encoding="utf-8"))["advisory"]
    tuples = ("mechanisms", "questions")
    return tuple(Advisory(**{**each, **{name: tuple(each[name]) for name in tuples}}) for each in listed)


def committed(tree: Path) -> tuple[Published, ...]:
    """Return the advisories as they are published, in the order of their ids."""
    return tuple(json.loads(file.read_text(encoding="utf-8")) for file in sorted((tree / FOLDER).glob("*.json")))


def key(audit: Published, row: Published) -> Key:
    """Return what a row is about; samples of compiled code ask the same question as its source."""
    return (
        str(audit["target"]),
        str(audit["mechanism"]),
        kind_of(str(row["check"]).removesuffix(" (compiled, samples)")),
    )


def gaps(listed: Sequence[Advisory], audits: Sequence[Published]) -> str:
    """Return what is wrong with a list of ids, and what to do; "" if every fault has one id and every id a fault."""
    faults = {key(audit, row) for audit, row in _faults(audits)}
    numbered = Counter(each for one in listed for each in one.keys & faults)
    without = [one.id for one in listed if not one.withdrawn and _superfluous(one, faults)]
    lines = [f"no id: {', '.join(each)}" for each in sorted(faults - set(numbered))]
    lines += [f"more than one id: {', '.join(each)}" for each, times in numbered.items() if times > 1]
    lines += [f"{each}: a mechanism or a question of it has no fault in the published audits" for each in without]
    lines += [f"{each}: two entries have this id" for each, n in Counter(a.id for a in listed).items() if n > 1]
    if not lines:
        return ""
    advice = (
        f"Every fault has one id in {LIST}: append an [[advisory]] with the next id, or add the mechanism or the "
        "question to the entry of the same fault; an id without a fault stays and gets `withdrawn`, the date. Then "
        "run: python -m dp_studies.libraries.advisories"
    )
    return "\n".join([*lines, advice])


def _superfluous(advisory: Advisory, faults: set[Key]) -> bool:
    """Whether a mechanism or a question of an advisory is of no fault."""
    own = advisory.keys & faults
    named = ({mechanism for _, mechanism, _ in own}, {question for _, _, question in own})
    return named != (set(advisory.mechanisms), set(advisory.questions))


def _faults(audits: Sequence[Published]) -> Iterator[tuple[Published, Published]]:
    return ((audit, row) for audit in audits for row in audit["rows"] if row["verdict"] == "fault")


def document(advisory: Advisory, audits: Sequence[Published], repaired: Repaired) -> dict[str, Any]:
    """Return an advisory in the schema, without the time when it was modified.

    The sentence, the effect and the reproduction are those of the first audit that has a reproduction, or of the first.
    """
    own = [kept for audit in audits if (kept := _of(advisory, audit))["verdict"] == "fault"]
    faults = [read_audit({**audit, "parameters": _short(audit)}) for audit in own]
    first = next((audit for audit in faults if any(row.reproduction for row in audit.faults)), faults[0])
    library, compared = LIBRARIES[advisory.package], [*_compared(advisory, own, repaired)]
    helped = {
        name: any(len(after) < len(before) for other, before, after in compared if other == name)
        for name, *_ in compared
    }
    repairs = [library.protocols[name].repair for name in advisory.mechanisms if helped.get(name, True)]
    ecosystem = "npm" if library.environment == "javascript" else "PyPI"
    return {
        "schema_version": SCHEMA,
        "id": advisory.id,
        "published": _time(advisory.published),
        "summary": shortened(" ".join(sentence(first).split())),
        "details": "\n".join(_details(own)),
        "affected": [
            {
                "package": {
                    "ecosystem": ecosystem,
                    "name": advisory.package,
                    "purl": f"pkg:{ecosystem.lower()}/{advisory.package.lower()}",
                },
                "versions": sorted({str(audit["versions"][advisory.package]) for audit in own}),
            }
        ],
        "database_specific": {
            "mechanisms": list(advisory.mechanisms),
            "parameters": dict(first.parameters),
            "effect": _effect(first),
            "reproduction": list(_reproduction(first, library.protocols[first.mechanism].repair)),
            "repair": list(dict.fromkeys(repair.says for repair in repairs if repair is not None)),
            "audits_with_the_repair": {
                "run": len(compared),
                "still_deviating": sum(bool(left) for *_, left in compared),
            },
        },
    }


def _of(advisory: Advisory, audit: Published) -> dict[str, Any]:
    """Return an audit without the faults that are others, and with the verdict that it then has."""
    rows = [row for row in audit["rows"] if row["verdict"] != "fault" or key(audit, row) in advisory.keys]
    return {**audit, "rows": rows, "verdict": "fault" if any(row["verdict"] == "fault" for row in rows) else "other"}


def _compared(
    advisory: Advisory, audits: Sequence[Published], repaired: Repaired
) -> Iterator[tuple[str, set[Key], set[Key]]]:
    """The mechanism of every audit that was run with the repair, and what deviated before and after."""
    for audit in audits:
        place = (advisory.package, str(audit["mechanism"]), parameters_key(audit))
        if place in repaired:
            before, after = ({key(*each) for each in _faults([_of(advisory, a)])} for a in (audit, repaired[place]))
            yield place[1], before, after


def _short(audit: Published) -> dict[str, str]:
    return {name: cut(value) for name, value in audit["parameters"].items()}


def _time(day: date) -> str:
    return f"{day.isoformat()}T00:00:00Z"


def _details(audits: Sequence[Published]) -> Iterator[str]:
    """One item of Markdown for every question of an audit that something deviates in, with what was found first."""
    for audit in audits:
        said: dict[str, str] = {}
        for row in (row for row in audit["rows"] if row["verdict"] == "fault"):
            said.setdefault(key(audit, row)[2].replace("-", " "), shortened(" ".join(row["detail"].split())))
        for question, detail in said.items():
            yield f"- {escape(audit['mechanism'])}, {parameters(audit)}: {question}: {escape(detail)}"


def _effect(audit: Audit) -> dict[str, str]:
    """Return nominal and effective epsilon, and the figures of what deviates: of the first row that has one."""
    rows = [row.figures for row in audit.faults]
    costs = [{n: row.figures[n] for n in COSTS if n in row.figures} for row in audit.rows if row.check == "privacy"]
    figures = {name: value for each in reversed([*costs, *rows]) for name, value in each.items()}
    kept = {name: value for name, value in figures.items() if not name.startswith(TESTS) and value != ANYTHING}
    return {name: value if value == "infinite" else figure(value) for name, value in sorted(kept.items())}


def _reproduction(audit: Audit, repair: Repair | None) -> tuple[str, ...]:
    """Return the code that shows it: of the first row that has any, else what the repair states, else the audit."""
    reproductions = [row.reproduction for row in audit.faults if row.reproduction]
    reproductions += [repair.shows] if repair is not None and repair.shows else []
    return (*reproductions, (f"dp-refimpl audit library {audit.target} '{audit.mechanism}'",))[0]


def documents(tree: Path) -> Iterator[dict[str, Any]]:
    """Return all advisories as they should be published, made of the committed audits; one that nothing has changed
    keeps the time when it was modified. Raises `RefusedError` if the ids are not those of the faults."""
    listed, audits, repaired = advisories(tree), published_audits.published(tree), published_audits.repaired(tree)
    if wrong := gaps(listed, audits):
        raise RefusedError(wrong)
    before = {each["id"]: each for each in committed(tree)}
    for advisory in listed:
        old = before.get(advisory.id, {})
        if advisory.withdrawn:
            made = {n: v for n, v in old.items() if n != "modified"} | {"withdrawn": _time(advisory.withdrawn)}
        else:
            made = document(advisory, audits, repaired)
        unchanged = {name: value for name, value in old.items() if name != "modified"} == made
        yield {**made, "modified": old["modified"] if unchanged else f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"}


LEAD = (
    "Every fault that the [published audits](audits.md) found in a released library has an id, which stays. An "
    "advisory says which version was audited (others were not), the smallest reproduction, the effect as the audit "
    "computed it, and the repair that is proposed, with what the same audits say of the repaired code. Its JSON, at "
    "`advisories/ID.json` of this site, has the fields of the Open Source Vulnerability format 1.6. It has no score of "
    "severity: an effect is a number, in ε or in the error of an estimate. The prefix DPA is not registered there, and "
    "databases of vulnerabilities do not know these ids. `SECURITY.md` says how a finding is disclosed before it "
    "stands here, `CONTRIBUTING.md` what to do about a wrong one."
)


def pages(published: Sequence[Published]) -> dict[str, str]:
    """Return the index `advisories.md` and a page for every advisory, as text by path."""
    rows = [
        [f"[{each['id']}](advisories/{each['id']}.md)", _package(each), escape(each["summary"])] for each in published
    ]
    hidden = [":::{toctree}", ":hidden:", "", *(f"advisories/{each['id']}" for each in published), ":::"]
    index = ["# Advisories", "", LEAD, "", *table(["Id", "Package", "What"], rows), *hidden]
    lines_of = {"advisories.md": index} | {f"advisories/{each['id']}.md": _page(each) for each in published}
    return {name: "\n".join(lines).rstrip() + "\n" for name, lines in lines_of.items()}


def _package(published: Published) -> str:
    (affected,) = published["affected"]
    package = affected["package"]
    return f"{escape(package['name'])} {', '.join(affected['versions'])} ({package['ecosystem']})"


def _page(published: Published) -> list[str]:
    own, package = published["database_specific"], published["affected"][0]["package"]["name"]
    days = [f"{word} {published[word][:10]}" for word in ("published", "modified", "withdrawn") if word in published]
    source = f'<a href="../../advisories/{published["id"]}.json">JSON</a>'
    effect = [[escape(name), value] for name, value in own["effect"].items()]
    values = ", ".join(f"{escape(parameter)} = {escape(value)}" for parameter, value in own["parameters"].items())
    code = [line.replace("```", "'''") for line in own["reproduction"]]
    language = "javascript" if published["affected"][0]["package"]["ecosystem"] == "npm" else "python"
    run, left = own["audits_with_the_repair"].values()
    again = f"With the repair {run} of these audits were run; the fault is still there in {left}."
    return [
        f"# {published['id']}: {_package(published)}",
        "",
        f"{escape(published['summary'])} ({', '.join(days)}; {source})",
        "",
        *(
            "## Effect",
            "",
            f"At {values}:",
            "",
            *(table(["Figure", "Value"], effect) if effect else ["It has no figure.", ""]),
        ),
        *("## Reproduction", "", f"```{language}", *code, "```", ""),
        *(
            "## Repair",
            "",
            *([f"- Proposed: {says}." for says in own["repair"]] or ["None that ends it was run here."]),
            "",
        ),
        again if run and own["repair"] else "",
        "",
        *("## All that was found", "", published["details"], ""),
        *("Every row, with figures and witnesses:", ""),
        *(f"- [{escape(each)}](../{address(package, each)})" for each in own["mechanisms"]),
    ]


def main() -> int:
    """Write all advisories. Exit status 1 if the ids are not those of the faults."""
    try:
        for made in documents(published_audits.TREE):
            text = json.dumps(made, indent=1, ensure_ascii=False) + "\n"
            write_file(published_audits.TREE / FOLDER / f"{made['id']}.json", text)
    except RefusedError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
