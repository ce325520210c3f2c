"""The parts of a job: what a protocol says about itself, its laws, its estimates."""

from __future__ import annotations

import contextlib
import copy
import io
import itertools
import json
import os
import platform
import sys
import warnings
from dataclasses import replace
from math import gcd
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

from ..jobs import Answer, Emit, captured, tell_failure
from ..refusals import TEXT_LIMIT, Refusal, Seeded, UnmodeledRandomness
from ..targets import (
    TARGET,
    Spelled,
    by_item,
    decode,
    ignored_methods,
    load,
    protocol_of,
    require_methods,
    stated_variance,
    taken,
)
from ..wrappers import at_budgets
from .coins import Limits
from .expressions import expression
from .frontier import Watch
from .hash_draws import conditioned_place
from .laws import Law
from .lazy_integer import LazyInteger
from .output_json import Key, described
from .path_walk import SELDOM, Canonical, drawing, exact_law
from .replacements import Interceptor
from .rewrite import Loader

SHARE = 0.7
"""The share of a job's seconds for the laws on its inputs."""
BRIEF = 2.0
"""Seconds for laws on inputs outside, and for those of reused clients: half of the rest each, and at most these."""
JOINTLY = 40
"""2^-40 of the joint law of two reports may stay unexplored."""
EARLY, HOPELESS = (2, 8), 1.5
"""After this many laws the time for all is estimated; more than this multiple of what is left is hopeless."""
LISTS, FEW_LISTS, FEW_NUMBERS, GOLDEN = 4096, 1024, 1 << 15, 0.618
"""Of up to so many lists of reports the estimates of all are computed; of more those of so many lists, or so many
estimates, in steps of about this part of all lists."""
TWICE = 128
"""So many lists of reports are estimated twice, then every 16th, as paths are walked twice."""
_FIXED = frozenset([int, bool, float, str, type(None)])
"""Types of inputs that no code can change."""
ALIKE = 40
"""On more inputs than this, fewer paths of each law are walked twice, and loops are cut off earlier."""


