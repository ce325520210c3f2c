"""The shuffle model: what the messages of all users tell together."""
