"""Laws of programs that have infinitely many paths: all paths are walked up to a cut."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from independent.numbers import fraction

Script = tuple[int, ...]
"""What was chosen, one choice after the other."""
Cut = Callable[[Script, Fraction], bool]
"""Whether a path that is so likely ends after these choices."""


class MoreChoices(Exception):
    """The path goes on with these probabilities."""

    def __init__(self, probabilities: tuple[Fraction, ...]) -> None:
        self.probabilities = probabilities


class PathCoins:
    """Coins that follow a script and stop at its end; what is certain is no choice."""

    def __init__(self, script: Script = ()) -> None:
        self.left = list(script)

    def choose(self, probabilities: Sequence[Any]) -> int:
        law = tuple(p if isinstance(p, Fraction) else fraction(p) for p in probabilities)
        assert sum(law) == 1
        if 1 in law:
            return law.index(1)
        if not self.left:
            raise MoreChoices(law)
        return self.left.pop(0)

    def choose_each(self, laws: Sequence[Sequence[Any]]) -> tuple[int, ...]:
        return tuple(self.choose(law) for law in laws)


def walked(program: Callable[[PathCoins], Any], cut: Cut) -> tuple[dict[Any, Fraction], Fraction]:
    """The chances of the outcomes of all paths that are not cut, and the chance of those that are."""
    law: dict[Any, Fraction] = {}
    longer, paths = Fraction(0), [(Script(), Fraction(1))]
    while paths:
        script, chance = paths.pop()
        try:
            outcome = program(PathCoins(script))
        except MoreChoices as more:
            if cut(script, chance):
                longer += chance
            else:
                paths += [((*script, i), chance * p) for i, p in enumerate(more.probabilities) if p]
        else:
            law[outcome] = law.get(outcome, Fraction(0)) + chance
    return law, longer


def after(choices: int) -> Cut:
    """So many choices are the most."""
    return lambda script, chance: len(script) == choices


def below(least: Fraction) -> Cut:
    """Less likely paths are cut."""
    return lambda script, chance: chance < least
