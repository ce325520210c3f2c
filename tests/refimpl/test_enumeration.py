"""The enumerator: every path once, laws that sum to one, equal outputs merged, and a guard that fails early."""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.faults import fault_test, in_module, nothing_wrong_test
from cases.refusals import refusal_test, refuses
from dp_refimpl import HashFunction, Wheel, enumeration, smallest_constant
from dp_refimpl.coins import Coins, bernoulli, uniform
from dp_refimpl.enumeration import TooManyPathsError, exact_channel, output_law
from dp_spec.vocabulary.exceptions import DomainError, NotStochasticError
from dp_spec.vocabulary.ratfunc import EVERY_EPSILON
from strategies.exact import laws

ONE = fmpq(1)
HALF = fmpq(1, 2)
T = EVERY_EPSILON.variable("t")
Tree = Any


@st.composite
def trees(draw: st.DrawFn, depth: int = 3) -> Tree:
    """A randomized program as a tree: a leaf is an output, a node is a law with a tree for every outcome."""
    if depth == 0 or draw(st.booleans()):
        return draw(st.integers(0, 3))
    size = draw(st.integers(1, 3))
    return draw(laws(size)), [draw(trees(depth - 1)) for _ in range(size)]


def run(tree: Tree, coins: Coins) -> int:
    while not isinstance(tree, int):
        law, branches = tree
        tree = branches[coins.choose(law)]
    return tree


def expected(tree: Tree) -> dict[int, fmpq]:
    if isinstance(tree, int):
        return {tree: ONE}
    law: dict[int, fmpq] = {}
    for p, branch in zip(*tree, strict=True):
        for y, q in expected(branch).items():
            law[y] = law.get(y, fmpq(0)) + p * q
    return {y: p for y, p in law.items() if p != 0}


@given(trees())
def test_the_law_of_a_tree(tree: Tree) -> None:
    law = output_law(lambda coins: run(tree, coins), ONE)
    assert law == expected(tree)
    assert sum(law.values(), fmpq(0)) == 1


@given(st.lists(laws(3), max_size=3))
def test_choosing_each_is_choosing_one_after_the_other(each: list[tuple[fmpq, ...]]) -> None:
    one_by_one = output_law(lambda coins: tuple(coins.choose(law) for law in each), ONE)
    assert output_law(lambda coins: coins.choose_each(each), ONE) == one_by_one


@given(trees(), st.lists(laws(2), min_size=1, max_size=3), trees())
def test_choices_of_all_kinds_mix(first: Tree, each: list[tuple[fmpq, ...]], second: Tree) -> None:
    def program(coins: Coins) -> tuple[int, int, int]:
        return run(first, coins), sum(coins.choose_each(each)), run(second, coins)

    def one_by_one(coins: Coins) -> tuple[int, int, int]:
        return run(first, coins), sum(coins.choose(law) for law in each), run(second, coins)

    assert output_law(program, ONE) == output_law(one_by_one, ONE)


def test_equal_outputs_are_merged() -> None:
    law = output_law(lambda coins: sum(coins.choose((HALF, HALF)) for _ in range(4)), ONE)
    assert law == {0: fmpq(1, 16), 1: fmpq(1, 4), 2: fmpq(3, 8), 3: fmpq(1, 4), 4: fmpq(1, 16)}
    assert output_law(lambda coins: sum(coins.choose_each([(HALF, HALF)] * 4)), ONE) == law


def test_branches_of_probability_zero_are_not_walked() -> None:
    def program(coins: Coins) -> int:
        index = coins.choose((fmpq(0), ONE, fmpq(0)))
        assert index == 1
        return index

    assert output_law(program, ONE) == {1: ONE}
    assert output_law(lambda coins: coins.choose_each([(ONE, fmpq(0))] * 50), ONE) == {(0,) * 50: ONE}


def test_every_path_is_walked_once() -> None:
    walked: list[Any] = []

    def program(coins: Coins) -> int:
        walked.append((coins.choose((HALF, HALF)), coins.choose((HALF, HALF)), uniform(coins, "abc", ONE)))
        return 0

    assert output_law(program, ONE) == {0: ONE}
    assert sorted(walked) == sorted(product((0, 1), (0, 1), "abc"))


def test_all_fields() -> None:
    p = T / (T + 1)
    assert output_law(lambda coins: bernoulli(coins, p), EVERY_EPSILON.lift(1)) == {True: p, False: 1 - p}
    law = output_law(lambda coins: bernoulli(coins, arb(1) / 3), arb(1))
    assert law[True].overlaps(arb(1) / 3)


def test_the_guard_fails_before_the_paths_are_walked() -> None:
    runs = 0

    def program(coins: Coins) -> Any:
        nonlocal runs
        runs += 1
        return coins.choose_each([(HALF, HALF)] * 60)

    with pytest.raises(TooManyPathsError) as error:
        output_law(program, ONE)
    assert runs == 1
    assert error.value.value == 2**60
    assert "max_paths" in str(error.value)


def test_the_guard_counts_choices_made_one_by_one() -> None:
    runs = 0

    def program(coins: Coins) -> int:
        nonlocal runs
        runs += 1
        return sum(coins.choose((HALF, HALF)) for _ in range(10))

    assert len(output_law(program, ONE, max_paths=1024)) == 11
    assert runs == 1024
    runs = 0
    with pytest.raises(TooManyPathsError, match="estimated paths"):
        output_law(program, ONE, max_paths=1023)
    assert runs == 1


