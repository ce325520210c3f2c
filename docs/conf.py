"""Sphinx configuration. Everything is local: no intersphinx, and nothing is loaded from another site."""

import gc
import importlib.metadata
import sys
from pathlib import Path

gc.set_threshold(100_000, 20, 50)  # documents are large trees that stay: looking for garbage in them takes long

sys.path.insert(0, str(Path(__file__).parent))  # where the extensions of this folder are

project = "dp-refimpl"
author = "the dp-refimpl authors"
copyright = "the dp-refimpl authors"  # the name is Sphinx's
release = version = importlib.metadata.version("dp-refimpl")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "formulas",
    "references",
    "specification",
    "weight",
]
exclude_patterns = ["_build", "data"]
language = "en"

myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
myst_dmath_double_inline = True

html_theme = "furo"
html_title = "dp-refimpl"
html_static_path = ["_static"]
html_extra_path = ["data/published"]  # advisories as JSON
html_css_files = ["dp-refimpl.css"]
html_js_files = ["dp-refimpl.js"]
html_copy_source = False
html_use_index = False  # thousands of names on a page; the search finds them
html_domain_indices = False  # the modules: the reference begins with a list of them
html_show_sourcelink = False
html_show_sphinx = False
html_last_updated_fmt = None

# --- API reference ------------------------------------------------------------------------------------------------

autodoc_default_options = {"members": True, "undoc-members": True, "show-inheritance": True}
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_use_type_comments = False  # there are none, and looking for them takes long
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_inherit_docstrings = False  # those of other projects refer to pages that are not here
python_use_unqualified_type_names = True
add_module_names = False  # the heading above says it
toc_object_entries = False
python_maximum_signature_line_length = 100
# Docstrings are plain sentences: single backquotes there mark code, not references.
default_role = "code"

# "py:class type" in a signature is the builtin; statements have a field of that name as well.
suppress_warnings = ["ref.python"]
nitpick_ignore_regex = [
    # Types of other projects: linking to them needs their inventories, and the build has no network.
    (r"py:.*", r"(abc|contextlib|dataclasses|collections\.abc|typing|decimal|enum|fractions|pathlib|types)\..*"),
    (r"py:.*", r"(numpy|flint|mpmath|matplotlib|click|filelock|rich|sphinx|docutils|hypothesis|_pytest)\..*"),
    (r"py:.*", r"(ast|datetime|importlib|os|socket|subprocess|_frozen_importlib_external)\..*"),
    # Generics inside annotations that are text are cut at their first bracket.
    (r"py:.*", r"(dict|list|tuple)\[.*"),
    # Type variables have no place of their own in the reference.
    (r"py:.*", r"dp_\w+(\.\w+)*\.[A-Z](_co|_contra)?"),
    # Annotations that are text name type variables and private types without their module.
    (r"py:class", r"_\w+|[A-Z]"),
    # Modules that make these pages, and have none.
    (r"py:.*", r"dp_(checks|studies)\.pages\..*"),
    # Private types that appear in a public signature.
    (r"py:.*", r"dp_\w+(\.\w+)*\._\w+"),
]
