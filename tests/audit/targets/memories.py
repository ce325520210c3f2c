"""Clients of mechanisms that keep something for a value: correct ones in several forms, and forgetful ones."""

import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np

Bits = list[int]


class LSUE:
    """Sequential L-SUE; the first round is kept for each value, in a dictionary that is the client."""

    def __init__(self, d: int, eps_perm: float, eps_1: float, keeps: bool = True) -> None:
        self.d, self.keeps = d, keeps
        self.p1 = 1 / (1 + math.exp(-eps_perm / 2))
        once = 1 / (1 + math.exp(-eps_1 / 2))
        self.p2 = (once - 1 + self.p1) / (2 * self.p1 - 1)

    def client(self) -> Any:
        return {}

    def privatize(self, client: Any, item: int) -> Bits:
        if item not in client or not self.keeps:
            client[item] = self.first(item, random.random)
        return self.second(client[item])

    def first(self, item: int, draw: Callable[[], float]) -> Bits:
        return [int((x == item) == (draw() < self.p1)) for x in range(self.d)]

    def second(self, kept: Bits) -> Bits:
        return [int(bit == (random.random() < self.p2)) for bit in kept]


class DrawnAhead(LSUE):
    """Round 1 of all values is drawn when the client is made."""

    def client(self) -> Any:
        return {x: self.first(x, random.random) for x in range(self.d)}


class Seeded(LSUE):
    """What is kept is a seed: round 1 is computed from it and the value."""

    def client(self) -> Any:
        return random.getrandbits(64)

    def privatize(self, client: Any, item: int) -> Bits:
        return self.second(self.first(item, random.Random(f"{client}|{item}").random))


class SeededArrays(Seeded):
    """The same with numpy, whose reports are arrays."""

    def privatize(self, client: Any, item: int) -> Any:
        draw = np.random.default_rng([client & 0xFFFFFFFF, item]).random
        return np.array(self.second(self.first(item, draw)))


class Changed(LSUE):
    """What was kept is lost when the value changes."""

    def privatize(self, client: Any, item: int) -> Bits:
        if item not in client:
            client.clear()
        return super().privatize(client, item)


class KeepsAll(LSUE):
    """The same report again."""

    def privatize(self, client: Any, item: int) -> Bits:
        client.setdefault(-1 - item, super().privatize(client, item))
        kept: Bits = client[-1 - item]
        return kept


class Numbered(LSUE):
    """Round 1 is drawn anew at some reports."""

    def client(self) -> Any:
        return {"number": 0, "kept": {}}

    def privatize(self, client: Any, item: int) -> Bits:
        client["number"] += 1
        if self.forgets(client["number"]):
            client["kept"] = {}
        return super().privatize(client["kept"], item)

    def forgets(self, number: int) -> bool:
        raise NotImplementedError


def forgetting(when: Callable[[int], bool]) -> Any:
    """Forgets at these reports."""
    return type("Forgetting", (Numbered,), {"forgets": lambda self, number: when(number)})


AtTheThird, AtTheHundredth, AtTheThousandth = (forgetting(number.__eq__) for number in (3, 100, 1000))
EveryThird = forgetting(lambda number: number % 3 == 0)
EveryTenth = forgetting(lambda number: number % 10 == 0)
AfterTen = forgetting(lambda number: number % 10 == 1)


class LGRR:
    """GRR twice, with the second round of L-GRR."""

    def __init__(self, d: int, eps_perm: float, eps_1: float, keeps: bool = True) -> None:
        self.d, self.keeps = d, keeps
        self.p1 = math.exp(eps_perm) / (math.exp(eps_perm) + d - 1)
        q1, e = (1 - self.p1) / (d - 1), math.exp(eps_1)
        self.p2 = (q1 - e * self.p1) / (-self.p1 * e + d * q1 * e - q1 * e - self.p1 * (d - 1) + q1)

    def client(self) -> Any:
        return {}

    def privatize(self, client: Any, item: int) -> int:
        if item not in client or not self.keeps:
            client[item] = self.told(item, self.p1)
        return self.told(client[item], self.p2)

    def told(self, item: int, p: float) -> int:
        return item if random.random() < p else (item + random.randrange(1, self.d)) % self.d


