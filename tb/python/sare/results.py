# SPDX-License-Identifier: Apache-2.0
"""Directories of results as objects: tables are DataFrames whose ``attrs`` have units and sentences."""
from __future__ import annotations

import csv
import json
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Sequence, Union

from .asked import asked
from .errors import Error, need

if TYPE_CHECKING:
    import pandas

Place = Union[str, Path]


ENDINGS = ("", ".gz", ".xz", ".zst")  # of tables: as they are, or as `sare run --compress` writes them


class Directory:
    """A directory that the program wrote. A temporary one is deleted with the last object that needs it."""

    def __init__(self, path: Place, keeper: Optional[Any] = None) -> None:
        self.path = Path(path)  #: where the files are
        self._keeper = keeper
        self._about: Optional[Dict[str, Any]] = None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.path}>"

    def __dir__(self) -> Iterator[str]:
        return iter([*super().__dir__(), *self.tables])

    @property
    def tables(self) -> List[str]:
        """Names of the tables: the CSV files without their ending."""
        return sorted({file.name[:file.name.index(".csv")] for ending in ENDINGS for file in self.path.glob(f"*.csv{ending}")})

    def table(self, name: str) -> "pandas.DataFrame":
        """A table, a row for each line of its file. ``attrs["units"]`` and ``attrs["sentences"]`` are by column."""
        reader = need("pandas").read_csv
        file = next((f for f in (self.path / f"{name}.csv{ending}" for ending in ENDINGS) if f.exists()), None)
        if file is None:
            raise Error(f"{self.path} has no table '{name}'; it has {', '.join(self.tables) or 'none'}")
        frame: "pandas.DataFrame" = reader(file, float_precision="round_trip")
        columns = self._columns(f"{name}.csv")
        frame.attrs["units"] = {c: columns[c]["unit"] for c in frame if columns.get(c, {}).get("unit")}
        frame.attrs["sentences"] = {c: columns[c]["sentence"] for c in frame if c in columns}
        return frame

    def _columns(self, file: str) -> Dict[str, Dict[str, str]]:
        if self._about is None:
            about = self.path / "columns.json"
            self._about = json.loads(about.read_text()) if about.exists() else {}
        described = {c["name"]: c for c in self._about.get(file, {}).get("columns", ())}
        for name, column in list(described.items()):
            described.setdefault(f"{name}_ci95", {**column, "sentence": f"Half the width of the 95% confidence interval of {name}."})
        return described

    def __getattr__(self, name: str) -> "pandas.DataFrame":
        if not name.startswith("_") and name in self.tables:
            return self.table(name)
        raise AttributeError(f"{type(self).__name__} has no '{name}'; tables are {', '.join(self.tables)}")

    def keep(self, path: Place) -> Path:
        """Copies the files to ``path``, which must not exist yet."""
        target = Path(path)
        if target.exists():
            raise Error(f"{target} exists already; give another name")
        shutil.copytree(self.path, target)
        return target

    def _read(self, name: str) -> Dict[str, Any]:
        file = self.path / name
        try:
            found: Dict[str, Any] = json.loads(file.read_text())
        except OSError as problem:
            raise Error(f"{file}: {problem.strerror}") from None
        except ValueError as problem:
            raise Error(f"{file}: is damaged: {problem}") from None
        return found


class Run(Directory):
    """One run. Its tables are attributes: ``run.links``, ``run.nodes``, ``run.series``, ..."""

    def __init__(self, path: Place, keeper: Optional[Any] = None) -> None:
        super().__init__(path, keeper)
        self.summary = self._read("summary.json")  #: summary.json

    @property
    def status(self) -> str:
        """completed, saturated, unsettled, deadlock, stuck, cycle_limit, failed or interrupted."""
        return str(self.summary["status"])

    @property
    def reason(self) -> str:
        """Why, in a sentence; empty where there is nothing to say."""
        return str(self.summary["status_reason"])

    @property
    def config(self) -> Dict[str, Any]:
        """Every parameter with its value."""
        return dict(self.summary["config"])

    @property
    def accepted(self) -> float:
        """Accepted load [flits/node/cycle]."""
        return _number(self.summary["load"]["accepted"])

    @property
    def latency(self) -> float:
        """Mean latency of packets from generation [cycles]; NaN where none came."""
        return _number(self.summary["latency"]["packet"]["from_generation"]["mean"])

    def __repr__(self) -> str:
        return (f"<Run {self.status}: {self.accepted:.4g} flits/node/cycle accepted, latency {self.latency:.4g} cycles, "
                f"{self.summary['cycles']} cycles, {self.path}>")


