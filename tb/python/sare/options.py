# SPDX-License-Identifier: Apache-2.0
"""Options that the commands of searches have in common; the program declares and describes them."""
from __future__ import annotations

import argparse
import signal
import sys
from typing import Any, Callable, Dict, TypeVar

from . import command
from .errors import Error, Interrupted

Found = TypeVar("Found")
CLUSTER = ("partition", "time", "account", "poll")  # beside --submit-option


def arguments(name: str) -> argparse.ArgumentParser:
    """The parser of a command, which ends at SIGTERM as at Ctrl-C."""
    parser = argparse.ArgumentParser(prog=f"sare {name}")
    parser.add_argument("file")
    parser.add_argument("--out", required=True)
    for option in ("--runs", "--jobs", "--seed"):
        parser.add_argument(option, type=int)
    for option in ("--store", "--on", *(f"--{name}" for name in CLUSTER)):
        parser.add_argument(option)
    parser.add_argument("--progress-fd", type=int)
    parser.add_argument("--set", dest="settings", action="append", default=[])
    parser.add_argument("--plugin", dest="plugins", action="append", default=[])
    parser.add_argument("--submit-option", action="append", default=[])
    for option in ("--no-store", "--again", "--quiet"):
        parser.add_argument(option, action="store_true")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    return parser


def common(options: argparse.Namespace) -> Dict[str, Any]:
    """These options as arguments of a function."""
    return dict(runs=options.runs, jobs=options.jobs or 1, out=options.out, seed=options.seed, store=False if options.no_store else options.store,
                again=options.again, on=options.on, settings=options.settings, plugins=options.plugins, progress=not options.quiet,
                progress_fd=options.progress_fd, cluster={**{name: getattr(options, name) for name in CLUSTER}, "submit_option": options.submit_option})


def run(options: argparse.Namespace, search: Callable[[], Found], text: Callable[[Found], str]) -> int:
    """Runs a search, and prints what it has found or why it has ended; the exit status."""
    try:
        found = search()
    except Interrupted:
        print(f"sare: interrupted; what was tried is in {options.out}, and the same command goes on", file=sys.stderr)
        return command.interrupted_status
    except Error as problem:
        print(f"sare: {problem}", file=sys.stderr)
        return 1
    if not options.quiet:
        print(text(found))
    return 0
