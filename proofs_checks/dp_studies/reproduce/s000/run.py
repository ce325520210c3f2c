"""The whole reproduction of source 000: points with a journal, one JSON document."""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from dp_checks.dependencies import code
from dp_checks.runtime.parallel import HERE, Workers
from dp_refimpl.fast.array_counts import ROUNDING
from dp_studies.reproduce import run
from dp_studies.reproduce.run import Document, Finish, Progress, Run, Work, nothing
from dp_studies.reproduce.s000.points import result
from dp_studies.reproduce.s000.schema import FORMAT, SCHEMA
from dp_studies.reproduce.s000.settings import ALGORITHMS, Plan
from dp_studies.reproduce.s000.summary import winners

FAMILY_LEVEL = Fraction(1, 10**6)

GENERATOR = (
    "numpy PCG64; runs seeded with (seed, run, key of the point and the algorithm), EM with (seed, 'em:' and the key "
    "of the point), keys being the first 16 bytes of their SHA-256."
)
STATEMENT = (
    "If the generator's words are independent and uniform, then with probability at least 1 - family_level all "
    "intervals contain the expected mean squared errors of their settings. 'inside' says whether the exact formula's "
    "value is in the interval; nothing forces it to be. What POP and EM leave is measured in floats: no interval."
)
NOTES = (
    "error: the mean of (f~_v - f_v)^2 over the items, before POP and EM, exactly; it does not depend on the "
    "histogram. The same for OD-HP whether dummies carry functions of their own or the report's.",
    "printed: MURS by M_c, d' = floor((M_c + 2) / 3); HP-SDP by the blanket's gamma with g = d'; dummies of mixDUMP by "
    "its bound and of OD-HP by (7). These are what the sources say; claims 000.base.* and 000.thm1.* say what holds.",
    "certified: the largest local budget of local hashing, and the fewest dummies, for which the kernel accepts the "
    "privacy blanket's bound for every data set. For OD-HP this is the model 'fresh': with the printed 'shared' "
    "functions dummies do not hide in the crowd (000.thm1.eq7@shared-range), and no calibration is known.",
    "MURS and HP-SDP, certified: with the printed number of labels, and with the best one if e^epsilon_l + h - 1 "
    "stays as it was found to be.",
    "Dummies are counted in all: users send numbers that differ by at most one.",
    "simulated: of each algorithm the setting with the smallest error. The counts C_v of all items are drawn "
    "independently: with own functions out of all of them that is their law, for mixDUMP that of each alone.",
    "pop: means over the runs; it belongs to HP-SDP, and could be done after all four.",
    "em: one run with all messages, each with an affine function of its own (a x + b mod P mod h), likelihood 'mix', "
    "start 'vector', a fixed number of steps; before and after are of the same messages.",
)


def reproduce(
    plan: Plan, out: Path, by: Workers = HERE, progress: Progress | None = None, finish: Finish = nothing
) -> Run:
    """Compute everything, write `reproduce.json`. See `dp_studies.reproduce.run`."""
    open_settings = (plan.delta, plan.labels, plan.budgets, plan.steps)
    settings = f"seed={plan.seed} runs={plan.runs} level={level(plan)} {open_settings}"
    data = ",".join(data.digest for data in plan.data)
    work = Work(
        "reproduce 000",
        f"{code(['dp_studies.reproduce.s000.points'])} {settings} {data} ",
        {point.key: point for point in plan.points()},
        partial(result, plan, level(plan)),
        partial(document, plan),
        SCHEMA,
    )
    return run.reproduce(work, out, by, progress, finish)


def bounds(plan: Plan) -> int:
    """Two ends for every algorithm at every point."""
    return 2 * len(ALGORITHMS) * len(list(plan.points()))


def level(plan: Plan) -> Fraction:
    """Of each bound."""
    return (FAMILY_LEVEL - ROUNDING) / bounds(plan)


def document(plan: Plan, results: Mapping[str, Any]) -> Document:
    """The document of all points by key."""
    return {
        "format": FORMAT,
        "source": "000",
        "seed": plan.seed,
        "generator": GENERATOR,
        "runs": plan.runs,
        "confidence": {
            "family_level": str(FAMILY_LEVEL),
            "bounds": bounds(plan),
            "level": str(level(plan)),
            "statement": STATEMENT,
        },
        "notes": list(NOTES),
        "delta": plan.delta,
        "labels": list(plan.labels),
        "budgets": list(plan.budgets),
        "steps": plan.steps,
        "data": {
            data.name: {"users": data.users, "items": data.items, "largest": max(data.held), "sha256": data.digest}
            for data in plan.data
        },
        "winners": winners(results.values()),
        "points": {point.key: results[point.key] for point in plan.points()},
    }
