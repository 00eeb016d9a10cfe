# SPDX-License-Identifier: Apache-2.0
"""Cases of `sare cosim`, and random traffic, for test benches in Python: cocotb, or run() below where there is none."""
import ctypes

try:
    from cocotb.triggers import ReadOnly, RisingEdge
except ImportError:
    class Trigger:
        """What a coroutine waits for."""

        def __init__(self, signal=None):
            self.signal = signal

        def __await__(self):
            yield self

    class ReadOnly(Trigger):
        """All outputs have settled."""

    class RisingEdge(Trigger):
        """The next rising edge of a clock."""


class Bench:
    """Sare's side of a router (sare_dpi.h): `library` is libsare_dpi.so, `case` what sare_dpi_open() takes."""

    NAMES = ("head", "tail", "vc", "source", "destination", "length", "out_port", "out_vcs")

    def __init__(self, library, case, router=0, seed=1, cycles=1000):
        self.lib = ctypes.CDLL(str(library))
        for name in ("open", "error", "verdict", "build"):
            getattr(self.lib, "sare_dpi_" + name).restype = ctypes.c_void_p if name == "open" else ctypes.c_char_p
        self.handle = ctypes.c_void_p(self.lib.sare_dpi_open(str(case).encode(), router, seed, cycles))
        if not self.handle:
            raise ValueError(self.lib.sare_dpi_error().decode())
        self.ports = self.lib.sare_dpi_ports(self.handle)

    def route(self, node):
        """The port to a node; None if there is no such table."""
        port = self.lib.sare_dpi_route(self.handle, node) & 0xffffffff
        return None if port == 0xffffffff else port

    def next(self):
        """Goes to the next step; 0 if the run is over (sare_dpi_next())."""
        return self.lib.sare_dpi_next(self.handle)

    def flit(self, port):
        """The flit for an input port, as a dict with `data` as a number; None: there is none."""
        words = [ctypes.c_uint32() for _ in self.NAMES]
        data = (ctypes.c_uint32 * 32)()
        if not self.lib.sare_dpi_drive(self.handle, port, *[ctypes.byref(w) for w in words], data):
            return None
        return {"data": int.from_bytes(bytes(data), "little"), **{n: w.value for n, w in zip(self.NAMES, words)}}

    def back(self, port):
        """The VCs that the flow control pins of an output port get, as a mask."""
        return self.lib.sare_dpi_drive_back(self.handle, port)

    def read(self, port, head, tail, vc, data):
        """Tells of a flit at an output port."""
        words = (ctypes.c_uint32 * 32).from_buffer_copy(data.to_bytes(128, "little"))
        self.lib.sare_dpi_read(self.handle, port, int(head), int(tail), vc, words)

    def read_back(self, port, vcs):
        """Tells of the flow control pins of an input port."""
        self.lib.sare_dpi_read_back(self.handle, port, vcs)

    @property
    def verdict(self):
        """What is wrong, in a line; "": nothing so far."""
        return self.lib.sare_dpi_verdict(self.handle).decode()

    def close(self):
        """Ends the bench."""
        self.lib.sare_dpi_close(self.handle)


async def replay(bench, pins, clock):
    """Runs the bench; `pins` maps both ways: drive(port, flit or None), drive_back(port, vcs), read(port), which
    returns (head, tail, vc, data) or None, and read_back(port). Fails with the bench's verdict."""
    while step := bench.next():
        for port in range(bench.ports):
            pins.drive_back(port, bench.back(port))
            if step == 1:
                pins.drive(port, bench.flit(port))
        await ReadOnly()
        for port in range(bench.ports):
            bench.read_back(port, pins.read_back(port))
            flit = pins.read(port) if step == 1 else None
            if flit is not None:
                bench.read(port, *flit)
        if step == 1:
            await RisingEdge(clock)
    assert not bench.verdict, bench.verdict


class Signal:
    """A port of a module of run(), with a `value` as in cocotb."""

    def __init__(self, address, size):
        self.bytes = (ctypes.c_uint8 * size).from_address(address)

    @property
    def value(self):
        """The bits, as a number."""
        return int.from_bytes(bytes(self.bytes), "little")

    @value.setter
    def value(self, number):
        self.bytes[:] = int(number).to_bytes(len(self.bytes), "little")


class Module:
    """A Verilated module, with its ports as attributes, as the `dut` of cocotb."""

    def __init__(self, library):
        self._lib = ctypes.CDLL(library)
        self._lib.sare_rtl_new.restype = self._lib.sare_rtl_pin.restype = ctypes.c_void_p
        self._lib.sare_rtl_failure.restype = ctypes.c_char_p
        self._model = ctypes.c_void_p(self._lib.sare_rtl_new())

    def __getattr__(self, name):
        size, width = ctypes.c_uint32(), ctypes.c_int32()
        address = self._lib.sare_rtl_pin(self._model, name.encode(), ctypes.byref(size), ctypes.byref(width))
        if address is None:
            raise AttributeError(name)
        self.__dict__[name] = Signal(address, size.value)
        return self.__dict__[name]

    def evaluate(self):
        """Lets the logic settle."""
        self._lib.sare_rtl_eval(self._model)
        failure = self._lib.sare_rtl_failure()
        assert failure is None, failure.decode()


def run(test, library, top):
    """Runs the test, a coroutine of the module as for cocotb, with the file `top` Verilated by `library`,
    libsare_dpi.so. It may wait for ReadOnly() and RisingEdge(clock)."""
    lib = ctypes.CDLL(str(library))
    lib.sare_dpi_build.restype = lib.sare_dpi_error.restype = ctypes.c_char_p
    built = lib.sare_dpi_build(str(top).encode())
    if built is None:
        raise ValueError(lib.sare_dpi_error().decode())
    dut = Module(built.decode())
    coroutine = test(dut)
    while True:
        try:
            trigger = coroutine.send(None)
        except StopIteration:
            return
        if isinstance(trigger, RisingEdge):
            trigger.signal.value = 0
            dut.evaluate()
            trigger.signal.value = 1
        dut.evaluate()
