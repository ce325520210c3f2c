"""The page of the questions that audits ask, one line for each kind of row."""

from dp_audit.judge.question import Question, questions


def page() -> list[str]:
    """Lines of Markdown."""
    sentence = "Every row of an audit answers one of these questions; `dp-refimpl audit --explain QUESTION` prints it."
    head = ("| Row | Question | Needs | Where there is no row |", "| --- | --- | --- | --- |")
    return ["# What audits ask", "", sentence, "", *head, *map(_line, questions())]


def _line(question: Question) -> str:
    return f"| {question.title} | {question.explanation} | {question.observed} | {question.unasked} |"
