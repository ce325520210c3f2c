"""The command `dp-refimpl profile`: the exact worst case of a few shuffled reports, for every epsilon at once."""

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import comb, factorial
from pathlib import Path
from typing import Any

import click
from flint import fmpq

from dp_checks.boundary import EXAMPLES, Name, OutputFile, require_picture
from dp_checks.outputs import write_file
from dp_refimpl.frequency.hash_families import AllFunctions
from dp_refimpl.shuffle.aue import AUE
from dp_refimpl.shuffle.blanket import SH
from dp_refimpl.shuffle.channel import ShuffledLaws, multinomial_law, shuffled_laws
from dp_refimpl.shuffle.dummies import Constant
from dp_refimpl.shuffle.dump import PureDUMP
from dp_refimpl.shuffle.murs import SOLH
from dp_spec.vocabulary.budget import rational_budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import ItemDomain

FORMAT = "dp-refimpl profile 1"
MECHANISMS = ("krr", "olh", "dump", "aue")
MOST = 50_000_000
"""Users times histograms of pairs of neighboring data sets (numbers grow with the users): about a minute."""
NOTE = (
    "Exact: delta is linear in e^epsilon between the listed values, and the largest over all neighboring data sets; "
    "the pair that attains it is what the other users hold (one number for each item), and the items of one user."
)


@click.command(
    epilog=EXAMPLES + "  dp-refimpl profile --mechanism krr --k 3 --n 4 --epsilon0 'ln(3)'\n"
    "  dp-refimpl profile --mechanism dump --k 2 --n 5 --dummies 3 --json"
)
@click.option("--mechanism", type=Name(MECHANISMS), default="krr", show_default=True, help="As of amplify; aue: bits.")
@click.option("--k", type=int, required=True, help="Items.")
@click.option("--n", type=int, required=True, help="Users.")
@click.option("--epsilon0", help="Of the randomizer, with rational e^epsilon0, as ln(3) or 2*ln(3/2).")
@click.option("--labels", type=int, default=2, show_default=True, help="Of olh: all functions to so many.")
@click.option("--chance", help="Of aue: the probability of a further message, as 1/4.")
@click.option("--dummies", type=int, default=0, show_default=True, help="Uniform messages beside the users'.")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of text.")
@click.option("--plot", type=OutputFile(), help="Picture (.svg or .png): delta over epsilon.")
def profile(
    mechanism: str,
    k: int,
    n: int,
    epsilon0: str | None,
    labels: int,
    chance: str | None,
    dummies: int,
    as_json: bool,
    plot: Path | None,
) -> None:
    """Print the exact privacy profile of shuffled reports, in the worst case over all neighboring data sets."""
    for name, number, least in (("--k", k, 2), ("--n", n, 1), ("--labels", labels, 2), ("--dummies", dummies, 0)):
        if not least <= number <= 1000:
            raise DomainError(name, number, f"an integer from {least} to 1000")
    if (epsilon0 is None) is (mechanism in ("krr", "olh")):
        raise DomainError("--epsilon0", epsilon0, "given for krr and olh alone")
    if (chance is None) is (mechanism == "aue"):
        raise DomainError("--chance", chance, "given for aue alone")
    require_picture(plot)
    require_feasible(mechanism, k, n, labels, dummies)
    found = document(laws(mechanism, k, n, epsilon0, labels, chance, dummies))
    if plot is not None:
        from dp_checks.amplification.plot import (
            profile_picture,  # the command line is listed without loading matplotlib
        )

        title = f"shuffled {mechanism}: n = {n}, k = {k}"
        write_file(plot, profile_picture(found["knots"], title, plot.suffix[1:]))
    if as_json:
        click.echo(json.dumps({"format": FORMAT, "mechanism": mechanism, "n": n, "note": NOTE, **found}, indent=1))
        return
    for knot in found["knots"]:
        click.echo(f"  e^epsilon = {knot['e']}: delta = {knot['delta']}, {knot['pair']}")
    click.echo(NOTE)


def laws(
    mechanism: str, k: int, n: int, epsilon0: str | None, labels: int, chance: str | None, dummies: int
) -> ShuffledLaws[fmpq]:
    """The laws of all data sets. Raises `DomainError`, and `NotExactError` for an irrational e^epsilon0."""
    domain = ItemDomain(tuple(range(k)))
    cells: Mapping[Any, fmpq] = {x: fmpq(1, k) for x in domain.items}
    makers: Mapping[str, Callable[[], Any]] = {
        "krr": lambda: SH.of_budget(domain, rational_budget(epsilon0 or "0")),
        "olh": lambda: SOLH(domain, rational_budget(epsilon0 or "0"), AllFunctions(domain.items, labels)),
        "dump": lambda: PureDUMP(domain, Constant(0)),
        "aue": lambda: AUE(domain, _chance(chance or "")),
    }
    randomizer = makers[mechanism]()
    if mechanism == "olh":
        drawn = randomizer.family.law().items()
        cells = {(h, y): weight / labels for h, weight in drawn for y in range(labels)}
    return shuffled_laws(randomizer, n, fakes=multinomial_law(dummies, cells))


def _chance(text: str) -> fmpq:
    try:
        number = Fraction(text)
    except (ValueError, ZeroDivisionError):
        number = Fraction(-1)
    if not 0 <= number <= 1 or len(text) > 100:
        raise DomainError("--chance", text, "a number in [0, 1], as 1/4")
    return fmpq(number.numerator, number.denominator)


def cost(mechanism: str, k: int, n: int, labels: int, dummies: int) -> int:
    """Users times histograms of pairs of data sets: compositions, of items that may change names unless functions are
    drawn."""
    kinds = labels ** (k + 1) if mechanism == "olh" else k
    histograms = (n + 1) ** k if mechanism == "aue" else 1
    histograms *= comb(n + dummies + kinds - 1, kinds - 1) if mechanism != "aue" or dummies else 1
    pairs = comb(n + k - 2, k - 1) * k * (k - 1)
    return n * histograms * (pairs if mechanism == "olh" else -(-pairs // factorial(k)))


def require_feasible(mechanism: str, k: int, n: int, labels: int, dummies: int) -> None:
    """Raise `DomainError` that names the largest n, where there are too many pairs."""
    if k > 64 or (mechanism == "olh" and labels**k > 10**4):
        raise DomainError("--k", k, "fewer items: there are too many messages")
    if cost(mechanism, k, n, labels, dummies) > MOST:
        few = next(i for i in range(n - 1, -1, -1) if not i or cost(mechanism, k, i, labels, dummies) <= MOST)
        raise DomainError("--n", n, f"at most {few} users: all neighboring data sets are looked at" if few else "none")


def document(found: ShuffledLaws[fmpq]) -> dict[str, Any]:
    """Where the slope changes, delta there, and a pair that attains it from there on."""
    worst = found.worst_profile()
    knots = [
        {
            "e": str(e),
            "delta": str(delta),
            "pair": {"others": list(pair.others), "item": pair.item, "replaced": pair.replaced},
        }
        for (e, delta), pair in zip(worst.knots, worst.attained, strict=True)
    ]
    return {"items": list(found.items), "knots": knots}
