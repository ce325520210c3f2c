"""`dp-refimpl table`: the exact output law of a mechanism."""

import json
from typing import Any

import click

from dp_checks.arguments import named_values
from dp_checks.runtime.boundary import EXAMPLES
from dp_checks.tables import mechanism_table
from dp_spec.vocabulary.items import Report
from dp_spec.vocabulary.real import Real


@click.command(
    epilog=EXAMPLES
    + "  dp-refimpl table grr --param d=3 --param epsilon='ln(3)'\n"
    + "  dp-refimpl table sugrr --param K=2 --param N=1 --param m=2 --param epsilon='2*ln(2)' --param view=set\n"
    + "  dp-refimpl table suwheel --param K=1 --param N=1 --param m=1 --param epsilon='ln(2)' --param hash=0,1/2\n"
    + "  dp-refimpl table rappor --param d=2 --param epsilon=1 --digits 20\n"
    + "  dp-refimpl table olh --param d=2 --param epsilon=1\n"
    + "  dp-refimpl table cms --param d=2 --param epsilon='2*ln(2)' --param m=2 --param 'functions=[[0,1],[1,1]]'\n"
    + "  dp-refimpl table privbayes --param sizes=2,2 --param n=1 --param epsilon=1 --param published=networks"
)
@click.argument("mechanism", metavar="MECHANISM")
@click.option("--param", "parameters", multiple=True, metavar="NAME=VALUE", help="epsilon, K (or d), N, m, sizes, ...")
@click.option("--digits", type=click.IntRange(1, 10000), help="Decimals instead of exact numbers.")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of text.")
def table(mechanism: str, parameters: tuple[str, ...], digits: int | None, as_json: bool) -> None:
    """Print the exact output law of a mechanism for every input."""
    values = named_values(parameters)
    channel = mechanism_table(mechanism, values)
    rows = {
        _set(s): {_report(y): _number(p, digits, as_json) for y, p in row.items()} for s, row in channel.rows.items()
    }
    if as_json:
        click.echo(
            json.dumps({"mechanism": mechanism, "parameters": values, "rows": rows}, indent=1, ensure_ascii=False)
        )
        return
    for s, row in rows.items():
        click.echo(s)
        for y, p in row.items():
            click.echo(f"  {y:40} {p}")


def _set(items: Any) -> str:
    if not isinstance(items, frozenset):
        return str(items)
    return "{" + ", ".join(str(x) for x in sorted(items, key=str)) + "}"


def _report(report: Any) -> str:
    if not isinstance(report, Report):
        return _released(report)
    labels = report.protected if isinstance(report.protected, tuple) else (report.protected,)
    y0 = " ".join("-" if z is None else str(z) for z in labels)
    return f"y0 = ({y0})" + (f", I = {_set(report.invertible)}" if report.invertible else "")


def _released(part: Any) -> str:
    """What is released of a table: networks, joint tables, conditional distributions, rows."""
    return f"({', '.join(map(_released, part))})" if isinstance(part, tuple) else str(part)


def _number(number: Any, digits: int | None, as_json: bool) -> str:
    exact = Real.lift(number)
    return exact.decimal(digits) if digits is not None else exact.exact() if as_json else str(exact)
