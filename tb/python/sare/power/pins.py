# SPDX-License-Identifier: Apache-2.0
"""The pins of a router, cycle by cycle, of a run of the model: what comes in by the links, what the model puts on them,
and when credits go each way (docs/rtl.md, docs/router.md)."""
import zlib

import numpy as np

from .gatesim import Stimulus
from .model import Flit, Run, Trace, neighbour, router_of
from .points import COORDINATE_BITS, Router

LINK, CREDIT_DELAY, SA, ST = 1, 1, 1, 1  # cycles: what experiments have where they say nothing
START = 4  # cycles of reset before the first of the run
INPUTS = ["rst_ni", "here_i", "last_i", "cfg_valid_i", "cfg_node_i", "cfg_port_i", "flit_valid_i", "flit_head_i", "flit_tail_i",
          "flit_vc_i", "flit_data_i", "flit_dest_i", "flit_ways_i", "flit_vc_base_i", "flit_length_i", "flit_port_i", "flit_vcs_i",
          "credit_i"]
OUTPUTS = ["credit_o", "flit_valid_o", "flit_head_o", "flit_tail_o", "flit_vc_o", "flit_data_o", "flit_dest_o"]


def bits(value: int, width: int) -> np.ndarray:
    return np.array([value >> k & 1 for k in range(width)], np.uint8)


def width_of(count: int) -> int:
    return max(1, (count - 1).bit_length())


