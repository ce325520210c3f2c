"""Statistical audits of a child process: any program that speaks the protocol, or an adapter of a Python library."""

import json
import os
import shlex
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path

from flint import arb, ctx, fmpq

from dp_audit.environment import Environment
from dp_audit.exact_numbers import PRECISIONS
from dp_audit.judge.assessment import finding_rows
from dp_audit.judge.bets.power import MISS
from dp_audit.judge.bets.sequential import LIMIT, audit_samples
from dp_audit.judge.bets.watches import FAULT, LEVEL
from dp_audit.judge.estimator import Unit
from dp_audit.judge.out_of_domain import outside_row, support
from dp_audit.judge.process_server import estimate_rows, many_rows
from dp_audit.observation.jobs import encoded
from dp_audit.observation.samples import Reports, SamplerError
from dp_audit.observation.values import show
from dp_audit.oracles.base import Number, Oracle
from dp_audit.oracles.memoization import Memoized
from dp_audit.oracles.post_processing import specified
from dp_audit.oracles.reference import reference
from dp_audit.outcome import Audit, Row, Verdict
from dp_audit.run import child_server
from dp_audit.run.item_names import Categories, NamedSampler
from dp_audit.run.process_guard import run
from dp_audit.run.process_sampler import BOUNDS, Bounds, ProcessSampler, require_command
from dp_checks.runtime.escapes import printable
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import Ordering, compare

SERVER = Path(child_server.__file__)
AT_ONCE = 500
"""Reports that are asked for at once, first: a request costs time, and other rows than `law` need some reports."""
REPEATED = 200
"""Reports that are compared with those of a fresh process."""
REPEATED_SHARE = fmpq(1, 1000)
"""The part of the error level that the row `seed` has (`family.SHARES` leaves it)."""
KEEPS = "the first report of each client was tested: whether what the mechanism keeps for a value is kept is not known"
_VERSIONS = "import json, sys; from importlib.metadata import version; "
_VERSIONS += "print(json.dumps({'python': sys.version.split()[0], **{n: version(n) for n in sys.argv[1:]}}))"

Start = Callable[[], ProcessSampler]
Draws = list[tuple[Item, Hashable]]


def audit_process(
    command: Sequence[str],
    oracle: Oracle | str,
    parameters: Mapping[str, object] | None = None,
    *,
    level: fmpq = LEVEL,
    fault: fmpq = FAULT,
    miss: fmpq = MISS,
    promised: bool = False,
    limit: int = LIMIT,
    unit: Unit = "frequencies",
    inputs: Sequence[Item] | None = None,
    outside: Sequence[Item] | None = (),
    bounds: Bounds = BOUNDS,
    name: str | None = None,
    variables: Mapping[str, str] | None = None,
    seconds: float | None = None,
    progress: Callable[[int, int], None] | None = None,
    names: Categories | None = None,
    many: bool = True,
) -> Audit:
    """Ask a child process for reports (and estimates in `unit`) and test them against an oracle, or one by name.

    `level`, `fault`, `miss`, `promised`, `limit`, `inputs`, `seconds` and `progress` as in `audit_samples`; `outside`
    are inputs that the child should reject (None: those beside the domain), `names` the names of the items that it
    knows; `many`: it is asked for estimates of long lists, too. Three processes are started: one that is audited, one
    to see whether a fresh one repeats its reports, one for the inputs outside. Whatever they do is a row.
    Raises `DomainError` for parameters outside their domain and a command that cannot be found.
    """
    known = reference(oracle, parameters)
    command = require_command(command)
    if not isinstance(level, fmpq) or not 0 < level < 1:
        raise DomainError("level", level, "a rational number (fmpq) in (0, 1)")

    def start() -> ProcessSampler:
        decimals = known.oracle.window is not None
        if names is None:
            return ProcessSampler(command, bounds, variables=variables, decimals=decimals)
        return NamedSampler(names, command, bounds, variables=variables, decimals=decimals)

    rows: list[Row] = []
    notes = [KEEPS] if isinstance(specified(known.oracle), Memoized) else []
    with start() as sampler:
        seen: Draws = []
        seed = _seed_rows(start, sampler, known.oracle, level * REPEATED_SHARE, seen)
        resumed = _Resumed(sampler, seen)
        rows += audit_samples(
            resumed,
            known.oracle,
            level=level,
            fault=fault,
            miss=miss,
            promised=promised,
            limit=limit,
            inputs=inputs,
            first=AT_ONCE,
            seconds=seconds,
            progress=progress,
        )
        rows += seed
        if sampler.failure is None:
            estimated, refused = estimate_rows(sampler, known.oracle, [y for _, y in seen], unit)
            rows += estimated
            notes += [f"no estimates: {refused}"] if refused else []
            if many and estimated and estimated[0].verdict is not Verdict.FAULT and sampler.failure is None:
                rows += many_rows(sampler, known.oracle, [y for _, y in seen], unit)
        last = sampler.finish()
        rows += finding_rows([last] if last else [])
    rows += [outside_row(start, item, known.oracle) for item in (known.oracle.outside if outside is None else outside)]
    return Audit(
        target=name or shlex.join(command),
        mechanism=known.name,
        oracle=known.name,
        certified=known.certified,
        parameters=known.parameters,
        method="process",
        rows=tuple(rows),
        notes=tuple(notes),
    )


