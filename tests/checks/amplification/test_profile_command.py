"""`dp-refimpl profile`: its knots are what the kernel's own enumeration has; it says where it stops."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from dp_checks.amplification.setting import Setting, fraction
from dp_checks.certificate import plain
from dp_checks.kernel.check import check
from dp_checks.kernel.work import Rejected
from dp_command import main


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["profile", *arguments])


def holds(setting: Setting, e: Fraction, delta: Fraction) -> bool:
    """Whether the kernel finds by enumeration that delta is not exceeded."""
    body = plain(setting.divergence(fraction(e), delta).json())
    try:
        check(body, "proved", {"instances": [{"values": {}, "by": "all data sets"}]})
    except Rejected:
        return False
    return True


@pytest.mark.parametrize(
    ("setting", "options"),
    [
        (Setting("krr", 3, "ln(3)", 3), ("--epsilon0", "ln(3)")),
        (Setting("krr", 4, "ln(3/2)", 2, 1), ("--epsilon0", "ln(3/2)", "--dummies", "1")),
        (Setting("krr", 2, "ln(3)", 3, 2), ("--epsilon0", "ln(3)", "--dummies", "2")),
    ],
)
def test_knots_are_those_of_the_kernel(setting: Setting, options: tuple[str, ...]) -> None:
    done = run("--k", str(setting.labels), "--n", str(setting.users), *options, "--json")
    assert done.exit_code == 0, done.output
    knots: list[Any] = json.loads(done.stdout)["knots"]
    assert len(knots) > 1
    for knot in knots:
        e, delta = Fraction(knot["e"]), Fraction(knot["delta"])
        assert holds(setting, e, delta)
        assert delta == 0 or not holds(setting, e, delta * Fraction(999_999, 1_000_000))
        assert sum(knot["pair"]["others"]) == setting.users - 1


def test_a_picture(tmp_path: Path) -> None:
    """The same bytes every time; of another kind than asked for, none."""
    for name in ("a.svg", "b.svg", "c.png"):
        done = run("--k", "3", "--n", "4", "--epsilon0", "ln(3)", "--plot", str(tmp_path / name))
        assert done.exit_code == 0, done.output
    one, two, three = (path.read_bytes() for path in sorted(tmp_path.iterdir()))
    assert one == two
    assert b"worst of all data sets" in one
    assert three.startswith(b"\x89PNG")
    done = run("--k", "3", "--n", "4", "--epsilon0", "ln(3)", "--plot", str(tmp_path / "d.pdf"))
    assert (done.exit_code, "--plot" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--k", "1", "--n", "3", "--epsilon0", "ln(2)"), "--k = 1"),
        (("--k", "2", "--n", "0", "--epsilon0", "ln(2)"), "--n = 0"),
        (("--k", "4", "--n", "900", "--epsilon0", "ln(2)"), "at most 21 users"),
        (("--k", "50", "--n", "2", "--mechanism", "olh", "--epsilon0", "ln(2)"), "--k = 50"),
        (("--k", "2", "--n", "3", "--epsilon0", "1"), "ln(rational)"),
        (("--k", "2", "--n", "3"), "--epsilon0"),
        (("--k", "2", "--n", "3", "--mechanism", "aue"), "--chance"),
        (("--k", "2", "--n", "3", "--mechanism", "aue", "--chance", "2"), "--chance = '2'"),
        (("--k", "2", "--n", "3", "--mechanism", "dump", "--dummies", "-1"), "--dummies = -1"),
    ],
)
def test_bad_input_is_one_line(arguments: tuple[str, ...], words: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert words in done.stderr
