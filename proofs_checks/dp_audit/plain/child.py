"""Runs a target as its users run it, with nothing replaced, and tells what it did (`dp_audit.plain.run` asks).

One file that imports the standard library only, and `serve.py` (numpy), which lies beside it where it runs as a child:

    python -s -B child.py          (a job, one JSON line, on stdin; JSON lines on stdout)

It is valid for Python 3.8. Reports are told as codes, indices into the list of all different reports so far, which
grows by `new`. Phases, in this order: `first` (before any generator is seeded), `fresh` (a new client for every report;
also what is left beside the report), `typed` (items of other types), `client` (clients that are used again and again),
`updated` (after methods that set parameters), `clock` (under other clocks), `many` (estimates of long lists).
"""

from __future__ import annotations

import contextlib
import datetime
import functools
import importlib
import importlib.util
import inspect
import io
import json
import logging
import os
import random
import re
import sys
import tempfile
import time
import types
import warnings
from collections import Counter
from typing import Any, Callable, Dict, Iterator, List, Tuple

Emit = Callable[..., None]
TEXT = 300
"""Characters of a text that are told."""
DIFFERENT = 4000
"""Different texts beside reports that are told."""
KEPT = 16
"""Reports on every input that the server is handed later."""
SEED = 20260101
_SETTERS = re.compile(r"(update|set|change|configure)(_|$)")


class Run:
    """The phases of one job, for a protocol that `make` makes from parameters."""

    def __init__(self, job: Dict[str, Any], make: Callable[..., Any], serve: Any, emit: Emit, beside: "Beside") -> None:
        self._job, self._make, self._serve, self._emit, self._beside = job, make, serve, emit, beside
        self._inputs = job["inputs"]
        self._codes: Dict[Any, int] = {}
        self._new: List[Any] = []
        self._own: List[Any] = []
        self._protocol = make(**job["parameters"])
        self._canonical = getattr(self._protocol, "canonical", None)

    def run(self) -> None:
        """All phases; one that raises is told and the next one comes."""
        for name in ("first", "fresh", "typed", "client", "updated", "clock", "many"):
            if self._job.get(name):
                self._emit("begin", where=name)
                try:
                    getattr(self, "_" + name)(self._job[name])
                except Exception as error:
                    self._emit("raised", phase=name, message=_said(error))
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
                text = self._beside.take() + _attributes(own)
                if text and len(left) < DIFFERENT:
                    left[which, code, text] += 1
                codes.append(code)
            self._tell("fresh", which, codes)
        self._emit("beside", texts=[[*key, times] for key, times in left.items()])

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

    def _report(self, client: Any, which: int) -> Tuple[Any, int]:
        """A report and its code; what is raised is an outcome, too."""
        return self._given(client, self._item(which))

    def _given(self, client: Any, item: Any) -> Tuple[Any, int]:
        try:
            own = self._protocol.privatize(client, item)
        except Exception as error:
            return None, self._code({"raised": _said(error)})
        return own, self._code(own)

    def _item(self, which: int) -> Any:
        item, kind = _decoded(self._inputs[which]), self._job["input_type"]
        return item if kind == "int" else self._serve._decode(item, kind)

    def _code(self, own: Any) -> int:
        """The code of a report in canonical form; of `{"raised": text}` that of an exception."""
        raised = isinstance(own, dict) and list(own) == ["raised"]
        shown = own if raised or (type(own) is int and self._canonical is None) else self._plain(own)
        key = shown if type(shown) is int else json.dumps(shown, sort_keys=True)
        code = self._codes.get(key)
        if code is None:
            code = self._codes[key] = len(self._codes)
            self._new.append(shown)
        return code

    def _plain(self, own: Any) -> Any:
        try:
            return self._serve.plain(own if self._canonical is None else self._canonical(own))
        except Exception as error:
            return {"raised": "no canonical form: " + _said(error)}

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
            return {"raised": _said(error)}

    def _updated(self, count: int) -> None:
        """Whatever sets parameters, called on an object that was made with other ones: it is to be as if new."""
        given = self._job["parameters"]
        nominal = self._protocol
        for name, other in _others(given):
            try:
                made = self._make(**{**given, name: other})
                parts = [("", made)]
                parts += [(part + ".", getattr(made, part)()) for part in ("client", "server") if hasattr(made, part)]
            except Exception:  # these are no parameters of it: nothing is said about them
                continue
            for part, held in parts:
                for how, update in _updates(held, name, given):
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

    def _clock(self, plan: Dict[str, Any]) -> None:
        for offset in plan["offsets"]:
            with moved_clocks(offset):
                for which in range(len(self._inputs)):
                    codes = [self._report(self._protocol.client(), which)[1] for _ in range(plan["count"])]
                    self._emit("clock", offset=offset, item=which, codes=codes, new=self._news())
            self._beside.take()


