"""Attempts: statements with a verdict and evidence, about random laws and random terms, and changed claims of the
project's own."""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from attack import mutate, noise, prover, relations, shuffle, sketches, terms
from attack.command import WORK
from attack.truth import JUDGES
from attack.worlds import names
from dp_checks.check import cases
from dp_checks.kernel.work import limited
from dp_spec.frequency.claims import source_002, source_004
from dp_spec.vocabulary.statement import Statement

Json = dict[str, Any]

@cache
def real_statements() -> list[Json]:
    """The statements about laws that the project makes, parts one by one."""
    found: list[Json] = []

    def collect(body: Json) -> None:
        for part in body.get("parts", ()):
            collect(part)
        if body["type"] in JUDGES and _is_finite(body):
            found.append(body)

    for claim in (*source_002(), *source_004()):
        for _, formal in claim.formals():
            if isinstance(formal, Statement):
                collect(formal.json())
    return found


def _is_finite(body: Json) -> bool:
    return not names(body["law"]["term"]) & {"hashed"}


@cache
def certificates(folder: Path) -> tuple[Json, ...]:
    """The project's certificates, as written by `make certify`."""
    return tuple(json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json")))


def attempts(rng: Random, real: Sequence[Json]) -> Iterator[prover.Attempt]:
    """A few attempts of one sort: a changed certificate, a random law, or a changed statement."""
    if real and rng.random() < 0.35:
        for _ in range(3):
            body, other = rng.sample(real, 2)
            parts = ("statement", "verdict", "evidence")
            if rng.random() < 0.3:  # evidence of a row of the same kind
                other = rng.choice([c for c in real if c["statement"]["type"] == body["statement"]["type"]])
                body = {**body, "evidence": other["evidence"]}
            changed = mutate.mutated({name: body[name] for name in parts}, [other], rng)
            if parts == tuple(changed) and isinstance(changed["statement"], dict):
                yield changed["statement"], changed["verdict"], changed["evidence"]
        return
    if rng.random() < 0.3:
        yield from relations.attempts(rng)
        return
    if rng.random() < 0.1:
        with suppress(*prover.ERRORS), limited(WORK):
            yield from noise.attempts(rng)
        return
    if rng.random() < 0.07:
        yield from _some(shuffle.attempts(rng), 8, rng)
        return
    if rng.random() < 0.3:
        yield from _some(sketches.about(sketches.law(rng), rng), 6, rng)
        return
    if rng.random() < 0.6:
        yield from _some(prover.about(terms.law(rng), rng), 6, rng)
        return
    bodies = real_statements()
    body = rng.choice(bodies)
    while True:
        changed = mutate.mutated(body, [rng.choice(bodies)], rng)
        yield from _some(evidence_for(changed, rng), 4, rng)
        if rng.random() < 0.5:
            return


def _some(proposed: Iterator[prover.Attempt], number: int, rng: Random) -> list[prover.Attempt]:
    """Some of what is proposed (for which the kernel is asked, too, so that its work is limited)."""
    found = []
    with suppress(*prover.ERRORS), limited(WORK):
        for attempt in proposed:
            found.append(attempt)
    return rng.sample(found, min(number, len(found)))


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
            for place, found in (
                (cases.FEW, cases.few_multipliers(base)),
                (cases.BETWEEN, cases.between_multipliers(base)),
            ):
                yield body, "proved", {"rule": "linear", "cases": place, "multipliers": found}
        case "unbounded":
            for _ in range(6):
                yield body, "verified", prover.at_small_sizes(body, rng)
        case "invertible":
            yield body, "proved", {"rule": "support"}
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
