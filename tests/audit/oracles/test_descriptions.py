"""What `audit oracles NAME` says: every mechanism and parameter, with values that are accepted as they are typed."""

import re
import shlex
from collections.abc import Hashable
from itertools import pairwise

import pytest
from click.testing import CliRunner

from dp_audit.oracles import GROUPS, KINDS, oracle
from dp_audit.oracles.base import Number, Oracle
from dp_audit.oracles.descriptions import example, explained
from dp_command import main

SHARES = ("GRR", "RR", "SUE", "OUE", "UE", "THE", "SS", "LH", "FLH", "LH-ideal", "CMS", "PrivSet", "Wheel", "L-OSUE")
"""Mechanisms whose estimator is one of shares."""


@pytest.mark.parametrize("name", KINDS)
def test_values_are_accepted_as_text(name: str) -> None:
    kind = KINDS[name]
    needed = example(kind)
    assert oracle(name, needed).inputs
    for parameter in kind.optional - {"relation", "view"}:
        assert oracle(name, {**needed, parameter: kind.described(parameter)[1]}).inputs


@pytest.mark.parametrize("name", KINDS)
def test_a_mechanism_is_explained_with_a_command(name: str) -> None:
    said = explained(name).splitlines()
    assert said[0].startswith(f"{name}: ")
    assert KINDS[name].law in said[0]
    assert all(any(line.startswith(f"  {parameter}: ") for line in said) for parameter in KINDS[name].parameters)
    words = shlex.split(next(line for line in said if line.startswith("$ ")))
    typed = dict(word.split("=", 1) for flag, word in pairwise(words) if flag == "--param")
    assert typed == example(KINDS[name])


@pytest.mark.parametrize("name", KINDS)
def test_the_stated_estimator_is_that_of_lists_too(name: str) -> None:
    stated = re.search(r"that is .*, p = (\S+), q = (\S+)", explained(name))
    reference = oracle(name, example(KINDS[name]))
    reports = [report for item in reference.inputs[:2] for report in list(reference.law(item))[:4]]
    if stated is None:
        assert name not in SHARES
        return
    p, q = map(float, stated.groups())
    for some in (reports, reports[:3], reports[-1:] * 2):
        shares = [
            sum(float(x) > 0 for x in column) / len(some) for column in zip(*singles(reference, some), strict=True)
        ]
        estimates = reference.estimate(some)
        assert estimates is not None
        assert [(s - q) / (p - q) for s in shares] == pytest.approx([float(x) for x in estimates], rel=1e-3, abs=1e-3)


def singles(reference: Oracle, reports: list[Hashable]) -> list[tuple[Number, ...]]:
    """The estimates from every report by itself."""
    return [reference.estimate([report]) or () for report in reports]


def test_the_command_and_its_json_say_it() -> None:
    run = CliRunner().invoke(main, ["audit", "oracles", "exponential"])
    assert explained("Exponential") in run.output
    assert "'utilities=[[0, 1, 2], [1, 1, 1]]'" in run.output
    listed = CliRunner().invoke(main, ["audit", "oracles", "--json"])
    assert '"means"' in listed.output
    assert KINDS["THE"].law in listed.output


def test_the_list_has_every_oracle_below_its_group_and_alike_ones_in_a_line() -> None:
    listed = CliRunner().invoke(main, ["audit", "oracles"]).output
    places = [listed.index(group[:30]) for group in GROUPS]
    assert places == sorted(places)
    for kinds, start, end in zip(GROUPS.values(), places, [*places[1:], None], strict=True):
        assert set(kinds) <= set(re.findall(r"[\w-]+", listed[start:end]))
    assert "GRR, SUE, OUE" in listed
