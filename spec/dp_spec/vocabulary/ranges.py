"""The ranges that most variables of formal statements have."""

from dp_spec.vocabulary.statement import Range

NATURAL, SOME, SEVERAL, MANY = (Range(least, integer=True) for least in (0, 1, 2, 3))
"""Numbers of something: integers from so many on."""
ANY_SIZE, POSITIVE = Range(), Range(strict=True)
"""Real numbers, 0 among them or not."""
FROM_ONE, ABOVE_ONE = Range(1), Range(1, strict=True)
"""e^epsilon, at epsilon = 0 or not."""
UNIT = Range(unit=True)
"""Strictly between 0 and 1."""
