"""The command `dp-refimpl strategies`: which strategy answers a workload of linear queries with the smallest error."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
from flint import fmpq_mat
from rich.table import Table

from dp_checks.runtime.boundary import COUNT, EXAMPLES, Name, PictureFile
from dp_checks.runtime.terminal import rounded
from dp_refimpl.matrix.parameters import Neighbors, Root
from dp_refimpl.matrix.tree import Tree
from dp_refimpl.matrix.workload_totals import Workload
from dp_refimpl.matrix.workloads import parse_workload
from dp_spec.vocabulary.exceptions import DomainError, FormatError
from dp_spec.vocabulary.real import Real
from dp_studies.comparisons.report import DIGITS, draw, grid, report, rest
from dp_studies.comparisons.strategies.candidates import (
    MAX_SIZE,
    NAMES,
    Candidate,
    Missing,
    NoiseLaw,
    Setting,
    candidates,
    inapplicable,
    of_matrix,
)
from dp_studies.comparisons.strategies.ranking import By, Ranked, decimal, number_of_queries, ranking, ratio
from dp_studies.schemas import BOOLEAN, NAME, NATURAL, lists, objects, one_of, optional

FORMAT = "dp-refimpl strategies 1"
SHOWN = 24
MAX_BYTES = 1 << 24
"""Of a file with a matrix."""
NOTE = (
    "Exact expected squared error of unbiased answers, the same for all data; every strategy is epsilon-differentially "
    "private with the scale that is shown, in units of 1/epsilon. Error of a query = coefficient times variance of the "
    "noise. The order is decided by exact numbers."
)


@click.command(
    epilog=EXAMPLES + "  dp-refimpl strategies --counts 1024\n"
    "  dp-refimpl strategies --counts 1000 --pad --workload prefix --epsilon 'ln(3)' --noise discrete\n"
    "  dp-refimpl strategies --counts 4096 --neighbors replace --by worst --json"
)
@click.option("--counts", "--n", "n", type=COUNT, required=True, help="Number of counts.")
@click.option(
    "--workload",
    default="ranges",
    show_default=True,
    help="ranges (all N (N + 1) / 2), prefix, identity, or a file with a query of N numbers on every line.",
)
@click.option("--epsilon", default="1", show_default=True, help="As 0.5, 3/2 or ln(3).")
@click.option(
    "--neighbors",
    type=Name([member.value for member in Neighbors]),
    default="addremove",
    show_default=True,
    help="One person more or less, or one who moves from a count to another.",
)
@click.option(
    "--noise", type=Name([member.value for member in NoiseLaw]), default="laplace", show_default=True, help="Its law."
)
@click.option(
    "--by",
    type=Name([member.value for member in By]),
    default="total",
    show_default=True,
    help="Ranked by the error of all queries (as of the average), or of the worst one.",
)
@click.option("--mechanism", "names", type=Name(NAMES), multiple=True, help="Default: all.")
@click.option(
    "--strategy",
    "files",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="A file with a matrix as well, N rational numbers on every line, answered by least squares.",
)
@click.option("--branching", "branchings", type=int, multiple=True, help="Of trees. Default: all that fit N.")
@click.option(
    "--pad", is_flag=True, help="Fill up with zeros to the next size that fits; branching factors from 2 to 64."
)
@click.option("--json", "as_json", is_flag=True, help="JSON instead of a table.")
@click.option("--plot", type=PictureFile(), help="Picture (.svg or .png) of average and worst errors.")
def strategies(
    n: int,
    workload: str,
    epsilon: str,
    neighbors: str,
    noise: str,
    by: str,
    names: tuple[str, ...],
    files: tuple[Path, ...],
    branchings: tuple[int, ...],
    pad: bool,
    as_json: bool,
    plot: Path | None,
) -> None:
    """Compare strategies of the matrix mechanism: which one answers a workload with the smallest exact error.

    Identity, naive and consistent trees of every branching factor, Privelet, the Haar transform in its normalizations,
    and matrices of your own, on N counts at the same epsilon. No float decides anything.
    """
    if not 1 <= n <= MAX_SIZE:
        raise DomainError("--counts", n, "an integer in 1..2^60")
    setting = Setting(n, read_workload(workload, n), Neighbors(neighbors), NoiseLaw(noise), branchings, pad)
    own = [read_strategy(file, setting) for file in files]
    comparison = document(setting, epsilon, names or NAMES, own, By(by), workload)
    draw(plot, "strategies.errors", comparison)
    report(comparison, text(comparison), as_json)


def read_workload(text: str, n: int) -> Workload | fmpq_mat:
    """A workload by its name, or from a file. Raises `FormatError`, `DomainError` for what is neither."""
    if text in [member.value for member in Workload]:
        return Workload(text)
    path = Path(text)
    if not text or "\0" in text or not path.is_file():
        raise DomainError("--workload", text, "ranges, prefix, identity or a file")
    return read_matrix(path, n, "--workload")


def read_strategy(path: Path, setting: Setting) -> Candidate:
    """The strategy of a file. Raises `FormatError`, and `DomainError` for a matrix whose columns are dependent."""
    try:
        return of_matrix(path.name, read_matrix(path, setting.size, "--strategy"), setting)
    except FormatError:
        raise
    except DomainError as error:
        raise DomainError("--strategy", str(path), error.allowed) from None


def read_matrix(path: Path, n: int, name: str) -> fmpq_mat:
    """The matrix of a file, a row on every line. Raises `FormatError`, also for files that are too long or no text."""
    data = path.read_bytes()
    if len(data) > MAX_BYTES:
        raise FormatError(name, f"{len(data)} bytes", f"a file of at most {MAX_BYTES} bytes")
    try:
        return parse_workload(data.decode().splitlines(), n, name)
    except UnicodeDecodeError:
        raise FormatError(name, str(path), "text: a row of numbers on every line") from None


def document(
    setting: Setting,
    epsilon: str,
    names: Sequence[str] = NAMES,
    own: Sequence[Candidate] = (),
    by: By = By.TOTAL,
    workload: str = "",
) -> dict[str, Any]:
    """All that is found, as plain data: exact coefficients, errors as decimals right to one unit of the last.

    Raises `DomainError` as `ranking`, and where no strategy applies.
    """
    listed, missing = candidates(setting, names)
    for candidate in own:
        reason = inapplicable(candidate, setting)
        if reason is None:
            listed.append(candidate)
        else:
            missing.append(Missing(candidate.label, reason))
    if not listed:
        raise DomainError("--mechanism", list(names), f"others as well: {missing[0].label}: {missing[0].reason}")
    rows = ranking(setting, epsilon, listed, by)
    least, asked = rows[0].key(by), number_of_queries(setting)
    documents = [_entry(row, least, by, setting, epsilon, asked) for row in rows]
    return {
        "format": FORMAT,
        "note": NOTE,
        "n": setting.size,
        "workload": workload or _name_of(setting.workload),
        "queries": asked,
        "epsilon": epsilon,
        "neighbors": setting.neighbors.value,
        "noise": setting.noise.value,
        "padded": setting.pad,
        "by": by.value,
        "best": [row["strategy"] for row in documents if row["times"] == "1"],
        "best_branching": {
            name: branching for name in ("Tree", "Boost") if (branching := _best_branching(name, rows, by))
        },
        "strategies": documents,
        "not_applicable": [{"strategy": one.label, "reason": one.reason} for one in missing],
    }


def text(comparison: Mapping[str, Any]) -> Iterator[str | Table]:
    """The best strategy, the first ones in a table, what does not apply, and the answer."""
    yield winner(comparison)
    yield _table(comparison)
    yield from _left_out(comparison)
    yield from (NOTE, answer(comparison))


def winner(comparison: Mapping[str, Any]) -> str:
    """Which strategy it is, by how much, and the best branching factors."""
    law = {"laplace": "Laplace", "discrete": "discrete Laplace"}[comparison["noise"]]
    asked = f"N={comparison['n']}, {comparison['workload']}, epsilon {comparison['epsilon']}, {comparison['neighbors']}"
    names, rows = comparison["best"], comparison["strategies"]
    kind = "total" if comparison["by"] == "total" else "worst"
    least = Decimal(rows[0]["error"][kind])
    line = f"{asked}, {law} noise: {_and(names)} {'has' if len(names) == 1 else 'have'}"
    line += f" the smallest {kind} error, {least:.6g}"
    others = [row for row in rows if row["times"] not in ("1", None)]
    if others:
        line += f"; next is {others[0]['strategy']} with {Decimal(others[0]['times']):.7g} times as much"
    best = [
        f"{name} b={' = '.join(str(b) for b in one['branching'])}" for name, one in comparison["best_branching"].items()
    ]
    return f"{line}.{' Best branching factors: ' if best else ''}{', '.join(best)}{'.' if best else ''}"


ASKED = {"ranges": "a range", "prefix": "a prefix sum", "identity": "a count"}
"""A query of a workload that has a name."""


def answer(comparison: Mapping[str, Any]) -> str:
    """The error of the first strategy in counts, and the expression that makes it."""
    row, asked = comparison["strategies"][0], ASKED.get(comparison["workload"], "a query")
    counts = Decimal(row["error"]["average" if comparison["by"] == "total" else "worst"]).sqrt()
    which = f"{asked}, on average," if comparison["by"] == "total" else f"the worst of {comparison['queries']} queries"
    error = f"{which} is off by about {rounded(counts)} (standard deviation)"
    return f"Answer: {error} with {expression(row)} from dp_refimpl."


def expression(row: Mapping[str, Any]) -> str:
    """A row's strategy in Python, with names that `dp_refimpl` exports."""
    name, size = row["name"], row["size"]
    if "branching" in row:
        return f"{name}({size}, {row['branching']}, Root.{Root(row['root']).name})"
    if name in ("HaarAveraged", "HaarOrthonormal"):
        return f"Haar({size}, Normalization.{name.removeprefix('Haar').upper()})"
    return f"{name}({size})" if name in NAMES else f"MatrixMechanism(the matrix of {name})"


