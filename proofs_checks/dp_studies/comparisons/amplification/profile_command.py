"""The command `dp-refimpl profile`: the exact worst case of a few shuffled reports, for every epsilon at once."""

from pathlib import Path
from typing import Any, cast

import click
from flint import fmpq

from dp_checks.runtime.boundary import COUNT, EXAMPLES, Name, PictureFile
from dp_refimpl.shuffle.channel import ShuffledLaws
from dp_refimpl.shuffle.odhp import HashModel
from dp_studies.comparisons.amplification.query import ALIASES
from dp_studies.comparisons.amplification.small_n import HASHES, MECHANISMS, FewUsers, Mechanism
from dp_studies.comparisons.report import draw, report

FORMAT = "dp-refimpl profile 1"
NOTE = (
    "Exact: delta is linear in e^epsilon between the listed values, constant from the last one on, and the largest "
    "over all neighboring data sets; the pair that attains it is what the other users hold (one number for each item), "
    "and the items of one user."
)


@click.command(
    epilog=EXAMPLES + "  dp-refimpl profile --mechanism GRR --items 3 --users 4 --epsilon0 'ln(3)'\n"
    "  dp-refimpl profile --mechanism dump --items 2 --users 5 --dummies 3 --json\n"
    "  dp-refimpl profile --mechanism odhp --items 2 --users 3 --epsilon0 'ln(3)' --each 2 --hashes shared"
)
@click.option("--mechanism", type=Name(MECHANISMS, ALIASES), default="krr", show_default=True, help="Of all users.")
@click.option("--items", "--k", "k", type=COUNT, required=True, help="Items.")
@click.option("--users", "--n", "n", type=COUNT, required=True, help="Users.")
@click.option("--epsilon0", help="Of the randomizer, with rational e^epsilon0, as ln(3) or 2*ln(3/2).")
@click.option("--labels", type=COUNT, help="Of olh and odhp: all functions to so many. Default: 2.")
@click.option("--chance", help="Of aue: the probability of a further message, as 1/4.")
@click.option("--dummies", type=COUNT, default=0, show_default=True, help="Uniform messages beside the users'.")
@click.option("--each", type=int, default=0, show_default=True, help="Dummies of each user: dump, mixdump, odhp.")
@click.option("--sent", help="The probability with which each of them is sent, as 1/2; else all are.")
@click.option(
    "--hashes",
    type=Name(HASHES),
    help="Of odhp: every message its own function (the default), those of a user the same, the four functions, items.",
)
@click.option("--json", "as_json", is_flag=True, help="JSON instead of text.")
@click.option("--plot", type=PictureFile(), help="Picture (.svg or .png): delta over epsilon.")
def profile(
    mechanism: str,
    k: int,
    n: int,
    epsilon0: str | None,
    labels: int | None,
    chance: str | None,
    dummies: int,
    each: int,
    sent: str | None,
    hashes: str | None,
    as_json: bool,
    plot: Path | None,
) -> None:
    """Print the exact privacy profile of shuffled reports, in the worst case over all neighboring data sets."""
    asked = FewUsers(
        cast(Mechanism, mechanism), k, n, epsilon0, labels, chance, dummies, each, sent, cast(HashModel | None, hashes)
    )
    curves = document(asked.laws)
    draw(plot, "amplification.profile", curves["knots"], f"shuffled {mechanism}: n = {n}, k = {k}")
    knots = (f"  e^epsilon = {knot['e']}: delta = {knot['delta']}, {knot['pair']}" for knot in curves["knots"])
    report({"format": FORMAT, "mechanism": mechanism, "n": n, "note": NOTE, **curves}, (*knots, NOTE), as_json)


def document(laws: ShuffledLaws[fmpq]) -> dict[str, Any]:
    """Where the slope changes, delta there, and a pair that attains it from there on."""
    worst = laws.worst_profile()
    knots = [
        {
            "e": str(e),
            "delta": str(delta),
            "pair": {"others": list(pair.others), "item": pair.item, "replaced": pair.replaced},
        }
        for (e, delta), pair in zip(worst.knots, worst.attained, strict=True)
    ]
    return {"items": list(laws.items), "knots": knots}
