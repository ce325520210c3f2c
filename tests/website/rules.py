"""What must hold of every page, without a browser: links lead somewhere, formulas are set, nothing is too heavy."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from website.pages import Page, pages

MEGABYTE = 10**6
PAGE, SITE = MEGABYTE, 25 * MEGABYTE
"""The most bytes of a page, and of all files."""
RAW = re.compile(r"\$[^\s\d]|\\(?:[a-zA-Z]+|[(\[])|\^(?:\\?epsilon|\{)")
"""TeX that was not set."""
PLAIN = ("_generated/reference/",)
"""Pages made of docstrings, which write formulas in plain text."""


def problems(site: Path) -> Iterator[str]:
    """A sentence for everything that is wrong."""
    site_pages = pages(site)
    for page in site_pages.values():
        yield from (f"{page.path}: {said}" for said in (*_weight(page), *_links(page, site_pages), *_raw(page)))


def too_heavy(site: Path) -> Iterator[str]:
    """A sentence if all files together weigh too much."""
    weight = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    if weight > SITE:
        yield f"the site has {weight / MEGABYTE:.1f} MB, more than {SITE / MEGABYTE:g}"


def _weight(page: Page) -> Iterator[str]:
    if page.weight > PAGE:
        yield f"{page.weight / MEGABYTE:.2f} MB, more than {PAGE / MEGABYTE:g}"


def _links(page: Page, site_pages: Mapping[str, Page]) -> Iterator[str]:
    for path, anchor in dict.fromkeys(page.targets()):
        if not (page.site / path).is_file():
            yield f"links to {path}, which is not there"
        elif anchor and path in site_pages and anchor not in site_pages[path].content.ids:
            yield f"links to {anchor} in {path}, which has no such place"


def _raw(page: Page) -> Iterator[str]:
    if not page.path.startswith(PLAIN):
        prose = page.prose()
        yield from (f"raw TeX: {prose[max(m.start() - 30, 0) : m.end() + 30]}" for m in RAW.finditer(prose))
