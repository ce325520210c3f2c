"""Strategies side by side: errors are those of the general matrix mechanism, ranks are exact; the command."""

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result
from flint import arb, fmpq, fmpq_mat
from hypothesis import given, settings
from hypothesis import strategies as st

from cases.commands import bad_command_test
from cases.faults import fault_test, in_module, nothing_wrong_test
from cases.refusals import refusal_test, refuses
from dp_command import main
from dp_refimpl.matrix.consistency import Boost
from dp_refimpl.matrix.haar import Haar
from dp_refimpl.matrix.linear_forms import noise_symbols
from dp_refimpl.matrix.mechanism import MatrixMechanism, sensitivity, strategy
from dp_refimpl.matrix.parameters import Neighbors, Root
from dp_refimpl.matrix.privelet import Privelet
from dp_refimpl.matrix.tree import Tree
from dp_refimpl.matrix.weighted_privelet import WeightedPrivelet
from dp_refimpl.matrix.workload_totals import Workload, block_squares
from dp_refimpl.matrix.workloads import identity_workload, prefix_workload, range_workload
from dp_refimpl.matrix.worst_queries import worst_range
from dp_spec.vocabulary.exceptions import DomainError, FormatError
from dp_spec.vocabulary.real import Real
from dp_studies.comparisons import strategies
from dp_studies.comparisons.strategies.candidates import (
    NAMES,
    Candidate,
    NoiseLaw,
    Setting,
    branchings,
    candidates,
    of_matrix,
    padded,
)
from dp_studies.comparisons.strategies.command import SCHEMA, document
from dp_studies.comparisons.strategies.ranking import (
    By,
    Ranked,
    coefficients,
    decimal,
    factor,
    number_of_queries,
    ranking,
    ratio,
    unit,
)
from independent.range_arrays import privelet_coefficients

SMALL = (1, 2, 3, 4, 5, 8, 9)
MATRIX: dict[Workload, Callable[[int], fmpq_mat]] = {
    Workload.RANGES: range_workload,
    Workload.PREFIX: prefix_workload,
    Workload.IDENTITY: identity_workload,
}


def settings_of(n: int) -> Iterator[Setting]:
    for workload in Workload:
        for neighbors in Neighbors:
            for noise in NoiseLaw:
                yield Setting(n, workload, neighbors, noise, (2, 3, n) if n > 2 else (2, 3), True)


def ranges_of(workload: Workload, n: int) -> list[tuple[int, int]]:
    """First and last count of every query."""
    rows = MATRIX[workload](n)
    ranges = []
    for i in range(rows.nrows()):
        held = [j + 1 for j in range(n) if rows[i, j] == 1]
        ranges.append((held[0], held[-1]))
    return ranges


def answer_error(mechanism: Any, first: int, last: int) -> fmpq:
    """The squared error of a range in the program's own answer: its noise in symbols, squares times the spreads."""
    row = mechanism.answer(noise_symbols(mechanism.answers), first, last).row("z", mechanism.answers)
    return sum((c * c * spread for c, spread in zip(row, mechanism.spreads(), strict=True)), fmpq(0))


def wrong_coefficients() -> Iterator[str]:
    """Where a coefficient is not that of the mechanism's own program, query by query; as a matrix, it is the same."""
    for n in SMALL:
        for setting in settings_of(n):
            if setting.noise is not NoiseLaw.LAPLACE or setting.neighbors is not Neighbors.ADD_REMOVE:
                continue
            assert isinstance(setting.workload, Workload)
            matrix = Setting(n, MATRIX[setting.workload](n))
            for candidate in candidates(setting)[0]:
                queries = ranges_of(setting.workload, n)
                own = [answer_error(candidate.mechanism, *query) for query in queries]
                for coefficient in (strategies.ranking.coefficients(candidate, s) for s in (setting, matrix)):
                    if (coefficient.total, coefficient.worst) != (sum(own, fmpq(0)), max(own)):
                        yield f"{candidate.label}: {setting.workload.value} on {n}"


test_coefficients_are_those_of_the_programs = nothing_wrong_test(wrong_coefficients)


def wrong_scales() -> Iterator[str]:
    """Where a scale is not the sensitivity of the strategy's matrix on the counts that have data."""
    for n in SMALL:
        for setting in settings_of(n):
            for candidate in candidates(setting)[0]:
                mechanism = candidate.mechanism
                if setting.noise is NoiseLaw.DISCRETE or any(s != 1 for s in mechanism.spreads()):
                    continue
                if isinstance(mechanism, WeightedPrivelet):  # for `replace` as its paper has it, which is more
                    continue
                whole = strategy(mechanism)
                used = fmpq_mat(whole.nrows(), n, [whole[i, j] for i in range(whole.nrows()) for j in range(n)])
                if mechanism.scale(setting.neighbors) != sensitivity(used, setting.neighbors):
                    yield f"{candidate.label}, {setting.neighbors.value}, {n} of {mechanism.size}"


