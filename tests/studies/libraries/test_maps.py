"""Numbers that released libraries declare: instances are read off the library's objects, in its own environment."""

import json
import re
import shutil
from ast import literal_eval
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations
from math import factorial
from pathlib import Path
from subprocess import run
from typing import Any

import pytest
from click.testing import CliRunner
from flint import arb, fmpq

from dp_audit import Environment, Verdict, audit_map_file
from dp_audit.declared_maps import ASSUMED
from dp_audit.judge.bets.power import tail
from dp_command import main
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_studies.libraries.maps import MAPS, opendp, tmlt
from dp_studies.libraries.maps.opendp import INSTANCES
from dp_studies.libraries.maps.releases import differing, document, releases_of, row
from running.child_processes import audit_map_library, environment

SOME = (
    "make_clamp, i32, symmetric, (0, 10)",
    "make_sum of floats, f64, insert_delete, (-0.25, 0.125)",
    "make_sum of three, i64, symmetric, (-5, 3)",
    "make_mean and make_variance of three floats, symmetric, (0.0, 10.0), variance",
    "make_count_by_categories, i32, True, L2Distance, float",
    "make_count_by, i32, [0, 1, -1, 7], 2",
    "make_cast_default, i64, symmetric, f32",
    "make_b_ary_tree, 3, l2, 2",
    "make_lipschitz_float_mul, f64, -0.7, (-10.0, 10.0)",
    "make_quantile_score_candidates, i32, [-1, 0], 0.1",
    "make_stable_lazyframe, frame.select(pl.col('a'))",
    "make_split_lines",
)
"""One of each kind of domain and of metric, of which the number is right."""
RESPONSE = "make_randomized_response, [0, 1, 2], 0.75"
TREE = "make_b_ary_tree, 9, l2, 3"


@pytest.fixture(scope="session", params=["0.15.1", "0.16.0"])
def release(request: pytest.FixtureRequest) -> tuple[str, Environment]:
    return request.param, environment(f"opendp-{request.param}")


@pytest.fixture
def tumult() -> Environment:
    return environment("tumult")


def test_every_instance_has_a_name_of_its_own_and_all_its_values() -> None:
    assert len(INSTANCES) >= 300
    assert [name for name, made in INSTANCES.items() if re.search("<[A-Za-z]+>", re.sub("<f64>", "", made.make))] == []
    assert INSTANCES["make_select_column, a"].make.count("'a'") == 2


@pytest.mark.campaign
@pytest.mark.parametrize("name", SOME)
def test_no_right_number_is_accused(release: tuple[str, Environment], name: str) -> None:
    version, _ = release
    audit = audit_map_library("opendp", name, version=version, limit=60)
    assert (audit.verdict, audit.versions["opendp"]) == (Verdict.CONSISTENT, version), audit.text()


@pytest.mark.campaign
def test_a_law_that_is_assumed_is_said_to_be(release: tuple[str, Environment]) -> None:
    audit = audit_map_library("opendp", RESPONSE, version=release[0])
    assert (audit.verdict, audit.models[-1]) == (Verdict.CONSISTENT, "the function is stated, not observed")


@pytest.mark.campaign
def test_the_number_of_trees_is_too_small_and_the_library_alone_repeats_it(release: tuple[str, Environment]) -> None:
    row = audit_map_library("opendp", TREE, version=release[0], limit=20).row("declared map")
    assert row.verdict is Verdict.FAULT
    done = run([str(release[1].python), "-I", "-c", "\n".join(row.reproduction)], capture_output=True, text=True)
    left, right, declared = literal_eval("[" + done.stdout.replace("] ", "], ") + "]")
    assert sum((a - b) ** 2 for a, b in zip(left, right, strict=True)) > declared**2 > 0


