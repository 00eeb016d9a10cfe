# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, each in one sentence."""
from __future__ import annotations

import importlib
from typing import Any


class Error(Exception):
    """A mistake in an experiment, or a run that failed: the sentence is the program's own."""


class UnknownKey(Error, AttributeError):
    """A section has no such parameter; hasattr() takes it for an answer."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a run; ``result`` has what was measured until then, or is None."""

    def __init__(self, result: Any = None) -> None:
        super().__init__("interrupted")
        self.result = result


def need(module: str) -> Any:
    """A module of another package, or an Error that names it."""
    try:
        return importlib.import_module(module)
    except ImportError as problem:
        raise Error(f"{module} is missing, Debian's package python3-{module} ({problem})") from None
