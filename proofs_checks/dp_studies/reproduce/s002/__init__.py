"""Figures 1 to 4 of source 002 again: exact errors, simulated runs, and how far apart the two may be."""