def _others(given: Dict[str, Any]) -> List[Tuple[str, Any]]:
    """(name, another value) of every number among the parameters."""
    found: List[Tuple[str, Any]] = []
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            continue
        found.append((name, value * 2 if isinstance(value, float) else value + 1))
    return found


def _updates(held: Any, name: str, given: Dict[str, Any]) -> Iterator[Tuple[str, Callable[[], Any]]]:
    """What sets this parameter on an object: methods that take it by name, and properties."""
    kind = type(held)
    if kind.__module__ == "builtins":
        return
    for attribute in dir(kind):
        member = getattr(kind, attribute, None)
        if isinstance(member, property) and member.fset is not None and attribute == name:
            yield attribute + " = " + repr(given[name]), lambda: setattr(held, name, given[name])
        elif isinstance(member, types.FunctionType) and _SETTERS.match(attribute):
            taken = list(inspect.signature(member).parameters.values())[1:]
            if name not in [p.name for p in taken]:
                continue
            needed = {p.name for p in taken if p.default is p.empty and p.kind is not p.VAR_KEYWORD} | {name}
            if needed <= set(given):
                told = {each: given[each] for each in sorted(needed)}
                call = attribute + "(" + ", ".join("%s=%r" % pair for pair in told.items()) + ")"
                yield call, functools.partial(getattr(held, attribute), **told)


# --- what is left beside a report -------------------------------------------------------------------------------------


class _Recorder(io.TextIOBase):
    """A text file that keeps what is written to it."""

    def __init__(self, name: str, texts: List[str]) -> None:
        self._name, self._texts = name, texts

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if text.strip():
            self._texts.append(self._name + ": " + text.strip()[:TEXT])
        return len(text)


class _Handler(logging.Handler):
    def __init__(self, texts: List[str]) -> None:
        super().__init__(1)
        self._texts = texts

    def emit(self, record: logging.LogRecord) -> None:
        self._texts.append("log: " + record.levelname + " " + str(record.getMessage())[:TEXT])


class Beside:
    """Collects what is written, warned, logged, stored and sent while it is entered."""

    def __init__(self, below: bool) -> None:
        """`below`: also what is written to the files 1 and 2 themselves, which are ours then."""
        self._texts: List[str] = []
        self._paths: List[str] = []
        self._below = {1: 0, 2: 0} if below else {}

    @contextlib.contextmanager
    def entered(self) -> Iterator["Beside"]:
        """Everything is put back at the end, but the hook, which stays and is silent."""
        handler, root, before = _Handler(self._texts), logging.getLogger(), logging.getLogger().level
        _watch()
        out, err = _Recorder("stdout", self._texts), _Recorder("stderr", self._texts)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.showwarning = self._warned
            root.addHandler(handler)
            root.setLevel(1)
            _ENTERED.append(self)
            try:
                yield self
            finally:
                _ENTERED.pop()
                root.removeHandler(handler)
                root.setLevel(before)

    def take(self) -> str:
        """What came since it was last asked."""
        for file, size in self._below.items():
            now = os.fstat(file).st_size
            if now != size:
                text = os.pread(file, TEXT, size).decode("utf-8", "replace").strip()
                self._texts.append(("stdout: " if file == 1 else "stderr: ") + text)
                self._below[file] = now
        if not self._texts and not self._paths:
            return ""
        self._texts += [path + ": " + _end_of(path) for path in dict.fromkeys(self._paths)]
        text = "\n".join(self._texts)
        del self._texts[:], self._paths[:]
        return text[: 4 * TEXT]

    def _warned(self, message: Any, category: Any, *rest: Any, **options: Any) -> None:
        self._texts.append("warning: " + category.__name__ + " " + str(message)[:TEXT])

    def heard(self, event: str, arguments: Tuple[Any, ...]) -> None:
        """What the interpreter reports about files, variables, sockets and processes."""
        if event == "open":
            path, _, flags = arguments
            writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR)
            if writes and isinstance(path, (str, bytes)) and not _KEEPS.search(os.fsdecode(path)):
                self._paths.append(os.fsdecode(path))
        else:
            self._texts.append(event + ": " + repr(arguments)[:TEXT])


_ENTERED: List[Beside] = []
_WATCHED: List[bool] = []


def _watch() -> None:
    """A hook of the interpreter stays for good, so only one is made."""

    def hook(event: str, arguments: Tuple[Any, ...]) -> None:
        if event in _EVENTS and _ENTERED:
            _ENTERED[-1].heard(event, arguments)

    if not _WATCHED:
        _WATCHED.append(True)
        sys.addaudithook(hook)


