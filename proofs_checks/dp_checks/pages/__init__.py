"""The specification for readers: pages generated from the claims, the ledger and the programs."""