test_scales_are_the_sensitivities_also_where_trees_are_padded = nothing_wrong_test(wrong_scales)


@pytest.mark.parametrize("n", SMALL[1:])
@pytest.mark.parametrize("noise", NoiseLaw)
@pytest.mark.parametrize("by", By)
def test_the_order_is_that_of_the_numbers(n: int, noise: NoiseLaw, by: By) -> None:
    for setting in settings_of(n):
        if setting.noise is noise:
            rows = ranking(setting, "1/3", candidates(setting)[0], by)
            keys = [row.key(by) for row in rows]
            assert all((b - a).sign() >= 0 for a, b in pairwise(keys))
            assert {row.candidate.label for row in rows} == {c.label for c in candidates(setting)[0]}


def by_matrix(mechanism: Any, setting: Setting) -> Any:
    """The same strategy, given as a matrix."""
    return strategies.ranking.coefficients(of_matrix("own", strategy(mechanism), setting), setting)


@pytest.mark.parametrize("workload", Workload)
@pytest.mark.parametrize("mechanism", [Privelet(8), Boost(8), Boost(9, 3, Root.OMITTED), Haar(4)], ids=repr)
def test_a_strategy_given_as_a_matrix_is_the_same(mechanism: Any, workload: Workload) -> None:
    setting = Setting(mechanism.size, workload)
    coefficient = coefficients(Candidate("Boost", mechanism), setting)
    assert by_matrix(mechanism, setting) == coefficient
    listed = Setting(mechanism.size, MATRIX[workload](mechanism.size))
    assert by_matrix(mechanism, listed) == coefficient
    for neighbors in Neighbors:
        assert MatrixMechanism(strategy(mechanism)).scale(neighbors) == mechanism.scale(neighbors)


MATRICES = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.lists(st.integers(-2, 2), min_size=n, max_size=n), min_size=1, max_size=5)
)


@settings(max_examples=40)
@given(MATRICES, st.sampled_from(Workload))
def test_least_squares_is_the_best_that_a_strategy_can_do(rows: list[list[int]], workload: Workload) -> None:
    """More rows of the same noise are never worse for any query; the counts themselves are among the rows."""
    n = len(rows[0])
    setting = Setting(n, workload)
    counts = [[int(i == j) for j in range(n)] for i in range(n)]
    own = coefficients(of_matrix("own", fmpq_mat([*counts, *rows]), setting), setting)
    assert own.worst is not None
    flat = coefficients(candidates(setting, ["Identity"])[0][0], setting)
    assert own.total <= flat.total
    assert flat.worst is not None
    assert own.worst <= flat.worst


@settings(max_examples=30)
@given(st.integers(1, 2**60), st.sampled_from(Neighbors), st.sampled_from(Workload), st.fractions("1/9", 9))
def test_laws_for_all_sizes(n: int, neighbors: Neighbors, workload: Workload, epsilon: Fraction) -> None:
    """Boost is never worse than its tree; epsilon changes no order of Laplace noise; a flat tree is the identity."""
    setting = Setting(n, workload, neighbors, pad=True, branchings=(2, 16, max(n, 2)))
    rows = ranking(setting, epsilon, candidates(setting)[0], seek=False)
    by_label = {row.candidate.label: row.key(By.TOTAL) for row in rows}
    for label, key in by_label.items():
        if label.startswith("Boost"):
            assert (by_label[label.replace("Boost", "Tree")] - key).sign() >= 0
    if n > 1:
        assert by_label[f"Boost (b={n}, noroot)"] == by_label["Identity"] == by_label[f"Tree (b={n}, noroot)"]
    if neighbors is Neighbors.ADD_REMOVE:
        assert by_label["Privelet"] == by_label["WeightedPrivelet"]
    labels = [row.candidate.label for row in ranking(setting, 1, candidates(setting)[0], seek=False)]
    assert labels == [row.candidate.label for row in rows]


@given(st.integers(2, 40), st.integers(1, 8))
def test_branching_factors_that_fit(b: int, h: int) -> None:
    n = b**h
    assert branchings(n) == [c for c in range(2, n + 1) if _is_power(n, c)] if n < 3000 else b in branchings(n)
    assert padded(n, b) == n
    assert padded(n + 1, b) == n * b


def _is_power(n: int, b: int) -> bool:
    while n % b == 0:
        n //= b
    return n == 1


