"""Sphinx extension: formulas are set when the site is built, as MathML, which browsers draw without a script."""

import re
from functools import cache

from docutils import nodes
from math_core import LatexError, LatexToMathML
from sphinx.application import Sphinx
from sphinx.errors import SphinxError
from sphinx.util.typing import ExtensionMetadata
from sphinx.writers.html5 import HTML5Translator

NAME = "mathml"
CONVERTER = LatexToMathML(fancy_error=False)
THIN = 'width="0.16666667em"', 'width=".17em"'
"""The space that is in most formulas, as it is set and shorter."""
WORD = re.compile(r"<mrow><mspace/>(<mi>[^<]{2,}</mi>)</mrow>")
"""A word, with a space without width that only operators need."""


PLAIN, SET = "e^epsilon", r"e^\epsilon"
"""The bound of a law as docstrings and audits write it, and as TeX."""
PROSE = nodes.paragraph, nodes.emphasis, nodes.strong


def setup(app: Sphinx) -> ExtensionMetadata:
    """Make MathML what formulas of HTML pages are."""
    app.add_html_math_renderer(NAME, (_within_line, None), (_on_its_own, None))
    app.connect("doctree-read", _set_bounds)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


class FormulaError(SphinxError):
    """A formula that cannot be set."""

    category = "Formula error"


@cache
def mathml(text: str, display: bool) -> str:
    """The formula, which is TeX, as MathML; `display` if it stands on lines of its own. Raises `FormulaError`, which
    says the formula and what is wrong with it."""
    try:
        return WORD.sub(r"\1", CONVERTER.convert_with_local_state(text, displaystyle=display).replace(*THIN))
    except LatexError as error:
        raise FormulaError(f"{error} in {text}") from error


def _within_line(translator: HTML5Translator, node: nodes.math) -> None:
    translator.body.append(mathml(node.astext(), False))
    raise nodes.SkipNode


def _on_its_own(translator: HTML5Translator, node: nodes.math_block) -> None:
    translator.body.append(mathml(node.astext(), True))
    raise nodes.SkipNode


def _set_bounds(app: Sphinx, document: nodes.document) -> None:
    for text in [*document.findall(nodes.Text)]:
        first, *rest = text.split(PLAIN)
        if rest and isinstance(text.parent, PROSE):
            parts = [part for words in rest for part in (nodes.math("", SET), nodes.Text(words))]
            text.parent.replace(text, [nodes.Text(first), *parts])
