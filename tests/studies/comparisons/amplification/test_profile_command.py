"""`dp-refimpl profile`: its knots are what the kernel's own enumeration has; it says where it stops."""

import json
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cases.commands import bad_command_test
from dp_checks.certificate import json_value
from dp_command import main
from dp_kernel.certificate.check import check
from dp_kernel.meter import Rejected
from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.comparisons.amplification.query import Setting, fraction
from dp_studies.comparisons.amplification.small_n import MECHANISMS, OF_BUDGET, FewUsers, Mechanism


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["profile", *arguments])


def holds(setting: Setting, e: Fraction, delta: Fraction) -> bool:
    """Whether the kernel finds by enumeration that delta is not exceeded."""
    body = json_value(setting.divergence(fraction(e), delta).json())
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


def test_delta_is_constant_from_the_last_knot_on() -> None:
    setting = Setting("dump", 3, None, 2, 2)
    done = run("--mechanism", "dump", "--items", "2", "--users", "3", "--dummies", "2", "--json")
    page = json.loads(done.stdout)
    e, delta = (Fraction(page["knots"][-1][name]) for name in ("e", "delta"))
    assert delta > 0
    for factor in (1, 2, 1000):
        assert holds(setting, factor * e, delta)
        assert not holds(setting, factor * e, delta * Fraction(999_999, 1_000_000))
    assert "constant from the last one on" in page["note"]


def test_the_name_of_the_records_is_known_as_well() -> None:
    options = "--items", "3", "--users", "2", "--epsilon0", "ln(3)", "--json"
    assert run("--mechanism", "GRR", *options).stdout == run("--mechanism", "krr", *options).stdout != ""
    assert run("--mechanism", "LH", *options).stdout == run("--mechanism", "olh", *options).stdout != ""


FUNCTIONS = tuple(product(range(2), repeat=2))
HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
Law = dict[Any, Fraction]


def odhp(hashes: str, each: int, item: int, p: Fraction) -> Law:
    """One user's messages of Algorithm 1 with two items and labels, in order: the report, then the dummies."""
    law: Law = {}
    if hashes == "nohash":
        for first, *rest in product(range(2), repeat=each + 1):
            law[((first,), *((y,) for y in rest))] = (p if first == item else 1 - p) * HALF**each
        return law
    for carried in product(FUNCTIONS, repeat=each + 1 if hashes == "fresh" else 1):
        for sent in product(range(2), repeat=each + 1):
            functions = carried if hashes == "fresh" else carried * (each + 1)
            chance = (p if sent[0] == carried[0][item] else 1 - p) * HALF**each * QUARTER ** len(carried)
            law[tuple(zip(functions, sent, strict=True))] = chance
    return law


def shuffled(data: tuple[int, ...], hashes: str, each: int, p: Fraction) -> Law:
    """What the collector sees, user by user: messages, or bundles that are told apart, in sorted order."""
    law: Law = {(): Fraction(1)}
    for item in data:
        after: Law = {}
        for (messages, a), (sent, b) in product(law.items(), odhp(hashes, each, item, p).items()):
            more = (tuple(sorted(sent)),) if hashes == "shared" else sent
            key = tuple(sorted((*messages, *more)))
            after[key] = after.get(key, Fraction(0)) + a * b
        law = after
    return law


@pytest.mark.parametrize(
    ("hashes", "users", "each"), [("nohash", 3, 2), ("fresh", 2, 1), ("shared", 2, 2), ("sharedsmall", 2, 2)]
)
def test_knots_of_odhp_are_those_of_listed_messages(hashes: str, users: int, each: int) -> None:
    """By a program that shares nothing with ours but the statement."""
    arguments = ("--k", "2", "--n", str(users), "--epsilon0", "ln(3)", "--each", str(each), "--hashes", hashes)
    done = run("--mechanism", "odhp", *arguments, "--json")
    assert done.exit_code == 0, done.output
    laws = {data: shuffled(data, hashes, each, Fraction(3, 4)) for data in combinations_with_replacement((0, 1), users)}
    pairs = [(x, y) for x, y in permutations(laws, 2) if abs(sum(x) - sum(y)) == 1]
    knots = json.loads(done.stdout)["knots"]
    assert len(knots) > 2
    for knot in knots:
        e = Fraction(knot["e"])
        deltas = [sum(max(p - e * laws[y].get(z, 0), Fraction(0)) for z, p in laws[x].items()) for x, y in pairs]
        assert max(deltas) == Fraction(knot["delta"])


