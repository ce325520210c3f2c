"""From a place in a paper to the formulas, the program and the tests: found by looking, not listed by hand."""

import ast
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import dp_spec
from dp_checks import matrix_programs
from dp_checks.ledger import Entry
from dp_checks.pages.notation import badge, reference, table
from dp_checks.programs import program_class
from dp_refimpl.frequency import padding
from dp_spec.vocabulary.additive import Additive
from dp_spec.vocabulary.claim import Claim, Formal
from dp_spec.vocabulary.law import Estimator, Law
from dp_spec.vocabulary.statement import Padding
from dp_spec.vocabulary.term import Term

FOLDERS = {"dp_spec": "spec", "dp_refimpl": "refimpl", "dp_checks": "proofs_checks"}


@dataclass(frozen=True)
class Place:
    """A place of a source: its claims, what they speak of, programs, what draws on arrays, the tests that name them."""

    source: str
    place: str
    claims: tuple[str, ...]
    objects: tuple[str, ...]
    programs: tuple[str, ...]
    arrays: tuple[str, ...]
    tests: tuple[str, ...]


def places(claims: tuple[Claim, ...], tree: Path) -> tuple[Place, ...]:
    """Every place in the order of the source, corrections with what they correct."""
    by_id = {i: c for c in claims for i in (c.id, *(name for name, _ in c.formals()))}
    grouped: dict[tuple[str, str], list[Claim]] = {}
    for claim in claims:
        first = claim
        while first.corrects:
            first = by_id[first.corrects]
        grouped.setdefault((first.source, first.place), []).append(claim)
    return tuple(_place(source, place, rows, tree) for (source, place), rows in grouped.items())


def page(claims: tuple[Claim, ...], ledger: Mapping[str, Entry], tree: Path) -> list[str]:
    """The page: place by place, then the programs with what draws on arrays and with their tests, then the files."""
    index = places(claims, tree)
    lines = ["# From the papers to the code", "", LEAD, "", "## Places", ""]
    for p in index:
        lines += [f"Source {p.source}, {p.place}"]
        lines += [": " + ", ".join(f"{reference(i)} {badge(ledger[i].verdict)}" for i in p.claims), ""]
        lines += ["  Stated in " + ", ".join(f"`{name}`" for name in p.objects) + ".", ""]
        if p.programs:
            lines += ["  Program: " + ", ".join(_api(name) for name in p.programs) + ".", ""]
    return [*lines, *_programs(index, tree), *_files(index)]


LEAD = (
    "Generated: the objects are those the claims really hold, the programs those that the checker enumerates for "
    "them, the tests those files under `tests` that use the program's class."
)


def _programs(index: Iterable[Place], tree: Path) -> list[str]:
    rows = []
    for name in sorted({name for p in index for name in p.programs}):
        arrays = _on_arrays(name.rpartition(".")[0])
        tests = ", ".join(f"`{t}`" for t in _tests_of([name], tree))
        rows.append([_api(name), f"`{arrays}`" if arrays else "–", tests or "–"])
    return ["## Programs and their tests", "", *table(["Program", "On arrays", "Used in"], rows)]


def path_of(module: str) -> str:
    """The file of one of our modules, relative to the top of the tree."""
    package = import_module(module)
    base = f"{FOLDERS[module.split('.')[0]]}/{module.replace('.', '/')}"
    return f"{base}/__init__.py" if hasattr(package, "__path__") else f"{base}.py"


def named(value: object) -> str | None:
    """`module:name` of an object of the specification, if a module of `dp_spec` holds this very object."""
    return _names().get(id(value))


Part = Law | Additive | Estimator | Term


def parts(value: Any) -> Iterator[Part]:
    """The laws, estimators and formulas a statement is made of."""
    if isinstance(value, Part):
        yield value
    elif isinstance(value, Mapping):
        for child in value.values():
            yield from parts(child)
    elif isinstance(value, tuple):
        for child in value:
            yield from parts(child)
    elif is_dataclass(value):
        for f in fields(value):
            yield from parts(getattr(value, f.name))


def programs_of(claim: Claim) -> tuple[str, ...]:
    """The names of the programs whose laws the statements of a row are about."""
    laws = [part for _, formal in claim.formals() for part in parts(formal) if isinstance(part, Law | Additive)]
    return tuple(dict.fromkeys(_program(law).__qualname__ for law in laws))


