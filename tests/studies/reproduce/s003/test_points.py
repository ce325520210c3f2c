"""Points of source 003: distances against a naive form, budgets by hand, rows of every method, costs of a search."""

import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from dp_refimpl.fast.synthesis.joint_tables import WeightedNoise
from dp_refimpl.fast.synthesis.jtree import ArrayJtree, NoRecordError
from dp_refimpl.fast.synthesis.record_arrays import ArrayTable
from dp_refimpl.synthesis.junction_trees import maximal_cliques
from dp_refimpl.synthesis.network import candidate_count, cell_count
from dp_spec.vocabulary.exceptions import RefusedError
from dp_studies.reproduce.s003 import exposure, releases
from dp_studies.reproduce.s003.data import Table, generated, less_frequent, named
from dp_studies.reproduce.s003.points import WAYS, Levels, Run, computed, distances, errors, refusal, summary
from dp_studies.reproduce.s003.releases import certified_epsilon, most_edges, noise_of, nominal_epsilon, release
from dp_studies.reproduce.s003.search_costs import Search
from dp_studies.reproduce.s003.settings import Method, Plan, Point, Segmentation, segmentations, small
from dp_studies.reproduce.streams import generator

TABLE = generated("tiny", 60, (3, 2, 4))


def naive(rows: Any, others: Any, way: int) -> Fraction:
    """(13), averaged over all marginals."""
    means = []
    for chosen in combinations(range(len(rows[0])), way):
        one, other = (Counter(tuple(row[a] for a in chosen) for row in part) for part in (rows, others))
        means.append(Fraction(sum(abs(one[x] - other[x]) for x in one | other), 2 * len(rows)))
    return sum(means, Fraction(0)) / len(means)


def test_distances_count_patterns_that_code_no_value() -> None:
    """Of the three values of the first attribute the code 3 is none."""
    synthetic = 1 - TABLE.bits
    codes = TABLE.code.patterns(ArrayTable(TABLE.code.binary, synthetic)).records.tolist()
    assert any(code[0] == 3 for code in codes)
    means = distances(TABLE, synthetic)
    for name, way in WAYS.items():
        rows, others = (TABLE.bits.tolist(), synthetic.tolist()) if "binary" in name else (TABLE.codes.tolist(), codes)
        assert Fraction(means[name]) == naive(rows, others, way) > 0
    assert set(distances(TABLE, TABLE.bits).values()) == {"0"}


def point(name: Any, table: Table = TABLE, epsilon: str | None = "2", **more: Any) -> Point:
    return Point(table, Method(name, **more), epsilon)


FIRST = Segmentation()
SEVEN = small()
BUDGETS = [
    # d = 5, k = 2: 4 : 5 : 5 in parts of 14; 2, 2 and 2 times these are certified
    (point("HMPrivBayes", k=2, degree=2, segmentation=FIRST), 2, None),
    (point("HMPrivBayes", k=2, degree=2, calibration="certified", segmentation=FIRST), 1, 2),
    (point("PrivBayes", degree=2), 2, 2),
    (point("PrivBayes (theta)"), 2, 2),
    # 10 pairs: (10 / 2 + 1) / 2
    (point("Jtree", calibration="certified"), fmpq(2, 3), 2),
    (point("Jtree"), 2, None),
    (point("PrivSCBN (reconstruction)"), 2, None),
    (point("NoPrivacy", k=2, degree=2, segmentation=FIRST, epsilon=None), 0, None),
]


@pytest.mark.parametrize(("at", "nominal", "certified"), BUDGETS, ids=lambda x: getattr(x, "key", ""))
def test_budgets(at: Point, nominal: Any, certified: Any) -> None:
    assert (nominal_epsilon(at), certified_epsilon(at)) == (nominal, certified)


FILTERED = point("HMPrivBayes", k=2, degree=2, segmentation=Segmentation(eta="1/2"))


@pytest.mark.parametrize("at", [*(at for at, _, _ in BUDGETS), FILTERED], ids=lambda at: at.key)
def test_rows_of_every_method(at: Point) -> None:
    first, again = (release(at, generator(3)) for _ in range(2))
    assert first[0].shape == TABLE.bits.shape
    assert set(np.unique(first[0])) <= {0, 1}
    assert np.array_equal(first[0], again[0])
    assert sorted(a for cluster in first[1] for a in cluster) == list(range(5))
    assert len(first[1]) == (2 if "PrivSCBN" in at.method.name else at.method.k)


