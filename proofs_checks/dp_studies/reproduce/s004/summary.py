"""What a reproduction of source 004 found, in a few lines."""

from collections.abc import Iterator, Mapping
from typing import Any

TESTED = ("estimate", "variance", "meanfirst", "absfirst")


def misses(document: Mapping[str, Any]) -> list[str]:
    """Exact values outside their intervals: with the exact laws, at most once in a million runs."""
    return [
        f"{key}, word {word['position']} ({name})"
        for key, point in document["points"].items()
        for word in point["words"]
        for name in TESTED
        if not word[name]["inside"]
    ]


def summary(document: Mapping[str, Any]) -> Iterator[str]:
    """Lines for a terminal."""
    points, confidence = document["points"], document["confidence"]
    tested = sum(len(TESTED) * len(point["words"]) for point in points.values())
    outside = misses(document)
    yield f"source 004, {document['records']} records of {document['vocabulary']} words"
    yield f"{len(points)} points of {document['runs']} repetitions, seed {document['seed']}"
    yield (
        f"exact values inside their intervals: {tested - len(outside)} of {tested} "
        f"(all, with probability 1 - {confidence['tested']['family_level']}; {confidence['tested']['bounds']} bounds)"
    )
    for one in document["claims"]:
        first, last = one["ranks"]
        low, high = (float(end) for end in one["interval"])
        yield (
            f"{one['claim']}: {one['point']}, ranks {first}-{last}: mean {float(one['simulated']):.3g}, "
            f"expected in [{low:.3g}, {high:.3g}]"
        )
    for one in document["best"]:
        yield f"smallest error^2 * operations, {one['data']}, epsilon {one['epsilon']}: k={one['k']}, m={one['m']}"
    yield from (f"OUTSIDE {miss}" for miss in outside)