class Sweep(Directory):
    """Runs along some axes. ``sweep.sweep`` and, over seeds, ``sweep.seeds`` are its tables."""

    @property
    def points(self) -> List[int]:
        """Numbers of the points that have finished."""
        with open(self.path / "sweep.csv", newline="") as table:
            return [int(row["point"]) for row in csv.DictReader(table)]

    def point(self, number: int) -> Run:
        """The run of a point."""
        return Run(self.path / "points" / f"{number:03d}", self._keeper)

    @property
    def axes(self) -> Dict[str, List[Any]]:
        """Values by path."""
        return dict(self._read("sweep.json")["axes"])

    @property
    def frame(self) -> "pandas.DataFrame":
        """A row for each point; of a sweep over seeds a row for all seeds, with means."""
        return self.table("seeds" if "seeds" in self.tables else "sweep")

    @property
    def failed(self) -> List[str]:
        """Why points have failed: a sentence each, without doubles."""
        return [str(r) for r in self.table("failed")["reason"]] if "failed" in self.tables else []

    def _repr_html_(self) -> str:
        return str(self.frame.to_html())


class Saturation(Directory):
    """The highest loads that every source sustains: ``saturation.saturation`` is the table."""

    def __init__(self, path: Place, keeper: Optional[Any] = None) -> None:
        super().__init__(path, keeper)
        self.summary = self._read("summary.json")  #: summary.json, with the runs of the search

    @property
    def load(self) -> float:
        """Of the only combination, or the first [flits/node/cycle]; NaN where it was not found."""
        return _number(self.frame["saturation"][0])

    @property
    def frame(self) -> "pandas.DataFrame":
        """A row for each combination of the axes."""
        return self.table("saturation")

    def _repr_html_(self) -> str:
        return str(self.frame.to_html())


class Exploration(Directory):
    """A search over designs. ``exploration.designs`` is the table of what was tried."""

    @property
    def frame(self) -> "pandas.DataFrame":
        """A row for each design that was tried."""
        return self.table("designs")

    @property
    def front(self) -> "pandas.DataFrame":
        """The designs that no other beats in every objective."""
        return self.frame[self.frame["front"] == 1]

    @property
    def importance(self) -> "pandas.DataFrame":
        """By parameter and objective the share of the variance that the parameter explains by itself."""
        return self.table("importance")

    def run(self, number: int) -> Run:
        """The run of a design, by the column ``run``."""
        return Run(self.path / "runs" / f"{number:04d}", self._keeper)

    def _repr_html_(self) -> str:
        return str(self.front.to_html())


class Fit(Directory):
    """Parameters fitted to measured figures. ``parameters``, ``residuals``, ``settings`` and ``further`` are its tables."""

    def __init__(self, path: Place, keeper: Optional[Any] = None) -> None:
        super().__init__(path, keeper)
        self.summary = self._read("fit.json")  #: fit.json

    @property
    def best(self) -> Dict[str, Any]:
        """The setting that fits best, by path."""
        return dict(self.summary["best"])

    @property
    def identified(self) -> Dict[str, Any]:
        """The parameters, with their values, of which no other value fits."""
        return {row["parameter"]: row["best"] for row in self.summary["parameters"] if row["verdict"] == "identified"}

    @property
    def verdict(self) -> str:
        """Of the fit: good, bad, or cannot tell."""
        return str(self.summary["goodness"]["verdict"])

    @property
    def frame(self) -> "pandas.DataFrame":
        """A row for each parameter."""
        return self.table("parameters")

    @property
    def region(self) -> "pandas.DataFrame":
        """The settings that fit: the region of confidence."""
        return self.settings[self.settings["verdict"] == "fits"]

    def _repr_html_(self) -> str:
        return str(self.frame.to_html())


Results = Union[Run, Sweep, Saturation, Exploration, Fit]


@asked
def load(directory: Place) -> Results:
    """The results in a directory: of ``sare run``, ``sweep``, ``saturate``, ``explore`` or ``fit``, or of this package."""
    return _load(Path(directory), None)


def _load(path: Path, keeper: Optional[Any]) -> Results:
    kinds: Sequence[Any] = (("explore.json", Exploration), ("fit.json", Fit), ("saturate.json", Saturation), ("sweep.json", Sweep), ("summary.json", Run))
    for file, kind in kinds:
        if (path / file).exists():
            made: Results = kind(path, keeper)
            return made
    raise Error(f"{path} is no directory of results: it has no summary.json, sweep.json, saturate.json, explore.json or fit.json")


class Scratch:
    """A temporary directory that goes with the last who keeps it."""

    def __init__(self) -> None:
        self.name = tempfile.mkdtemp(prefix="sare-")
        weakref.finalize(self, shutil.rmtree, self.name, ignore_errors=True)


class Target:
    """Where results go: a directory of the user's, or a temporary one."""

    def __init__(self, out: Optional[Place]) -> None:
        self.keeper = Scratch() if out is None else None
        self.path = Path(self.keeper.name) / "out" if self.keeper else Path(str(out)).absolute()


def _number(x: Any) -> float:
    return float("nan") if x is None else float(x)
