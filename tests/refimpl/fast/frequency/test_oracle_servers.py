"""Servers of frequency oracles on arrays: exactly the estimates of the programs; bad reports."""

import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from dp_refimpl.fast.array_coins import ArrayCoins
from dp_refimpl.fast.frequency import count_sketch_reports, hadamard, local_hashing, unary
from dp_refimpl.fast.frequency.affine_sums import AffineSums
from dp_refimpl.fast.frequency.count_sketch_reports import (
    SketchReports,
    SketchTotals,
    cms_totals,
    estimate_cms,
    sample_client_cms,
)
from dp_refimpl.fast.frequency.hadamard import (
    CoordinateReports,
    SignReports,
    estimate_hadamard_response,
    estimate_hcms,
    hadamard_signs,
    hcms_totals,
    walsh_hadamard_rows,
)
from dp_refimpl.fast.frequency.hash_arrays import MERSENNE, PolynomialHashes
from dp_refimpl.fast.frequency.label_arrays import LabelHashes, cell_sums, draw_label_hashes, label_table
from dp_refimpl.fast.frequency.local_hashing import (
    HashedReports,
    ListedReports,
    estimate_local_hashing,
    listed_support,
    sample_listed_hashing,
    sample_local_hashing,
    support_counts,
)
from dp_refimpl.fast.frequency.unary import bit_counts, estimate_unary
from dp_refimpl.frequency.count_sketch import ClientCMS, aggregate, server_cms
from dp_refimpl.frequency.hadamard import HCMS, HadamardResponse, server_hcms, walsh_hadamard
from dp_refimpl.frequency.hash_families import AllFunctions, CarterWegman, PublicFunctions
from dp_refimpl.frequency.local_hashing import LocalHashing
from dp_refimpl.frequency.rappor import RAPPOR
from dp_refimpl.frequency.unary import OUE
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import ItemDomain
from independent.array_reports import (
    bits_written,
    coordinates_written,
    hashed_written,
    listed_written,
    signs_written,
    sketch_written,
)
from independent.sketch_cases import functions
from mutants.oracle_arrays import (
    BIT_SERVER,
    HCMS_SERVER,
    LISTED_SUPPORT,
    RESPONSE_SERVER,
    SKETCH_SERVER,
    SUPPORT,
    Fault,
)

BUDGET = Budget.of_root(fmpq(3, 2), 2)
"""e^eps = 9/4."""
THREE = (0, 1, 2)


# --- servers ----------------------------------------------------------------------------------------------------------


def programs_estimate(s: Any, reports: list[Any]) -> Any:
    """Frequencies; those of a sketch are f'(d) / n, by the server and the aggregation of the source."""
    if not isinstance(s, ClientCMS | HCMS):
        return s.estimate(reports)
    server, n = server_cms if isinstance(s, ClientCMS) else server_hcms, len(reports)
    matrix: Any = server(reports, s.k, s.m, s.budget)
    return {x: aggregate(matrix, n, s.functions, x) / n for x in s.domain.items}


@dataclass(frozen=True)
class Server:
    """A mechanism, any reports of it, the server on arrays, and what the program takes."""

    mechanism: Any
    reports: Callable[[Any, Any, int], Any]
    estimate: Callable[[Any, Any], Any]
    written: Callable[[Any, Any], list[Any]]
    module: Any
    faults: dict[str, Fault]


