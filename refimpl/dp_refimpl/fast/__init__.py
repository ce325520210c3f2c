"""What studies draw on arrays, for many users at once: the laws of the programs."""
