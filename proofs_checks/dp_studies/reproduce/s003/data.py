"""Tables of source 003: of a file in the form of Adult, and generated ones of the sizes of Adult and Big5.

No record of the source's data is in our text; of Adult the published code book is used, of Big5 its sizes. In a
generated table every attribute but the first has one earlier attribute, drawn at random, as its cause: its value is a
function of that one's with chance 1/2, else it is drawn with shares in proportion to 1, 1/2, 1/3, ...
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path

import numpy as np

from dp_refimpl.fast.array_coins import Bits, Indices
from dp_refimpl.fast.synthesis.binary_codes import ArrayBinaryCode
from dp_refimpl.fast.synthesis.record_arrays import ArrayTable
from dp_spec.vocabulary.exceptions import DomainError, FormatError
from dp_studies.reproduce.s003.attributes import Attribute, Category, Number
from dp_studies.reproduce.streams import draws, number_of


def _category(name: str, values: str) -> Category:
    return Category(name, tuple(values.split()))


ADULT: tuple[Attribute, ...] = (
    Number("age", 17, 90),
    _category(
        "workclass",
        "Private Self-emp-not-inc Self-emp-inc Federal-gov Local-gov State-gov Without-pay Never-worked",
    ),
    Number("fnlwgt", 12285, 1490400),
    _category(
        "education",
        "Bachelors Some-college 11th HS-grad Prof-school Assoc-acdm Assoc-voc 9th 7th-8th 12th Masters "
        "1st-4th 10th Doctorate 5th-6th Preschool",
    ),
    Number("education-num", 1, 16),
    _category(
        "marital-status",
        "Married-civ-spouse Divorced Never-married Separated Widowed Married-spouse-absent Married-AF-spouse",
    ),
    _category(
        "occupation",
        "Tech-support Craft-repair Other-service Sales Exec-managerial Prof-specialty Handlers-cleaners "
        "Machine-op-inspct Adm-clerical Farming-fishing Transport-moving Priv-house-serv Protective-serv "
        "Armed-Forces",
    ),
    _category("relationship", "Wife Own-child Husband Not-in-family Other-relative Unmarried"),
    _category("race", "White Asian-Pac-Islander Amer-Indian-Eskimo Other Black"),
    _category("sex", "Female Male"),
    Number("capital-gain", 0, 99999),
    Number("capital-loss", 0, 4356),
    Number("hours-per-week", 1, 99),
    _category(
        "native-country",
        "United-States Cambodia England Puerto-Rico Canada Germany Outlying-US(Guam-USVI-etc) India Japan "
        "Greece South China Cuba Iran Honduras Philippines Italy Poland Jamaica Vietnam Mexico Portugal "
        "Ireland France Dominican-Republic Laos Ecuador Taiwan Haiti Columbia Hungary Guatemala Nicaragua "
        "Scotland Thailand Yugoslavia El-Salvador Trinadad&Tobago Peru Hong Holand-Netherlands",
    ),
    _category("salary", "<=50K >50K"),
)
"""The attributes of Adult by its code book, ranges being those of the published records; the last is the target."""
BIG5 = (14, 16, 3, 4, 4, 5, 249, *(6,) * 50)
"""Numbers of values by the code book of Big5 ("missed" being one value). The second attribute is age, in 16 intervals
of 5 years from 10 on, so that its first bit is 50 or more."""
SIZES: Mapping[str, tuple[int, tuple[int, ...]]] = {
    "adult": (45222, tuple(attribute.size for attribute in ADULT)),
    "big5": (19719, BIG5),
}
"""Records, and values of every attribute, of the source's data sets."""
TARGETS: Mapping[str, int] = {"adult": len(ADULT) - 1, "big5": 1}
"""The attributes that are predicted in Figure 5 (e) and (f): salary, and age."""
MISSING = ("?", "")
LARGEST = 10**7
"""Cells of a table."""
_UNIT = 1 << 32
_STREAM = number_of("tables of source 003")


@dataclass(frozen=True, eq=False)
class Table:
    """Records of attributes with `sizes` values: `codes` of shape (n, attributes). `dropped` had missing values.

    The first bit of the attribute `target` (default: the last one) is what other attributes are to predict. Raises
    `DomainError` for zero records, too many cells, a code outside its domain, and an attribute with the same value in
    all records.
    """

    name: str
    sizes: tuple[int, ...]
    codes: Indices = field(repr=False)
    dropped: int = 0
    target: int = -1

    def __post_init__(self) -> None:
        ArrayBinaryCode(self.sizes)
        if self.codes.ndim != 2 or self.codes.shape[1] != len(self.sizes):
            raise DomainError("codes", self.codes.shape, f"a row of {len(self.sizes)} codes for every record")
        if not self.codes.size or self.codes.size > LARGEST:
            raise DomainError("codes", self.codes.shape, f"at least one record, and at most {LARGEST} cells")
        for a, size in enumerate(self.sizes):
            low, high = int(self.codes[:, a].min()), int(self.codes[:, a].max())
            if not 0 <= low < high < size:
                raise DomainError(f"attribute {a}", (low, high), f"codes below {size}, two different ones at least")

    @cached_property
    def code(self) -> ArrayBinaryCode:
        """The attributes as binary ones."""
        return ArrayBinaryCode(self.sizes)

    @property
    def n(self) -> int:
        """The number of records."""
        return len(self.codes)

    @property
    def d(self) -> int:
        """The number of binary attributes."""
        return sum(self.code.bits)

    @cached_property
    def bits(self) -> Bits:
        """The binary attributes, shape (n, bits)."""
        return self.code.encoded_array(ArrayTable(self.sizes, self.codes)).records.astype(np.uint8, copy=False)

    @property
    def labels(self) -> int:
        """The place of the bit that is predicted."""
        return self.code.places[self.target][0]

    @property
    def features(self) -> list[int]:
        """The places of the bits of the other attributes."""
        target = self.code.places[self.target]
        return [place for place in range(self.d) if place not in target]

    @cached_property
    def digest(self) -> str:
        """Of the sizes and the codes."""
        return sha256(f"{self.sizes}".encode() + self.codes.astype("<i8").tobytes()).hexdigest()


