"""The phases of a job: what is asked of a target, and how its reports are told."""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from typing import Any, Dict, List, Tuple

from ..jobs import Emit
from ..refusals import UnreadableOutput
from ..representation import canonical_value, kind_of
from ..targets import decode, protocol_of
from .clocks import moved_clocks
from .reports import KEPT, Server, described, of_many_seeds
from .setters import others, updates
from .side_effects import Beside, said
from .streams import Streams
from .watch import Watch

PHASES = (
    "counted",
    "first",
    "fresh",
    "typed",
    "client",
    "memory",
    "beside_reports",
    "raw",
    "updated",
    "clock",
    "many",
    "more",
)
"""In their order; calls are counted from the first one to the last client."""
DIFFERENT = 4000
"""Different texts beside reports that are told."""
ASKED = 24
"""Reports after each of which a server is asked for estimates."""
SLOW = 1000
"""The time that the estimates of so many reports take says how long those of more of them would."""
SEED = 20260101
USED = 32
"""Reports in turn of new clients, and of one client, where what is beside them is looked at."""
SOME = 2
"""So many reports with something beside them can be compared."""


class Run:
    """The phases of one job, for a class or a function of the item."""

    def __init__(self, job: Dict[str, Any], made: Any, emit: Emit, beside: Beside) -> None:
        self._job, self._made, self._emit = job, made, emit
        self._watch = Watch(beside)
        self._inputs = job["inputs"]
        self._codes: Dict[Any, int] = {}
        self._new: List[Any] = []
        self._own: List[Tuple[Any, int]] = []  # with their codes
        self._kept: "Counter[int]" = Counter()
        self._seeded: List[Tuple[List[Any], Tuple[Any, int]]] = []
        self._seeds: List[Any] = []  # of the report that came last
        self._protocol: Any = protocol_of(made, job["parameters"])
        self._canonical = getattr(self._protocol, "canonical", None)
        self._conditioned = bool(job.get("conditioned"))
        self._as_it_stands = self._canonical is None and not self._conditioned

    def run(self) -> None:
        """Run all phases; one that raises is told and the next one comes."""
        silent = self._conditioned and not hasattr(self._protocol, "conditions")
        for name in PHASES:
            if self._job.get(name) and (name == "more" or not silent):
                self._emit("begin", where=name.replace("_", " "))
                try:
                    getattr(self, "_" + name)(self._job[name])
                except Exception as error:
                    self._emit("raised", phase=name, message=said(error))
        self._emit("done")

    # --- reports ---

    def _first(self, count: int) -> None:
        """Make reports on all inputs in turn; then seed the generators that are global, to be the same every time."""
        streams = Streams()
        self._watch.begin()
        for number in range(count):
            which = number % len(self._inputs)
            own, code = self._report(self._protocol.client(), which)
            self._tell("first", which, [code])
            self._watch.glance(own)
            if self._job.get("streams") and number & (number + 1) == 0:  # after 1, 2, 4, 8, ... reports
                streams.look()
        self._emit("streams", seeds=streams.drawn_from())
        random.seed(SEED)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(SEED)

    def _counted(self, count: int) -> None:
        """Make reports of new clients on one item after the other, and nothing else."""
        for which in range(len(self._inputs)):
            codes = [self._report(self._protocol.client(), which)[1] for _ in range(count)]
            self._watch.forget()
            self._tell("fresh", which, codes)

    def _fresh(self, plan: Dict[str, Any]) -> None:
        """Make reports of new clients on independent random items, the same every time."""
        size, order = len(self._inputs), random.Random("order")
        left: "Counter[Tuple[int, int, str]]" = Counter()
        end = time.monotonic() + plan["seconds"]
        self._watch.begin()
        for _ in range(size * plan["count"]):
            which = order.randrange(size)
            own, code = self._report(self._protocol.client(), which)
            if own is not None:
                self._keep(own, code, which)
            text = self._watch.look(own, which, code)
            if text and len(left) < DIFFERENT:
                left[which, code, text] += 1
            self._tell("fresh", which, [code])
            if time.monotonic() > end:
                break
        if self._conditioned:
            self._own, self._seeded = of_many_seeds(self._seeded, len(self._job["all"])), []
        self._emit("beside", texts=[[*key, times] for key, times in left.items()])

    def _keep(self, own: Any, code: int, which: int) -> None:
        """Keep a report for the server."""
        if self._conditioned:
            self._seeded.append((self._seeds, (own, code)))
        elif self._kept[which] < KEPT:
            self._kept[which] += 1
            self._own.append((own, code))

    def _raw(self, plan: Dict[str, Any]) -> None:
        """Tell reports of fresh clients with types, order and content as the code gives them, on inputs that are drawn:
        what comes in turn (a number, a clock) is then independent of them. Where draws are conditioned on, tell those
        that reports show."""
        end, raws, inputs = time.monotonic() + plan["seconds"], [], random.Random("raw")
        for number in range(plan["count"]):
            which = inputs.randrange(len(self._inputs))
            own, code = self._report(self._protocol.client(), which)
            if own is not None and not self._conditioned:
                raws.append([which, code, described(own, self._canonical is not None)])
            elif own is not None:
                raws.append([which, 0, described(self._seeds, True)])
            if number % 64 == 63 and time.monotonic() > end:
                break
        self._watch.forget()
        self._emit("raws", raws=raws, new=self._news())

    def _client(self, plan: Dict[str, Any]) -> None:
        self._reused_clients("client", plan)

    def _memory(self, plan: Dict[str, Any]) -> None:
        self._reused_clients("memory", plan)

    def _reused_clients(self, phase: str, plan: Dict[str, Any]) -> None:
        """Make reports of used clients: every second pair of them holds one item, the others hold all items in turn."""
        end = time.monotonic() + plan["seconds"]
        size = len(self._inputs)
        for number in range(plan["clients"]):
            constant = number // 2 % 2 == 0
            first = number // 4 % size
            client, codes = self._protocol.client(), []
            for k in range(plan["reports"]):
                own, code = self._report(client, first if constant else (first + k) % size)
                codes.append(code)
                self._watch.glance(own)
            self._tell(phase, first, codes, step=0 if constant else 1)
            if time.monotonic() > end:
                break

    def _beside_reports(self, plan: Dict[str, Any]) -> None:
        """Make reports on more random items, of new and of used clients, if not only first calls (a compiler's) leave
        something."""
        if self._watch.expected(plan["count"]) >= SOME:
            order, used = random.Random("more"), self._protocol.client()
            end = time.monotonic() + plan["seconds"]
            self._watch.begin()
            for number in range(plan["count"]):
                which = order.randrange(len(self._inputs))
                if number % USED == 0 or not (plan["reuse"] and number // USED % 2):
                    used = self._protocol.client()
                own, code = self._report(used, which)
                self._watch.look(own, which, code)
                if self._watch.full or time.monotonic() > end:
                    break
        self._emit("watched", **self._watch.told(), new=self._news())

    def in_turn(self, first: int, count: int) -> List[Any]:
        """Return the reports of new clients on the inputs in turn from this one on, in canonical form."""
        size = len(self._inputs)
        codes = [self._report(self._protocol.client(), (first + k) % size)[1] for k in range(count)]
        reports = self._news()
        return [reports[code] for code in codes]

    def _report(self, client: Any, which: int) -> Tuple[Any, int]:
        """Return a report and its code; what is raised is an outcome, too."""
        return self._report_on(client, self._item(which))

    def _report_on(self, client: Any, item: Any) -> Tuple[Any, int]:
        try:
            own = self._protocol.privatize(client, item)
        except Exception as error:
            return None, self._code({"raised": said(error)})
        return own, self._code(own)

    def _item(self, which: int) -> Any:
        return decode(self._inputs[which], self._job["input_type"])

    def _code(self, own: Any) -> int:
        """Return the code of a report in canonical form; of `{"raised": text}` that of an exception."""
        raised = isinstance(own, dict) and list(own) == ["raised"]
        as_it_stands = raised or (type(own) is int and self._as_it_stands)
        form = own if as_it_stands else self._canonical_form(own)
        key = form if type(form) is int else json.dumps(form, sort_keys=True)
        code = self._codes.get(key)
        if code is None:
            code = self._codes[key] = len(self._codes)
            self._new.append(form)
        return code

    def _canonical_form(self, own: Any) -> Any:
        """Return a report in canonical form; where draws are conditioned on, with what is known of those that it
        shows."""
        try:
            facts: Dict[str, Any] = {}
            if self._conditioned:
                self._seeds = list(self._protocol.conditions(own))
                facts = self._protocol.facts(self._seeds)
            form = canonical_value(own if self._canonical is None else self._canonical(own))
            outcomes = [[str(name), canonical_value(fact)] for name, fact in facts.items()]
            return [outcomes, form] if self._conditioned else form
        except (Exception, UnreadableOutput) as error:
            return {"raised": "no canonical form: " + said(error)}

    def _tell(self, phase: str, which: int, codes: List[int], step: int = 0) -> None:
        self._emit("reports", phase=phase, item=which, step=step, codes=codes, new=self._news())

    def _news(self) -> List[Any]:
        new, self._new = self._new, []
        return new

    # --- other inputs and parameters ---

    def _typed(self, plan: Dict[str, Any]) -> None:
        end = time.monotonic() + plan["seconds"]
        for name in plan["types"]:
            for which in range(len(self._inputs)):
                if time.monotonic() > end:
                    return
                kinds: "Counter[Tuple[int, str]]" = Counter()
                try:
                    value = decode(self._inputs[which], name)
                    same = type(value) is type(self._inputs[which])
                    if same or (name == "bool" and value != self._inputs[which]):
                        continue
                except Exception:  # such an item is not made of this type
                    continue
                for _ in range(plan["count"]):
                    own, code = self._report_on(self._protocol.client(), value)
                    kinds[code, "" if own is None else kind_of(own)] += 1
                self._watch.forget()
                tally = [[code, kind, times] for (code, kind), times in kinds.items()]
                self._emit("typed", type=name, item=which, kinds=tally, new=self._news())

    def _many(self, plan: Dict[str, Any]) -> None:
        """Tell estimates of long lists: of one report only, and of some reports again and again. And of `few` reports;
        and of some by a server that is asked for estimates after each of them."""
        if not hasattr(self._protocol, "server") or not self._own:
            return
        asked = self._own[:ASKED]
        answer = self._server().estimates(asked, len(asked), every=True)
        codes = [code for _, code in asked]
        self._emit("many", size=len(asked), codes=codes, shown=[], asked=True, new=self._news(), **answer)
        lists = [(size, self._own[: max(2, size - 1)]) for size in plan.get("few", ())]  # one of them twice
        lists += [(size, cycle) for size in plan["sizes"] for cycle in (self._own[:1], self._own)]
        end, rate = time.monotonic() + plan["seconds"], 0.0
        for size, cycle in lists:
            self._emit("begin", where="estimates of %d reports" % size)
            began = time.monotonic()
            if began + rate * size > end:
                return
            answer = self._server().estimates(cycle, size, end=end)
            if not answer:
                return
            rate = (time.monotonic() - began) / size if size >= SLOW else 0.0
            texts = [repr(own)[:80] for own, _ in cycle] if size in plan.get("few", ()) else []
            codes = [code for _, code in cycle]
            self._emit("many", size=size, codes=codes, shown=texts, new=self._news(), **answer)

    def _server(self, held: Any = None) -> Server:
        """Return this server, or a new one."""
        return Server(self._protocol, self._protocol.server() if held is None else held, self._job["all"])

    def _updated(self, count: int) -> None:
        """Call whatever sets parameters on an object that was made with other ones: it is to be as if new."""
        parameters = self._job["parameters"]
        nominal = self._protocol
        for name, other in others(parameters):
            try:
                made = protocol_of(self._made, {**parameters, name: other})
                parts = [("", made)]
                parts += [(part + ".", getattr(made, part)()) for part in ("client", "server") if hasattr(made, part)]
            except Exception:  # these are no parameters of it: nothing is said about them
                continue
            for part, held in parts:
                for how, update in updates(held, name, parameters):
                    try:
                        update()
                    except Exception:
                        continue
                    self._look(part + how, nominal if part else made, held, part, count)

    def _look(self, how: str, protocol: Any, held: Any, part: str, count: int) -> None:
        """Tell the reports of what was updated, and its estimates of some."""
        self._protocol, nominal = protocol, self._protocol
        try:
            for which in range(len(self._inputs) if part != "server." else 0):
                codes = [self._report(held if part else protocol.client(), which)[1] for _ in range(count)]
                self._emit("updated", how=how, item=which, codes=codes, new=self._news())
            if part != "client." and hasattr(protocol, "server") and self._own:
                answer = self._server(held if part else None).estimates(self._own, len(self._own))
                codes = [code for _, code in self._own]
                self._emit("updated", how=how, item=-1, codes=codes, new=self._news(), **answer)
        finally:
            self._protocol = nominal
            self._watch.forget()

    def _more(self, count: int) -> None:
        """Make reports on all inputs, and tell their types; in canonical form, whatever is conditioned on. The last
        phase."""
        self._inputs, self._conditioned = self._job["all"], False
        for which in range(len(self._inputs)):
            value, codes, kinds = self._item(which), [], set()
            for _ in range(count):
                own, code = self._report_on(self._protocol.client(), value)
                codes.append(code)
                if own is not None:
                    kinds.add(kind_of(own))
            self._watch.forget()
            self._emit("more", item=which, codes=codes, kinds=sorted(kinds), new=self._news())

    def _clock(self, plan: Dict[str, Any]) -> None:
        """Make at each time some reports, and four times as many as long as there is time; where clients have a state,
        also those of clients that are so old. And some just when a minute, an hour, a day begins."""
        end, number = time.monotonic() + plan["seconds"], plan["count"]
        ages = (False, True) if self._protocol.client() is not None else (False,)
        for period in plan["periods"]:
            for which in range(len(self._inputs)):
                with moved_clocks(-time.time() % period):
                    codes = [self._report(self._protocol.client(), which)[1] for _ in range(number)]
                self._emit("clock", when=f"when {period:g} s begin", item=which, codes=codes, new=self._news())
        for count in (number * 4**k for k in range(plan["rounds"])):
            for offset in plan["offsets"]:
                for aged in ages:
                    if count > number and time.monotonic() > end:
                        return
                    self._at(offset, aged, count)

    def _at(self, offset: float, aged: bool, count: int) -> None:
        every = range(len(self._inputs))
        old = [[self._protocol.client() for _ in range(count)] for _ in every] if aged else []
        with moved_clocks(offset):
            clients = old or [[self._protocol.client() for _ in range(count)] for _ in every]
            reports = [[self._report(client, which)[1] for client in clients[which]] for which in every]
        hours = f"{offset / 3600:g} h"
        for which, codes in enumerate(reports):
            when = f"of a client that is {hours} old" if aged else f"{hours} from now"
            self._emit("clock", when=when, item=which, codes=codes, new=self._news())
        self._watch.forget()
