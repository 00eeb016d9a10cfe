# SPDX-License-Identifier: Apache-2.0
"""Reads the result directory of a run or a sweep. Whatever is wrong with it becomes one Problem."""
import csv
import gzip
import io
import json
import lzma
import subprocess
import sys
import zlib
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np


# Parts of summary.json that hold other parts, and those whose every leaf is a number or null.
OBJECTS = ["config", "topology", "workload", "bounds"]
OF_THEIR_OWN = [("run", "workload"), ("run", "folder"), ("run", "routing"), ("run", "links_in_cycles"), ("links", "busiest"),
                ("latency", "steady")]  # forms, in figures
FIGURES = ["measured", "packets", "flits", "messages", "load", "latency", "hops", "fairness", "links", "run"]


PICTURES = ("png", "pdf", "svg")  # forms of files
COMPRESSED = (".gz", ".xz", ".zst")  # as `sare run --compress` writes tables
AT_ONCE = 50_000  # rows of a table that are text in memory


class Problem(Exception):
    """One line for the user: which file, which line, what is wrong."""


@dataclass
class Table:
    """A CSV file as named columns: arrays of numbers, or of text."""
    file: str
    columns: dict
    rows: int
    about: dict = field(default_factory=dict)  # by column: unit, sentence, ..., as columns.json has them

    def __getitem__(self, name):
        if name not in self.columns:
            raise Problem(f"{self.file}:1: no column '{name}'")
        return self.columns[name]

    def __contains__(self, name):
        return name in self.columns


class Tables:
    """The tables of a run by file name without .csv, each read when it is first asked for; one without rows is none."""

    def __init__(self, files):
        self.files, self.read = files, {}  # files: by name the file and what its columns are

    def get(self, name, default=None):
        if name in self.files and name not in self.read:
            self.read[name] = _csv(*self.files[name])
        table = self.read.get(name)
        return table if table and table.rows else default

    def __contains__(self, name):
        return self.get(name) is not None

    def __getitem__(self, name):
        table = self.get(name)
        if table is None:
            raise KeyError(name)
        return table


@dataclass
class Result:
    directory: Path
    summary: dict = field(default_factory=dict)  # of a run
    sweep: dict = field(default_factory=dict)    # sweep.json of a sweep
    tables: Tables | dict = field(default_factory=dict)  # by file name without .csv; only those that have rows
    saturation: dict = field(default_factory=dict)  # summary.json of `sare saturate`, with the config of saturate.json
    exploration: dict = field(default_factory=dict)  # explore.json of a search over designs
    fit: dict = field(default_factory=dict)  # fit.json of a fit to measured figures
    responses: list = field(default_factory=list)  # columns of a sweep that effects and the front are of; []: the usual ones
    members: dict = field(default_factory=dict)  # by name of an application: what there is of it alone

    @property
    def is_sweep(self):
        return "sweep" in self.tables

    def get(self, path, default=None):
        """summary["a"]["b"] for "a.b"; the default where any part is missing or null."""
        return lookup(self.summary, path, default)


def lookup(tree, path, default=None):
    for key in path.split("."):
        if not isinstance(tree, dict) or tree.get(key) is None:
            return default
        tree = tree[key]
    return tree


def result(directory):
    if directory.is_file():
        raise Problem(f"{directory}: a file, and no directory of results; 'sare run' and 'sare sweep' write those")
    if not directory.is_dir():
        raise Problem(f"{directory}: no such directory")
    if (directory / "sweep.csv").exists():
        return _sweep(directory)
    if (directory / "saturate.json").exists():
        return _saturation(directory)
    if (directory / "explore.json").exists():
        return _exploration(directory)
    if (directory / "fit.json").exists():
        return _fit(directory)
    if (directory / "summary.json").exists():
        return _run(directory)
    raise Problem(f"{directory}: neither summary.json (of a run) nor sweep.csv (of a sweep) is in it")


