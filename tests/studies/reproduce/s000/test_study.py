"""Source 000: counts and exact errors are those of the programs, calibrations are accepted, files are read whole."""

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from cases.faults import Patch, fault_test, nothing_wrong_test
from cases.refusals import refusal_test, refuses
from dp_command import main
from dp_refimpl.frequency.hash_families import AllFunctions
from dp_refimpl.shuffle.dummies import Constant
from dp_refimpl.shuffle.dump import MixDUMP
from dp_refimpl.shuffle.hpsdp import SRR
from dp_refimpl.shuffle.murs import SOLH
from dp_refimpl.shuffle.odhp import ODHP, HashModel
from dp_refimpl.shuffle.protocol_parts import Affine, Randomizer
from dp_spec.frequency import local_hashing
from dp_spec.shuffle import messages
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError, FormatError
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_studies.comparisons.amplification.query import Setting
from dp_studies.comparisons.amplification.solve import UnreachableError
from dp_studies.reproduce.numbers import BITS
from dp_studies.reproduce.pictures import pictures
from dp_studies.reproduce.s000 import parameter_choices as calibration
from dp_studies.reproduce.s000.counts import Counted
from dp_studies.reproduce.s000.data import DataSet, named, of_file, synthetic
from dp_studies.reproduce.s000.draw import drawings
from dp_studies.reproduce.s000.measurements import functions_of, own_messages, popped, refined
from dp_studies.reproduce.s000.parameter_choices import Choice, e_to
from dp_studies.reproduce.s000.points import spread
from dp_studies.reproduce.s000.settings import ALGORITHMS, Algorithm, Plan, Target
from dp_studies.reproduce.s000.study import STUDY, family, paragraph, winners
from dp_studies.reproduce.streams import draws
from studies.reproduce.cases import CASES

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
    ends, more = (spread(law, times * runs, Fraction(1, 100)) for times in (1, 4))
    assert compare(ends.high, 1) is Ordering.GREATER
    assert ends.low is None or compare(ends.low, 1) is Ordering.LESS
    assert compare(more.high, ends.high) is Ordering.LESS


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
    errors = [float(refined(law, 1, draws(run))["before"]) for run in range(12)]
    assert np.mean(errors) == pytest.approx(float(law.choice.error(data)), rel=0.2)


# --- calibration ------------------------------------------------------------------------------------------------------

TARGET = Target(Fraction(1), Fraction(1, 1000))


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", ["krr", "olh"])
def test_dummies_are_enough_and_nearly_as_few_as_can_be_shown(mechanism: str) -> None:
    setting = Setting("krr" if mechanism == "krr" else "olh", 1000, "5", 8)
    number = calibration.dummies(setting, TARGET, 10**4)
    assert number > 0
    assert not calibration._accepted(setting, TARGET)
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
    transactions = of_file(lines, None, draws(1))
    assert (transactions.users, transactions.items) == (1600, 4)
    assert transactions.held[0] in range(860, 1010)  # 2: 800 users, and a third of 400
    assert transactions == of_file(lines, None, draws(1))
    assert sum(Counter(transactions.held).values()) == 4


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
    ("name", "content", "column", "error"),
    [
        ("x.csv", b"a,b\n1,2\n1,3\n", None, DomainError),
        ("x.csv", b"a,b\n1,2\n1,3\n", "c", FormatError),
        ("x.csv", b"a,a\n1,2\n1,3\n", "a", FormatError),
        ("x.csv", b"a,b\n1\n", "a", FormatError),
        ("x.csv", b"a,b\n1,\n", "b", FormatError),
        ("x.csv", b'a,b\n"1,2\n', "a", FormatError),
        ("x.csv", b"", "a", FormatError),
        ("x.csv", b"a\n1\n1\n", "a", DomainError),
        ("x.csv", b"a\n\xff\xfe\n", "a", FormatError),  # not UTF-8
        ("x.dat", b"1 2\n", "a", DomainError),
        ("x.dat", b"", None, DomainError),
        ("x.dat", b"1\n1\n", None, DomainError),
        ("x.dat", b"a\n\xff\xfe\n", None, FormatError),
    ],
)
def test_bad_files(tmp_path: Path, name: str, content: bytes, column: str | None, error: type[Exception]) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(error):
        of_file(path, column, draws(1))


ALONE = Setting("olh", 1, "1", 2)
test_refusals = refusal_test(
    refuses("", lambda held: DataSet("x", held), (1,), (1, 0), (-1, 3), (1, True), (10**7, 1)),
    refuses("", named, "adult", ""),
    # one user alone has no budget for a tiny epsilon
    refuses(
        "",
        lambda: calibration.local_budget(ALONE, Target(Fraction(1, 10**6), Fraction(1, 10**9))),
        kind=UnreachableError,
    ),
)


