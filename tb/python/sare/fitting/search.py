# SPDX-License-Identifier: Apache-2.0
"""The search for the settings that explain measured figures: all of a small space; else a sampler, then steps downhill, then all around
the best until nothing beside the region of confidence is unknown. A setting is given up once its residuals exceed any hope."""
from __future__ import annotations

import json
import math
import warnings
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple

from ..errors import Error, need
from ..progress import Bar
from ..search_runs import Task, remove
from ..search_space import Missing, Space
from .data import Data, name_of
from .settings import MOST_SEEDS_UNKNOWN, Index, Lattice, Objective, Outcome, Setting, outcome

HOPE = 3.0  # bounds above the least chi-squared, within which a setting is measured to the end
SAMPLED = 3  # one of so many settings of a large space is the sampler's
hopeless = 5  # settings that fail, without one that runs
Job = Tuple[Setting, int, int]  # point, seed


class Search:
    def __init__(self, space: Space, data: Data, objective: Objective, path: Path, jobs: int, place: Any, seeds: int, first_seed: int, bar: Bar) -> None:
        self.space, self.data, self.objective, self.path, self.jobs, self.place, self._bar = space, data, objective, path, jobs, place, bar
        self.lattice = Lattice(space)
        self.settings: Dict[Index, Setting] = {}
        self.seeds = 1 if "seed" in data.axes else seeds
        self._first_seed = first_seed
        last = len(data.points) - 1
        self._order = list(dict.fromkeys([0, last, *range(last)]))  # ends of a curve tell most
        self._figures = [[data.items[k].figure for k in data.at(point)] for point in range(last + 1)]
        self._known = self._recorded()
        self.made = 0
        self.is_whole = True  # nothing beside the region is unknown

    # ---- runs

    def _recorded(self) -> Dict[str, Dict[str, Any]]:
        """Runs of a search that was stopped, by their settings."""
        file = self.path / "runs.jsonl"
        lines = file.read_text().splitlines() if file.exists() else []
        known = {}
        for line in lines:
            try:
                one = json.loads(line)
            except ValueError:  # the last, of a search that was killed
                continue
            known[json.dumps(one["design"], sort_keys=True)] = one
        self._next_number = 1 + max((one["run"] for one in known.values()), default=-1)
        return known

    def design(self, job: Job) -> Dict[str, Any]:
        setting, point, seed = job
        return {**setting.design, **self.data.points[point], **({"seed": self._first_seed + seed} if "seed" not in self.data.axes else {})}

    def run_all(self, jobs: Sequence[Job]) -> None:
        """Runs what is not known yet, several at a time."""
        waiting: List[Job] = []
        active: Dict[Task, Job] = {}
        for job in jobs:
            known = self._known.get(json.dumps(self.design(job), sort_keys=True))
            if known is None:
                waiting.append(job)
            else:
                self._settle(job, known)
        try:
            while waiting or active:
                while waiting and len(active) < self.jobs:
                    job = waiting.pop(0)
                    if not job[0].failed:
                        active[self._start(self.design(job))] = job
                for task in self.place.wait() if active else []:
                    self._ended(task, active.pop(task))
        finally:
            if active:
                self.place.stop()
            for task in active:
                task.clean()

    def _ended(self, task: Task, job: Job) -> None:
        found: Dict[str, Any] = {"design": task.design, "run": task.number, "failed": task.problem()}
        if not found["failed"]:
            try:
                got = outcome(self._figures[job[1]], task.summary)
                found.update(values=got.values, variances=got.variances, status=got.status)
            except Missing as problem:
                if not self.made:  # a name that no run knows
                    raise Error(f"{self.data.items[self.data.at(job[1])[0]].where}: {problem}") from None
                found["failed"] = str(problem)
            except Error as problem:
                found["failed"] = str(problem)
        with open(self.path / "runs.jsonl", "a") as to:
            to.write(json.dumps(found) + "\n")
        self._known[json.dumps(task.design, sort_keys=True)] = found
        self.made += 1
        self._settle(job, found)
        self._tell()

    def _settle(self, job: Job, found: Dict[str, Any]) -> None:
        setting, point, seed = job
        if found["failed"]:
            setting.failed = f"at {name_of(self.data.points[point])}: {found['failed']}"
            failed = [one for one in self.settings.values() if one.failed]
            if len(failed) >= min(hopeless, self.lattice.size) and not any(map(any, (one.runs for one in self.settings.values()))):
                raise Error(f"every setting has failed: {failed[0].failed}")
        else:
            setting.runs[point].append(Outcome(found["values"], found["variances"], found["status"]))
            setting.folders.setdefault(point, found["run"])

    def _tell(self) -> None:
        best = self.best
        tried = len(self.settings)
        text = f"{self.made} runs of {tried} settings" + (f"; best chi-squared {self.objective.chi2(best):.3g} of {len(self.data.items)} figures" if best else "")
        self._bar.show({"done": min(0.99, tried / min(self.lattice.size, self.space.runs)), "text": text})

    def look(self, settings: Sequence[Setting], points: Sequence[Dict[str, Any]]) -> Dict[Tuple[Index, int], Dict[str, Any]]:
        """Summaries of settings at points of one's own, by setting and point; of those that run."""
        tasks: Dict[Task, Tuple[Index, int]] = {}
        found: Dict[Tuple[Index, int], Dict[str, Any]] = {}
        waiting = [(one, k) for one in settings for k in range(len(points))]
        while waiting or tasks:
            while waiting and len(tasks) < self.jobs:
                one, k = waiting.pop(0)
                tasks[self._start({**one.design, **points[k]})] = (one.index, k)
            for task in self.place.wait():
                if not task.problem():
                    found[tasks[task]] = task.summary
                task.clean()
                del tasks[task]
        return found

    def _start(self, design: Dict[str, Any]) -> Task:
        task = Task(None, self._next_number, design, self.space, self.path / "runs")
        self._next_number += 1
        self.place.start(task)
        return task

    # ---- settings

    @property
    def best(self) -> Optional[Setting]:
        complete = [one for one in self.settings.values() if one.is_complete]
        return min(complete, key=self._rank) if complete else None

    def _rank(self, one: Setting) -> Tuple[float, Index]:
        return self.objective.chi2(one), one.index

    def within(self, bounds: float) -> List[Setting]:
        """Settings whose chi-squared is, for all that is known, within so many bounds above the least; the best first."""
        best = self.best
        if best is None:
            return [one for one in self.settings.values() if not one.failed]
        least = self.objective.chi2(best)
        limit = least + bounds * self.objective.bound(least)
        found = [(self.objective.chi2(one), one) for one in self.settings.values()]
        return [one for chi2, one in sorted(((c, o) for c, o in found if c <= limit), key=lambda pair: (pair[0], pair[1].index))]

    def region(self) -> List[Setting]:
        """The region of confidence."""
        return [one for one in self.within(1.0) if one.is_complete]

    def try_all(self, indices: Iterable[Index]) -> None:
        """Runs these settings, and any other, as far as there is hope for them."""
        for index in indices:
            if index not in self.settings:
                self.settings[index] = Setting(index, self.lattice.design(index), len(self.data.points))
        for _ in range(20):  # until the error that is taken from residuals is steady
            self._race()
            best = self.best
            if not self.objective.is_estimated or best is None or abs(self.objective.estimate(best)) < 0.02:
                break
        self._race()
        self._prune()

    def _race(self) -> None:
        while True:
            hopeful = self.within(HOPE)
            if self.best is None and hopeful and any(map(any, (one.runs for one in hopeful))):
                hopeful = [min((one for one in hopeful if any(one.runs)), key=self._rank)]
            each = max(1, -(-self.jobs // max(1, len(hopeful))))
            near = {one.index for one in self.within(2.0)}
            jobs = [job for one in hopeful for job in self._wanted(one, one.index in near)[:each]]
            if not jobs:
                return
            self.run_all(jobs)

    def _wanted(self, setting: Setting, is_near: bool) -> List[Job]:
        """Runs that it still needs; with more seeds where it may be in the region."""
        jobs: List[Job] = []
        for point in self._order:
            runs = setting.runs[point]
            if not runs:
                jobs.append((setting, point, 0))
            elif len(runs) < min(MOST_SEEDS_UNKNOWN, max(self.seeds, 2)) and any(v is None for run in runs for v in run.variances) and self.seeds > 1:
                jobs.append((setting, point, len(runs)))
        if not jobs and setting.is_complete and is_near:
            jobs = [(setting, point, len(runs)) for point, runs in enumerate(setting.runs) if len(runs) < self.seeds and self.objective.wants_seed(setting, point)]
        return jobs

    def _prune(self) -> None:
        """Keeps the runs of the best setting."""
        best = self.best
        kept = set(best.folders.values()) if best else set()
        for folder in (self.path / "runs").glob("*"):
            if folder.name.isdigit() and int(folder.name) not in kept:
                remove(folder)

    # ---- the search

    def run(self) -> None:
        try:
            if self.lattice.size <= self.space.runs:
                self.try_all(list(self.lattice.all()))
            else:
                self._sample(max(8, self.space.runs // SAMPLED))
                self._descend()
                self._surround()
        finally:
            self._bar.close()
        if not self.settings:
            raise Error("the constraints forbid every setting")
        if self.best is None:
            raise Error(f"every setting has failed: {next(iter(self.settings.values())).failed}")

    def _left(self) -> int:
        return self.space.runs - len(self.settings)

    def _sample(self, count: int) -> None:
        with warnings.catch_warnings():  # of widgets that are not there
            warnings.simplefilter("ignore")
            optuna = need("optuna")
            optuna.logging.set_verbosity(optuna.logging.ERROR)
            study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=self.space.seed, multivariate=True, n_startup_trials=max(8, count // 3)))
        at_once = max(1, self.jobs // max(1, len(self.data.points)))
        for _ in range(-(-count // at_once)):
            asked = [(trial, tuple(self._suggest(trial, axis) for axis in self.lattice.axes)) for trial in (study.ask() for _ in range(at_once))]
            self.try_all(index for _, index in asked if self.lattice.allows(index))
            for trial, index in asked:
                setting = self.settings.get(index)
                if setting is None or setting.failed:
                    study.tell(trial, state=optuna.trial.TrialState.FAIL)
                else:
                    seen = len(self.objective.residuals(setting))
                    study.tell(trial, math.log1p(self.objective.chi2(setting) * len(self.data.items) / max(1, seen)))

    @staticmethod
    def _suggest(trial: Any, axis: Any) -> int:
        if axis.is_ordered:
            return int(trial.suggest_int(axis.path, 0, len(axis.values) - 1))
        return int(trial.suggest_categorical(axis.path, list(range(len(axis.values)))))

    def _descend(self) -> None:
        """From the best to a better one beside it, in steps that become smaller."""
        while self._left() > 0:
            before = self.best
            if before is None:
                return
            self.try_all(self._new(self.lattice.neighbours(before.index)))
            if self.best is before:
                wide = [axis for axis in self.lattice.axes if axis.stride > 1]
                if not wide:
                    return
                for axis in wide:
                    axis.stride //= 2

    def _new(self, indices: Iterable[Index]) -> List[Index]:
        return [one for one in dict.fromkeys(indices) if one not in self.settings][:max(0, self._left())]

    def _surround(self) -> None:
        """All beside the region, in steps as wide as its extent in a parameter without steps allows."""
        for axis in self.lattice.axes:
            if axis.is_real:
                axis.stride = REGION_STRIDE
        while True:
            new = [one for setting in self.region() for one in self.lattice.neighbours(setting.index) if one not in self.settings]
            if new and self._left() <= 0:
                self.is_whole = False
                return
            if new:
                self.try_all(self._new(new))
                continue
            narrow = [axis for n, axis in enumerate(self.lattice.axes)
                      if axis.is_real and axis.stride > 1 and _extent(self.region(), n) < 2 * axis.stride]
            if not narrow:
                return
            for axis in narrow:
                axis.stride //= 2


REGION_STRIDE = 16  # of REAL_STEPS


def _extent(region: Sequence[Setting], n: int) -> int:
    at = [one.index[n] for one in region]
    return max(at) - min(at)