def _entry(row: Ranked, least: Real, by: By, setting: Setting, epsilon: str, asked: int) -> dict[str, Any]:
    mechanism, coefficients = row.candidate.mechanism, row.coefficients
    tree = {"branching": mechanism.branching, "root": mechanism.root.value} if isinstance(mechanism, Tree) else {}
    exact = {"total": coefficients.total, "average": coefficients.total / asked, "worst": coefficients.worst}

    def error(number: Any) -> str | None:
        return None if number is None else decimal(row.unit * number, setting.noise, epsilon, DIGITS)

    scale = Real.lift(row.scale)
    return {
        "strategy": row.candidate.label,
        "name": row.candidate.name,
        **tree,
        "size": mechanism.size,
        "scale": scale.decimal(DIGITS) if scale.rational() is None else str(scale.rational()),
        "coefficient": {name: None if number is None else str(number) for name, number in exact.items()},
        "error": {name: error(number) for name, number in exact.items()},
        "times": ratio(row.key(by), least, DIGITS),
    }


def _best_branching(name: str, rows: Sequence[Ranked], by: By) -> dict[str, Any]:
    """The branching factors of the trees of a family with the least error, and their roots."""
    own = [row for row in rows if row.candidate.name == name and isinstance(row.candidate.mechanism, Tree)]
    if not own:
        return {}
    least = own[0].key(by)
    first = [row.candidate.mechanism for row in own if ratio(row.key(by), least, 1) == "1"]
    trees = [mechanism for mechanism in first if isinstance(mechanism, Tree)]
    return {
        "branching": sorted({tree.branching for tree in trees}),
        "strategies": [f"{name} (b={tree.branching}, {tree.root.value})" for tree in trees],
    }


