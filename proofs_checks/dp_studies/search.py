"""`dp-refimpl search`: what the ledger, the mechanisms, the audits, the commands and the guide have on some words."""

import json
import re
from collections.abc import Iterator

import click

from dp_audit.oracles import KINDS
from dp_checks.commands.ledger import echo_rows
from dp_checks.ledger import load_ledger
from dp_checks.runtime.boundary import EXAMPLES
from dp_checks.runtime.sources import carried
from dp_checks.runtime.terminal import columns
from dp_checks.runtime.tex import terminal_text
from dp_checks.search import Hit, claims, mechanisms, search

SHOWN = 20
"""Lines in a terminal, where nothing else is asked for."""
GUIDE = ("start", "guide")
"""Folders of the documentation with pages that people write."""
_KEYWORD = re.compile(r"^```\{index\} ! single: (.*)$", re.MULTILINE)
_END = re.compile(r"(?<=[.?])\s")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


@click.command(
    "search",
    epilog=EXAMPLES
    + "  dp-refimpl search OUE variance\n"
    + "  dp-refimpl search randomised response\n"
    + "  dp-refimpl search hockey-stick --json",
)
@click.argument("words", nargs=-1, required=True, metavar="WORDS...")
@click.option("--limit", type=click.IntRange(1), help=f"Lines at most. [default: {SHOWN} in a terminal, else all]")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of lines.")
@click.pass_context
def search_command(ctx: click.Context, words: tuple[str, ...], limit: int | None, as_json: bool) -> None:
    """Search statements, mechanisms, oracles of audits, commands and the guide for all of some words.

    What has the words in its id or name comes first, what has them in its sentence last. Other names of the field are
    known (k-subset is subset selection, randomised response is GRR), so are British and American spelling; a word may
    be the beginning of one. A line has the verdict of a statement (of others what they are), id and sentence; in a
    terminal the sentence is cut to the width, elsewhere it is whole, with tabs between the three. A page of the guide
    is named by its file in the documentation: docs/guide/cite.md is guide/cite.html of the site.
    """
    things = [*_commands(ctx), *_guide(), *mechanisms(), *_oracles(), *claims(load_ledger())]
    ranked = search(" ".join(words), things)
    first = ranked[: limit or (SHOWN if columns() and not as_json else len(ranked))]
    if as_json:
        click.echo(json.dumps([_data(thing) for thing in first], indent=1, ensure_ascii=False))
        return
    echo_rows([(thing.word, thing.name, thing.sentence) for thing in first])
    if columns() and len(first) < len(ranked):
        click.echo(f"{len(ranked) - len(first)} more: --limit {len(ranked)}")


def _commands(ctx: click.Context) -> Iterator[Hit]:
    """The commands beside this one, as the group says what they are for."""
    for name, (_, says) in (ctx.obj or {}).items():
        yield Hit("command", f"dp-refimpl {name}", says)


def _oracles() -> Iterator[Hit]:
    for name, kind in KINDS.items():
        yield Hit("oracle", name, kind.law, kind.report)


def _guide() -> Iterator[Hit]:
    """The pages of the guide: title and first sentence, and their keywords."""
    for folder in GUIDE:
        for path in sorted(carried("docs", folder).glob("*.md")):
            text = path.read_text(encoding="utf-8")
            title, *blocks = [block.strip() for block in text.split("\n\n")]
            first = next(block for block in blocks if block[0] not in "`:(#|")
            start = _END.split(_LINK.sub(r"\1", first))[0].replace("\n", " ")
            sentence = terminal_text(f"{title.removeprefix('# ')}. {start}".replace("?.", "?"))
            yield Hit("guide", f"docs/{folder}/{path.name}", sentence, " ".join(_KEYWORD.findall(text)))


def _data(thing: Hit) -> dict[str, str]:
    verdict = {"verdict": thing.verdict} if thing.verdict else {}
    return {"id": thing.name, "kind": thing.kind, **verdict, "sentence": thing.sentence}
