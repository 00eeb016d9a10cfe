# SPDX-License-Identifier: Apache-2.0
"""Runs, sweeps and searches, each by the program, in processes of its own."""
from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Union

from . import command
from .asked import asked
from .base import AnyExperiment, given
from .errors import Error, Interrupted
from .results import Place, Run, Saturation, Sweep, Target
from .section import is_series, plain

Axes = Mapping[str, Iterable[Any]]
Store = Union[None, bool, str, Path]
ClusterOptions = Mapping[str, Any]


@asked
def run(e: AnyExperiment, *, out: Optional[Place] = None, seed: Optional[int] = None, threads: Optional[int] = None,
        overwrite: bool = False, force: bool = False, store: Store = None, again: bool = False, report: bool = False,
        progress: bool = True) -> Run:
    """Runs an experiment and returns its results.

    e : an Experiment, a dict, or the name of a file in YAML
    out : the directory of the results; None: a temporary one, which goes with the returned object
    overwrite : replace results that are there
    force : run although the static check finds a deadlock
    store : the file of a store of runs, which records it, and whose results are copied if it has the same run; None: that of
        the user's configuration, if there is one; False: none
    again : run what the store has, too
    report : write report.html, too
    Ctrl-C raises Interrupted, whose ``result`` is what was measured until then.
    """
    target = Target(out)
    line = ["run", "-", *command.options(out=target.path, seed=seed, threads=threads, overwrite=overwrite, force=force),
            *store_words(store, again)]
    _call(line, e, report, progress, lambda: Run(target.path, target.keeper))
    return Run(target.path, target.keeper)


@asked
def sweep(e: AnyExperiment, axes: Axes, *, jobs: int = 1, seeds: int = 1, zip: Union[bool, Sequence[str]] = False,
          out: Optional[Place] = None, store: Store = None, again: bool = False, on: Optional[str] = None,
          cluster: Optional[ClusterOptions] = None, report: bool = False, progress: bool = True) -> Sweep:
    """Runs an experiment at every combination of some parameters.

    axes : values by path, such as ``{"traffic.load": [0.1, 0.2]}``; the last axis varies fastest
    jobs : processes at work; None of the results depends on it
    seeds : runs of each point with so many seeds, and means over them with their confidence
    zip : True: the axes go together, value by value; or the paths of those that do
    out : the directory of the results; a sweep begun there goes on. None: a temporary one
    store, again : as of ``run``
    on, cluster : "slurm" makes the points jobs of a cluster, with options of the command such as {"partition": "long", "poll": 5};
        ``out`` is then where its nodes see it, too
    Points that fail are a warning; ``failed`` of the result says why. A load curve ends two points past saturation.
    """
    target = Target(out)
    line = ["sweep", "-", *_axes(axes), *command.options(out=target.path, j=jobs, seeds=seeds if seeds > 1 else None),
            *store_words(store, again), *cluster_words(on, cluster)]
    if zip:
        line.append("--zip" if zip is True else "--zip=" + ",".join(zip))
    try:
        _call(line, e, report, progress, lambda: Sweep(target.path, target.keeper))
    except command.Failed as problem:
        if not (target.path / "failed.csv").exists() or not _rows(target.path / "sweep.csv"):
            raise
        warnings.warn(f"points have failed: {problem}", stacklevel=2)
    return Sweep(target.path, target.keeper)


@asked
def saturate(e: AnyExperiment, axes: Optional[Axes] = None, *, jobs: int = 1, tolerance: float = 0.02,
             runs: Optional[int] = None, latency_factor: float = 2.0, out: Optional[Place] = None, store: Store = None, again: bool = False,
             on: Optional[str] = None, cluster: Optional[ClusterOptions] = None, report: bool = False, progress: bool = True) -> Saturation:
    """Finds the highest load that every source sustains, for each combination of the axes.

    tolerance : width of the bracket at which the search ends, as a share of the load, 0.05 at most
    runs : of a combination at most
    latency_factor : also find the load of so many times the latency without load
    store, again : as of ``run``; each combination and each of its runs is recorded
    on, cluster : as of ``sweep``: a job for each combination
    """
    target = Target(out)
    line = ["saturate", "-", *_axes(axes or {}),
            *command.options(out=target.path, j=jobs, tolerance=tolerance, runs=runs, latency_factor=latency_factor),
            *store_words(store, again), *cluster_words(on, cluster)]
    _call(line, e, report, progress, lambda: Saturation(target.path, target.keeper))
    return Saturation(target.path, target.keeper)


def check(e: AnyExperiment) -> None:
    """Reads and builds an experiment and checks it for deadlock, without running it; Error says what is wrong."""
    experiment = given(e)
    command.call(["check", "-"], experiment=experiment._for_program(), folder=experiment._folder)


def _call(line: List[str], e: AnyExperiment, report: bool, progress: bool, result: Any) -> None:
    experiment = given(e)
    line += ["--quiet", *([] if report else ["--no-report"])]
    try:
        command.call(line, experiment=experiment._for_program(), folder=experiment._folder, progress=progress)
    except Interrupted as stopped:
        try:
            stopped.result = result()
        except (Error, OSError, ValueError, KeyError):
            stopped.result = None  # it was stopped before there was anything to write
        raise


def store_words(store: Store, again: bool) -> List[str]:
    """Options of the command; names of files are relative to the folder of this process."""
    file = None if store is None or isinstance(store, bool) else Path(store).absolute()
    return command.options(store=file, no_store=store is False, again=again)


def cluster_words(on: Optional[str], cluster: Optional[ClusterOptions]) -> List[str]:
    given = dict(cluster or {})
    more = given.pop("submit_option", None) or []
    return [*command.options(on=on, **given), *(f"--submit-option={word}" for word in ([more] if isinstance(more, str) else more))]


def _axes(axes: Axes) -> List[str]:
    line = []
    for path, values in axes.items():
        if not is_series(values):
            raise Error(f"{path}: write its values as a list, [0.1, 0.2], not {values!r}")
        text = ",".join(command.flow(v) for v in plain(list(values)))
        line += ["--axis", f"{path}={text}"]
    return line


def _rows(file: Path) -> bool:
    return file.exists() and len(file.read_text().splitlines()) > 1


def cpus() -> int:
    """Processors that this process may use: for ``jobs``."""
    return len(os.sched_getaffinity(0))
