"""Audits as one HTML page that needs nothing else: style and pictures are inside, every text is escaped."""

from collections.abc import Mapping, Sequence
from html import escape

from dp_audit.outcome import Audit, Row, Verdict
from dp_audit.report.kinds import kind_of, question
from dp_audit.report.pictures import picture
from dp_audit.report.terminal import parts
from dp_audit.report.text import number, readable
from dp_audit.report.words import CONFORMS, CONSISTENT, UNDECIDED, conclusion, hint, row_sentence, sentence
from dp_audit.report.words import DEVIATES as FOUND
from dp_checks.runtime.escapes import printable

WORDS = {
    Verdict.INFO: "i info",
    Verdict.CONFORMS: "✓ conforms",
    Verdict.ROUNDING: "✓ within rounding",
    Verdict.CONSISTENT: "✓ consistent",
    Verdict.WARNING: "! warning",
    Verdict.UNDECIDED: "? undecided",
    Verdict.FAULT: "✗ fault",
}
RESULTS = {CONFORMS: "✓ conforms", CONSISTENT: "✓ consistent", UNDECIDED: "? undecided", FOUND: "✗ deviates"}
STYLE = """
:root { color-scheme: light dark; --ink: #1b1b1f; --page: #ffffff; --line: #c9ccd3; --soft: #f3f4f7;
  --good: #17692e; --warn: #8a4b00; --open: #6a3a9c; --bad: #b3142b; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8ec; --page: #16171b; --line: #4a4d57; --soft: #22242a;
  --good: #6fd08c; --warn: #f0b35b; --open: #c8a4f0; --bad: #ff8a94; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); max-width: 66rem;
  margin: 0 auto; padding: 1rem; }
h1, h2, h3 { line-height: 1.25; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .6rem; text-align: left; vertical-align: top;
  overflow-wrap: anywhere; }
td.number { font-variant-numeric: tabular-nums; text-align: right; }
pre { background: var(--soft); padding: .6rem; overflow-x: auto; }
dt { font-weight: 600; } dd { margin: 0 0 .3rem 1.2rem; overflow-wrap: anywhere; }
svg { max-width: 100%; height: auto; color: var(--ink); }
.conforms, .rounding, .consistent { color: var(--good); } .info { color: var(--ink); } .warning { color: var(--warn); }
.undecided { color: var(--open); } .fault, .deviates { color: var(--bad); }
.verdict { font-weight: 600; white-space: nowrap; }
"""
DEVIATES = (Verdict.FAULT, Verdict.WARNING, Verdict.UNDECIDED)


def html_text(audits: Sequence[Audit], title: str = "Audit") -> str:
    """Return a page with a section for each audit."""
    verdict = conclusion(audits)
    body = [f'<h1>{_text(title)}: <span class="verdict {verdict}">{RESULTS[verdict]}</span></h1>']
    if len(audits) > 1:
        body += ["<nav aria-label='Audits'><ul>", *(_entry(i, r) for i, r in enumerate(audits)), "</ul></nav>"]
    body.append("<main>")
    for i, audit in enumerate(audits):
        body += _section(i, audit)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{_text(title)}</title><style>{STYLE}</style></head><body>\n"
        + "\n".join(body)
        + "\n</main></body></html>\n"
    )


def _entry(i: int, audit: Audit) -> str:
    return f'<li>{_verdict(audit.verdict)} <a href="#audit-{i}">{_text(audit.title)}</a></li>'


def _section(i: int, audit: Audit) -> list[str]:
    lines = [f'<section aria-labelledby="audit-{i}">']
    verdict = conclusion([audit])
    lines.append(
        f'<h2 id="audit-{i}"><span class="verdict {verdict}">{RESULTS[verdict]}</span>: {_text(sentence(audit))}</h2>'
    )
    lines.append(f"<p>{_text(audit.title)}</p>")
    drawn = picture(audit.laws, f"law{i}") if audit.laws else ""
    lines += [f"<figure>{drawn}</figure>"] if drawn else []
    about = {"method": audit.method, "audited file": audit.location, **audit.versions}
    lines.append(f"<p>{_text('; '.join(f'{name}: {value}' for name, value in about.items() if value))}</p>")
    lines.append(f"<p>{_text(audit.certification)}</p>")
    for title, rows in parts(audit.rows).items():
        lines.append(f'<h3>{title}</h3><div class="scroll"><table><thead><tr><th scope="col">Verdict</th>')
        lines.append('<th scope="col">Check</th><th scope="col">Detail</th></tr></thead><tbody>')
        lines += [_row(row) for row in rows]
        lines.append("</tbody></table></div>")
    wrong = [row for row in audit.rows if row.verdict in DEVIATES]
    lines += [line for row in wrong for line in _deviation(row)]
    again = next((row.reproduction for row in wrong if row.reproduction), ())
    if again:
        code = "\n".join(map(_text, again))
        lines.append(f'<h3>To see it</h3><pre tabindex="0" aria-label="How to see it"><code>{code}</code></pre>')
    lines += _probabilities(audit)
    listed = [*(f"model: {m}" for m in audit.models), *(f"note: {n}" for n in audit.notes)]
    lines += ["<ul>", *(f"<li>{_text(line)}</li>" for line in listed), "</ul>"] if listed else []
    return [*lines, "</section>"]


def _row(row: Row) -> str:
    check = f'<th scope="row" title="{_text(question(kind_of(row.check)))}">{_text(row.check)}</th>'
    return f"<tr><td>{_verdict(row.verdict)}</td>{check}<td>{_text(row.headed)}</td></tr>"


def _deviation(row: Row) -> list[str]:
    lines = [f"<h3>{_verdict(row.verdict)} {_text(row.check)}</h3><p>{_text(row_sentence(row))}</p>"]
    lines += [f"<p>Hint: {_text(hint(row))}.</p>"] if hint(row) else []
    if row.witness:
        lines += [
            "<dl>",
            *(f"<dt>{_text(n)}</dt><dd>{_text(readable(v))}</dd>" for n, v in row.witness.items()),
            "</dl>",
        ]
    if row.figures:
        lines += ["<details><summary>Exact figures</summary><dl>"]
        lines += [*(f"<dt>{_text(n)}</dt><dd>{_text(v)}</dd>" for n, v in row.figures.items()), "</dl></details>"]
    return lines


def _probabilities(audit: Audit) -> list[str]:
    if not audit.laws:
        return []
    lines = ["<h3>Output laws</h3>"]
    lines.append('<details><summary>The probabilities</summary><div class="scroll"><table><thead><tr>')
    lines += [f'<th scope="col">{name}</th>' for name in ("Input", "Output", "Audited", "Oracle", "Difference")]
    lines.append("</tr></thead><tbody>")
    for x, row in audit.laws["target"].items():
        own = audit.laws["oracle"].get(x, {})
        lines += [_probability(x, y, row, own) for y in dict.fromkeys((*own, *row))]
    return [*lines, "</tbody></table></div></details>"]


def _probability(x: str, y: str, row: Mapping[str, str], own: Mapping[str, str]) -> str:
    a, b = (number(law.get(y, "0")) for law in (row, own))
    cells = "".join(f'<td class="number">{value}</td>' for value in (f"{a:.6g}", f"{b:.6g}", f"{a - b:+.3g}"))
    return f"<tr><td>{_text(x)}</td><td>{_text(y)}</td>{cells}</tr>"


def _verdict(verdict: Verdict) -> str:
    return f'<span class="verdict {verdict}">{WORDS[verdict]}</span>'


def _text(text: str) -> str:
    return escape(printable(text), quote=True)
