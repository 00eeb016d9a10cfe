# SPDX-License-Identifier: Apache-2.0
"""gatesim.c behind numpy: compiled once, loaded, called."""
import ctypes
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

import numpy as np

from . import cache
from .netlist import Netlist, levels

SOURCE = Path(__file__).with_name("gatesim.c")
RAM_PINS = ("write_i", "read_i", "write_address_i", "read_address_i", "data_i", "data_o")
INT, LONG = ctypes.c_int32, ctypes.c_int64


class Struct(ctypes.Structure):
    _fields_ = [("nets", INT), ("gates", INT), ("states", INT), ("levels", INT)] + [
        (name, ctypes.c_void_p) for name in
        ("gate_out", "gate_level", "gate_first", "gate_in", "gate_table", "gate_latch", "state_out", "state_inverse",
         "state_data", "state_clock", "state_clear", "state_preset", "reader_first", "reader", "clocked_first", "clocked")] + [
        ("rams", INT), ("address_bits", INT), ("ram_bits", INT), ("ram", ctypes.c_void_p)]


def library() -> ctypes.CDLL:
    target = cache.folder() / f"gatesim-{cache.key_of(SOURCE.read_text())}.so"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_suffix(".partial")
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", partial, SOURCE], check=True)
        partial.rename(target)
    found = ctypes.CDLL(str(target))
    found.replay.restype = LONG
    return found


@dataclass
class Stimulus:
    """Pins by cycle. `expected` is compared where `care` is 1; a segment ends before the cycle that is its end."""
    inputs: list[str]
    values: np.ndarray
    outputs: list[str]
    expected: np.ndarray
    care: np.ndarray
    segments: list[int]


@dataclass
class Activity:
    """Edges of every net by segment, cycles in which groups of nets were busy, and the first difference if any."""
    rises: np.ndarray
    falls: np.ndarray
    busy: np.ndarray
    wrong_cycle: int
    wrong_pin: int


def grouped(keys: np.ndarray, values: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Values by key: where those of a key begin, and all in order."""
    order = np.argsort(keys, kind="stable")
    first = np.zeros(count + 1, np.int32)
    np.add.at(first[1:], keys, 1)
    return np.cumsum(first).astype(np.int32), values[order].astype(np.int32)


class Simulator:
    def __init__(self, n: Netlist):
        self.n = n
        level = levels(n)
        order = np.argsort(level, kind="stable")
        gates = [n.gates[k] for k in order]
        inputs = [np.array(g.inputs, np.int32) for g in gates]
        first = np.concatenate([[0], np.cumsum([len(i) for i in inputs])]).astype(np.int32)
        flat = np.concatenate(inputs) if inputs else np.zeros(0, np.int32)
        readers = grouped(flat, np.repeat(np.arange(len(gates)), [len(i) for i in inputs]), n.nets)
        clocked = grouped(np.array([s.clock for s in n.states], int), np.arange(len(n.states)), n.nets)
        count = int(level.max()) + 1 if len(level) else 0
        self.level_first = np.searchsorted(level[order], np.arange(count + 1)).astype(np.int32)
        self.is_asynchronous = np.zeros(n.nets, np.uint8)
        for s in n.states:
            for net in (s.clear, s.preset):
                if net >= 0:
                    self.is_asynchronous[net] = 1

        def ints(values):
            return np.ascontiguousarray(list(values), np.int32)

        self._arrays = [
            ints(g.out for g in gates), ints(level[order]), first, flat.astype(np.int32),
            np.ascontiguousarray([g.table for g in gates], np.uint64), ints(g.is_latch for g in gates),
            *(ints(getattr(s, f) for s in n.states) for f in ("out", "inverse", "data", "clock", "clear", "preset")),
            readers[0], readers[1], clocked[0], clocked[1]]
        pins = [r.pins for r in n.rams]
        self._ram = ints(b for p in pins for name in RAM_PINS for b in p[name])
        shape = (len(pins[0]["write_address_i"]), len(pins[0]["data_i"])) if pins else (0, 0)
        self._struct = Struct(n.nets, len(gates), len(n.states), count, *(a.ctypes.data for a in self._arrays), len(pins), *shape,
                              self._ram.ctypes.data)
        self._library = library()

    def _delays(self, delays: tuple[np.ndarray, np.ndarray]) -> list[np.ndarray]:
        self._kept = [np.ascontiguousarray(delays[0][self._arrays[0]], np.int32), np.ascontiguousarray(delays[1], np.int32)]
        return self._kept

    def replay(self, s: Stimulus, groups: list[list[int]], delays: Optional[tuple[np.ndarray, np.ndarray]] = None) -> Activity:
        """`delays` are those of gates, by the net that they drive, and of flip-flops, in ps."""
        n = self.n
        in_net = np.array([b for p in s.inputs for b in n.bits(p)], np.int32)
        out_net = np.array([b for p in s.outputs for b in n.bits(p)], np.int32)
        values, expected, care = (np.ascontiguousarray(a, np.uint8) for a in (s.values, s.expected, s.care))
        assert values.shape[1] == len(in_net) and expected.shape == care.shape and expected.shape[1] == len(out_net)
        ends = np.array(s.segments, np.int64)
        rises, falls = (np.zeros((len(ends), n.nets), np.uint32) for _ in range(2))
        group_first = np.concatenate([[0], np.cumsum([len(g) for g in groups])]).astype(np.int32)
        group_net = np.array([b for g in groups for b in g] or [0], np.int32)
        busy = np.zeros((len(ends), max(1, len(groups))), np.uint32)
        wrong = np.zeros(1, np.int32)

        def at(a):
            return ctypes.c_void_p(a.ctypes.data)

        bad = self._library.replay(
            ctypes.byref(self._struct), at(self.level_first), at(self.is_asynchronous), INT(n.clock), LONG(len(values)),
            INT(len(in_net)), at(in_net), at(values), INT(len(out_net)), at(out_net), at(expected), at(care),
            INT(len(ends)), at(ends), at(rises), at(falls), INT(len(groups)), at(group_first), at(group_net), at(busy), at(wrong),
            *((at(d) for d in self._delays(delays)) if delays else (None, None)))
        return Activity(rises, falls, busy[:, :len(groups)], int(bad), int(wrong[0]))
