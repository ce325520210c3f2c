"""Judgements, each in a module: a law is one, ratios, moments, errors and quantities, relations between them."""
