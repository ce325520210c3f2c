"""`python -m website [--rules] [SITE]`: what is wrong with the built documentation, and which of its pages are the
slowest. With `--rules` links, formulas and weight alone, in seconds; else pages are looked at in a browser as well."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from structure.tree import ROOT
from website import browser, rules
from website.pages import pages

SITE = ROOT / "docs" / "_build" / "html"
FIRST = 3
"""Among so many results a reader sees the page."""
SEARCHED = {
    "hockey-stick": "guide/amplification.html",
    "pytest": "guide/audit-ci.html",
    "k-subset": "_generated/mechanisms/subsetselection.html",
    "amplification": "guide/amplification.html",
    "cite": "guide/cite.html",
    "randomised response": "_generated/mechanisms/grr.html",
}
"""Words, and the page on which a reader wants them."""


def main() -> int:
    """Print what is wrong; 1 if anything is, 2 without a site."""
    parser = argparse.ArgumentParser(prog="website", description=__doc__)
    parser.add_argument("site", nargs="?", type=Path, default=SITE)
    parser.add_argument("--rules", action="store_true", help="without a browser")
    asked = parser.parse_args()
    site: Path = asked.site
    if not (site / "index.html").is_file():
        print(f"there is no site in {site}: make docs builds it", file=sys.stderr)
        return 2
    problems = [*rules.problems(site)]
    weight = [*rules.too_heavy(site)]
    if asked.rules:
        print("\n".join([*weight, "the whole is weighed, and looked at in a browser, by make test-site"]))
    elif browser.executable() is None:
        print(f"not looked at in a browser: none of {', '.join(browser.NAMES)} is on this machine")
    else:
        problems += _seen(site)
    if not asked.rules:
        problems += weight
    print("\n".join([*problems, f"{len(problems)} problems on {len(pages(site))} pages"]))
    return 1 if problems else 0


def _seen(site: Path) -> Iterator[str]:
    for dark in (False, True):
        looks = browser.looks(site, [*pages(site)], dark)
        for look in looks:
            for width, missed in look.missed.items():
                yield from (f"{look.path}, {'dark' if dark else 'light'}, {width}: {said}" for said in missed)
        slowest = sorted(looks, key=lambda look: look.seconds, reverse=True)[:3]
        print(f"slowest, at most {browser.SECONDS:g} s on two idle cores:")
        print("\n".join(f"  {look.seconds:.2f} s  {look.path}" for look in slowest))
    for words, results in browser.searched(site, [*SEARCHED]).items():
        if SEARCHED[words] not in results[:FIRST]:
            yield f"searching {words} shows {', '.join(results[:FIRST]) or 'nothing'}, not {SEARCHED[words]}"


if __name__ == "__main__":
    sys.exit(main())
