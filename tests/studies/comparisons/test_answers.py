"""The last line of a decision command: its number is that of the table, and its expression makes the mechanism."""

import json
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

import click
import pytest
from click.testing import CliRunner

import dp_refimpl
from dp_checks.runtime.boundary import COUNT
from dp_checks.runtime.terminal import rounded
from dp_command import main
from dp_refimpl.matrix.parameters import Neighbors
from dp_refimpl.matrix.workload_totals import Workload
from dp_studies.comparisons.amplification.text import answer as shuffled
from dp_studies.comparisons.budget import command as budget
from dp_studies.comparisons.frequency_oracles import command as oracles
from dp_studies.comparisons.frequency_oracles.candidates import SKETCHES
from dp_studies.comparisons.strategies import command as strategies
from dp_studies.comparisons.strategies.candidates import NAMES, Setting

CLOSE = Decimal("0.005")
"""Relative: three digits."""
COMMANDS: Mapping[str, Callable[[dict[str, Any]], Decimal]] = {
    "strategies --counts 64": lambda page: Decimal(page["strategies"][0]["error"]["average"]).sqrt(),
    "strategies --n 64 --by worst": lambda page: Decimal(page["strategies"][0]["error"]["worst"]).sqrt(),
    "frequency-oracles --items 64 --users 10^6": lambda page: (
        10**6 * Decimal(page["mechanisms"][page["best"][0]]["variance"]).sqrt()
    ),
    "budget --m 2 --K 4 --N 4 --users 1e6 --reading joint": lambda page: (
        10**6 * (error_sum(page["comparisons"][0]) / 8).sqrt()
    ),
}


def error_sum(block: Mapping[str, Any]) -> Decimal:
    return Decimal(block["mechanisms"][block["best"][0]]["error_sum"])


@pytest.mark.parametrize("command", COMMANDS)
def test_an_answer_has_the_number_of_its_table(command: str) -> None:
    text, page = (CliRunner().invoke(main, [*command.split(), *more]).output for more in ([], ["--json"]))
    said = re.search(r"off by about ([0-9.,]+)", text.splitlines()[-1])
    made = re.search(r"([A-Z]\w+)(\(.*\)) from dp_refimpl\.$", text.splitlines()[-1])
    assert said is not None
    assert made is not None
    assert abs(Decimal(said[1].replace(",", "")) / COMMANDS[command](json.loads(page)) - 1) <= CLOSE
    names = {name: getattr(dp_refimpl, name) for name in (made[1], "Root", "AllFunctions")}
    assert type(eval(made[1] + made[2], names)).__name__ == made[1]


@pytest.mark.parametrize("name", NAMES)
def test_the_expression_of_a_strategy_is_the_strategy(name: str) -> None:
    document = strategies.document(Setting(4, Workload("ranges"), Neighbors.ADD_REMOVE), "1", [name])
    for row in document["strategies"]:
        names = {name: getattr(dp_refimpl, name) for name in dp_refimpl.matrix.__all__}
        mechanism = eval(strategies.expression(row), names)
        assert str(mechanism.scale(Neighbors.ADD_REMOVE)) == row["scale"] or name == "HaarOrthonormal"
        assert mechanism.size == row["size"]


def test_every_mechanism_that_can_win_is_made_by_its_expression() -> None:
    blocks = budget.documents(budget._sizes(2, 4, 4, 10), ("1",), ("joint",))
    (block,) = blocks
    made = [name for name, row in block["mechanisms"].items() if "error_sum" in row]
    assert len(made) > 5
    for name in made:
        assert type(eval(budget.expression(block, name), {name: getattr(dp_refimpl, name)})).__name__ == name


def test_every_frequency_oracle_is_made_by_its_expression_with_its_parameter() -> None:
    """But sketches, whose functions nobody has chosen."""
    page = json.loads(
        CliRunner().invoke(main, ["frequency-oracles", "--items", "16", "--epsilon", "2", "--json"]).output
    )
    for name, row in page["mechanisms"].items():
        made, _, more = oracles.expression(page, name).partition(" from dp_refimpl")
        if name in SKETCHES:
            assert more == f", given a list of functions of the items to {row['b']} columns"
            continue
        mechanism = eval(made, {name: getattr(dp_refimpl, name) for name in ("AllFunctions", made.partition("(")[0])})
        assert (getattr(mechanism, "k", None), getattr(mechanism, "g", None)) == (row.get("k"), row.get("b"))


ENDS = {"lower": {"value": "0.12341"}, "upper": {"value": "0.12342"}}
SHUFFLED = {
    "epsilon": "spend at most epsilon = 0.124 at delta = 1e-8 when each of 1,000 users may spend 4.",
    "delta": "spend at most delta = 0.124 at epsilon = 0.1 when each of 1,000 users may spend 4.",
    "epsilon0": "may spend epsilon0 = 0.123, and the shuffled reports spend at most epsilon = 0.1 at delta = 1e-8.",
    "dummies": "0.124 dummies are enough for epsilon = 0.1 at delta = 1e-8 when each of 1,000 users may spend 4.",
}


@pytest.mark.parametrize("asked", SHUFFLED)
def test_an_end_is_rounded_to_the_safe_side(asked: str) -> None:
    row = {"asked": asked, "users": 1000, "epsilon0": "4", "epsilon": "1/10", "delta": "1e-8", **ENDS}
    assert shuffled(row).endswith(SHUFFLED[asked])


@pytest.mark.parametrize(
    ("written", "number"), [("12", 12), ("1e6", 10**6), ("10^6", 10**6), ("2E+3", 2000), ("-1", -1), (7, 7)]
)
def test_integers_are_written_in_three_ways(written: object, number: int) -> None:
    assert COUNT.convert(written, None, None) == number


@pytest.mark.parametrize("written", ["", "1.5", "1e", "10^", "10^-1", "1e-3", "ten", "10^100", "1_000"])
def test_what_is_no_integer_is_refused(written: str) -> None:
    with pytest.raises(click.BadParameter, match="10\\^6"):
        COUNT.convert(written, None, None)


@pytest.mark.parametrize(("number", "text"), [("1917.5", "1,920"), ("0.0304284", "0.0304"), ("4.9e-50", "4.9e-50")])
def test_numbers_for_people(number: str, text: str) -> None:
    assert rounded(Decimal(number)) == text
