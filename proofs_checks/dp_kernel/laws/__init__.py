"""Laws as terms: their grammar, and a judgement in each module."""
