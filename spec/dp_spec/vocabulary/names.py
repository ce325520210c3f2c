"""Names that people type: any spelling of a known name is read, an unknown one gets suggestions."""

from collections.abc import Iterable
from difflib import get_close_matches

from dp_spec.vocabulary.exceptions import UnknownNameError


def known_name(parameter: str, given: object, known: Iterable[str]) -> str:
    """The known name that is meant: capitals, hyphens, underscores and spaces do not matter.

    Raises `UnknownNameError` naming the parameter, and what comes close, for any other value.
    """
    names = list(known)
    plain = {_plain(name): name for name in names}
    if given in names:
        return str(given)
    if isinstance(given, str) and _plain(given) in plain:
        return plain[_plain(given)]
    raise UnknownNameError(parameter, given, names, suggestions(str(given), names))


def suggestions(given: str, known: Iterable[str], number: int = 3) -> list[str]:
    """The known names that come closest to what was typed; none if nothing does."""
    plain = {_plain(name): name for name in known}
    typed = _plain(given)
    inside = [name for key, name in plain.items() if typed and (typed in key)]
    close = [plain[key] for key in get_close_matches(typed, plain, number)]
    return list(dict.fromkeys((*close, *sorted(inside, key=len))))[:number]


def _plain(name: str) -> str:
    return name.casefold().replace("-", "").replace("_", "").replace(" ", "")
