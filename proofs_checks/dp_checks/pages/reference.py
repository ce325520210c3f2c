"""The pages of the API reference: one for every package, one section for every module."""

import pkgutil
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module

PACKAGES = {
    "dp_spec": "what the literature states",
    "dp_refimpl": "exact, runnable mechanisms",
    "dp_kernel": "the kernel, which checks certificates alone",
    "dp_checks": "verdicts, certificates and pages",
    "dp_audit": "audits of other people's code",
    "dp_coq": "theorems of certificates, by Coq",
    "dp_studies": "audited libraries, reproductions, comparisons",
}
LEFT_OUT = ("*.__main__", "dp_studies.libraries.adapters*", "dp_checks.pages*", "dp_studies.pages*")
"""Commands; modules that only the audited libraries' environment can import; what makes these pages."""
SEARCHED = ("dp_refimpl*", "dp_spec*", "dp_audit", "dp_audit.oracles", "dp_audit.vectors")
"""Packages whose pages the site's search shows; others are for those who read the code."""


def reference_pages() -> dict[str, str]:
    """reStructuredText by path, and the index of the reference."""
    pages = {f"reference/{package}.rst": _page(package) for package in _packages()}
    names = "\n".join(f"   {package}" for package in _packages())
    index = "API reference\n=============\n\n.. toctree::\n   :maxdepth: 2\n\n" + names + "\n"
    return {"reference/index.rst": index, **pages}


def _packages() -> list[str]:
    return [name for name in _modules() if any(other.startswith(name + ".") for other in _modules())]


def _own(package: str) -> list[str]:
    """The modules directly in a package (a package without modules of its own counts as one)."""
    inner = [name for name in _modules() if name.rpartition(".")[0] == package]
    return [name for name in inner if not any(other.startswith(name + ".") for other in _modules())]


@cache
def _modules() -> tuple[str, ...]:
    modules: list[str] = []
    for top in PACKAGES:
        inner = pkgutil.walk_packages(import_module(top).__path__, top + ".", onerror=None)
        modules += [top, *(m.name for m in inner if not any(fnmatchcase(m.name, pattern) for pattern in LEFT_OUT))]
    return tuple(modules)


def _page(package: str) -> str:
    hidden = [] if any(fnmatchcase(package, pattern) for pattern in SEARCHED) else [":nosearch:", ""]
    lines = [*hidden, package, "=" * len(package), "", f".. automodule:: {package}", "   :no-members:", ""]
    for module in _own(package):
        lines += [module, "-" * len(module), "", f".. automodule:: {module}", ""]
    return "\n".join(lines)
