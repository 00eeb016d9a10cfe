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
            found = one.get("saturation") or {}
            if one.get("status") == "not found":
                return f"saturation not found: from {found.get('sustained')} to {found.get('saturated')} ({found.get('confidence')})"
            self.summary = {**self.summary, SATURATION: found.get("load" if one.get("status") == "found" else "sustained")}
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


def costs(text: str, home: str, settings: Sequence[str], design: Design) -> Dict[str, Any]:
    """What `sare cost` says of a design; {} where it has no costs, or is no network."""
    line = [command.program(), "cost", "-", "--json", *settings, *_settings(design)]
    done = subprocess.run(line, input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=home or None, start_new_session=True)
    found: Dict[str, Any] = json.loads(done.stdout) if done.returncode == 0 else {}
    return found


def problem_of(text: str, home: str, settings: Sequence[str], design: Design) -> str:
    """Why `sare check` refuses a design; "" if it does not."""
    line = [command.program(), "check", "-", *settings, *_settings(design)]
    done = subprocess.run(line, input=text.encode(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=home or None, start_new_session=True)
    said = done.stderr.decode(errors="replace").strip().splitlines()
    return said[-1].replace("sare: ", "", 1) if done.returncode and said else ""


class Here:
    """Runs each step in a process of this machine."""

    def __init__(self, text: str, home: str, space: Space, options: Sequence[str]) -> None:
        self._text, self._home, self._short, self._options = text, home, space.short, options  # options: settings, too
        self._running: Dict[Task, Program] = {}

    def start(self, task: Task) -> None:
        task.begin()
        line = ["saturate" if task.step == "saturate" else "run", "-", "--out", str(task.place), *self._options]
        line += _settings({**task.design, **(self._short if task.step == "short" else {})})
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
    """Runs all designs that wait as the points of one sweep, whose jobs ``sare sweep --on`` looks after, and searches for
    saturation each as jobs of ``sare saturate --on``. The same designs make the same, which goes on where it was."""

    def __init__(self, text: str, home: str, space: Space, options: Sequence[str], folder: Path, experiment: Experiment) -> None:
        self._text, self._home, self._short, self._options, self._folder = text, home, space.short, options, folder
        self._experiment = experiment
        self._waiting: List[Task] = []
        self._refused: List[Task] = []
        self._batches: List[Batch] = []

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
            for paths in dict.fromkeys(tuple(task.design) for task in self._waiting if task.step == step):
                tasks = [task for task in self._waiting if task.step == step and tuple(task.design) == paths]
                line = ["sweep", "-", *_settings(self._short if step == "short" else {}), *_axes(tasks)]
                self._batches.append(Sweep(tasks, line, self._folder, self._text, self._home, self._options))
        for task in self._waiting:
            if task.step == "saturate":
                self._batches.append(Search([task], ["saturate", "-", *_settings(task.design)], self._folder, self._text, self._home, self._options))
        self._waiting = []
        while not all(batch.program.ended() for batch in self._batches):
            time.sleep(0.1)
        ended += [task for batch in self._batches for task in batch.settle()]
        self._batches = []
        return ended

    def stop(self) -> None:
        """Its jobs are cancelled."""
        for batch in self._batches:
            batch.program.stop(signal.SIGINT)


def _settings(values: Design) -> List[str]:
    return [word for path, value in values.items() for word in ("--set", f"{path}={command.flow(value)}")]


def _axes(tasks: Sequence[Task]) -> List[str]:
    """That go together."""
    return [word for path in tasks[0].design for word in ("--axis", f"{path}={','.join(command.flow(task.design[path]) for task in tasks)}")] + ["--zip"]


class Batch:
    """Tasks that one call of the program looks after, in a folder by the name of what it is asked."""

    def __init__(self, tasks: List[Task], line: Sequence[str], folder: Path, text: str, home: str, options: Sequence[str]) -> None:
        self.tasks = tasks
        self.path = folder / hashlib.sha256("\n".join(line).encode()).hexdigest()[:16]
        self.program = Program([*line, "--out", str(self.path), *options], text, home)

    def settle(self) -> List[Task]:
        """Links the places of the tasks to their results."""
        words = self.program.last_words()
        if self.program.child.returncode == command.interrupted_status:
            raise KeyboardInterrupt
        reasons = {} if self.program.child.returncode in (0, 3) else self._reasons(words)
        for number, task in enumerate(self.tasks):
            place = self._place(number)
            if number not in reasons and (place / "summary.json").exists():
                task.place.symlink_to(os.path.relpath(place, task.place.parent))
            else:
                task.failed = reasons.get(number, words)
        return self.tasks

    def _place(self, number: int) -> Path:
        raise NotImplementedError

    def _reasons(self, words: str) -> Dict[int, str]:
        """Why tasks have failed, by number; an Error where the call has, and would for each."""
        raise NotImplementedError


class Search(Batch):
    """A design whose saturation is searched."""

    def _place(self, number: int) -> Path:
        return self.path

    def _reasons(self, words: str) -> Dict[int, str]:
        if (self.path / "saturate.json").exists() and not (self.path / "summary.json").exists():
            raise Error(words)  # it has got to the cluster, which has refused its jobs
        return {0: words}


class Sweep(Batch):
    """Designs as points whose axes go together."""

    def _place(self, number: int) -> Path:
        return self.path / "points" / f"{number:03d}"

    def _reasons(self, words: str) -> Dict[int, str]:
        """The table has "001-003, 005" and a sentence."""
        if not (self.path / "failed.csv").exists():
            raise Error(words)
        found: Dict[int, str] = {}
        with open(self.path / "failed.csv", newline="") as table:
            for row in csv.DictReader(table):
                for part in row["points"].split(", "):
                    first, _, last = part.partition("-")
                    found.update(dict.fromkeys(range(int(first), int(last or first) + 1), row["reason"]))
        return found