def _of_many(limits: Limits, inputs: int) -> Limits:
    """Return the limits of each of so many laws."""
    if inputs <= ALIKE:
        return limits
    short = min(limits.short // 4, max(8, limits.short * ALIKE // inputs))
    return replace(limits, twice=max(32, limits.twice * ALIKE // inputs), short=short)


class Session:
    """Runs the parts of one job and emits each as soon as it is known: a failing or hanging one loses nothing."""

    def __init__(self, job: Dict[str, Any], emit: Emit, printed: Callable[[], str]) -> None:
        self._emit, self._printed = emit, printed
        self._take(job)
        self._interceptor = Interceptor(watch_generators=False, limits=self._limits)
        self._found: List[Tuple[str, str]] = []
        self._models: Dict[str, int] = {}
        self._protocol: Any = None
        self._estimands = 0
        self._refused = ""
        self._shown: List[Any] = []  # the outcomes of draws that the facts are about, once a report showed them

    def _take(self, job: Dict[str, Any]) -> None:
        self._job = job
        conditioned, least = tuple(job.get("conditioned", ())), job.get("condition_from")
        self._limits = Limits(**job.get("limits", {}), conditioned=conditioned, condition_from=least)
        seconds = job.get("seconds")
        self._seconds = float("inf") if seconds is None else float(seconds)

    def find(self, kind: str, message: str) -> None:
        """Emit a finding, once."""
        if (kind, message) not in self._found:
            self._found.append((kind, message))
            self._emit("finding", kind=kind, message=message[:TEXT_LIMIT])

    def run(self) -> None:
        """Run all parts of the job."""
        with self._interceptor:
            self._all(getattr(self._import(), self._job["protocol"]))

    @contextlib.contextmanager
    def kept(self) -> Iterator[Answer]:
        """Import what jobs share; what it gives answers each of them, in a copy of this process."""
        emit, failure = self._emit, None
        answers: List[Tuple[str, Dict[str, Any]]] = []

        def tell(part: str, **content: Any) -> None:
            answers.append((part, content))

        def answer(job: Dict[str, Any]) -> None:
            self._printed()  # what another copy has printed is in the file that all share
            for part, content in answers:
                emit(part, **content)
            if failure is not None:
                raise failure
            self._take(job)
            self._interceptor.source.outside.limits = self._limits
            self._emit = emit
            self._all(getattr(module, job["protocol"]))

        self._emit = tell
        with self._interceptor:
            try:
                module = self._import()
            except BaseException as error:
                failure = error
            yield answer

    def _import(self) -> Any:
        self._emit("begin", where="import")
        module = load(self._job["adapter"], TARGET, Loader)
        self._interceptor.look()
        for name in dict.fromkeys(name for _, name in self._interceptor.source.import_seeds.values()):
            if name in ("random.seed", "numpy.random.seed"):
                self.find("seeds", f"the import seeds a generator that others draw from, too: {name}")
        self._note_prints("import")
        return module

    def run_made(self, made: Any) -> None:
        """Run all parts after the import of the protocol, which is a class or a function of the item."""
        with self._interceptor:
            self._interceptor.look()
            self._all(made)

    def _all(self, made: Any) -> None:
        made = at_budgets(made) if self._job.get("at_budgets") else made
        self._emit("versions", versions=_versions(self._job.get("distributions", [])))
        self._make(made)
        self._laws()
        self._emit("done", models=self._models)

    def _make(self, made: Any) -> None:
        """Make the protocol, and emit what it says about itself."""
        self._emit("begin", where="making the protocol")
        outside = self._interceptor.source.outside
        if not callable(made):
            raise TypeError(f"it is a {type(made).__name__}, not a function of the item or a class")
        with drawing(outside, self._interceptor):
            parameters = self._job["parameters"]
            own = sorted(taken(made, parameters))
            try:
                self._protocol = protocol_of(made, parameters)
                require_methods(self._protocol, getattr(made, "__name__", "it"))
            except Exception as error:
                if "Lazy" not in str(error):
                    raise
                outside.refuse(
                    UnmodeledRandomness(f"a draw outside the audited call, where only a number can be: {error}")
                )
        if hasattr(self._protocol, "call_seeds"):
            self._limits = conditioned_place(self._protocol, self._limits, self._interceptor) or self._limits
        with drawing(outside, self._interceptor):
            self._tell_facts(self._limits.conditioned)
            lines = [_lines(getattr(self._protocol, name, ())) for name in ("reproduce", "reproduce_estimate")]
        calls = self._protocol.calls if isinstance(self._protocol, Spelled) else []
        made_of = {"is_class": isinstance(made, type), "taken": own, "calls": calls}
        made_of["ignored"] = ignored_methods(self._protocol)
        self._emit("reproduce", reports=lines[0], estimates=lines[1], **made_of)
        self._count(outside.models)
        self._note_prints("making the protocol")

    def _tell_facts(self, outcomes: Sequence[Any]) -> None:
        """Emit what the protocol says about these outcomes of draws, and of its variance, if it says anything."""
        facts, stated = getattr(self._protocol, "facts", None), stated_variance(self._protocol)
        if facts is not None or stated:
            self._emit("begin", where="facts")
            stated = {**stated, **(facts(outcomes) if facts is not None else {})}
            self._emit("facts", facts={str(name): self._canonical(fact) for name, fact in stated.items()})

    def _require_shown(self, report: Any) -> None:
        """Refuse a report that shows other outcomes of draws than the first one did, which the facts are about: a law
        given those is not this one."""
        outcomes, refuse = list(self._protocol.conditions(report)), self._interceptor.source.coins.refuse
        if any(type(outcome) is LazyInteger for outcome in outcomes):
            sentence = "a report shows a draw that is not conditioned on: it has too few outcomes"
            if self._limits.condition_from is None:
                sentence += f"; those with more than --paths ({self._limits.paths}) are, so that a lower one decides"
            refuse(UnmodeledRandomness(sentence))
        self._shown = self._shown or outcomes
        if outcomes != self._shown:
            sentence = (
                f"reports show different outcomes of the draws that are conditioned on: {self._shown}, {outcomes}"
            )
            refuse(UnmodeledRandomness(sentence[:TEXT_LIMIT]))

    def _laws(self) -> None:
        job, first = self._job, self._job["input_types"][0]
        self._shows = bool(self._limits.conditioned) and hasattr(self._protocol, "conditions")
        reports: Dict[Key, Any] = {}
        asked = [(input_type, item) for input_type in job["input_types"] for item in job["inputs"]]
        self._limits = _of_many(self._limits, len(asked))
        rest, worked = self._seconds * SHARE, Watch()
        for place, (input_type, item) in enumerate(asked):
            seconds = self._hopeless(place, len(asked), worked.seconds(), rest)
            if seconds:
                message = f"an estimated {seconds:.0f} seconds for the laws on {len(asked)} inputs"
                answer = {"kind": "paths", "message": f"{message}, limit {self._seconds * SHARE:.0f}"}
                self._emit("law", inputs=[item], input_type=input_type, refused=answer)
                self._refused = "paths"
                break
            watch = Watch()
            law = self._law("law", [item], input_type, self._within(max(rest / (len(asked) - place), min(rest, 1.0))))
            if place == 0 and self._shown and self._shown != list(self._limits.conditioned):
                with drawing(self._interceptor.source.outside, self._interceptor):
                    self._tell_facts(self._shown)  # its outcomes need not be counted from 0
            rest -= watch.seconds()
            if law is None and self._refused == "paths" and (place == 0 or rest <= 0):
                break  # the others have as many, and take as long: this is decided in another way, and soon
            if law is not None and input_type == first:
                reports.update({key: law.values[key] for key in law.entries if key not in law.raised})
        reuse = [] if self._refused == "paths" else job.get("reuse", [])
        for part, turns in (("outside", [[item] for item in job.get("outside", [])]), ("reuse", reuse)):
            brief = self._seconds if self._seconds == float("inf") else min(self._seconds * (1 - SHARE) / 2, BRIEF)
            limits = self._within(brief / max(1, len(turns)))
            limits = limits if part == "outside" else replace(limits, partial=True, unexplored=JOINTLY)
            for items in turns:
                self._law(part, items, first, limits)
        pairs = [
            {"output": json.loads(text), "raw": raw, "form": expression(own)} for (text, raw), own in reports.items()
        ]
        self._emit("reports", reports=pairs)
        values = list(reports.values())
        for users in job.get("users", []) if hasattr(self._protocol, "server") else []:
            if len(values) ** users > self._limits.paths:
                self.find("paths", f"{len(values)}^{users} lists of reports, limit {self._limits.paths}")
                continue
            self._estimates(users, values)

    def _estimates(self, users: int, values: List[Any]) -> None:
        """Emit the estimates of every list of so many reports; where these are many, of some all over the place."""
        total = len(values) ** users
        step = 1 if total <= LISTS else next(i for i in itertools.count(int(total * GOLDEN)) if gcd(i, total) == 1)
        for number in range(total):
            if total > LISTS and (number >= FEW_LISTS or number * self._estimands >= FEW_NUMBERS):
                self.find("lists", f"estimates of {number} of {total} lists of {users} reports")
                return
            place, chosen = number * step % total, []
            for _ in range(users):
                place, i = divmod(place, len(values))
                chosen.append(i)
            again = number < TWICE or number % SELDOM == 0
            self._estimate(chosen[::-1], [values[i] for i in chosen[::-1]], again)

    def _hopeless(self, done: int, laws: int, spent: float, rest: float) -> float:
        """Return the estimated seconds of all laws if they are far more than what is left, else 0."""
        if done not in EARLY or spent / done * (laws - done) < HOPELESS * rest:
            return 0.0
        return spent / done * laws

    def _within(self, seconds: float) -> Limits:
        """Return the limits of one law that may take so many seconds."""
        return self._limits if seconds == float("inf") else replace(self._limits, seconds=seconds)

    def _law(self, part: str, items: List[Any], input_type: str, limits: Limits) -> Optional[Law]:
        """Return the law of the report of a fresh client; for several items, of the list of reports of one client."""

        def privatize() -> Any:
            client = self._protocol.client()
            outputs = []
            for item in items:
                self._interceptor.source.coins.begin_report()
                value = decode(item, input_type)
                before = None if type(value) in _FIXED else self._description(value)
                outputs.append(self._protocol.privatize(client, value))
                if self._shows:
                    self._require_shown(outputs[-1])
                if before is not None and self._description(value) != before:
                    self.find("mutated", f"the input {item!r} ({input_type}) was changed by privatize")
            return outputs[0] if len(items) == 1 else outputs

        canonical = one = getattr(self._protocol, "canonical", None)
        if one is not None and len(items) > 1:
            canonical = lambda outputs: [one(output) for output in outputs]  # noqa: E731
        answer: Dict[str, Any] = {"inputs": items, "input_type": input_type}
        try:
            for item in items:
                decode(item, input_type)
        except Exception as error:
            answer["refused"] = {"kind": "input", "message": f"{item!r} is not made a {input_type}: {error}"}
            self._emit(part, **answer)
            return None
        where = f"privatize({', '.join(map(repr, items))}) with {input_type}"
        law = self._exact(privatize, where, answer, limits, canonical)
        if law is not None:
            answer["paths"], answer["unexplored"] = law.paths, str(law.unexplored)
            alike: Dict[Any, Dict[str, Any]] = {}
            for key, p in law.entries.items():
                text, raw = key
                raised = law.raised.get(key)
                if (raw, id(p), raised) not in alike:
                    alike[raw, id(p), raised] = {"outputs": [], "raw": raw, "probability": str(p), "raised": raised}
                alike[raw, id(p), raised]["outputs"].append(int(text) if raw == "int" else json.loads(text))
            answer["entries"] = list(alike.values())
        self._emit(part, **answer)
        return law

    def _estimate(self, chosen: Sequence[int], values: List[Any], again: bool) -> None:
        def estimate() -> Any:
            reports = copy.deepcopy(values)  # sets have another order in a copy
            before = self._description(reports)
            server = self._protocol.server()
            for report in reports:
                self._protocol.aggregate(server, report)
            result = by_item(self._protocol.estimate(server), self._job["inputs"])
            if self._description(reports) != before:
                self.find("mutated", f"the reports {values!r} were changed by the server")
            return result

        def stepwise() -> Any:
            server = self._protocol.server()
            result: List[Any] = []
            for report in copy.deepcopy(values):
                self._protocol.aggregate(server, report)
                self._protocol.estimate(server)
                result = by_item(self._protocol.estimate(server), self._job["inputs"])
            return result

        limits = self._limits if again else replace(self._limits, twice=0)
        answer: Dict[str, Any] = {"reports": list(chosen)}
        for name, function in (("estimates", estimate), ("stepwise", stepwise)):
            law = self._exact(function, f"{name} of the reports {values!r}", answer, limits, draws=False)
            key = None if law is None else next(iter(law.entries))
            if law is not None and (law.paths != 1 or len(law.entries) != 1):
                answer["refused"] = {"kind": "unmodeled", "message": "the server draws randomness"}
            elif law is not None and key in law.raised:
                answer["refused"] = {"kind": "raised", "message": law.raised[key]}
            if "refused" in answer or key is None:
                break
            answer[name] = json.loads(key[0])
            self._estimands = len(answer[name])
        self._emit("estimate", **answer)

    def _exact(
        self,
        function: Callable[[], Any],
        where: str,
        answer: Dict[str, Any],
        limits: Limits,
        canonical: Optional[Canonical] = None,
        draws: bool = True,
    ) -> Optional[Law]:
        self._emit("begin", where=where)
        law = None
        try:
            law = exact_law(function, limits, self._interceptor, canonical, draws)
        except Refusal as refusal:
            self._refused = refusal.kind
            answer["refused"] = {"kind": refusal.kind, "message": str(refusal)[:TEXT_LIMIT]}
            if isinstance(refusal, Seeded):
                self.find(refusal.kind, str(refusal))
        self._note_prints(where)
        if law is not None:
            self._count(law.models)
            if law.clock_reads:
                self.find("clock", "a clock is read by " + where)
        return law

    def _count(self, models: Dict[str, int]) -> None:
        for model, count in models.items():
            self._models[model] = max(count, self._models.get(model, 0))

    def _note_prints(self, where: str) -> None:
        text = self._printed()
        if text:
            self.find("printed", f"{where}: {text}")

    def _description(self, value: Any) -> Key:
        return described(self._interceptor.source, value, self._limits.output_items, opaque=True)

    def _canonical(self, value: Any) -> Any:
        return json.loads(described(self._interceptor.source, value, self._limits.output_items)[0])


def _lines(text: Any) -> List[str]:
    return [str(line) for line in (text.splitlines() if isinstance(text, str) else text)]


def _versions(distributions: Iterable[str]) -> Dict[str, str]:
    from importlib import metadata

    versions = {"python": platform.python_version()}
    for name in (*distributions, "numpy"):
        versions[name] = metadata.version(name)
    return versions


@contextlib.contextmanager
def answering(job: Dict[str, Any], emit: Emit, kept: bool) -> Iterator[Answer]:
    """Yield what answers jobs in a child process, after what they share is imported, or (if not `kept`) this one."""
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)  # a probability may have more digits
    warnings.simplefilter("ignore")
    with captured(1), contextlib.ExitStack() as stack:
        sys.stdout = io.TextIOWrapper(os.fdopen(1, "wb", closefd=False), write_through=True)

        def answer(job: Dict[str, Any]) -> None:
            try:
                if kept:
                    shared(job)
                else:
                    Session(job, emit, _printed).run()
            except BaseException as error:
                tell_failure(emit, error)

        if kept:
            shared = stack.enter_context(Session(job, emit, _printed).kept())
        yield answer


def _printed() -> str:
    """Return what was printed since it was last asked."""
    with contextlib.suppress(Exception):
        sys.stdout.flush()
    size = os.fstat(1).st_size
    if not size:
        return ""
    text = os.pread(1, TEXT_LIMIT // 4, 0).decode("utf-8", "replace")
    os.ftruncate(1, 0)
    os.lseek(1, 0, os.SEEK_SET)
    return f"{size} bytes: {text!r}"


def run_here(job: Dict[str, Any], made: Any, emit: Emit) -> None:
    """Run a job in this process, for a class or function that is at hand: no limits of memory or time, same answers."""
    digits = getattr(sys, "get_int_max_str_digits", int)()
    stdout = io.StringIO()

    def printed() -> str:
        text = stdout.getvalue()
        stdout.seek(0)
        stdout.truncate()
        return f"{len(text)} characters: {text[: TEXT_LIMIT // 4]!r}" if text else ""

    with warnings.catch_warnings(), contextlib.redirect_stdout(stdout):
        warnings.simplefilter("ignore")
        try:
            if digits:
                sys.set_int_max_str_digits(0)  # a probability may have more digits
            Session(job, emit, printed).run_made(made)
        except (Exception, Refusal) as error:
            tell_failure(emit, error)
        finally:
            if digits:
                sys.set_int_max_str_digits(digits)
