# SPDX-License-Identifier: Apache-2.0
"""A network within this process, stepped by hand."""
from __future__ import annotations

import threading
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Optional, Type

from . import _native
from .asked import asked
from .base import AnyExperiment, given
from .errors import Error, need
from .inside import Packet, Router

if TYPE_CHECKING:
    import numpy
    import pandas

Delivery = _native.Delivery


class Measured:
    """Figures of a measured window of a Simulation; NaN where nothing came."""

    def __init__(self, found: Dict[str, Any]) -> None:
        self.status: str = found["status"]  #: completed, saturated, unsettled, ...
        self.reason: str = found["reason"]  #: why, in a sentence
        self.window: range = range(found["from"], found["to"])  #: the measured cycles
        self.offered: float = found["offered"]  #: offered load [flits/node/cycle]
        self.injected: float = found["injected"]  #: injected load [flits/node/cycle]
        self.accepted: float = found["accepted"]  #: accepted load [flits/node/cycle]
        self.latency: float = found["latency"]  #: mean latency of packets from generation [cycles]
        self.latency_ci95: float = found["latency_ci95"]  #: half the width of its 95% interval, by batches [cycles]
        self.p99: float = found["p99"]  #: 99th percentile of the latency [cycles]
        self.hops: float = found["hops"]  #: routers that a packet visits, in the mean
        self._figures = found["figures"]

    def __repr__(self) -> str:
        return f"<Measured {self.status}: accepted {self.accepted:.4g}, latency {self.latency:.4g}>"

    @property
    def scopes(self) -> List[str]:
        """Kinds of places that have figures: "router", "link", "node", ..."""
        return [name for name, columns in self._figures.items() if columns]

    def table(self, scope: str) -> "pandas.DataFrame":
        """Figures of all places of a kind, a row for each. ``attrs["units"]`` and ``attrs["sentences"]`` are by column."""
        if scope not in self.scopes:
            raise Error(f"there are no figures of '{scope}'; there are {', '.join(self.scopes)}")
        columns = self._figures[scope]
        frame: "pandas.DataFrame" = need("pandas").DataFrame({name: values for name, (values, _, _) in columns.items()})
        frame.attrs["units"] = {name: unit for name, (_, unit, _) in columns.items() if unit}
        frame.attrs["sentences"] = {name: sentence for name, (_, _, sentence) in columns.items()}
        return frame


