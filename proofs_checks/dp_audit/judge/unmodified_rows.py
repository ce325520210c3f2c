"""The rows about an unmodified run: a target with nothing replaced, beside the oracle's table.

All statistical statements about one run together accuse a correct target with probability at most `unmodified.LEVEL`.
"""

from dp_audit.judge.question import questions
from dp_audit.judge.unmodified import Ran
from dp_audit.outcome import Row


def plain_rows(ran: Ran) -> tuple[Row, ...]:
    """The rows of all questions that are asked of a run."""
    asked = sorted((question for question in questions() if question.of_run), key=lambda question: question.order)
    return tuple(row for question in asked if question.of_run for row in question.of_run(ran))
