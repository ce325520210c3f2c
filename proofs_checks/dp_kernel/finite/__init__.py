"""What is decided by looking at every case of an enumerated law, a channel or a matrix."""
