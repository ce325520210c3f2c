"""What is done with all this: audited libraries, the figures of the sources again, comparisons at equal privacy."""
