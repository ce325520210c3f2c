"""Tables of records as lists, their counts, entropies and mutual informations, and neighbors, in sentences.

A record is the list of its values; a table is a list of records in one order (a multiset). Entropies and informations
are times n, in nats: n H(X) = n log n - sum of c log c over the counts c of the values of X.
"""

from dp_spec.vocabulary.arithmetic import BOTH, Tree, every, listed, only, total, x_log_x


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
    return ["sub", x_log_x(["size", data]), total("value", domain, x_log_x(["count", data, "value"]))]


def information(data: Tree, one: Tree, other: Tree, values_of_one: Tree, values_of_other: Tree) -> Tree:
    """n I of two attributes: of n times their entropies, less that of both together."""
    apart = ["add", entropy(column(data, one), values_of_one), entropy(column(data, other), values_of_other)]
    cells = ["union", "first", values_of_one, listed("second", values_of_other, pair("first", "second"))]
    return ["sub", apart, entropy(columns(data, pair(one, other)), cells)]


def pair(one: Tree, other: Tree) -> Tree:
    """The list of two things."""
    return ["joined", only(one), only(other)]


def sensitivity(n: Tree) -> Tree:
    """n ((1/n) log n + ((n-1)/n) log(n/(n-1))): what source 003 prints for Delta I and Delta H, times n."""
    return ["sub", x_log_x(n), x_log_x(["sub", n, 1])]
