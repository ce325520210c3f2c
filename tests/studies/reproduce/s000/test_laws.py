"""Source 000: counts and exact errors are those of the programs, calibrations are accepted, files are read whole."""

from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from dp_refimpl.frequency.hash_families import AllFunctions
from dp_refimpl.shuffle.dummies import Constant
from dp_refimpl.shuffle.dump import MixDUMP
from dp_refimpl.shuffle.hpsdp import SRR
from dp_refimpl.shuffle.murs import SOLH
from dp_refimpl.shuffle.odhp import ODHP, HashModel
from dp_refimpl.shuffle.protocol_parts import Randomizer
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError, FormatError
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_studies.comparisons.amplification.query import Setting
from dp_studies.comparisons.amplification.solve import UnreachableError
from dp_studies.reproduce.numbers import BITS
from dp_studies.reproduce.s000 import calibration
from dp_studies.reproduce.s000.calibration import Target, enough_alone
from dp_studies.reproduce.s000.counts import Counted
from dp_studies.reproduce.s000.data import DataSet, named, of_file, synthetic
from dp_studies.reproduce.s000.errors import ratios
from dp_studies.reproduce.s000.parameter_choices import Choice, e_to
from dp_studies.reproduce.s000.post_processing import functions_of, own_messages, popped, refined
from dp_studies.reproduce.s000.settings import ALGORITHMS, Algorithm
from dp_studies.reproduce.streams import draws

E3 = fmpq(3)


def choice(algorithm: Algorithm, items: int, labels: int, each: int, users: int) -> Choice:
    dummies = each * users if algorithm in ("mixDUMP", "OD-HP") else 0
    return Choice(algorithm, items if algorithm == "mixDUMP" else labels, arb(3), dummies)


def program(algorithm: Algorithm, items: int, labels: int, each: int, hashes: HashModel = "fresh") -> Randomizer[fmpq]:
    """The whole program, with rational e^epsilon_l = 3 and so many dummies of every user."""
    domain, budget = ItemDomain.of_sizes(items), Budget.of_root(E3)
    family = AllFunctions(domain.items, labels)
    made: dict[Algorithm, Randomizer[fmpq]] = {
        "MURS": SOLH(domain, budget, family),
        "HP-SDP": SRR(domain, family, fmpq(labels) / (E3 + labels - 1)),
        "mixDUMP": MixDUMP(domain, budget, Constant(each)),
        "OD-HP": ODHP(domain, budget, Constant(each), family, hashes),
    }
    return made[algorithm]


# --- exact errors are those of the programs ---------------------------------------------------------------------------


@settings(max_examples=25)
@given(
    st.sampled_from(ALGORITHMS),
    st.integers(2, 5),
    st.integers(2, 6),
    st.integers(0, 4),
    st.lists(st.integers(0, 9), min_size=5, max_size=5),
)
def test_the_exact_error_is_that_of_the_program(
    algorithm: Algorithm, items: int, labels: int, each: int, numbers: list[int]
) -> None:
    """Whatever the histogram, and whether dummies carry functions of their own or the report's."""
    held = [number + 1 for number in numbers[:items]]
    data = DataSet("x", tuple(held))
    exact = choice(algorithm, items, labels, each, data.users).error(data)
    hash_models: tuple[HashModel, ...] = ("fresh", "shared")
    for hashes in hash_models:
        made = program(algorithm, items, labels, each, hashes)
        people = dict(zip(made.domain.items, held, strict=True))
        moments = [made.moments(people, x) for x in made.domain.items]
        assert [m.mean * data.users for m in moments] == held
        mean = sum((m.variance for m in moments), fmpq(0)) / items
        with ctx.workprec(BITS):
            assert abs(exact - mean) < arb(2) ** -200


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_moments_of_the_counts_are_those_of_the_program(algorithm: Algorithm) -> None:
    """E and Var of C_v - a - b n_v, from the series: 0, and the variance of the estimate."""
    data = DataSet("x", (5, 2, 1, 2))
    law = Counted(data, choice(algorithm, 4, 3, 2, data.users))
    made = program(algorithm, 4, 3, 2)
    people = dict(zip(made.domain.items, data.held, strict=True))
    by_number = {n: made.moments(people, x).variance for x, n in people.items()}
    with ctx.workprec(BITS):
        assert [(held, times) for held, times, _ in law.cumulants()] == [(1, 1), (2, 2), (5, 1)]
        for held, _, series in law.cumulants():
            assert abs(series[1]) < arb(2) ** -200
            assert abs(2 * series[2] * law.unit - by_number[held]) < arb(2) ** -200


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_counts_have_the_mean_and_the_variance_of_the_law(algorithm: Algorithm) -> None:
    data = synthetic("x", 3000, 6)
    law = Counted(data, choice(algorithm, 6, 4, 2, data.users))
    runs = np.array([law.draw(draws(1, run)) for run in range(2000)])
    a, b = (float(x) for x in law.line)
    for held, times, series in law.cumulants():
        columns = runs[:, [n == held for n in data.held]]
        assert columns.shape[1] == times
        sd = float(2 * series[2]) ** 0.5
        assert np.abs(columns.mean(axis=0) - a - b * held).max() < 5 * sd / 2000**0.5
        assert columns.std(axis=0) / sd == pytest.approx(np.ones(times), abs=0.1)


