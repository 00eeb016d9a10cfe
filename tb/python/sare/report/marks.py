# SPDX-License-Identifier: Apache-2.0
"""What of a plot can be pointed at, and what is said of it then: points of curves, bars, links, routers."""
import json
from dataclasses import dataclass, field

import numpy as np

from .digits import number

REACH = 12  # 1/72 inch: how far from a point one still points at it


@dataclass
class Marks:
    """Points of axes, each with a name, the values of all columns, and a page that it leads to, if any."""
    ax: object
    x: np.ndarray
    y: np.ndarray
    columns: dict            # by what is said before the value ("load (flits/cycle)"): values, numbers or texts
    names: list | str = ""   # of each point, or of all
    reach: float = REACH
    shapes: list = field(default_factory=list)  # drawn by heat(): of each in order of drawing, which point it is
    gid: str = ""            # of these
    pages: list = field(default_factory=list)
    curve: int | None = None  # that lights up with them (key.py)
    bar: float = 0            # they are bars, so wide: x is the middle of one, y its top

    def rows(self):
        columns = [[number(_plain(v)) for v in values] for values in self.columns.values()]
        names = [self.names] * len(self.x) if isinstance(self.names, str) else self.names
        return zip(names, *columns)


def with_unit(label):
    """Of an axis' label, "load, flits/cycle", a column: "load (flits/cycle)"."""
    name, _, unit = label.partition(", ")
    return f"{name} ({unit})" if unit else name


def _plain(value):
    return value.item() if isinstance(value, np.generic) else value


def data(plot):
    """For the page's script: points in units of the SVG that has been made of the figure; None where there are none."""
    groups = []
    for marks in plot.marks:
        scale = 72 / plot.figure.dpi
        at = marks.ax.transData.transform(np.column_stack([marks.x, marks.y])) * scale if len(marks.x) else np.zeros((0, 2))
        high = plot.figure.get_figheight() * 72
        shown = np.isfinite(at).all(1) & (_inside(marks, at) if not len(marks.shapes) else True)
        group = {"columns": list(marks.columns), "reach": round(float(marks.reach), 1), "points": [
            [round(float(x), 1), round(float(high - y), 1), *row] for (x, y), row, seen in zip(at, marks.rows(), shown) if seen]}
        if len(marks.shapes):
            group |= {"shapes": [int(i) for i in marks.shapes], "drawn": marks.gid}
        if marks.curve is not None:
            group["curve"] = str(marks.curve)
        if marks.bar:
            (left, floor), (right, _) = marks.ax.transData.transform([(0, 0), (marks.bar, 0)]) * scale
            group |= {"half": round((right - left) / 2, 1), "floor": round(high - floor, 1)}
        if len(marks.pages):
            group["pages"] = [page for page, seen in zip(marks.pages, shown) if seen]
        groups.append(group)
    return {"groups": groups, **({"series": plot.series} if plot.series else {})} if groups else None


def _inside(marks, at):
    """Which points are where the axes show them; bars begin at 0, which they do."""
    box = marks.ax.get_window_extent()
    scale, near = 72 / marks.ax.figure.dpi, 3
    x, y = at.T
    seen = (x > box.x0 * scale - near) & (x < box.x1 * scale + near)
    return seen if marks.bar else seen & (y > box.y0 * scale - near) & (y < box.y1 * scale + near)


def as_json(value):
    """JSON that may stand in a <script>."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