class Pins:
    def __init__(self, router: Router, run: Run, trace: Trace, number: int):
        self.router, self.run, self.trace, self.number = router, run, trace, number
        r = router
        self.cycles = START + trace.cycles
        self.vc_bits, self.port_bits = width_of(r.vcs), width_of(r.ports)
        self.dest_bits = self.port_bits + len(r.dims) * COORDINATE_BITS
        self.count_bits = 8 if r.switching == "cut_through" else 1
        nodes = width_of(16)
        sizes = dict(
            rst_ni=1, here_i=len(r.dims) * COORDINATE_BITS, last_i=len(r.dims) * COORDINATE_BITS, cfg_valid_i=1, cfg_node_i=nodes,
            cfg_port_i=self.port_bits, flit_valid=r.ports, flit_head=r.ports, flit_tail=r.ports, flit_vc=r.ports * self.vc_bits,
            flit_data=r.ports * r.width, flit_dest=r.ports * self.dest_bits, flit_ways=r.ports * 2 * len(r.dims),
            flit_vc_base=r.ports * self.vc_bits, flit_length=r.ports * self.count_bits, flit_port=r.ports * self.port_bits,
            flit_vcs=r.ports * r.vcs, credit=r.ports * r.vcs)

        def wide(name):
            return sizes.get(name, sizes.get(name[:-2]))

        self.ins = {n: np.zeros((self.cycles, wide(n)), np.uint8) for n in INPUTS}
        self.outs = {n: np.zeros((self.cycles, wide(n)), np.uint8) for n in OUTPUTS}
        self.care = {n: np.zeros((self.cycles, wide(n)), np.uint8) for n in OUTPUTS}

    def port(self, name: str) -> int:
        if name[0] == "n":
            return 2 * len(self.router.dims) + int(name[1:]) % self.router.nodes_at
        return 2 * "xyzw".index(name[1]) + (name[0] == "-")

    def data(self, packet: int, flit: int) -> np.ndarray:
        """The same at all routers."""
        if self.run.data == "zero":
            return np.zeros(self.router.width, np.uint8)
        if self.run.data == "alternating":
            return np.full(self.router.width, flit & 1, np.uint8)
        seed = zlib.crc32(f"{self.run.seed} {packet} {flit}".encode())
        return (np.random.Generator(np.random.PCG64(seed)).random(self.router.width) < self.run.ones).astype(np.uint8)

    def destination(self, node: int) -> int:
        home, k = divmod(node, self.router.nodes_at)
        value = 2 * len(self.router.dims) + k
        for c in reversed(router_of(self.router, home)):
            value = value << COORDINATE_BITS | c
        return value

    def ways(self, flit: Flit) -> int:
        """Two bits a dimension: goes down, crosses the wrap link."""
        if not self.router.wraps:
            return 0
        at = router_of(self.router, flit.source // self.router.nodes_at)
        to = router_of(self.router, flit.destination // self.router.nodes_at)
        value = 0
        for d, (a, b) in enumerate(zip(at, to)):
            seen = self.trace.ways.get(flit.packet, set())
            down = f"-{'xyzw'[d]}" in seen or f"+{'xyzw'[d]}" not in seen and (b - a) % self.router.dims[d] > self.router.dims[d] / 2
            crosses = b > a if down else b < a
            value |= (int(down) | int(a != b and crosses) << 1) << 2 * d
        return value

    def vcs(self, flit: Flit) -> int:
        """With look-ahead: the VCs that a head may have at this router."""
        r = self.router
        every, low = (1 << r.vcs) - 1, (1 << (r.vcs + 1) // 2) - 1
        if not r.wraps:
            return every
        at, to = router_of(r, self.number), router_of(r, flit.destination // r.nodes_at)
        for d, (c, t) in enumerate(zip(at, to)):
            if c != t:
                down, crosses = self.ways(flit) >> 2 * d & 1, self.ways(flit) >> 2 * d & 2
                behind = (c == 0 or c > t) if down else (c == r.dims[d] - 1 or c < t)
                return every & ~low if crosses and behind else low
        return every

    def stimulus(self, segments: list[int]) -> Stimulus:
        self._constants()
        self._flits_in()
        self._flits_out()
        self._credits_in()
        join = lambda arrays, names: np.concatenate([arrays[n] for n in names], axis=1)  # noqa: E731
        return Stimulus(INPUTS, join(self.ins, INPUTS), OUTPUTS, join(self.outs, OUTPUTS), join(self.care, OUTPUTS), segments)

    def _constants(self) -> None:
        self.ins["rst_ni"][START:] = 1
        for d, (at, size) in enumerate(zip(router_of(self.router, self.number), self.router.dims)):
            where = slice(d * COORDINATE_BITS, (d + 1) * COORDINATE_BITS)
            self.ins["here_i"][:, where] = bits(at, COORDINATE_BITS)
            self.ins["last_i"][:, where] = bits(size - 1, COORDINATE_BITS)

    def _flits_in(self) -> None:
        """What no flit drives stays as it was, as behind a register."""
        out_port = {(f.packet, f.port): p for f, p, _ in self.trace.routers[self.number].left}
        for flit in self.trace.routers[self.number].came:
            t, p = START + flit.cycle, self.port(flit.port)
            if t >= self.cycles:
                continue
            self.ins["flit_valid_i"][t, p] = 1
            self._hold("head", t, p, bits(flit.number == 0, 1))
            self._hold("tail", t, p, bits(flit.number == self.trace.lengths[flit.packet] - 1, 1))
            self._hold("vc", t, p, bits(flit.vc, self.vc_bits))
            self._hold("data", t, p, self.data(flit.packet, flit.number))
            self._hold("dest", t, p, bits(self.destination(flit.destination), self.dest_bits))
            self._hold("ways", t, p, bits(self.ways(flit), 2 * len(self.router.dims)))
            if self.router.switching == "cut_through":
                self._hold("length", t, p, bits(self.run.length, self.count_bits))
            if self.router.lookahead and (flit.packet, flit.port) in out_port:
                self._hold("port", t, p, bits(self.port(out_port[flit.packet, flit.port]), self.port_bits))
                self._hold("vcs", t, p, bits(self.vcs(flit), self.router.vcs))

    def _hold(self, name: str, t: int, port: int, value: np.ndarray) -> None:
        self.ins[f"flit_{name}_i"][t:, port * len(value):(port + 1) * len(value)] = value

    def _flits_out(self) -> None:
        self.care["flit_valid_o"][START:] = 1
        self.care["credit_o"][START:] = 1
        for flit, port, vc in self.trace.routers[self.number].left:
            p, t = self.port(port), START + flit.cycle + SA + ST + 1
            back = START + flit.cycle + CREDIT_DELAY + 1
            if back < self.cycles:
                self.outs["credit_o"][back, self.port(flit.port) * self.router.vcs + flit.vc] = 1
            if t >= self.cycles:
                continue
            self.outs["flit_valid_o"][t, p] = 1
            for name, value in (("head", bits(flit.number == 0, 1)), ("tail", bits(flit.number == self.trace.lengths[flit.packet] - 1, 1)),
                                ("vc", bits(vc, self.vc_bits)), ("data", self.data(flit.packet, flit.number)),
                                ("dest", bits(self.destination(flit.destination), self.dest_bits))):
                where = slice(p * len(value), (p + 1) * len(value))
                self.outs[f"flit_{name}_o"][t, where] = value
                self.care[f"flit_{name}_o"][t, where] = 1

    def _credits_in(self) -> None:
        """A router beyond frees a place when a flit leaves it, a node when one comes."""
        def credit(cycle: int, port: str, vc: int) -> None:
            t = START + cycle + LINK + CREDIT_DELAY
            if t < self.cycles:
                self.ins["credit_i"][t, self.port(port) * self.router.vcs + vc] = 1

        for flit, port, vc in self.trace.routers[self.number].left:
            if port[0] == "n":
                credit(flit.cycle + SA + ST + LINK, port, vc)
        for d in range(len(self.router.dims)):
            for here, there in ((f"+{'xyzw'[d]}", f"-{'xyzw'[d]}"), (f"-{'xyzw'[d]}", f"+{'xyzw'[d]}")):
                beyond = neighbour(self.router, self.number, here)
                if beyond is None or beyond not in self.trace.routers:
                    continue
                for flit, _, _ in self.trace.routers[beyond].left:
                    if flit.port == there:
                        credit(flit.cycle, here, flit.vc)
