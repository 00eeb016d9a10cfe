# SPDX-License-Identifier: Apache-2.0
"""scripts/dev/portability: rows (compilers and libraries), trial (a row), arm (a cross build), system (a fresh system), table (the page)."""
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
