"""Foreign implementations of mechanisms on sets, for audits: written from the papers, with doubles and `random`."""

import math
import random
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

Pair = tuple[Any, frozenset[int]]


def require_set(items: Iterable[int], d: int, m: int) -> list[int]:
    held = sorted(items)
    if len(held) != m or not set(held) <= set(range(d)):
        raise ValueError("not a set of m items")
    return held


def coin(p: float) -> bool:
    return random.random() < p


def other(item: int, d: int) -> int:
    lie = random.randrange(d - 1)
    return lie + (lie >= item)


class Base:
    """What the clients share: one report per user, and a server that keeps all of them."""

    def __init__(self, **parameters: Any) -> None:
        self.epsilon, self.m = float(parameters["epsilon"]), int(parameters.get("m", 1))
        self.K, self.N = int(parameters["K"] if "K" in parameters else parameters["d"]), int(parameters.get("N", 0))
        self.d, self.k = self.K + self.N, int(parameters.get("k", 1))
        self.hash: list[float] = parameters.get("hash", [])
        self.view = str(parameters.get("view", ""))

    def client(self) -> None:
        """No state."""

    def server(self) -> list[Any]:
        return []

    def aggregate(self, server: list[Any], report: Any) -> None:
        server.append(report)

    def affine(self, count: int, n: int, offset: float, slope: float, scale: float = 1) -> float:
        return scale * (count / n - offset) / slope


class SuGRR(Base):
    """suGRR, y0 the sorted sensitive results."""

    def share(self) -> float:
        return math.exp(self.epsilon / self.m)

    def kept(self) -> float:
        e0 = self.share()
        return (e0 - 1) / (e0 + self.K - 1)

    def slot(self, item: int) -> int:
        e0 = self.share()
        if item >= self.K:
            return item if coin(self.kept()) else random.randrange(self.K)
        return item if self.K == 1 or coin(e0 / (e0 + self.K - 1)) else other(item, self.K)

    def privatize(self, client: None, items: Iterable[int]) -> Pair:
        slots = [self.slot(x) for x in require_set(items, self.d, self.m)]
        return tuple(sorted(z for z in slots if z < self.K)), frozenset(z for z in slots if z >= self.K)

    def estimate(self, reports: Sequence[Pair]) -> list[float]:
        e0, n = self.share(), len(reports)
        p, q, r = (w / (e0 + self.K - 1) for w in (e0, 1, e0 - 1))
        sensitive = [self.affine(sum(y[0].count(x) for y in reports), n, self.m * q, p - q) for x in range(self.K)]
        return sensitive + [sum(x in y[1] for y in reports) / (n * r) for x in range(self.K, self.d)]


class WrongR(SuGRR):
    """A non-sensitive item is kept with the probability p of a sensitive one."""

    def kept(self) -> float:
        return self.share() / (self.share() + self.K - 1)


class UndividedBudget(SuGRR):
    """Every item is perturbed with the whole budget."""

    def share(self) -> float:
        return math.exp(self.epsilon)


class ShowsSensitive(SuGRR):
    """I holds every item that was reported as itself, sensitive ones, too."""

    def privatize(self, client: None, items: Iterable[int]) -> Pair:
        held = require_set(items, self.d, self.m)
        slots = [self.slot(x) for x in held]
        return tuple(sorted(z for z in slots if z < self.K)), frozenset(z for z in slots if z in held)


class ShowsOthers(SuGRR):
    """I holds every non-sensitive item of the user, whatever was drawn."""

    def privatize(self, client: None, items: Iterable[int]) -> Pair:
        y0, _ = super().privatize(client, items)
        return y0, frozenset(x for x in items if x >= self.K)


class Unsorted(SuGRR):
    """y0 in the order of the items: more than the multiset."""

    def privatize(self, client: None, items: Iterable[int]) -> Pair:
        slots = [self.slot(x) for x in require_set(items, self.d, self.m)]
        return tuple(z for z in slots if z < self.K), frozenset(z for z in slots if z >= self.K)


