"""The command `dp-refimpl amplify`: how private shuffled reports are, certified from both sides."""

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.table import Table as Grid

from dp_checks.amplification.grid import Asked, Question, answers
from dp_checks.amplification.setting import MECHANISMS, Setting
from dp_checks.boundary import EXAMPLES, Name, OutputFile, OutputFolder
from dp_checks.kernel.work import DEFAULT
from dp_checks.outputs import write_file
from dp_checks.parallel import Workers, spreading
from dp_checks.processes import resumable
from dp_checks.terminal import Bar, print_table
from dp_spec.vocabulary.budget import read_epsilon
from dp_spec.vocabulary.exceptions import DomainError

FORMAT = "dp-refimpl amplify 1"
OUT = Path("build/amplify")
POINTS = 25
"""Of the curve of one setting."""
NOTE = (
    "The upper end holds for every pair of neighboring data sets (one user's value is replaced), the lower end is "
    "shown by the data set that is named; the kernel has accepted both, and certificates hold what it read."
)
ASKED = {
    "epsilon": "the smallest epsilon for delta",
    "delta": "the largest delta at epsilon",
    "epsilon0": "the largest epsilon0 for (epsilon, delta)",
    "dummies": "the smallest number of uniform dummy messages for (epsilon, delta)",
}


@click.command(
    epilog=EXAMPLES + "  dp-refimpl amplify --mechanism krr --k 64 --n 1000000 --epsilon0 4 --delta 1e-8\n"
    "  dp-refimpl amplify --mechanism olh --k 16 --n 602325 --epsilon0 4 --epsilon 0.1 --json\n"
    "  dp-refimpl amplify --mechanism krr --k 4 --n 1000 --n 10000 --epsilon 0.5 --delta 1e-6\n"
    "  dp-refimpl amplify --mechanism krr --k 64 --n 10000 --epsilon0 4 --epsilon 0.1 --delta 1e-6"
)
@click.option(
    "--mechanism",
    type=Name(MECHANISMS),
    default="krr",
    show_default=True,
    help="krr: randomized response; olh: local hashing, any hash functions; dump: items as they are, hidden by dummies; "
    "ldp: any epsilon0-LDP randomizer.",
)
@click.option("--k", "ks", type=int, multiple=True, help="Labels (not with ldp).")
@click.option("--n", "ns", type=int, multiple=True, required=True, help="Users.")
@click.option("--epsilon0", "budgets", multiple=True, help="Of the randomizer, as 4, 1/2 or ln(3).")
@click.option("--dummies", type=int, multiple=True, help="Uniform messages beside the users'. Default: none.")
@click.option("--epsilon", "epsilons", multiple=True, help="Of what is shuffled, as 0.1 or 3/2.")
@click.option("--delta", "deltas", multiple=True, help="As 1e-8 or 1/1000.")
@click.option("--digits", type=click.IntRange(1, 30), default=8, show_default=True, help="Significant digits of ends.")
@click.option(
    "--work", type=click.IntRange(1), default=DEFAULT, show_default=True, help="Units of work a check may take."
)
@spreading
@click.option("--out", type=OutputFolder(), default=OUT, show_default=True, help="Certificates and journal.")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of a table.")
@click.option("--plot", type=OutputFile(), help="Picture (.svg or .png): delta over epsilon, or the answers.")
def amplify(
    mechanism: Any,
    ks: tuple[int, ...],
    ns: tuple[int, ...],
    budgets: tuple[str, ...],
    dummies: tuple[int, ...],
    epsilons: tuple[str, ...],
    deltas: tuple[str, ...],
    digits: int,
    work: int,
    jobs: int,
    scheduler: str | None,
    out: Path,
    as_json: bool,
    plot: Path | None,
) -> None:
    """How private are shuffled reports? Enclosures with certificates, for every data set.

    What is not given is asked: --epsilon0 and --delta ask for epsilon, --epsilon0 and --epsilon for delta, --epsilon
    and --delta for epsilon0; with all three the number of dummies is asked for. Options that are repeated make a table.
    """
    if plot is not None and plot.suffix not in (".svg", ".png"):
        raise DomainError("--plot", str(plot), "a file .svg or .png")
    asked = question_of(mechanism, budgets, epsilons, deltas, dummies)
    if mechanism == "ldp" and ks:
        raise DomainError("--k", list(ks), "nothing: every randomizer")
    if mechanism != "ldp" and not ks:
        raise DomainError("--k", None, "the number of labels")
    sought = None if mechanism == "dump" else "1"  # a budget that is asked for is replaced
    grid = product(ks or (2,), ns, budgets or (sought,), dummies or (0,), epsilons or (None,), deltas or (None,))
    listed = [
        Question(
            asked, Setting(mechanism, n, b, k, extra), _number("--epsilon", e), _number("--delta", d), digits, work
        )
        for k, n, b, extra, e, d in grid
    ]
    curve = _curve(listed[0]) if plot is not None and len(listed) == 1 and asked in ("epsilon", "delta") else []
    rows: dict[str, dict[str, Any]] = {question.key: {} for question in [*listed, *curve]}
    with Bar(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()) as bar:
        task = bar.add_task("amplify", total=len(rows))
        with resumable(f"what is answered is kept in {out}: run the same command again to go on"):
            for row in answers([*listed, *curve], out, Workers(jobs, scheduler)):
                rows[row["key"]] = row
                bar.advance(task)
    found = {"format": FORMAT, "note": NOTE, "certificates": str(out / "certificates"), "digits": digits}
    found |= {"rows": [rows[question.key] for question in listed], "curve": [rows[question.key] for question in curve]}
    if plot is not None:
        from dp_checks.amplification.plot import picture  # the command line is listed without loading matplotlib

        write_file(plot, picture(found, plot.suffix[1:]))
    if as_json:
        click.echo(json.dumps(found, indent=1, ensure_ascii=False))
        return
    _print(found, asked)


