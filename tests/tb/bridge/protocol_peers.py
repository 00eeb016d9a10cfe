#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Two computers that send a frame to and fro, by a protocol of docs/bridge-protocols.md: insee or simbricks, and how often.

Written by that page alone. They say nothing, and end with status 0, if all frames come back."""
import mmap
import os
import select
import socket
import struct
import sys
import threading
import time

ROUNDS = int(sys.argv[2])


def frame(to, source):
    return bytes([2, 0, 0, 0, 0, to, 2, 0, 0, 0, 0, source, 0x88, 0xb5]).ljust(64, b"x")


def to_1234(first):
    ip = bytes.fromhex("4500001d0000000040110000") + bytes([10, 0, 0, 1, 1, 2, 3, 4])
    return frame(9, 0)[:12] + b"\x08\x00" + ip + struct.pack(">HHHHB", 1, 2, 9, 0, first)


class InseeHost:
    """A client with one host."""

    def __init__(self, node):
        self.tcp_address, self.udp_address = (
            (a.split(":")[1], int(a.split(":")[2])) for a in os.environ["SARE_BRIDGE"].split())
        self.mac = bytes([2, 0, 0, 0, 0, node])
        self.line = socket.create_connection(self.tcp_address)
        self.line.sendall(self.mac)
        assert self.read(3) == b"OK\0"
        self.datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.datagrams.sendto(b"CONNECT:" + struct.pack("<i", 1) + b":" + self.mac, self.udp_address)
        assert self.datagrams.recv(100) == b"OK:" + self.mac
        self.now = 0

    def read(self, size):
        got = b""
        while len(got) < size:
            more = self.line.recv(size - len(got))
            if not more:
                raise EOFError
            got += more
        return got

    def run_slice(self):
        self.datagrams.sendto(b"TS:" + self.mac + b":" + struct.pack("<Q", self.now), self.udp_address)
        word, at, cycles = struct.unpack("<9sQi", self.hear())
        assert (word, at) == (b"CONTINUE:", self.now)
        self.now += cycles

    def hear(self):
        """A datagram, unless the network has closed the line: there is no other goodbye."""
        while True:
            ready, _, _ = select.select([self.datagrams, self.line], [], [])
            if self.datagrams in ready:
                return self.datagrams.recv(100)
            if not self.line.recv(1, socket.MSG_PEEK):
                raise EOFError

    def frames(self):
        """Those that have come with this slice."""
        while True:
            try:
                head = self.line.recv(10, socket.MSG_PEEK | socket.MSG_DONTWAIT)
            except BlockingIOError:
                return
            if not head:
                raise EOFError
            wait, size = struct.unpack("<QH", head)
            assert wait == 0
            yield self.read(10 + size)[10:]

    def send(self, bytes_):
        self.line.sendall(struct.pack("<H", len(bytes_)) + bytes_)


def insee(node):
    host, back = InseeHost(node), 0
    host.run_slice()
    if node == 0:
        host.send(to_1234(1))
        host.send(frame(1, 0))
    try:
        while back < ROUNDS:
            host.run_slice()
            for one in host.frames():
                if one[:6] == host.mac and one[6] == 2 and one[11] == 1 - node:
                    back += node == 0
                    host.send(frame(1 - node, node))
        host.send(to_1234(2))
        host.read(100000)
    except (EOFError, ConnectionError):
        assert node == 1 or back == ROUNDS


class SimbricksNic:
    LATENCY, ENTRY, ENTRIES = 500_000, 1600, 64

    def __init__(self, path):
        door = socket.socket(socket.AF_UNIX)
        door.bind(path)
        door.listen()
        line, _ = door.accept()
        size = self.ENTRY * self.ENTRIES
        file = os.memfd_create("nic")
        os.ftruncate(file, 2 * size)
        self.memory = mmap.mmap(file, 2 * size)
        words = [1, 1, 0, self.ENTRY, self.ENTRIES, size, self.ENTRY, self.ENTRIES, 1, 80]
        socket.send_fds(line, [struct.pack("<10Q", *words)], [file])
        assert struct.unpack("<4Q", line.recv(32)) == (1, 3, 1, 32)
        self.line = line
        self.out, self.into, self.base = 0, 0, size
        self.may = 0

    def send(self, kind, now, bytes_=b""):
        at = self.out % self.ENTRIES * self.ENTRY
        while self.memory[at + 63] & 0x80:
            time.sleep(0)
        self.memory[at + 64:at + 64 + len(bytes_)] = bytes_
        self.memory[at:at + 2] = struct.pack("<H", len(bytes_))
        self.memory[at + 48:at + 56] = struct.pack("<Q", (now + self.LATENCY) % 2**64)
        self.memory[at + 63] = kind | 0x80
        self.out += 1

    def receive(self):
        at = self.base + self.into % self.ENTRIES * self.ENTRY
        while not self.memory[at + 63] & 0x80:
            time.sleep(0)
        kind = self.memory[at + 63] & 0x7f
        when, = struct.unpack("<Q", self.memory[at + 48:at + 56])
        size, = struct.unpack("<H", self.memory[at:at + 2])
        bytes_ = self.memory[at + 64:at + 64 + size]
        self.memory[at + 63] = kind
        self.into += 1
        return kind, when, bytes_


def simbricks(node):
    nic, back = SimbricksNic(f"nic{node}"), 0
    if node == 0:
        nic.send(64, 0, frame(1, 0))
    next_sync = 0
    while back < ROUNDS:
        kind, now, bytes_ = nic.receive()
        if kind == 1:
            break
        while next_sync <= now:
            nic.send(0, next_sync)
            next_sync += nic.LATENCY
        if kind == 64:
            assert bytes_ == frame(node, 1 - node)
            back += node == 0
            nic.send(64, now, frame(1 - node, node))
    if node == 0:
        assert back == ROUNDS
        nic.send(1, 2**64 - 1)


def live(node):
    try:
        {"insee": insee, "simbricks": simbricks}[sys.argv[1]](node)
        ended.append(node)
    except Exception as problem:
        print(f"computer {node}: {problem!r}")


ended = []
both = [threading.Thread(target=live, args=(node,)) for node in (0, 1)]
for one in both:
    one.start()
for one in both:
    one.join()
sys.exit(len(ended) != 2)
