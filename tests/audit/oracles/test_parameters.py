"""Parameters: bad ones are refused with a typed error that names them; defaults are the exact optima."""

from fractions import Fraction
from math import inf, log, nan

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from dp_audit.oracles import KINDS, oracle
from dp_audit.oracles.additive import floor
from dp_audit.oracles.base import double as nearest
from dp_audit.oracles.base import epsilon as budget
from dp_audit.oracles.base import exponential
from dp_audit.oracles.descriptions import example
from dp_audit.oracles.forms import Subsets
from dp_audit.oracles.frequency import FrequencyOracle, Threshold
from dp_audit.oracles.hadamard import HadamardResponse, best_blocks
from dp_refimpl.frequency.histogram import best_threshold
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError, MissingError, UndecidedError, UnknownNameError
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import Ordering, compare
from independent.oracle_cases import same

BAD_NUMBERS: tuple[object, ...] = (nan, inf, -inf, "nan", "inf", "", "x", "1e9999999", "1/0", "2/3e5", None, True, [1])
BAD_SIZES: tuple[object, ...] = (0, -3, 2.0, nan, True, None, "two", "2.0")
BAD_POINTS: tuple[object, ...] = ("0, 1/3", "0, 1, 2", "0, x, 1", None, [0, 1], [0, [1], 2], "", "0, -1/2, 1")
BAD: dict[str, tuple[object, ...]] = {
    "K": (0, -1, 1.5, True, None, "x"),
    "N": (-1, 0.5, True, None, "x"),
    "view": ("", "sorted", None, 3),
    "relation": ("ldp", "", None, 3),
    "d": (*BAD_SIZES, 1),
    **{f"d of {name}": BAD_SIZES for name in ("GRRSplit", "GRRSample", "RAPPORSet", "RAPPORSample")},
    "g": (0, 1, 2.0, nan, True, None, "x"),
    "m": (0, -1, 2.0, nan, True, None, "x"),
    "t": (0, -1, 1.0, nan, True, "x"),
    "k": (0, -1, 4, 5, 1.0, nan, True, "x"),
    "first": (-1, 2, 0.0, True),
    "blocks": (0, -2, 3, 8, 1.0, True),
    "permutation": ([0, 1], [0, 1, 1], [0, 1, 3], [0, 1, -1], [0, 1, 2.0], "0 1 2", None, 3, [0, True, 2]),
    "epsilon": (0, -1, nan, inf, "ln(1)", "x", None, True, [1.0]),
    "theta": BAD_NUMBERS,
    "p": (*BAD_NUMBERS, 0, 1, "1/4", "0.2", -1, 2),
    "q": (*BAD_NUMBERS, 0, 1, "3/4", 0.8, -1, 2),
    "f": (*BAD_NUMBERS, 0, 1, -1, "3/2"),
    "hash": (
        [0, 1],
        [0, 1, 1, 0],
        [0, 1, 2],
        [0, 1, -1],
        [0, 1, 1.0],
        [0, 1, True],
        "0 1 1",
        "[0,",
        None,
        3,
        [[0, 1, 1]],
    ),
    "hash of Wheel": BAD_POINTS,
    "hash of SuWheel": BAD_POINTS,
    "hashes": ([], [[0, 1, 1, 1, 1]], [[0, 9, 1], [0, 9]], [0, 1, 1], "[]", "0, 1, 1", None, {"0": [0, 1, 1]}),
    "signs": ([], [[0, 1]], [[0, 1], [0, 2]], [[0, 1], [0]], [[0, 1]] * 3, None),
    "filters": ([], [[]], [[[]]], [[[0, 1]]], [[[0, 1], [2, 4]]], [[[], []]], [[0, 1], [2, 3]], None),
    "utilities of Exponential": (
        *([], [[1, 0]], [[1], [0]], [[1, 0], [0]], [[1, "x"], [0, 1]], "x", None),
        *([[3, 0], [0, 1]], [[1, nan], [0, 1]], [[True, 0], [0, 1]]),
    ),
    "sensitivity of PermuteAndFlip": (0, -1, inf, "x", True, None),
    "monotonic of Exponential": (True, "maybe", 1, None),
    "distances of ExponentialCategorical": (
        *([[0, 1], [2, 0]], [[1, 1], [1, 0]], [[0, -1], [-1, 0]], [[0, 0], [0, 0]], [[0, 1, 1], [1, 0, 1]], [[0]]),
    ),
    "hierarchy of ExponentialHierarchical": ([], [0], [[0], 1], [0, 0], [0, 2], [True, 0], ["a", "b"]),
    "sizes": ((2,), "2", (2, 1), (2, True), (2, 2.0), "2,x", 4),
    "buckets of dBitFlipPM": (0, 4),
    "bits of dBitFlipPM": (0, 4),
    "eps_perm": (0, -1, nan, "x", None, "1/2"),
    "eps_1": (0, -1, nan, "x", None, 2, 3),
    "sigma": (0, -1, nan, "x", None),
    "scale": (0, -1, nan, "x", None),
    "values of DiscreteGaussian": ([0], [0, 0], [0, 9]),
    "values of DiscreteLaplace": ([0], [1, 1], [0, 9]),
    "values of Laplace": ([0], [1, 1], [0, 2]),
    "counts": ([[0, 3], [2, 1]], [[0], [0, 1]], [[0, 1], [0, 1]], [[0] * 9, [1] * 9]),
    "sensitivities": ([1], [1, 1, 0], [1, "1/2", "1/2"]),
    "utilities of NoisyMax": ([[0, 2], [0, 0]],),
    "values of Geometric": ([0], [0, 0], [0, 2], [0, 3], [0, 1.5], [0, True], "x", None, [-9, -8]),
    "sensitivity of Geometric": (0, -1, 1.0, True, "x"),
    "high of Geometric": (-2, -3, 0, 2.0, None),
    "upper of GeometricTruncated": (0, -1, "1/2", None),
    "upper of GeometricFolded": (0, "5/4", "nan", None),
    "upper of RoundedLaplace": (0, -1, 1.5),
    "columns of GRR-column": ([[0, 1]], [[0, 1], [1, 0]], [[0, 1], [0]], [[0, 1], [0, 1]], [[0, 2], [0, 1]]),
}
"""By parameter, or by parameter and oracle."""
RELATED = {
    "d": "d|m|hash",
    "p": "p|q",
    "q": "p|q",
    "high": "high|low, high|values",
    "upper": "upper|lower, upper",
    "monotonic": "monotonic|utilities",
    "sensitivities": "sensitivities|scores",
    "sizes": "sizes|sizes, tables",
    "eps_perm": "eps_perm|eps_1",
}
"""What an error names where a parameter does not go with another one."""
PLANTED = [
    (name, parameter, value)
    for name, kind in KINDS.items()
    for parameter in kind.parameters
    for value in BAD.get(f"{parameter} of {name}", BAD.get(parameter, ()))
]


