"""The command `dp-refimpl frequency-oracles`: which one has the smallest exact error, and where that changes."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import click
from flint import fmpq
from rich.table import Table

from dp_checks.runtime.boundary import COUNT, EXAMPLES, Name, PictureFile
from dp_checks.runtime.terminal import rounded
from dp_refimpl.mechanisms import ALIASES
from dp_refimpl.requirements import fraction_of, require_integer
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.real import Real
from dp_studies.comparisons.frequency_oracles.candidates import (
    MAX_ITEMS,
    NAMES,
    SKETCHES,
    SYMBOLS,
    Place,
    Ranked,
    Setting,
    best,
    ranking,
)
from dp_studies.comparisons.frequency_oracles.crossings import PREFERRED, Piece, over_epsilon, over_items
from dp_studies.comparisons.report import DIGITS, decimals, draw, grid, report, rest

FORMAT = "dp-refimpl frequency-oracles 1"
SHOWN = 12
LOWEST, HIGHEST, MOST_ITEMS = "1/10", "8", 2048
NOTE = (
    "Exact variance of the estimated frequency of an item of the frequency f; f = 1/d gives the mean over all d items, "
    "for all data. Every mechanism attains e^epsilon. A report has ceil(log2) of the number of different ones as its "
    "bits, with the index of its function, row or coordinate; labels of any two items agree with chance 1/b."
)
NAMED = {alias: name for alias, name in ALIASES.items() if name in NAMES}
"""What the mechanisms are called elsewhere."""
_NUMBER = re.compile(r"\d{1,20}(?:/\d{1,20}|\.\d{1,20})?")


@click.command(
    name="frequency-oracles",
    epilog=EXAMPLES + "  dp-refimpl frequency-oracles --items 1024\n"
    "  dp-refimpl frequency-oracles --items 1024 --users 1000000 --epsilon 1 --bits 16 --json\n"
    "  dp-refimpl frequency-oracles --items 64 --frequency 0 --mechanism GRR --mechanism OUE --mechanism OLH",
)
@click.option("--items", "--d", "d", type=COUNT, required=True, help="Number of items.")
@click.option("--users", "--n", "n", type=COUNT, default=1, show_default=True, help="Number of users.")
@click.option("--epsilon", default="1", show_default=True, help="As 0.5, 3/2 or ln(3).")
@click.option("--bits", type=int, help="Most bits of a report. Default: any.")
@click.option("--frequency", default="1/d", show_default=True, help="Of the estimated item: 0, 1/d, 0.01, ...")
@click.option("--columns", type=COUNT, default=1024, show_default=True, help="Most columns of a sketch.")
@click.option("--mechanism", "names", type=Name(NAMES, NAMED), multiple=True, help="Default: all.")
@click.option("--range", "between", nargs=2, default=(LOWEST, HIGHEST), show_default=True, help="Of epsilon.")
@click.option(
    "--most-items", "most", type=COUNT, help="Crossings over d are sought so far. Default: 2 d, at most 2048."
)
@click.option("--json", "as_json", is_flag=True, help="JSON instead of tables.")
@click.option("--plot", type=PictureFile(), help="Picture (.svg or .png) of the errors over epsilon.")
def frequency_oracles(
    d: int,
    n: int,
    epsilon: str,
    bits: int | None,
    frequency: str,
    columns: int,
    names: tuple[str, ...],
    between: tuple[str, str],
    most: int | None,
    as_json: bool,
    plot: Path | None,
) -> None:
    """Compare frequency oracles on one item per user: which has the smallest exact error at equal certified epsilon.

    For d items, n users and reports of so many bits, each at its best parameter; and where another one is better, over
    epsilon (roots of polynomials, isolated) and over d. No float decides anything.
    """
    setting = Setting(d, read_frequency(frequency, d), bits, columns)
    last = min(2 * d, MOST_ITEMS) if most is None else most
    stated = None if frequency == "1/d" else setting.f
    comparison = document(setting, Question(n, epsilon, names, between, last, stated))
    draw(plot, "frequency_oracles.errors", setting, between, comparison)
    report(comparison, text(comparison), as_json)


def read_frequency(text: str, d: int) -> fmpq:
    """A frequency as written: `1/d`, or a rational number in [0, 1]. Raises `DomainError` for others."""
    if text == "1/d":
        return fmpq(1, max(d, 1))
    number = fraction_of(text) if _NUMBER.fullmatch(text) else None
    if number is None or number > 1:
        raise DomainError("--frequency", text, "1/d, or a rational number in [0, 1] as 0, 0.01 or 1/100")
    return fmpq(number.numerator, number.denominator)


@dataclass(frozen=True)
class Question:
    """How many users there are, the budget, the mechanisms (none: all); from which epsilon to which, and to how many
    items, crossings are sought; `frequency` None: 1/d for each d."""

    n: int
    epsilon: str
    names: tuple[str, ...]
    between: tuple[str, str]
    last: int
    frequency: fmpq | None


def document(setting: Setting, question: Question) -> dict[str, Any]:
    """All that is found, as plain data with decimals right to one unit of the last.

    Raises `DomainError` as `ranking`, `over_epsilon` and `over_items`, for n outside 1..10^15, and where nothing fits.
    """
    require_integer("--users", question.n, 1, 10**15)
    require_integer("--most-items", question.last, 2, MAX_ITEMS)
    budget = _budget("--epsilon", question.epsilon)
    low, high = (_budget("--range", text) for text in question.between)
    if (high.exp() - low.exp()).sign() != 1:
        raise DomainError("--range", " ".join(question.between), "two epsilons, the smaller one first")
    if len({*question.names}) < len(question.names):
        raise DomainError("--mechanism", question.names, "each of them once")
    chosen = question.names or NAMES
    rows, place = ranking(setting, budget, chosen), Place(budget)
    if not rows:
        raise DomainError("--bits", setting.bits, f"more bits: no report about {setting.d} items is so short")
    compared = tuple(name for name in chosen if name in PREFERRED)
    if not compared:
        raise DomainError(
            "--mechanism", question.names, "another one as well: with the best number of labels it is OLH"
        )
    return {
        "format": FORMAT,
        "note": NOTE,
        "d": setting.d,
        "n": question.n,
        "epsilon": question.epsilon,
        "frequency": str(setting.f),
        "bits": setting.bits,
        "columns": setting.columns,
        "best": list(best(setting, place, compared)),
        "mechanisms": {row.curve.name: _entry(row, rows[0], question.n) for row in rows},
        "too_long": [name for name in chosen if name not in {row.curve.name for row in rows}],
        "over_epsilon": {
            "from": question.between[0],
            "to": question.between[1],
            **_over_epsilon(setting, low, high, compared),
        },
        "over_d": {
            "to": question.last,
            "ranges": [
                {"first": r.first, "last": r.last, "best": list(r.winners)}
                for r in over_items(question.last, budget, question.frequency, setting.bits, setting.columns, compared)
            ],
        },
    }


def _budget(option: str, text: str) -> Budget[Real]:
    """The budget that an option writes. Raises `DomainError`, which names it, for what is none, and for 0."""
    try:
        budget = Budget(text)
    except DomainError as error:
        raise DomainError(option, text, error.allowed) from None
    if (budget.exp() - 1).sign() != 1:
        raise DomainError(option, text, "a number > 0: at 0 no error is finite")
    return budget


def text(comparison: Mapping[str, Any]) -> Iterator[str | Table]:
    """The best mechanism, all of them in a table, where another one is the best, and the answer."""
    yield winner(comparison)
    yield _table(comparison)
    yield from _over_epsilon_lines(comparison)
    yield from _over_items_lines(comparison)
    yield from (NOTE, answer(comparison))


def winner(comparison: Mapping[str, Any]) -> str:
    """Which mechanism it is, by how much, and why."""
    limit = "reports of any length" if comparison["bits"] is None else f"at most {comparison['bits']} bits per report"
    asked = f"d={comparison['d']}, n={comparison['n']}, epsilon {comparison['epsilon']}, f={comparison['frequency']}"
    rows, names = comparison["mechanisms"], comparison["best"]
    least = Decimal(rows[names[0]]["variance"])
    line = f"{asked}, {limit}: {' and '.join(names)} {'has' if len(names) == 1 else 'have'}"
    line += f" the smallest variance, {least:.4g}"
    others = [name for name in rows if name not in names and rows[name]["times"] != "1"]
    if others:
        line += f"; next is {others[0]} with {Decimal(rows[others[0]]['times']):.7g} times as much"
    return f"{line}."


def answer(comparison: Mapping[str, Any]) -> str:
    """The error of the best mechanism in users, the length of its reports, and the expression that makes it."""
    name, n = comparison["best"][0], comparison["n"]
    row = comparison["mechanisms"][name]
    users = n * Decimal(row["variance"]).sqrt()
    return (
        f"Answer: the estimated number of users who hold an item is off by about {rounded(users)} of {n:,} (standard "
        f"deviation), with reports of {row['bits']} bits: {expression(comparison, name)}."
    )


def expression(comparison: Mapping[str, Any], name: str) -> str:
    """The mechanism with its parameter in Python; of a sketch, whose functions are not chosen here, what it takes."""
    d, row = comparison["d"], comparison["mechanisms"][name]
    of = f"d={d}, epsilon={comparison['epsilon']!r}"
    match SYMBOLS.get(name):
        case "b" if name in SKETCHES:
            return f"{name} from dp_refimpl, given a list of functions of the items to {row['b']} columns"
        case "b":
            family = f"family=AllFunctions(tuple(range({d})), {row['b']})"
            return f"LocalHashing({of}, {family}) from dp_refimpl, which takes longer to name one of all functions"
        case "k":
            return f"{name}({of}, k={row['k']}) from dp_refimpl"
    return f"{name}({of}) from dp_refimpl"


def _entry(row: Ranked, first: Ranked, n: int) -> dict[str, Any]:
    name, parameter = row.curve.name, row.curve.parameter
    entry: dict[str, Any] = {} if parameter is None else {SYMBOLS[name]: parameter}
    times = row.error / first.error
    return {**entry, "bits": row.bits, "variance": (row.error / n).decimal(DIGITS), "times": _short(times)}


def _short(number: Real) -> str:
    return "1" if (number - 1).sign() == 0 else number.decimal(DIGITS)


def _over_epsilon(setting: Setting, low: Budget[Real], high: Budget[Real], names: tuple[str, ...]) -> dict[str, Any]:
    try:
        pieces = over_epsilon(setting, low, high, names)
    except DomainError as error:
        if error.parameter != "d":
            raise
        return {"pieces": None, "reason": str(error)}
    return {"pieces": [_piece(piece) for piece in pieces]}


def _piece(piece: Piece) -> dict[str, Any]:
    if piece.end is None:
        return {"best": list(piece.winners), "until": None}
    whole = piece.end.polynomial.numer()
    return {
        "best": list(piece.winners),
        "until": decimals(piece.end.epsilon),
        "polynomial": [str(c) for c in (whole / whole.content()).coeffs()],
    }


def _table(comparison: Mapping[str, Any]) -> Table:
    table = grid("mechanism", "bits", "variance", "times the least")
    for name, row in comparison["mechanisms"].items():
        symbol = SYMBOLS.get(name)
        label = f"{name} ({symbol}={row[symbol]})" if symbol else name
        style = "bold green" if name in comparison["best"] else ""
        table.add_row(label, str(row["bits"]), row["variance"], f"{Decimal(row['times']):.8g}", style=style)
    for name in comparison["too_long"]:
        table.add_row(name, "too many", "", "", style="dim")
    return table


def _over_epsilon_lines(comparison: Mapping[str, Any]) -> list[str]:
    over = comparison["over_epsilon"]
    if over["pieces"] is None:
        return [f"Over epsilon: not sought, {over['reason']}"]
    lines, start = [f"Best over epsilon, d={comparison['d']}:"], over["from"]
    for piece in over["pieces"][:SHOWN]:
        end = over["to"] if piece["until"] is None else piece["until"]
        lines.append(f"  {start} to {end}: {' = '.join(piece['best'])}")
        start = end
    return lines + rest(len(over["pieces"]), SHOWN, " (--json has all)")


def _over_items_lines(comparison: Mapping[str, Any]) -> list[str]:
    ranges = comparison["over_d"]["ranges"]
    lines = [f"Best over d, epsilon {comparison['epsilon']}:"]
    for r in ranges[:SHOWN]:
        lines.append(f"  {r['first']} to {r['last']}: {' = '.join(r['best']) or 'none: reports are too long'}")
    return lines + rest(len(ranges), SHOWN, " (--json has all)")
