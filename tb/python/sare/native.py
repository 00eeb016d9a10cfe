# SPDX-License-Identifier: Apache-2.0
"""The extension, which holds the simulator itself; a sentence where it is missing."""
from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from .errors import Error

try:
    from . import _native
except ImportError as problem:  # another Python, or a library that is gone
    raise ImportError(f"sare: the extension for {sys.executable} cannot be loaded: {problem}") from None

if not TYPE_CHECKING:
    _native.set_error(Error)

key_error = _native.key_error
parse = _native.parse
check_tree = _native.check_tree
edges = _native.edges