@pytest.mark.parametrize(("name", "parameter", "value"), PLANTED)
def test_a_bad_parameter_is_refused_by_name(name: str, parameter: str, value: object) -> None:
    with pytest.raises(DomainError, match=f"^({RELATED.get(parameter, parameter)}) (= |'.*' is not known)") as refusal:
        oracle(name, {**example(KINDS[name]), parameter: value})
    assert set(refusal.value.parameter.split(", ")) <= KINDS[name].parameters.keys()


@pytest.mark.parametrize("name", KINDS)
def test_missing_and_unknown_parameters_are_refused(name: str) -> None:
    needed = example(KINDS[name])
    for parameter in needed:
        with pytest.raises(MissingError, match=rf"{parameter}.* is missing: {name} has the parameters"):
            oracle(name, {key: value for key, value in needed.items() if key != parameter})
    with pytest.raises(UnknownNameError, match="parameter 'delta' is not known"):
        oracle(name, {**needed, "delta": 0})


def test_hadamard_count_mean_sketch_needs_a_power_of_two() -> None:
    with pytest.raises(DomainError, match="power of two"):
        oracle("HCMS", {**example(KINDS["HCMS"]), "m": 6})


@pytest.mark.parametrize("text", ["0, 1, 1", "[0, 1, 1]", " [0,1,1] "])
def test_tables_may_be_text(text: str) -> None:
    good = example(KINDS["LH"])
    assert oracle("LH", {**good, "hash": text}) == oracle("LH", {**good, "hash": [0, 1, 1]})


@pytest.mark.parametrize("theta", ["3/4", "0.75", 0.75, Fraction(3, 4), fmpq(3, 4), "+75e-2"])
def test_a_threshold_is_read_exactly(theta: object) -> None:
    subject = oracle("THE", {"d": 3, "epsilon": "ln(3)", "theta": theta})
    assert isinstance(subject, FrequencyOracle)
    assert subject.maker == Threshold(fmpq(3, 4))
    double = oracle("THE", {"d": 3, "epsilon": "ln(3)", "theta": 0.7})
    assert isinstance(double, FrequencyOracle)
    assert double.maker == Threshold(fmpq(*(0.7).as_integer_ratio()))


def test_equal_irrational_numbers_are_undecided_not_guessed() -> None:
    with pytest.raises(UndecidedError):
        floor(lambda: arb(2).sqrt() * arb(8).sqrt())
    assert floor(lambda: fmpq(7, 2)) == floor(lambda: arb(14).sqrt()) == 3


# --- defaults ---------------------------------------------------------------------------------------------------------


@given(st.integers(2, 20), st.integers(2, 60), st.integers(1, 9))
def test_the_default_size_is_the_best_of_all(d: int, top: int, bottom: int) -> None:
    if top <= bottom:
        return
    w = fmpq(top, bottom)
    sums = [(k * w + d - k) ** 2 / (k * (d - k)) for k in range(1, d)]  # Ye and Barg 2018, up to what k does not change
    assert default_size(d, f"ln({top}/{bottom})") == sums.index(min(sums)) + 1