OPENDP_LAWS: Mapping[str, tuple[str, str]] = {
    "make_laplace, laplace, i32, 2": ("1", "max(-8, min(8, y))"),
    "make_laplace of floats, 0": ("0.5", "max(-8, min(8, int(y)))"),
    "make_geometric between bounds, -2": ("0", "y"),
    "make_gaussian, i32, 2": ("1", "y if abs(y) <= 9 else None"),
    "make_canonical_noise, 2, 1 / 16": ("0.5", "str(next(x for x in sorted(map(Fraction, law)) if y <= x))"),
    "make_noisy_max, pure, 1": ("[0, 2, 1]", "y"),
    "make_noisy_max, concentrated, -1": ("[0, 2, 1]", "y"),
    "make_noisy_top_k, pure": ("[0, 2, 1]", "tuple(y)"),
    "make_noisy_max of quantiles, concentrated, 0.5": ("[3, 7, 12]", "y"),
    "make_laplace_threshold, 5": ("{'a': 1}", "min(8, y['a']) if y else None"),
    "make_gaussian_threshold, 3": ("{'a': 1}", "y.get('a')"),
}
"""Of instances a member, and of an answer y what stands for it in the stated law."""
DRAWS, UNLIKELY = 10_000, fmpq(1, 2**40)
DRAWN = """
import sys
from collections import Counter
from fractions import Fraction
from runpy import run_path
file, name, member, view, draws = sys.argv[1:]
made = run_path(file)["INSTANCES"][name]
law = made.function(eval(member))
law = law[0] if isinstance(law, list) else law
answers = [made.scope["made"](eval(member)) for _ in range(int(draws))]
counts = Counter(eval(view, {"y": y, "law": law, "Fraction": Fraction}) for y in answers)
assert counts.keys() <= law.keys()
for answer in law:
    print(answer is None, law[answer], counts[answer])
"""


def drawn(python: Path, name: str) -> list[tuple[bool, fmpq, int]]:
    """Of each answer whether it is None, its stated probability, and how often it came."""
    member, view = OPENDP_LAWS[name]
    arguments = [str(MAPS["opendp"].path), name, member, view, str(DRAWS)]
    done = run([str(python), "-I", "-c", DRAWN, *arguments], capture_output=True, text=True, check=True)
    lines = [line.split() for line in done.stdout.splitlines()]
    return [(none == "True", fmpq(*map(int, p.split("/"))), int(count)) for none, p, count in lines]


def is_unlikely(probability: fmpq, count: int) -> bool:
    """Whether so many, or so few, of all draws have at most the probability 2^-40."""
    tails = tail(probability, DRAWS, count), tail(1 - probability, DRAWS, DRAWS - count)
    return any(compare(one, UNLIKELY) is Ordering.LESS for one in tails)


@pytest.mark.campaign
@pytest.mark.parametrize("name", OPENDP_LAWS)
def test_answers_of_opendp_come_as_often_as_the_stated_law_says(release: tuple[str, Environment], name: str) -> None:
    rows = drawn(release[1].python, name)
    assert sum(count for _, _, count in rows) == DRAWS
    assert [row for row in rows if is_unlikely(*row[1:])] == []


@pytest.mark.campaign
def test_the_delta_of_a_threshold_is_half_of_the_true_one(release: tuple[str, Environment]) -> None:
    """Without the record the key is never there; with it, it is released twice as often as declared."""
    name = "make_laplace_threshold, 5"
    row = audit_map_library("opendp", name, version=release[0]).row("declared map")
    assert (row.verdict, ASSUMED in row.detail) == (Verdict.UNDECIDED, True)
    assert (row.witness["left"], row.witness["right"], row.witness["true"]) == ("{}", "{'a': 1}", "0.0416667")
    released = sum(count for none, _, count in drawn(release[1].python, name) if not none)
    declared = fmpq(Fraction(row.witness["declared"]).numerator, Fraction(row.witness["declared"]).denominator)
    assert is_unlikely(declared, released)
    assert not is_unlikely(fmpq(1, 24), released)


def excess(left: opendp.Law, right: opendp.Law, factor: int) -> Fraction:
    """The delta of one direction at epsilon = log(factor)."""
    return sum((max(left[y] - factor * right[y], Fraction(0)) for y in left), Fraction(0))


@pytest.mark.parametrize("base", [2, 3, 4])
def test_scales_are_a_little_smaller_than_where_ratios_are_rational(base: int) -> None:
    with precision(128):
        exact = 1 / arb(base).log(), (1 / (2 * arb(base).log())).sqrt()
        for true, scale in zip(exact, (opendp.scale(base), opendp.deviation(base)), strict=True):
            assert compare(arb(scale), true) is Ordering.LESS
            assert compare(true, arb(scale) * (1 + arb(2) ** -50)) is Ordering.LESS


