"""What observations say of a target, beside its oracle: a module for each question, with the rows that answer it."""