@pytest.mark.parametrize("d", [1, 3, 5])
@pytest.mark.parametrize("widest", [2, 4])
def test_graphs_without_larger_cliques_have_no_more_edges(monkeypatch: pytest.MonkeyPatch, d: int, widest: int) -> None:
    """All graphs of d nodes; some have as many."""
    monkeypatch.setattr(releases, "WIDEST", widest)
    pairs = list(combinations(range(d), 2))
    graphs = [[pair for i, pair in enumerate(pairs) if number >> i & 1] for number in range(1 << len(pairs))]
    narrow = [len(edges) for edges in graphs if max(map(len, maximal_cliques(d, edges))) <= widest]
    assert max(narrow) == most_edges(d)


ALL = list(combinations(range(5), 2))


@pytest.mark.parametrize(
    ("widest", "edges", "refused"),
    [(1, [], False), (2, ALL[:4], False), (2, ALL, True), (2, [(0, 1), (0, 2), (1, 2)], True), (5, ALL, False)],
)
def test_graphs_with_large_cliques_are_refused(
    monkeypatch: pytest.MonkeyPatch, widest: int, edges: list[tuple[int, int]], refused: bool
) -> None:
    """By their number of edges, or by a triangle."""
    monkeypatch.setattr(ArrayJtree, "edges", lambda *_: frozenset(edges))
    monkeypatch.setattr(releases, "WIDEST", widest)
    runs = [computed(7, Fraction(1, 2), Run(point("Jtree"), 0, "none"))] * 2
    words = f"a clique of its graph has more than {widest} attributes in 2 of 2 runs"
    assert refusal(runs) == (words if refused else "")


def test_rows_are_uniform_where_no_record_is_left_possible(monkeypatch: pytest.MonkeyPatch) -> None:
    def impossible(*_: object) -> None:
        raise NoRecordError("cliques", (), "others")

    monkeypatch.setattr(ArrayJtree, "publish", impossible)
    shares = release(point("Jtree"), generator(3)).data.mean(axis=0)
    assert len(shares) == 5
    assert all(0.2 < share < 0.8 for share in shares)


def test_much_budget_is_nearly_no_noise() -> None:
    """At epsilon = 10^5 the released table is about as near as that without noise, at 10^-3 it is not."""
    far, near = (
        distances(SEVEN, release(point("HMPrivBayes", SEVEN, e, degree=3, segmentation=FIRST), generator(1))[0])
        for e in ("1/1000", "100000")
    )
    exact = distances(SEVEN, release(point("NoPrivacy", SEVEN, None, degree=3, segmentation=FIRST), generator(1))[0])
    for name in WAYS:
        assert abs(Fraction(near[name]) - Fraction(exact[name])) < Fraction(1, 20) < Fraction(far[name])


def test_intervals_contain_the_mean() -> None:
    means = {what: {name: "1/10"} for what, name in (("distances", "binary 2"), ("errors", "original"))}
    runs = [{**means, "distances": {"binary 2": f"{a}/10"}, "clusters": [5]} for a in (1, 2, 3)]
    made = summary(point("PrivBayes", degree=2), runs, Levels(Fraction(1, 100), Fraction(1, 8)))
    distance = made["distances"]["binary 2"]
    low, high = (float(end) for end in distance["interval"])
    assert 0 < low < float(distance["simulated"]) == 0.2 < high < 1
    assert [round(float(end), 9) for end in distance["median"]] == [0.1, 0.3]
    assert float(made["errors"]["original"]["simulated"]) == 0.1


