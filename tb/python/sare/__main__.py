# SPDX-License-Identifier: Apache-2.0
"""``python3 -m sare explore FILE ...``, or ``fit``: what the commands ``sare explore`` and ``sare fit`` start."""
import sys
from importlib import import_module

MODULES = {"explore": "sare.search", "fit": "sare.fitting"}

if sys.argv[1:2] == [] or sys.argv[1] not in MODULES:
    sys.exit("sare: python3 -m sare has the commands explore and fit; the others are those of the program")
sys.exit(import_module(MODULES[sys.argv[1]]).main(sys.argv[2:]))
