"""What an oracle says it rests on is in the ledger, proved or verified; what is named nowhere is uncertified."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, get_args

import pytest

from dp_audit.oracles import KINDS, certificate, oracle
from dp_audit.oracles.catalogue import KINDS as CATALOGUE
from dp_audit.oracles.relations import READINGS
from dp_audit.oracles.synthesis import KINDS as SYNTHESIS
from dp_audit.oracles.synthesis import SELECTED
from dp_checks.ledger import load_ledger
from dp_refimpl.frequency.sugrr import View
from dp_refimpl.mechanisms import RECORDS
from dp_refimpl.records import always
from dp_refimpl.synthesis.privbayes import SCORES
from dp_spec.vocabulary.exceptions import DomainError

SOUND = ("proved", "verified")
LEDGER = load_ledger()
OTHERS = {"GRR", "SUE", "OUE", "THE", "SS", "LH", "FLH", "LH-ideal", "HM", "CMS", "HCMS", "RR"}
"""Mechanisms with oracles of their own."""


def settings(name: str) -> Iterator[dict[str, str]]:
    """Every choice of the parameters that the ids of a kind may depend on."""
    parameters = KINDS[name].parameters
    choices: dict[str, tuple[str | None, ...]] = {}
    if "view" in parameters:
        choices["view"] = (None, *(get_args(View) if name == "SuGRR" else ("vector", "multiset")))
    if "relation" in parameters:
        choices["relation"] = (None, *READINGS)
    if name in ("TableSelection", "GreedyBayes"):
        choices["score"] = (None, *(SELECTED if name == "TableSelection" else SCORES))
    if "release" in parameters:
        choices["release"] = (None, "joints", "data", *["conditionals"] * (name == "NoisyJoints"))
    if name == "CalibratedHMPrivBayes":
        choices["matrix"] = (None, "[[0, 1], [1, 0]]")
    if name == "URAP":
        choices["theta"] = (None, "1/2")
    for values in product(*choices.values()):
        yield {key: value for key, value in zip(choices, values, strict=True) if value is not None}


def unsound(ids: tuple[str, ...]) -> list[str]:
    """The ids that are not in the ledger, or whose verdict is another one."""
    return [i for i in ids if i not in LEDGER or LEDGER[i].verdict not in SOUND]


@pytest.mark.parametrize("name", KINDS)
def test_every_named_id_is_proved_or_verified(name: str) -> None:
    for parameters in settings(name):
        ids = KINDS[name].certified(parameters)
        assert unsound(ids) == [], parameters
        assert len(set(ids)) == len(ids)


def test_all_mechanisms_of_the_core_are_certified_and_others_are_not() -> None:
    assert all(record.claims({}) and not unsound(record.claims({})) for record in RECORDS.values())
    certified = {name for name, kind in KINDS.items() if kind.certified({})}
    assert certified == {*CATALOGUE, *OTHERS, *SYNTHESIS} - {"Public"}
    for name in CATALOGUE:
        assert all(KINDS[name].certified(parameters) for parameters in settings(name))


@pytest.mark.parametrize("name", RECORDS)
def test_an_id_is_about_that_mechanism_and_not_another_one(name: str) -> None:
    """A statement with the name of a mechanism is named by the oracle of that mechanism."""
    words = {
        "SuGRR": (".sugrr.", "eq13", "eq16"),
        "SuGRRSample": (".sugrrsample.", "eq13", "eq17"),
        "SuRAP": (".surap.", "eq18", "eq21"),
        "SuRAPSample": (".surapsample.", "eq18", "eq22"),
        "GRRSplit": (".grrsplit.", ".grr.eq5.norm"),
        "GRRSample": (".grrsample.", ".grr.eq5.norm"),
        "RAPPORSet": (".rappor.",),
        "SuWheel": ("alg1", "thm7", "thm8"),
        "Wheel": (".wheel.", "alg1"),
        "SubsetSelection": (".privset.",),
        "ClientCMS": ("004.client.", "004.server.", "004.agg.", "004.supp."),
        "FLH": (".olh.", ".flh."),
        "HadamardResponse": (".hr.",),
        **dict.fromkeys(("LocalHashing", "BLH"), (".olh.",)),
    }.get(name, (f".{name.lower()}.",))
    kinds = [KINDS[kind].certified for kind in RECORDS[name].oracles or ()] or [RECORDS[name].claims]
    for i in kinds[0]({}):
        assert any(word in i for word in words), i


@pytest.mark.parametrize("name", CATALOGUE)
def test_the_reading_that_is_judged_is_the_one_that_is_certified(name: str) -> None:
    """Where a reading is chosen, the id of its privacy is named exactly if the ledger does not refute it."""
    if "relation" not in KINDS[name].parameters:
        return
    for relation in READINGS:
        named = [i for i in KINDS[name].certified({"relation": relation}) if "eq11" in i]
        assert all(relation in i for i in named)
        held = {"SuGRR": "thm1.sugrr.eq11@multiset-", "SuGRRSample": "thm1.sugrrsample.eq11@", "SuWheel": "thm7.eq11@"}
        prefix = held.get(name, f"thm4.{name.lower()}.eq11@")
        ids = [i for i in LEDGER if i.startswith(f"002.{prefix}") and i.endswith(relation)]
        sound = [i for i in ids if LEDGER[i].verdict in SOUND and "bot-out" not in i and "whole" not in i]
        assert named == sound


def test_reports_by_position_are_certified_in_the_reading_that_holds() -> None:
    """Sensitive items come first, where a mechanism is made of sizes."""
    named = {r: KINDS["SuGRR"].certified({"view": "position", "relation": r}) for r in READINGS}
    corrected = "002.thm1.sugrr.eq11@position-samenon.corrected"
    assert [r for r, ids in named.items() if any("eq11" in i for i in ids)] == ["samenon"]
    assert corrected in named["samenon"]


def test_thresholds_are_certified_between_0_and_1() -> None:
    sizes: dict[str, Any] = {"d": 3, "epsilon": 1.0}
    of_the = always("the.privacy", "the.unbiased", "the.var", source="lit.wang2017")({})
    assert certificate("THE", sizes) == of_the
    assert all(certificate("THE", {**sizes, "theta": theta}) == of_the for theta in (0.001, "1/2", 0.7, 0.999))
    assert all(certificate("THE", {**sizes, "theta": theta}) == () for theta in (-1, 0, 1, "3/2"))


@pytest.mark.parametrize("planted", ["002.thm1.sugrr.eq11@set-marginal", "002.base.wheel.bound", "002.no.such.id"])
def test_an_id_that_is_refuted_unchecked_or_missing_is_found(planted: str) -> None:
    assert unsound((*KINDS["SuGRR"].certified({}), planted)) == [planted]
    assert unsound(always(planted.removeprefix("002."))({})) == [planted]


def test_parameters_are_read_before_ids_are_named() -> None:
    parameters: Mapping[str, Any] = {"K": 2, "N": 1, "m": 2, "epsilon": 1.0}
    assert certificate("sugrr", parameters) == KINDS["SuGRR"].certified({})
    assert certificate("su-grr", {**parameters, "view": "SET"}) == KINDS["SuGRR"].certified({"view": "set"})
    assert certificate("OUE", {"d": 3, "epsilon": 1.0}) == always(
        "oue.privacy", "oue.unbiased", "oue.var", source="lit.wang2017"
    )({})
    with pytest.raises(DomainError):
        certificate("SuGRR", {"K": 2})
    assert oracle("SuGRR", parameters)