def _name_of(workload: Workload | fmpq_mat) -> str:
    return workload.value if isinstance(workload, Workload) else f"{workload.nrows()} queries"


def _table(comparison: Mapping[str, Any]) -> Table:
    table = grid("strategy", "leaves", "scale", "average error", "worst error", "times the least")
    for row in comparison["strategies"][:SHOWN]:
        error = row["error"]
        worst = "-" if error["worst"] is None else _short(error["worst"])
        style = "bold green" if row["strategy"] in comparison["best"] else ""
        times = "infinitely many" if row["times"] is None else f"{Decimal(row['times']):.8g}"
        scale = row["scale"] if len(row["scale"]) < 6 else f"{float(Fraction(row['scale'])):.6g}"
        table.add_row(row["strategy"], str(row["size"]), scale, _short(error["average"]), worst, times, style=style)
    return table


def _short(text: str) -> str:
    return f"{Decimal(text):.8g}"


def _left_out(comparison: Mapping[str, Any]) -> list[str]:
    lines = rest(len(comparison["strategies"]), SHOWN, " (--json has all)")
    if any(row["error"]["worst"] is None for row in comparison["strategies"]):
        lines += ["  the worst error is not sought for so many counts"]
    missing = comparison["not_applicable"]
    lines += [f"  not applicable: {one['strategy']}: {one['reason']}" for one in missing[:SHOWN]]
    return lines + rest(len(missing), SHOWN)


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


_DECIMAL = {"type": "string", "pattern": r"^\d+(\.\d+)?(e[+-]?\d+)?$"}
_RATIONAL = {"type": "string", "pattern": r"^\d+(/\d+)?$"}


def _figures(kind: Mapping[str, Any]) -> dict[str, Any]:
    return objects({"total": kind, "average": kind, "worst": optional(kind)})


_BEST = objects({"branching": lists({"type": "integer"}), "strategies": {"type": "array"}})
_ROW = {
    "strategy": NAME,
    "name": NAME,
    "branching": {"type": "integer", "minimum": 2},
    "root": one_of(["root", "noroot"]),
    "size": NATURAL,
    "scale": {"anyOf": [_DECIMAL, _RATIONAL]},
    "coefficient": _figures(_RATIONAL),
    "error": _figures(_DECIMAL),
    "times": optional(_DECIMAL),
}
SCHEMA = objects(
    {
        "format": {"const": FORMAT},
        "note": NAME,
        "n": NATURAL,
        "workload": NAME,
        "queries": NATURAL,
        "epsilon": NAME,
        "neighbors": one_of(member.value for member in Neighbors),
        "noise": one_of(member.value for member in NoiseLaw),
        "padded": BOOLEAN,
        "by": one_of(member.value for member in By),
        "best": lists(NAME, minItems=1),
        "best_branching": objects({"Tree": _BEST, "Boost": _BEST}, missing=("Tree", "Boost")),
        "strategies": lists(objects(_ROW, missing=("branching", "root")), minItems=1),
        "not_applicable": lists(objects({"strategy": NAME, "reason": NAME})),
    }
)
"""The JSON schema of the document: `coefficient` exact, `error` in decimals; `worst` null where it is not sought."""
