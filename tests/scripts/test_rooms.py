#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What the rooms are compiled to: a room calls only what the rooms that it may include define, or those in turn. Its includes
are those of test_house.py; here it is a declaration repeated by hand, or a function reached through a header, that is seen."""
import os
import re
import subprocess
import unittest
from collections import defaultdict
from pathlib import Path

import test_house

BUILD = Path(os.environ["SARE_BUILD"])
WITH = {"traffic/program/executor": "traffic/program/messages"}  # its hot files are compiled with the executor


def symbols():
    """Of each room, the symbols that its objects define and those that they need from elsewhere."""
    rooms = {"sare_room_" + room.replace("/", "_"): room for room in test_house.MAY}
    defined, needed = defaultdict(set), defaultdict(set)
    made = set(re.findall(r"^build (\S+\.o):", (BUILD / "build.ninja").read_text(), re.M))  # an object of a file that has moved stays
    files = [f for target, room in rooms.items() for f in (BUILD / room.partition("/")[0]).glob(f"CMakeFiles/{target}.dir/**/*.o")
             if str(f.relative_to(BUILD)) in made]
    text = subprocess.run(["nm", "-A", "--no-sort", *files], check=True, capture_output=True, text=True).stdout
    for target, kind, symbol in re.findall(r"/CMakeFiles/(\w+)\.dir/.*\.o:[ 0-9a-f]* (\w) (\S+)", text):
        (needed if kind == "U" else defined)[rooms[target]].add(symbol)
    return defined, needed


def reach(room):
    """The room, those that it may include, those that they may, and so on."""
    found, more = set(), [room]
    while more:
        room = more.pop()
        if room not in found:
            found.add(room)
            more += test_house.MAY[room].split()
    return found


class RoomsTest(unittest.TestCase):
    def test_calls(self):
        defined, needed = symbols()
        self.assertGreater(len(defined), 40, "is all built?")
        owners = defaultdict(set)
        for room, names in defined.items():
            for name in names:
                owners[name].update({room, WITH.get(room, room)})
        wrong = [f"{room} calls {name}, which is of {', '.join(sorted(owners[name]))}" for room, names in needed.items()
                 for name in sorted(names) if owners[name] and not owners[name] & reach(room)]
        self.assertEqual(wrong, [], "\n".join(wrong))


if __name__ == "__main__":
    unittest.main()