class WithoutM(SuGRR):
    """The estimator subtracts q instead of m q."""

    def estimate(self, reports: Sequence[Pair]) -> list[float]:
        q = 1 / (self.share() + self.K - 1)
        p = self.share() * q
        estimates = super().estimate(reports)
        return [f + (self.m - 1) * q / (p - q) if x < self.K else f for x, f in enumerate(estimates)]


class SuGRRSample(SuGRR):
    """suGRR-Sample."""

    def share(self) -> float:
        return math.exp(self.epsilon)

    def privatize(self, client: None, items: Iterable[int]) -> Pair:
        z = self.slot(random.choice(require_set(items, self.d, self.m)))
        return (z, frozenset()) if z < self.K else (None, frozenset([z]))

    def estimate(self, reports: Sequence[Pair]) -> list[float]:
        e, n = self.share(), len(reports)
        p, q, r = (w / (e + self.K - 1) for w in (e, 1, e - 1))
        sensitive = [self.affine(sum(y[0] == x for y in reports), n, q, p - q, self.m) for x in range(self.K)]
        return sensitive + [self.m * sum(x in y[1] for y in reports) / (n * r) for x in range(self.K, self.d)]


class URR(SuGRR):
    """uRR: one item."""

    def privatize(self, client: None, items: Any) -> Any:
        if not 0 <= items < self.d:
            raise ValueError("unknown item")
        return self.slot(items)

    def estimate(self, reports: Sequence[Any]) -> list[float]:
        e, n = self.share(), len(reports)
        p, q, r = (w / (e + self.K - 1) for w in (e, 1, e - 1))
        sensitive = [self.affine(sum(y == x for y in reports), n, q, p - q) for x in range(self.K)]
        return sensitive + [sum(y == x for y in reports) / (n * r) for x in range(self.K, self.d)]


class SuRAP(Base):
    """suRAP: bits."""

    def half(self) -> float:
        return math.exp(self.epsilon / (2 * self.m))

    def scale(self) -> int:
        return 1

    def encoded(self, items: Any) -> list[int]:
        return require_set(items, self.d, self.m)

    def privatize(self, client: None, items: Any) -> Pair:
        t, held = self.half(), self.encoded(items)
        bits = tuple(int(coin((t if x in held else 1) / (t + 1))) for x in range(self.K))
        return bits, frozenset(x for x in held if x >= self.K and coin((t - 1) / t))

    def estimate(self, reports: Sequence[Pair]) -> list[float]:
        t, n, m = self.half(), len(reports), self.scale()
        p, q, r = t / (t + 1), 1 / (t + 1), (t - 1) / t
        sensitive = [self.affine(sum(y[0][x] for y in reports), n, q, p - q, m) for x in range(self.K)]
        return sensitive + [m * sum(x in y[1] for y in reports) / (n * r) for x in range(self.K, self.d)]


class SuRAPSample(SuRAP):
    """suRAP-Sample."""

    def half(self) -> float:
        return math.exp(self.epsilon / 2)

    def scale(self) -> int:
        return int(self.m)

    def encoded(self, items: Any) -> list[int]:
        return [random.choice(require_set(items, self.d, self.m))]


class URAP(SuRAPSample):
    """uRAP at its default theta."""

    def encoded(self, items: Any) -> list[int]:
        if not 0 <= items < self.d:
            raise ValueError("unknown item")
        return [items]


class RAPPORSet(SuRAP):
    """RAPPOR for sets: a list of bits."""

    def privatize(self, client: None, items: Any) -> Any:
        return list(super().privatize(client, items)[0])

    def estimate(self, reports: Sequence[Any]) -> list[float]:
        return super().estimate([(y, frozenset()) for y in reports])


class RAPPORSample(RAPPORSet, SuRAPSample):
    """RAPPOR-Sample."""


class GRRSplit(SuGRR):
    """GRR by budget split, in the order of the items or sorted."""

    def privatize(self, client: None, items: Iterable[int]) -> Any:
        slots = [self.slot(x) for x in require_set(items, self.d, self.m)]
        return tuple(sorted(slots) if self.view == "multiset" else slots)

    def estimate(self, reports: Sequence[Any]) -> list[float]:
        return super().estimate([(y, frozenset()) for y in reports])


