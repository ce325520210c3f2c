"""What the literature states: vocabulary, formulas, laws and claims. Imports nothing of the other two packages."""
