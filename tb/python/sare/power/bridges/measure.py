# SPDX-License-Identifier: Apache-2.0
"""Bridges to AXI in gates: each end under what the model's two ends do back to back (axi_pins.cpp)."""
import dataclasses
import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .. import cache, netlist, synthesis
from ..energy import CLOCK, Meter
from ..events import WARMUP
from ..gatesim import Simulator, Stimulus
from ..liberty import Library
from ..pins import START
from ..rows import Built, Differs, Row
from ...rtl import ROOT
from .points import ENDS, Asked, Bridge

PROGRAM = Path(__file__).with_name("axi_pins.cpp")
MODEL = [ROOT / "cosim/axi" / f for f in (
    "model/format.cpp", "model/manager_model.cpp", "model/subordinate_model.cpp", "model/format.h", "model/manager_model.h",
    "model/subordinate_model.h", "blocks.h", "bridge.h", "rtl/pins.h", "rtl/wide.h")]
# Queues; what a mux of theirs selects is a data path.
PARTS = {"logic": ["*"], "buffers": ["*u_r.*", "*u_w.*", "*u_b.*", "*u_whole.*"]}
CYCLES = 1000


def block(bridge: Bridge) -> synthesis.Block:
    return synthesis.Block(synthesis.RTL / f"sare_axi_{bridge.end}_bridge.sv", bridge.parameters(), PARTS, "buffers",
                           rest="logic")


def program() -> Path:
    target = cache.folder() / f"axi_pins-{cache.key_of(*(p.read_text() for p in [PROGRAM, *MODEL]))}"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_suffix(".partial")
        parts = [PROGRAM, *(p for p in MODEL if p.suffix == ".cpp")]
        subprocess.run(["c++", "-std=c++17", "-O1", f"-I{ROOT}", *parts, "-o", partial], check=True)
        partial.rename(target)
    return target


@dataclass
class Seen:
    stimulus: Stimulus
    events: dict[str, float]


def seen_at(bridge: Bridge, asked: Asked) -> Seen:
    """Pins and events of that end."""
    keys = dict(flit_width=bridge.width, data_width=bridge.data_width, id_width=bridge.id_width, transactions=bridge.transactions,
                beats=bridge.beats, cycles=CYCLES, warmup=WARMUP, **dataclasses.asdict(asked))
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([program(), folder, *(f"{k}={v}" for k, v in keys.items())], capture_output=True, text=True, check=True)
        pins, _, bits = (Path(folder) / bridge.end).read_bytes().partition(b"\n\n")
    names = [line.split() for line in pins.decode().split("\n")]
    columns = np.frombuffer(bits, np.uint8).reshape(START + CYCLES, -1)
    ends = np.cumsum([int(width) for _, _, width in names])
    of = {name: columns[:, end - int(width):end] for (_, name, width), end in zip(names, ends)}
    inputs, outputs = ([name for way, name, _ in names if way == which] for which in ("in", "out"))
    values, expected = (np.concatenate([of[n] for n in some], axis=1) for some in (inputs, outputs))
    care = expected >> 1
    care[:START] = 0
    events = dict.fromkeys(("inject", "inject_head", "inject_burst", "eject", "eject_head", "clock", "ar", "aw", "w", "r", "b"), 0.0)
    events.update({k: float(n) for k, n in json.loads(done.stdout)[ENDS.index(bridge.end)].items()})
    return Seen(Stimulus(inputs, values & 1, outputs, expected & 1, care, [START + WARMUP, START + CYCLES]), events)


class BridgeBench:
    def __init__(self, bridge: Bridge, library: Library):
        self.bridge = bridge
        self.n = netlist.build(synthesis.netlist(block(bridge), library, cache.folder()), library)
        self.meter, self.simulator = Meter(self.n), Simulator(self.n)

    def built(self) -> Built:
        return Built(self.bridge.settings(), *({"bridges": sum(found.values())} for found in (self.meter.area(), self.meter.leakage())),
                     self.meter.timing.period)

    def _tied(self, s: Stimulus) -> Stimulus:
        """Outputs that synthesis has tied to a constant are compared here: the replay has gates alone."""
        nets = np.array([b for p in s.outputs for b in self.n.bits(p)])
        tied = nets < 2
        if (s.care[:, tied] * (s.expected[:, tied] != nets[tied])).any():
            raise Differs(f"{self.bridge}: an output that is a constant in gates is not what the model has")
        return dataclasses.replace(s, care=s.care * ~tied)

    def row(self, asked: Asked) -> Row:
        seen = seen_at(self.bridge, asked)
        found = self.simulator.replay(self._tied(seen.stimulus), [])
        if found.wrong_cycle >= 0:
            raise Differs(f"{self.bridge}: in cycle {found.wrong_cycle} pin {found.wrong_pin} of {', '.join(seen.stimulus.outputs)} "
                          "is not what the model has")
        spent = self.meter.measure(found.rises[1], found.falls[1])
        energy = {"bridges": sum(e for part, e in spent.items() if part != CLOCK), CLOCK: spent[CLOCK]}
        return Row(self.bridge.settings(), energy, seen.events, asked.activity, CYCLES - WARMUP, asked.begin, 0, str(asked))


def sources() -> str:
    """Of all that measures."""
    here, above = Path(__file__).parent, Path(__file__).parent.parent
    return "".join(f.read_text() for f in (here / "measure.py", PROGRAM, above / "energy.py", above / "timing.py", above / "gatesim.c",
                                           above / "netlist.py", above / "liberty.py"))


def measured(bridge: Bridge, library: Library, runs: list[Asked]) -> tuple[Built, list[Row]]:
    """Out of the cache where they are there."""
    key = cache.key_of(repr(bridge), library.key, str(library.voltage), repr(runs), sources(), synthesis.recipe(library, block(bridge)))
    kept = cache.folder() / f"{key}.bridges.json"
    if not kept.exists():
        bench = BridgeBench(bridge, library)
        kept.write_text(json.dumps({"built": dataclasses.asdict(bench.built()),
                                    "rows": [dataclasses.asdict(bench.row(asked)) for asked in runs]}))
    text = json.loads(kept.read_text())
    return Built(**{**text["built"], "setting": bridge.settings()}), [Row(**{**r, "setting": bridge.settings()}) for r in text["rows"]]
