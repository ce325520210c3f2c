"""Exact numbers: JSON without rounding, polynomials and their fractions, binomial coefficients and sums."""
