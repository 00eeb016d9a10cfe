# SPDX-License-Identifier: Apache-2.0
"""A store of runs as a DataFrame: the SQLite file of ``--store``."""
from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .asked import asked
from .errors import Error, need
from .results import Place

if TYPE_CHECKING:
    import pandas

MARK = 0x73617265  #: application_id of a store
VERSIONS = (1, 2)  #: of a store, that are read
UNITS = {"load.offered": "flits/node/cycle", "load.accepted": "flits/node/cycle", "makespan_cycles": "cycles", "cycles": "cycles",
         "latency.mean": "cycles", "latency.ci95": "cycles", "latency.p50": "cycles", "latency.p99": "cycles", "latency.max": "cycles",
         "energy.total": "pJ", "energy.per_bit": "pJ", "power.mean": "mW", "wall_s": "s", "cycles_per_s": "1/s", "peak_rss_bytes": "bytes"}


@asked
def runs(store: Place) -> "pandas.DataFrame":
    """The runs of a store: a row each, by their numbers in it.

    store : the file that ``--store`` names
    Columns are kind, name, status, version, seed, recorded, host, machine, directory and sweep, then parameters and
    figures by their paths, NaN where a run has none. ``attrs["units"]`` is by column. An SQL of your own is possible, too:
    the tables are run, path and value.
    """
    file = Path(store)
    if not file.is_file():
        raise Error(f"{file}: no such store; 'sare run FILE --store {file}' makes one")
    pandas = need("pandas")
    try:
        database = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=60)
        try:
            return _frame(pandas, database, file)
        finally:
            database.close()
    except sqlite3.Error as problem:
        raise Error(f"{file}: cannot be read: {problem}") from None


def _frame(pandas: Any, database: sqlite3.Connection, file: Path) -> "pandas.DataFrame":
    (mark,), (version,) = (database.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version"))
    if mark != MARK:
        raise Error(f"{file}: is no store of runs")
    if version not in VERSIONS:
        raise Error(f"{file}: is a store of version {version}, and this package knows up to {VERSIONS[-1]}")
    database.execute("BEGIN")  # one state of the store for both tables
    frame = pandas.read_sql("SELECT * FROM run ORDER BY id", database, index_col="id").drop(columns=["identity", "configuration"])
    rows = pandas.read_sql("SELECT run, name, value FROM value JOIN path ON path.id = value.path ORDER BY path.id", database)
    if len(rows):
        values = rows.pivot(index="run", columns="name", values="value")[rows["name"].unique()]
        frame = frame.join(values.infer_objects())
    frame.attrs["units"] = {name: unit for name, unit in UNITS.items() if name in frame}
    made: "pandas.DataFrame" = frame
    return made