def _run(directory):
    summary = _json(directory / "summary.json")
    _check_summary(directory / "summary.json", summary)
    members = {}
    for one in lookup(summary, "workload.applications", []):
        name = lookup(one, "name", "")
        own = {"workload": lookup(one, "results", {}), "run": {"workload": lookup(summary, f"run.workload.{name}", {})}}
        members[name] = Result(directory, own, tables=_tables(directory, f"{name}."))
    return Result(directory, summary=summary, tables=_tables(directory), members=members)


def _tables(directory, prefix=""):
    """Of files that begin with `prefix`; columns.json says what their columns are."""
    described, files = _described(directory), {}
    for file in (file for ending in ("", *COMPRESSED) for file in directory.glob(f"*.csv{ending}")):
        plain = file.stem if file.suffix in COMPRESSED else file.name
        name = plain.removeprefix(prefix).removesuffix(".csv")
        if plain.startswith(prefix) and "." not in name:
            files[name] = (file, described.get(plain))
    return Tables(files)


def _described(directory):
    """By file its columns, by name; a result without columns.json has none described."""
    file = directory / "columns.json"
    if not file.exists():
        return {}
    try:
        return {name: {c["name"]: c for c in table["columns"]} for name, table in _json(file).items()}
    except (KeyError, TypeError):
        raise Problem(f"{file}: no description of columns") from None


def _check_summary(file, summary):
    if not isinstance(summary.get("status"), str):
        raise Problem(f"{file}: 'status' is missing or not a text")
    for name in OBJECTS + FIGURES:
        if not isinstance(summary.get(name) or {}, dict):
            raise Problem(f"{file}: '{name}' is not an object")
    for name in FIGURES:
        _check_numbers(file, name, {k: v for k, v in (summary.get(name) or {}).items() if (name, k) not in OF_THEIR_OWN})
    busiest = lookup(summary, "links.busiest", {})
    if not isinstance(busiest, dict) or busiest and not isinstance(busiest.get("kind"), str):
        raise Problem(f"{file}: 'links.busiest' is not a link with its 'kind'")
    _check_numbers(file, "links.busiest", {k: v for k, v in busiest.items() if k not in ("kind", "name")})
    for name in ("cycles", "clock_period_s", "bounds.channel_load", "bounds.throughput"):
        _check_numbers(file, name, lookup(summary, name))
    batches = summary.get("batches") or []
    if not isinstance(batches, list) or not all(isinstance(batch, dict) for batch in batches):
        raise Problem(f"{file}: 'batches' is not a list of objects")
    dims = lookup(summary, "topology.dims", [])
    if not isinstance(dims, list) or not all(isinstance(size, int) and size > 0 for size in dims):
        raise Problem(f"{file}: 'topology.dims' is not a list of sizes")
    for name in ("nodes", "routers", "links", "channels"):
        _check_numbers(file, f"topology.{name}", lookup(summary, f"topology.{name}"))


def _check_numbers(file, name, value):
    if isinstance(value, dict):
        for key, part in value.items():
            _check_numbers(file, f"{name}.{key}", part)
    elif value is not None and (isinstance(value, bool) or not isinstance(value, (int, float))):
        raise Problem(f"{file}: '{name}' is not a number")


def _sweep(directory):
    needed = {name: {"kind": "number"} for name in ("offered", "accepted", "latency_mean")}
    needed |= {"point": {"kind": "count"}, "status": {"kind": "text"}}
    file = directory / "sweep.json"
    sweep = _json(file) if file.exists() else {}
    if not isinstance(sweep.get("axes", {}), dict):
        raise Problem(f"{file}: 'axes' is not an object")
    zipped = sweep.get("zipped", [])
    if not isinstance(zipped, list) or not all(isinstance(names, list) for names in zipped):
        raise Problem(f"{file}: 'zipped' is not a list of lists of axes")
    tables = {"sweep": _csv(directory / "sweep.csv", needed)}
    described = {"failed": {"points": {"kind": "text"}, "reason": {"kind": "text"}}, "seeds": {"status": {"kind": "text"}}}
    for name, columns in described.items():
        if (directory / f"{name}.csv").exists():
            tables[name] = _csv(directory / f"{name}.csv", columns)
    return Result(directory, sweep=sweep, tables=tables)


