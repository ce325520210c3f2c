"""`dp-refimpl amplify`: epsilon of shuffled randomized response from both sides, k = 64, epsilon0 = 4, delta = 10^-8.

Beside the numerical upper bound of the package random-allocation (`shuffle_external.numericalanalysis`), which runs
unmodified in an environment of its own, made here: at a step of 100 and at the step that the package chooses by itself.
(Other steps take from a third of a second to minutes, not evenly, and give about the same bound.) And what the
kernel takes to check a certificate again.
"""

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

from benchmarks.table import line, seconds
from dp_kernel.certificate.check import verify
from dp_studies.comparisons.amplification import solve
from dp_studies.comparisons.amplification.query import Setting
from dp_studies.comparisons.amplification.solve import Enclosure

K, EPSILON0, DELTA, USERS = 64, "4", Fraction(1, 10**8), 10**6
LARGEST = 10**9
WORK, GAP = 10**10, 1e-5
PACKAGES = ("random-allocation==1.0.5", "numpy", "scipy")
STEPS, ITERATIONS = {"step 100": 100, "its own step, 707": 707}, 20
BASELINE = """
import importlib.util, json, sys, time
users, epsilon0, delta, iterations, steps = json.loads(sys.argv[1])
folder = importlib.util.find_spec("random_allocation").submodule_search_locations[0]
place = importlib.util.spec_from_file_location("shuffle_external", folder + "/external_sources/shuffle_external.py")
module = importlib.util.module_from_spec(place)
place.loader.exec_module(module)
bounds = []
for step in steps:
    start = time.perf_counter()
    bound = module.numericalanalysis(users, epsilon0, delta, iterations, step, True)
    bounds.append([bound, time.perf_counter() - start])
print(json.dumps(bounds))
"""
"""The package is not imported as a whole: that needs more of its dependencies."""
ENCLOSED = "enclosure of epsilon, 64-RR, 10⁶ users, relative gap at most 10⁻⁵"
PEER = "random-allocation's numerical upper bound"
FASTER = [
    line(ENCLOSED, f"{PEER}, {step}", required=20 if size == min(STEPS.values()) else None)
    for step, size in STEPS.items()
]
TIGHTER = line(f"{ENCLOSED}: the upper end", f"the smaller of {PEER}s", "times as many", required=1)
MILLION = line("the kernel checks the upper end, 64-RR, 10⁶ users", "a second", "times as long", required=1)
BILLION = line("the kernel checks the upper end, 64-RR, 10⁹ users", "ten seconds", "times as long", required=1)


def enclosed(users: int) -> Enclosure:
    return solve.epsilon(Setting("krr", users, EPSILON0, K), DELTA, 8, WORK)


def checked(enclosure: Enclosure) -> float:
    """Seconds of checking the upper end alone."""
    certificate: Any = enclosure.upper.certificate("benchmark")
    return seconds(lambda: verify(certificate, WORK), rounds=2)


def test_enclosure_and_baseline(benchmark: Any, tmp_path: Path) -> None:
    enclosure = benchmark.pedantic(lambda: enclosed(USERS), rounds=2)
    lower, upper = (float(end.value) for end in enclosure[:2])
    assert upper - lower <= GAP * lower
    home = tmp_path / "environment"
    python = home / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
    for options in (("--no-deps", PACKAGES[0]), PACKAGES[1:]):
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *options], check=True)
    request = json.dumps([USERS, float(EPSILON0), float(DELTA), ITERATIONS, [*STEPS.values()]])
    ran = subprocess.run([str(python), "-c", BASELINE, request], check=True, capture_output=True, text=True)
    baselines = json.loads(ran.stdout)
    for faster, (theirs, took) in zip(FASTER, baselines, strict=True):
        faster.record(benchmark.stats.stats.min, took, lower=lower, upper=upper, bound=theirs)
    TIGHTER.record(upper, min(theirs for theirs, _ in baselines))
    MILLION.record(checked(enclosure), 1)


def test_a_billion_users() -> None:
    BILLION.record(checked(enclosed(LARGEST)), 10)
