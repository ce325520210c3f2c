"""The pages and figures of the studies; the documentation puts them beside those of the ledger."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from dp_checks.ledger import Entry
from dp_checks.pages.figures import drawing
from dp_checks.pages.site import joined
from dp_studies.libraries import advisories, published_audits
from dp_studies.pages import (
    audit_questions,
    benchmarks,
    budget,
    frequency_oracles,
    published_bounds,
    reproduction,
    strategies,
)

DRAWN = {
    "budget-table4": budget.table4,
    "budget-by-m": budget.by_set_size,
    "budget-by-k": budget.by_sensitive_items,
    "frequency-oracles": frequency_oracles.best_oracles,
    "strategies": strategies.errors,
}
"""Figures that are computed when the documentation is built."""


def pages(ledger: Mapping[str, Entry], tree: Path) -> dict[str, str]:
    """Text by path below the folder of generated pages; what was measured or takes long is read from `docs/data`."""
    texts = {
        "budget.md": joined(budget.page(ledger)),
        "frequency-oracles.md": joined(frequency_oracles.page()),
        "strategies.md": joined(strategies.page()),
        "audit-questions.md": joined(audit_questions.page()),
    }
    texts |= published_audits.pages(published_audits.published(tree), published_audits.repaired(tree))
    texts |= advisories.pages(advisories.committed(tree))
    texts |= benchmarks.pages(benchmarks.measured(tree))
    return texts | published_bounds.pages(_panels(tree))


def audits(tree: Path) -> dict[str, list[str]]:
    """What the pages of mechanisms say of published audits, by oracle."""
    return published_audits.by_oracle(published_audits.published(tree))


def figures(tree: Path) -> dict[str, bytes]:
    """SVG files by name."""
    images = reproduction.figures(tree) | benchmarks.figures(benchmarks.measured(tree))
    images |= published_bounds.figures(_panels(tree))
    for name, draw in DRAWN.items():
        images |= drawing(name, draw)
    return images


@cache
def _panels(tree: Path) -> published_bounds.Points:
    return published_bounds.points(published_bounds.committed(tree))
