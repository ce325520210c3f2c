"""The study of source 003: distances of synthetic tables, attackers on tiny ones, costs, and the command's options."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, cast

import click

from dp_checks.runtime.boundary import Name
from dp_checks.runtime.parallel import Workers
from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.reproduce.command import Request, integers, listed, option
from dp_studies.reproduce.numbers import signed
from dp_studies.reproduce.s003 import attackers
from dp_studies.reproduce.s003.data import SIZES, Table, named, of_file
from dp_studies.reproduce.s003.measurements import measured, time_lines
from dp_studies.reproduce.s003.points import KINDS, Task, computed, summary, tasks_of
from dp_studies.reproduce.s003.search_costs import Search
from dp_studies.reproduce.s003.settings import (
    CALIBRATIONS,
    CLUSTERS,
    DEGREE,
    DEGREES,
    EPSILONS,
    ETA,
    MOST,
    NAMES,
    RECORDS,
    REDUCTION,
    RUNS,
    SEED,
    SIGMA,
    SMALL,
    Calibration,
    Plan,
    Segmentation,
)
from dp_studies.reproduce.study import Family, Study, agreement
from dp_studies.schemas import (
    BOOLEAN,
    COUNT,
    NATURAL,
    SIGNED,
    TEXT,
    beside,
    by_name,
    confidence,
    lists,
    objects,
    one_of,
    optional,
)

