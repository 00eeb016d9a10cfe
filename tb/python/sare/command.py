# SPDX-License-Identifier: Apache-2.0
"""Runs the program ``sare`` that belongs to this package: a process for each call, which is never forked from this one."""
from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import tempfile
import warnings
from pathlib import Path
from typing import IO, Any, Dict, List, Sequence

from . import _native
from .errors import Error, Interrupted
from .progress import Bar

interrupted_status = 130


def program() -> str:
    """Path of the program: SARE_PROGRAM, that of the build tree, or that of the installation."""
    given = os.environ.get("SARE_PROGRAM")
    if given:
        return given
    here = Path(__file__).resolve().parent
    places = [here.parent.parent / "sare", *(up / "bin" / "sare" for up in here.parents)]
    for place in places:
        if place.is_file() and os.access(place, os.X_OK):
            return str(place)
    raise Error(f"the program sare is not where this package looks for it ({places[0]}, .../bin/sare); SARE_PROGRAM names it")


def call(arguments: Sequence[str], *, experiment: str = "", folder: str = "", progress: bool = False) -> int:
    """Runs it to its end. ``experiment``: what it reads as FILE "-"; ``folder``: file names there are relative to it.

    Returns the exit status. Errors of the program are raised, warnings are passed on; Ctrl-C lets it write what it
    has, then raises Interrupted.
    """
    if _native.in_program:
        raise Error("a plugin calls the program that reads it; put its classes into a file that does nothing else")
    line = [program(), *arguments]
    with tempfile.TemporaryFile() as text, tempfile.TemporaryFile() as said:
        text.write(experiment.encode())
        text.seek(0)
        reading, writing = os.pipe()
        if progress:
            line += ["--progress-fd", str(writing)]
        try:
            child = subprocess.Popen(line, stdin=text, stdout=subprocess.DEVNULL, stderr=said, cwd=folder or None,
                                     pass_fds=(writing,), start_new_session=True)
        except OSError as problem:
            os.close(reading)
            raise Error(f"{line[0]}: {problem.strerror}") from None
        finally:
            os.close(writing)
        try:
            stopped = _wait(child, reading, Bar(progress))
        finally:
            os.close(reading)
        said.seek(0)
        sentences = _sentences(said)
    return _judge(child.returncode, stopped, sentences)


def _wait(child: "subprocess.Popen[bytes]", reading: int, bar: Bar) -> bool:
    """Until it ends, without looking in between; True if Ctrl-C ended it. A second Ctrl-C kills it."""
    stopped = False
    rest = b""
    ends = os.pidfd_open(child.pid)
    try:
        while True:
            try:
                ready, _, _ = select.select([reading, ends], [], [])
                read = os.read(reading, 65536) if reading in ready else b""
                if not read:  # what it has started may still hold the pipe
                    child.wait()
                    break
                *lines, rest = (rest + read).split(b"\n")
                if bar.is_seen and lines:
                    bar.show(json.loads(lines[-1]))
            except KeyboardInterrupt:
                child.send_signal(signal.SIGKILL if stopped else signal.SIGINT)
                stopped = True
    except BaseException:
        child.kill()
        child.wait()
        raise
    finally:
        os.close(ends)
        bar.close()
    return stopped


def _sentences(said: IO[bytes]) -> List[str]:
    lines = said.read().decode(errors="replace").splitlines()
    return [line[len("sare: "):] if line.startswith("sare: ") else line for line in lines]


def _judge(status: int, stopped: bool, sentences: Sequence[str]) -> int:
    errors = []
    for sentence in sentences:
        if sentence.startswith("warning: "):
            warnings.warn(sentence[len("warning: "):], stacklevel=4)
        else:
            errors.append(sentence)
    if stopped or status == interrupted_status:
        raise Interrupted()
    if status < 0:
        raise Error(f"the program was killed by {signal.Signals(-status).name}; {' '.join(errors)}".rstrip("; "))
    if status in (1, 2):
        raise Failed(errors)
    return status


class Failed(Error):
    """The program ended with status 1 or 2."""

    def __init__(self, sentences: Sequence[str]) -> None:
        super().__init__("\n".join(sentences) or "the program failed without a word")


def options(**given: Any) -> List[str]:
    """Options of the command line, of what is neither None nor False."""
    line: List[str] = []
    for name, value in given.items():
        option = ("-" if len(name) == 1 else "--") + name.replace("_", "-")
        if value is True:
            line.append(option)
        elif value is not None and value is not False:
            line += [option, str(value)]
    return line


def flow(value: Any) -> str:
    """A value in YAML on one line: JSON is that."""
    return json.dumps(value, ensure_ascii=False)


def text_of(tree: Dict[str, Any]) -> str:
    """An experiment in YAML, a key a line, so that messages name places."""
    return "".join(_lines(tree, "")) or "{}\n"


def _lines(tree: Dict[str, Any], indent: str) -> List[str]:
    lines = []
    for key, value in tree.items():
        name = key if key.replace("_", "a").isalnum() else flow(key)
        if isinstance(value, dict) and value:
            lines += [f"{indent}{name}:\n", *_lines(value, indent + "  ")]
        else:
            lines.append(f"{indent}{name}: {flow(value)}\n")
    return lines