@pytest.mark.parametrize(("base", "values"), [(2, (0, 1)), (3, (-1, 2)), (2, (4, 0))])
def test_ends_of_laplace_noise_have_one_ratio_and_gaussian_noise_is_only_erased(
    base: int, values: tuple[int, int]
) -> None:
    one, other = (opendp.geometric(base, 5)(value) for value in values)
    far = Fraction(base) ** abs(values[0] - values[1])
    assert (sum(one.values()), sum(other.values())) == (1, 1)
    assert max(one[y] / other[y] for y in one) == max(other[y] / one[y] for y in one) == far
    assert one[5] == 1 - sum(p for y, p in opendp.geometric(base, 99)(values[0]).items() if y < 5)
    one, other = (opendp.gaussian(base)(value) for value in values)
    assert (sum(one.values()), sum(other.values())) == (1, 1)
    inside = [y for y in one if y is not None]
    assert all(one[y] / other[y] == Fraction(base) ** ((y - values[1]) ** 2 - (y - values[0]) ** 2) for y in inside)
    total = 2 * sum(Fraction(1, base) ** k**2 for k in range(1, 99)) + 1
    assert all(one[y] * total <= Fraction(1, base) ** (y - values[0]) ** 2 for y in inside)
    assert one[None] < Fraction(1, base) ** 24


@pytest.mark.parametrize(("base", "delta"), [(2, Fraction(1, 16)), (3, Fraction(1, 16)), (2, Fraction(1, 3))])
def test_canonical_noise_spends_its_delta_and_no_more(base: int, delta: Fraction) -> None:
    here, half, there = (opendp.canonical(base, delta)(Fraction(k, 2)) for k in range(3))
    assert sum(here.values()) == sum(half.values()) == sum(there.values()) == 1
    assert excess(here, there, base) == excess(there, here, base) == delta
    assert excess(here, half, base) < delta


@pytest.mark.parametrize("scores", [(0, 2, 1), (1, 1), (3,), (0, 1, 1, 0)])
def test_laws_of_the_largest_score(scores: tuple[int, ...]) -> None:
    expected = dict.fromkeys(range(len(scores)), Fraction(0))
    for order in permutations(range(len(scores))):
        none = Fraction(1, factorial(len(scores)))
        for place in order:
            kept = Fraction(1, 2) ** (max(scores) - scores[place])
            expected[place], none = expected[place] + none * kept, none * (1 - kept)
    assert opendp.flips(2)(scores) == opendp.flips(2, -1)([-score for score in scores]) == expected
    assert opendp.best(opendp.flips(2), 1)(scores) == {(place,): p for place, p in expected.items()}
    weighed = opendp.gumbel(2)(scores)
    assert sum(weighed.values()) == 1
    assert weighed == opendp.gumbel(2, -1)([-score for score in scores])
    assert all(weighed[k] * 2 ** scores[0] == weighed[0] * 2 ** scores[k] for k in weighed)
    first: Counter[int] = Counter()
    for (place, *_), p in opendp.best(opendp.gumbel(2), len(scores))(scores).items():
        first[place] += p  # type: ignore[assignment]
    assert first == weighed


def test_what_is_released_and_what_is_sampled() -> None:
    one, absent = opendp.released(opendp.geometric(2), 5)({"a": 1})
    assert 1 - one[None] == Fraction(1, 24)
    assert absent == {None: 1}
    law = opendp.sampled(lambda sample: opendp.response([0, 1], 0.75)(max(sample)), 2)((1, 0, 0))
    assert law == {1: Fraction(2, 3) * Fraction(3, 4) + Fraction(1, 3) * Fraction(1, 4), 0: Fraction(5, 12)}
    assert opendp.answered(lambda query: 1 / query, [1, 2, 0, 4]) == 2


@pytest.mark.parametrize(
    ("described", "name"),
    [
        ("LInfDistance(monotonic, T=i32)", "Linf"),
        ("ZeroConcentratedDivergence", "zero-concentrated"),
        ("Approximate(MaxDivergence)", "hockey-stick EPSILON"),
        ("Approximate(ZeroConcentratedDivergence)", "Approximate(ZeroConcentratedDivergence)"),
    ],
)
def test_metrics_of_opendp_have_the_names_of_ours(described: str, name: str) -> None:
    assert opendp.metric(described) == name