def sweep_table(file):
    """A table of a sweep, and by column what columns.json says of it."""
    about = _described(file.parent).get(file.name, {})
    return _csv(file, {"status": {"kind": "text"}}), about


def _saturation(directory):
    file = directory / "summary.json"
    if not file.exists():
        raise Problem(f"{directory}: no summary.json; the search has not come to an end")
    found, asked = _json(file), _json(directory / "saturate.json")
    all_of_them = found.get("combinations")
    if not isinstance(all_of_them, list) or not all(isinstance(one, dict) for one in all_of_them):
        raise Problem(f"{file}: 'combinations' is not a list of objects")
    for number, one in enumerate(all_of_them):
        for path in ("saturation.load", "saturation.sustained", "saturation.saturated", "slow.load", "bound.load", "zero_load_latency"):
            _check_numbers(file, f"combinations[{number}].{path}", lookup(one, path))
        for run in one.get("runs", []):
            if not isinstance(run, dict) or not isinstance(run.get("status"), str):
                raise Problem(f"{file}: a run of 'combinations[{number}]' has no status")
            for name in ("load", "latency_mean", "accepted", "length", "seed"):
                _check_numbers(file, f"combinations[{number}].runs.{name}", run.setdefault(name, None))
            if run["load"] is None:
                raise Problem(f"{file}: a run of 'combinations[{number}]' has no load")
        one["zero_load_latency_ci95"] = lookup(_first_run(directory, one), "latency.packet.from_generation.ci95")
    return Result(directory, saturation={**asked, **found})


def _exploration(directory):
    file = directory / "explore.json"
    asked = _json(file)
    wanted = lookup(asked, "asked.objectives")
    if not isinstance(wanted, dict) or not isinstance(lookup(asked, "asked.parameters"), dict):
        raise Problem(f"{file}: 'asked' has no parameters and objectives")
    number = {"kind": "number"}
    designs = _csv(directory / "designs.csv", {"run": {"kind": "count"}, "front": {"kind": "count"}, "status": {"kind": "text"},
                                               "reason": {"kind": "text"}, **{name: number for name in wanted}})
    importance = _csv(directory / "importance.csv", {"parameter": {"kind": "text"}, **{name: number for name in wanted}})
    return Result(directory, exploration=asked, tables={"designs": designs, "importance": importance})


def _fit(directory):
    file = directory / "fit.json"
    found = _json(file)
    for path in ("goodness.bound", "best", "asked.parameters"):
        if lookup(found, path) is None:
            raise Problem(f"{file}: no '{path}'; the fit has not come to an end")
    text, value = {"kind": "text"}, {"kind": "number"}
    residuals = _csv(directory / "residuals.csv", {**dict.fromkeys(("from", "figure", "unit", "status"), text),
                                                   **dict.fromkeys(("measured", "error", "simulated", "simulated_error", "sigmas", "run"), value)})
    settings = _csv(directory / "settings.csv", {"verdict": text, "reason": text, "chi2": value})
    return Result(directory, fit=found, tables={"residuals": residuals, "settings": settings})


def _first_run(directory, one):
    """The summary of the run at next to no load of a combination; {} where it is not there."""
    file = directory / "points" / f"{one.get('point', 0):03d}" / str(next((run.get("run") for run in one.get("runs", [])), "")) / "summary.json"
    return _json(file) if file.is_file() else {}


def responses(result, columns):
    """The columns, where a sweep has them as numbers."""
    if columns and not result.is_sweep:
        raise Problem(f"{result.directory}: no sweep; --response is a column of its sweep.csv")
    known = [name for name, column in result.tables["sweep"].columns.items() if column.dtype == float] if columns else []
    for name in columns:
        if name not in known:
            raise Problem(f"--response {name}: no column of numbers in {result.directory}/sweep.csv; there are {', '.join(known)}")
    return columns


