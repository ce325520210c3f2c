"""Every source at a small size, as data: what is run, what is expected of it, and what is refused."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from dp_checks.runtime.parallel import HERE, Workers
from dp_studies.reproduce.command import Request
from dp_studies.reproduce.s000.data import DataSet, synthetic
from dp_studies.reproduce.s000.settings import Plan as Shuffled
from dp_studies.reproduce.s000.study import REQUEST as R000
from dp_studies.reproduce.s001.settings import Plan as Ranges
from dp_studies.reproduce.s001.study import REQUEST as R001
from dp_studies.reproduce.s002.settings import Figure, Panel, Place, Setting
from dp_studies.reproduce.s002.study import REQUEST as R002
from dp_studies.reproduce.s002.study import Plan as Figures
from dp_studies.reproduce.s003.data import generated
from dp_studies.reproduce.s003.settings import Plan as Tables
from dp_studies.reproduce.s003.settings import segmentations, small
from dp_studies.reproduce.s003.study import REQUEST as R003
from dp_studies.reproduce.s004.settings import Plan as Sketches
from dp_studies.reproduce.s004.study import REQUEST as R004
from dp_studies.reproduce.study import Document, Progress, Run, Study, reproduce

SMALL = Figure(
    3,
    "d",
    "d",
    (
        Panel(
            "small",
            (
                Place("8", Setting(200, 8, 4, 2, "1")),
                Place("12", Setting(200, 12, 3, 2, "1"), simulated=False),
                Place("16", Setting(200, 16, 16, 2, "1")),
            ),
        ),
    ),
)
"""What all figures of source 002 are here."""


@dataclass(frozen=True)
class Case:
    """A source: a plan, the options of the same plan, and what these print and write.

    `stopped` is after how many points a run is interrupted, and `others` are plans that its journal is of no use to;
    `spoiled` the way to a fact in the document that is said to be wrong, its name, and what is then counted. `bad` are
    arguments of plans that are refused.
    """

    request: Request[Any]
    plan: Any
    options: str
    said: tuple[str, ...]
    pictures: tuple[str, ...]
    stopped: int
    others: tuple[Mapping[str, Any], ...]
    spoiled: tuple[tuple[Any, ...], str, str]
    bad: Mapping[str, tuple[Any, ...]]
    beside: tuple[str, ...] = field(default=())

    @property
    def study(self) -> Study[Any, Any]:
        """What is tested."""
        return self.request.study

    @property
    def arguments(self) -> list[str]:
        """Of the command, without its folder."""
        return ["reproduce", self.study.source, *self.options.split()]

    @property
    def draw(self) -> Any:
        """The module with the pictures."""
        return import_module(f"dp_studies.reproduce.s{self.study.source}.draw")

    def reproduced(self, out: Path, by: Workers = HERE, progress: Progress | None = None, **changed: Any) -> Run:
        """The plan, or one that is changed, carried out."""
        return reproduce(self.study, replace(self.plan, **changed), out, by, progress)

    def misses(self, plan: Any) -> list[str]:
        """Of another plan, without a journal."""
        compute = self.study.compute(plan)
        results = {key: compute(task) for key, task in self.study.tasks(plan).items()}
        return self.study.misses(self.study.document(plan, results))


def interrupted(after: int) -> Progress:
    """A run stops after so many points."""

    def stop(done: int, total: int, key: str) -> None:
        if done == after:
            raise KeyboardInterrupt

    return stop


DATA = synthetic("synthetic", 5000, 12)
NO_NUMBERS: tuple[Any, ...] = ((), ("0",), ("nan",), (1,))
CASES = {
    "000": Case(
        R000,
        Shuffled((DATA,), ("printed", "certified"), ("1",), "1/1000", (2, 8), ("1", "5"), 3, 4, 7),
        "--users 5000 --items 12 --epsilon 1 --delta 1/1000 --labels 2,8 --local 1,5 --steps 3 --runs 4 --seed 7",
        (
            "inside their intervals: 8 of 8",
            "with certified parameters: smallest error: mixDUMP at epsilon 1",
        ),
        ("error-synthetic", "times"),
        stopped=1,
        others=({"runs": 3}, {"data": (DataSet("synthetic", (4000, 1000)),)}),
        spoiled=(
            ("points", "synthetic:printed:epsilon=1", "simulated", "OD-HP", "error", "inside"),
            "synthetic:printed:epsilon=1, OD-HP",
            "7 of 8",
        ),
        bad={
            "data": ((), (DATA, DATA), (DATA, synthetic("synthetic", 10, 2))),
            "calibrations": (("published",), ()),
            "epsilons": (*NO_NUMBERS, ("ln(2)",)),
            "delta": ("0", "1", "x", 0.1),
            "labels": ((1,), (2, 2), (True,)),
            "budgets": (("-1",), ("0",)),
            "steps": (0,),
            "runs": (0,),
            "seed": (-1,),
        },
        beside=("times.json",),
    ),
    "001": Case(
        R001,
        Ranges(("laplace", "discrete"), ("1/2", "4"), 16, 5, (1, 2, 8), 8, 7),
        "--noise both --epsilon 1/2,4 --size 16 --ranges 5 --sizes 1,2,8 --runs 8 --seed 7",
        ("inside their intervals: 20 of 20", "(-70.83 %)"),
        tuple(f"figure{n}-{kind}-{e}" for n in (4, 5) for kind in ("laplace", "discrete") for e in ("1_2", "4")),
        stopped=9,
        others=({"runs": 7},),
        spoiled=(
            ("table2", "laplace:epsilon=4:N=8:all", "error", "inside"),
            "table2, laplace:epsilon=4:N=8:all",
            "11 of 12",
        ),
        bad={
            "kinds": ((), ("gauss",), ("laplace", "laplace"), "laplace"),
            "epsilons": (*NO_NUMBERS, ("ln(2)",), ("1", "1")),
            "size": (0, 3, 8192, True),
            "ranges": (0, 2.0),
            "sizes": ((), (2, 6), (1, 8192), ("2",)),
            "runs": (0, True),
            "seed": (-1,),
        },
    ),
    "002": Case(
        R002,
        Figures((3,), ("paper", "joint"), 3, 7),
        "--figures 3 --calibration both --runs 3 --seed 7",
        ("18 simulated points of 3 runs, seed 7", "inside their intervals: 27 of 27", "absent, joint, SuWheel"),
        ("figure3-joint", "figure3-paper"),
        stopped=4,
        others=({"seed": 8}, {"runs": 4}, {"calibrations": ("paper",)}),
        spoiled=(("points", "", "inside", "sensitive"), " (sensitive)", "26 of 27"),
        bad={
            "figures": ((), (5,), (1, 1)),
            "calibrations": ((), ("private",)),
            "runs": (0, True, 2.0),
            "seed": (-1, None),
        },
    ),
    "003": Case(
        R003,
        Tables(
            (small(),),
            epsilons=("1.6",),
            clusters=(2,),
            degrees=(1,),
            segmentations=segmentations(("1",), (3,), ("none", "1/2")),
            records=(2,),
            crowds=(10,),
            runs=2,
            more=1,
            seed=7,
        ),
        "--data small --epsilon 1.6 --k 2 --degrees 1 --sigma 1 --k1 3 --eta none,1/2 --records 2 --crowds 10 --runs 2 "
        "--more 1 --seed 7 --no-times",
        ("inside their intervals: 1 of 1", "at equal certified epsilon, smallest mean distance at epsilon 1.6"),
        (
            *("attackers", "crowds", "losses-small", "network-small", "searches", "spending"),
            *(f"{what}-small-{kind}" for what in ("distances", "errors") for kind in ("certified", "printed")),
        ),
        stopped=6,
        others=({"seed": 8}, {"data": (generated("small", 900, (4, 2, 2, 2)),)}),
        spoiled=(("program", 0, "matching", "inside"), "matching attacker, 2 records", "0 of 1"),
        bad={
            "data": ((), (small(), small())),
            "names": ((), ("DPSyn",)),
            "calibrations": ((), ("private",)),
            "epsilons": (*NO_NUMBERS, ("ln(2)",), ("1", "1")),
            "clusters": ((), (0,), (8,), (True,), (3, 3)),
            "degree": (-1, 7, True),
            "degrees": ((), (-1,), (7,)),
            "segmentations": ((), segmentations(("1",), (8,), ("0",))),
            "most": (0,),
            "records": ((), (1,), (5,)),
            "crowds": ((), (1,), (10**6 + 1,)),
            "cost": ("0", "-1", "nan", 1, "1e7"),
            "runs": (0, True),
            "more": (0,),
            "seed": (-1,),
        },
    ),
    "004": Case(
        R004,
        Sketches(
            ("harmonic", "exponential"),
            (4, 30),
            (8,),
            ("1", "4"),
            ("random", "fixed"),
            6,
            7,
            records=3000,
            words=12,
            top=6,
        ),
        "--k 4,30 --m 8 --epsilon 1,4 --functions both --runs 6 --seed 7 --records 3000 --words 12 --top 6",
        ("inside their intervals: 384 of 384",),
        tuple(
            name
            for data in ("harmonic", "exponential")
            for name in (
                f"cost-{data}",
                *(f"{kind}-{data}-{r}" for kind in ("rank", "deviation", "variance") for r in ("random", "fixed")),
            )
        ),
        stopped=9,
        others=({"epsilons": ("1", "2")},),
        spoiled=(("points", "", "words", 2, "variance", "inside"), ", word 3 (variance)", "383 of 384"),
        bad={
            "data": ((), ("zipf",), ("harmonic", "harmonic"), "harmonic"),
            "ks": ((0,), (True,), (), ({},), ("256",)),
            "ms": ((1,), (2.0,)),
            "epsilons": (*NO_NUMBERS, ("-1",), (2,), ("1", "1"), ([],)),
            "readings": (("affine",), ()),
            "runs": (0, True),
            "seed": (-1,),
            "records": (0,),
            "words": (0,),
            "top": (0, 2001, 51),
        },
    ),
}


def spoiled(case: Case, document: Document) -> str:
    """Say in the document that a value is not inside its interval: the name of this miss."""
    way, name, _ = case.spoiled
    first = next(iter(document["points"])) if "points" in document else ""
    *before, last = [step if step != "" else first for step in way]
    place: Any = document
    for step in before:
        place = place[step]
    place[last] = False
    return name if "" not in way else first + name


def bad_plans() -> list[tuple[Callable[..., Any], dict[str, Any]]]:
    """Every plan that is refused, as its class and its arguments."""
    return [
        (type(case.plan), {name: value})
        for case in CASES.values()
        for name, values in case.bad.items()
        for value in values
    ]
