"""Measured ratios (a package, as releases of others install one of this name)."""