class OfRemainders(LGRR):
    """Round 1 is kept for a value modulo 2."""

    def privatize(self, client: Any, item: int) -> int:
        if item % 2 not in client:
            client[item % 2] = self.told(item, self.p1) - item
        return self.told((item + client[item % 2]) % self.d, self.p2)


class SampledAttribute:
    """SMP with L-GRR: the attribute is drawn once for a client, and round 1 kept for each of its values."""

    def __init__(self, sizes: Any, eps_perm: float, eps_1: float) -> None:
        self.parts = [LGRR(int(size), eps_perm, eps_1) for size in sizes]

    def client(self) -> Any:
        return {"attribute": random.randrange(len(self.parts)), "kept": {}}

    def privatize(self, client: Any, item: Any) -> tuple[int, ...]:
        place = client["attribute"]
        return place, self.parts[place].privatize(client["kept"], item[place])


class AttributeOfValue(SampledAttribute):
    """The attribute is drawn for every value."""

    def privatize(self, client: Any, item: Any) -> tuple[int, ...]:
        own = client["kept"].setdefault(tuple(item), {}) or self.client()
        client["kept"][tuple(item)] = own
        return super().privatize(own, item)


class LieOfClient(SampledAttribute):
    """By how much round 1 lies is drawn once for a client, not for a value."""

    def privatize(self, client: Any, item: Any) -> tuple[int, ...]:
        place = client["attribute"]
        part = self.parts[place]
        lie = client["kept"].setdefault("lie", part.told(0, part.p1))
        return place, part.told((item[place] + lie) % part.d, part.p2)


class AllAttributes(SampledAttribute):
    """SPL with L-GRR: round 1 is kept for each value of each attribute, which has its share of the budget."""

    def __init__(self, sizes: Any, eps_perm: float, eps_1: float) -> None:
        super().__init__(sizes, eps_perm / len(sizes), eps_1 / len(sizes))

    def client(self) -> Any:
        return [{} for _ in self.parts]

    def privatize(self, client: Any, item: Any) -> tuple[int, ...]:
        return tuple(part.privatize(kept, x) for part, kept, x in zip(self.parts, client, item, strict=True))


class OfAttributes(AllAttributes):
    """Round 1 is kept for an attribute, whatever its value is then."""

    def privatize(self, client: Any, item: Any) -> tuple[int, ...]:
        for part, kept, x in zip(self.parts, client, item, strict=True):
            kept.setdefault("value", part.told(x, part.p1))
        return tuple(part.told(kept["value"], part.p2) for part, kept in zip(self.parts, client, strict=True))


class Buckets:
    """dBitFlipPM: the buckets are drawn once for a client, their bits once for every bucket."""

    def __init__(self, d: int, buckets: int, bits: int, epsilon: float) -> None:
        self.d, self.buckets, self.bits = d, buckets, bits
        self.p = 1 / (1 + math.exp(-epsilon / 2))

    def client(self) -> Any:
        return {"drawn": random.sample(range(self.buckets), self.bits)}

    def privatize(self, client: Any, item: int) -> Bits:
        own = item * self.buckets // self.d
        if own not in client:
            bits = [int((b == own) == (random.random() < self.p)) for b in range(self.buckets)]
            client[own] = [bit if b in client["drawn"] else -1 for b, bit in enumerate(bits)]
        kept: Bits = client[own]
        return kept


class BucketsOfItems(Buckets):
    """All is drawn for every item on its own."""

    def privatize(self, client: Any, item: int) -> Bits:
        if item not in client:
            client[item] = super().privatize(super().client(), item)
        kept: Bits = client[item]
        return kept


class Cohorts:
    """RAPPOR's permanent response."""

    def __init__(self, d: int, f: float, m: int, filters: list[list[list[int]]]) -> None:
        self.f, self.m, self.filters = f, m, filters

    def client(self) -> Any:
        return {"cohort": random.randrange(len(self.filters))}

    def privatize(self, client: Any, item: int) -> Any:
        if item not in client:
            ones, chances = self.filters[client["cohort"]][item], (self.f / 2, 1 - self.f / 2)
            client[item] = [int(random.random() < chances[bit in ones]) for bit in range(self.m)]
        return [client[item], client["cohort"]]


