"""ldp-hierarchical-mechanism 0.1.3: trees of counts, of one level here: values 0 .. d-1 and d leaves.

A report is what the tree hands to the server of its level. tqdm, which shows progress, is there in name only.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np

_progress = ModuleType("tqdm")
_progress.tqdm = None  # type: ignore[attr-defined]
sys.modules.setdefault("tqdm", _progress)

from hierarchical_mechanism_LDP.mechanism import Private_TreeBary  # type: ignore[import-not-found] # noqa: E402


class _Recorder:
    """A server that keeps what it is given."""

    def __init__(self) -> None:
        self.reports: list[Any] = []

    def aggregate(self, report: Any) -> None:
        """Keep a report."""
        self.reports.append(report)


class direct_encoding:
    """Private_TreeBary with the protocol of this name."""

    def __init__(self, d: int, epsilon: float) -> None:
        self._d, self._epsilon, self.protocol = d, epsilon, type(self).__name__.partition("_repaired")[0]

    def _made(self) -> Any:
        return Private_TreeBary(self._d, self._d, self._epsilon, protocol=self.protocol)

    def client(self) -> None:
        """Nothing: a tree takes the values of all users once, and is made anew for every report."""

    def tree(self) -> Any:
        """A fresh tree."""
        return self._made()

    def privatize(self, client: None, item: Any) -> Any:
        """What the server gets."""
        made = self.tree()
        made.servers = [_Recorder()]
        made.update_tree([item])
        return made.servers[0].reports[0]

    def server(self) -> Any:
        """The server of the level, and how many reports it has."""
        return [self._made().servers[0], 0]

    def aggregate(self, server: Any, report: Any) -> None:
        """Hand one report to the server."""
        server[0].aggregate(report)
        server[1] += 1

    def estimate(self, server: Any) -> Any:
        """Counts of the leaves before they are made consistent, as `compute_attributes` has them."""
        return list(self.computed(server).attributes[1])

    def computed(self, server: Any) -> Any:
        """A tree with the attributes of these reports."""
        made = self._made()
        made.servers, made.N = [server[0]], server[1]
        made.compute_attributes()
        return made

    @property
    def reproduce(self) -> list[str]:
        """Reports on a value, in the library's own terms."""
        return [
            "from collections import Counter; from hierarchical_mechanism_LDP.mechanism import Private_TreeBary",
            f"client = Private_TreeBary({self._d}, {self._d}, {self._epsilon}, '{self.protocol}').clients[0]",
            "print(Counter(str(client.privatise({input})) for _ in range(10000)))",
        ]

    @property
    def reproduce_estimate(self) -> list[str]:
        """What many equal values are counted as."""
        return [
            "from hierarchical_mechanism_LDP.mechanism import Private_TreeBary",
            f"tree = Private_TreeBary({self._d}, {self._d}, {self._epsilon}, '{self.protocol}')",
            "tree.update_tree([1] * 1000); tree.compute_attributes(); print(tree.attributes)",
        ]


class unary_encoding(direct_encoding):
    """Its default. Indices count from 0, the bits of pure-ldp from 1: the first interval has the last bit."""

    def canonical(self, report: Any) -> Any:
        """The bits of the intervals."""
        return [int(report[i - 1]) for i in range(self._d)]

    def aggregate(self, server: Any, report: Any) -> None:
        """Hand one report to the server."""
        super().aggregate(server, np.array(report))


class unary_encoding_consistent(unary_encoding):
    """unary_encoding, with the estimates made consistent: the root is known to be 1."""

    def __init__(self, d: int, epsilon: float) -> None:
        super().__init__(d, epsilon)
        self.protocol = "unary_encoding"

    def estimate(self, server: Any) -> Any:
        """Frequencies of the leaves."""
        made = self.computed(server)
        made.attributes[1] = self.leaves(made)
        made.post_process(delete_attributes=False)
        return list(made.attributes[1])

    def leaves(self, made: Any) -> Any:
        """What is made consistent with the root."""
        return made.attributes[1]

    @property
    def reproduce_estimate(self) -> list[str]:
        """What many equal values are counted as, root and leaves."""
        return [
            "from hierarchical_mechanism_LDP.mechanism import Private_TreeBary",
            f"tree = Private_TreeBary({self._d}, {self._d}, {self._epsilon}); tree.update_tree([1] * 1000)",
            "tree.compute_attributes(); tree.post_process(delete_attributes=False); print(tree.attributes)",
        ]


class unary_encoding_consistent_repaired(unary_encoding_consistent):
    """With frequencies of the leaves, as the root is one."""

    def leaves(self, made: Any) -> Any:
        """Frequencies."""
        return made.attributes[1] / made.N


class direct_encoding_repaired(direct_encoding):
    """With items 1 .. d, as pure-ldp has them."""

    def tree(self) -> Any:
        """A tree whose client gets the index of the interval, counted from 1."""
        made = self._made()
        own = made.clients[0].privatise
        made.clients[0].privatise = lambda index: own(index + 1)
        return made

    def estimate(self, server: Any) -> Any:
        """Counts of the items 1 .. d."""
        return [server[0].estimate(item + 1, suppress_warnings=True) for item in range(self._d)]
