"""How commands run: their boundary, files, terminal, worker processes. Nothing here knows of mechanisms."""