@pytest.mark.parametrize("epsilon", ["1", "1/2", "ln(3)", "3*ln(2)/5"])
@pytest.mark.parametrize("scale", [1, 2, 11])
def test_the_noise(epsilon: str, scale: int) -> None:
    laplace, discrete = (unit(fmpq(scale), noise, epsilon) for noise in NoiseLaw)
    number = factor(NoiseLaw.LAPLACE, epsilon)
    alpha = (-(arb(2) / number).sqrt() / scale).exp()
    assert (2 * alpha / (1 - alpha) ** 2).overlaps(discrete.enclosure(64))
    assert laplace.rational() == scale**2
    assert decimal(laplace, NoiseLaw.LAPLACE, epsilon, 12).startswith(str((number * scale**2).str(8, radius=False))[:6])
    assert discrete.enclosure(128) < number * scale**2  # rounding to integers does not add noise
    assert unit(fmpq(0), NoiseLaw.DISCRETE, epsilon) == unit(fmpq(0), NoiseLaw.LAPLACE, epsilon) == 0


def test_ratios() -> None:
    assert ratio(Real.lift(3), Real.lift(2), 5) == "1.5000"
    assert ratio(Real.lift(3), Real.lift(3), 5) == "1"
    assert ratio(Real.lift(0), Real.lift(0), 5) == "1"
    assert ratio(Real.lift(1), Real.lift(0), 5) is None


# --- planted faults ---------------------------------------------------------------------------------------------------


def _unpadded(size: int, branching: int) -> int:
    length = padded(size, branching)
    return length if length == size else length * branching


def _worst_is_mean(candidate: Candidate, setting: Setting, seek: bool = True) -> Any:
    coefficient = coefficients(candidate, setting, seek)
    return strategies.ranking.Coefficients(coefficient.total, coefficient.total / number_of_queries(setting))


def _eigenvalues_of_b2(candidate: Candidate) -> Any:
    values, b = _EIGENVALUES(candidate)
    return ([2 * value for value in values] if isinstance(candidate.mechanism, Boost) and b == 3 else values), b


def _leaves_alone(query: list[fmpq], tree: Tree) -> fmpq:
    return sum((x * x for x in query), fmpq(0))


_EIGENVALUES = strategies.ranking._eigenvalues
FAULTS: dict[str, tuple[str, Any]] = {
    "the worst query is the mean": ("coefficients", _worst_is_mean),
    "eigenvalues of another tree": ("_eigenvalues", _eigenvalues_of_b2),
    "trees answer by leaves alone": ("vector_cover", _leaves_alone),
    "the nodes of a parent are used twice": (
        "cover_total",
        lambda workload, used, tree: block_squares(workload, used, 1),
    ),
    "worst prefixes are worst ranges": ("worst_prefix", worst_range),
}
test_wrong_coefficients_are_found = fault_test(wrong_coefficients, in_module(strategies.ranking, FAULTS))
PADDING = {"one level of padding too many": (strategies.candidates, "padded", _unpadded)}
test_wrong_scales_are_found = fault_test(wrong_scales, PADDING)


# --- bad input --------------------------------------------------------------------------------------------------------


SINGULAR = fmpq_mat([[1, 1], [2, 2]])
test_refusals = refusal_test(
    refuses("n", Setting, 0, -1, True, 1.5, 2**60 + 1),
    refuses("workload", lambda workload: Setting(4, workload), "ranges", range_workload(3), fmpq_mat(0, 4)),
    refuses("neighbors", lambda neighbors: Setting(4, neighbors=neighbors), "replace"),
    refuses("noise", lambda noise: Setting(4, noise=noise), "laplace"),
    refuses("", lambda branchings: Setting(4, branchings=branchings), (1,), says="branching"),
    refuses(
        "epsilon",
        lambda epsilon: ranking(Setting(4), epsilon, candidates(Setting(4))[0]),
        *(0, "0", "-1", "ln(1)", float("nan")),
    ),
    refuses("", lambda: document(Setting(6), "1", ["Privelet"]), says="--pad"),
    refuses("", lambda: of_matrix("own", SINGULAR, Setting(2)), says="rank"),
    refuses("", lambda: of_matrix("own", SINGULAR, Setting(3)), says="columns"),
    refuses("strategy", lambda name: of_matrix(name, fmpq_mat([[1]]), Setting(1)), *NAMES),
)


def test_discrete_noise_goes_with_integers_alone() -> None:
    possible, missing = candidates(Setting(8, noise=NoiseLaw.DISCRETE))
    assert {one.label for one in missing} == {"WeightedPrivelet", "HaarAveraged", "HaarOrthonormal"}
    assert {c.name for c in possible} == {"Identity", "Tree", "Boost", "Privelet"}
    assert {c.name for c in candidates(Setting(8))[0]} == set(NAMES)
    assert [one.label for one in candidates(Setting(6))[1]] == list(NAMES[3:])