@lru_cache(maxsize=8)
def generated(name: str, n: int, sizes: tuple[int, ...]) -> Table:
    """A table without any real record; the same name and sizes give the same table. Raises `DomainError` as `Table`."""
    coins = draws(_STREAM, number_of(name), n, *sizes)
    columns = [_skewed(sizes[0], coins.below(_total(sizes[0]), n))]
    for a, size in enumerate(sizes[1:], 1):
        cause, factor, shift = (int(coins.below(bound, 1)[0]) for bound in (a, size, size))
        copied = (columns[cause] * (2 * factor + 1) + shift) % size
        own = _skewed(size, coins.below(_total(size), n))
        columns.append(np.where(coins.below(2, n) == 0, copied, own))
    return Table(name, sizes, np.stack(columns, axis=1))


def named(name: str) -> Table:
    """The generated table of one of the source's sizes. Raises `DomainError` for another name."""
    if name not in SIZES:
        raise DomainError("data", name, f"{', '.join(SIZES)}, or a file")
    return replace(generated(name, *SIZES[name]), target=TARGETS[name])


def columns(table: Table) -> Iterator[tuple[str, int]]:
    """The name and the number of bits of every attribute: those of Adult's code book, or numbers from 1."""
    adult = tuple(attribute.size for attribute in ADULT) == table.sizes
    names = [attribute.name for attribute in ADULT] if adult else map(str, range(1, len(table.sizes) + 1))
    return zip(names, table.code.bits, strict=True)


def less_frequent(table: Table) -> int:
    """The number of records with the less frequent label."""
    ones = int(np.count_nonzero(table.bits[:, table.labels]))
    return min(ones, table.n - ones)


def _total(size: int) -> int:
    return sum(_weights(size))


def _weights(size: int) -> list[int]:
    return [_UNIT // rank for rank in range(1, size + 1)]


def _skewed(size: int, drawn: Indices) -> Indices:
    """Values with shares in proportion to 1/rank, of uniform numbers below the total of the weights."""
    return np.searchsorted(np.cumsum(_weights(size)), drawn, side="right").astype(np.int64)


# --- files ------------------------------------------------------------------------------------------------------------


def of_file(path: Path, attributes: Sequence[Attribute] = ADULT) -> Table:
    """The records of a CSV file: a line with the names of the attributes (the last one's is free), then the records.

    Blanks around cells, blank lines and a full stop after the target are ignored. A record with a missing value ("?" or
    nothing) is dropped. Raises `FormatError` with the line for what cannot be read and values outside their domains,
    `DomainError` as `Table` (at the first record too many), and `OSError`.
    """
    codes, dropped = [], 0
    for line, cells in _records(path, attributes):
        if any(cell in MISSING for cell in cells):
            dropped += 1
            continue
        try:
            codes.append([attribute.code(cell) for attribute, cell in zip(attributes, cells, strict=True)])
        except DomainError as error:
            raise FormatError(f"{path.name}, line {line}, {error.parameter}", error.value, error.allowed) from None
        if len(codes) * len(attributes) > LARGEST:
            raise DomainError("records", f"more than {len(codes) - 1} in {path.name}", f"at most {LARGEST} cells")
    if not codes:
        raise DomainError("records", f"0 of {dropped} in {path.name}", "at least one without missing values")
    array = np.array(codes, np.int64)
    for attribute, column in zip(attributes, array.T, strict=True):
        if column.min() == column.max():
            raise DomainError(attribute.name, f"{path.name}: the same in all records", "two different values at least")
    return Table(path.name, tuple(attribute.size for attribute in attributes), array, dropped)


def _records(path: Path, attributes: Sequence[Attribute]) -> Iterator[tuple[int, list[str]]]:
    """The stripped cells of every record, with its line."""
    names = [attribute.name for attribute in attributes[:-1]]
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.reader(file, strict=True, skipinitialspace=True)
        try:
            header = [cell.strip() for cell in next(rows, [])]
            if len(header) != len(attributes) or header[:-1] != names:
                raise FormatError(f"{path.name}, line 1", header, f"{', '.join(names)}, and a target")
            for row in rows:
                if not row or row == [""]:
                    continue
                if len(row) != len(attributes):
                    raise FormatError(f"{path.name}, line {rows.line_num}", row, f"{len(attributes)} cells")
                cells = [cell.strip() for cell in row]
                yield rows.line_num, [*cells[:-1], cells[-1].removesuffix(".")]
        except (csv.Error, UnicodeDecodeError) as error:
            raise FormatError(f"{path.name}, after line {rows.line_num}", str(error), "CSV in UTF-8") from None
