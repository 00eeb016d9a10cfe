# SPDX-License-Identifier: Apache-2.0
"""Links and routers that failed in a run, and how a map marks them."""
from dataclasses import dataclass

import numpy as np

from .digits import number
from .read import Problem

MARK = 0.09  # of the spacing of routers: half of a cross on a link


@dataclass
class Failed:
    links: np.ndarray    # by channel
    routers: np.ndarray  # by router
    first: int = 0       # cycle

    def __bool__(self):
        return bool(self.links.any() or self.routers.any())

    def text(self):
        """A sentence for the caption; a link that led both ways counts once a direction."""
        return f" Crosses: {_counted(np.count_nonzero(self.links), np.count_nonzero(self.routers))} failed, from cycle {number(self.first)} on."


def _counted(links, routers):
    counts = [(links, "direction of a link", "directions of links"), (routers, "router", "routers")]
    return " and ".join(f"{number(count)} {one if count == 1 else several}" for count, one, several in counts if count)


@dataclass
class Happened:
    cycles: list  # in which something failed
    what: str     # how many links and routers


def happened(result):
    """What failed while the run lasted; None where nothing did."""
    events = [event for event in result.summary.get("failures") or [] if event.get("at", np.inf) < result.get("cycles", np.inf)]
    routers = sum(len(event.get("routers") or []) for event in events)
    links = sum(len(event.get("ports") or []) for event in events)
    return Happened(sorted({int(e["at"]) for e in events}), _counted(links, routers)) if events else None


def of(result, table, rows, routers):
    """`rows`: the channels of the map, in table links."""
    ports, dead, first = set(), np.zeros(routers, bool), []
    file = result.directory / "summary.json"
    try:
        for event in result.summary.get("failures") or []:
            if event["at"] >= result.get("cycles", np.inf):
                continue
            first.append(int(event["at"]))
            ports.update((int(at), int(port)) for at, port in event["ports"])
            dead[np.array(event["routers"], int)] = True
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        raise Problem(f"{file}: 'failures' is not a list of events, each with 'at', 'ports' and 'routers'") from None
    if "from_port" not in table:
        ports = set()
    ends = zip(table["from"][rows].astype(int), table["from_port"][rows].astype(int)) if ports else ()
    links = np.array([end in ports for end in ends], bool) if ports else np.zeros(np.count_nonzero(rows), bool)
    return Failed(links, dead, min(first, default=0))


def cross(ax, at, size, colours, width=1.2, zorder=5):
    """Crosses at the points, each with arms of `size`."""
    for x, y in at:
        for way in (1, -1):
            ax.plot([x - size, x + size], [y - way * size, y + way * size], color=colours["ink"], linewidth=width,
                    zorder=zorder, solid_capstyle="round")