def default_size(d: int, epsilon: float | str) -> int:
    subject = oracle("SS", {"d": d, "epsilon": epsilon})
    assert isinstance(subject, FrequencyOracle)
    assert isinstance(subject.form, Subsets)
    return subject.form.k


@pytest.mark.parametrize(("d", "epsilon", "best"), [(2, 1.0, 1), (100, 1.0, 27), (10, 0.01, 5), (10, 20.0, 1)])
def test_the_default_size_at_irrational_budgets(d: int, epsilon: float, best: int) -> None:
    assert default_size(d, epsilon) == best


def test_rounding_is_not_always_the_best_size() -> None:
    """At d = 4, e^eps = 12/7 the quotient d / (e^eps + 1) = 28/19 rounds to 1, but 2 has the smaller error."""
    assert round(Fraction(4) / (Fraction(12, 7) + 1)) == 1
    assert default_size(4, "ln(12/7)") == 2


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 2.5, 8.0, "ln(3)"])
def test_the_default_threshold_has_the_smallest_variance(epsilon: float | str) -> None:
    with ctx.workprec(200):
        best = best_threshold(arb(exponential(Budget(epsilon), Fraction(1, 2))))
        assert compare(best, fmpq(1, 2)) is Ordering.GREATER
        assert compare(best, 1) is Ordering.LESS
        spread = _variance(epsilon, None)
        near = fmpq(int((best * 2**60).floor().unique_fmpz()), 2**60)  # type: ignore[arg-type]
        assert compare(abs(_variance(epsilon, near) / spread - 1), arb(2) ** -90) is Ordering.LESS
        grid = [fmpq(j, 20) for j in range(-40, 61)] + [near + fmpq(1, 2**20), near - fmpq(1, 2**20)]
        assert all(compare(spread, _variance(epsilon, theta)) is Ordering.LESS for theta in grid)


def _variance(epsilon: float | str, theta: fmpq | None) -> arb:
    parameters: dict[str, object] = {"d": 2, "epsilon": epsilon}
    subject = oracle("THE", parameters if theta is None else {**parameters, "theta": theta})
    assert isinstance(subject, FrequencyOracle)
    p, q = subject.p, subject.q
    return arb(q * (1 - q) / ((p - q) * (p - q)))


def test_the_default_threshold_is_its_own_probabilities() -> None:
    """The closed form of p and q at theta* agrees with the general one at a threshold next to it."""
    with ctx.workprec(300):
        best = best_threshold(arb(1).exp().sqrt())
        near = fmpq(int((best * 2**250).floor().unique_fmpz()), 2**250)  # type: ignore[arg-type]
        default, explicit = (oracle("THE", {"d": 2, "epsilon": 1.0, **more}) for more in ({}, {"theta": near}))
        for item in (0, 1):
            assert all(same(default.law(item)[y], p + arb(0, arb(2) ** -240)) for y, p in explicit.law(item).items())


@pytest.mark.parametrize(
    ("d", "epsilon", "blocks"),
    [
        (4, 0.5, 1),
        (4, "ln(2)", 2),
        (4, 0.6, 1),
        (4, 0.7, 2),
        (4, "ln(8)", 8),
        (4, 9.0, 8),
        (3, 9.0, 4),
        (1000, 5.0, 128),
    ],
)
def test_the_default_blocks_are_the_papers(d: int, epsilon: float | str, blocks: int) -> None:
    """The largest power of two <= min(e^eps, 2d)."""
    assert best_blocks(d, Budget(epsilon)) == blocks
    subject = oracle("HR", {"d": d, "epsilon": epsilon})
    assert isinstance(subject, HadamardResponse)
    assert subject.blocks == blocks


# --- budgets ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spelling", "double", "base", "exponent"),
    [
        ("0.1", 0.1, None, Fraction(1, 10)),
        (0.1, 0.1, None, Fraction(0.1)),
        ("3/2", 1.5, None, Fraction(3, 2)),
        (1, 1.0, None, Fraction(1)),
        ("ln(3)", log(3), fmpq(3), Fraction(1)),
        ("ln(5/2)/2", log(2.5) / 2, fmpq(5, 2), Fraction(1, 2)),
    ],
)
def test_text_is_what_it_writes_and_the_library_gets_the_nearest_double(
    spelling: float | str, double: float, base: fmpq | None, exponent: Fraction
) -> None:
    epsilon = budget("epsilon", spelling)
    assert (nearest(epsilon), epsilon.root) == (double, Real.power(base, exponent))
    with ctx.workprec(200):
        assert (arb(exponential(epsilon, 2)).log() - 2 * arb(double)).contains(0) or abs(
            (arb(exponential(epsilon)).log() - arb(double)).mid().fmpq()
        ) < fmpq(1, 2**52)
