# SPDX-License-Identifier: Apache-2.0
"""The runs of a search: processes of the program on this machine, several at once, or jobs of a cluster."""
from __future__ import annotations

import csv
import hashlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

from . import command
from .errors import Error
from .experiment import Experiment
from .search_space import SATURATION, Design, Space


class Task:
    """One design: a short run where there is one, a run, and a search for saturation where an objective asks for it."""

    def __init__(self, trial: Any, number: int, design: Design, space: Space, folder: Path) -> None:
        self.trial, self.number, self.design = trial, number, design
        self.folder = folder / f"{number:04d}"
        self.summary: Dict[str, Any] = {}
        self.short_values: Optional[List[Any]] = None
        self.step = ""
        self.steps = ["short"] * bool(space.short) + ["run"] * space.wants_run + ["saturate"] * space.wants_saturation
        self.failed = ""  #: why the step has failed, where whoever has run it knows

    def begin(self) -> None:
        """The next step, in an empty place."""
        self.step = self.steps.pop(0)
        remove(self.place)  # of a search that was killed
        self.folder.parent.mkdir(exist_ok=True)

    @property
    def place(self) -> Path:
        """The results of the step."""
        return self.folder.with_name(self.folder.name + {"short": "-short", "saturate": "-saturation"}.get(self.step, ""))

    def problem(self) -> str:
        """Why the step that has ended has failed, in a sentence; "" if it has not. Its summary is read."""
        file = self.place / "summary.json"
        if self.failed or not file.exists():
            return self.failed or "it has left no result"
        read = json.loads(file.read_text())
        if self.step == "saturate":
            one = (read.get("combinations") or [{}])[0]
            self.summary = {**self.summary, SATURATION: (one.get("saturation") or {}).get("load")}
        else:
            self.summary = read
            if read["status"] not in ("completed", "saturated", "unsettled"):
                return f"{read['status']}: {read.get('status_reason', '')}".rstrip(": ")
        return ""

    def clean(self) -> None:
        """Takes away what it has begun."""
        for place in self.folder.parent.glob(f"{self.folder.name}*"):
            remove(place)


def remove(place: Path) -> None:
    if place.is_symlink():
        place.unlink()
    else:
        shutil.rmtree(place, ignore_errors=True)


class Program:
    """The program at work on an experiment. It tells how far it is, and ends when nobody is there to hear of it."""

    def __init__(self, line: Sequence[str], text: str, home: str) -> None:
        self._said = tempfile.TemporaryFile()
        self._told, telling = os.pipe()
        os.set_blocking(self._told, False)
        with tempfile.TemporaryFile() as experiment:
            experiment.write(text.encode())
            experiment.seek(0)
            self.child = subprocess.Popen([command.program(), *line, "--quiet", "--no-report", "--progress-fd", str(telling)], stdin=experiment,
                                          stdout=subprocess.DEVNULL, stderr=self._said, cwd=home or None, pass_fds=(telling,),
                                          start_new_session=True)
        os.close(telling)

    def ended(self) -> bool:
        try:
            while os.read(self._told, 65536):
                pass
        except BlockingIOError:
            pass
        return self.child.poll() is not None

    def last_words(self) -> str:
        self._said.seek(0)
        said = self._said.read().decode(errors="replace").strip().splitlines()
        self._said.close()
        os.close(self._told)
        return said[-1].replace("sare: ", "", 1) if said else f"the program ended with status {self.child.returncode}"

    def stop(self, how: signal.Signals) -> None:
        if self.child.poll() is None:
            self.child.send_signal(how)
        self.child.wait()


class Here:
    """Runs each step in a process of this machine."""

    def __init__(self, text: str, home: str, space: Space, options: Sequence[str]) -> None:
        self._text, self._home, self._short, self._options = text, home, space.short, options
        self._running: Dict[Task, Program] = {}

    def start(self, task: Task) -> None:
        task.begin()
        line = ["saturate" if task.step == "saturate" else "run", "-", "--out", str(task.place), *self._options]
        for path, value in {**task.design, **(self._short if task.step == "short" else {})}.items():
            line += ["--set", f"{path}={command.flow(value)}"]
        self._running[task] = Program(line, self._text, self._home)

    def wait(self) -> List[Task]:
        """Those that have ended, as soon as there is one."""
        while True:
            ended = [task for task, program in self._running.items() if program.ended()]
            for task in ended:
                program = self._running.pop(task)
                words = program.last_words()
                if program.child.returncode not in (0, 3) or not (task.place / "summary.json").exists():
                    task.failed = words
            if ended:
                return ended
            time.sleep(0.005)

    def stop(self) -> None:
        for program in self._running.values():
            program.stop(signal.SIGKILL)


