"""Sphinx extension: writes the generated pages and figures before sources are read, and `llms.txt` after the build;
claims are link targets, and blocks can be folded, or chosen by mechanism."""

import importlib.metadata
import re
from html import escape
from pathlib import Path
from typing import Any

import joblib
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from dp_checks.certify import all_claims
from dp_checks.ledger import load_ledger
from dp_checks.pages import figures, site
from dp_checks.pages.notation import GLYPHS, word
from dp_studies.pages import site as studies


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directive and the role `claim`, and the generation of pages."""
    app.add_object_type("claim", "claim", objname="claim", parse_node=_signature, override=True)
    app.add_directive("folded", Folded)
    app.add_directive("about", About)
    app.add_directive("choice", Choice)
    app.connect("builder-inited", _generate)
    app.connect("autodoc-process-docstring", _literal)
    app.connect("build-finished", _index)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


class Folded(SphinxDirective):
    """Content that a reader opens; the argument is its summary, in plain text."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        """The content between the tags of an HTML `details`."""
        start = f'<details class="folded"><summary>{escape(self.arguments[0])}</summary>'
        inside = self.parse_content_to_nodes()
        return [nodes.raw("", start, format="html"), *inside, nodes.raw("", "</details>", format="html")]


class About(SphinxDirective):
    """Content about the mechanisms that are the arguments."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        """The content as a block that a `Choice` can hide."""
        start = f'<div data-about="{escape(" ".join(self.arguments))}">'
        inside = self.parse_content_to_nodes()
        return [nodes.raw("", start, format="html"), *inside, nodes.raw("", "</div>", format="html")]


class Choice(SphinxDirective):
    """A choice among the mechanisms that are the arguments: what is not about the chosen one is hidden."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """A list to choose from; the style sheet leaves it out where there are no scripts."""
        options = "".join(f"<option>{escape(name)}</option>" for name in self.arguments[0].split())
        text = f'<label class="choice">Mechanism: <select><option value="">all</option>{options}</select></label>'
        return [nodes.raw("", text, format="html")]


def _generate(app: Sphinx) -> None:
    folder, tree = Path(app.srcdir) / "_generated", Path(app.srcdir).parent
    parallel = joblib.Parallel(n_jobs=app.parallel, backend="multiprocessing")
    (pages, pictures), (others, drawn) = parallel(joblib.delayed(part)(tree) for part in (_of_ledger, _of_studies))
    site.write(pages | others, folder)
    figures.write(pictures | drawn, folder / "figures")


def _of_ledger(tree: Path) -> tuple[dict[str, str], dict[str, bytes]]:
    claims, ledger = all_claims(), load_ledger()
    return site.pages(claims, ledger, tree, studies.audits(tree)), figures.figures(claims, ledger)


def _of_studies(tree: Path) -> tuple[dict[str, str], dict[str, bytes]]:
    return studies.pages(load_ledger(), tree), studies.figures(tree)


def _index(app: Sphinx, exception: Exception | None) -> None:
    """Write `llms.txt` (a summary and links for language models): the pages that the front page lists."""
    if exception is not None or app.builder.format != "html":
        return
    lines = [f"# {app.config.project}", "", f"> {importlib.metadata.metadata('dp-refimpl')['Summary']}", ""]
    for tree in app.env.get_doctree(app.config.root_doc).findall(addnodes.toctree):
        pages = [
            (title or app.env.titles[page].astext(), app.builder.get_target_uri(page))
            for title, page in tree["entries"]
        ]
        lines += [f"## {tree['caption']}", "", *(f"- [{title}]({address})" for title, address in pages), ""]
    (Path(app.outdir) / "llms.txt").write_text("\n".join(lines), encoding="utf-8")


def _literal(app: Sphinx, what: str, name: str, documented: object, options: object, lines: list[str]) -> None:
    """Docstrings are plain text: bars and asterisks outside code are themselves."""
    for i, line in enumerate(lines):
        bullet = re.match(r"\s*\* ", line)
        start = bullet.end() if bullet else 0
        parts = line[start:].split("`")
        parts[::2] = [part.replace("*", r"\*").replace("|", r"\|") for part in parts[::2]]
        lines[i] = line[:start] + "`".join(parts)


def _signature(env: BuildEnvironment, text: str, node: addnodes.desc_signature) -> str:
    """`id verdict`: the id, and the verdict as a badge."""
    name, _, verdict = text.partition(" ")
    node += addnodes.desc_name(name, name)
    key: Any = verdict
    node += nodes.inline("", f"{GLYPHS[key]} {word(key)}", classes=["verdict", verdict.replace("_", "-")])
    return name