@pytest.mark.parametrize(
    ("declared", "at", "number"), [((1.0, 0.25), 1.0, 0.25), ((1.0, 0.25), 0.5, 1), (2.0, None, 2.0)]
)
def test_a_pair_declares_its_delta_from_its_epsilon_on(declared: Any, at: float | None, number: float) -> None:
    class Made:
        def map(self, distance: int) -> Any:
            return declared

    assert opendp.bound(Made(), 1, *([] if at is None else [at])) == number


WHOLE = tuple((b, h) for b in range(2, 17) for h in range(1, 13) if b**h <= 2**12)
DISTANCE = 2**20
TREES = """
import opendp.prelude as dp
dp.enable_features("contrib")
for b, h in SIZES:
    domain = dp.vector_domain(dp.atom_domain(T="i32"), size=b**h)
    made = dp.t.make_b_ary_tree(domain, dp.l2_distance(T="i32"), leaf_count=b**h, branching_factor=b)
    count = int(DISTANCE // (b**h) ** 0.5)
    print(b, h, made.map(DISTANCE), count, sum(answer * answer for answer in made([count] * b**h)))
"""


@pytest.mark.campaign
def test_of_whole_trees_of_every_size_equal_counts_decide(release: tuple[str, Environment]) -> None:
    """The Euclidean norm of a whole tree is the root of 1 + b + ... + b^h, and equal counts attain it."""
    program = TREES.replace("SIZES", str(WHOLE)).replace("DISTANCE", str(DISTANCE))
    done = run([str(release[1].python), "-I", "-c", program], capture_output=True, text=True, check=True)
    rows = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
    assert [(b, h) for b, h, *_ in rows] == list(WHOLE)
    for b, h, declared, count, square in rows:
        norm = sum(b**k for k in range(h + 1))
        assert b**h * count**2 <= DISTANCE**2
        assert square == b**h * count**2 * norm
        assert (declared**2 < square) == (declared**2 < norm * DISTANCE**2) == ((h + 1) ** 2 < norm)


@pytest.mark.campaign
def test_a_number_that_is_changed_is_found(release: tuple[str, Environment], tmp_path: Path) -> None:
    for file in ("opendp.py", "instances.py"):
        shutil.copy(MAPS["opendp"].path.with_name(file), tmp_path)
    table = MAPS["opendp"].path.with_suffix(".toml").read_text(encoding="utf-8")
    changed = table.replace(
        'declared = "bound(made, above(distance), *point)"', 'declared = "0.999 * bound(made, above(distance), *point)"'
    )
    assert changed != table
    (tmp_path / "opendp.toml").write_text(changed, encoding="utf-8")
    for name in (*SOME[2:5], RESPONSE):
        audit = audit_map_file(tmp_path / "opendp.py", name, python=release[1].python, limit=60)
        wrong = Verdict.UNDECIDED if name == RESPONSE else Verdict.FAULT
        assert audit.row("declared map").verdict is wrong, audit.text()


HANDED = {
    "spent by sums and counts, sum(rows(member), bounds=(0, 10)), change-one": (Verdict.CONSISTENT, Verdict.ROUNDING),
    "spent by sums and counts, count_nonzero(rows(member)), symmetric": (Verdict.CONSISTENT,),
    "spent by means and variances, mean(rows(member), bounds=(0, 10)), change-one": (
        Verdict.CONSISTENT,
        Verdict.ROUNDING,
    ),
    "spent by quantiles, quantile(rows(member), 0.5, bounds=(0, 10)), change-one": (Verdict.CONSISTENT,),
    "handed by means and variances, var(rows(member), bounds=(0, 10)), change-one": (Verdict.CONSISTENT,),
    "spent by sums and counts, sum(rows(member), bounds=(-10, -4)), symmetric": (Verdict.FAULT,),
    "spent by histograms, histogram(rows(member), bins=3, range=(0, 10)), change-one": (Verdict.FAULT,),
    "handed by means and variances, mean(rows(member), bounds=(0, 10)), symmetric": (Verdict.FAULT,),
}
"""What diffprivlib hands to mechanisms keeps its epsilon under one relation of neighbors, which it does not name."""


