"""What is remembered of programs: to be forgotten before and after one is changed."""

from dp_checks.check.ties import tie
from dp_checks.programs import law_channel


def forget_programs() -> None:
    """Forget enumerated programs and their ties."""
    tie.cache_clear()
    law_channel.cache_clear()