def any_bits(s: Any, rng: Any, users: int) -> Any:
    bits = rng.integers(2, size=(users, len(s.domain.items)), dtype=np.uint8)
    return [bits[: users // 3].astype(bool), bits[users // 3 :]] if users > 2 else [bits]


def rows_written(s: Any, chunks: Any) -> list[Any]:
    return [row for chunk in chunks for row in bits_written(s, chunk)]


def any_hashed(s: Any, rng: Any, users: int) -> HashedReports:
    hashes = draw_label_hashes(s.family, users, ArrayCoins(rng))
    return HashedReports(hashes, rng.integers(s.g, size=users))


def any_listed(s: Any, rng: Any, users: int) -> ListedReports:
    return ListedReports(rng.integers(len(s.family.functions), size=users), rng.integers(s.g, size=users))


def any_sketch(s: Any, rng: Any, users: int) -> list[SketchReports]:
    bits, rows = rng.integers(2, size=(users, s.m), dtype=np.uint8), rng.integers(s.k, size=users)
    cuts = sorted({0, min(2, users), users // 2, users})
    kinds = (SketchReports(bits[a:b], rows[a:b]) for a, b in pairwise(cuts))
    return [packed_chunk(chunk) if i % 2 else chunk for i, chunk in enumerate(kinds)]


def packed_chunk(chunk: SketchReports) -> SketchReports:
    return SketchReports(np.packbits(chunk.bits, axis=1), chunk.rows, True)


def any_signs(s: Any, rng: Any, users: int) -> SignReports:
    return SignReports(
        2 * rng.integers(2, size=users) - 1, rng.integers(s.k, size=users), rng.integers(s.m, size=users)
    )


def any_coordinates(s: Any, rng: Any, users: int) -> CoordinateReports:
    return CoordinateReports(rng.integers(s.size, size=users), 2 * rng.integers(2, size=users).astype(np.int8) - 1)


SEVEN = ItemDomain((6, 0, 5), (3, 1, 4))
"""Six of seven items, in another order."""
MANY = tuple(tuple((a * x + b) % 4 for x in range(7)) for a, b in ((1, 0), (1, 1), (2, 3), (3, 2)))


def sketch_estimates(s: Any, reports: Any) -> Any:
    return estimate_cms(s, cms_totals(iter(reports), s.k, s.m))


def servers() -> Iterator[tuple[str, Server]]:
    for name, mechanism in (("oue", OUE(SEVEN, BUDGET)), ("rappor", RAPPOR(SEVEN, BUDGET))):
        yield name, Server(mechanism, any_bits, estimate_unary, rows_written, unary, BIT_SERVER)
    for prime, g, zero in ((7, 2, True), (13, 5, False), (MERSENNE, 4, True), (MERSENNE, 12, False)):
        faults = dict(SUPPORT)
        if prime == MERSENNE:
            del faults["not reduced modulo P"]  # overflows of six items are seen with small primes
        if g % 2:
            faults = {name: fault for name, fault in faults.items() if "rotated" not in name}
        hashed = LocalHashing(SEVEN, BUDGET, CarterWegman(tuple(range(7)), prime, g, zero))
        yield (
            f"labels {g} modulo {prime}",
            Server(hashed, any_hashed, estimate_local_hashing, hashed_written, local_hashing, faults),
        )
    family = PublicFunctions(functions(MANY, 4))
    yield (
        "listed",
        Server(
            LocalHashing(SEVEN, BUDGET, family, fmpq(1, 3)),
            any_listed,
            estimate_local_hashing,
            listed_written,
            local_hashing,
            LISTED_SUPPORT,
        ),
    )
    for m in (4, 11):
        tables = [tuple(v + 5 * (m > 8) for v in t) for t in MANY]
        cms = ClientCMS(SEVEN, BUDGET, functions(tables, m))
        yield f"cms {m}", Server(cms, any_sketch, sketch_estimates, sketch_written, count_sketch_reports, SKETCH_SERVER)
    for first in (0, 1):
        yield (
            f"hadamard response {first}",
            Server(
                HadamardResponse(SEVEN, BUDGET, first),
                any_coordinates,
                estimate_hadamard_response,
                coordinates_written,
                hadamard,
                RESPONSE_SERVER,
            ),
        )
    hcms = HCMS(SEVEN, BUDGET, functions(MANY, 4))
    yield "hcms", Server(hcms, any_signs, estimate_hcms, signs_written, hadamard, HCMS_SERVER)


SERVERS = dict(servers())


@pytest.mark.parametrize("name", SERVERS)
@given(seed=st.integers(0, 2**32 - 1), users=st.integers(1, 20))
def test_server_estimates_what_the_program_estimates(name: str, seed: int, users: int) -> None:
    case = SERVERS[name]
    reports = case.reports(case.mechanism, default_rng(seed), users)
    expected = programs_estimate(case.mechanism, case.written(case.mechanism, reports))
    assert case.estimate(case.mechanism, reports) == expected


@pytest.mark.parametrize(("name", "fault"), [(name, fault) for name, case in SERVERS.items() for fault in case.faults])
def test_planted_fault_of_a_server_is_caught(name: str, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case = SERVERS[name]
    reports = case.reports(case.mechanism, default_rng(5), 6000)
    expected = programs_estimate(case.mechanism, case.written(case.mechanism, reports))
    assert case.estimate(case.mechanism, reports) == expected
    monkeypatch.setattr(case.module, *case.faults[fault])
    try:
        found = case.estimate(case.mechanism, reports)
    except DomainError:
        return
    assert found != expected


@pytest.mark.slow
@given(
    g=st.one_of(st.integers(2, 40), st.sampled_from([2**30, 2**31 - 1, 2**31 - 2, 3 * 2**20])),
    seed=st.integers(0, 2**32 - 1),
)
def test_support_is_equality_of_remainders(g: int, seed: int) -> None:
    """Against `%`, with numbers next to 0, to P, and to multiples of g."""
    rng = default_rng(seed)
    edges = [0, 1, g - 1, g, 2 * g, MERSENNE - 1, MERSENNE - g, (MERSENNE - 1) // g * g]
    b = np.array([e % MERSENNE for e in edges] + rng.integers(MERSENNE, size=8).tolist())
    a = rng.choice([0, 1, g % MERSENNE, MERSENNE - 1, int(rng.integers(MERSENNE))], size=len(b))
    family = CarterWegman(tuple(range(5)), MERSENNE, g, True)
    hashes = LabelHashes(PolynomialHashes(np.stack([b, a], axis=1), MERSENNE), g)
    values = np.array([[(int(x) * j + int(y)) % MERSENNE % g for j in range(5)] for y, x in zip(b, a, strict=True)])
    labels = values[np.arange(len(b)), rng.integers(5, size=len(b))]
    mechanism = LocalHashing(ItemDomain.of_sizes(5), BUDGET, family, fmpq(0))
    for block in (3, 1000):
        counts = support_counts(mechanism, HashedReports(hashes, labels), block)
        assert counts.tolist() == (values == labels[:, None]).sum(axis=0).tolist()


def test_support_by_residues_is_that_by_remainders() -> None:
    coins, domain = ArrayCoins(default_rng(5)), ItemDomain.of_sizes(250)
    mechanism = LocalHashing(domain, BUDGET, CarterWegman(domain.items[::-1], 257, 7, True))
    reports = sample_local_hashing(mechanism, np.arange(3000) % 250, coins)
    assert AffineSums(reports.hashes, reports.labels[:, None], 250).quick
    found = support_counts(mechanism, reports)
    positions = np.broadcast_to(np.arange(250), (3000, 250))
    expected = (reports.hashes.values(positions) == reports.labels[:, None]).sum(axis=0)
    assert found.tolist() == expected[::-1].tolist()


@given(k=st.integers(1, 3), size=st.sampled_from([1, 2, 4, 8, 16]), seed=st.integers(0, 2**32 - 1))
def test_rows_are_transformed_as_by_the_program(k: int, size: int, seed: int) -> None:
    values = default_rng(seed).integers(-1000, 1000, size=(k, size))
    assert [tuple(row) for row in walsh_hadamard_rows(values).tolist()] == [
        walsh_hadamard(row) for row in values.tolist()
    ]


def test_hadamard_entries_of_large_coordinates() -> None:
    i, j = np.array([2**40 + 5, 2**62, 7, 2**33]), np.array([2**40 + 4, 2**62, 5, 1])
    assert hadamard_signs(i, j).tolist() == [1, -1, 1, 1]


def test_totals_of_two_servers_are_those_of_one() -> None:
    s = SERVERS["cms 11"].mechanism
    chunks = any_sketch(s, default_rng(3), 500)
    apart = [cms_totals([chunk], s.k, s.m) for chunk in chunks]
    whole, merged = cms_totals(chunks, s.k, s.m), apart[0] + apart[1] + apart[2]
    assert (whole.signs == merged.signs).all()
    assert (whole.users == merged.users).all()
    assert whole.n == 500
    with pytest.raises(DomainError, match="signs"):
        whole + SketchTotals(whole.signs[:, :4], whole.users)


def test_label_tables_are_the_functions() -> None:
    table = label_table(functions(MANY, 4), SEVEN.items)
    assert table.tolist() == [[h(x) for x in SEVEN.items] for h in functions(MANY, 4)]
    totals = np.arange(16).reshape(4, 4)
    sums = cell_sums(totals, functions(MANY, 4), SEVEN.items)
    assert sums.tolist() == [sum(totals[row, h(x)] for row, h in enumerate(functions(MANY, 4))) for x in SEVEN.items]


def test_memory_does_not_grow_with_users_times_items() -> None:
    """A byte per user and item, or per user and column, would be 40 MB."""
    coins, d, users = ArrayCoins(default_rng(0)), 2000, 20_000
    domain = ItemDomain.of_sizes(d)
    hashed = LocalHashing(domain, BUDGET, CarterWegman(domain.items, MERSENNE, 3, True))
    reports = sample_local_hashing(hashed, np.arange(users) % d, coins)
    tables = [tuple((7 * j * x + j) % d for x in range(d)) for j in range(4)]
    sketch = ClientCMS(domain, BUDGET, functions(tables, d))
    tracemalloc.start()
    support_counts(hashed, reports)
    supporting = tracemalloc.get_traced_memory()[1]
    tracemalloc.reset_peak()
    totals = cms_totals(sample_client_cms(sketch, np.arange(users) % d, coins, 500), 4, d)
    sketching = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert totals.n == users
    assert supporting < 4_000_000
    assert sketching < 8_000_000


# --- bad input --------------------------------------------------------------------------------------------------------

OUE_S, CMS_S, HCMS_S = (SERVERS[name].mechanism for name in ("oue", "cms 11", "hcms"))
LISTED_S, HASHED_S = SERVERS["listed"].mechanism, SERVERS["labels 5 modulo 13"].mechanism
RESPONSE_S = SERVERS["hadamard response 0"].mechanism
ZERO = Budget.of_root(fmpq(1), 2)
BITS6, BITS11 = np.ones((3, 6), np.uint8), np.ones((3, 11), np.uint8)
PACKED, ROWS3 = np.packbits(BITS11, axis=1), np.array([0, 3, 1])

BAD_BITS = [
    BITS6[:, :5],
    BITS6.astype(np.int64),
    BITS6.astype(float),
    BITS6 * 2,
    BITS6[0],
    BITS6[:0],
    BITS6.tolist(),
    None,
]


@pytest.mark.parametrize("bits", BAD_BITS, ids=lambda x: str(x)[:30])
def test_bad_dense_bits(bits: Any) -> None:
    with pytest.raises(DomainError, match="reports"):
        bit_counts([BITS6, bits], 6)


def test_no_chunk_of_bits_no_estimate() -> None:
    with pytest.raises(DomainError, match="reports"):
        estimate_unary(OUE_S, [])


@pytest.mark.parametrize(
    ("bits", "rows", "packed", "parameter"),
    [
        (BITS11[:, :10], ROWS3, False, "bits"),
        (np.ones((3, 12), np.uint8), ROWS3, False, "bits"),
        (BITS11.astype(np.int8), ROWS3, False, "bits"),
        (BITS11 * 3, ROWS3, False, "bits"),
        (BITS11, ROWS3, True, "bits"),
        (PACKED, ROWS3, False, "bits"),
        (PACKED | 1, ROWS3, True, "spare"),
        (PACKED.astype(bool), ROWS3, True, "bits"),
        (BITS11, ROWS3[:2], False, "rows"),
        (BITS11, ROWS3 + 1, False, "rows"),
        (BITS11, ROWS3 - 1, False, "rows"),
        (BITS11, ROWS3.astype(float), False, "rows"),
        (BITS11, ROWS3[:, None], False, "rows"),
        (BITS11, ROWS3.tolist(), False, "rows"),
        (BITS11, ROWS3, 1, "reports"),
        (BITS11[:0], ROWS3[:0], False, "bits"),
    ],
)
def test_bad_sketch_reports(bits: Any, rows: Any, packed: Any, parameter: str) -> None:
    with pytest.raises(DomainError, match=parameter):
        cms_totals([SketchReports(bits, rows, packed)], 4, 11)


def test_bad_sketches() -> None:
    for k, m in ((0, 11), (4, 0), (True, 11), (4, 11.0)):
        with pytest.raises(DomainError, match=r"^[km] ="):
            cms_totals([], k, m)  # type: ignore[arg-type]
    for reports in ([], [BITS11]):
        with pytest.raises(DomainError, match="reports"):
            cms_totals(reports, 4, 11)  # type: ignore[arg-type]
    for size in (0, -1, True, 2.0):
        with pytest.raises(DomainError, match="size"):
            sample_client_cms(CMS_S, np.array([0]), ArrayCoins(default_rng(0)), size)  # type: ignore[arg-type]


SUMS, USERS = np.array([[1, -1], [2, 0]]), np.array([1, 2])


@pytest.mark.parametrize(
    ("signs", "users", "parameter"),
    [
        (SUMS, np.array([1, 1]), "add up"),
        (SUMS, np.array([2, 2]), "add up"),
        (SUMS, np.array([1, -2]), "add up"),
        (SUMS, USERS[:1], "users"),
        (SUMS[0], USERS, "signs"),
        (SUMS.astype(float), USERS, "signs"),
        (SUMS.tolist(), USERS, "signs"),
        (SUMS, USERS.astype(np.uint8), "users"),
        (SUMS[:0], USERS[:0], "signs"),
    ],
)
def test_totals_that_no_reports_have(signs: Any, users: Any, parameter: str) -> None:
    with pytest.raises(DomainError, match=parameter):
        SketchTotals(signs, users)


def test_bad_estimates_of_a_sketch() -> None:
    right = cms_totals([SketchReports(BITS11, ROWS3)], 4, 11)
    for totals in (SketchTotals(SUMS, USERS), SketchTotals(right.signs * 0, right.users * 0)):
        with pytest.raises(DomainError, match=r"signs|users"):
            estimate_cms(CMS_S, totals)
    with pytest.raises(DomainError, match="budget"):
        estimate_cms(ClientCMS(SEVEN, ZERO, CMS_S.functions), right)
    one = ClientCMS(SEVEN, BUDGET, functions([(0,) * 7], 1))
    with pytest.raises(DomainError, match="m = 1"):
        estimate_cms(one, cms_totals([SketchReports(BITS11[:, :1], ROWS3 * 0)], 1, 1))
    for k in ((), functions([(0,) * 7], 3) + functions([(0,) * 7], 4)):
        with pytest.raises(DomainError, match="functions"):
            ClientCMS(SEVEN, BUDGET, k)
    with pytest.raises(DomainError, match="values"):
        functions([(0, 1, 2, 3, 4, 5, 6)], 6)


SIGNS3 = np.array([1, -1, 1])
BAD_SIGNS = [SIGNS3 * 2, SIGNS3 * 0, SIGNS3.astype(float), SIGNS3.tolist(), SIGNS3[:0], SIGNS3[:, None], SIGNS3 > 0]
BAD_INDICES = [ROWS3 + 8, ROWS3 - 1, ROWS3[:2], ROWS3.astype(float), ROWS3.tolist(), ROWS3[:, None], ROWS3 > 0]


@pytest.mark.parametrize("signs", BAD_SIGNS, ids=str)
def test_bad_signs(signs: Any) -> None:
    with pytest.raises(DomainError, match=r"signs|rows|coordinates"):
        hcms_totals(SignReports(signs, ROWS3, ROWS3), 4, 4)
    with pytest.raises(DomainError, match=r"signs|coordinates"):
        estimate_hadamard_response(RESPONSE_S, CoordinateReports(ROWS3, signs))


@pytest.mark.parametrize("indices", BAD_INDICES, ids=str)
def test_bad_indices(indices: Any) -> None:
    with pytest.raises(DomainError, match="rows"):
        hcms_totals(SignReports(SIGNS3, indices, ROWS3), 4, 4)
    with pytest.raises(DomainError, match="coordinates"):
        hcms_totals(SignReports(SIGNS3, ROWS3, indices), 4, 4)
    with pytest.raises(DomainError, match="coordinates"):
        estimate_hadamard_response(RESPONSE_S, CoordinateReports(indices, SIGNS3))
    with pytest.raises(DomainError, match="functions"):
        listed_support(LISTED_S, ListedReports(indices, ROWS3))
    with pytest.raises(DomainError, match=r"labels|functions"):
        listed_support(LISTED_S, ListedReports(ROWS3, indices))


def test_bad_servers_of_signs() -> None:
    reports = SignReports(SIGNS3, ROWS3, ROWS3)
    for k, m in ((0, 4), (4, 0), (True, 4)):
        with pytest.raises(DomainError, match=r"^[km] ="):
            hcms_totals(reports, k, m)
    with pytest.raises(DomainError, match="budget"):
        estimate_hcms(HCMS(SEVEN, ZERO, HCMS_S.functions), reports)
    with pytest.raises(DomainError, match="budget"):
        estimate_hadamard_response(HadamardResponse(SEVEN, ZERO), CoordinateReports(ROWS3, SIGNS3))
    with pytest.raises(DomainError, match="m = 1"):
        estimate_hcms(HCMS(SEVEN, BUDGET, functions([(0,) * 7], 1)), SignReports(SIGNS3, ROWS3 * 0, ROWS3 * 0))
    for other in (None, CoordinateReports(ROWS3, SIGNS3)):
        with pytest.raises(DomainError, match="reports"):
            hcms_totals(other, 4, 4)  # type: ignore[arg-type]
    with pytest.raises(DomainError, match="reports"):
        estimate_hadamard_response(RESPONSE_S, reports)  # type: ignore[arg-type]
    bad: list[Any] = [np.zeros((2, 3), int), np.zeros(4, int), np.zeros((2, 4)), np.zeros((2, 0), int)]
    for values in bad:
        with pytest.raises(DomainError, match="values"):
            walsh_hadamard_rows(values)


def test_bad_functions_and_labels() -> None:
    good = any_hashed(HASHED_S, default_rng(0), 3)
    for labels in (good.labels + 5, good.labels[:2], good.labels.astype(float), good.labels[:, None], [0, 1, 2]):
        with pytest.raises(DomainError, match="labels"):
            support_counts(HASHED_S, HashedReports(good.hashes, labels))  # type: ignore[arg-type]
    rows = good.hashes.hashes.coefficients
    for hashes in (
        LabelHashes(PolynomialHashes(rows, 13), 4),
        LabelHashes(PolynomialHashes(rows, 17), 5),
        LabelHashes(PolynomialHashes(rows * np.array([1, 0]), 13), 5),
    ):
        with pytest.raises(DomainError, match="hashes"):
            support_counts(HASHED_S, HashedReports(hashes, good.labels))
    for block in (0, True, 1.0):
        with pytest.raises(DomainError, match="block"):
            support_counts(HASHED_S, good, block)  # type: ignore[arg-type]
    for number in (0, 14, True):
        with pytest.raises(DomainError, match="labels"):
            LabelHashes(good.hashes.hashes, number)
    for polynomial in (PolynomialHashes(rows[:, :1], 13), None):
        with pytest.raises(DomainError, match="hashes"):
            LabelHashes(polynomial, 5)  # type: ignore[arg-type]
    with pytest.raises(DomainError, match="items"):
        label_table(LISTED_S.family.functions, (0, 9))
    for users in (0, True, 1.5):
        with pytest.raises(DomainError, match="users"):
            draw_label_hashes(HASHED_S.family, users, ArrayCoins(default_rng(0)))  # type: ignore[arg-type]


def test_families_that_are_not_arrays() -> None:
    whole = LocalHashing(ItemDomain.of_sizes(3), BUDGET, AllFunctions(THREE, 2))
    hashed, listed = any_hashed(HASHED_S, default_rng(0), 3), any_listed(LISTED_S, default_rng(0), 3)
    coins: Any = ArrayCoins(default_rng(0))
    calls: list[Callable[[], object]] = [
        lambda: sample_local_hashing(whole, np.array([0]), coins),
        lambda: sample_listed_hashing(whole, np.array([0]), coins),
        lambda: support_counts(whole, hashed),
        lambda: listed_support(whole, listed),
        lambda: draw_label_hashes(whole.family, 1, coins),  # type: ignore[arg-type]
        lambda: hashed.hashes.require_of(whole.family),  # type: ignore[arg-type]
    ]
    for call in calls:
        with pytest.raises(DomainError, match="family"):
            call()
    pairs: list[Any] = [(HASHED_S, listed), (LISTED_S, hashed), (HASHED_S, None)]
    for mechanism, reports in pairs:
        with pytest.raises(DomainError, match=r"reports|family"):
            estimate_local_hashing(mechanism, reports)


def test_nothing_is_estimated_where_labels_say_nothing() -> None:
    reports = any_hashed(HASHED_S, default_rng(0), 3)
    with pytest.raises(DomainError, match="budget"):
        estimate_local_hashing(LocalHashing(SEVEN, ZERO, HASHED_S.family), reports)
    with pytest.raises(DomainError, match="collision"):
        estimate_local_hashing(LocalHashing(SEVEN, BUDGET, HASHED_S.family, fmpq(1)), reports)
