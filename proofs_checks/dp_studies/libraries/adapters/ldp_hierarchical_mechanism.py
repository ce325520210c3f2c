"""ldp-hierarchical-mechanism 0.1.3: trees of one level. tqdm, which shows progress, is there in name only."""

from __future__ import annotations

import sys
from pathlib import Path
from runpy import run_path
from types import ModuleType
from typing import Any

import numpy as np

_progress = ModuleType("tqdm")
_progress.tqdm = None  # type: ignore[attr-defined]
sys.modules.setdefault("tqdm", _progress)

from hierarchical_mechanism_LDP.mechanism import Private_TreeBary  # type: ignore[import-not-found] # noqa: E402


class Level:
    """A server of a level that counts its reports; without one, it keeps them."""

    def __init__(self, server: Any = None) -> None:
        self.server, self.users = server, 0
        self.reports: list[Any] = []

    def aggregate(self, report: Any) -> None:
        """Hand it one report."""
        self.users += 1
        (self.reports.append if self.server is None else self.server.aggregate)(report)


def reported(tree: Any, item: Any) -> Any:
    """What the server of a fresh tree gets: a tree takes the values of all users once."""
    tree.servers = [Level()]
    tree.update_tree([item])
    return tree.servers[0].reports[0]


def computed(tree: Any, level: Level) -> Any:
    """A tree with the attributes of the reports of its level, before they are made consistent."""
    tree.servers, tree.N = [level.server], level.users
    tree.compute_attributes()
    return tree


def consistent(tree: Any, leaves: Any) -> list[Any]:
    """The leaves that are made consistent with the root, which is known to be 1."""
    tree.attributes[1] = leaves
    tree.post_process(delete_attributes=False)
    return list(tree.attributes[1])


def counted_from_one(tree: Any) -> Any:
    """Proposed: a tree whose client gets the index of the interval, counted from 1."""
    own = tree.clients[0].privatise
    tree.clients[0].privatise = lambda index: own(index + 1)
    return tree


Texts = run_path(str(Path(__file__).with_name("texts.py")))["texts"](globals())
