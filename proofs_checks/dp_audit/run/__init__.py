"""How a target is seen: enumerated, run as its users run it, asked line by line, read from files. Judges nothing."""
