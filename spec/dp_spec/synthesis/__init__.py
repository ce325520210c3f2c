"""Synthetic tables: a curator publishes a table that has the law of a private one, nearly."""
