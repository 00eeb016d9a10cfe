# SPDX-License-Identifier: Apache-2.0
"""scripts/portability: rows (what is tried), trial (a row), arm (a cross build), table (the page)."""
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
