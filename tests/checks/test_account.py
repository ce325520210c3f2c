"""`dp-refimpl account`: the accounts of all mechanisms on tables, and what is refused."""

import json
import shlex
from typing import Any

import pytest
from click.testing import CliRunner

import dp_refimpl
from cases.commands import bad_command_test
from dp_command import main
from dp_refimpl import syntheses

PARAMETERS = {
    "HMPrivBayes": "--param d=52 --param k=5 --param weights=DATA",
    "PrivBayes": "--param d=52 --param degree=3 --param beta=0.3",
    "Jtree": "--param d=4 --param part=1/3",
    "ReconstructedSCBN": "",
    "NoPrivacy": "",
    "ExponentialMechanism": "--param score=R",
    "DPSC": "--param d=52 --param draws=twice",
    "IBayes": "",
    "HnoisyConditionals": "--param weights=DATA",
}
CORRECTED = "003.alg3.dp@matrix.once.ro.corrected"


def said(arguments: str) -> str:
    done = CliRunner().invoke(main, ["account", *shlex.split(arguments)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize("name", PARAMETERS)
@pytest.mark.parametrize("relation", ["ro", "ar"])
def test_json_is_the_account(name: str, relation: Any) -> None:
    document = json.loads(said(f"{name} {PARAMETERS[name]} --param epsilon=2/3 --relation {relation} --json"))
    assert document["mechanism"] == name
    for spent in (*document["stages"], *document["releases"]):
        assert spent["certified"] is None or set(spent["statements"].values()) <= {"proved", "verified"}
    assert document["law"]
    assert set(document["law"].values()) <= {"proved", "verified"}
    transcript = document["releases"][-1]["certified"]
    assert (transcript is None) == (document["calibrated"] is None)


def test_lines() -> None:
    lines = said("hmprivbayes --param d=4 --param k=2 --param epsilon=11").splitlines()
    assert lines[0] == "HMPrivBayes, d = 4, k = 2, epsilon = 11; a record is replaced"
    assert lines[3].split() == ["matrix", "3", "6", "by", CORRECTED, "(verified)"]
    assert [line.split() for line in lines[9:12]] == [
        ["partition", "3", "6"],
        ["networks", "7", "14"],
        ["joints", "11", "22"],
    ]
    assert lines[-2] == "certified for the transcript is 11 at epsilon = 11/2"
    assert lines[-1].startswith("by 003.thm1.dp@transcript.fixed.ro.corrected (verified), ")
    assert lines[-4].startswith("its law: 003.alg2.order@prose (verified), ")
    assert "none  see 003.sec34.needed (verified)" in said("noprivacy --param epsilon=1")
    assert "none  see 003.base.privbayes.joints.ar (proved)" in said(
        "privbayes --param d=2 --param degree=1 --param epsilon=1 --relation ar"
    )


def test_every_mechanism_on_tables_is_exported_and_has_an_account() -> None:
    assert PARAMETERS.keys() == syntheses.SYNTHESES.keys() <= set(syntheses.__all__)
    assert set(syntheses.__all__) <= set(dp_refimpl.__all__)
    assert all(getattr(dp_refimpl, name) is getattr(syntheses, name) for name in syntheses.__all__)
    assert syntheses.synthesis_of("privscbn").name == "ReconstructedSCBN"


test_bad_arguments = bad_command_test(
    "account",
    [
        ("hmprivbaye --param d=3 --param epsilon=1", "did you mean HMPrivBayes"),
        ("hmprivbayes --param d=3", "epsilon is missing"),
        ("hmprivbayes --param epsilon=1", "d is missing"),
        ("hmprivbayes --param d=3 --param k=4 --param epsilon=1", "k = 4"),
        ("hmprivbayes --param d=x --param epsilon=1", "d = 'x'"),
        ("hmprivbayes --param d=3 --param d=4 --param epsilon=1", "each name once"),
        ("hmprivbayes --param d=3 --param weights=public --param epsilon=1", "public"),
        ("hmprivbayes --param d=3 --param size=4 --param epsilon=1", "size"),
        ("hmprivbayes --param d=3 --param epsilon=-1", "epsilon = '-1'"),
        ("hmprivbayes --param d=3 --param 'epsilon=ln(3)'", "a rational number"),
        ("hmprivbayes --param d=3 --param epsilon=inf", "epsilon"),
        ("hmprivbayes --param d=3 --param epsilon=1 --relation ldp", "ldp"),
        ("privbayes --param d=3 --param degree=1 --param beta=one --param epsilon=1", "one"),
        ("privbayes --param d=3 --param degree=1 --param 'beta=ln(2)' --param epsilon=1", "beta"),
        ("jtree --param d=3 --param part=2 --param epsilon=1", "part"),
    ],
)
