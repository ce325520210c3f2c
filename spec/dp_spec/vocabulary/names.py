"""Names that people type: any spelling of a known name is read, an unknown one gets suggestions."""

from collections.abc import Iterable
from difflib import get_close_matches

from dp_spec.vocabulary.exceptions import UnknownNameError


def require_name(parameter: str, word: object, choices: Iterable[str]) -> str:
    """The known name that is meant: capitals, hyphens, underscores and spaces do not matter.

    Raises `UnknownNameError` naming the parameter, and what comes close, for any other value.
    """
    names = list(choices)
    if word in names:
        return str(word)
    spellings = {_spelling(name): name for name in names}
    if isinstance(word, str) and _spelling(word) in spellings:
        return spellings[_spelling(word)]
    raise UnknownNameError(parameter, word, names, suggestions(str(word), names))


def suggestions(word: str, names: Iterable[str], number: int = 3) -> list[str]:
    """The known names that come closest to what was typed; none if nothing does."""
    spellings = {_spelling(name): name for name in names}
    typed = _spelling(word)
    inside = [name for key, name in spellings.items() if typed and (typed in key)]
    close = [spellings[key] for key in get_close_matches(typed, spellings, number)]
    return list(dict.fromkeys((*close, *sorted(inside, key=len))))[:number]


def _spelling(name: str) -> str:
    return name.casefold().replace("-", "").replace("_", "").replace(" ", "")