class GRRSample(SuGRRSample):
    """GRR-Sample."""

    def privatize(self, client: None, items: Iterable[int]) -> Any:
        return super().privatize(client, items)[0]

    def estimate(self, reports: Sequence[Any]) -> list[float]:
        return super().estimate([(y, frozenset()) for y in reports])


class PrivSet(Base):
    """PrivSet by listing all subsets of k items, in two classes."""

    def classes(self, held: set[int]) -> tuple[list[frozenset[int]], list[frozenset[int]]]:
        subsets = [frozenset(y) for y in combinations(range(self.d), self.k)]
        return [y for y in subsets if y & held], [y for y in subsets if not y & held]

    def privatize(self, client: None, items: Iterable[int]) -> frozenset[int]:
        hit, missed = self.classes(set(require_set(items, self.d, self.m)))
        e = math.exp(self.epsilon)
        meets = coin(e * len(hit) / (e * len(hit) + len(missed)))
        return random.choice(hit if meets else missed)

    def estimate(self, reports: Sequence[frozenset[int]]) -> list[float]:
        hit, missed = self.classes(set(range(self.m)))
        e, n = math.exp(self.epsilon), len(reports)
        total = e * len(hit) + len(missed)
        p, q = ((e * sum(x in y for y in hit) + sum(x in y for y in missed)) / total for x in (0, self.m))
        return [self.affine(sum(x in y for y in reports), n, q, p - q) for x in range(self.d)]


class Wheel(Base):
    """Wheel: a point is drawn by its piece of the circle, and stays undetermined in it; the arcs that hold it show."""

    def arc(self) -> float:
        return 1 / (2 * self.m - 1 + self.m * math.exp(self.epsilon))

    def holds(self, item: int, point: Any) -> bool:
        start, p = self.hash[item], self.arc()
        return bool(start <= point < start + p or point < start + p - 1)

    def point(self, items: Iterable[int]) -> Any:
        held, p, e = require_set(items, self.d, self.m), self.arc(), math.exp(self.epsilon)
        omega = self.m * p * e + 1 - self.m * p
        ends = {0.0, 1.0, *(self.hash[x] for x in held), *((self.hash[x] + p) % 1 for x in held)}
        cells = list(zip(sorted(ends)[:-1], sorted(ends)[1:], strict=True))
        inside = [any(self.holds(x, (low + high) / 2) for x in held) for low, high in cells]
        covered = sum(high - low for (low, high), yes in zip(cells, inside, strict=True) if yes)
        outside = (omega - covered * e) / ((1 - covered) * omega)
        drawn = random.random()
        for (low, high), yes in zip(cells, inside, strict=True):
            mass = (high - low) * (e / omega if yes else outside)
            if drawn < mass or high == 1.0:
                return low + (high - low) * random.random()
            drawn = drawn - mass
        raise AssertionError

    def arcs(self, point: Any) -> frozenset[int]:
        return frozenset(x for x in range(self.d) if self.holds(x, point))

    def privatize(self, client: None, items: Iterable[int]) -> Any:
        return self.arcs(self.point(items))

    def hits(self, reports: Sequence[Any]) -> list[float]:
        p, e, n = self.arc(), math.exp(self.epsilon), len(reports)
        true = p * e / (self.m * p * e + 1 - self.m * p)
        return [self.affine(sum(x in y for y in reports), n, p, true - p) for x in range(self.d)]

    def estimate(self, reports: Sequence[Any]) -> list[float]:
        return self.hits(reports)


class SuWheel(Wheel):
    """suWheel."""

    def privatize(self, client: None, items: Iterable[int]) -> Pair:
        arcs = self.arcs(self.point(items))
        return arcs, frozenset(x for x in items if x >= self.K and x not in arcs)

    def estimate(self, reports: Sequence[Pair]) -> list[float]:
        p, e, n = self.arc(), math.exp(self.epsilon), len(reports)
        r = 1 - p * e / (self.m * p * e + 1 - self.m * p)
        frequencies = [sum(x in y[1] for y in reports) / (n * r) for x in range(self.K, self.d)]
        return self.hits([y[0] for y in reports])[: self.K] + frequencies
