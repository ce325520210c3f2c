"""The command `dp-refimpl amplify`: how private shuffled reports are, certified from both sides."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import click
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn

from dp_checks.runtime.boundary import COUNT, EXAMPLES, FINE, UNDECIDED, Name, OutputFolder, PictureFile
from dp_checks.runtime.escapes import printable
from dp_checks.runtime.parallel import Workers, spreading
from dp_checks.runtime.processes import resumable
from dp_checks.runtime.terminal import Bar
from dp_kernel.meter import DEFAULT
from dp_refimpl.requirements import fraction_of
from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.comparisons.amplification.document import FORMAT, note
from dp_studies.comparisons.amplification.grid import Asked, Question, answers
from dp_studies.comparisons.amplification.published_bounds import beside
from dp_studies.comparisons.amplification.query import ALIASES, MAX_EPSILON, MECHANISMS, MIN_EPSILON, Setting
from dp_studies.comparisons.amplification.text import text
from dp_studies.comparisons.report import draw, report

OUT = Path("build/amplify")
POINTS = 25
"""Of the curve of one setting."""
MAX_BITS = 500
"""Of the denominator of delta: 1e-150 has fewer, and the kernel reads no longer integers than 512 bits."""
_NUMBER = re.compile(r"[0-9]{1,60}(/[0-9]{1,60}|(\.[0-9]{1,60})?([eE]-?[0-9]{1,3})?)")
MOST = 10_000
"""Questions of one table."""
OPTION = {name: f"--{name}" for name in ("users", "labels", "epsilon0", "dummies")} | {"epsilon": "--epsilon0"}
"""Where the parts of a setting come from."""


@click.command(
    epilog=EXAMPLES + "  dp-refimpl amplify --mechanism GRR --labels 64 --users 1000000 --epsilon0 4 --delta 1e-8\n"
    "  dp-refimpl amplify --mechanism GRR --labels 64 --users 1000000 --epsilon0 4 --delta 1e-8 --published\n"
    "  dp-refimpl amplify --mechanism OLH --labels 16 --users 602325 --epsilon0 4 --epsilon 0.1 --json\n"
    "  dp-refimpl amplify --mechanism GRR --labels 4 --users 1000 --users 10000 --epsilon 0.5 --delta 1e-6\n"
    "  dp-refimpl amplify --mechanism GRR --labels 64 --users 10000 --epsilon0 4 --epsilon 0.1 --delta 1e-6"
)
@click.option(
    "--mechanism",
    type=Name(MECHANISMS, ALIASES),
    default="krr",
    show_default=True,
    help="krr: randomized response; olh: local hashing, any hash functions; dump: items as they are, hidden by "
    "dummies; ldp: any epsilon0-LDP randomizer.",
)
@click.option("--labels", "--k", "ks", type=COUNT, multiple=True, help="Labels (not with ldp).")
@click.option("--users", "--n", "ns", type=COUNT, multiple=True, required=True, help="Users.")
@click.option("--epsilon0", "budgets", multiple=True, help="Of the randomizer, as 4, 1/2 or ln(3).")
@click.option("--dummies", type=COUNT, multiple=True, help="Uniform messages beside the users'. Default: none.")
@click.option("--epsilon", "epsilons", multiple=True, help="Of what is shuffled, as 0.1 or 3/2.")
@click.option("--delta", "deltas", multiple=True, help="As 1e-8 or 1/1000.")
@click.option("--digits", type=click.IntRange(1, 30), default=8, show_default=True, help="Significant digits of ends.")
@click.option(
    "--work", type=click.IntRange(1), default=DEFAULT, show_default=True, help="Units of work a check may take."
)
@click.option("--published", "with_published", is_flag=True, help="What bounds of the literature say, beside epsilon.")
@spreading
@click.option("--out", type=OutputFolder(), default=OUT, show_default=True, help="Certificates and journal.")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of a table.")
@click.option("--plot", type=PictureFile(), help="Picture (.svg or .png): delta over epsilon, or the answers.")
def amplify(
    mechanism: Any,
    ks: tuple[int, ...],
    ns: tuple[int, ...],
    budgets: tuple[str, ...],
    dummies: tuple[int, ...],
    epsilons: tuple[str, ...],
    deltas: tuple[str, ...],
    digits: int,
    work: int,
    with_published: bool,
    jobs: int,
    scheduler: str | None,
    out: Path,
    as_json: bool,
    plot: Path | None,
) -> int:
    """How private are shuffled reports? Enclosures with certificates, for every data set.

    What is not given is asked: --epsilon0 and --delta ask for epsilon, --epsilon0 and --epsilon for delta, --epsilon
    and --delta for epsilon0; with all three the number of dummies is asked for. Options that are repeated make a table.
    A question without an answer (too little --work, nothing that reaches the goal) is said, with exit code 3.
    """
    asked = question_of(mechanism, budgets, epsilons, deltas, dummies)
    if with_published and asked != "epsilon":
        raise DomainError("--published", True, "where epsilon is asked for: --epsilon0 and --delta")
    if mechanism == "ldp" and ks:
        raise DomainError("--labels", list(ks), "nothing: every randomizer")
    if mechanism != "ldp" and not ks:
        raise DomainError("--labels", None, "the number of labels")
    repeated = {"--labels": ks, "--users": ns, "--epsilon0": budgets, "--dummies": dummies, "--epsilon": epsilons}
    for name, values in {**repeated, "--delta": deltas}.items():
        if len(set(values)) < len(values):
            raise DomainError(name, list(values), "every value once")
    listed = _listed(asked, mechanism, (ks, ns, budgets, dummies, epsilons, deltas), digits, work)
    by = Workers(jobs, scheduler)
    if work > DEFAULT:
        _announce(listed)
    rows = _answered(listed, out, by)
    if with_published:
        of = {question.key: question.setting for question in listed}
        rows = [row if "refused" in row else {**row, "published": beside(row, of[row["key"]], digits)} for row in rows]
    curve = []
    if plot is not None and len(rows) == 1 and asked in ("epsilon", "delta"):
        curve = _answered(_curve(listed[0], rows[0]), out, by)
    document = {"format": FORMAT, "note": note(asked), "certificates": str(out / "certificates"), "digits": digits}
    document |= {"rows": rows, "curve": curve}
    if any("refused" not in row for row in (*rows, *curve)):
        draw(plot, "amplification.answers", document)
    elif plot is not None:
        click.echo(printable(f"nothing to draw: {plot} is not written"), err=True)
    report(document, text(document, asked), as_json)
    return UNDECIDED if any("refused" in row for row in rows) else FINE


def _listed(
    asked: Asked, mechanism: Any, options: tuple[tuple[Any, ...], ...], digits: int, work: int
) -> list[Question]:
    """All combinations. Raises `DomainError` that names the option."""
    ks, ns, budgets, dummies, epsilons, deltas = options
    count = prod(max(1, len(values)) for values in options)
    if count > MOST:
        raise DomainError("amplify", count, f"at most {MOST} questions")
    points = [_number("--epsilon", e) for e in epsilons], [_number("--delta", d) for d in deltas]
    wanted = product(*(x or (None,) for x in points))
    sought = None if mechanism == "dump" else "1"  # a budget that is asked for is replaced
    listed = []
    for (k, n, b, extra), (e, d) in product(product(ks or (2,), ns, budgets or (sought,), dummies or (0,)), wanted):
        try:
            setting = Setting(mechanism, n, b, k, extra)
        except DomainError as error:
            raise DomainError(OPTION.get(error.parameter, error.parameter), error.value, error.allowed) from None
        listed.append(Question(asked, setting, e, d, digits, work))
    return listed


def _announce(listed: Sequence[Question]) -> None:
    """Say how long the longest check is, where more than the default is allowed."""
    units = max(question.units() for question in listed)
    if units > DEFAULT:
        click.echo(f"checking one certificate takes up to about {units} units of work (microseconds at most)", err=True)


def _answered(listed: Sequence[Question], out: Path, by: Workers) -> list[dict[str, Any]]:
    """The documents of the questions, in their order."""
    rows: dict[str, dict[str, Any]] = {}
    with Bar(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()) as bar:
        task = bar.add_task("amplify", total=len(listed))
        with resumable(f"what is answered is kept in {out}: run the same command again to go on"):
            for row in answers(listed, out, by):
                rows[row["key"]] = row
                bar.advance(task)
    return [rows[question.key] for question in listed]


def question_of(
    mechanism: str, budgets: Sequence[str], epsilons: Sequence[str], deltas: Sequence[str], dummies: Sequence[int]
) -> Asked:
    """What is asked. Raises `DomainError` where too little is given, or dummies are given and asked."""
    options = bool(budgets) or mechanism == "dump", bool(epsilons), bool(deltas)
    questions: Mapping[tuple[bool, bool, bool], Asked] = {
        (True, False, True): "epsilon",
        (True, True, False): "delta",
        (False, True, True): "epsilon0",
        (True, True, True): "dummies",
    }
    if options not in questions:
        raise DomainError("amplify", "one value", "two or all of --epsilon0, --epsilon and --delta")
    if questions[options] == "dummies" and mechanism == "ldp":
        allowed = "another one: with all of --epsilon0, --epsilon and --delta the number of dummies is asked for"
        raise DomainError("--mechanism", mechanism, allowed)
    if questions[options] == "dummies" and dummies:
        raise DomainError("--dummies", list(dummies), "nothing: with --epsilon0, --epsilon and --delta it is asked for")
    if questions[options] != "dummies" and mechanism == "dump" and not dummies:
        raise DomainError("--dummies", None, "the number of messages that hide the items")
    return questions[options]


def _number(name: str, text: str) -> str:
    """A decimal or a fraction, as a fraction."""
    number = fraction_of(text) if _NUMBER.fullmatch(text) else None
    if name == "--epsilon":
        if number is None or not (number == 0 or MIN_EPSILON <= float(number) <= MAX_EPSILON):
            raise DomainError(name, text, f"0, or a number from {MIN_EPSILON:g} to {MAX_EPSILON:g}, as 0.1 or 3/2")
        return str(number)
    if number is None or not 0 < number < 1 or number.denominator.bit_length() > MAX_BITS:
        allowed = f"a number strictly between 0 and 1, as 1e-8 or 1/1000, with a denominator of at most {MAX_BITS} bits"
        raise DomainError(name, text, allowed)
    return str(number)


def _curve(question: Question, row: Mapping[str, Any]) -> list[Question]:
    """Delta of the same setting at epsilons up to twice what was asked or found; nothing beside no answer."""
    if "refused" in row:
        return []
    most = 2 * Fraction(question.epsilon or row["upper"]["value"])
    places = [most * i / POINTS for i in range(1, POINTS + 1)] if most else []
    return [Question("delta", question.setting, str(e), None, 5, question.work) for e in places]