def _place(source: str, place: str, rows: Iterable[Claim], tree: Path) -> Place:
    rows = tuple(rows)
    statements: list[Formal] = [formal for claim in rows for _, formal in claim.formals()]
    pieces = [part for statement in statements for part in parts(statement)]
    objects = list(dict.fromkeys(name for part in pieces if (name := named(part)) is not None))
    objects += [name for name in dict.fromkeys(_claims_module(c) for c in rows) if name is not None]
    classes = list(dict.fromkeys(_program(law) for law in pieces if isinstance(law, Law | Additive)))
    programs = [f"{c.__module__}.{c.__qualname__}" for c in classes]
    if any(isinstance(s, Padding) for s in statements):
        programs.append(f"{padding.__name__}.{padding.pad_and_sample.__name__}")
    arrays = list(dict.fromkeys(s for c in classes if (s := _on_arrays(c.__module__)) is not None))
    tests = _tests_of(programs, tree)
    return Place(source, place, tuple(c.id for c in rows), tuple(objects), tuple(programs), tuple(arrays), tests)


def _tests_of(programs: Iterable[str], tree: Path) -> tuple[str, ...]:
    names = {name.rpartition(".")[2] for name in programs}
    return tuple(path for path, used in _tests(tree).items() if used & names)


def _program(law: Law | Additive) -> type:
    if isinstance(law, Additive):
        return matrix_programs.program_class(law.mechanism)
    return program_class(law.mechanism)


def _on_arrays(module: str) -> str | None:
    """The module that draws on arrays: of a program, or of all of its package."""
    sibling = module.replace("dp_refimpl.", "dp_refimpl.fast.", 1)
    package = sibling.rpartition(".")[0]
    for name in (sibling, f"{package}.releases", f"{package}.messages"):
        try:
            return import_module(name).__name__
        except ModuleNotFoundError:
            continue
    return None


def _claims_module(claim: Claim) -> str | None:
    """The module whose `FORMAL` states the claim."""
    names = [name for name, _ in claim.formals()]
    for module in _modules(dp_spec):
        formal = getattr(module, "FORMAL", None)
        if isinstance(formal, dict) and names[0] in formal:
            return f"{module.__name__}:FORMAL"
    return None


@cache
def _names() -> dict[int, str]:
    names: dict[int, str] = {}
    for module in sorted(_modules(dp_spec), key=lambda m: ("claims" in m.__name__, m.__name__)):
        for name, value in vars(module).items():
            if isinstance(value, Part) and len(name) > 1 and not name.startswith("_"):
                owner = _owner(module, name)
                if owner is not None:
                    names.setdefault(id(value), f"{owner}:{name}")
    return names


def _owner(module: ModuleType, name: str) -> str | None:
    """The module itself if it assigns the name (an imported name belongs to another module)."""
    return module.__name__ if name in _assigned(module.__file__ or "") else None


@cache
def _assigned(file: str) -> frozenset[str]:
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    targets = [t for node in tree.body if isinstance(node, ast.Assign) for t in node.targets]
    return frozenset(n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name))


@cache
def _modules(package: ModuleType) -> tuple[ModuleType, ...]:
    names = [info.name for info in pkgutil.walk_packages(package.__path__, package.__name__ + ".")]
    return (package, *(import_module(name) for name in names))


@cache
def _tests(tree: Path) -> dict[str, frozenset[str]]:
    """The names every test file uses."""
    by_file = {}
    for path in sorted((tree / "tests").rglob("*.py")):
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        names = {n.id for n in nodes if isinstance(n, ast.Name)}
        by_file[path.relative_to(tree).as_posix()] = frozenset(names)
    return by_file


def _api(name: str) -> str:
    role = "class" if name.rpartition(".")[2][0].isupper() else "func"
    return f"{{py:{role}}}`{name.rpartition('.')[2]} <{name}>`"


def _files(places: Iterable[Place]) -> list[str]:
    modules: set[str] = set()
    for p in places:
        modules |= {o.partition(":")[0] for o in p.objects} | {name.rpartition(".")[0] for name in p.programs}
        modules |= set(p.arrays)
    rows = [[f"`{module}`", f"`{path_of(module)}`"] for module in sorted(modules)]
    return ["## Files", "", *table(["Module", "File"], rows)]