@pytest.mark.campaign
@pytest.mark.parametrize("name", HANDED)
def test_what_is_handed_to_mechanisms(name: str) -> None:
    environment("central")
    audit = audit_map_library("diffprivlib", name, limit=40)
    assert audit.verdict in HANDED[name], audit.text()


QUERIES = ("spent, VARIANCE(x), real", "handed, SUM(x), whole")
"""Of smartnoise-sql: what they cost is said by the library."""


@pytest.mark.campaign
@pytest.mark.parametrize(("name", "factor"), [(QUERIES[0], 1), (QUERIES[1], 1), (QUERIES[0], 0.7)])
def test_queries_cost_what_is_said_and_no_less(name: str, factor: float, tmp_path: Path) -> None:
    for file in ("smartnoise_sql.py", "instances.py"):
        shutil.copy(MAPS["smartnoise-sql"].path.with_name(file), tmp_path)
    table = MAPS["smartnoise-sql"].path.with_suffix(".toml").read_text(encoding="utf-8")
    changed = table.replace("distance * made.cost()", f"{factor} * distance * made.cost()")
    (tmp_path / "smartnoise_sql.toml").write_text(changed, encoding="utf-8")
    audit = audit_map_file(tmp_path / "smartnoise_sql.py", name, python=environment("further").python, timeout=300)
    assert audit.row("declared map").verdict is (Verdict.FAULT if factor < 1 else Verdict.CONSISTENT), audit.text()


TUMULT = (
    "AddGeometricNoise, 2, of",
    "Composition, composition.Composition([conversions.PureDPToRhoZCDP(first), conversions.PureDPToRhoZCDP(second)])",
    "AddNoiseToSeries, 2",
    "NoisyQuantile, PureDP, 0.5, 2",
)
"""Measurements of tmlt-core, which ask for no Java."""
FRAMES = (
    "Filter, a > 0",
    "Sum, symmetric, (-5, 3)",
    "GroupBy, aggregated, CountGrouped(groups.output_domain, groups.output_metric), True",
    "LimitRowsPerGroupPerID, l2, 1",
    "PrivateJoin, TRUNCATE, DROP, 2",
)
"""Its transformations of data frames, which do."""
FLOATS = "Sum of floats, (-10**16, 10**16)"
JAVA = pytest.mark.skipif(shutil.which("java") is None, reason="data frames of Spark need a Java runtime")


def test_every_instance_of_tmlt_core_has_a_name_of_its_own_and_all_its_values() -> None:
    assert len(tmlt.INSTANCES) >= 70
    assert [name for name, made in tmlt.INSTANCES.items() if re.search("<[a-z0-9]+>", made.make)] == []
    assert set(TUMULT) | set(FRAMES) <= set(tmlt.NAMES)


@pytest.mark.parametrize(
    ("described", "name"),
    [
        ("SymmetricDifference()", "symmetric"),
        ("IfGroupedBy(columns={'b'}, inner_metric=SymmetricDifference())", "symmetric"),
        ("OnColumn(column='sum(a)', metric=SumOf(inner_metric=AbsoluteDifference()))", "L1"),
        (
            "IfGroupedBy(columns={'a'}, inner_metric=RootSumOfSquared(inner_metric="
            "IfGroupedBy(columns={'b'}, inner_metric=SymmetricDifference())))",
            "L2 of symmetric",
        ),
        ("RhoZCDP()", "zero-concentrated"),
    ],
)
def test_metrics_of_tmlt_core_have_the_names_of_ours(described: str, name: str) -> None:
    class Described:
        def __repr__(self) -> str:
            return described

    assert tmlt.metric(Described()) == name


def test_a_metric_that_has_no_distance_has_no_name() -> None:
    class NullMetric:
        def __repr__(self) -> str:
            return "NullMetric()"

    with pytest.raises(KeyError, match="NullMetric"):
        tmlt.metric(NullMetric())


