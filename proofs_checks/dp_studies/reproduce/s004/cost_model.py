"""What a setting costs: numbers of operations (claim 004.exp.time), counters, bits of a report."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Costs:
    """Of k functions to m columns for n records and some words. Operations are counted, not timed."""

    k: int
    m: int
    records: int
    words: int

    @property
    def counters(self) -> int:
        """k m."""
        return self.k * self.m

    @property
    def bits(self) -> int:
        """Of a report: m signs and a row, m + ceil(log2 k)."""
        return self.m + (self.k - 1).bit_length()

    @property
    def client(self) -> int:
        """n m: a sign for every column of every record."""
        return self.records * self.m

    @property
    def server(self) -> int:
        """n m: every sign is added."""
        return self.records * self.m

    @property
    def initialization(self) -> int:
        """k m."""
        return self.k * self.m

    @property
    def queries(self) -> int:
        """k |D|: a cell of every row for every word."""
        return self.k * self.words

    @property
    def operations(self) -> int:
        """All of them."""
        return self.client + self.server + self.initialization + self.queries
