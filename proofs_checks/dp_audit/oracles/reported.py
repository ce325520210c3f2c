"""What is reported on what, in words, for the mechanisms whose own `Kind` does not say it."""

from collections.abc import Mapping

_CHOSEN = "a candidate 0, 1, ...; an input is the number of a row of utilities"
_NOISY = "an integer, an input one of the true values; all that is below low is one report, all above high another"
_BITS = "d bits"
_NUMBER = "number of the hash function"
_PARTS: Mapping[str, str] = {
    "GRR": "an item",
    **dict.fromkeys(("SUE", "OUE"), _BITS),
    "SS": "the set of k items",
    "LH": "the cell, given the hash function",
}
REPORTED: Mapping[str, str] = {
    "LH": "the pair of a seed and a cell (with --hash NAME); the cell alone, given the hash function",
    "FLH": "[the cell, the number of the function]",
    "LH-ideal": "[the cell, the table of the function]",
    "HM": "[index, sign 1 or -1], of column first + x of the Hadamard matrix; for t > 1, t such pairs",
    "HR": "an index 0 .. K-1; blocks is the largest power of two <= min(e^epsilon, 2d) if it is not given, 1 in the "
    "scheme for high privacy",
    "THE": "d bits; theta is the threshold with the smallest variance if it is not given",
    "UE": _BITS,
    "ADP": "an item or d bits, as GRR or OUE has the smaller variance",
    "L-GRR": "an item",
    **dict.fromkeys(("L-SUE", "L-OUE", "L-OSUE", "L-SOUE"), _BITS),
    "L-ADP": "an item or d bits, whichever has the smaller variance",
    "L-LH": "the cell, given the hash function",
    "CMS": f"[m signs 1 or -1, {_NUMBER}]",
    "HCMS": f"[sign 1 or -1, {_NUMBER}, index]",
    "PCS": f"[m signs 1 or -1, {_NUMBER}]",
    "RAPPOR": "[m bits, cohort]",
    "dBitFlipPM": "one entry for every bucket: 0, 1, or -1 where it was not drawn",
    "RR": "a bit, as the input is",
    "GRR-column": "the list of the reports of all users; an input is the list of their items",
    "Exponential-column": "the list of the reports of all users; an input is the list of their items",
    "Exponential": _CHOSEN,
    "ExponentialScores": _CHOSEN,
    "PermuteAndFlip": _CHOSEN,
    "NoisyMax": _CHOSEN,
    "ExponentialCategorical": "a category 0, 1, ..., as the input is",
    "ExponentialHierarchical": "a leaf, as the input is",
    "Geometric": _NOISY,
    "GeometricTruncated": "an integer lower .. upper; an input is one of the true values",
    "GeometricFolded": "an integer lower .. upper; an input is one of the true values",
    "RoundedLaplace": "an integer lower .. upper, as the input is",
    "Laplace": "a number, seen as the nearest integer, an input one of the true values; all that is below low is one "
    "report, all above high another",
    "LaplaceCounts": "a list of numbers, each seen as by Laplace; an input is the number of a row of counts",
    "DiscreteGaussian": _NOISY,
    "DiscreteLaplace": _NOISY,
}


def reported(name: str) -> str:
    """The report of a mechanism, or of one for several attributes: SMP-, SPL- and RSpFD- with the name of another."""
    solution, _, part = name.partition("-")
    if solution not in ("SMP", "SPL", "RSpFD") or not part:
        return REPORTED.get(name, "")
    part = part.removesuffix("-zero").removesuffix("-random")
    said = _PARTS.get(part) or REPORTED.get(part, "")
    return f"[number of the attribute, {said}]" if solution == "SMP" else f"for each attribute: {said}"
