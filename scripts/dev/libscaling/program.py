# SPDX-License-Identifier: Apache-2.0
"""Sare, called."""
import os
import subprocess
from pathlib import Path

from checkout import ROOT

from .problem import Problem

SARE = Path(os.environ.get("SARE", ROOT / "build" / "sare"))


def sare(*arguments):
    done = subprocess.run([SARE, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise Problem(f"{SARE} ended with status {done.returncode}: {done.stderr.strip()}")
    return done.stdout