def question_of(
    mechanism: str, budgets: Sequence[str], epsilons: Sequence[str], deltas: Sequence[str], dummies: Sequence[int]
) -> Asked:
    """What is asked. Raises `DomainError` where too little is given, or dummies are given and asked."""
    given = bool(budgets) or mechanism == "dump", bool(epsilons), bool(deltas)
    known: Mapping[tuple[bool, bool, bool], Asked] = {
        (True, False, True): "epsilon",
        (True, True, False): "delta",
        (False, True, True): "epsilon0",
        (True, True, True): "dummies",
    }
    if given not in known:
        raise DomainError("amplify", "one value", "two or all of --epsilon0, --epsilon and --delta")
    if known[given] == "dummies" and dummies:
        raise DomainError("--dummies", list(dummies), "nothing: with --epsilon0, --epsilon and --delta it is asked for")
    if known[given] != "dummies" and mechanism == "dump" and not dummies:
        raise DomainError("--dummies", None, "the number of messages that hide the items")
    return known[given]


def _number(name: str, text: str | None) -> str | None:
    """A decimal or a fraction, as a fraction."""
    if text is None:
        return None
    if name == "--epsilon":
        base, exponent = read_epsilon(text)
        if base is not None or not exponent:
            raise DomainError(name, text, "a number > 0, as 0.1 or 3/2")
        return str(exponent)
    try:
        number = Fraction(text) if len(text) < 100 else Fraction(0)
    except (ValueError, ZeroDivisionError):
        number = Fraction(0)
    if not 0 < number < 1 or number.denominator.bit_length() > 900:
        raise DomainError(name, text, "a number strictly between 0 and 1, as 1e-8 or 1/1000")
    return str(number)


def _curve(question: Question) -> list[Question]:
    """Delta of the same setting at epsilons up to twice what is asked, or was found."""
    found = question.answer().upper.value if question.epsilon is None else question.epsilon
    most = 2 * Fraction(found)
    places = [most * i / POINTS for i in range(1, POINTS + 1)]
    return [Question("delta", question.setting, str(e), None, 5, question.work) for e in places]


def _print(found: Mapping[str, Any], asked: Asked) -> None:
    rows = found["rows"]
    grid = Grid("mechanism", title=None)
    varied = [
        name for name in ("labels", "users", "epsilon0", "dummies", "epsilon", "delta") if rows[0][name] is not None
    ]
    for name in (*varied, "lower", "upper"):
        grid.add_column(name, justify="right")
    for row in rows:
        ends = [row[side]["value"] if side in row else "-" for side in ("lower", "upper")]
        grid.add_row(row["mechanism"], *(_short(row[name]) for name in varied), *ends)
    click.echo(f"{ASKED[asked]}:")
    print_table(Console(), grid)
    for side in ("lower", "upper"):
        for words in dict.fromkeys(row[side]["shown_by"] for row in rows if side in row):
            click.echo(f"  {side}: {words}")
    cards = sorted({card for row in rows for side in ("lower", "upper") for card in row.get(side, {}).get("cards", [])})
    if cards:
        click.echo(f"  cards the kernel applied: {', '.join(cards)}")
    for words in dict.fromkeys(row["refused"] for row in rows if "refused" in row):
        click.echo(f"  no answer: {words}")
    click.echo(f"{NOTE}\n  {found['certificates']}")


def _short(value: Any) -> str:
    if isinstance(value, str) and "/" in value:
        return f"{Decimal(Fraction(value).numerator) / Decimal(Fraction(value).denominator):.6g}"
    return str(value)