def test_squares_are_those_of_the_estimates() -> None:
    data = synthetic("x", 3000, 6)
    law = Counted(data, choice("OD-HP", 6, 4, 2, data.users))
    drawn = law.draw(draws(2))
    before, after = popped(law, drawn)
    assert float(law.square(law.sums(drawn)) * law.unit / data.items) == pytest.approx(before)
    assert after <= before


@pytest.mark.slow
@settings(max_examples=15)
@given(st.integers(1, 50))
def test_intervals_shrink_around_1(runs: int) -> None:
    law = Counted(synthetic("x", 3000, 40), Choice("MURS", 8, arb(20)))
    low, high = ratios(law, runs, Fraction(1, 100))
    assert compare(high, 1) is Ordering.GREATER
    if low is not None:
        assert compare(low, 1) is Ordering.LESS
    more = ratios(law, 4 * runs, Fraction(1, 100))[1]
    assert compare(more, high) is Ordering.LESS


# --- messages for EM --------------------------------------------------------------------------------------------------


def test_own_messages_support_as_their_functions_say() -> None:
    """All messages are there; without noise every user's message supports the user's item."""
    data = DataSet("x", (40, 30, 20, 10))
    sent = own_messages(Counted(data, Choice("OD-HP", 5, arb(2) ** 200)), draws(3))
    assert (sent.messages, sent.items, sent.hashes.labels) == (100, 4, 5)
    held = sent.hashes.values(np.repeat(np.arange(4), data.array)[:, None])
    assert sent.sent.tolist() == held.tolist()
    noisy = own_messages(Counted(data, Choice("OD-HP", 5, arb(3), 77)), draws(3))
    assert noisy.messages == 177
    labels = noisy.hashes.values(np.broadcast_to(np.arange(4), (177, 4)))
    assert noisy.support().tolist() == (labels == noisy.sent).sum(axis=0).tolist()