def test_dummies_that_are_sent_or_not() -> None:
    """None and all of them are the constant numbers; in between the profile is another one."""
    base = ("--mechanism", "mixdump", "--k", "2", "--n", "3", "--epsilon0", "ln(3)", "--json")
    texts = [run(*base, *more).stdout for more in ((), ("--each", "2", "--sent", "0"))]
    assert texts[0] == texts[1]
    texts = [run(*base, "--each", "2", *more).stdout for more in ((), ("--sent", "1"), ("--sent", "1/2"))]
    assert texts[0] == texts[1] != texts[2]


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_the_largest_number_of_users_is_the_largest(mechanism: Mechanism) -> None:
    """What is refused for one user more is allowed; work is counted in histograms that exist."""
    needs: dict[str, Any] = {"epsilon0": "ln(2)"} if mechanism in OF_BUDGET else {}
    needs |= {"chance": "1/4"} if mechanism == "aue" else {}
    with pytest.raises(DomainError, match="at most") as refused:
        FewUsers(mechanism, 2, 1000, **needs)
    most = int(str(refused.value).split("at most ")[1].split()[0])
    FewUsers(mechanism, 2, most, **needs)
    with pytest.raises(DomainError, match=f"at most {most} users"):
        FewUsers(mechanism, 2, most + 1, **needs)


test_bad_input_is_one_line = bad_command_test(
    "profile",
    [
        ("--k 2 --n 3 --epsilon0 'ln(2)' --each 1", "--each = 1"),
        ("--k 2 --n 3 --mechanism dump --each -1", "--each = -1"),
        ("--k 2 --n 3 --mechanism dump --sent 1/2", "--sent = '1/2'"),
        ("--k 2 --n 3 --epsilon0 'ln(2)' --hashes shared", "--hashes = 'shared'"),
        ("--k 2 --n 3 --mechanism dump --each 2 --sent x", "--sent = 'x'"),
        ("--k 2 --n 3 --mechanism odhp --epsilon0 'ln(2)' --dummies 1", "--dummies = 1"),
        ("--k 3 --n 2 --mechanism odhp --epsilon0 'ln(2)' --hashes sharedsmall", "--k = 3: allowed is 2"),
        (
            "--k 2 --n 2 --mechanism odhp --epsilon0 'ln(2)' --hashes sharedsmall --labels 3",
            "--labels = 3: allowed is 2",
        ),
        (
            "--k 2 --n 2 --mechanism odhp --epsilon0 'ln(2)' --hashes nohash --labels 2",
            "--labels = 2: allowed is nothing",
        ),
        ("--k 2 --n 90 --mechanism odhp --epsilon0 'ln(2)' --each 2", "at most 6 users"),
        ("--k 2 --n 3 --mechanism odhp", "--epsilon0"),
        ("--k 2 --n 3", "--epsilon0 = None: allowed is a number, which krr needs"),
        ("--k 2 --n 3 --mechanism dump --epsilon0 1", "--epsilon0 = '1': allowed is nothing"),
        ("--k 2 --n 3 --epsilon0 'ln(2)' --labels 3", "--labels = 3: allowed is nothing: it is of olh and odhp alone"),
        ("--k 1 --n 3 --epsilon0 'ln(2)'", "--k = 1"),
        ("--k 3 --n 4 --epsilon0 'ln(3)' --plot d.pdf", "--plot"),
        ("--k 2 --n 0 --epsilon0 'ln(2)'", "--n = 0"),
        ("--k 4 --n 900 --epsilon0 'ln(2)'", "at most 21 users"),
        ("--k 50 --n 2 --mechanism olh --epsilon0 'ln(2)'", "--k = 50"),
        ("--k 2 --n 3 --epsilon0 1", "ln(rational)"),
        ("--k 2 --n 3", "--epsilon0"),
        ("--k 2 --n 3 --mechanism aue", "--chance"),
        ("--k 2 --n 3 --mechanism aue --chance 2", "--chance = '2'"),
        ("--k 2 --n 3 --mechanism dump --dummies -1", "--dummies = -1"),
    ],
)
