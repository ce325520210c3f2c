"""The built documentation, looked at as a reader has it: weight, links, formulas, and how pages look in a browser."""
