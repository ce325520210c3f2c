"""Small frequency oracles as an adapter file: three correct ones, and mutants with one plausible fault each.

Loaded by the interceptor's child process: imports the standard library and numpy only.
"""

import math
import random
from typing import Any

import numpy as np


class GRR:
    """Correct."""

    def __init__(self, d: int, epsilon: float) -> None:
        self.d, self.epsilon = d, epsilon
        self.p = math.exp(epsilon) / (math.exp(epsilon) + d - 1)
        self.q = 1 / (math.exp(epsilon) + d - 1)

    def client(self) -> Any:
        return {}

    def check(self, item: Any) -> None:
        if not 0 <= item < self.d:
            raise ValueError("unknown item")

    def privatize(self, client: Any, item: Any) -> Any:
        self.check(item)
        if random.random() < self.p:
            return int(item)
        lie = random.randrange(self.d - 1)
        return lie + (lie >= item)

    def server(self) -> Any:
        return []

    def aggregate(self, server: Any, report: Any) -> None:
        server.append(report)

    def support(self, report: Any) -> list[int]:
        return [int(report == x) for x in range(self.d)]

    def estimate(self, server: Any) -> list[float]:
        counts = [sum(column) for column in zip(*map(self.support, server), strict=True)]
        return [(count / len(server) - self.q) / (self.p - self.q) for count in counts]


class GRRWrongDenominator(GRR):
    """Tells the truth with e^eps / (e^eps + d)."""

    def __init__(self, d: int, epsilon: float) -> None:
        super().__init__(d, epsilon)
        self.p = math.exp(epsilon) / (math.exp(epsilon) + d)


class GRRLieMayBeTrue(GRR):
    """The lie is drawn from all items."""

    def privatize(self, client: Any, item: Any) -> Any:
        self.check(item)
        return int(item) if random.random() < self.p else random.randrange(self.d)


class GRROffByOne(GRR):
    """The lie never is the last item."""

    def privatize(self, client: Any, item: Any) -> Any:
        self.check(item)
        lies = [x for x in range(self.d - 1) if x != item] or [0]
        return int(item) if random.random() < self.p else random.choice(lies)


class GRRBudgetTwice(GRR):
    """Client with twice the budget."""

    def __init__(self, d: int, epsilon: float) -> None:
        super().__init__(d, 2 * epsilon)


class GRRHalfBudget(GRR):
    """Client and server agree on half the budget: private and unbiased, with needless variance."""

    def __init__(self, d: int, epsilon: float) -> None:
        super().__init__(d, epsilon / 2)


class GRREstimatorQ(GRR):
    """The server divides the lies among d items."""

    def estimate(self, server: Any) -> list[float]:
        self.q = (1 - self.p) / self.d
        return super().estimate(server)


class GRRClips(GRR):
    """Estimates are made non-negative and normalized."""

    def estimate(self, server: Any) -> list[float]:
        clipped = [max(0.0, x) for x in super().estimate(server)]
        return [x / (sum(clipped) or 1) for x in clipped]


class GRRTypeLeak(GRR):
    """Lies have another type."""

    def privatize(self, client: Any, item: Any) -> Any:
        report = super().privatize(client, item)
        return report if report == item else np.int64(report)


class GRRMemoizes(GRR):
    """A client gives the same item the same report."""

    def privatize(self, client: Any, item: Any) -> Any:
        if item not in client:
            client[item] = super().privatize(client, item)
        return client[item]


class GRRStaleCache(GRR):
    """A server that has estimated once never estimates again."""

    def server(self) -> Any:
        return {"reports": [], "estimates": None}

    def aggregate(self, server: Any, report: Any) -> None:
        server["reports"].append(report)

    def estimate(self, server: Any) -> list[float]:
        if server["estimates"] is None:
            server["estimates"] = super().estimate(server["reports"])
        return list(server["estimates"])


class GRRLastReportTwice(GRR):
    """The server counts the last report twice and forgets the first."""

    def estimate(self, server: Any) -> list[float]:
        return super().estimate([*server[1:], server[-1]])


class GRRAcceptsAll(GRR):
    """Unknown items are reported."""

    def check(self, item: Any) -> None:
        pass


class SUE(GRR):
    """Correct."""

    def __init__(self, d: int, epsilon: float) -> None:
        super().__init__(d, epsilon)
        self.p = math.exp(epsilon / 2) / (math.exp(epsilon / 2) + 1)
        self.q = 1 / (math.exp(epsilon / 2) + 1)

    def privatize(self, client: Any, item: Any) -> Any:
        self.check(item)
        return [int(random.random() < (self.p if x == item else self.q)) for x in range(self.d)]

    def support(self, report: Any) -> list[int]:
        return list(report)


class SUEWholeBudgetPerBit(SUE):
    """Every bit is flipped with 1 / (e^eps + 1)."""

    def __init__(self, d: int, epsilon: float) -> None:
        super().__init__(d, 2 * epsilon)


class SUEOneCoin(SUE):
    """All bits share one draw."""

    def privatize(self, client: Any, item: Any) -> Any:
        self.check(item)
        u = np.random.random()
        return [int(u < (self.p if x == item else self.q)) for x in range(self.d)]


class SUEKeepsLastBit(SUE):
    """The last bit is not perturbed."""

    def privatize(self, client: Any, item: Any) -> Any:
        report = super().privatize(client, item)
        return [*report[:-1], int(item == self.d - 1)]


class SUEReversed(SUE):
    """Bits are reported in reverse order."""

    def privatize(self, client: Any, item: Any) -> Any:
        return super().privatize(client, item)[::-1]


class SUESetBits(SUE):
    """The report is a dict whose order shows the true item first."""

    def privatize(self, client: Any, item: Any) -> Any:
        report = super().privatize(client, item)
        return {x: report[x] for x in sorted(range(self.d), key=lambda x: x != item)}

    def support(self, report: Any) -> list[int]:
        return [report[x] for x in range(self.d)]


class OUE(SUE):
    """Correct."""

    def __init__(self, d: int, epsilon: float) -> None:
        super().__init__(d, epsilon)
        self.p, self.q = 0.5, 1 / (math.exp(epsilon) + 1)

    def privatize(self, client: Any, item: Any) -> Any:
        self.check(item)
        probabilities = np.where(np.arange(self.d) == item, self.p, self.q)
        return (np.random.random(self.d) < probabilities).astype(int)


class OUESwapped(OUE):
    """p and q change places in the client."""

    def privatize(self, client: Any, item: Any) -> Any:
        self.check(item)
        probabilities = np.where(np.arange(self.d) == item, self.q, self.p)
        return (np.random.random(self.d) < probabilities).astype(int)


class OUESmallBias(OUE):
    """q is off by a millionth."""

    def __init__(self, d: int, epsilon: float) -> None:
        super().__init__(d, epsilon)
        self.q *= 1 - 1e-6
