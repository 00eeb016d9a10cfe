# SPDX-License-Identifier: Apache-2.0
"""``python3 -m sare explore FILE ...``: what the command ``sare explore`` starts."""
import sys

from .search import main

if sys.argv[1:2] != ["explore"]:
    sys.exit("sare: python3 -m sare has one command, explore; the others are those of the program")
sys.exit(main(sys.argv[2:]))
