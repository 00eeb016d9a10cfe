# SPDX-License-Identifier: Apache-2.0
"""Where what took long is kept, by what it was made of."""
import hashlib
import os
from pathlib import Path


def folder() -> Path:
    home = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return Path(os.environ.get("SARE_POWER_CACHE", home / "sare-power"))


def key_of(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]
