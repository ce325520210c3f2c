"""Formulas: expression trees, the domains they are quantified over, sums, logarithms."""
