"""`dp-refimpl account`: what a method for synthetic tables claims to spend, and what is certified, stage by stage."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import click
from flint import fmpq

from dp_checks.arguments import arguments, named_values
from dp_checks.ledger import Ledger, load_ledger
from dp_checks.runtime.boundary import EXAMPLES, Name
from dp_refimpl.syntheses import NotCertifiedError, Plan, synthesis_of
from dp_refimpl.synthesis.accountant import Spending
from dp_refimpl.synthesis.tables import Relation
from dp_spec.vocabulary.budget import read_epsilon
from dp_spec.vocabulary.exceptions import MissingError

NEIGHBORS: Mapping[Relation, str] = {"ro": "a record is replaced", "ar": "a record is added or removed"}


@click.command(
    epilog=EXAMPLES
    + "  dp-refimpl account hmprivbayes --param d=52 --param epsilon=1\n"
    + "  dp-refimpl account hmprivbayes --param d=52 --param k=5 --param weights=data --param epsilon=0.2 --json\n"
    + "  dp-refimpl account privbayes --param d=52 --param degree=3 --param epsilon=1 --relation ar"
)
@click.argument("mechanism", metavar="MECHANISM")
@click.option("--param", "parameters", multiple=True, metavar="NAME=VALUE", help="epsilon, d, k, degree, weights, ...")
@click.option("--relation", type=Name(tuple(NEIGHBORS)), default="ro", help="Neighbors: ro (replace one) or ar.")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of text.")
def account(mechanism: str, parameters: tuple[str, ...], relation: Relation, as_json: bool) -> None:
    """Print what a mechanism on tables claims to spend, and what is certified, for every stage and release.

    A release is computed from all stages before it. A certified constant rests on statements of the ledger that are
    proved, or verified at the sizes of their scopes; "none" is said where there is no such constant. Then there are
    statements about the law of the mechanism; last come the epsilon to start with so that the given one is certified,
    and the statements on all stages together.
    """
    values = named_values(parameters)
    record = synthesis_of(mechanism)
    if "epsilon" not in values:
        raise MissingError("epsilon", "give --param epsilon=1")
    epsilon = values.pop("epsilon")
    read_epsilon(epsilon)
    plan: Plan = record.plan(**arguments(record.plan, values))
    spending = plan.account(epsilon, relation)
    try:
        calibrated = str(plan.calibrated(epsilon, relation))
    except NotCertifiedError:
        calibrated = None
    ledger = load_ledger()
    if as_json:
        report = {
            "mechanism": record.name,
            "parameters": values,
            "epsilon": epsilon,
            "relation": relation,
            "stages": [_json(spent, ledger) for spent in spending.stages],
            "releases": [_json(spent, ledger) for spent in spending.releases],
            "law": _verdicts(record.claims, ledger),
            "calibrated": calibrated,
        }
        click.echo(json.dumps(report, indent=1))
        return
    said = ", ".join(f"{name} = {value}" for name, value in {**values, "epsilon": epsilon}.items())
    click.echo(f"{record.name}, {said}; {NEIGHBORS[relation]}")
    click.echo(f"\n{'stage by itself':20}{'claimed':>22}{'certified':>22}")
    for spent in spending.stages:
        click.echo(f"{_line(spent)}  {_reasons(spent, ledger)}")
    click.echo(f"\n{'release':20}{'claimed':>22}{'certified':>22}")
    for spent in spending.releases:
        click.echo(_line(spent))
    if any(ledger[claim].verdict == "verified" for spent in spending.stages for claim in spent.claims):
        click.echo("\nverified: shown at the sizes that its scope lists (dp-refimpl explain ID), stated for all")
    click.echo(f"\nits law: {_listed(record.claims, ledger)}")
    click.echo(f"\ncertified for the transcript is {epsilon} at epsilon = {calibrated or 'none'}")
    click.echo(_reasons(spending.transcript, ledger))


def _json(spent: Spending, ledger: Ledger) -> dict[str, Any]:
    return {
        "name": spent.name,
        "claimed": str(spent.nominal),
        "certified": None if spent.certified is None else str(spent.certified),
        "statements": _verdicts(spent.claims, ledger),
    }


def _verdicts(claims: Sequence[str], ledger: Ledger) -> dict[str, str]:
    return {claim: ledger[claim].verdict for claim in claims}


def _listed(claims: Sequence[str], ledger: Ledger) -> str:
    return ", ".join(f"{claim} ({verdict})" for claim, verdict in _verdicts(claims, ledger).items())


def _line(spent: Spending) -> str:
    return f"{spent.name:20}{_number(spent.nominal):>22}{_number(spent.certified):>22}"


def _reasons(spent: Spending, ledger: Ledger) -> str:
    """The statements that a constant rests on, or that say something where there is none, with their verdicts."""
    if not spent.claims:
        return "nothing is stated"
    return f"{'see' if spent.certified is None else 'by'} {_listed(spent.claims, ledger)}"


def _number(number: fmpq | None) -> str:
    if number is None:
        return "none"
    return str(number) if number.q == 1 else f"{number} = {float(number.p) / float(number.q):.4g}"
