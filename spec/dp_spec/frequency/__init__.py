"""Frequency oracles: formulas, laws and estimators as the papers state them."""
