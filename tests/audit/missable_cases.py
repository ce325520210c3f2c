"""The cases of `targets/missable.py` and `missable_at_exit.py`: by name the oracle's parameters, and whether they are
correct."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from audit.targets import missable, missable_at_exit

MANY, AT_EXIT = (Path(str(module.__file__)) for module in (missable, missable_at_exit))


@dataclass(frozen=True)
class Case:
    """A target, its oracle, and what an audit of it must say: `fault`, or `fine` (nothing to object to)."""

    name: str
    expected: str = "fault"
    oracle: str = "GRR"
    parameters: Mapping[str, object] = field(default_factory=lambda: {"d": 4, "epsilon": 1.0})
    file: Path = MANY


_OUE = {"d": 3, "epsilon": 1.0}
STATE = (
    *("Third", "Tenth", "EveryTenth", "Thousandth", "AfterHundred", "Drifts", "RepeatsTheThird"),
    *("ReturnsToTheFirstItem", "RemembersFromTheThird", "RaisesAtTheHundredth", "PoolOfNoise", "SeedOfTheClient"),
    *("every_thousandth_call", "every_hundredth_call", "every_seventh_call", "every_fiftieth_call_is_zero"),
    *("after_many_calls", "own_generator", "of_the_item", "blocks_twice"),
)
REPORTS = (
    *("Int8", "UInt8", "Int16", "UInt16", "Float16", "OneLess", "LastReports", "FirstReports", "NumberOfUsers"),
    *("ClippedCounts", "SingleForMany", "LosesOne", "ClippedForMany", "RaisesForMany", "RoundedForMany"),
    "CountsTheBatchAgain",
    "LosesOneInThreads",
)
INPUTS = ("numpy_unperturbed", "numpy_less_noise")
BESIDE = (*("below_python", "warned", "in_the_environment", "warned_for_one", "numpy_warns"),)
NOTICE = (
    *("sees_lazy_draws", "sees_the_profile", "sees_replaced_functions", "sees_numpy", "sees_modules"),
    *("sees_its_name", "sees_variables"),
)
CLOCKS = ("at_night", "more_at_night", "Expires", "later")
PARAMETERS = (
    *("Stale", "StaleServer", "StaleProperty", "StaleKeywords", "StaleClient", "DefaultsDisagree", "RefusesValidSizes"),
)
OTHERS = (
    *("raises_rarely", "raises_for_one", "RaisesTheSecondTime", "a_little_less_noise", "last_item_lies_less"),
    *("biased_coin", "biased_share", "biased_unpacked", "wrong_beyond"),
)
FAULTS = (
    *(Case(name) for name in (*STATE, *REPORTS, *INPUTS, *BESIDE, *NOTICE, *CLOCKS, *PARAMETERS, *OTHERS)),
    Case("shared_coin", oracle="OUE", parameters=_OUE),
    Case("OUEThird", oracle="OUE", parameters=_OUE),
    Case("oue_every_hundredth", oracle="OUE", parameters=_OUE),
    Case("grr", parameters={"d": 4, "epsilon": 29.0}),
    Case("grr", parameters={"d": 4, "epsilon": 40.0}),
    Case("says_at_exit", file=AT_EXIT),
    Case("SaysAtExit", file=AT_EXIT),
)
_FINE = (
    *("grr", "GRR", "Counted", "chosen", "of_numpy", "strict", "of_secrets", "logs_calls", "logs_reports"),
    *("deprecated", "cached", "timed", "Updated", "UpdatedByKeywords", "wide_coin", "entropy", "of_own_budget"),
    *("blocks_once",),
)
CORRECT = (
    *(Case(name, "fine") for name in _FINE),
    Case("oue", "fine", "OUE", _OUE),
    Case("oue_of_arrays", "fine", "OUE", _OUE),
    Case("subset", "fine", "SS", {"d": 4, "epsilon": 1.0, "k": 2}),
    Case("grr", "fine", parameters={"d": 4, "epsilon": 20.0}),
    Case("grr", "fine", parameters={"d": 2, "epsilon": 0.01}),
    Case("grr", "fine", file=AT_EXIT),
    Case("GRR", "fine", file=AT_EXIT),
)
CASES = (*FAULTS, *CORRECT)
