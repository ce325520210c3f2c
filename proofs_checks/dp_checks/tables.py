"""Exact tables of mechanisms by name, for the command line."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flint import ctx

from dp_checks import public_tables
from dp_checks.enumeration import exact_channel
from dp_checks.programs import mechanism, program
from dp_spec.frequency.grr import GRR_SAMPLE, GRR_SPLIT
from dp_spec.frequency.rappor import RAPPOR_SAMPLE, RAPPOR_SET
from dp_spec.frequency.sugrr import SUGRR, SUGRR_SAMPLE
from dp_spec.frequency.surap import SURAP, SURAP_SAMPLE
from dp_spec.frequency.uldp import URAP as URAP_LAW
from dp_spec.frequency.uldp import URR as URR_LAW
from dp_spec.vocabulary.budget import Budget, budget, real_budget
from dp_spec.vocabulary.errors import DomainError, NotExactError
from dp_spec.vocabulary.items import ItemDomain, Report
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.table import Channel


@dataclass(frozen=True)
class Listed:
    """A mechanism of the command line: its law, the views of its report, and whether it takes one item only."""

    law: Law
    views: tuple[str, ...]
    one_item: bool = False
    nonsensitive: bool = False


MECHANISMS: Mapping[str, Listed] = {
    "grr": Listed(GRR_SAMPLE, ("one",), one_item=True),
    "grr-split": Listed(GRR_SPLIT, ("vector", "multiset")),
    "grr-sample": Listed(GRR_SAMPLE, ("one",)),
    "rappor": Listed(RAPPOR_SAMPLE, ("sen",), one_item=True),
    "rappor-set": Listed(RAPPOR_SET, ("sen",)),
    "rappor-sample": Listed(RAPPOR_SAMPLE, ("sen",)),
    "urr": Listed(URR_LAW, ("one",), one_item=True, nonsensitive=True),
    "urap": Listed(URAP_LAW, ("sen",), one_item=True, nonsensitive=True),
    "sugrr": Listed(SUGRR, ("multiset", "set", "position", "padded"), nonsensitive=True),
    "sugrr-sample": Listed(SUGRR_SAMPLE, ("one",), nonsensitive=True),
    "surap": Listed(SURAP, ("sen", "whole"), nonsensitive=True),
    "surap-sample": Listed(SURAP_SAMPLE, ("sen", "whole"), nonsensitive=True),
}


def mechanism_table(name: str, parameters: Mapping[str, str], digits: int | None = None) -> Channel[Any, Report, Any]:
    """The exact channel of a mechanism; `digits` asks for decimals (and then any real epsilon).

    Parameters: epsilon (as ln(3) or 0.5), K or d, N, m, view; hash (of Wheel and suWheel), k (of PrivSet). Raises
    `DomainError` for unknown names and values, and `NotExactError` for an epsilon that is not k*ln(rational) when no
    digits are asked for (with digits: rigorous balls).
    """
    if name in public_tables.PARAMETERS:
        return _public_table(name, parameters, digits)
    if name not in MECHANISMS:
        raise DomainError("MECHANISM", name, f"one of {', '.join((*MECHANISMS, *public_tables.PARAMETERS))}")
    listed = MECHANISMS[name]
    allowed = {"epsilon", "K", "d", "view"} | ({"N"} if listed.nonsensitive else set())
    allowed |= set() if listed.one_item else {"m"}
    _require_known(parameters, allowed)
    k = _integer(parameters, "K" if "K" in parameters else "d", 1)
    domain = ItemDomain.of_sizes(k, _integer(parameters, "N", 0, "0"))
    m = 1 if listed.one_item else _integer(parameters, "m", 1)
    if m > len(domain.items):
        raise DomainError("m", m, f"an integer in 1..{len(domain.items)} (the number of items)")
    view = parameters.get("view", listed.views[0])
    if view not in listed.views:
        raise DomainError("view", view, f"one of {', '.join(listed.views)}")
    power = int(listed.law.power.evaluate({"m": m}))
    with ctx.workprec(_bits(digits or 1)):
        root = _budget(parameters.get("epsilon", ""), digits).split(power).exp()
        target = mechanism(listed.law, view, m, domain, root)
        return exact_channel(program(listed.law, view, target), domain.subsets([m]), root * 0 + 1)


def _public_table(name: str, parameters: Mapping[str, str], digits: int | None) -> Channel[Any, Report, Any]:
    """Mechanisms with a public hash function or subset size. Arcs have rational ends: no decimals for those."""
    _require_known(parameters, set(public_tables.PARAMETERS[name]))
    k = _integer(parameters, "K" if "K" in parameters else "d", 1)
    domain = ItemDomain.of_sizes(k, _integer(parameters, "N", 0, "0"))
    m = _integer(parameters, "m", 1)
    if name == "privset":
        with ctx.workprec(_bits(digits or 1)):
            return public_tables.privset_table(
                domain, _budget(parameters.get("epsilon", ""), digits), m, _integer(parameters, "k", 1)
            )
    if digits is not None:
        raise DomainError("--digits", digits, "nothing: the arcs need a rational e^epsilon, as epsilon=ln(3)")
    return public_tables.arc_table(
        name, domain, _budget(parameters.get("epsilon", ""), None), m, parameters.get("hash", "")
    )


def _require_known(parameters: Mapping[str, str], allowed: set[str]) -> None:
    if unknown := sorted(set(parameters) - allowed):
        raise DomainError("--param", ", ".join(unknown), f"one of {', '.join(sorted(allowed))}")


def _bits(digits: int) -> int:
    """Working precision for balls that are to show so many correct decimals."""
    return 4 * digits + 64


def _budget(epsilon: str, digits: int | None) -> Budget[Any]:
    if not epsilon:
        raise DomainError("epsilon", epsilon, "--param epsilon=ln(3) or --param epsilon=0.5")
    try:
        return budget(epsilon)
    except NotExactError as error:
        if digits is None:
            raise NotExactError(
                "epsilon", epsilon, "k*ln(a/b) for exact tables; any real number with --digits"
            ) from error
        return real_budget(epsilon, _bits(digits))


def _integer(parameters: Mapping[str, str], name: str, least: int, default: str | None = None) -> int:
    text = parameters.get(name, default)
    if text is None:
        raise DomainError(name, None, f"an integer >= {least} (give --param {name}=...)")
    try:
        number = int(text)
    except ValueError:
        raise DomainError(name, text, f"an integer >= {least}") from None
    if number < least:
        raise DomainError(name, number, f"an integer >= {least}")
    return number
