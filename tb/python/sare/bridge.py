# SPDX-License-Identifier: Apache-2.0
"""Attaches a script to a network that Sare simulates (workload `bridge`, docs/bridge.md): the same interface as
traffic/bridge/client/sare_bridge.h, in Python alone. Times are picoseconds since the start of the simulation.

    with Bridge("unix:/tmp/net.sock", [Node(mac="02:00:00:00:00:01")], name="first") as bridge:
        for grant, frames in bridge.slices():            # the frames that arrive before `grant`
            bridge.send(grant - 1, b"...")               # not before the last slice's end, up to `grant`
"""
from __future__ import annotations

import builtins
import socket
import struct
import time
from dataclasses import dataclass
from types import TracebackType
from typing import Iterator, List, Optional, Sequence, Tuple, Type

VERSION = 1
ANY_NODE = 0xffffffff
BROADCAST = 0xffffffff
HELLO, WELCOME, REFUSED, FRAME, DONE, GRANT, ROI_BEGIN, ROI_END, STATS, FIGURES, BYE = range(1, 12)
MAX_RECORD = 65535 + 64


class Refused(Exception):
    """What the network said, or what it did not say in time."""


@dataclass
class Node:
    node: int = ANY_NODE  # of the network
    mac: str = ""         # "": learned from what it sends


@dataclass
class Frame:
    time: int      # when it is to reach the computer
    place: int     # which of the session's nodes
    source: int    # node of the network
    length: int
    bytes: Optional[builtins.bytes]  # None for meta-information
    id: int = 0    # of meta-information, as its sender chose it


class Bridge:
    def __init__(self, address: str, nodes: Sequence[Node], name: str = "peer", clock_hz: float = 0.0, quantum: int = 0, lookahead: int = 0,
                 timeout_s: float = 60.0) -> None:
        self._in = b""
        self._granted = 0
        self._line = self._connect(address, timeout_s)
        self._line.settimeout(timeout_s)
        hello = struct.pack("<IHHdQQB", 0x45524153, VERSION, len(nodes), clock_hz, quantum, lookahead, len(name)) + name.encode()
        for one in nodes:
            mac = bytes.fromhex(one.mac.replace(":", ""))
            hello += struct.pack("<IB", one.node, len(mac) // 6) + mac
        self._send(HELLO, hello)
        kind, body = self._record()
        if kind != WELCOME:
            raise Refused(body.decode(errors="replace"))
        _, self.nodes, self.quantum, self.lookahead, self.start, self.max_frame, count = struct.unpack_from("<HIQQQIH", body)
        self.numbers = struct.unpack_from(f"<{count}I", body, struct.calcsize("<HIQQQIH"))

    def __enter__(self) -> Bridge:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], problem: Optional[BaseException], at: Optional[TracebackType]) -> None:
        self.close()

    def slices(self) -> Iterator[Tuple[int, List[Frame]]]:
        """Pairs of a grant and the frames that arrive before it; the slice is done when the next one is asked for."""
        while True:
            frames = []
            while (record := self._record())[0] == FRAME:
                frames.append(self._frame(record[1]))
            kind, body = record
            if kind == BYE:
                return
            if kind != GRANT:
                raise Refused(f"a record of type {kind} does not belong here")
            self._granted, = struct.unpack("<Q", body)
            yield self._granted, frames
            self._send(DONE, struct.pack("<Q", self._granted))

    def send(self, at: int, data: bytes, place: int = 0) -> None:
        self._send(FRAME, struct.pack("<QIIIB", at, place, BROADCAST, len(data), 0) + data)

    def send_meta(self, at: int, destination: int, length: int, identity: int, place: int = 0) -> None:
        self._send(FRAME, struct.pack("<QIIIBQ", at, place, destination, length, 1, identity))

    def region_begins(self, at: int) -> None:
        self._send(ROI_BEGIN, struct.pack("<Q", at))

    def region_ends(self, at: int) -> None:
        self._send(ROI_END, struct.pack("<Q", at))

    def figures(self) -> str:
        """The network's figures so far, as JSON; in a slice."""
        self._send(STATS, b"")
        kind, body = self._record()
        if kind != FIGURES:
            raise Refused(f"a record of type {kind} does not belong here")
        return body.decode()

    def close(self, reason: str = "finished") -> None:
        try:
            self._send(BYE, reason.encode()[:255])
        except OSError:
            pass  # it has hung up already
        self._line.close()

    @staticmethod
    def _connect(address: str, timeout_s: float) -> socket.socket:
        """Tried again, so that either side may be started first."""
        kind, _, rest = address.partition(":")
        end = time.monotonic() + timeout_s
        while True:
            try:
                if kind == "tcp":
                    host, _, port = rest.rpartition(":")
                    line = socket.create_connection((host, int(port)))
                    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    return line
                line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                line.connect(rest if kind == "unix" else address)
                return line
            except (FileNotFoundError, ConnectionRefusedError) as problem:
                if time.monotonic() > end:
                    raise Refused(f"no connection to {address}: {problem.strerror}") from None
                time.sleep(0.02)

    @staticmethod
    def _frame(body: bytes) -> Frame:
        at, place, source, length, meta = struct.unpack_from("<QIIIB", body)
        rest = body[struct.calcsize("<QIIIB"):]
        return Frame(at, place, source, length, None, *struct.unpack("<Q", rest)) if meta else Frame(at, place, source, length, rest)

    def _send(self, kind: int, body: bytes) -> None:
        self._line.sendall(struct.pack("<IB", len(body) + 1, kind) + body)

    def _record(self) -> Tuple[int, bytes]:
        length, = struct.unpack("<I", self._bytes(4))
        if not 0 < length <= MAX_RECORD:
            raise Refused(f"a record of {length} bytes: is it another program?")
        body = self._bytes(length)
        return body[0], body[1:]

    def _bytes(self, count: int) -> bytes:
        while len(self._in) < count:
            try:
                more = self._line.recv(1 << 16)
            except TimeoutError:
                raise Refused("the network has said nothing for too long") from None
            if not more:
                raise Refused("the network hung up")
            self._in += more
        taken, self._in = self._in[:count], self._in[count:]
        return taken
