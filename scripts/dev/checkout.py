# SPDX-License-Identifier: Apache-2.0
"""The checkout that developers' commands work on. Importing this finds the package for Python, as it stands in tb/python."""
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tb/python"))
