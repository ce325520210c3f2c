"""Faults of a small site are found, each by its rule; `make test-site` looks at the real one."""

from pathlib import Path
from runpy import run_path

import pytest

from structure.tree import ROOT
from website import browser
from website.pages import Content, pages
from website.rules import PAGE, problems

WEIGHT = run_path(str(ROOT / "docs" / "weight.py"))
SHRUNK, BESIDE, MOST = WEIGHT["shrunk"], WEIGHT["beside"], WEIGHT["MOST"]
GOOD = '<!doctype html><meta charset="utf-8"><article><h1 id="top">A page</h1><p><a href="#top">up</a>{}</p></article>'
FAULTS = {
    '<a href="gone.html">gone</a>': "links to gone.html, which is not there",
    '<img src="_images/gone.svg">': "links to _images/gone.svg, which is not there",
    '<a href="other.html#gone">gone</a>': "links to gone in other.html, which has no such place",
    '<a href="#gone">gone</a>': "links to gone in index.html, which has no such place",
    "the law $p$": "raw TeX: A page up the law $p$",
    r"the law \(p\)": r"raw TeX: A page up the law \(p",
    r"half, \frac12": r"raw TeX: A page up half, \frac12",
    "e^epsilon": "raw TeX: A page up e^epsilon",
    "x" * PAGE: "1.00 MB, more than 1",
}
SEEN = {
    '<pre style="overflow: hidden; width: 3000px">code</pre>': "cut: pre: code",
    '<div style="overflow: hidden"><img src="wide.svg" width="3000"></div>': "cut: img: ",
    '<table style="width: 3000px"><tr><td>wide</table>': "the page is 30",
    '<pre style="background: {other}">code</pre>': "of the other colors: pre: code",
}


def site(folder: Path, inside: str) -> Path:
    (folder / "index.html").write_text(GOOD.format(inside), encoding="utf-8")
    (folder / "other.html").write_text(GOOD.format(""), encoding="utf-8")
    return folder


@pytest.mark.parametrize("inside", ["", '<a href="other.html#top">other</a>', "<code>$p$</code>", "$ 5", "2^3"])
def test_a_good_page_has_no_problem(inside: str, tmp_path: Path) -> None:
    assert [*problems(site(tmp_path, inside))] == []


@pytest.mark.parametrize("inside", FAULTS, ids=lambda text: text[:20])
def test_a_fault_of_a_page_is_found(inside: str, tmp_path: Path) -> None:
    [said] = problems(site(tmp_path, inside))
    assert said.startswith(f"index.html: {FAULTS[inside]}")


@pytest.mark.slow
@pytest.mark.skipif(browser.executable() is None, reason="there is no Chromium on this machine")
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_what_is_cut_or_of_the_other_colors_is_seen(dark: bool, tmp_path: Path) -> None:
    other = "white" if dark else "black"
    style = '<meta name="color-scheme" content="light dark">'
    for i, inside in enumerate(["", *SEEN]):
        (tmp_path / f"{i}.html").write_text(GOOD.format(style + inside.replace("{other}", other)), encoding="utf-8")
    wide = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 1"/>'
    (tmp_path / "wide.svg").write_text(wide, encoding="utf-8")
    good, *faulty = browser.looks(tmp_path, [*pages(tmp_path)], dark)
    assert not any(good.missed.values())
    for look, said in zip(faulty, SEEN.values(), strict=True):
        assert all(any(text.startswith(said) for text in texts) for texts in look.missed.values()), look


def test_a_page_that_is_written_shorter_says_the_same() -> None:
    code = '<pre class="code">\n    a <b id="in">c</b>\n\n</pre>'
    page = '<ul class="two words">\n   <li id="x"><a href="a/b.html#c">one</a></li>\n\n  <li>two</li></ul>\n  '
    page += f'{code}<p alt="">one</p><p>end</p> more'
    short = (
        '<ul class="two words"><li id=x><a href=a/b.html#c>one</a><li>two</ul>\n'
        + code
        + '<p alt="">one<p>end</p> more'
    )
    assert SHRUNK(page) == short
    before, after = Content(), Content()
    before.feed(page)
    after.feed(short)
    assert (before.links, before.ids) == (after.links, after.ids) == (["a/b.html#c"], {"x", "in"})


def test_icons_of_the_theme_are_drawn_by_the_style_sheet() -> None:
    drawn = '<svg><path d="M0 0h24v24H0z"/></svg>'
    symbols = "".join(f'<symbol id="svg-{name}" viewBox="0 0 24 24">{drawn}</symbol>\n  ' for name in "ab")
    icons = f'<svg xmlns="http://www.w3.org/2000/svg" style="display: none;">\n  {symbols}</svg>\n'
    page = f'<body>{icons}<p><svg class="theme"><use href="#svg-a"></use></svg><svg><use href="#svg-b"></use></svg>'
    assert SHRUNK(page) == '<body><p><svg class="svg-a theme"></svg><svg class=svg-b></svg>'


@pytest.mark.parametrize("number", [2, MOST, MOST + 1])
def test_of_a_long_list_beside_a_page_the_page_is_listed(number: int) -> None:
    others = "".join(f'<li class="toctree-l2"><a href="{i}.html">{i}</a></li>' for i in range(number - 1))
    mine = '<li class="toctree-l2 current"><a class="current reference" href="#">mine</a></li>'
    tree = '<ul class="current"><li class="current"><a href="../a.html">a</a><ul class="current">{}</ul></li></ul>{}'
    after = '<p class="caption">b</p><ul><li><a href="b.html">b</a></li></ul>'
    assert BESIDE(tree.format(others + mine, after)) == tree.format(mine if number > MOST else others + mine, after)
    many = f"<ul>{others * 60}</ul>"
    assert BESIDE(many) == many
