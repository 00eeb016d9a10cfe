# SPDX-License-Identifier: Apache-2.0
"""Progress bars: a line in a terminal, an updated cell in a notebook, nothing elsewhere."""
from __future__ import annotations

import json
import os
import signal
import sys
import time
from typing import Any, Dict, Optional

width = 30
first_shown = 1.0  # seconds


def _notebook() -> Optional[Any]:
    """IPython's module for displays, within a kernel."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is None or type(shell).__name__ != "ZMQInteractiveShell":
        return None
    import IPython.display
    return IPython.display


class Bar:
    """How far a run is, as the program tells."""

    def __init__(self, wanted: bool, lines_to: Optional[int] = None) -> None:
        """``lines_to``: a file descriptor of another program, which gets what is told as lines of JSON."""
        self._lines_to = lines_to
        self._display = _notebook() if wanted else None
        self._terminal = wanted and self._display is None and sys.stderr is not None and sys.stderr.isatty()
        self._begin = time.monotonic()
        self._handle: Optional[Any] = None
        self._shown = False

    @property
    def is_seen(self) -> bool:
        """Somebody looks."""
        return self._terminal or self._display is not None

    def show(self, told: Dict[str, Any]) -> None:
        """``told``: a line of the program, ``{"done": 0.5, "text": ...}``; done is None where it cannot know."""
        if self._lines_to is not None:
            self._send(told)
        if not self.is_seen or time.monotonic() - self._begin < first_shown:
            return
        done, text = told.get("done"), str(told.get("text", ""))
        full = round(width * done) if done is not None else 0
        line = f"[{'#' * full}{'.' * (width - full)}] {text}"
        if self._terminal:
            sys.stderr.write(f"\r{line[:100]}\x1b[K")
            sys.stderr.flush()
        elif self._display is not None:
            data = {"text/plain": line}
            if self._handle is None:
                self._handle = self._display.display(data, raw=True, display_id=True)
            else:
                self._handle.update(data, raw=True)
        self._shown = True

    def _send(self, told: Dict[str, Any]) -> None:
        """A program that no longer reads has ended: so does what it has started."""
        try:
            os.write(self._lines_to or 0, json.dumps(told).encode() + b"\n")
        except OSError:
            self._lines_to = None
            signal.raise_signal(signal.SIGTERM)

    def close(self) -> None:
        """Takes it away."""
        if self._shown and self._terminal:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
        elif self._shown and self._handle is not None:
            self._handle.update({"text/plain": ""}, raw=True)
        self._shown = False
