"""Targets as data: how each is audited, and what its audit says, row by row."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from audit.targets import (
    clients,
    conditions,
    everyday_code,
    faulty_styles,
    hash_files,
    memories,
    missable,
    missable_at_exit,
    missable_bits,
    raw_reports,
    styles,
    types_of_draws,
)
from cases.audit_rows import ABSENT, DECIDED, SOME_FAULT, Said, complaints
from dp_audit import Audit, Options, audit_callable
from dp_audit.judge.estimates_over_hashes import CHECK as FEW
from dp_audit.judge.hash_collisions import CHECK as DRAWS
from dp_audit.judge.sampling_fallback import SECONDS
from running.child_processes import audit_adapter

ANY = "any"
"""However an audit is done."""


@dataclass(frozen=True)
class Case:
    """A target of a module, its oracle, and what an audit with these options says.

    `note`: words of the last one. `at_hand`: the target is not run as a file. `seconds`: of the samples of a fallback,
    which end soon where they have nothing to find.
    """

    module: ModuleType
    name: str
    said: Said
    options: Options
    oracle: str = "GRR"
    parameters: Mapping[str, Any] = field(default_factory=lambda: {"d": 3, "epsilon": 1.0})
    method: str = "exact"
    note: str = ""
    at_hand: bool = False
    seconds: float = 0.2

    def __str__(self) -> str:
        parts = self.name, *(self.parameters[name] for name in ("epsilon", "d", "upper") if name in self.parameters)
        return "-".join(
            (self.module.__name__.rpartition(".")[2], *map(str, parts), "at hand" if self.at_hand else "file")
        )

    def audit(self) -> Audit:
        """The audit of it."""
        if self.at_hand:
            code = getattr(self.module, self.name)
            return audit_callable(code, self.oracle, self.parameters, options=self.options)
        file = Path(str(self.module.__file__))
        return audit_adapter(file, self.name, self.oracle, self.parameters, options=self.options)

    def complaints(self, report: Audit) -> Iterator[str]:
        """What the audit says otherwise."""
        if self.method not in (ANY, report.method):
            yield f"method: {report.method}"
        if self.note not in "".join(report.notes[-1:]):
            yield f"notes: {report.notes}"
        yield from complaints(report.rows, self.said)


# --- what is looked at ------------------------------------------------------------------------------------------------

LAW = Options(users=(), reuse=False, unmodified=False)
EXACT = Options(reuse=False, unmodified=False)
REUSED = Options(unmodified=False)
ESTIMATED = Options(users=(1,), reuse=False, unmodified=False)
PLAIN = Options(users=(), reuse=False)
USED = Options(users=(1,), reuse=False)
COLORED = Options(users=(1,), names=everyday_code.COLORS)
NAMED = Options(users=(), unmodified=False, names=everyday_code.COLORS)
SEEDED = Options(users=(), unmodified=False, hash="cell", conditioned=(3,))
HASHED = Options(users=(), reuse=False, hash="cell_of", conditioned=(3,))
KEPT = Options(users=(), unmodified=False, seconds=None)
FORM = Options(unmodified=False, reuse=False)
ALL_KEPT = Options(users=(), seconds=2.0)

# --- parameters -------------------------------------------------------------------------------------------------------

WINDOW = {"values": [0, 1], "sensitivity": 1, "epsilon": 1.0, "low": -2, "high": 3}
COUNTS = {"counts": [[0, 1], [0, 0]], "sensitivity": 1, "epsilon": 1.0, "low": -1, "high": 1}
ARCS = {"d": 3, "epsilon": 1.0, "m": 1, "hash": "0, 1/4, 3/5"}
SETS = {"d": 4, "epsilon": 1.0, "k": 2}
FOLDED = {"values": "2,3", "sensitivity": "1", "epsilon": "ln(2)", "lower": "0", "upper": "5"}
LH = {"d": 3, "g": 3, "epsilon": 1.0}
FOUR = {"d": 4, "epsilon": 1.0}
LONG = {"d": 2, "eps_perm": 2.0, "eps_1": 1.0}
TWO_TWO = {"sizes": (2, 2), "eps_perm": 2.0, "eps_1": 1.0}
BUCKETS = {"d": 2, "buckets": 2, "bits": 1, "epsilon": 1.0}
FILTERS = {"d": 2, "f": 0.5, "m": 2, "filters": [[[0], [1]], [[1], [0, 1]]]}
SAME_FILTERS = FILTERS | {"filters": [[[0], [1]], [[1], [1]]]}
SPLIT = {"sizes": (2, 2), "buckets": (2, 2), "bits": 1, "epsilon": 2.0}


def written(name: str, said: Said, options: Options = LAW, oracle: str = "GRR", **more: Any) -> Case:
    """Of `everyday_code`."""
    return Case(everyday_code, name, said, options, oracle, **more)


RIGHT = {"law": "fine", "privacy": "fine"}
WRONG = {"law": "fault", "privacy": "fault"}
WRITTEN = (
    written("geometric", RIGHT, EXACT, "Geometric", parameters=WINDOW, at_hand=True),
    written("laplace", RIGHT, EXACT, "Laplace", parameters=WINDOW, at_hand=True),
    written("counts", RIGHT, EXACT, "LaplaceCounts", parameters=COUNTS, at_hand=True),
    written("one_hot", RIGHT, EXACT, at_hand=True),
    written("arcs", RIGHT, EXACT, "Wheel", parameters=ARCS, at_hand=True),
    written("Told", RIGHT, EXACT, at_hand=True),
    written("any_parameters", RIGHT, parameters=FOUR, at_hand=True),
    written("decorated", RIGHT, parameters=FOUR, at_hand=True),
    written("any_parameters", RIGHT, parameters=FOUR),
    written("decorated", RIGHT, parameters=FOUR),
    written("subset_of_two_types", {"law": "fine", "raw output": "fault"}, oracle="SS", parameters=SETS, at_hand=True),
    written("signed_bits", {"law": "fine", "raw output": "fault"}, oracle="OUE", at_hand=True),
    written("sampled_set", {"law": "fault: TypeError"}, oracle="SS", parameters=SETS, at_hand=True),
    written("hidden", {"law": "consistent"}, REUSED, method="process", note="hidden randomness", at_hand=True),
    *(
        written(name, RIGHT, SEEDED, "LH", parameters=LH)
        for name in ("hex_seed", "bytes_seed", "small_seed", "wide_coin")
    ),
)
RUN = (
    written("laplace_cut", {"law": "fault"}, oracle="Laplace", parameters=WINDOW, at_hand=True),
    written(
        "with_fractions",
        {"law": "fine"},
        parameters={"d": 3, "epsilon": "ln(2)"},
        options=PLAIN,
        method="process",
        note="raised only where draws are replaced",
        at_hand=True,
    ),
    written("raises_at_last", {"law": "fault: IndexError: list index out of range"}, PLAIN, at_hand=True),
    written("color_of_many_bytes", {"law": "fine"}, NAMED, method="process", at_hand=True),
    written("Told", {"estimator": "fine"}, USED),
    written("Colors", {**RIGHT, "estimator": "fine", "many reports": "fine", "unintercepted run": "fine"}, COLORED),
    written("Colors", {**RIGHT, "estimator": "fine", "many reports": "fine"}, COLORED, at_hand=True),
    written("wrong_color", WRONG, NAMED),
    written("wrong_coin", {"law": "fault"}, SEEDED, "LH", parameters=LH),
    written(
        "hashing",
        {**RIGHT, "unintercepted run": "info: nothing found in", "hash function": "info"},
        HASHED,
        "LH",
        parameters={**LH, "d": 4},
    ),
    written("hashing_too_well", WRONG, HASHED, "LH", parameters={**LH, "d": 4}),
    written(
        "race", {"law": "consistent", "later reports": "info"}, Options(users=()), parameters=FOUR, method="process"
    ),
    written(
        "race",
        {"law": "fault", **dict.fromkeys(("independence", "unintercepted run", "later reports", "input type"), ABSENT)},
        Options(users=(), handed={"epsilon": 0.2}),
        parameters=FOUR,
        method="process",
    ),
    written("at_the_hour", {"clock": "fault"}, PLAIN, parameters=FOUR),
    written("same_object", {"input type, numpy.int64": "fault"}, PLAIN, parameters=FOUR),
    written("fixed_with_a_loop", {"law": "rounding", "other epsilon": ABSENT}, parameters={"d": 4, "epsilon": "ln(3)"}),
    written("Subset", {"estimator": "rounding"}, ESTIMATED, "SS", parameters={"d": 11, "k": 3, "epsilon": 1.0}),
    written("folded", {"raw output": "conforms"}, oracle="GeometricFolded", parameters=FOLDED),
    written("folded", {"raw output": "fault"}, oracle="GeometricFolded", parameters={**FOLDED, "upper": "5.0"}),
    written("Keys", {"unintercepted run": "undecided", "later reports": ABSENT}, USED),
    written("truth", {**WRONG, "fresh process": ABSENT}, USED),
    written(
        "EstimatesAtOnce",
        dict.fromkeys(("law", "estimator", "expectation, n = 1", "variance, n = 1"), "fault"),
        USED,
    ),
)

# --- more than a value ------------------------------------------------------------------------------------------------


def raw(names: str, said: str, options: Options = LAW, law: str = "fine", **more: Any) -> tuple[Case, ...]:
    """Of `raw_reports`: what the row about it says."""
    return tuple(Case(raw_reports, name, {"law": law, "raw output": said}, options, **more) for name in names.split())


def of_two(names: str, verdict: str) -> tuple[Case, ...]:
    """Of `raw_reports`: objects, judged by their canonical form."""
    said = {**dict.fromkeys(("law", "privacy", "reused client"), "conforms"), "raw output": verdict}
    options = Options(users=(), unmodified=False)
    return tuple(Case(raw_reports, name, said, options, "RR", {"epsilon": "ln(3)"}) for name in names.split())


SHOWN = (
    *raw("Decimals Dates Arrays Digits Letters Closures Defaults Partials", "fault: what the report holds shows"),
    *raw("Masked", "fault: the type or order"),
    *raw("Order", "fault: the order of the report shows"),
    *raw("NegativeZeros Carried", "fault: the type or order of the report shows"),
    *raw("FineDecimals FineDates FineCarried FineClosures FineMasked FineViews FineText", "conforms"),
    *raw("Views", "conforms"),  # nobody sends the memory beside an array
    *raw("Iterators", "undecided: cannot be looked into"),
    *of_two("Plain WithSlots OfNumpy", "conforms"),
    *of_two("Generating", "undecided"),  # nobody can look into a generator
    *of_two("Hiding", "fault: what the report holds shows the true input"),
)
REAL = (
    *raw("Views", "warning: its `base`", USED),
    *raw("FineViews Unwritten", "conforms", USED),
    *raw("Floats FloatTypes", "fault: shows more than the value", PLAIN, method="process"),
    *raw("FineFloats FineNoise FineTurns", "info: 8192 reports", PLAIN, method="process"),
    *raw("FineFloats", "info: not looked at", method="process"),
    *raw("Nonces", "fault: what the report holds, at 0.0", PLAIN, "consistent", method="process"),
    *raw("FineNonces", "info: 8192 reports", PLAIN, "consistent", method="process"),
)

# --- clients at hand, and what they keep ------------------------------------------------------------------------------


def at_hand(name: str, options: Options = LAW, epsilon: float = 1.0, **rows: str) -> Case:
    """Of `clients`; blanks of the checks are written as underscores."""
    said = {check.replace("_", " "): words for check, words in rows.items()}
    return Case(clients, name, said, options, parameters={"d": 3, "epsilon": epsilon}, at_hand=True)


CLIENTS = (
    at_hand("too_little_noise", law="fault", privacy="fault"),
    at_hand("too_much_noise", law="fault", tightness="warning"),
    at_hand("shows_itself", raw_output="fault"),
    at_hand("prints", TargetPrinted="fault"),
    at_hand("seeded", TargetSeeds="fault"),
    at_hand("hostile", law="undecided"),
    at_hand("remembers", REUSED, law="fault"),
    at_hand("grr", epsilon=11.0, law="fine", privacy="fine", tightness="fine"),
    at_hand("grr", epsilon=14.0, law="fine", privacy="fine", tightness="fine"),
)


def keeping(
    name: str, options: Options, parameters: Mapping[str, Any] = LONG, method: str = "exact", **rows: str
) -> Case:
    """Of `memories`."""
    said = {check.replace("_", " "): words for check, words in rows.items()}
    return Case(memories, name, said, options, "L-SUE", parameters, method)


NOT_KEPT = Options(users=(), unmodified=False, handed={"keeps": False})
MEMORIES = (
    keeping("LSUE", KEPT, reused_client="rounding"),
    keeping(
        "LSUE",
        Options(users=(), unmodified=False, seconds=2.0),
        {**LONG, "d": 4},
        reused_client="consistent: as far as they were explored",
    ),
    keeping("KeepsAll", KEPT, reused_client="fault"),
    keeping("Changed", KEPT, reused_client="fault: (0, 1, 0)"),
    keeping("LSUE", NOT_KEPT, reused_client="fault"),
    Case(memories, "LGRR", {"reused client": "rounding"}, KEPT, "L-GRR", {**LONG, "d": 4}),
    Case(memories, "SampledAttribute", {"reused client": "rounding"}, KEPT, "SMP-L-GRR", TWO_TWO),
    Case(memories, "AttributeOfValue", {"reused client": "rounding"}, KEPT, "SMP-L-GRR", TWO_TWO),
    Case(memories, "LieOfClient", {"reused client": "fault"}, KEPT, "SMP-L-GRR", TWO_TWO),
    Case(memories, "Cohorts", {"reused client": "conforms"}, KEPT, "RAPPOR", FILTERS),
    Case(memories, "CohortsOfValues", {"reused client": "conforms"}, KEPT, "RAPPOR", FILTERS),
    Case(memories, "CohortsOfFilters", {"reused client": "conforms: all on one value"}, KEPT, "RAPPOR", SAME_FILTERS),
    Case(memories, "CoinsOfCohorts", {"reused client": "fault"}, KEPT, "RAPPOR", FILTERS),
    Case(memories, "Buckets", {"reused client": "rounding"}, KEPT, "dBitFlipPM", BUCKETS),
    Case(memories, "BucketsOfItems", {"reused client": "rounding"}, KEPT, "dBitFlipPM", BUCKETS),
    Case(memories, "CoinsOfBuckets", {"reused client": "fault"}, KEPT, "dBitFlipPM", BUCKETS),
    Case(memories, "SplitBuckets", {"reused client": "rounding"}, KEPT, "SPL-dBitFlipPM", SPLIT),
    Case(memories, "SplitCoins", {"reused client": "fault"}, KEPT, "SPL-dBitFlipPM", SPLIT),
    Case(memories, "AllAttributes", {"reused client": "rounding"}, KEPT, "SPL-L-GRR", TWO_TWO),
    Case(memories, "OfAttributes", {"reused client": "fault"}, KEPT, "SPL-L-GRR", TWO_TWO),
    Case(memories, "OfRemainders", {"reused client": "fault: (0, 2)"}, KEPT, "L-GRR", {**LONG, "d": 4}),
    keeping("Seeded", ALL_KEPT, method="process", later_reports="info"),
    keeping("LSUE", ALL_KEPT, later_reports="info"),
    keeping("EveryTenth", ALL_KEPT, later_reports="fault"),
    keeping("Nothing", ALL_KEPT, {**LONG, "d": 10}, method="process", later_reports="fault"),
)

# --- what is not what it is taken for at first sight ------------------------------------------------------------------


def conditioned(name: str, law: str, *outcomes: int, **limits: int) -> Case:
    """Of `conditions`: local hashing, given outcomes of its draws."""
    options = Options(conditioned=outcomes, unmodified=False, users=(), limits=limits)
    return Case(conditions, name, {"law": law}, options, "LH", {**LH, "d": 4}, at_hand=True)


def shaped(name: str, said: Said, oracle: str = "SS", options: Options = FORM) -> Case:
    """Of `conditions`: a report in some container, or a class with methods of other names."""
    parameters = SETS if oracle == "SS" else {"d": 3, "epsilon": 1.0}
    return Case(conditions, name, said, options, oracle, parameters, at_hand=True)


def stating(names: str, verdict: str, of_two: str = ABSENT) -> tuple[Case, ...]:
    """Of `conditions`: a class that is taken as it is, and what is said of the variance that it states, also of two."""
    stated = {"stated variance": verdict, "stated variance, two users": of_two}
    said = {"law": "rounding", "variance, n = 2": "rounding", **stated}
    return tuple(shaped(name, said, "GRR", REUSED) for name in names.split())


CONDITIONS = (
    conditioned("Mixed", "rounding", 5),
    conditioned("Slope", "rounding", 5, 7),
    conditioned("OfTheItemToo", "undecided: reports show different outcomes", 5),
    conditioned("SmallSlope", "undecided: more than --paths (100000) are, so that a lower one decides", 5, 7),
    conditioned("SmallSlope", "rounding", 5, 7, paths=50),
    conditioned("Odd", "undecided: again and again", 4),
    conditioned("Mixed", "undecided: is no outcome of a draw", 2**64),
    shaped("subset", {"law": "undecided: another form, [integer]"}),
    shaped("nothing", {"law": "fault: total variation distance 1"}),
    shaped("text", {"law": "undecided: another form, text"}, "GRR"),
    shaped("Subset", {"raw output": "conforms: dict_keys"}),
    shaped("KeysInOrder", {"raw output": "fault: what the report holds"}),
    shaped("Proxies", {"raw output": "conforms: mappingproxy"}),
    shaped("ProxiesInOrder", {"raw output": "fault: mappingproxy"}),
    *stating("Alone Aggregated OfAFrequency", "rounding", "rounding"),
    *stating("OfOneUser", "rounding", "warning"),
    *stating("Steps", "rounding"),
    *stating("OfReports", ABSENT),
    *stating("Doubled AsProperty", "warning"),
)
WITHOUT_FORM = (
    shaped("proxy", {"input type, bool": "fine: not compared: no canonical form"}, options=Options()),
    shaped("boxed", {"law": "undecided: or add a method", "beside the report": "fine"}, options=Options()),
)
TYPES = tuple(
    Case(
        types_of_draws,
        name,
        {"law": "fine", "raw output": "conforms" if name.startswith("fine_") else "fault: shows the true input"},
        PLAIN,
        "RR",
        {"epsilon": 1.0},
    )
    for name, value in vars(types_of_draws).items()
    if isinstance(value, FunctionType) and name[0] != "_"
)
FILES = tuple(
    Case(hash_files, name, said, Options(hash="cell", conditioned=(3,)), "LH", {**LH, "d": 4})
    for name, said in {
        "OLH": dict.fromkeys((FEW, "many reports", DRAWS), "fine"),
        "FirstSeed": dict.fromkeys((FEW, "many reports"), "fault"),
        "Signed": dict.fromkeys((FEW, "many reports"), "fault"),
        "constant": {DRAWS: "fault: 'in another process': 'the same one'"},
        "other_seed": {"law": "undecided: tells another seed"},
        "place_of_seed": {"law": "undecided: tells another seed"},
        "item_in_seed": {"hash function": "fault: the draws that a report shows"},
        "OfItems": dict.fromkeys(("law", FEW, "many reports", DRAWS), "fine"),
        "BiasedOfItems": SOME_FAULT,
    }.items()
)

# --- styles -----------------------------------------------------------------------------------------------------------

STYLED = Options(users=(), reuse=False, unmodified=False, seconds=None, limits={"unexplored": 40, "paths": 20_000})
NOT_ENUMERATED = "tested by samples, because the law was not enumerated: "
SAMPLED = {
    **dict.fromkeys(
        ("grr_exponential_race", "grr_gumbel", "noisy_max", "permute_and_flip", "subset_argsort"),
        "comparison with another draw",
    ),
    **dict.fromkeys(("geometric_of_coins", "grr_bernoulli_exp", "hashing_three", "subset_rejection"), NOT_ENUMERATED),
    "rounded_of_two": NOT_ENUMERATED,
}
"""Draws compared with each other; loops in loops; a number made of two draws."""


def styled(name: str) -> Case:
    """Of `styles`: the law is enumerated where it can be."""
    law, method = ("consistent", "process") if name in SAMPLED else ("fine", "exact")
    oracle, parameters = styles.STYLES[name]
    return Case(
        styles, name, {"law": law, **DECIDED}, STYLED, oracle, parameters, method=method, note=SAMPLED.get(name, "")
    )


STYLES = tuple(map(styled, styles.STYLES))
FAULTY = tuple(
    Case(faulty_styles, name, SOME_FAULT, STYLED, oracle, parameters, ANY, seconds=SECONDS)
    for name, (oracle, parameters) in faulty_styles.STYLES.items()
)
LENIENT = replace(
    styled("bit_lenient"),
    options=Options(outside=(2,), unmodified=False),
    said={"input 2, outside the domain": "fault"},
)
"""What is accepted beside the domain is looked at if it was stated to be outside."""

# --- what is easily missed --------------------------------------------------------------------------------------------

OUE = {"d": 3, "epsilon": 1.0}


def missed(names: str, said: Said = SOME_FAULT, oracle: str = "GRR", file: ModuleType = missable, **more: Any) -> Any:
    """Of `missable`: faults, in some row, and correct code."""
    parameters = {**(FOUR if oracle == "GRR" else OUE), **more}
    return tuple(Case(file, name, said, Options(), oracle, parameters, method=ANY) for name in names.split())


MISSED = (
    *missed("Third Tenth EveryTenth Thousandth AfterHundred Drifts RepeatsTheThird ReturnsToTheFirstItem PoolOfNoise"),
    *missed("RemembersFromTheThird RaisesAtTheHundredth SeedOfTheClient every_thousandth_call every_hundredth_call"),
    *missed("every_seventh_call every_fiftieth_call_is_zero after_many_calls own_generator of_the_item blocks_twice"),
    *missed("Int8 UInt8 Int16 UInt16 Float16 OneLess LastReports FirstReports NumberOfUsers ClippedCounts"),
    *missed("SingleForMany LosesOne ClippedForMany RaisesForMany RoundedForMany CountsTheBatchAgain LosesOneInThreads"),
    *missed("numpy_unperturbed numpy_less_noise"),
    *missed("below_python warned in_the_environment warned_for_one numpy_warns"),
    *missed("sees_lazy_draws sees_the_profile sees_replaced_functions sees_numpy sees_modules sees_its_name"),
    *missed("sees_variables at_night more_at_night Expires later"),
    *missed("Stale StaleServer StaleProperty StaleKeywords StaleClient DefaultsDisagree RefusesValidSizes"),
    *missed("raises_rarely raises_for_one RaisesTheSecondTime a_little_less_noise last_item_lies_less"),
    *missed("biased_coin biased_share biased_unpacked wrong_beyond"),
    *missed("shared_coin OUEThird oue_every_hundredth", oracle="OUE", file=missable_bits),
    *missed("grr", epsilon=29.0),
    *missed("grr", epsilon=40.0),
    *missed("says_at_exit SaysAtExit", file=missable_at_exit),
    *missed("grr GRR Counted strict logs_calls logs_reports deprecated timed", DECIDED),
    *missed("Updated UpdatedByKeywords wide_coin entropy of_own_budget blocks_once", DECIDED),
    *missed("grr_random grr_numpy_choice grr_secrets grr_closure", DECIDED, file=styles),
    *missed("oue_loop oue_vectorized", DECIDED, "OUE", file=styles),
    *missed("subset_sample", DECIDED, "SS", file=styles, d=4, k=2),
    *missed("grr", DECIDED, epsilon=20.0),
    *missed("grr", DECIDED, d=2, epsilon=0.01),
    *missed("grr GRR", DECIDED, file=missable_at_exit),
)
FAST = (*WRITTEN, *SHOWN, *CLIENTS, *CONDITIONS, *(one for one in STYLES if one.name not in SAMPLED), LENIENT, *FAULTY)
SLOW = (*RUN, *REAL, *MEMORIES, *WITHOUT_FORM, *TYPES, *FILES, *(one for one in STYLES if one.name in SAMPLED), *MISSED)