@pytest.mark.parametrize(("base", "value"), [(2, 0), (2, -3), (3, 2), (3, 3)])
def test_the_law_of_geometric_noise_is_cut_and_not_renormalized(base: int, value: int) -> None:
    law, next_law = tmlt.geometric(base, value, 4), tmlt.geometric(base, value - 1, 4)
    assert sum(law.values()) == 1
    assert {law[y] / next_law[y] for y in law} <= {Fraction(base), Fraction(1, base)}
    assert law[value] == Fraction(base - 1, base + 1)
    pair = tmlt.both(law, next_law)
    assert sum(pair.values()) == 1
    assert pair[value, value] == law[value] * next_law[value]


def test_records_of_one_owner_are_one_record() -> None:
    records = [(1, "x"), (2, "y"), (0, "x")]
    assert tmlt.owners(records, 1) == [[("x",), [(0, "x"), (1, "x")]], [("y",), [(2, "y")]]]
    assert sorted(tmlt.whole(tmlt.owners(records, 1))) == sorted(tmlt.whole(tmlt.parts(records, 0))) == sorted(records)


def test_a_pair_of_tables_is_declared_the_worst_split_of_its_distance() -> None:
    class Number(Fraction):
        is_finite = True
        expr = type("expr", (), {"is_Rational": True})

    def declared(first: int, second: int) -> Number:
        number = Number(5 * first + 2 * second)
        number.expr = type("expr", (), {"is_Rational": True, "p": number.numerator, "q": number.denominator})
        return number

    assert tmlt.splits(declared, Fraction(3)) == 15


@pytest.mark.campaign
@pytest.mark.parametrize("name", TUMULT)
@pytest.mark.usefixtures("tumult")
def test_measurements_of_tmlt_core_keep_what_they_declare(name: str) -> None:
    audit = audit_map_library("tmlt-core", name, limit=40)
    assert (audit.verdict, audit.models[-1]) == (Verdict.CONSISTENT, "the function is stated, not observed")
    assert audit.versions["tmlt-core"] == "0.20.0"


@JAVA
@pytest.mark.campaign
@pytest.mark.parametrize("name", FRAMES)
@pytest.mark.usefixtures("tumult")
def test_data_frames_of_tmlt_core_keep_what_they_declare(name: str) -> None:
    audit = audit_map_library("tmlt-core", name, limit=10, timeout=300)
    assert audit.verdict is Verdict.CONSISTENT, audit.text()


@JAVA
@pytest.mark.campaign
@pytest.mark.usefixtures("tumult")
def test_the_order_of_floats_decides_their_sum_in_tmlt_core() -> None:
    audit = audit_map_library("tmlt-core", FLOATS, timeout=300)
    row = audit.row("declared map")
    assert (row.verdict, row.witness["true"], row.witness["declared"]) == (Verdict.FAULT, "1", "0"), audit.text()


@pytest.mark.campaign
@pytest.mark.usefixtures("tumult")
def test_without_java_an_audit_of_data_frames_says_that_it_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    audit = audit_map_library("tmlt-core", FRAMES[0])
    assert audit.verdict is Verdict.UNDECIDED
    assert "needs a Java runtime" in audit.text()


@pytest.mark.campaign
def test_a_smaller_number_of_a_measurement_is_no_fault_where_the_law_is_stated(tmp_path: Path) -> None:
    for file in ("tmlt.py", "instances.py"):
        shutil.copy(MAPS["tmlt-core"].path.with_name(file), tmp_path)
    table = MAPS["tmlt-core"].path.with_suffix(".toml").read_text(encoding="utf-8")
    changed = table.replace("exact(made.privacy_function", "0.999 * exact(made.privacy_function")
    assert changed != table
    (tmp_path / "tmlt.toml").write_text(changed, encoding="utf-8")
    audit = audit_map_file(tmp_path / "tmlt.py", TUMULT[0], python=environment("tumult").python)
    assert audit.row("declared map").verdict is Verdict.UNDECIDED, audit.text()


ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("library", ["opendp", "tmlt-core"])
def test_what_is_published_is_of_the_instances_there_are(library: str) -> None:
    releases = releases_of(library, ROOT)
    assert list(releases) == list(MAPS[library].environments)
    assert all(list(rows) == list(MAPS[library].instances) for rows in releases.values())


