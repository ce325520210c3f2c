"""Servers of frequency oracles on arrays: exactly the estimates of the programs; bad reports."""

import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import default_rng

from cases.refusals import refusal_test, refuses, refuses_each
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
from independent.array_reports import written
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
    """A mechanism, any reports of it, the server on arrays, its module, and faults of it."""

    mechanism: Any
    reports: Callable[[Any, Any, int], Any]
    estimate: Callable[[Any, Any], Any]
    module: Any
    faults: dict[str, Fault]


def any_bits(s: Any, rng: Any, users: int) -> Any:
    bits = rng.integers(2, size=(users, len(s.domain.items)), dtype=np.uint8)
    return [bits[: users // 3].astype(bool), bits[users // 3 :]] if users > 2 else [bits]


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
        yield name, Server(mechanism, any_bits, estimate_unary, unary, BIT_SERVER)
    for prime, g, zero in ((7, 2, True), (13, 5, False), (MERSENNE, 4, True), (MERSENNE, 12, False)):
        faults = dict(SUPPORT)
        if prime == MERSENNE:
            del faults["not reduced modulo P"]  # overflows of six items are seen with small primes
        if g % 2:
            faults = {name: fault for name, fault in faults.items() if "rotated" not in name}
        hashed = LocalHashing(SEVEN, BUDGET, CarterWegman(tuple(range(7)), prime, g, zero))
        yield f"labels {g} modulo {prime}", Server(hashed, any_hashed, estimate_local_hashing, local_hashing, faults)
    public = LocalHashing(SEVEN, BUDGET, PublicFunctions(functions(MANY, 4)), fmpq(1, 3))
    yield "listed", Server(public, any_listed, estimate_local_hashing, local_hashing, LISTED_SUPPORT)
    for m in (4, 11):
        tables = [tuple(v + 5 * (m > 8) for v in t) for t in MANY]
        cms = ClientCMS(SEVEN, BUDGET, functions(tables, m))
        yield f"cms {m}", Server(cms, any_sketch, sketch_estimates, count_sketch_reports, SKETCH_SERVER)
    for first in (0, 1):
        response = HadamardResponse(SEVEN, BUDGET, first)
        server = Server(response, any_coordinates, estimate_hadamard_response, hadamard, RESPONSE_SERVER)
        yield f"hadamard response {first}", server
    hcms = HCMS(SEVEN, BUDGET, functions(MANY, 4))
    yield "hcms", Server(hcms, any_signs, estimate_hcms, hadamard, HCMS_SERVER)


SERVERS = dict(servers())


@pytest.mark.parametrize("name", SERVERS)
@settings(max_examples=15)
@given(seed=st.integers(0, 2**32 - 1), users=st.integers(1, 20))
def test_server_estimates_what_the_program_estimates(name: str, seed: int, users: int) -> None:
    case = SERVERS[name]
    reports = case.reports(case.mechanism, default_rng(seed), users)
    expected = programs_estimate(case.mechanism, written(case.mechanism, reports))
    assert case.estimate(case.mechanism, reports) == expected


@cache
def many_reports(name: str) -> tuple[Any, Any]:
    """So many that sums of bytes overflow, and what the program estimates from them."""
    case = SERVERS[name]
    reports = case.reports(case.mechanism, default_rng(5), 6000)
    return reports, programs_estimate(case.mechanism, written(case.mechanism, reports))


@pytest.mark.parametrize(("name", "fault"), [(name, fault) for name, case in SERVERS.items() for fault in case.faults])
def test_planted_fault_of_a_server_is_caught(name: str, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case, (reports, expected) = SERVERS[name], many_reports(name)
    assert case.estimate(case.mechanism, reports) == expected
    monkeypatch.setattr(case.module, *case.faults[fault])
    try:
        estimate = case.estimate(case.mechanism, reports)
    except DomainError:
        return
    assert estimate != expected


@settings(max_examples=15)
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
    counts = support_counts(mechanism, reports)
    positions = np.broadcast_to(np.arange(250), (3000, 250))
    expected = (reports.hashes.values(positions) == reports.labels[:, None]).sum(axis=0)
    assert counts.tolist() == expected[::-1].tolist()


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


# --- refusals ---------------------------------------------------------------------------------------------------------

OUE_S, CMS_S, HCMS_S = (SERVERS[name].mechanism for name in ("oue", "cms 11", "hcms"))
LISTED_S, HASHED_S = SERVERS["listed"].mechanism, SERVERS["labels 5 modulo 13"].mechanism
RESPONSE_S = SERVERS["hadamard response 0"].mechanism
ZERO = Budget.of_root(fmpq(1), 2)
BITS6, BITS11 = np.ones((3, 6), np.uint8), np.ones((3, 11), np.uint8)
PACKED, ROWS3 = np.packbits(BITS11, axis=1), np.array([0, 3, 1])
COINS: Any = ArrayCoins(default_rng(0))


def totals(bits: Any, rows: Any, packed: Any = False) -> SketchTotals:
    return cms_totals([SketchReports(bits, rows, packed)], 4, 11)


NO_BITS = [BITS6[:, :5], BITS6.astype(int), BITS6.astype(float), BITS6 * 2, BITS6[0], BITS6[:0], BITS6.tolist(), None]
NO_ROWS = (ROWS3[:2], ROWS3 + 1, ROWS3 - 1, ROWS3.astype(float), ROWS3[:, None], ROWS3.tolist())
RIGHT = totals(BITS11, ROWS3)
SUMS, USERS = np.array([[1, -1], [2, 0]]), np.array([1, 2])
ONE_COLUMN = functions([(0,) * 7], 1)
test_refusals_of_bits = refusal_test(
    refuses("reports", lambda bits: bit_counts([BITS6, bits], 6), *NO_BITS),
    refuses("reports", lambda: estimate_unary(OUE_S, [])),
    refuses_each(
        "bits",
        totals,
        *((BITS11[:, :10], ROWS3), (np.ones((3, 12), np.uint8), ROWS3), (BITS11.astype(np.int8), ROWS3)),
        *((BITS11 * 3, ROWS3), (BITS11, ROWS3, True), (PACKED, ROWS3), (PACKED.astype(bool), ROWS3, True)),
        (BITS11[:0], ROWS3[:0]),
    ),
    refuses_each("bits", totals, (PACKED | 1, ROWS3, True), says="spare"),
    refuses("rows", lambda rows: totals(BITS11, rows), *NO_ROWS),
    refuses("reports", lambda: totals(BITS11, ROWS3, 1)),
    refuses_each("k", lambda k, m: cms_totals([], k, m), (0, 11), (True, 11)),
    refuses_each("m", lambda k, m: cms_totals([], k, m), (4, 0), (4, 11.0)),
    refuses("reports", lambda reports: cms_totals(reports, 4, 11), [], [BITS11]),
    refuses("size", lambda size: sample_client_cms(CMS_S, np.array([0]), COINS, size), 0, -1, True, 2.0),
    refuses("signs", lambda: RIGHT + SketchTotals(RIGHT.signs[:, :4], RIGHT.users)),
    refuses("signs", lambda users: SketchTotals(SUMS, users), *map(np.array, ([1, 1], [2, 2], [1, -2])), says="add up"),
    refuses("users", lambda users: SketchTotals(SUMS, users), USERS[:1], USERS.astype(np.uint8)),
    refuses("signs", lambda signs: SketchTotals(signs, USERS), SUMS[0], SUMS.astype(float), SUMS.tolist()),
    refuses("signs", lambda: SketchTotals(SUMS[:0], USERS[:0])),
    refuses(
        "signs|users",
        lambda totals: estimate_cms(CMS_S, totals),
        *(SketchTotals(SUMS, USERS), SketchTotals(RIGHT.signs * 0, RIGHT.users * 0)),
    ),
    refuses("budget", lambda: estimate_cms(ClientCMS(SEVEN, ZERO, CMS_S.functions), RIGHT)),
    refuses(
        "m",
        lambda: estimate_cms(
            ClientCMS(SEVEN, BUDGET, ONE_COLUMN), cms_totals([SketchReports(BITS11[:, :1], ROWS3 * 0)], 1, 1)
        ),
        says="m = 1",
    ),
    refuses(
        "functions",
        lambda k: ClientCMS(SEVEN, BUDGET, k),
        *((), functions([(0,) * 7], 3) + functions([(0,) * 7], 4)),
    ),
    refuses("values", lambda: functions([(0, 1, 2, 3, 4, 5, 6)], 6)),
)


def sent(signs: Any, rows: Any, coordinates: Any, k: Any = 4, m: Any = 4) -> Any:
    return hcms_totals(SignReports(signs, rows, coordinates), k, m)


def response(coordinates: Any, signs: Any, budget: Any = BUDGET) -> Any:
    return estimate_hadamard_response(HadamardResponse(SEVEN, budget, 0), CoordinateReports(coordinates, signs))


def estimated(budget: Any, functions: Any, rows: Any, coordinates: Any) -> Any:
    return estimate_hcms(HCMS(SEVEN, budget, functions), SignReports(SIGNS3, rows, coordinates))


SIGNS3 = np.array([1, -1, 1])
NO_SIGNS = (SIGNS3 * 2, SIGNS3 * 0, SIGNS3.astype(float), SIGNS3.tolist(), SIGNS3[:0], SIGNS3[:, None], SIGNS3 > 0)
NO_INDICES = (ROWS3 + 8, ROWS3 - 1, ROWS3[:2], ROWS3.astype(float), ROWS3.tolist(), ROWS3[:, None], ROWS3 > 0)
test_refusals_of_signs = refusal_test(
    refuses("signs", lambda signs: sent(signs, ROWS3, ROWS3), *NO_SIGNS),
    refuses("signs", lambda signs: response(ROWS3, signs), *NO_SIGNS),
    refuses("rows", lambda indices: sent(SIGNS3, indices, ROWS3), *NO_INDICES),
    refuses("coordinates", lambda indices: sent(SIGNS3, ROWS3, indices), *NO_INDICES),
    refuses("coordinates", lambda indices: response(indices, SIGNS3), *NO_INDICES),
    refuses("functions", lambda indices: listed_support(LISTED_S, ListedReports(indices, ROWS3)), *NO_INDICES),
    refuses("labels|functions", lambda indices: listed_support(LISTED_S, ListedReports(ROWS3, indices)), *NO_INDICES),
    refuses_each("k", lambda k, m: sent(SIGNS3, ROWS3, ROWS3, k, m), (0, 4), (True, 4)),
    refuses_each("m", lambda k, m: sent(SIGNS3, ROWS3, ROWS3, k, m), (4, 0)),
    refuses("budget", lambda: estimated(ZERO, HCMS_S.functions, ROWS3, ROWS3)),
    refuses("budget", lambda: response(ROWS3, SIGNS3, ZERO)),
    refuses("m", lambda: estimated(BUDGET, ONE_COLUMN, ROWS3 * 0, ROWS3 * 0), says="m = 1"),
    refuses("reports", lambda reports: hcms_totals(reports, 4, 4), None, CoordinateReports(ROWS3, SIGNS3)),
    refuses(
        "reports", lambda reports: estimate_hadamard_response(RESPONSE_S, reports), SignReports(SIGNS3, ROWS3, ROWS3)
    ),
    refuses(
        "values", walsh_hadamard_rows, np.zeros((2, 3), int), np.zeros(4, int), np.zeros((2, 4)), np.zeros((2, 0), int)
    ),
)

GOOD: Any = any_hashed(HASHED_S, default_rng(0), 3)
LISTED: Any = any_listed(LISTED_S, default_rng(0), 3)
OF_THIRTEEN = GOOD.hashes.hashes.coefficients
WHOLE: Any = LocalHashing(ItemDomain.of_sizes(3), BUDGET, AllFunctions(THREE, 2))


def supported(hashes: Any, labels: Any) -> Any:
    return support_counts(HASHED_S, HashedReports(hashes, labels))


test_refusals_of_labels = refusal_test(
    refuses(
        "labels",
        lambda labels: supported(GOOD.hashes, labels),
        *(GOOD.labels + 5, GOOD.labels[:2], GOOD.labels.astype(float), GOOD.labels[:, None], [0, 1, 2]),
    ),
    refuses(
        "hashes",
        lambda hashes: supported(hashes, GOOD.labels),
        LabelHashes(PolynomialHashes(OF_THIRTEEN, 13), 4),
        LabelHashes(PolynomialHashes(OF_THIRTEEN, 17), 5),
        LabelHashes(PolynomialHashes(OF_THIRTEEN * np.array([1, 0]), 13), 5),
    ),
    refuses("block", lambda block: support_counts(HASHED_S, GOOD, block), 0, True, 1.0),
    refuses("labels", lambda labels: LabelHashes(GOOD.hashes.hashes, labels), 0, 14, True),
    refuses("hashes", lambda hashes: LabelHashes(hashes, 5), PolynomialHashes(OF_THIRTEEN[:, :1], 13), None),
    refuses("items", lambda: label_table(LISTED_S.family.functions, (0, 9))),
    refuses("users", lambda users: draw_label_hashes(HASHED_S.family, users, COINS), 0, True, 1.5),
    refuses("family", lambda: sample_local_hashing(WHOLE, np.array([0]), COINS)),
    refuses("family", lambda: sample_listed_hashing(WHOLE, np.array([0]), COINS)),
    refuses("family", lambda: support_counts(WHOLE, GOOD)),
    refuses("family", lambda: listed_support(WHOLE, LISTED)),
    refuses("family", lambda: draw_label_hashes(WHOLE.family, 1, COINS)),
    refuses("family", lambda: GOOD.hashes.require_of(WHOLE.family)),
    refuses_each("family|reports", estimate_local_hashing, (HASHED_S, LISTED), (LISTED_S, GOOD), (HASHED_S, None)),
    refuses("budget", lambda: estimate_local_hashing(LocalHashing(SEVEN, ZERO, HASHED_S.family), GOOD)),
    refuses("collision", lambda: estimate_local_hashing(LocalHashing(SEVEN, BUDGET, HASHED_S.family, fmpq(1)), GOOD)),
)
