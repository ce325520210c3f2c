"""Laws as text, for reports and their pictures."""

from collections.abc import Hashable, Mapping

from dp_audit.exact_numbers import figure
from dp_audit.observation.target_laws import TargetLaws
from dp_audit.observation.values import show
from dp_audit.oracles.base import Number, Oracle
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.precision import precision

MOST = 4096
"""Laws with more probabilities than this are left out of reports."""
LawText = Mapping[str, Mapping[str, Mapping[str, str]]]


def shown_laws(target: Mapping[Item, Mapping[Hashable, Number]], oracle: Oracle, most: int = MOST) -> LawText:
    """Return {"target": {input: {output: probability}}, "oracle": ...}, on the target's inputs; {} if that is too
    much."""
    with precision(128):
        own = {x: oracle.law(x) for x in target if x in oracle.inputs}
        if not own or any(sum(map(len, laws.values())) > most for laws in (target, own)):
            return {}
        sides: Mapping[str, Mapping[Item, Mapping[Hashable, Number]]] = {"target": target, "oracle": own}
        return {name: {show(x): _text(law) for x, law in laws.items()} for name, laws in sides.items()}


def shown_answer(target: TargetLaws, oracle: Oracle) -> LawText:
    """Return `shown_laws` of what a child process answered, for its first type of inputs."""
    answered = [law for law in target.laws if law.refused is None and law.input_type == target.laws[0].input_type]
    return shown_laws({law.inputs[0]: law.by_output() for law in answered}, oracle)


def _text(law: Mapping[Hashable, Number]) -> dict[str, str]:
    figures: dict[str, str] = {}
    for y, p in law.items():
        name = show(y)
        figures[name if name not in figures else f"{name} ({type(y).__name__})"] = figure(p)
    return figures
