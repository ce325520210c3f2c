"""What a reproduction of source 000 found, in a few lines: who has the smallest error, and with which settings."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from itertools import groupby
from typing import Any

from dp_studies.reproduce.s000.settings import ALGORITHMS

SAID = {"printed": "with the published parameters", "certified": "with certified parameters"}


def winners(points: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """For every point the smallest error of each algorithm and whose is the least (all of equal ones), as JSON.

    `settings` are those of OD-HP. `below_murs` says how many of them are below MURS, `below_mixdump` below mixDUMP
    with the same local budget (000.exp.best), `below_all` below the best of all others. Decimals are compared.
    """
    found = []
    for point in points:
        settings = point["settings"]
        errors = {name: _least(one["error"] for one in settings if one["algorithm"] == name) for name in ALGORITHMS}
        known = {name: error for name, error in errors.items() if error is not None}
        least = min(known.values(), key=Decimal)
        own = [one for one in settings if one["algorithm"] == "OD-HP"]
        mixed = {one["local"]: one["error"] for one in settings if one["algorithm"] == "mixDUMP"}
        others = _least(error for name, error in known.items() if name != "OD-HP")
        found.append(
            {
                **{name: point[name] for name in ("data", "calibration", "epsilon")},
                "winner": [name for name, error in known.items() if error == least],
                "errors": known,
                "settings": len(own),
                "below_mixdump": sum(_below(one, mixed.get(one["local"])) for one in own),
                "below_murs": sum(_below(one, known.get("MURS")) for one in own),
                "below_all": sum(_below(one, others) for one in own),
            }
        )
    return found


def _least(errors: Iterable[str]) -> str | None:
    return min(errors, key=Decimal, default=None)


def _below(one: Mapping[str, Any], error: str | None) -> bool:
    return error is not None and Decimal(one["error"]) < Decimal(error)


def misses(document: Mapping[str, Any]) -> list[str]:
    """Exact errors outside their intervals: with the exact laws, at most once in a million runs."""
    return [
        f"{key}, {name}"
        for key, point in document["points"].items()
        for name, one in point["simulated"].items()
        if not one["error"]["inside"]
    ]


def summary(document: Mapping[str, Any]) -> Iterator[str]:
    """Lines for a terminal."""
    confidence, outside = document["confidence"], misses(document)
    tested = sum(len(point["simulated"]) for point in document["points"].values())
    yield f"source 000, {document['runs']} runs of every simulated setting, seed {document['seed']}"
    yield (
        f"exact errors inside their intervals: {tested - len(outside)} of {tested} "
        f"(all, with probability 1 - {confidence['family_level']}; {confidence['bounds']} bounds)"
    )
    yield from paragraph(document)
    refused = {
        (one["algorithm"], one["words"]): None for point in document["points"].values() for one in point["refused"]
    }
    yield from (f"{algorithm} has no setting somewhere: {words}" for algorithm, words in refused)
    yield from (f"OUTSIDE {miss}" for miss in outside)


def paragraph(document: Mapping[str, Any]) -> Iterator[str]:
    """Who wins: a sentence for every data set and calibration, and the settings of the best OD-HP."""
    ordered = sorted(document["winners"], key=lambda one: (str(one["data"]), str(one["calibration"])))
    for (data, calibration), group in groupby(ordered, lambda one: (one["data"], one["calibration"])):
        points = list(group)
        won: dict[str, list[str]] = {}
        for one in points:
            won.setdefault(" = ".join(one["winner"]), []).append(one["epsilon"])
        who = "; ".join(f"{name} at epsilon {', '.join(where)}" for name, where in won.items())
        yield f"{data}, {SAID[calibration]}: smallest error: {who}"
        for one in points:
            key = f"{data}:{calibration}:epsilon={one['epsilon']}"
            yield f"  epsilon {one['epsilon']}: {_errors(one, document['points'][key]['simulated'])}"
            yield (
                f"    of {one['settings']} settings of OD-HP {one['below_mixdump']} are below mixDUMP with the same "
                f"local budget, {one['below_murs']} below MURS, {one['below_all']} below all others"
            )


def _errors(winner: Mapping[str, Any], simulated: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{name} {float(error):.3g} ({_setting(simulated[name])})" for name, error in winner["errors"].items()
    )


def _setting(one: Mapping[str, Any]) -> str:
    words = f"h={one['labels']}, epsilon_l={float(one['local']):.4g}"
    return f"{words}, {one['dummies']} dummies" if one["dummies"] else words
