"""Sentences about laws and channels as sentences about lists. This translation is trusted.

The law of every set of items is one list, the table: a row [set, output, chance] for every set and every output that is
possible for it. What a sentence says of sets, supports and chances it says of the rows. A report that shows no item is
an empty list.
"""

from typing import Any

TABLE = "[law]"
"""The name of the table, which no identifier is."""
ROW = "[row]"
EMPTY: list[Any] = ["from", 0, 0]
ITEMS: list[Any] = ["from", 0, ["add", "K", "N"]]


def part(place: int, row: Any = ROW) -> Any:
    return ["at", row, place]


def both(*truths: Any) -> Any:
    """All of them."""
    first, *others = truths
    return ["and", first, both(*others)] if others else first


def sets(low: Any, high: Any) -> Any:
    """The sets of so many to so many items."""
    size = ["size", ROW]
    return ["those", ROW, ["events", ITEMS], both(["le", low, size], ["le", size, high])]


def is_empty(output: Any) -> Any:
    """Whether a report shows no sensitive item: it is an empty list, or a list of at most m such."""
    blanks = ["union", ROW, ["from", 0, ["add", "m", 1]], ["lists", ["only", EMPTY], ROW]]
    return ["in", output, blanks]


def about_tables(tree: Any) -> Any:
    """The sentence, or a part of one, with what its words about laws say of tables."""
    if not isinstance(tree, list):
        return tree
    match [tree[0], *map(about_tables, tree[1:])]:
        case ["sets", low, high]:
            return sets(low, high)
        case ["support", "law", held]:
            return ["union", ROW, possible(held), ["only", part(1)]]
        case ["chance", "law", held, output]:
            return ["total", ROW, ["those", ROW, of_set(held), ["eq", part(1), output]], part(2)]
        case ["empty", output]:
            return is_empty(output)
        case other:
            return other


def is_channel() -> Any:
    """The sentence that the table is that of a channel: of sets of m among K + N items, at least two; with chances > 0
    that add up to 1 for every set; for reports [what is seen, items], where no item is listed twice."""
    inputs, shown = sets("m", "m"), part(1, part(1))
    whole = (["eq", ["size", ["from", 0, name]], name] for name in ("K", "N", "m"))
    row = both(
        ["eq", ["size", ROW], 3],
        ["eq", ["size", part(1)], 2],
        ["in", part(0), inputs],
        ["not", ["le", part(2), 0]],
        ["all", "[item]", shown, both(["in", "[item]", ITEMS], ["eq", ["count", shown, "[item]"], 1])],
        ["eq", ["size", ["those", "[same]", TABLE, alike(ROW, "[same]")]], 1],
    )
    return both(
        *whole,
        both(["le", 1, "K"], ["le", 1, "m"], ["not", ["le", "e_eps", 1]], ["le", 2, ["size", inputs]]),
        ["all", ROW, TABLE, row],
        ["all", "[set]", inputs, ["eq", ["total", ROW, of_set("[set]"), part(2)], 1]],
    )


def alike(row: Any, other: Any) -> Any:
    """Whether two rows are of one set and one output."""
    return both(*(["eq", part(place, row), part(place, other)] for place in (0, 1)))


def of_set(held: Any) -> Any:
    """The rows of a set."""
    return ["those", ROW, TABLE, ["eq", part(0), held]]


def possible(held: Any) -> Any:
    """Those with a chance that is not 0."""
    return ["those", ROW, of_set(held), ["not", ["eq", part(2), 0]]]


def related(relation: str) -> Any:
    """Whether a reading compares the sets `[set]` and `[beside]`, which differ."""
    different = ["not", ["eq", "[set]", "[beside]"]]
    lost, gained = (
        ["those", ROW, one, ["not", ["in", ROW, other]]]
        for one, other in (("[set]", "[beside]"), ("[beside]", "[set]"))
    )
    if relation == "deniability":
        sensitive = ["not", ["le", "K", ["at", lost, 0]]]
        return both(["eq", ["size", lost], 1], ["eq", ["size", gained], 1], sensitive)
    if relation == "samenon":
        kept = (["those", ROW, held, ["le", "K", ROW]] for held in ("[set]", "[beside]"))
        return both(different, ["eq", *kept])
    return different


def ratios(relation: str, counted: str, sizes: tuple[Any, Any], bound: Any, smallest: bool) -> Any:
    """The sentence that every compared ratio of chances is at most the bound; and that one of them is equal to it, if
    the bound is the smallest one."""
    output = part(1, "[report]")
    seen = part(0, output) if relation == "marginal" else output
    subject = [["not", ["eq", part(2, "[report]"), 0]]]
    if counted == "nonempty":
        subject.append(["not", is_empty(part(0, output))])
    if relation == "joint":
        subject.append(
            ["all", "[item]", part(1, output), both(["in", "[item]", "[set]"], ["in", "[item]", "[beside]"])]
        )
    same = part(0, part(1)) if relation == "marginal" else part(1)

    def chance(held: str) -> Any:
        return ["total", ROW, ["those", ROW, of_set(held), ["eq", same, seen]], part(2)]

    def of_all(quantifier: str, truth: Any) -> Any:
        """What is said of all, or of some, compared sets and reports."""
        reports = [
            "those",
            "[report]",
            ["those", "[report]", TABLE, ["eq", part(0, "[report]"), "[set]"]],
            both(*subject),
        ]
        inner = [
            quantifier,
            "[beside]",
            ["those", "[beside]", sets(*sizes), related(relation)],
            [quantifier, "[report]", reports, truth],
        ]
        return [quantifier, "[set]", sets(*sizes), inner]

    bounded = of_all("all", ["le", chance("[set]"), ["mul", bound, chance("[beside]")]])
    return (
        both(bounded, of_all("some", ["eq", chance("[set]"), ["mul", bound, chance("[beside]")]]))
        if smallest
        else bounded
    )
