"""Tables fit a terminal of any width, and no word is broken."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from dp_checks.runtime.terminal import listed, print_table

WORDS = st.text("abc.@_-0123", min_size=1, max_size=40)
CELLS = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)


def printed(width: int, rows: list[tuple[str, str]]) -> str:
    out = io.StringIO()
    table = Table("id", "what", "how", title="some title")
    for row in rows:
        table.add_row(row[0], Text(row[1]), row[1])
    print_table(Console(file=out, width=width, force_terminal=True, color_system=None), table)
    return out.getvalue()


@given(st.integers(20, 200), st.lists(st.tuples(WORDS, CELLS), min_size=1, max_size=4))
def test_no_word_is_broken_or_lost(width: int, rows: list[tuple[str, str]]) -> None:
    words = printed(width, rows).replace("│", " ").split()
    left = list(words)
    for row in rows:
        for word in (row[0], *row[1].split(), *row[1].split()):
            assert word in left
            left.remove(word)


@pytest.mark.parametrize("width", [20, 40, 80])
def test_lines_are_as_wide_as_the_terminal_where_words_allow_it(width: int) -> None:
    lines = printed(width, [("an id", "some words " * 9)]).splitlines()
    assert max(map(len, lines)) <= width


@given(st.integers(1, 200) | st.none(), st.lists(st.tuples(WORDS, WORDS, CELLS), max_size=4))
def test_a_row_is_a_line_that_is_cut_to_the_terminal(width: int | None, rows: list[tuple[str, str, str]]) -> None:
    lines = [word + rest for word, rest in listed(rows, width)]
    for line, row in zip(lines, rows, strict=True):
        if width is None:
            assert line.split("\t") == [*row]
        else:
            names = f"{row[0]:12}{row[1]}"
            assert line.startswith(names.rstrip())
            assert cell_len(line) <= max(width, len(names))


def test_the_sentence_stands_beside_the_name() -> None:
    rows = [("proved", "a", "one two three"), ("refuted", "a.b", "ε̂ ≤ 1")]
    assert ["".join(line) for line in listed(rows, 26)] == ["proved      a   one two t…", "refuted     a.b ε̂ ≤ 1"]
