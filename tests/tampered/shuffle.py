"""Changes after which a certificate about shuffled reports is no longer true, or no longer shown."""

from typing import Any

from tampered.changes import Change, E, S, more, put

FIRST = (E, "instances", 0)
ROW = (S, "law", "term", 1, 1, "sen")
"""Of ["drawn", ["row", kinds]]."""
MIXED = (S, "law", "term", 3, 1, "sen")
"""Of ["mix", family, labels, ["row", kinds]]."""


def less(x: Any) -> Any:
    return ["div", x, 2]


def twice(x: Any) -> Any:
    return ["mul", 2, x]


def split(cells: Any) -> Any:
    """The same law, a part of every chance uniform."""
    return {"own": ["sub", cells["own"], cells["other"]], "other": 0, "any": cells["other"]}


def premised(chance: Any) -> Any:
    """Two items share a label with this chance."""
    return lambda law: {**law, "families": {"hash": chance}}


def _told(at: tuple[Any, ...]) -> list[Change]:
    """Hints that are none."""
    return [
        *(put(*at, "width")(x) for x in (0, -1, 65)),
        *(put(*at, "bits")(x) for x in (0, 7, 1025)),
        *(put(*at, "knots")(x) for x in ([], [1], [0, 0], [0, 3, 2], [-1, 0])),
    ]


def _falsified(at: tuple[Any, ...], over: bool) -> list[Change]:
    """Other numbers of users and messages, another budget, another delta; another relation, other names."""
    return [
        put(S, "delta")(less if over else twice),
        put(S, "delta")(["neg", 1]),
        put(S, "users")(lambda old: ["div", old, 3] if over else ["mul", old, 2]),
        put(S, "users")(0),
        put(S, "users")(["div", 5, 2]),
        put(S, "dummies")(-1),
        put(S, "dummies")(["div", 1, 2]),
        put(S, "e_eps")(["div", 1, 2]),
        put(S, "e_eps")(lambda old: ["add", 1, ["div", old, 9]] if over else ["mul", 4, old]),
        put(S, "relation")("ge"),
        put(S, "at")({}),
        put(S, "at")(lambda old: {**old, "m": 1}),
        put(S, "at")(lambda old: {**old, "N": 0}),
        put(S, "domain", "constraints")([-1]),
        put(S, "domain", "variables")({"z": {"min": 0, "strict": False, "integer": False, "unit": False}}),
        put(*at, "by")("all users"),
        put(*at, "values")({"z": 1}),
        *_told(at),
    ]


def _of_response(row: tuple[Any, ...]) -> list[Change]:
    return [put(*row)(split), put(*row, "own")(less), put(*row[:-1])(lambda kinds: {**kinds, "non": kinds["sen"]})]


_LOW = [
    put(E, "by")("blanket"),
    put(E, "by")("all data sets"),
    put(E, "line")([0, 0, 1]),
    put(E, "line")([0, 2, 1]),
    put(E, "line")([10**6, 0, 1]),
    put(E, "line")([-5, 0, 1]),
    put(E, "line")([0, 1, 0]),
    put(E, "line")([0, 1]),
    put(E, "line")(["0", 1, 2]),
]
_UP = [put(S, "relation")("lt"), put(S, "relation")("eq"), put(*FIRST, "by")("all data sets")]
_ENUMERATED: list[Change] = [
    put(S, "users")(more),
    put(S, "users")(100),
    put(S, "at", "K")(9),
    put(S, "at", "K")(1),
    put(S, "e_eps")(["exp", 1]),
    put(S, "law", "term")(lambda of: ["push", "one", of]),
]


def _swapped(statement: Any) -> Any:
    return {
        **statement,
        "dummies": statement["than"]["dummies"],
        "than": {**statement["than"], "dummies": statement["dummies"]},
    }


