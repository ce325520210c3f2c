"""Attempts: statements with a verdict and evidence, about random laws and random terms, and changed claims of the
project's own."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from attack import (
    arithmetic,
    cases,
    implications,
    mutate,
    noise,
    prover,
    relations,
    rules,
    shuffle,
    sketches,
    synthesis,
    terms,
    wheels,
)
from attack.command import WORK
from attack.truth import JUDGES
from attack.worlds import names
from dp_checks.check import extremal_pairs as places
from dp_checks.check.inhabitants import inhabitant
from dp_kernel.meter import limited
from dp_spec.frequency.claims import source_002, source_004
from dp_spec.vocabulary.statement import Statement

Json = dict[str, Any]


@cache
def real_statements() -> list[Json]:
    """The statements about laws that the project makes, parts one by one."""
    statements: list[Json] = []

    def collect(body: Json) -> None:
        for part in body.get("parts", ()):
            collect(part)
        if body["type"] in JUDGES and _is_finite(body):
            statements.append(body)

    for claim in (*source_002(), *source_004()):
        for _, formal in claim.formals():
            if isinstance(formal, Statement):
                collect(formal.json())
    return statements


def _is_finite(body: Json) -> bool:
    return not names(body["law"]["term"]) & {"hashed"}


@cache
def certificates(folder: Path) -> tuple[Json, ...]:
    """The project's certificates, as written by `make certify`."""
    return tuple(json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json")))


SORTS: tuple[tuple[int, Callable[[Random], Iterator[prover.Attempt]], int], ...] = (
    (24, relations.attempts, 30),
    (18, noise.attempts, 8),
    (6, shuffle.attempts, 8),
    (8, shuffle.bounds, 6),
    (8, implications.attempts, 8),
    (8, wheels.attempts, 8),
    (16, arithmetic.attempts, 6),
    (8, synthesis.attempts, 4),
    (12, cases.attempts, 6),
    (6, cases.cards, 6),
    (16, lambda rng: sketches.about(sketches.law(rng), rng), 6),
    (24, lambda rng: prover.about(terms.law(rng), rng), 6),
)
"""How often statements of a sort are made, which, and how many of them at once."""


def attempts(rng: Random, real: Sequence[Json]) -> Iterator[prover.Attempt]:
    """A few attempts of one sort: a changed certificate, a random law, or a changed statement; some as a part of
    another statement, or denied."""
    drawn = rng.random()
    if real and drawn < 0.15:
        yield from _changed(rng, real)
    elif real and drawn < 0.3:
        yield from _example(rng, real)
    elif rng.random() < 0.12:
        bodies = real_statements()
        changed = mutate.mutated(rng.choice(bodies), [rng.choice(bodies)], rng)
        yield from _some(evidence_for(changed, rng), 4, rng)
    else:
        weights = [weight for weight, *_ in SORTS]
        [(_, made, number)] = rng.choices(SORTS, weights)
        for attempt in _some(made(rng), number, rng):
            yield _within(_inhabited(attempt), rng)


def _inhabited(attempt: prover.Attempt) -> prover.Attempt:
    """The attempt, with a point of its domain, if it is about one and has some."""
    statement, verdict, evidence = attempt
    if statement["type"] in ("formula", "bounded") and "values" not in evidence:
        with suppress(*prover.ERRORS):
            return statement, verdict, {"values": inhabitant(statement), **evidence}
    return attempt


_EXAMPLES: dict[int, tuple[Sequence[Json], list[Json]]] = {}


def examples(real: Sequence[Json]) -> list[Json]:
    """For every form of evidence, word and card the shortest certificate that names it."""
    if id(real) not in _EXAMPLES:
        bodies: dict[str, Json] = {}
        for body in sorted(real, key=lambda body: len(json.dumps(body))):
            cards = (f"card {card}" for card in body["cards"])
            for name in (*rules.told(body["statement"], body["verdict"], body["evidence"]), *cards):
                bodies.setdefault(name, body)
        _EXAMPLES[id(real)] = real, [bodies[name] for name in sorted(bodies)]
    return _EXAMPLES[id(real)][1]


def _example(rng: Random, real: Sequence[Json]) -> Iterator[prover.Attempt]:
    """A certificate of the project, and its evidence for nearly the same statement."""
    body = rng.choice(examples(real))
    yield body["statement"], body["verdict"], body["evidence"]
    for _ in "12":
        yield mutate.mutated(body["statement"], [body["statement"]], rng), body["verdict"], body["evidence"]


def _changed(rng: Random, real: Sequence[Json]) -> Iterator[prover.Attempt]:
    """Certificates of the project with a change, or with evidence of another row of their kind."""
    parts = ("statement", "verdict", "evidence")
    for _ in range(3):
        body, other = rng.sample(real, 2)
        if rng.random() < 0.3:
            other = rng.choice([c for c in real if c["statement"]["type"] == body["statement"]["type"]])
            body = {**body, "evidence": other["evidence"]}
        changed = mutate.mutated({name: body[name] for name in parts}, [other], rng)
        if parts == tuple(changed) and isinstance(changed["statement"], dict):
            yield changed["statement"], changed["verdict"], changed["evidence"]


def _within(attempt: prover.Attempt, rng: Random) -> prover.Attempt:
    """The attempt itself, or its negation, or one about all parts of which it is one."""
    statement, verdict, evidence = attempt
    denied = {"proved": "refuted", "refuted": "proved"}
    if verdict in denied and rng.random() < 0.04:
        return {"type": "not", "of": statement}, denied[verdict], {"evidence": evidence}
    body = {"type": rng.choice(("all", "all", "instances")), "parts": [statement] * 2}
    if verdict in ("proved", "verified") and rng.random() < 0.03:
        word = rng.choice((verdict, "verified"))  # of instances that is what is accepted
        return body, word, {"parts": [[verdict, evidence]] * 2}
    if verdict == "refuted" and rng.random() < 0.03:
        return body, verdict, {"part": rng.choice((0, 1)), "evidence": evidence}
    return attempt


def _some(proposed: Iterator[prover.Attempt], number: int, rng: Random) -> list[prover.Attempt]:
    """Some of what is proposed (for which the kernel is asked, too, so that its work is limited)."""
    sample = []
    with suppress(*prover.ERRORS), limited(WORK):
        for attempt in proposed:
            sample.append(attempt)
    return rng.sample(sample, min(number, len(sample)))


def evidence_for(body: Json, rng: Random) -> Iterator[prover.Attempt]:
    """What might be accepted as evidence for a given statement."""
    match body["type"]:
        case "ratio":
            powers = prover.powers_of(body, rng)
            yield body, "proved", {"rule": "product", "powers": powers}
            yield body, "proved", {"rule": "linear"}
            yield from prover.about_witnesses(body, rng)
        case "smallest":
            powers = prover.powers_of(body, rng)
            for place, _ in prover.PLACES:
                for rule in (
                    {"rule": "product", "powers": powers},
                    {"rule": "linear", "multipliers": {}},
                    {"rule": "matching"},
                ):
                    yield body, "proved", {**rule, "cases": place}
            base = body["law"]["base"]
            for place, multipliers in (
                (places.FEW, places.few_multipliers(base)),
                (places.BETWEEN, places.between_multipliers(base)),
            ):
                yield body, "proved", {"rule": "linear", "cases": place, "multipliers": multipliers}
        case "unbounded":
            for _ in range(6):
                yield body, "verified", prover.at_small_sizes(body, rng)
        case "computable":
            yield body, "verified", prover.at_small_sizes(body, rng)
        case "product-form":
            yield body, "verified", prover.at_small_sizes(body, rng)
        case "same-law" | "cost":
            yield body, "verified", prover.at_small_sizes(body, rng)
        case "padding":
            yield body, "verified", prover.at_small_sizes(body, rng)
        case "bernoulli-sum":
            yield body, "verified", prover.at_small_sizes(body, rng)
        case "unbiased" | "mse" | "mean" | "variance" | "chance":
            yield body, "proved", {"rule": "contributions"}
            if users := prover._users(body["law"], body["item"], rng):
                yield from prover._refuted(body, users, rng)
        case "shared":
            yield body, "proved", {"rule": "total"}