@pytest.mark.parametrize(("items", "labels"), [(1, 1), (915, 1024), (4_000, 2), (5, 9_000), (70_000, 1024)])
def test_functions_for_em_have_nearly_uniform_labels(items: int, labels: int) -> None:
    family = functions_of(items, labels)
    assert family.prime >= max(items, labels)
    assert family.zero
    assert len(family.items) == items
    # a label's chance is floor or ceil(P / h) / P
    assert abs(Fraction(-(-family.prime // labels), family.prime) - Fraction(1, labels)) < Fraction(1, family.prime)


def test_estimates_of_all_messages_have_the_exact_error() -> None:
    """As those whose counts are drawn at once: over some runs, about the stated mean squared error."""
    data = synthetic("x", 3000, 40)
    law = Counted(data, choice("OD-HP", 40, 64, 2, data.users))
    found = [float(refined(law, 1, draws(run))["before"]) for run in range(12)]
    assert np.mean(found) == pytest.approx(float(law.choice.error(data)), rel=0.2)


# --- calibration ------------------------------------------------------------------------------------------------------

TARGET = Target(Fraction(1), Fraction(1, 1000))


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", ["krr", "olh"])
def test_dummies_are_enough_and_nearly_as_few_as_can_be_shown(mechanism: str) -> None:
    setting = Setting("krr" if mechanism == "krr" else "olh", 1000, "5", 8)
    number = calibration.dummies(setting, TARGET, 10**4)
    assert number > 0
    assert not enough_alone(setting, TARGET)
    assert abs(calibration.dummies(setting, TARGET, 1) - number) <= 2 + number / 200
    with_them = Setting(setting.mechanism, 1000, "5", 8, number)
    assert calibration._accepted(with_them, TARGET)
    fewer = Setting(setting.mechanism, 1000, "5", 8, number * 9 // 10)
    assert not calibration._accepted(fewer, TARGET)


def test_the_local_budget_is_safe_and_nearly_the_largest() -> None:
    setting = Setting("olh", 5000, "1", 4)
    budget = calibration.local_budget(setting, TARGET)
    assert budget > 1
    assert calibration._accepted(Setting("olh", 5000, str(budget), 4), TARGET)
    assert not calibration._accepted(Setting("olh", 5000, str(budget * 11 / 10), 4), TARGET)


def test_a_small_local_budget_needs_no_dummies() -> None:
    """Its own bound is too small to be computed: that of a larger budget is taken."""
    assert calibration.dummies(Setting("krr", 10**6, "1", 42_178), Target(Fraction(1, 10), Fraction(1, 10**6)), 1) == 0


def test_one_user_alone_has_no_budget_for_tiny_epsilon() -> None:
    with pytest.raises(UnreachableError):
        calibration.local_budget(Setting("olh", 1, "1", 2), Target(Fraction(1, 10**6), Fraction(1, 10**9)))


# --- data -------------------------------------------------------------------------------------------------------------


@given(st.integers(2, 5000), st.integers(2, 60))
def test_synthetic_histograms_add_up_and_fall(users: int, items: int) -> None:
    data = synthetic("x", users, items)
    assert (data.users, data.items) == (users, items)
    assert list(data.held) == sorted(data.held, reverse=True)
    assert int(data.array.sum()) == users


@pytest.mark.slow
def test_the_skew_is_that_of_ranks() -> None:
    held = named("kosarak").held
    assert held[0] / held[9] == pytest.approx(10, rel=0.01)


def test_columns_and_transactions(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text('a,b\n1,u\n2,"v,w"\n3,u\n', encoding="utf-8")
    assert of_file(path, "b", draws(1)).held == (2, 1)
    lines = tmp_path / "x.dat"
    lines.write_text("1 2 3\n\n2\n2,2\n 7 \n" * 400, encoding="utf-8")
    found = of_file(lines, None, draws(1))
    assert (found.users, found.items) == (1600, 4)
    assert found.held[0] in range(860, 1010)  # 2: 800 users, and a third of 400
    assert found == of_file(lines, None, draws(1))
    assert sum(Counter(found.held).values()) == 4


def test_parquet(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path = tmp_path / "x.parquet"
    parquet.write_table(pyarrow.table({"city": [3, 1, 3, 2], "none": [1, None, 1, 1]}), path)
    assert of_file(path, "city", draws(1)).held == (2, 1, 1)
    for column in ("none", "other"):
        with pytest.raises(FormatError):
            of_file(path, column, draws(1))
    path.write_bytes(b"PAR1 but not really")
    with pytest.raises(FormatError):
        of_file(path, "city", draws(1))


@pytest.mark.parametrize(
    ("name", "text", "column", "error"),
    [
        ("x.csv", "a,b\n1,2\n1,3\n", None, DomainError),
        ("x.csv", "a,b\n1,2\n1,3\n", "c", FormatError),
        ("x.csv", "a,a\n1,2\n1,3\n", "a", FormatError),
        ("x.csv", "a,b\n1\n", "a", FormatError),
        ("x.csv", "a,b\n1,\n", "b", FormatError),
        ("x.csv", 'a,b\n"1,2\n', "a", FormatError),
        ("x.csv", "", "a", FormatError),
        ("x.csv", "a\n1\n1\n", "a", DomainError),
        ("x.dat", "1 2\n", "a", DomainError),
        ("x.dat", "", None, DomainError),
        ("x.dat", "1\n1\n", None, DomainError),
    ],
)
def test_bad_files(tmp_path: Path, name: str, text: str, column: str | None, error: type[Exception]) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(error):
        of_file(path, column, draws(1))


def test_files_that_are_not_utf8(tmp_path: Path) -> None:
    for name, column in (("x.csv", "a"), ("x.dat", None)):
        path = tmp_path / name
        path.write_bytes(b"a\n\xff\xfe\n")
        with pytest.raises(FormatError):
            of_file(path, column, draws(1))


@pytest.mark.parametrize("held", [(1,), (1, 0), (-1, 3), (1, True), (10**7, 1)])
def test_bad_histograms(held: tuple[int, ...]) -> None:
    with pytest.raises(DomainError):
        DataSet("x", held)


@pytest.mark.parametrize("name", ["adult", ""])
def test_other_names(name: str) -> None:
    with pytest.raises(DomainError):
        named(name)


def test_e_to_is_sharp() -> None:
    assert e_to("12").rel_accuracy_bits() > BITS
