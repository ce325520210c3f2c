"""Sentences about numbers, lists of them and logarithms, as statements, and words that make them.

The language is that of `dp_spec.vocabulary.sentences`, without a law. Expressions are lists as in terms; a name is
bound once on the way to where it is used.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from dp_spec.vocabulary.statement import Domain, Statement

Tree = Any

BOTH: Tree = ["from", 0, 2]
"""The values of a binary attribute."""


@dataclass(frozen=True)
class Arithmetic(Statement):
    """The sentence is true at all points of the domain. What is verified is so at listed values of the integers, and
    for all values of the other variables."""

    type: ClassVar[str] = "arithmetic"
    domain: Domain
    sentence: Tree


def every(body: Tree, **things: Tree) -> Tree:
    """For all values of the variables, in this order."""
    for name, collection in reversed(things.items()):
        body = ["all", name, collection, body]
    return body


def some(body: Tree, **things: Tree) -> Tree:
    """For some values of the variables, in this order."""
    for name, collection in reversed(things.items()):
        body = ["some", name, collection, body]
    return body


def both(first: Tree, *others: Tree) -> Tree:
    """All of them hold."""
    for other in others:
        first = ["and", first, other]
    return first


def implies(premise: Tree, conclusion: Tree) -> Tree:
    """If one holds, the other does."""
    return ["or", ["not", premise], conclusion]


def less(one: Tree, other: Tree) -> Tree:
    """one < other."""
    return ["not", ["le", other, one]]


def only(thing: Tree) -> Tree:
    """The list of one thing."""
    return ["only", thing]


def same(things: Tree, thing: Tree) -> Tree:
    """The same thing once for each of some things."""
    return ["listed", "copy", things, thing]


def repeated(thing: Tree, number: Tree) -> Tree:
    """The list of a thing so many times."""
    return same(["from", 0, number], thing)


def joined(first: Tree, *others: Tree) -> Tree:
    """Some lists, one after the other."""
    for other in others:
        first = ["joined", first, other]
    return first


def those(name: str, things: Tree, test: Tree) -> Tree:
    """The things that pass a test."""
    return ["those", name, things, test]


def listed(name: str, things: Tree, each: Tree) -> Tree:
    """What is made of every thing, as a list."""
    return ["listed", name, things, each]


def total(name: str, things: Tree, each: Tree) -> Tree:
    """The sum over all things."""
    return ["total", name, things, each]


def product(name: str, things: Tree, each: Tree) -> Tree:
    """The product over all things."""
    return ["product", name, things, each]


def number_of(name: str, things: Tree, test: Tree) -> Tree:
    """How many things pass a test."""
    return ["size", those(name, things, test)]


def added(first: Tree, *others: Tree) -> Tree:
    """The sum of some numbers."""
    for other in others:
        first = ["add", first, other]
    return first


def larger(one: Tree, other: Tree) -> Tree:
    """The larger of two numbers."""
    return ["neg", ["min", ["neg", one], ["neg", other]]]


def largest(numbers: Tree) -> Tree:
    """The largest of a list of numbers."""
    return ["at", those("most", numbers, every(["le", "lesser", "most"], lesser=numbers)), 0]


def distance(one: Tree, other: Tree) -> Tree:
    """|one - other|."""
    return larger(["sub", one, other], ["sub", other, one])


def x_log_x(x: Tree) -> Tree:
    """x log x, 0 for x = 0."""
    return ["mul", x, ["log", ["add", x, ["number", ["eq", x, 0]]]]]
