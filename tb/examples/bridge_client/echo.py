#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A computer that sends back whatever it gets, on a network that Sare simulates: echo.py ADDRESS NODE"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tb/python"))
from sare.bridge import Bridge, Node

address, number = sys.argv[1], int(sys.argv[2])
with Bridge(address, [Node(number, mac=f"02:00:00:00:00:{number:02x}")], name="echo") as bridge:
    for grant, frames in bridge.slices():
        for frame in frames:
            bridge.send(frame.time, frame.bytes[6:12] + frame.bytes[:6] + frame.bytes[12:])