_EVENTS = frozenset(
    ["open", "os.putenv", "os.unsetenv", "socket.connect", "socket.sendto", "subprocess.Popen", "os.system"]
)
_KEEPS = re.compile(r"__pycache__|\.nb[ic]$|^/dev/")
"""What the interpreter and compilers keep for themselves."""


def _end_of(path: str) -> str:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - TEXT))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    return lines[-1] if lines else ""


def _attributes(own: Any) -> str:
    """What a report carries beside its value."""
    carried = getattr(own, "__dict__", None)
    return "attributes: " + repr(carried)[:TEXT] if carried and not isinstance(own, type) else ""


def _said(error: BaseException) -> str:
    return (type(error).__name__ + ": " + str(error))[:TEXT]


def _decoded(item: Any) -> Any:
    """An input as it stands: `{"set": [...]}` is a frozenset, `{"float": "nan"}` a float."""
    if isinstance(item, list):
        return [_decoded(part) for part in item]
    if isinstance(item, dict):
        return frozenset(map(_decoded, item["set"])) if "set" in item else float(item["float"])
    return item


# --- clocks -----------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def moved_clocks(offset: float) -> Iterator[None]:
    """All clocks that Python code reads are `offset` seconds ahead."""
    table: Dict[int, Tuple[Any, Any]] = {}
    for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
        for full, one in ((name, offset), (name + "_ns", int(offset * 10**9))):
            real = getattr(time, full, None)
            if real is not None:
                table[id(real)] = real, lambda real=real, one=one: real() + one
    for name in ("gmtime", "localtime", "ctime"):
        real = getattr(time, name)
        table[id(real)] = real, lambda at=None, real=real, now=time.time: real(now() + offset if at is None else at)

    class Date(datetime.datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return super().now(tz) + datetime.timedelta(seconds=offset)

        @classmethod
        def today(cls) -> Any:
            return cls.now()

        @classmethod
        def utcnow(cls) -> Any:
            return cls.now(datetime.timezone.utc).replace(tzinfo=None)

    table[id(datetime.datetime)] = datetime.datetime, Date
    undo = []
    for module in list(sys.modules.values()):
        names = getattr(module, "__dict__", None)
        if not isinstance(names, dict) or names is globals():
            continue
        for name, value in list(names.items()):
            real, moved = table.get(id(value), (None, None))
            if moved is not None and real is value:
                names[name] = moved
                undo.append((names, name, value))
    try:
        yield
    finally:
        for names, name, value in undo:
            names[name] = value


# --- as a process, or here --------------------------------------------------------------------------------------------


def maker(made: Any, serve: Any) -> Callable[..., Any]:
    """A class as it is; of a function of the item its protocol."""
    return made if inspect.isclass(made) else lambda **parameters: serve._Function(made, parameters)


def run_here(job: Dict[str, Any], made: Any, serve: Any, emit: Emit) -> None:
    """A job in this process, for code at hand. The global generators are as they were at the end."""
    states = random.getstate(), sys.modules["numpy"].random.get_state()
    try:
        with Beside(False).entered() as beside:
            Run(job, maker(made, serve), serve, emit, beside).run()
    finally:
        random.setstate(states[0])
        sys.modules["numpy"].random.set_state(states[1])


def _load(path: str, name: str) -> Any:
    """From a file, as a module that has the name of the file; or from a module."""
    if not path.endswith(".py"):
        return getattr(importlib.import_module(path), name)
    stem = os.path.splitext(os.path.basename(path))[0]  # noqa: PTH119, PTH122
    specification = importlib.util.spec_from_file_location(stem, path)
    if specification is None or specification.loader is None:
        raise ImportError(path)
    module = importlib.util.module_from_spec(specification)
    sys.modules[stem] = module
    specification.loader.exec_module(module)
    return getattr(module, name)


def main() -> None:
    """Read one job from stdin, write JSON lines."""
    serve = importlib.import_module("serve")  # beside this file, where it was copied to

    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    job = json.loads(sys.stdin.readline())

    def emit(part: str, **content: Any) -> None:
        answers.write(json.dumps({"part": part, **content}) + "\n")
        answers.flush()

    with tempfile.TemporaryFile() as one, tempfile.TemporaryFile() as two:
        os.dup2(one.fileno(), 1)
        os.dup2(two.fileno(), 2)
        with Beside(True).entered() as beside:
            try:
                Run(job, maker(_load(job["adapter"], job["protocol"]), serve), serve, emit, beside).run()
            except BaseException as error:
                emit("failed", message=_said(error))
    os._exit(0)  # and no waiting for threads of the target


if __name__ == "__main__":
    main()