class Cluster:
    """Runs all designs that wait as the points of one sweep, whose jobs ``sare sweep --on`` looks after. The same designs make
    the same sweep, which goes on where it was."""

    def __init__(self, text: str, home: str, space: Space, options: Sequence[str], folder: Path) -> None:
        if space.wants_saturation:
            raise Error("objective: saturation is not looked for on a cluster; take 'accepted', at a load above it")
        self._text, self._home, self._short, self._options, self._folder = text, home, space.short, options, folder
        self._experiment = Experiment.from_yaml(text, folder=home)
        self._waiting: List[Task] = []
        self._refused: List[Task] = []
        self._sweeps: List[Sweep] = []

    def start(self, task: Task) -> None:
        """A design with a wrong value would be a mistake of the whole sweep."""
        task.begin()
        try:
            self._experiment.set(task.design).check_values()
            self._waiting.append(task)
        except Error as problem:
            task.failed = str(problem)
            self._refused.append(task)

    def wait(self) -> List[Task]:
        """All that have been started: the sampler hears of them together."""
        ended, self._refused = self._refused, []
        for step in ("short", "run"):
            tasks = [task for task in self._waiting if task.step == step]
            if tasks:
                self._sweeps.append(Sweep(tasks, self._folder, self._short if step == "short" else {}, self._text, self._home, self._options))
        self._waiting = []
        while not all(sweep.program.ended() for sweep in self._sweeps):
            time.sleep(0.1)
        ended += [task for sweep in self._sweeps for task in sweep.settle()]
        self._sweeps = []
        return ended

    def stop(self) -> None:
        """Its jobs are cancelled."""
        for sweep in self._sweeps:
            sweep.program.stop(signal.SIGINT)


class Sweep:
    """Designs as points whose axes go together."""

    def __init__(self, tasks: List[Task], folder: Path, short: Dict[str, Any], text: str, home: str, options: Sequence[str]) -> None:
        self.tasks = tasks
        line: List[str] = []
        for path, value in short.items():
            line += ["--set", f"{path}={command.flow(value)}"]
        for path in tasks[0].design:
            line += ["--axis", f"{path}={','.join(command.flow(task.design[path]) for task in tasks)}"]
        self.path = folder / hashlib.sha256("\n".join(line).encode()).hexdigest()[:16]
        self.program = Program(["sweep", "-", *line, "--zip", "--out", str(self.path), *options], text, home)

    def settle(self) -> List[Task]:
        """Links the places of the tasks to the points."""
        words, reasons = self.program.last_words(), self._reasons()
        points = [self.path / "points" / f"{number:03d}" for number in range(len(self.tasks))]
        if self.program.child.returncode == command.interrupted_status:
            raise KeyboardInterrupt
        if self.program.child.returncode not in (0, 3) and not reasons:  # of the sweep, not of a point
            raise Error(words)
        for number, (task, point) in enumerate(zip(self.tasks, points)):
            if (point / "summary.json").exists():
                task.place.symlink_to(os.path.relpath(point, task.place.parent))
            else:
                task.failed = reasons.get(number, words)
        return self.tasks

    def _reasons(self) -> Dict[int, str]:
        """Why points have failed: the table has "001-003, 005" and a sentence."""
        found: Dict[int, str] = {}
        if (self.path / "failed.csv").exists():
            with open(self.path / "failed.csv", newline="") as table:
                for row in csv.DictReader(table):
                    for part in row["points"].split(", "):
                        first, _, last = part.partition("-")
                        found.update(dict.fromkeys(range(int(first), int(last or first) + 1), row["reason"]))
        return found