def point_summary(sweep, point):
    """The summary of one point of a sweep; None where the point is unfinished."""
    file = sweep.directory / "points" / f"{int(point):03d}" / "summary.json"
    if not file.exists():
        return None
    summary = _json(file)
    _check_summary(file, summary)
    return summary


def _json(file):
    try:
        value = json.loads(_text(file))
    except json.JSONDecodeError as error:
        raise Problem(f"{file}:{error.lineno}:{error.colno}: {error.msg}") from None
    if not isinstance(value, dict):
        raise Problem(f"{file}: not a JSON object")
    return value


def _text(file):
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise Problem(f"{file}: not UTF-8 text") from None


@contextmanager
def _opened(file):
    """A table's text, a piece at a time, whatever it is compressed as."""
    how = {"encoding": "utf-8", "newline": ""}
    if file.suffix != ".zst":
        with {".gz": gzip.open, ".xz": lzma.open}.get(file.suffix, open)(file, "rt", **how) as text:
            yield text
        return
    try:
        process = subprocess.Popen(["zstd", "-dcq", file], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except FileNotFoundError:
        raise Problem(f"{file}: the command zstd, which reads it, is missing: it is in the package zstd") from None
    with process:
        text = io.TextIOWrapper(process.stdout, **how)
        try:
            yield text
        finally:  # a row that is cut short is zstd's to explain
            while process.stdout.read(1 << 20):
                continue
            problem = process.stderr.read().decode().strip()
            if process.wait() or problem:
                raise Problem(f"{file}: is damaged: {problem or f'zstd has ended with status {process.returncode}'}") from None


def _csv(file, described=None):
    """`described`: by name what each column is; of one that is not there its cells say whether it is text."""
    try:
        with _opened(file) as text:
            return _table(file, csv.reader(text, strict=True), described or {})
    except csv.Error as error:
        raise Problem(f"{file}: {error}") from None
    except UnicodeDecodeError:
        raise Problem(f"{file}: not UTF-8 text") from None
    except (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error) as error:
        raise Problem(f"{file}: is damaged: {error}") from None


def _table(file, rows, described):
    header = next(rows, [])
    for name in described:
        if name not in header:
            raise Problem(f"{file}:1: no column '{name}'")
    kinds = [described.get(name, {}).get("kind") for name in header]
    parts, first = [[] for _ in header], 2  # by column; line
    while some := list(islice(rows, AT_ONCE)):
        for line, row in enumerate(some, first):
            if len(row) != len(header):
                raise Problem(f"{file}:{line}: {len(row)} fields, the header has {len(header)}")
        for part, name, cells, kind in zip(parts, header, zip(*some), kinds):
            part.append(cells if kind is None else _column(file, name, cells, kind, first))
        first += len(some)
    columns = {}
    for name, part, kind in zip(header, parts, kinds):
        whole = _column(file, name, [cell for cells in part for cell in cells], kind) if kind is None or not part else None
        columns[name] = np.concatenate(part) if whole is None else whole
        part.clear()
    return Table(file.name, columns, first - 2, described)


def _column(file, name, cells, kind, first=2):
    """`first`: the line of the first cell."""
    if kind == "text":
        return np.array([sys.intern(cell) for cell in cells], dtype=object)
    try:
        values = np.array([cell or "nan" for cell in cells], dtype=float)
    except ValueError:
        if kind is None:
            return np.array(cells, dtype=object)
        line, cell = next((i, c) for i, c in enumerate(cells, first) if not _is_number(c))
        raise Problem(f"{file}:{line}: '{cell}' in column '{name}' is not a number") from None
    wrong = ~(np.isnan(values) | (values >= 0) & (values % 1 == 0)) if kind == "count" else np.zeros(len(values), bool)
    if wrong.any():
        line = int(wrong.argmax())
        raise Problem(f"{file}:{line + first}: '{cells[line]}' in column '{name}' is not a whole number from 0")
    return values


def _is_number(cell):
    try:
        float(cell or "nan")
        return True
    except ValueError:
        return False