def test_the_page_says_what_is_published() -> None:
    page = (ROOT / "docs" / "guide" / "audit-maps.md").read_text(encoding="utf-8")
    releases = releases_of("opendp", ROOT)
    for version, rows in releases.items():
        count = Counter(row["verdict"] for row in rows.values())
        line = [str(count[verdict]) for verdict in ("conforms", "consistent", "rounding", "undecided", "fault")]
        assert " | ".join([f"| {version}", str(len(rows)), *line]) in page
    faults = [name for rows in releases.values() for name, row in rows.items() if row["verdict"] == "fault"]
    trees = [name for name in faults if name.startswith("make_b_ary_tree") and ", l2, " in name]
    bounded = [name for name in faults if name.startswith("make_metric_bounded") and "insert_delete" in name]
    assert (trees != [], bounded != [], len(trees) + len(bounded)) == (True, True, len(faults))
    for rows in releases.values():
        open_rows = {name: row["detail"] for name, row in rows.items() if row["verdict"] == "undecided"}
        laws = {name: detail for name, detail in open_rows.items() if INSTANCES[name].assumed}
        assert sorted(laws) == sorted(name for name in INSTANCES if "_threshold" in name)
        assert all(detail.startswith(f"{ASSUMED}: {{}} and {{'a': 1}} are at ") for detail in laws.values())
        assert "distance 0.0416667, and at most 0.0208333 is declared" in laws["make_laplace_threshold, 5"]
        assert "distance 0.000924599, and at most 0.000206035 is" in laws["make_gaussian_threshold, 4"]
    assert ("No verdict differs" in page) == (differing(releases) == [])


def test_the_page_says_what_is_published_of_tmlt_core() -> None:
    page = (ROOT / "docs" / "guide" / "audit-maps.md").read_text(encoding="utf-8")
    ((version, rows),) = releases_of("tmlt-core", ROOT).items()
    count = Counter(row["verdict"] for row in rows.values())
    assert set(count) == {"consistent", "fault"}
    assert f"tmlt-core {version} (`dp-refimpl audit environment tumult`): {len(rows)} instances" in page
    assert f"{count['consistent']} are `consistent`" in page
    assert [name for name, row in rows.items() if row["verdict"] == "fault"] == [FLOATS]
    assert rows[FLOATS]["check"] == "declared map"


def test_of_a_quiet_verdict_no_more_is_published() -> None:
    quiet = {"verdict": "consistent", "rows": [{"verdict": "consistent"}]}
    fault = {"check": "declared map", "detail": "1 and 2", "verdict": "fault", "reproduction": ["a", "b"]}
    rows = {"x": row(quiet), "y": row({"verdict": "fault", "rows": [fault]})}
    assert rows["x"] == {"verdict": "consistent"}
    assert rows["y"] == {"verdict": "fault", "check": "declared map", "detail": "1 and 2", "repeat": "a\nb"}
    assert differing({"1": rows, "2": rows}) == []
    assert differing({"1": rows, "2": {"x": rows["y"], "y": rows["y"]}}) == ["x"]
    assert json.loads(document("opendp", {"1": rows}))["releases"]["1"] == rows


def test_an_unknown_release_is_refused() -> None:
    with pytest.raises(DomainError, match=r"did you mean 0\.16\.0 or 0\.15\.1"):
        audit_map_library("opendp", SOME[0], version="0.14.0")


@pytest.mark.parametrize(
    ("library", "name", "words"),
    [("opndp", SOME[0], "did you mean opendp"), ("opendp", "clump", "known are make_clamp, make_clamp of floats")],
)
def test_an_unknown_name_is_refused(library: str, name: str, words: str) -> None:
    with pytest.raises(DomainError, match=words):
        audit_map_library(library, name)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "give FILE.py:NAME, or --library"),
        (["sums.py:total", "--library", "opendp"], "give FILE.py:NAME, or --library"),
        (["--library", "opendp", "--version", "1"], "0.15.1"),
        (["--library", "opendp", "--limit", "1"], "limit"),
        (["sums.py"], "give FILE.py:NAME, the name"),
        (["missing.py:total"], "no file missing.py"),
        (["--library", "opendp", "--only", "make_nothing*"], "no instance of opendp"),
    ],
)
def test_bad_usage_of_the_command_is_refused(arguments: list[str], words: str) -> None:
    result = CliRunner().invoke(main, ["audit", "map", *arguments])
    assert (result.exit_code, words in result.output) == (2, True), result.output
