"""Sequential tests of reports: bets against the law of the oracle, at a stated error level."""
