"""What a reproduction of source 001 found, in a few lines."""

from collections.abc import Iterator, Mapping
from typing import Any

TABLES = ("table1", "table2")


def misses(document: Mapping[str, Any]) -> list[str]:
    """Points whose exact error is outside the interval: with the exact laws, at most once in 500,000 runs."""
    return [
        f"{table}, {key}" for table in TABLES for key, point in document[table].items() if not point["error"]["inside"]
    ]


def summary(document: Mapping[str, Any]) -> Iterator[str]:
    """Lines for a terminal."""
    outside = misses(document)
    yield f"source 001, {document['runs']} releases of every point, seed {document['seed']}"
    for table in TABLES:
        points, confidence = document[table], document["confidence"][table]
        missed = sum(miss.startswith(table) for miss in outside)
        yield (
            f"{table}: exact errors inside their intervals: {len(points) - missed} of {len(points)} "
            f"(all, with probability 1 - {confidence['family_level']}; {confidence['bounds']} bounds)"
        )
    for one in document["power"]:
        yield from _precision(document, one)
    for one in document["table2"].values():
        yield (
            f"all ranges, {_noise(one)}, N={one['size']}: simulated {_short(one['error']['simulated'])}, "
            f"exact {_short(one['error']['exact'])}, (17) {_short(one['approximate']['value'])} "
            f"({100 * float(one['approximate']['relative_difference']):+.2f} %)"
            + ("" if one["approximate"]["inside"] else ", outside the interval")
        )
    yield from (f"OUTSIDE {miss}" for miss in outside)


def _precision(document: Mapping[str, Any], power: Mapping[str, Any]) -> Iterator[str]:
    """How far simulated errors are from exact ones, and what may be expected of them."""
    points = [p for p in document["table1"].values() if _noise(p) == _noise(power)]
    off = [
        abs(float(p["error"]["simulated"]) / float(p["error"]["exact"]) - 1) / float(p["relative_standard_error"])
        for p in points
    ]
    least, most = (power[name] for name in ("smallest", "largest"))
    (first, last), *more = most["ranges"]
    others = f" and {len(more)} more" if more else ""
    yield (
        f"{_noise(power)}: {sum(x <= 1 for x in off)} of {len(off)} ranges within one standard error, "
        f"{sum(x <= 2 for x in off)} within two"
    )
    yield (
        f"relative standard error, all ranges of N={power['size']}: {_percent(least)} to {_percent(most)} "
        f"({first}..{last}{others})"
    )


def _noise(point: Mapping[str, Any]) -> str:
    return f"{point['noise']} noise, epsilon {point['epsilon']}"


def _percent(extreme: Mapping[str, Any]) -> str:
    return f"{100 * float(extreme['relative_standard_error']):.2f} %"


def _short(number: str) -> str:
    return f"{float(number):.5g}"