LABELED = Table("labeled", (4, 2), np.array([(a, a // 2) for a in range(4)] * 10))


@pytest.mark.parametrize(
    ("target", "rows", "wrong"),
    [
        # the label is the first bit of the other attribute
        (-1, LABELED.bits, ("0", "0")),
        # equal labels are learned as they are: half of the original ones are others
        (-1, np.ones_like(LABELED.bits), ("0", "1/2")),
        # bits of the target itself are no features: the label of a row is known from the last bit
        (0, LABELED.bits ^ np.array([0, 1, 0], np.uint8), ("0", "0")),
        # trained on wrong labels
        (-1, LABELED.bits ^ np.array([0, 0, 1], np.uint8), ("0", "1")),
    ],
)
def test_misclassification(target: int, rows: Any, wrong: tuple[str, str]) -> None:
    table = replace(LABELED, target=target)
    assert tuple(errors(table, rows, "1", generator(1)).values()) == wrong
    assert errors(table, rows, "none", generator(1)) == {}


def test_targets_are_those_of_the_source() -> None:
    adult, big5 = named("adult"), named("big5")
    assert (adult.labels, len(adult.features)) == (51, 51)
    assert (big5.labels, len(big5.features)) == (4, 171)
    assert np.array_equal(big5.bits[:, big5.labels], big5.codes[:, 1] >= 8)
    assert less_frequent(LABELED) == 20


def test_without_scikit_learn_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.svm", None)
    with pytest.raises(RefusedError, match=r"pip install 'dp-refimpl\[svm\]'"):
        errors(LABELED, LABELED.bits, "1", generator(1))


@pytest.mark.parametrize("at", [at for at, _, certified in BUDGETS[1:3]], ids=lambda at: at.key)
def test_losses_of_joint_tables_are_those_of_their_noise(at: Point) -> None:
    """Laplace noise of scale b on counts loses the L1 distance of the counts over b."""
    made = release(at, generator(3))
    clusters = exposure.networks(at, made)
    lost = [float(stages["joints"]) for stages in exposure.losses(at, clusters)]
    table, noise = ArrayTable((2,) * 5, TABLE.bits), noise_of(at)
    assert isinstance(noise, WeightedNoise)
    for x, share in enumerate(lost):
        flipped = TABLE.bits.copy()
        flipped[0, x] ^= 1
        other, whole = ArrayTable((2,) * 5, flipped), 0.0
        for network, joints in zip(made.networks, made.joints, strict=True):
            pairs = network[len(network) - len(joints) :]
            moved = [np.abs(table.joint((a, *b)) - other.joint((a, *b))).sum() for a, b in pairs]
            whole += float((np.array(moved) / noise.scales(table, pairs)).sum())
        assert whole == pytest.approx(share * 2, rel=1e-9)
    assert [pair["exact"] for pairs in clusters for pair in pairs if pair["exact"]] == [
        table.joint((a, *b)).ravel().tolist()
        for network, joints in zip(made.networks, made.joints, strict=True)
        for a, b in network[len(network) - len(joints) :]
    ]


@pytest.mark.parametrize(("d", "k", "sizes"), [(52, 3, (18, 17, 17)), (175, 5, (35,) * 5), (4, 4, (1,) * 4)])
def test_a_search_of_clusters_of_equal_sizes(d: int, k: int, sizes: tuple[int, ...]) -> None:
    search = Search(d, k, 2)
    assert tuple(map(len, search.clusters)) == sizes
    assert [a for cluster in search.clusters for a in cluster] == list(range(d))
    assert search.candidates == sum(candidate_count(c, 2) for c in sizes)
    assert search.cells == sum(cell_count(c, 2) for c in sizes)
    assert search.coefficients == d * (d - 1) // 2


def test_what_is_not_run() -> None:
    """f(7, 3) = 67; wide tables have one run at three budgets, small ones more runs."""
    assert [point("PrivBayes", SEVEN, degree=3).refused(most) for most in (66, 67)] == [
        "67 candidate pairs, more than 66",
        "",
    ]
    wide = generated("wide", 60, (2,) * 101)
    plan = Plan((wide, TABLE, generated("middle", 60, (2,) * 9)), runs=3, more=2)
    assert [plan.runs_of(table) for table in plan.data] == [1, 6, 3]
    assert [plan.epsilons_of(table) for table in plan.data[:2]] == [("0.1", "0.4", "1.6"), plan.epsilons]
    plan = Plan((SEVEN,), most=60, epsilons=("1", "2", "3"), segmentations=segmentations(("1",), (3,), ("none", "0")))
    assert plan.degree_for(SEVEN) == 1
    varied = [at for at in plan.points() if at.method.segmentation == Segmentation(eta="0")]
    assert [(at.method.k, at.epsilon) for at in varied] == [(3, "2")]
    assert not any(at.method.degree == 2 for at in plan.points())