class Simulation:
    """The network of an experiment and its traffic, a cycle at a time.

        with sare.Simulation(e) as s:
            s.step(1000)
            print(s.queues.sum())

    There is no directory of results: ``sare.run`` has that. A process has one Simulation at a
    time, as SystemC does; when it is closed another one may be made. It runs in one thread, whatever ``threads`` says.
    An experiment without ``traffic`` carries what ``send`` sends and no more.

    Arrays are read-only views, the same memory every time; they are brought up to date at the end of each step once they have
    been looked at. Ports that a router does not have are zeros.
    """

    def __init__(self, e: AnyExperiment, *, failures: bool = False) -> None:
        """``failures``: fail_link and fail_router may be called; routers are the readable ones then, which are slower."""
        experiment = given(e)
        self._runs_in: Optional[int] = None  # the thread that steps
        self._net: Optional[_native.Network] = None
        self._net = _native.Network(experiment._for_here(), experiment._folder, failures)

    @property
    def _open(self) -> _native.Network:
        if self._net is None:
            raise Error("this Simulation is closed; make another one")
        if self._runs_in is not None and self._runs_in != threading.get_ident():
            raise Error("another thread steps this Simulation; wait until it has")
        return self._net

    @contextmanager
    def _running(self) -> Iterator[_native.Network]:
        """The network, which this thread runs until the end of the block."""
        net = self._open
        if self._runs_in is not None:
            raise Error("a callback cannot step the Simulation that calls it")
        self._runs_in = threading.get_ident()
        try:
            yield net
        finally:
            self._runs_in = None

    def _run_until(self, cycle: int) -> None:
        with self._running() as net:
            net.run_until(cycle)

    def close(self) -> None:
        """Ends it. Arrays that were taken from it stay as they are."""
        if self._runs_in is not None:
            raise Error("a Simulation cannot be closed while it is stepped")
        self._net = None

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], problem: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    @asked
    def run_until(self, cycle: int) -> None:
        """Runs all cycles before ``cycle``. Ctrl-C stops in between; it can go on from there."""
        self._run_until(cycle)

    @asked
    def step(self, cycles: int = 1) -> None:
        """Runs so many cycles."""
        self._run_until(self._open.cycle + cycles)

    @asked
    def drain(self, most: int = 1_000_000) -> bool:
        """Runs until nothing is in the network or in a source queue; False after ``most`` cycles."""
        end = self.cycle + most
        while not self._open.empty and self.cycle < end:
            self.step(min(64, end - self.cycle))
        return self._open.empty

    @asked
    def measure(self, **keys: Any) -> Measured:
        """Measures from here on, while callbacks are called: warm-up and batches, or to the end of traffic that ends.

        The method is that of the section ``measurement``; ``keys`` are keys of it, such as ``warmup=1000, batch=500``. What
        ``send`` sends is in the injected and accepted load, and in the offered one where the experiment has no traffic.
        """
        with self._running() as net:
            return Measured(net.measure(keys))

    @property
    def cycle(self) -> int:
        """The next cycle to run."""
        return self._open.cycle

    @property
    def finished(self) -> bool:
        """The traffic sends nothing more, and the network is empty: for workloads that end."""
        return self._open.finished and self._open.empty

    @property
    def ports(self) -> List[int]:
        """Ports of each router."""
        return self._open.ports

    @property
    def queues(self) -> "numpy.ndarray[Any, Any]":
        """Flits in input VCs [router, port, VC], uint16."""
        return self._open.queues()

    @property
    def credits(self) -> "numpy.ndarray[Any, Any]":
        """Credits of output VCs [router, port, VC], uint16: free places known in the buffer beyond."""
        return self._open.credits()

    @property
    def sent(self) -> "numpy.ndarray[Any, Any]":
        """Flits that have left by output VCs [router, port, VC], uint32, modulo 2**32."""
        return self._open.sent()

    @property
    def waiting(self) -> "numpy.ndarray[Any, Any]":
        """Messages in source queues [node], uint32; a saturated source keeps 16 there, and counts the others."""
        return self._open.waiting()

    @property
    def injected(self) -> "numpy.ndarray[Any, Any]":
        """Flits that nodes have injected [node], uint64."""
        return self._open.injected()

    @property
    def consumed(self) -> "numpy.ndarray[Any, Any]":
        """Flits that nodes have consumed [node], uint64."""
        return self._open.consumed()

    @property
    def stalls(self) -> "numpy.ndarray[Any, Any]":
        """Cycles that flits have waited in input ports [router, port], uint64, since this was first asked for.

        Counting looks at every router in every cycle: it costs twelve times the simulation itself.
        """
        return self._open.stalls()

    @asked
    def router(self, number: int) -> Router:
        """A router, to look into: ``print(s.router(12))``, ``s.router(12).vcs``, ``.flits``, ``.arbiters``."""
        routers = len(self.ports)
        if number >= routers:
            raise Error(f"there is no router {number}; there are 0 to {routers - 1}")
        return Router(lambda: self._open, number)

    @asked
    def trace(self) -> None:
        """Keeps the events of all packets from the next cycle on, in memory, for ``packet``. Call it before the first step:
        packets that are under way are then not known as a whole."""
        self._open.trace()

    @property
    def packets(self) -> List[int]:
        """Numbers, in order of injection, of the packets seen since ``trace``."""
        return self._open.packets()

    @asked
    def packet(self, number: int) -> Packet:
        """A packet that has arrived: ``print(s.packet(4711))``, ``s.packet(4711).journey()``. See ``trace``."""
        return Packet(lambda: self._open, number)

    @property
    def counts(self) -> Dict[str, int]:
        """Since the start: generated, injected and consumed messages, packets and flits, dropped packets, flit-hops."""
        return self._open.counts()

    @asked
    def send(self, source: int, destination: int, flits: int = 1, *, message_class: int = 0, tag: int = 0) -> None:
        """Sends a message in the next cycle. ``tag``, below 2**63, comes back with the delivery."""
        self._open.send(source, destination, flits, message_class, tag)

    @asked
    def on_delivery(self, callback: Optional[Callable[[Delivery], object]]) -> None:
        """Calls ``callback`` for each message that arrives, in the cycle in which it does; None: no more.

        What it raises comes out of ``step`` or ``run_until``, and ends the Simulation. ``deliveries`` is much faster.
        """
        self._open.on_delivery(callback)

    @asked
    def keep_deliveries(self, keep: bool = True) -> None:
        """From now on ``deliveries`` has what arrives."""
        self._open.keep_deliveries(keep)

    def deliveries(self) -> "numpy.ndarray[Any, Any]":
        """Messages that have arrived since the last call, in order: a structured array with the fields tag, generated,
        injected, consumed [cycles], source, destination [nodes], flits, message_class."""
        return self._open.deliveries()

    @asked
    def set_load(self, load: float) -> None:
        """The load from the next cycle on [flits/node/cycle]; what waits in sources is still sent."""
        self._open.set_load(load)

    @asked
    def fail_link(self, a: int, b: int) -> None:
        """All links between two routers fail for good, both ways, from the next cycle on."""
        self._open.fail_between(a, b)

    @asked
    def fail_router(self, router: int) -> None:
        """A router fails with all its links; its nodes are cut off."""
        self._open.fail_router(router)

    def reset(self) -> None:
        """Empties routers, links and source queues in the next cycle; the traffic goes on, and counts stay."""
        self._open.reset()
