"""Tables of records as lists, their counts, entropies and mutual informations, and neighbors, in sentences.

A record is the list of its values; a table is a list of records in one order (a multiset). Entropies and informations
are times n, in nats: n H(X) = n log n - sum of c log c over the counts c of the values of X.
"""

from dp_spec.vocabulary.arithmetic import BOTH, Tree, every, joined, less, listed, only, those, total, x_log_x


def values(number: Tree) -> Tree:
    """The values 0..number-1 of an attribute."""
    return ["from", 0, number]


def records(attributes: Tree, domain: Tree = BOTH) -> Tree:
    """All records of so many attributes with the same values."""
    return ["lists", domain, attributes]


def tables(domain: Tree, n: Tree) -> Tree:
    """All tables of n records (or columns of n values)."""
    return ["multisets", domain, n]


def column(data: Tree, attribute: Tree) -> Tree:
    """The values of an attribute, record by record."""
    return listed("record", data, ["at", "record", attribute])


def columns(data: Tree, attributes: Tree) -> Tree:
    """The records restricted to a list of attributes."""
    return listed("record", data, listed("attribute", attributes, ["at", "record", "attribute"]))


def with_record(record: Tree) -> Tree:
    """The table of `rest` and one more record."""
    return ["joined", "rest", only(record)]


def neighbors(body: Tree, domain: Tree, n: Tree) -> Tree:
    """For every table of n records and every record in place of one of its: `rest` beside `one`, or `other`."""
    return every(body, rest=tables(domain, ["sub", n, 1]), one=domain, other=domain)


ONE, OTHER = with_record("one"), with_record("other")
"""The two neighbors."""


def entropy(data: Tree, domain: Tree) -> Tree:
    """n H of a column, or of several together, with the values of a domain."""
    parts = only(["size", data]), listed("value", domain, ["count", data, "value"])
    whole, apart = (total("many", part, x_log_x("many")) for part in parts)
    return ["sub", whole, apart]


def information(data: Tree, one: Tree, other: Tree, values_of_one: Tree, values_of_other: Tree) -> Tree:
    """n I of two attributes: of n times their entropies, less that of both together."""
    apart = (entropy(column(data, one), values_of_one), entropy(column(data, other), values_of_other))
    together = entropy(columns(data, pair(one, other)), cells(values_of_one, values_of_other))
    return total("part", joined(*map(only, apart), only(["neg", together])), "part")


def expected(data: Tree, one: Tree, other: Tree) -> Tree:
    """n times the records with these values of both attributes that there would be if they were independent."""
    return ["mul", ["count", column(data, 0), one], ["count", column(data, 1), other]]


def printed_information(data: Tree, one: Tree, other: Tree, values_of_one: Tree, values_of_other: Tree) -> Tree:
    """n I as (6) has it: over the pairs of values that occur, p(x, y) log (p(x, y) / (p(x) p(y)))."""
    joint: Tree = ["count", columns(data, pair(one, other)), pair("x", "y")]
    apart = ["mul", ["count", column(data, one), "x"], ["count", column(data, other), "y"]]
    ratio = ["div", ["mul", ["size", data], joint], apart]
    return total(
        "x",
        values_of_one,
        total("y", those("y", values_of_other, less(0, joint)), ["mul", joint, ["log", ratio]]),
    )


def association(data: Tree, values_of_one: Tree, values_of_other: Tree) -> Tree:
    """chi^2 of two attributes, over the pairs of values that both occur."""
    apart = expected(data, "row", "place")
    gap: Tree = ["sub", ["mul", ["size", data], ["count", data, pair("row", "place")]], apart]
    share = ["div", ["pow", gap, 2], ["mul", ["size", data], apart]]
    return total("row", values_of_one, total("place", those("place", values_of_other, less(0, apart)), share))


def cells(one: Tree, other: Tree) -> Tree:
    """All records of two attributes with these values."""
    return ["union", "first", one, listed("second", other, pair("first", "second"))]


def pair(one: Tree, other: Tree) -> Tree:
    """The list of two things."""
    return ["joined", only(one), only(other)]


def pairs(number: Tree) -> Tree:
    """All pairs of attributes 0..number-1, the smaller one first."""
    later = ["from", ["add", "first", 1], number]
    return ["union", "first", ["from", 0, number], listed("second", later, pair("first", "second"))]


def sensitivity(n: Tree) -> Tree:
    """n ((1/n) log n + ((n-1)/n) log(n/(n-1))): what source 003 prints for Delta I and Delta H, times n."""
    return ["sub", x_log_x(n), x_log_x(["sub", n, 1])]


def second_sensitivity(n: Tree) -> Tree:
    """n (2/n log((n+1)/2) + ((n-1)/n) log((n+1)/(n-1))), times n what PrivBayes has where no attribute is binary."""
    more, less_one = (["add", n, 1], ["sub", n, 1])
    return ["sub", ["sub", x_log_x(more), ["mul", 2, ["log", 2]]], x_log_x(less_one)]
