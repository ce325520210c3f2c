"""Sphinx extension: pages without what makes them heavy and no reader sees."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment import BuildEnvironment
from sphinx.util.typing import ExtensionMetadata
from sphinx.writers.html5 import HTML5Translator

LONGEST = 150
"""Characters of the longest value of a constant that the reference shows."""
LINKED = frozenset(("doc", "myst", "ref", "std", "std-doc", "std-ref", "xref"))
REFERRING = re.compile(r"\bxref (?:\w+ [\w-]+ )?")
"""Classes of words that are a link, and that of code that is one: links are drawn as links."""
KEPT = re.compile(r"(<(pre|script|style)\b.*?</\2>)", re.DOTALL)
BLOCK = r"(?=\s*</?(?:p|ul|ol|dl|dt|dd|div|section|blockquote|li|tr|td|th|thead|tbody|table|h\d|pre|details)\b)"
PARAGRAPH, LINE = re.compile("</p>" + BLOCK), re.compile(r"\s+" + BLOCK)
ENDS = re.compile(r"</(?:li|dd|dt|tr|td|th|tbody)>")
TAG, QUOTED = re.compile(r"<[a-z][^<>]*>"), re.compile(r'="([\w.#/:@%-]*\w)"(?=[\s>])')
"""What stays as it is; what HTML implies: the ends of some elements, and quotes around a word."""
SYMBOL = re.compile(r'<symbol id="([\w-]+)" (viewBox="[^"]*")>(.*?)</symbol>', re.DOTALL)
SYMBOLS = re.compile(rf'<svg [^>]*style="display: none;">(?:\s*{SYMBOL.pattern})*\s*</svg>', re.DOTALL)
USED = re.compile(r'<svg(?: class="([^"]*)")?><use href="#([\w-]+)"></use></svg>')
"""An icon of the theme, all of them as they are on every page, and where one of them is drawn."""
LIST = re.compile("(<ul[^>]*>)((?:(?!</?ul).)*)(</ul>)", re.DOTALL)
ENTRY = re.compile("<li.*?</li>", re.DOTALL)
MOST = 50
"""A list without lists in it, one of its entries, and the most entries of one beside a page."""
ICONS = "icons.css"
MASK = "var(--drawn) center / contain no-repeat"


def setup(app: Sphinx) -> ExtensionMetadata:
    """Leave out long values, an element for every word, and the parts of the navigation that are far away."""
    app.set_translator("html", Translator)
    app.connect("doctree-read", _shorten)
    app.connect("builder-inited", _draw_icons)
    app.connect("env-updated", _index)
    app.connect("html-page-context", _navigation, priority=100)  # before the theme draws it
    app.connect("build-finished", _shrink)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


class Translator(HTML5Translator):
    """HTML whose words in code and signatures are no elements of their own, and whose elements have no attributes that
    neither the style sheet nor a reader needs."""

    def visit_literal(self, node: nodes.Element) -> None:
        """The start of code in a line."""
        super().visit_literal(node)
        self._drop("docutils ", " notranslate")
        self.body[-1] = REFERRING.sub("", self.body[-1])

    def visit_reference(self, node: nodes.Element) -> None:
        """The start of a link, which has no title; those of the navigation are drawn by their class."""
        node.attributes.pop("reftitle", None)
        super().visit_reference(node)
        inside = isinstance(node.parent, addnodes.compact_paragraph)
        self._drop(" internal" if inside else 'class="reference internal" ')

    def add_permalink_ref(self, node: nodes.Element, title: str) -> None:
        """The sign that links to a heading or a claim; names of the reference, which are thousands, have none."""
        if "fullname" not in node:
            super().add_permalink_ref(node, title)
            self._drop(f' title="{title}"')

    def _drop(self, *parts: str) -> None:
        for part in parts:
            self.body[-1] = self.body[-1].replace(part, "")

    def visit_inline(self, node: nodes.inline) -> None:
        """The start of words with a class; that they are those of a link is none."""
        if not LINKED.issuperset(node["classes"]) or node["ids"]:
            super().visit_inline(node)

    def depart_inline(self, node: nodes.inline) -> None:
        """The end of such words."""
        if not LINKED.issuperset(node["classes"]) or node["ids"]:
            super().depart_inline(node)

    def visit_desc_signature(self, node: nodes.Element) -> None:
        """The start of a signature; its domain is not drawn."""
        super().visit_desc_signature(node)
        self._drop(" sig-object py", " sig-object std")

    def visit_desc_name(self, node: nodes.Element) -> None:
        """The start of a name, with one class."""
        super().visit_desc_name(node)
        self._drop(" descname")

    def visit_desc_returns(self, node: nodes.Element) -> None:
        """The start of the type that is returned."""
        self.body.append(" → ")

    def depart_desc_returns(self, node: nodes.Element) -> None:
        """The end of that type."""

    def _visit_sig_parameter_list(self, node: nodes.Element, group: type[nodes.Element], start: str, end: str) -> None:
        at = len(self.body)
        super()._visit_sig_parameter_list(node, group, start, end)
        self.body[at] = start

    def _depart_sig_parameter_list(self, node: nodes.Element) -> None:
        super()._depart_sig_parameter_list(node)
        self._drop('<span class="sig-paren">', "</span>")

    def visit_Text(self, node: nodes.Text) -> None:
        """Text as it is; runs of spaces in code are kept."""
        if self.protect_literal_text:
            self.body.append(self.encode(node.astext()).replace("  ", "&#160; "))
        else:
            super().visit_Text(node)

    def visit_desc_sig_element(self, node: nodes.inline) -> None:
        """Of the parts of a signature, the names of parameters are marked."""
        if _is_parameter(node):
            self.visit_inline(node)

    def depart_desc_sig_element(self, node: nodes.inline) -> None:
        """The end of such a part."""
        if _is_parameter(node):
            self.depart_inline(node)


def _is_parameter(node: nodes.Element) -> bool:
    return isinstance(node.parent, addnodes.desc_parameter) and node.parent.index(node) == 0


def _shorten(app: Sphinx, document: nodes.document) -> None:
    for value in [*document.findall(addnodes.desc_annotation)]:
        text = value.astext()
        if text.lstrip().startswith("=") and len(text) > LONGEST:
            value.parent.remove(value)


def _index(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """The search knows the names of the reference as objects; they are no entries of an index as well. Pages with
    entries are written in every build: the search of an earlier one is read without them."""
    entries = env.domains.index_domain.entries
    entries.update({page: [] for page in entries if page.startswith("_generated/reference/")})
    return [page for page, listed in entries.items() if listed]


def _navigation(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None) -> None:
    """Of the table of contents, what is beside and below the page; not a long list of what is beside it."""
    whole = context.get("toctree")
    if whole is not None:
        context["toctree"] = lambda **options: beside(whole(**{**options, "collapse": True}))


def beside(tree: str) -> str:
    """The table of contents; of the list that the page is in, if it is a long one, the page (its index has it)."""

    def shorter(found: re.Match[str]) -> str:
        entries = ENTRY.findall(found[2])
        mine = [entry for entry in entries if " current" in entry]
        return found[1] + "".join(mine if mine and len(entries) > MOST else entries) + found[3]

    return LIST.sub(shorter, tree)


def _draw_icons(app: Sphinx) -> None:
    """A style sheet that draws the theme's icons: it is there once, and not its drawings on every page."""
    if not isinstance(app.builder, StandaloneHTMLBuilder):
        return
    partial = Path(app.builder.theme.get_theme_dirs()[0], "partials", "icons.html")
    rules = [f'svg[class*="svg-"] {{ background: currentColor; mask: {MASK}; -webkit-mask: {MASK}; }}']
    for name, box, inside in SYMBOL.findall(partial.read_text(encoding="utf-8")):
        drawn = f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{inside}</svg>'
        rules.append(f'.{name} {{ --drawn: url("data:image/svg+xml,{quote(" ".join(drawn.split()))}"); }}')
    sheet = Path(app.outdir, "_static", ICONS)
    sheet.parent.mkdir(parents=True, exist_ok=True)
    sheet.write_text("\n".join(rules) + "\n", encoding="utf-8")
    app.add_css_file(ICONS)


def _shrink(app: Sphinx, error: Exception | None) -> None:
    for path in Path(app.outdir).rglob("*.html"):
        path.write_text(shrunk(path.read_text(encoding="utf-8")), encoding="utf-8")
    for path in Path(app.outdir, "_static").rglob("*.map"):  # where the theme's style sheets and scripts come from
        path.unlink()


def shrunk(page: str) -> str:
    """The same page, written shorter; icons of the theme are drawn by the style sheet."""
    icons = USED.sub(lambda icon: f'<svg class="{icon[2]}{" " + icon[1] if icon[1] else ""}"></svg>', page)
    parts = KEPT.split(SYMBOLS.sub("", icons))
    return "".join(part + kept for part, kept in zip(map(_shorter, parts[::3]), [*parts[1::3], ""], strict=True))


def _shorter(part: str) -> str:
    lines = re.sub(r"\s*\n\s*", "\n", ENDS.sub("", LINE.sub("", PARAGRAPH.sub("", part))))
    return TAG.sub(lambda tag: QUOTED.sub(r"=\1", tag[0]), lines)