FALSIFIED_SHUFFLE: dict[str, list[Change]] = {
    "divergence proved by a blanket": [
        *_falsified(FIRST, over=True),
        *_of_response(ROW),
        *_UP,
        put(*FIRST, "by")("ones"),
        put(*FIRST, "knots")([0, 2, 4]),
        put(*FIRST, "width")(1),
        put(S, "at", "K")(2),
        put(S, "at", "K")(["div", 9, 2]),
        put(S, "at", "w")(20),
        put(S, "at", "w")(["exp", 3]),
        put(S, "at", "w")(1),
        put(S, "law", "term")(lambda of: ["push", "one", of]),
    ],
    "divergence proved beside uniform messages": [
        *_falsified(FIRST, over=True),
        *_of_response(ROW),
        *_UP,
        put(S, "dummies")(0),
        put(S, "dummies")(60),
        put(*FIRST, "knots")([0]),
        put(S, "at", "w")(8),
    ],
    "divergence proved at a harder point": [
        *_falsified(FIRST, over=True),
        *_of_response(ROW),
        put(S, "dummies")(78),
        put(S, "users")(48),
        put(S, "e_eps")(["div", 198, 100]),
        put(*FIRST, "users")(51),
        put(*FIRST, "users")(20),
        put(*FIRST, "users")(0),
        put(*FIRST, "users")("49"),
        put(*FIRST, "dummies")(81),
        put(*FIRST, "dummies")(-1),
        put(*FIRST, "e_eps")("201/100"),
        put(*FIRST, "e_eps")("1/2"),
        put(*FIRST, "by")("ones"),
    ],
    "divergence proved for any functions": [
        *_falsified(FIRST, over=True),
        *_of_response(MIXED),
        *_UP,
        put(*FIRST, "by")("ones"),
        put(S, "at", "b")(2),
        put(S, "at", "b")(1),
        put(S, "at", "b")(["div", 7, 2]),
        put(S, "at", "K")(1),
        put(S, "at", "w")(8),
    ],
    "divergence proved for every randomizer": [
        *_falsified(FIRST, over=True),
        *_UP,
        put(*FIRST, "by")("ones"),
        put(S, "dummies")(1),
        put(S, "at", "x")(9),
        put(S, "at", "x")(["div", 1, 2]),
    ],
    "divergence proved for two labels": [
        *_falsified(FIRST, over=True),
        *_of_response(ROW),
        *_UP,
        put(*FIRST, "by")("blanket"),
        put(S, "at", "K")(3),
        put(S, "at", "w")(4),
    ],
    "divergence proved by enumeration": [
        *_ENUMERATED,
        put(S, "relation")("lt"),
        put(S, "delta")(more),
        put(S, "delta")(less),
        put(S, "delta")(["log", ["exp", ["div", 8, 81]]]),
        put(S, "at", "t")(3),
        put(S, "at", "t")(["exp", 1]),
        put(S, "dummies")(1),
        put(*FIRST, "by")("blanket"),
        put(*FIRST, "by")("ones"),
        put(S, "law", "term", 2, 1, "sen1", "0")(less),
    ],
    "divergence verified for one user": [
        *_ENUMERATED[:-1],
        put(S, "relation")("lt"),
        put(S, "delta")(less),
        put(S, "e_eps")("budget"),
        put(S, "at", "w")(more),
        put(S, "domain", "constraints")([["sub", "budget", 3]]),
        put(S, "domain", "variables", "budget", "integer")(True),
        put(S, "domain", "variables", "budget", "min")(2),
        put(*FIRST, "values")({}),
        put(*FIRST, "values", "budget")(1),
        put(E, "instances")([]),
    ],
    "divergence verified beside fewer messages": [
        put(S)(_swapped),
        put(S, "dummies")(0),
        put(S, "than", "dummies")(2),
        put(S, "than", "dummies")(3),
        put(S, "relation")("eq"),
        put(S, "delta")(1),
        put(S, "e_eps")(["mul", 2, "budget"]),
        put(S, "e_eps")(["exp", 1]),
        put(S, "than", "law", "term", 1, 1, "sen", "own")(less),
        put(S, "than", "law", "term", 1, 1, "sen")(lambda cells: {"own": ["div", 1, "K"], "other": ["div", 1, "K"]}),
        put(S, "at", "K")(1),
        put(*FIRST, "values", "users")(0),
        put(*FIRST, "by")("blanket"),
        put(E, "instances")([]),
    ],
    "divergence refuted by a third value": [
        *_falsified((E,), over=False),
        *_of_response(ROW),
        *_LOW,
        put(E, "by")("blanket"),
        put(E, "by")("ones"),
        put(S, "at", "K")(2),
        put(S, "at", "w")(5),
        put(S, "dummies")(20),
    ],
    "divergence refuted by a public function": [
        *_falsified((E,), over=False),
        *_of_response(MIXED),
        *_LOW,
        put(E, "by")("blanket"),
        put(E, "by")("ones"),
        put(S, "at", "K")(2),
        put(S, "at", "b")(2),
        put(S, "law")(premised(["div", 1, "b"])),
        put(S, "law")(premised(1)),
    ],
    "divergence refuted by merged labels": [
        *_falsified((E,), over=False),
        *_of_response(ROW),
        *_LOW[:2],
        put(E, "data")([]),
        put(E, "data")([11]),
        put(E, "data")([12]),
        put(S, "at", "w")(2),
        put(S, "dummies")(20),
    ],
    "divergence refuted under listed functions": [
        put(S, "delta")(["div", 5, 18]),
        put(S, "users")(2),
        put(S, "at", "b")(2),
        put(S, "at", "K")(3),
        put(S, "law")(premised(["div", 1, "b"])),
        put(E, "data")([0, 0]),
        put(E, "data")([0, 4]),
        put(E, "hashes")({}),
        put(E, "hashes", "hash")(lambda listed: listed[1:]),
        put(E, "hashes", "hash", 0, 0)("1/3"),
        put(E, "hashes", "hash", 0, 1)([0, 0, 1, 2]),
        put(E, "hashes", "hash", 0, 1)([0, 1, 1]),
        put(E, "hashes", "hash", 0, 1)([0, 3, 1, 2]),
    ],
    "divergence refuted by a randomizer": [
        *_falsified((E,), over=False),
        *_LOW[:2],
        put(E, "by")("blanket"),
        put(E, "data")([]),
        put(E, "data")([-1]),
        put(E, "data")([150]),
        put(E, "data")([300]),
        put(S, "at", "x")(2),
        put(S, "dummies")(1),
    ],
    "divergence refuted by ones": [
        *_falsified((E,), over=False),
        *_of_response(ROW),
        *_LOW[:2],
        put(E, "data")([11]),
        put(E, "data")([12]),
        put(S, "at", "K")(3),
        put(S, "at", "w")(2),
    ],
    "divergence refuted beside more messages": [
        put(S)(_swapped),
        put(S, "dummies")(3),
        put(S, "delta")(1),
        put(S, "e_eps")(["exp", 1]),
        put(E, "data")([0, 0, 2]),
        put(E, "data")([0, 3, 2]),
        put(E, "data")([0, 1]),
        put(E, "data")([0, 1, 2, 2]),
        put(E, "data")([0, 1, 3]),
        put(E, "data")([0, 1, -1]),
        put(E, "by")("ones"),
        put(E, "by")("third"),
        put(E, "values", "users")(3),
        put(E, "values", "budget")(1),
    ],
    "divergence refuted by enumeration": [
        put(S, "delta")(["div", 8, 81]),
        put(S, "users")(["add", 2, 1]),
        put(S, "e_eps")(3),
        put(S, "at", "t")(["div", 3, 2]),
        put(E, "data")([0, 1, 1]),
        put(E, "data")([1, 0, 0]),
        put(E, "data")([0, 0, 0]),
        put(E, "data")([0, 2, 0]),
        put(E, "data")([0, 1]),
        put(E, "by")("ones"),
    ],
}
