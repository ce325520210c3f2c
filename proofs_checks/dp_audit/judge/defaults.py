"""Do client and server have the same defaults? The signatures of an audited file, read and not run."""

import ast
import re
from collections.abc import Collection, Iterator
from itertools import product

from dp_audit.judge.plan import SOURCE
from dp_audit.judge.question import Question
from dp_audit.outcome import Row, Verdict

CHECK = "defaults"
CLIENT = re.compile(r"client|user|privati|random|perturb|obfuscat|encod|sanit", re.IGNORECASE)
SERVER = re.compile(r"server|aggregat|estimat|decod|debias|collect|analy", re.IGNORECASE)
Default = tuple[str, str, object]
"""The function, the parameter and its default."""


def default_rows(source: str, name: str, parameters: Collection[str]) -> list[Row]:
    """Return the row `defaults`, if one of these parameters has different defaults in a function of the client and in
    one of the server, as their names (or those of their classes) say; no row where the source cannot be read.

    Looked at are the class or function of this name, what it names in the same file, and of a function also the
    functions and classes there that are named like a server.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return []
    about = _about(tree, name.rpartition(".")[2])
    defaults = [
        default
        for part in about
        for default in _defaults(part, "")
        if default[1] in parameters and default[2] is not None
    ]
    clients = [default for default in defaults if _side(default[0]) == "client"]
    servers = [default for default in defaults if _side(default[0]) == "server"]
    for (one, parameter, first), (other, same, second) in product(clients, servers):
        if parameter == same and first != second:
            witness = {one: f"{parameter} = {first!r}", other: f"{parameter} = {second!r}"}
            detail = f"{parameter} is {first!r} in {one} and {second!r} in {other}, where nothing is said"
            return [Row(CHECK, Verdict.FAULT, detail, {}, witness)]
    return []


def _about(tree: ast.Module, name: str) -> list[ast.Module]:
    """Return the definitions of the file that belong to a target, each as a module of its own."""
    definitions = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    if name not in definitions:
        return []
    names, left = dict[str, None](), [name]
    if isinstance(definitions[name], ast.FunctionDef):
        left += [each for each in definitions if SERVER.search(each) and not CLIENT.search(each)]
    while left:
        each = left.pop()
        if each in definitions and each not in names:
            names[each] = None
            left += [node.id for node in ast.walk(definitions[each]) if isinstance(node, ast.Name)]
    return [ast.Module([definitions[each]], []) for each in names]


def _side(function: str) -> str:
    """Return the side that the last telling part of a name says: `Client.estimate` is of the server, as
    `Server.__init__`."""
    for part in reversed(function.split(".")):
        client, server = CLIENT.search(part) is not None, SERVER.search(part) is not None
        if client != server:
            return "client" if client else "server"
    return ""


def _defaults(node: ast.AST, inside: str) -> Iterator[Default]:
    """Give all defaults that are constants."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield from _defaults(child, f"{inside}{child.name}.")
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            arguments = child.args
            placed = [*arguments.posonlyargs, *arguments.args]
            pairs = [*zip(reversed(placed), reversed(arguments.defaults), strict=False)]
            pairs += [(a, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d is not None]
            for argument, default in pairs:
                if isinstance(default, ast.Constant):
                    yield f"{inside}{child.name}", argument.arg, default.value


QUESTIONS = (
    Question(
        "defaults",
        "do client and server have the same ones?",
        meaning=(
            "Do functions or classes of the file that are named like a client and like a server have the same "
            "default for a parameter of the oracle?"
        ),
        needs=(SOURCE,),
        unasked="said only where they differ",
        hint="give client and server one place for the defaults of their parameters",
    ),
)
