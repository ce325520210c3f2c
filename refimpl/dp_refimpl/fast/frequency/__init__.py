"""Vectorized frequency oracles: samplers of many reports, and servers."""