def test_the_guard_stops_a_program_that_never_ends() -> None:
    def endless(coins: Coins) -> int:
        while coins.choose((HALF, HALF)) == 0:
            pass
        return 1

    with pytest.raises(TooManyPathsError):
        output_law(endless, ONE)


def test_channels_and_progress() -> None:
    steps: list[tuple[int, int]] = []
    channel = exact_channel(
        lambda x, coins: x + coins.choose((HALF, HALF)), [3, 5], ONE, progress=lambda done, of: steps.append((done, of))
    )
    assert channel.rows == {3: {3: HALF, 4: HALF}, 5: {5: HALF, 6: HALF}}
    assert channel.inputs == (3, 5)
    assert steps == [(1, 2), (2, 2)]


def test_errors_of_the_program_are_its_own() -> None:
    def broken(coins: Coins) -> int:
        if coins.choose((HALF, HALF)) == 1:
            raise RuntimeError("of the program")
        return 0

    with pytest.raises(RuntimeError, match="of the program"):
        output_law(broken, ONE)


# Faults of an enumerator, planted in ours.

EXAMPLES: list[tuple[Callable[[Coins], Any], dict[Any, fmpq]]] = [
    (lambda coins: coins.choose((fmpq(1, 3), fmpq(2, 3))), {0: fmpq(1, 3), 1: fmpq(2, 3)}),
    (lambda coins: coins.choose((HALF, HALF)) + coins.choose((HALF, HALF)), {0: fmpq(1, 4), 1: HALF, 2: fmpq(1, 4)}),
    (lambda coins: coins.choose_each([(fmpq(1, 3), fmpq(2, 3))] * 2)[1], {0: fmpq(1, 3), 1: fmpq(2, 3)}),
    (lambda coins: coins.choose((fmpq(0), ONE)), {1: ONE}),
    (lambda coins: coins.choose((HALF, HALF)) and coins.choose((HALF, HALF)), {0: fmpq(3, 4), 1: fmpq(1, 4)}),
    (lambda coins: coins.choose_each([(HALF, HALF), (fmpq(0), ONE)])[1], {1: ONE}),
]


def wrong_laws() -> Iterator[str]:
    for number, (program, law) in enumerate(EXAMPLES):
        try:
            if output_law(program, ONE) != law:
                yield f"law of example {number}"
        except (DomainError, IndexError) as error:
            yield f"example {number}: {error}"


Coined = Any
REAL_COINS: Coined = enumeration._EnumeratingCoins


def overriding(**members: Any) -> Coined:
    return type("Faulty", (REAL_COINS,), members)


def doubled(self: Any, outcomes: Any, weights: Any) -> None:
    REAL_COINS._extend(self, outcomes, [weight * weight for weight in weights])


FAULTS: dict[str, tuple[str, Any]] = {
    "zeros walked": ("_support", lambda law: [*enumerate(law)]),
    "uniform instead of the law": ("_support", lambda law: [(i, ONE / len(law)) for i, p in enumerate(law) if p != 0]),
    "last branch forgotten": ("_support", lambda law: [(i, p) for i, p in enumerate(law) if p != 0][: len(law) - 1]),
    "indices renumbered": ("_support", lambda law: [*enumerate(p for p in law if p != 0)]),
    "joint probabilities not multiplied": (
        "_joint_support",
        lambda supports, one: (
            [tuple(i for i, _ in pick) for pick in product(*supports)],
            [one * pick[-1][1] for pick in product(*supports)],
        ),
    ),
    "probabilities counted twice": ("_EnumeratingCoins", overriding(_extend=doubled)),
    "every second path": (
        "_EnumeratingCoins",
        overriding(advance=lambda self: REAL_COINS.advance(self) and REAL_COINS.advance(self)),
    ),
    "one path only": ("_EnumeratingCoins", overriding(advance=lambda self: False)),
}


test_planted_fault_is_caught = fault_test(wrong_laws, in_module(enumeration, FAULTS))
test_laws_without_a_fault = nothing_wrong_test(wrong_laws)


def test_a_mechanism_with_a_fixed_hash_function() -> None:
    h = HashFunction((0, 1), (fmpq(0), fmpq(1, 2)))
    fixed = exact_channel(lambda s, coins: WHEEL.randomize(s, h, coins), WHEEL.inputs, WHEEL.one)
    assert smallest_constant(fixed) == WHEEL.budget.exp()


WHEEL = Wheel(d=2, m=1, epsilon=1)
OFFERS: tuple[Callable[[Any], Any], ...] = (
    lambda law: output_law(lambda coins: coins.choose(law), ONE),
    lambda law: output_law(lambda coins: coins.choose_each([law]), ONE),
    lambda law: output_law(lambda coins: coins.choose_each([(ONE,), law]), ONE),
)
test_refusals = refusal_test(
    refuses("inputs|rows", lambda inputs: exact_channel(lambda x, coins: x, inputs, ONE), [1, 1], []),
    *(refuses("", offer, (), (HALF,), (HALF, ONE), (fmpq(2), fmpq(-1)), kind=NotStochasticError) for offer in OFFERS),
    refuses("program", exact_channel, WHEEL, WHEEL.density, len, 3, None),
)
