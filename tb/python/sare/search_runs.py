# SPDX-License-Identifier: Apache-2.0
"""The runs of a search: processes of the program, several at once."""
from __future__ import annotations

import json
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Dict, List, Optional

from . import command
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
        self._child: Optional["subprocess.Popen[bytes]"] = None
        self._said: Any = None

    def start(self, text: str, home: str, short: Dict[str, Any]) -> None:
        """Begins the next step."""
        self.step = self.steps.pop(0)
        changes = {**self.design, **(short if self.step == "short" else {})}
        if self._place().exists():  # of a search that was killed
            shutil.rmtree(self._place())
        self.folder.parent.mkdir(exist_ok=True)
        line = [command.program(), "saturate" if self.step == "saturate" else "run", "-", "--out", str(self._place()), "--quiet", "--no-report"]
        for path, value in changes.items():
            line += ["--set", f"{path}={command.flow(value)}"]
        self._said = tempfile.TemporaryFile()
        with tempfile.TemporaryFile() as experiment:
            experiment.write(text.encode())
            experiment.seek(0)
            self._child = subprocess.Popen(line, stdin=experiment, stdout=subprocess.DEVNULL, stderr=self._said, cwd=home or None,
                                           start_new_session=True)

    def _place(self) -> Path:
        return self.folder.with_name(self.folder.name + {"short": "-short", "saturate": "-saturation"}.get(self.step, ""))

    def ended(self) -> bool:
        return self._child is not None and self._child.poll() is not None

    def problem(self) -> str:
        """Why the step that has ended has failed, in a sentence; "" if it has not. Its summary is read."""
        assert self._child is not None
        self._said.seek(0)
        said = self._said.read().decode(errors="replace").strip().splitlines()
        self._said.close()
        file = self._place() / "summary.json"
        if self._child.returncode not in (0, 3) or not file.exists():
            return str(said[-1]).replace("sare: ", "", 1) if said else f"the program ended with status {self._child.returncode}"
        read = json.loads(file.read_text())
        if self.step == "saturate":
            one = (read.get("combinations") or [{}])[0]
            self.summary = {**self.summary, SATURATION: (one.get("saturation") or {}).get("load")}
        else:
            self.summary = read
            if read["status"] not in ("completed", "saturated", "unsettled"):
                return f"{read['status']}: {read.get('status_reason', '')}".rstrip(": ")
        return ""

    def stop(self) -> None:
        """Ends it, and takes away what it has begun."""
        if self._child is not None and self._child.poll() is None:
            self._child.send_signal(signal.SIGKILL)
            self._child.wait()
        for place in self.folder.parent.glob(f"{self.folder.name}*"):
            shutil.rmtree(place, ignore_errors=True)


def wait(tasks: List[Task]) -> List[Task]:
    """Those that have ended, as soon as there is one."""
    while True:
        ended = [task for task in tasks if task.ended()]
        if ended:
            return ended
        time.sleep(0.005)