# --- the command ------------------------------------------------------------------------------------------------------


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["strategies", *arguments])


def test_the_document_and_the_text() -> None:
    done = run("--n", "1024", "--json")
    page = json.loads(done.output)
    jsonschema.validate(page, SCHEMA)
    assert page == json.loads(json.dumps(document(Setting(1024), "1")))
    assert page["best"] == ["Boost (b=32, noroot)"]
    assert page["best_branching"]["Tree"]["branching"] == [32]
    rows = {row["strategy"]: row for row in page["strategies"]}
    privelet, h, n = rows["Privelet"], 10, 1024
    closed = fmpq(h, 6) + fmpq(1, 36) + fmpq(1, 2 * n) + fmpq(1, 2 * (n + 1)) + fmpq(2, 9 * n**2)  # source 001, (16)
    assert privelet["coefficient"]["average"] == str(closed)
    worst = fmpq(int(privelet_coefficients(h).max()), 4**h)
    assert privelet["coefficient"]["worst"] == str(worst)
    assert privelet["scale"] == "11"
    assert float(privelet["error"]["worst"]) == pytest.approx(242 * float(worst.p) / float(worst.q))
    text = run("--n", "1024").output
    assert "Boost (b=32, noroot) has the smallest total error" in text
    assert "next is Boost (b=4, noroot)" in text


@pytest.mark.slow
@pytest.mark.parametrize("by", ["total", "worst"])
@pytest.mark.parametrize("noise", ["laplace", "discrete"])
@pytest.mark.parametrize("neighbors", ["addremove", "replace"])
@pytest.mark.parametrize("n", ["1", "2", "6"])
def test_documents_of_all_kinds(n: str, neighbors: str, noise: str, by: str, tmp_path: Path) -> None:
    (own := tmp_path / "own.txt").write_text(
        "\n".join(" ".join("1" if i >= j else "0" for j in range(int(n))) for i in range(int(n)))
    )
    for workload in ("ranges", "prefix", "identity", str(own)):
        arguments = ("--n", n, "--neighbors", neighbors, "--noise", noise, "--by", by, "--workload", workload)
        page = json.loads(run(*arguments, "--strategy", str(own), "--pad", "--json").output)
        jsonschema.validate(page, SCHEMA)
        assert "own.txt" in [row["strategy"] for row in page["strategies"]]
        if workload == str(own):  # the prefixes, as rows of a matrix
            named = json.loads(run(*arguments[:-1], "prefix", "--strategy", str(own), "--pad", "--json").output)
            assert named["strategies"] == page["strategies"]


def test_what_is_left_out_is_said() -> None:
    page = json.loads(run("--n", str(3**30), "--json").output)
    jsonschema.validate(page, SCHEMA)
    assert {row["coefficient"]["worst"] for row in page["strategies"] if row["name"] == "Boost"} == {None}
    assert [row["strategy"] for row in page["not_applicable"]] == list(NAMES[3:])
    text = run("--n", str(3**30)).output
    assert "not sought" in text
    assert "not applicable: Privelet" in text


test_numbers_that_are_too_long = bad_command_test(
    "strategies --n 64 --noise discrete --plot errors.svg",
    [
        ("--epsilon 1000000", "Error: --plot"),
        ("--epsilon 1e-300", "Error: --plot"),
        ("--epsilon '12345*ln(7/3)/9999'", "Error: epsilon"),
    ],
)


@pytest.mark.parametrize("text", ["1e5", "1" * 101, "٣", "1/0", "--1"])
def test_numbers_of_files_are_plain(text: str, tmp_path: Path) -> None:
    (file := tmp_path / "matrix.txt").write_text(text, encoding="utf-8")
    done = run("--n", "1", "--workload", str(file))
    assert done.exit_code == 2
    assert "line 1" in done.stderr


def test_errors_about_files_have_a_type(tmp_path: Path) -> None:
    from dp_studies.comparisons.strategies.command import read_matrix, read_workload

    (file := tmp_path / "matrix.txt").write_text("1 2\n")
    assert read_matrix(file, 2, "--workload") == fmpq_mat([[1, 2]])
    with pytest.raises(FormatError, match="3 numbers"):
        read_matrix(file, 3, "--workload")
    with pytest.raises(DomainError, match="workload"):
        read_workload(str(tmp_path), 2)


def test_ranked_rows_have_keys() -> None:
    row = Ranked(
        Candidate("Identity", candidates(Setting(4))[0][0].mechanism),
        fmpq(1),
        strategies.ranking.Coefficients(fmpq(3), None),
        Real.lift(2),
    )
    assert row.key(By.TOTAL) == 6
    with pytest.raises(DomainError, match="worst"):
        row.key(By.WORST)