def test_e_to_is_sharp() -> None:
    assert e_to("12").rel_accuracy_bits() > BITS


# --- the study --------------------------------------------------------------------------------------------------------

CASE = CASES["000"]
PLAN = CASE.plan


@pytest.mark.slow
def test_the_document(document: dict[str, Any]) -> None:
    assert document["confidence"]["bounds"] == family(PLAN).bounds == 2 * 4 * 2
    for point in document["points"].values():
        assert set(point["simulated"]) == set(ALGORITHMS)
        assert [one["algorithm"] for one in point["settings"]].count("OD-HP") == 4
        assert point["refused"] == []


def test_certified_parameters_are_no_worse(document: dict[str, Any]) -> None:
    """Fewer dummies and larger local budgets than the sources' bounds, wherever these hold."""
    printed, certified = (document["points"][f"synthetic:{c}:epsilon=1"]["settings"] for c in ("printed", "certified"))
    by_setting = {(s["algorithm"], s["labels"], s["local"]): s["dummies"] for s in printed if s["dummies"]}
    assert len(by_setting) >= 2
    for one in certified:
        setting = one["algorithm"], one["labels"], one["local"]
        assert one["dummies"] <= by_setting.get(setting, one["dummies"])
    local = {s["labels"]: float(s["local"]) for s in printed if s["algorithm"] == "MURS"}
    larger = {s["labels"]: float(s["local"]) for s in certified if s["algorithm"] == "MURS"}
    assert all(larger[labels] > budget for labels, budget in local.items())


def test_hp_sdp_with_the_labels_of_murs_is_murs(document: dict[str, Any]) -> None:
    """14 g ln(2/delta) / ((n-1) eps^2) = g / M_c: before POP they differ in nothing."""
    for point in document["points"].values():
        of = {
            name: [
                {k: v for k, v in s.items() if k != "algorithm"} for s in point["settings"] if s["algorithm"] == name
            ]
            for name in ("MURS", "HP-SDP")
        }
        assert of["MURS"] == of["HP-SDP"]


@pytest.mark.slow
def test_settings_do_not_depend_on_the_seed(document: dict[str, Any], tmp_path: Path) -> None:
    other = CASE.reproduced(tmp_path, seed=8, calibrations=("printed",)).document["points"]
    for key, point in other.items():
        assert point["settings"] == document["points"][key]["settings"]
        assert point["simulated"] != document["points"][key]["simulated"]


def test_pop_never_increases_the_error(document: dict[str, Any]) -> None:
    for point in document["points"].values():
        for one in point["simulated"].values():
            assert float(one["pop"]["after"]) <= float(one["pop"]["before"])
            assert float(one["pop"]["before"]) == pytest.approx(float(one["error"]["simulated"]), rel=1e-5)


# --- planted faults ---------------------------------------------------------------------------------------------------

STRICT = Plan((synthetic("synthetic", 20_000, 200),), ("printed",), ("0.5",), "1e-6", (8,), ("8",), 1, 40, 7)


def fewer(self: Counted, coins: Any) -> Any:
    """Dummies are forgotten."""
    return draw(Counted(self.data, Choice(self.choice.algorithm, self.choice.labels, self.choice.root)), coins)


def shifted(self: SOLH[Any]) -> Affine[Any]:
    """1/h is not taken off."""
    return Affine(self.one * 0, self.one * 0, self.p - self.one / self.family.labels)


draw = Counted.draw
FAULTS: dict[str, Patch] = {
    "no dummies are sent": (Counted, "draw", fewer),
    "1/h is not subtracted": (SOLH, "estimator", property(shifted)),
    "the variance of OD-HP without dummies": (messages, "VARIANCE_OLH", local_hashing.VARIANCE),
    "twice mixDUMP's variance": (messages, "VARIANCE_GRR", messages.VARIANCE_GRR * 2),
    "q where 1/h belongs": (Counted, "other", Counted.changed),
}


test_the_strict_plan_has_no_misses = pytest.mark.slow(nothing_wrong_test(lambda: CASE.misses(STRICT)))
test_a_fault_is_a_miss = pytest.mark.slow(fault_test(lambda: CASE.misses(STRICT), FAULTS))


