"""Laws as terms: their grammar, what they are at given sizes, and the sizes that a statement speaks of."""