class CohortsOfValues(Cohorts):
    """The cohort is drawn for every value."""

    def privatize(self, client: Any, item: int) -> Any:
        if item not in client:
            client[item] = super().privatize(super().client(), item)
        return client[item]


class CohortsOfFilters(Cohorts):
    """The response is kept for a filter: items that have the same one share it."""

    def privatize(self, client: Any, item: int) -> Any:
        same = self.filters[client["cohort"]]
        return super().privatize(client, same.index(same[item]))


class CoinsOfCohorts(Cohorts):
    """The coins are tossed once for a client, not for a value."""

    def privatize(self, client: Any, item: int) -> Any:
        coins = client.setdefault("coins", [random.random() for _ in range(self.m)])
        ones, chances = self.filters[client["cohort"]][item], (self.f / 2, 1 - self.f / 2)
        return [[int(coin < chances[bit in ones]) for bit, coin in enumerate(coins)], client["cohort"]]


class CoinsOfBuckets(Buckets):
    """The same for buckets."""

    def privatize(self, client: Any, item: int) -> Bits:
        own, coins = item * self.buckets // self.d, client.setdefault("coins", {})
        for b in client["drawn"]:
            coins.setdefault(b, random.random() < self.p)
        return [int((b == own) == coins[b]) if b in coins else -1 for b in range(self.buckets)]


class SplitBuckets:
    """SPL-dBitFlipPM: the buckets of every attribute are drawn once for a client."""

    OF = Buckets

    def __init__(self, sizes: list[int], buckets: list[int], bits: int, epsilon: float) -> None:
        self.parts = [self.OF(d, b, bits, epsilon / len(sizes)) for d, b in zip(sizes, buckets, strict=True)]

    def client(self) -> Any:
        return [part.client() for part in self.parts]

    def privatize(self, client: Any, item: Any) -> Any:
        return [part.privatize(kept, x) for part, kept, x in zip(self.parts, client, item, strict=True)]


class SplitCoins(SplitBuckets):
    """With coins that are tossed once for a client."""

    OF = CoinsOfBuckets


class Attributes:
    """SPL-L-SUE: L-SUE on every attribute with its share of the budgets."""

    SAMPLED = False

    def __init__(self, sizes: list[int], eps_perm: float, eps_1: float) -> None:
        share = 1 if self.SAMPLED else len(sizes)
        self.parts = [LSUE(d, eps_perm / share, eps_1 / share) for d in sizes]

    def client(self) -> Any:
        return [random.randrange(len(self.parts)), *(part.client() for part in self.parts)]

    def privatize(self, client: Any, item: Any) -> Any:
        reports = [part.privatize(kept, x) for part, kept, x in zip(self.parts, client[1:], item, strict=True)]
        return [client[0], reports[client[0]]] if self.SAMPLED else reports


class OneAttribute(Attributes):
    """SMP-L-SUE: the attribute is drawn once."""

    SAMPLED = True


class AnotherAttribute(OneAttribute):
    """The attribute is drawn for every report, what is kept for it stays."""

    def privatize(self, client: Any, item: Any) -> Any:
        return super().privatize([random.randrange(len(self.parts)), *client[1:]], item)


def nothing(base: Any, drawn: tuple[str, ...] = ()) -> Any:
    """Keeps nothing for a value but what was drawn once for the client."""

    def privatize(self: Any, client: Any, item: Any) -> Any:
        return base.privatize(self, {name: client[name] for name in drawn}, item)

    return type("Nothing", (base,), {"privatize": privatize})


Nothing, LGRRNothing = nothing(LSUE), nothing(LGRR)
BucketsNothing, CohortsNothing = nothing(Buckets, ("drawn",)), nothing(Cohorts, ("cohort",))


class AttributesNothing(Attributes):
    def privatize(self, client: Any, item: Any) -> Any:
        return super().privatize(self.client(), item)
