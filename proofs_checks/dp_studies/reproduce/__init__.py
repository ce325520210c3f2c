"""The figures of the sources again: exact values, simulated runs, and how far apart the two may be. A folder each."""
