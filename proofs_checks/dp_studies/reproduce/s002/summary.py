"""What a reproduction found, in a few lines."""

from collections.abc import Iterator, Mapping
from typing import Any

from dp_studies.reproduce.s002.formulas import KINDS, MECHANISMS


def misses(document: Mapping[str, Any]) -> list[str]:
    """Points at which an exact formula is outside the interval: with the exact ones, at most once in a million runs."""
    return [
        f"{key} ({kind})"
        for key, point in document["points"].items()
        for kind, inside in point["inside"].items()
        if not inside
    ]


def summary(document: Mapping[str, Any]) -> Iterator[str]:
    """Lines for a terminal."""
    points, confidence = document["points"], document["confidence"]
    kinds = sum(len(point["inside"]) for point in points.values())
    outside = len(misses(document))
    yield f"source 002, figures {', '.join(str(n) for n in sorted({f['number'] for f in document['figures']}))}"
    yield f"{len(points)} simulated points of {document['runs']} runs, seed {document['seed']}"
    yield (
        f"exact sums of squared errors inside their intervals: {kinds - outside} of {kinds} "
        f"(all, with probability 1 - {confidence['family_level']}; {confidence['bounds']} bounds)"
    )
    for claim, out, of in printed(document):
        yield f"as printed, {claim}: outside its interval at {out} of {of} points"
    for name, reasons in absent(document).items():
        yield f"absent, {name}: {reasons}"
    for claim, verdict in unproved(document):
        yield f"note: the formula {claim} is {verdict}"
    yield from (f"OUTSIDE {miss}" for miss in misses(document))


def printed(document: Mapping[str, Any]) -> Iterator[tuple[str, int, int]]:
    """Printed formulas that differ from the exact ones: claim, points at which the runs exclude them, points."""
    for mechanism in MECHANISMS.values():
        for kind in KINDS:
            error = mechanism.errors[kind]
            tested = [
                p["printed_inside"][kind]
                for p in document["points"].values()
                if p["mechanism"] == mechanism.name and p["printed_inside"] is not None and kind in p["printed_inside"]
            ]
            if error.printed is not None and tested:
                yield error.printed_claim, tested.count(False), len(tested)


def absent(document: Mapping[str, Any]) -> dict[str, str]:
    """By calibration and mechanism: why there is no curve, or only a part of one."""
    found: dict[str, dict[str, None]] = {}
    for shown in document["figures"]:
        for panel in shown["panels"]:
            for curve in panel["curves"]:
                for place in curve["places"]:
                    if place["absent"] is not None:
                        name = f"{shown['calibration']}, {curve['mechanism']}"
                        found.setdefault(name, {})[place["absent"]] = None
    return {name: "; ".join(reasons) for name, reasons in found.items()}


def unproved(document: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Claims behind exact curves whose committed verdict is not `proved`."""
    found = {
        formula["claim"]: formula["verdict"]
        for shown in document["figures"]
        for panel in shown["panels"]
        for curve in panel["curves"]
        for formula in curve["formulas"].values()
    }
    return [(claim, verdict) for claim, verdict in found.items() if verdict != "proved"]
