# SPDX-License-Identifier: Apache-2.0
"""Looking into the routers of a Simulation."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, List

from . import _native
from .errors import need

if TYPE_CHECKING:
    import pandas


def frame(columns: Dict[str, List[Any]]) -> "pandas.DataFrame":
    """A table of columns, without rows if there are none."""
    table: "pandas.DataFrame" = need("pandas").DataFrame(columns)
    return table.convert_dtypes()  # whole numbers beside missing ones stay whole


class Router:
    """A router of a Simulation, as it is after the last cycle that was run: each table is read anew when it is asked for.

        print(s.router(12))
        s.router(12).vcs.query("state == 'bids'")
    """

    def __init__(self, net: Callable[[], _native.Network], number: int) -> None:
        self._net = net
        self.number = number

    def __repr__(self) -> str:
        return self._net().router_text(self.number).rstrip("\n")

    @property
    def vcs(self) -> "pandas.DataFrame":
        """A row for each VC of each port: flits in the input VC, the state of the packet at its front (idle, route, bids,
        active), where it comes from and goes to and which output VC it has; credits, owner and flits sent of the output VC."""
        return frame(self._net().router_vcs(self.number))

    @property
    def flits(self) -> "pandas.DataFrame":
        """A row for each flit in a buffer: port and VC, its place from the front (0), its packet, and which flit it is."""
        return frame(self._net().router_flits(self.number))

    @property
    def arbiters(self) -> "pandas.DataFrame":
        """A row for each arbiter: how many may ask, who was served last, and who comes first in turn; none where another rule
        than turns decides, or the router has decided ahead of time. Empty for kinds of routers that show none."""
        return frame(self._net().router_arbiters(self.number))


class Packet:
    """A packet of a Simulation that has arrived, traced from ``trace()`` on.

        print(s.packet(4711))
        s.packet(4711).journey().groupby("what").cycles.sum()
    """

    def __init__(self, net: Callable[[], _native.Network], number: int) -> None:
        self._net = net
        self.number = number
        self.facts = net().packet_facts(number)  # source, destination, flits, message_class; cycles of its life

    @property
    def latency(self) -> int:
        """Cycles from its generation to its consumption."""
        return self.facts["consumed"] - self.facts["generated"]

    def __repr__(self) -> str:
        f = self.facts
        return (f"packet {self.number}: node {f['source']} to {f['destination']}, {f['flits']} flits, "
                f"{self.latency} cycles, of which {f['waited']} waiting")

    def journey(self) -> "pandas.DataFrame":
        """A row for each span of its time: cycles ``from`` <= c < ``to``, what it did or why it waited, the router, and whom it
        waited for (``blocker``: packet, node or sleep, with its number). The cycles add up to the latency."""
        return frame(self._net().packet_journey(self.number))