def test_a_program_with_another_budget_is_a_miss(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is run keeps its items less often than the formula says."""
    program = vars(Counted)["program"].func

    def weaker(self: Counted) -> Any:
        choice = self.choice
        return program(Counted(self.data, Choice(choice.algorithm, choice.labels, choice.root / 2, choice.dummies)))

    monkeypatch.setattr(Counted, "program", property(weaker))
    assert CASE.misses(STRICT)


# --- pictures and words -----------------------------------------------------------------------------------------------


def test_pictures_without_ends_and_without_times(document: dict[str, Any]) -> None:
    wrong = json.loads(json.dumps(document))
    error = wrong["points"]["synthetic:printed:epsilon=1"]["simulated"]["MURS"]["error"]
    error["interval"], error["inside"] = ["1e-9", None], False
    del wrong["points"]["synthetic:certified:epsilon=1"]["simulated"]["OD-HP"]
    assert set(pictures(drawings(wrong), kinds=("svg",))) == {"error-synthetic.svg"}


def test_times_are_of_every_algorithm(folder_of: Callable[[str], Path]) -> None:
    times = json.loads((folder_of("000") / "times.json").read_text(encoding="utf-8"))
    assert [row["algorithm"] for row in times["times"]] == list(ALGORITHMS)
    assert all(row["all"] > 0 for row in times["times"])


def test_a_refusal_is_reported(document: dict[str, Any]) -> None:
    wrong = json.loads(json.dumps(document))
    refused = {"algorithm": "MURS", "labels": 2, "budget": None, "words": "few users"}
    wrong["points"]["synthetic:printed:epsilon=1"]["refused"] = [refused]
    assert any("few users" in line for line in STUDY.summary(wrong))


def test_who_wins_is_decided_by_the_errors() -> None:
    def setting(algorithm: str, local: str, error: str) -> dict[str, str]:
        return {"algorithm": algorithm, "local": local, "error": error}

    point = {
        "data": "x",
        "calibration": "printed",
        "epsilon": "1",
        "settings": [
            setting("MURS", "1", "2.0e-9"),
            setting("mixDUMP", "4", "9.0e-10"),
            setting("mixDUMP", "8", "3.0e-9"),
            setting("OD-HP", "4", "9.0e-10"),
            setting("OD-HP", "8", "1.0e-9"),
            setting("OD-HP", "8", "1.0e-8"),
        ],
    }
    (row,) = winners([point])
    assert row["winner"] == ["mixDUMP", "OD-HP"]
    below = [row[name] for name in ("settings", "below_mixdump", "below_murs", "below_all")]
    assert below == [3, 1, 2, 0]
    (none,) = winners([point | {"settings": [setting("MURS", "1", "2.0e-9")]}])
    assert (none["winner"], none["settings"], none["below_all"]) == (["MURS"], 0, 0)


def test_the_paragraph_names_settings(document: dict[str, Any]) -> None:
    words = "\n".join(paragraph(document))
    assert "synthetic, with the published parameters: smallest error: " in words
    assert "of 4 settings of OD-HP" in words
    assert "dummies)" in words


def test_times_can_be_left_out(tmp_path: Path) -> None:
    arguments = [*CASE.arguments, "--calibration", "printed", "--no-times", "--out", str(tmp_path)]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    assert not (tmp_path / "times.json").exists()


def test_a_file_of_users(tmp_path: Path) -> None:
    path = tmp_path / "cities.csv"
    path.write_text("user,city\n" + "".join(f"{i},{'abc'[i % 3 if i % 2 else 0]}\n" for i in range(5000)))
    options = CASE.options.removeprefix("--users 5000 --items 12 ").split()
    arguments = ["reproduce", "000", "--out", str(tmp_path / "out"), *options, "--no-times"]
    arguments += ["--calibration", "printed", "--data", str(path), "--column", "city"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    made = json.loads((tmp_path / "out" / "reproduce.json").read_text(encoding="utf-8"))
    assert (made["data"]["cities.csv"]["users"], made["data"]["cities.csv"]["items"]) == (5000, 3)


# --- plans and the command line ---------------------------------------------------------------------------------------


def test_too_few_users_for_the_published_choice(tmp_path: Path) -> None:
    document = CASE.reproduced(tmp_path, data=(synthetic("few", 50, 4),), calibrations=("printed",)).document
    refused = {one["algorithm"] for one in document["points"]["few:printed:epsilon=1"]["refused"]}
    assert refused == {"MURS", "HP-SDP"}
    assert any("MURS has no setting somewhere" in line for line in STUDY.summary(document))


def test_the_published_sizes() -> None:
    assert [(named(name).users, named(name).items) for name in ("ipums", "kosarak")] == [(602325, 915), (10**6, 42178)]
