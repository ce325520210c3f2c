"""The command `dp-refimpl budget`: every mechanism at equal certified privacy, side by side."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_DOWN, Context, Decimal
from typing import Any

import click
from rich.table import Table

from dp_checks.runtime.boundary import COUNT, EXAMPLES, Name
from dp_checks.runtime.terminal import rounded
from dp_spec.vocabulary.exceptions import DomainError, MissingError
from dp_spec.vocabulary.precision import precision
from dp_studies.comparisons.budget.constants import READINGS, Constant, Reading
from dp_studies.comparisons.budget.equal_privacy import SHOWING, TABLE4, Row, Size, best, compared
from dp_studies.comparisons.report import decimals, grid, report

FORMAT = "dp-refimpl budget 2"
NOTE = (
    "Sum of the mean squared errors over X for n users, every f_x = m/d, each mechanism at the largest nominal "
    "epsilon whose smallest constant in the reading is at most e^epsilon."
)


@click.command(
    epilog=EXAMPLES + "  dp-refimpl budget\n  dp-refimpl budget --reading joint --epsilon 1 --epsilon 4\n"
    "  dp-refimpl budget --m 8 --K 64 --N 192 --users 100000 --epsilon 'ln(3)' --json"
)
@click.option("--m", type=COUNT, help="Items of a user (with --K and --N; default: the four rows of Table 4).")
@click.option("--K", "k", type=COUNT, help="Sensitive items.")
@click.option("--N", "n", type=COUNT, help="Other items.")
@click.option("--users", type=COUNT, default=1, show_default=True, help="Number of users (with --m, --K, --N).")
@click.option("--epsilon", "epsilons", multiple=True, default=("1",), show_default=True, help="As 0.5, 3/2 or ln(3).")
@click.option("--reading", "readings", type=Name(READINGS), multiple=True, help="Default: all.")
@click.option("--bits", type=click.IntRange(16, 1024), default=128, show_default=True, help="Of the calibrated root.")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of tables.")
def budget(
    m: int | None,
    k: int | None,
    n: int | None,
    users: int,
    epsilons: tuple[str, ...],
    readings: tuple[Reading, ...],
    bits: int,
    as_json: bool,
) -> None:
    """Compare the mechanisms at equal certified privacy: which one makes the best use of the budget.

    Each is run with the largest nominal epsilon whose exact smallest constant, in a reading of source 002, (11), is at
    most e^epsilon. Constants and errors are the closed forms of proved claims.
    """
    blocks = list(documents(_sizes(m, k, n, users), epsilons, readings or READINGS, bits))
    report({"format": FORMAT, "note": NOTE, "comparisons": blocks}, text(blocks), as_json)


def documents(
    sizes: Mapping[str, Size], epsilons: tuple[str, ...], readings: tuple[Reading, ...], bits: int = 128
) -> Iterator[dict[str, Any]]:
    """A comparison for every size, epsilon and reading, as plain data with decimals right to one unit of the last."""
    for name, size in sizes.items():
        for epsilon in epsilons:
            for reading in readings:
                rows = compared(reading, size, epsilon, bits)
                yield {
                    "data": name,
                    "users": size.users,
                    "m": size.m,
                    "K": size.k,
                    "N": size.n,
                    "epsilon": epsilon,
                    "reading": reading,
                    "best": list(best(rows)),
                    "mechanisms": {row.mechanism: _entry(row) for row in rows},
                }


def text(blocks: Sequence[Mapping[str, Any]]) -> Iterator[str | Table]:
    """The best mechanism and all in a table, for every block; where constants are from; and the answers."""
    for block in blocks:
        yield winner(block)
        yield _table(block)
    yield NOTE
    rows = (row for block in blocks for row in block["mechanisms"].values() if "claim" in row)
    yield from (f"  constant from {claim}" for claim in dict.fromkeys(row["claim"] for row in rows))
    yield from map(answer, blocks)


def winner(block: Mapping[str, Any]) -> str:
    """Which mechanism makes the best use of the budget, by how much, and why."""
    sizes = f"n={block['users']}, " + ", ".join(f"{name}={block[name]}" for name in ("m", "K", "N"))
    lead = f"{block['data']} ({sizes})" if block["data"] else sizes
    asked = f"{lead}, reading {block['reading']}, epsilon {block['epsilon']}: "
    rows = block["mechanisms"]
    unknown = [name for name, row in rows.items() if row["status"] == "unknown"]
    left = f" No proved claim gives constant and error of {', '.join(unknown)} here." if unknown else ""
    if not block["best"]:
        if len(unknown) == len(rows):
            return f"{asked}no proved claim gives constant and error of any mechanism here."
        return f"{asked}no mechanism {'is known to have' if unknown else 'has'} a finite constant.{left}"
    totals = {name: Decimal(row["error_sum"]) for name, row in rows.items() if "error_sum" in row}
    first, *equal = block["best"]
    names = " and ".join(block["best"])
    others = {name: total for name, total in totals.items() if name not in block["best"]}
    line = f"{asked}{names} {'have' if equal else 'has'} the smallest {'known ' if unknown else ''}error, "
    line += f"{totals[first]:.4g}"
    if others:
        following = min(others, key=others.__getitem__)
        line += f"; next is {following} with {others[following] / totals[first]:.3g} times as much"
    spent = Decimal(rows[first]["nominal_epsilon"])
    return f"{line}. Nominal epsilon {spent:.4g} spends the budget in this reading.{left}"


def answer(block: Mapping[str, Any]) -> str:
    """The error of the best mechanism in users, what its reports show, and the expression that makes it."""
    sizes = f"m={block['m']}, K={block['K']}, N={block['N']}"
    where = f"{block['data'] or sizes}, reading {block['reading']}, epsilon {block['epsilon']}"
    if not block["best"]:
        unknown = any(row["status"] == "unknown" for row in block["mechanisms"].values())
        return f"Answer: {where}: none of the mechanisms {'is known to' if unknown else 'can'} promise it."
    name = block["best"][0]
    row = block["mechanisms"][name]
    users = block["users"] * (Decimal(row["error_sum"]) / (block["K"] + block["N"])).sqrt()
    shows = name in SHOWING and block["N"] > 0
    clear = "items that are not sensitive, in the clear" if shows else "no item in the clear"
    return (
        f"Answer: {where}: the estimated number of users who hold an item is off by about {rounded(users)} of "
        f"{block['users']:,} (standard deviation), reports show {clear}: {expression(block, name)} from dp_refimpl."
    )


def expression(block: Mapping[str, Any], name: str) -> str:
    """The calibrated mechanism in Python, its nominal epsilon rounded down to four digits."""
    k, d = block["K"], block["K"] + block["N"]
    row = block["mechanisms"][name]
    epsilon = Context(prec=4, rounding=ROUND_DOWN).plus(Decimal(row["nominal_epsilon"]))
    items = f"sensitive=range({k}), nonsensitive=range({k}, {d})" if name in SHOWING else f"d={d}"
    chosen = f", k={row['k']}" if "k" in row else ""
    return f"{name}({items}, m={block['m']}{chosen}, epsilon='{epsilon}')"


def _entry(row: Row) -> dict[str, Any]:
    calibration = row.calibration
    if calibration is None:
        return {"status": row.status}
    constant: Constant = calibration.constant
    with precision(256):
        nominal = decimals(calibration.nominal)
    document = {
        "status": row.status,
        "claim": constant.claim,
        "root": str(calibration.root),
        "power": constant.power,
        "nominal_epsilon": nominal,
        "unused": str(calibration.unused),
    }
    if row.total is not None:
        document["error_sum"] = decimals(row.total)
    return document if row.choice is None else document | {"k": row.choice}


def _sizes(m: int | None, k: int | None, n: int | None, users: int) -> Mapping[str, Size]:
    sizes = {"--m": m, "--K": k, "--N": n}
    missing = [name for name, number in sizes.items() if number is None]
    if m is None and k is None and n is None:
        if users != 1:
            raise DomainError("--users", users, "given with --m, --K and --N (Table 4 has its own numbers of users)")
        return TABLE4
    if m is None or k is None or n is None:
        raise MissingError(", ".join(missing), "give all of --m, --K and --N, or none of them")
    return {"": Size(users, m, k, n)}


def _table(block: Mapping[str, Any]) -> Table:
    table = grid("mechanism", "nominal epsilon", "sum of MSE")
    for name, row in block["mechanisms"].items():
        cell = row.get("error_sum", row["status"])
        label = name + (f" (k={row['k']})" if "k" in row else "")
        style = "bold green" if name in block["best"] else "" if "error_sum" in row else "dim"
        table.add_row(label, row.get("nominal_epsilon", ""), cell, style=style)
    return table
