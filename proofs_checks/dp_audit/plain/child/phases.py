"""The phases of a job: what is asked of a target, and how its reports are told."""

from __future__ import annotations

import hashlib
import json
import random
import sys
import time
from collections import Counter
from typing import Any, Callable, Dict, List, Tuple

from .beside import Beside, attributes, said
from .clocks import moved_clocks
from .setters import others, updates

Emit = Callable[..., None]
DIFFERENT = 4000
"""Different texts beside reports that are told."""
KEPT = 16
"""Reports on every input that the server is handed later."""
PARTS, SHOWN, SHORTENED = 10_000, 400, " ... "
"""Of a report so many parts are looked at, and so many characters told."""
SEED = 20260101


class Run:
    """The phases of one job, for a protocol that `make` makes from parameters."""

    def __init__(
        self,
        job: Dict[str, Any],
        make: Callable[..., Any],
        serve: Any,
        emit: Emit,
        beside: Beside,
        raws: Any = None,
    ) -> None:
        self._job, self._make, self._serve, self._emit, self._beside = job, make, serve, emit, beside
        self._inputs, self._raws = job["inputs"], raws
        self._codes: Dict[Any, int] = {}
        self._new: List[Any] = []
        self._own: List[Any] = []
        self._protocol = make(**job["parameters"])
        self._canonical = getattr(self._protocol, "canonical", None)
        self._conditioned = bool(job.get("conditioned"))
        self._as_it_stands = self._canonical is None and not self._conditioned

    def run(self) -> None:
        """All phases; one that raises is told and the next one comes."""
        silent = self._conditioned and not hasattr(self._protocol, "conditions")
        for name in ("first", "fresh", "raw", "typed", "client", "updated", "clock", "many", "more"):
            if self._job.get(name) and (name == "more" or not silent):
                self._emit("begin", where=name)
                try:
                    getattr(self, "_" + name)(self._job[name])
                except Exception as error:
                    self._emit("raised", phase=name, message=said(error))
        self._emit("done")

    # --- reports ---

    def _first(self, count: int) -> None:
        """Reports on all inputs in turn; then the generators that are global are seeded, to be the same every time."""
        for number in range(count):
            which = number % len(self._inputs)
            self._tell("first", which, [self._report(self._protocol.client(), which)[1]])
        random.seed(SEED)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(SEED)

    def _fresh(self, count: int) -> None:
        left: "Counter[Tuple[int, int, str]]" = Counter()
        for which in range(len(self._inputs)):
            codes = []
            self._beside.take()
            for _ in range(count):
                own, code = self._report(self._protocol.client(), which)
                if own is not None and len(self._own) < KEPT * (which + 1):
                    self._own.append(own)
                text = self._beside.take() + attributes(own)
                if text and len(left) < DIFFERENT:
                    left[which, code, text] += 1
                codes.append(code)
            self._tell("fresh", which, codes)
        self._emit("beside", texts=[[*key, times] for key, times in left.items()])

    def _raw(self, plan: Dict[str, Any]) -> None:
        """Reports of fresh clients with types, order and content as the code gives them, on inputs that are drawn: what
        comes in turn (a number, a clock) is then independent of them."""
        end, found, inputs = time.monotonic() + plan["seconds"], [], random.Random("raw")
        for number in range(plan["count"]):
            which = inputs.randrange(len(self._inputs))
            own, code = self._report(self._protocol.client(), which)
            if own is not None:
                found.append([which, code, self._described(own)])
            if number % 64 == 63 and time.monotonic() > end:
                break
        self._beside.take()
        self._emit("raws", found=found, new=self._news())

    def _described(self, own: Any) -> str:
        try:
            content, raw = self._raws.told(self._raws.Reader(PARTS, True, True), own)
        except Exception as error:
            return "not described: " + type(error).__name__
        except self._raws.UnreadableOutput as error:
            return "not described: " + str(error)
        text: str = raw if self._canonical is None else raw + " = " + content
        return text if len(text) <= SHOWN else text[:SHOWN] + SHORTENED + hashlib.sha256(text.encode()).hexdigest()

    def _client(self, plan: Dict[str, Any]) -> None:
        """Every second pair of clients holds one item, the others hold all items in turn."""
        end = time.monotonic() + plan["seconds"]
        size = len(self._inputs)
        for number in range(plan["clients"]):
            constant = number // 2 % 2 == 0
            first = number // 4 % size
            client, codes = self._protocol.client(), []
            for k in range(plan["reports"]):
                codes.append(self._report(client, first if constant else (first + k) % size)[1])
            self._beside.take()
            self._tell("client", first, codes, step=0 if constant else 1)
            if time.monotonic() > end:
                break

    def report_once(self, which: int) -> Any:
        """The report of a new client, in canonical form."""
        code = self._report(self._protocol.client(), which)[1]
        return self._news()[code]

    def _report(self, client: Any, which: int) -> Tuple[Any, int]:
        """A report and its code; what is raised is an outcome, too."""
        return self._given(client, self._item(which))

    def _given(self, client: Any, item: Any) -> Tuple[Any, int]:
        try:
            own = self._protocol.privatize(client, item)
        except Exception as error:
            return None, self._code({"raised": said(error)})
        return own, self._code(own)

    def _item(self, which: int) -> Any:
        item, kind = _decoded(self._inputs[which]), self._job["input_type"]
        return item if kind == "int" else self._serve._decode(item, kind)

    def _code(self, own: Any) -> int:
        """The code of a report in canonical form; of `{"raised": text}` that of an exception."""
        raised = isinstance(own, dict) and list(own) == ["raised"]
        as_it_stands = raised or (type(own) is int and self._as_it_stands)
        shown = own if as_it_stands else self._plain(own)
        key = shown if type(shown) is int else json.dumps(shown, sort_keys=True)
        code = self._codes.get(key)
        if code is None:
            code = self._codes[key] = len(self._codes)
            self._new.append(shown)
        return code

    def _plain(self, own: Any) -> Any:
        """In canonical form; where draws are conditioned on, with what is known of those that the report shows."""
        try:
            facts: Dict[str, Any] = {}
            if self._conditioned:
                facts = self._protocol.facts(self._protocol.conditions(own))
            shown = self._serve.plain(own if self._canonical is None else self._canonical(own))
            given = [[str(name), self._serve.plain(fact)] for name, fact in facts.items()]
            return [given, shown] if self._conditioned else shown
        except Exception as error:
            return {"raised": "no canonical form: " + said(error)}

    def _tell(self, phase: str, which: int, codes: List[int], step: int = 0) -> None:
        self._emit("reports", phase=phase, item=which, step=step, codes=codes, new=self._news())

    def _news(self) -> List[Any]:
        new, self._new = self._new, []
        return new

    # --- other inputs and parameters ---

    def _typed(self, plan: Dict[str, Any]) -> None:
        for name in plan["types"]:
            for which in range(len(self._inputs)):
                kinds: "Counter[Tuple[int, str]]" = Counter()
                try:
                    given = self._serve._decode(self._inputs[which], name)
                    same = type(given) is type(self._inputs[which])
                    if same or (name == "bool" and given != self._inputs[which]):
                        continue
                except Exception:  # such an item is not made of this type
                    continue
                for _ in range(plan["count"]):
                    own, code = self._given(self._protocol.client(), given)
                    kinds[code, "" if own is None else self._serve.kind_of(own)] += 1
                self._beside.take()
                found = [[code, kind, times] for (code, kind), times in kinds.items()]
                self._emit("typed", type=name, item=which, kinds=found, new=self._news())

    def _many(self, plan: Dict[str, Any]) -> None:
        """Estimates of long lists: of one report only, and of some reports again and again."""
        if not hasattr(self._protocol, "server") or not self._own:
            return
        end = time.monotonic() + plan["seconds"]
        for size in plan["sizes"]:
            for cycle in ([self._own[0]], self._own):
                self._emit("begin", where="estimates of %d reports" % size)
                answer = self._estimates(self._protocol, self._protocol.server(), cycle, size, end)
                if not answer:
                    return
                codes = [self._code(own) for own in cycle]
                self._emit("many", size=size, codes=codes, new=self._news(), **answer)

    def _estimates(
        self, protocol: Any, server: Any, cycle: List[Any], size: int, end: float = float("inf")
    ) -> Dict[str, Any]:
        """The estimates of `size` reports, what is raised, or nothing if that takes too long."""
        try:
            for number in range(size):
                protocol.aggregate(server, cycle[number % len(cycle)])
                if number % 512 == 511 and time.monotonic() > end:
                    return {}
            found = protocol.estimate(server)
            if isinstance(found, dict):
                found = [found.get(item, 0) for item in map(_decoded, self._job["all"])]
            return {"estimates": [self._serve._estimate(value) for value in found]}
        except Exception as error:
            return {"raised": said(error)}

    def _updated(self, count: int) -> None:
        """Whatever sets parameters, called on an object that was made with other ones: it is to be as if new."""
        given = self._job["parameters"]
        nominal = self._protocol
        for name, other in others(given):
            try:
                made = self._make(**{**given, name: other})
                parts = [("", made)]
                parts += [(part + ".", getattr(made, part)()) for part in ("client", "server") if hasattr(made, part)]
            except Exception:  # these are no parameters of it: nothing is said about them
                continue
            for part, held in parts:
                for how, update in updates(held, name, given):
                    try:
                        update()
                    except Exception:
                        continue
                    self._look(part + how, nominal if part else made, held, part, count)

    def _look(self, how: str, protocol: Any, held: Any, part: str, count: int) -> None:
        """The reports of what was updated, and its estimates of some."""
        self._protocol, nominal = protocol, self._protocol
        try:
            for which in range(len(self._inputs) if part != "server." else 0):
                codes = [self._report(held if part else protocol.client(), which)[1] for _ in range(count)]
                self._emit("updated", how=how, item=which, codes=codes, new=self._news())
            if part != "client." and hasattr(protocol, "server") and self._own:
                answer = self._estimates(protocol, held if part else protocol.server(), self._own, len(self._own))
                codes = [self._code(own) for own in self._own]
                self._emit("updated", how=how, item=-1, codes=codes, new=self._news(), **answer)
        finally:
            self._protocol = nominal
            self._beside.take()

    def _more(self, count: int) -> None:
        """Reports on all inputs, and their types; in canonical form, whatever is conditioned on. The last phase."""
        self._inputs, self._conditioned = self._job["all"], False
        for which in range(len(self._inputs)):
            given, codes, kinds = self._item(which), [], set()
            for _ in range(count):
                own, code = self._given(self._protocol.client(), given)
                codes.append(code)
                if own is not None:
                    kinds.add(self._serve.kind_of(own))
            self._beside.take()
            self._emit("more", item=which, codes=codes, kinds=sorted(kinds), new=self._news())

    def _clock(self, plan: Dict[str, Any]) -> None:
        begin = time.time()
        for offset, period in [(each, 0.0) for each in plan["offsets"]] + [(-begin % p, p) for p in plan["periods"]]:
            for which in range(len(self._inputs)):
                with moved_clocks(-time.time() % period if period else offset):
                    codes = [self._report(self._protocol.client(), which)[1] for _ in range(plan["count"])]
                self._emit("clock", offset=offset, item=which, codes=codes, new=self._news())
            self._beside.take()


def _decoded(item: Any) -> Any:
    """An input as it stands: `{"set": [...]}` is a frozenset, `{"float": "nan"}` a float."""
    if isinstance(item, list):
        return [_decoded(part) for part in item]
    if isinstance(item, dict):
        return frozenset(map(_decoded, item["set"])) if "set" in item else float(item["float"])
    return item