def audit_adapter_blackbox(
    adapter: Path | str,
    protocol: str,
    handed: Mapping[str, object],
    oracle: Oracle | str,
    parameters: Mapping[str, object] | None = None,
    *,
    environment: Environment,
    distributions: Sequence[str] = (),
    input_type: str = "int",
    one_type: bool = False,
    names: Categories | None = None,
    level: fmpq = LEVEL,
    fault: fmpq = FAULT,
    miss: fmpq = MISS,
    limit: int = LIMIT,
    unit: Unit = "frequencies",
    inputs: Sequence[Item] | None = None,
    outside: Sequence[Item] | None = (),
    bounds: Bounds = BOUNDS,
    name: str | None = None,
    seconds: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Audit:
    """Audit an adapter (a file, or a module of the environment) statistically, as it runs for its users: nothing is
    intercepted, compiled code is compiled. `handed` are the parameters of the adapter's class, `parameters` those of
    the oracle. Every report is drawn by a fresh client. `one_type`: reports of several types are a finding; `names`:
    those of the oracle's items that the adapter knows. The rest as in `audit_process`.
    """
    told = reference(oracle, parameters).oracle.inputs if names is None else names.names
    command, variables = adapter_command(adapter, protocol, handed, environment, input_type, one_type, told)
    found = audit_process(
        command,
        oracle,
        parameters,
        level=level,
        fault=fault,
        miss=miss,
        limit=limit,
        unit=unit,
        inputs=inputs,
        outside=outside,
        bounds=bounds,
        name=name or Path(adapter).stem,
        variables=variables,
        seconds=seconds,
        progress=progress,
        names=names,
        many=False,  # takes long, and is for the run as it is
    )
    return Audit(
        target=found.target,
        mechanism=protocol,
        oracle=found.oracle,
        certified=found.certified,
        parameters=found.parameters,
        method="process",
        rows=found.rows,
        versions=_versions(str(environment.python), ("numpy", *distributions)),
        notes=found.notes,
    )


def adapter_command(
    adapter: Path | str,
    protocol: str,
    handed: Mapping[str, object],
    environment: Environment,
    input_type: str = "int",
    one_type: bool = False,
    inputs: Sequence[Item] = (),
) -> tuple[list[str], dict[str, str]]:
    """The command that answers for an adapter, and the variables it runs under: nobody there disables compilation."""
    where = str(Path(adapter).absolute()) if str(adapter).endswith(".py") else str(adapter)
    options = json.dumps({"input_type": input_type, "one_type": one_type, "inputs": encoded(tuple(inputs))})
    command = [str(environment.python), "-I", "-B", str(SERVER), where, protocol, json.dumps(dict(handed)), options]
    return command, {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}


def _versions(python: str, distributions: Sequence[str]) -> dict[str, str]:
    """Of the interpreter and the distributions. Raises `DomainError` if one is not installed there."""
    done = run([python, "-I", "-c", _VERSIONS, *distributions], timeout=60)
    if done.returncode:
        raise DomainError(
            "distributions", tuple(distributions), f"installed distributions ({printable(done.stderr[-300:])})"
        )
    return {str(k): str(v) for k, v in json.loads(done.stdout).items()}


# --- is it random at all? ---------------------------------------------------------------------------------------------


def _seed_rows(start: Start, sampler: ProcessSampler, oracle: Oracle, level: fmpq, seen: Draws) -> list[Row]:
    """Whether the same requests give the same reports again, in this process or in a fresh one.

    The probability that n reports repeat given ones is the product of their probabilities, so that a correct target is
    accused with probability at most `level`, half of it for either comparison. `seen` receives the first reports.
    """
    again: Draws = []
    other: Draws = []
    try:
        _draw(sampler, oracle, seen)
    except SamplerError:
        return []  # asked again, it fails again: `audit_samples` reports it
    try:
        _draw(sampler, oracle, again)
        with start() as fresh:
            _draw(fresh, oracle, other)
    except SamplerError as error:
        detail = f"could not be asked for the same reports again: {error.finding.message}"
        return [Row("seed", Verdict.UNDECIDED, detail)]
    figures = {"error level": str(level), "reports": str(len(seen))}
    for what, repeated in (("the same process", again), ("a fresh process", other)):
        if repeated == seen and _compare_probability(seen, oracle, level / 2) is Ordering.LESS:
            witness = {"input": show(seen[0][0]), "reports": show(tuple(y for _, y in seen[:12]))}
            detail = f"{what}, asked the same again, gives the same {len(seen)} reports: they are not random"
            return [Row("seed", Verdict.FAULT, detail, figures, witness)]
    detail = f"{len(seen)} reports are others when asked again, in the same process and in a fresh one"
    if seen in (again, other):
        detail = f"{len(seen)} reports are the same when asked again, which their probability explains"
    return [Row("seed", Verdict.CONSISTENT, detail, figures)]


def _draw(sampler: ProcessSampler, oracle: Oracle, draws: Draws) -> None:
    """200 reports in a known order, on all inputs: single ones if the child does not tell the order."""
    inputs = oracle.inputs[:REPEATED]
    each = REPEATED // len(inputs)
    for item in inputs:
        answer = sampler.sample(item, each)
        if isinstance(answer, Mapping):
            for _ in range(each):
                draws += [(item, output) for output in support(sampler.sample(item, 1))]
        else:
            draws += [(item, output) for output in answer]


class _Resumed:
    """A sampler after reports that it gave already: they are handed out first, so that no report is lost."""

    def __init__(self, sampler: ProcessSampler, draws: Draws) -> None:
        self._sampler = sampler
        self._left: dict[Item, list[Hashable]] = {}
        for item, output in draws:
            self._left.setdefault(item, []).append(output)

    def sample(self, item: Item, count: int, /) -> Reports:
        """As of the sampler."""
        left = self._left.pop(item, [])
        first, self._left[item] = left[:count], left[count:]
        if len(first) == count:
            return first
        try:
            return _joined(first, self._sampler.sample(item, count - len(first)))
        except SamplerError as error:
            raise SamplerError(error.finding, _joined(first, error.partial or ())) from None


def _joined(first: Sequence[Hashable], more: Reports) -> Reports:
    return Counter(first) + Counter(more) if isinstance(more, Mapping) else (*first, *more)


def _compare_probability(draws: Draws, oracle: Oracle, bound: fmpq) -> Ordering:
    """An upper bound of the probability of these reports, against a number."""
    for bits in PRECISIONS:
        with ctx.workprec(bits):
            known: dict[tuple[Item, Hashable], Number] = {}
            events = {item: oracle.events(item) for item in dict.fromkeys(item for item, _ in draws)}
            for item, output in draws:
                if not oracle.possible_on(item, output):
                    known[item, output] = fmpq(1)  # wrong, and no sign of a seed
                elif (item, output) not in known:
                    sides = [e.probability if e.holds(output) else 1 - e.probability for e in events[item]]
                    known[item, output] = min(sides, key=lambda p: float(arb(p)), default=fmpq(1))
            product: Number = fmpq(1)
            for draw in draws:
                product = product * known[draw]
            order = compare(product, bound)
        if order is not Ordering.UNDECIDED:
            break
    return order
