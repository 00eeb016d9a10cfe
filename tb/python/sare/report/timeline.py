# SPDX-License-Identifier: Apache-2.0
"""What the tasks of a program did at a time: a picture that can be zoomed, drawn by the page itself."""
import base64

import numpy as np

from .digits import number
from .read import Problem

STATES = ["compute", "send", "receive", "blocked", "wait", "collective", "idle"]
COLOURS = {"compute": "s0", "send": "s1", "receive": "s2", "blocked": "s3", "wait": "s4", "collective": "s5", "idle": "line"}
MOST_SPANS = 300_000   # beyond, short ones are put together


def data(result):
    """What the page needs to draw it; None where there is no timeline."""
    table = result.tables.get("timeline")
    if not table:
        return None
    task, begin, end, state = _spans(result.directory, table)
    first, last = int(begin.min()), int(end.max())
    merged = 0
    if len(task) > MOST_SPANS:
        merged = max(1, (last - first) * (task.max() + 1) // MOST_SPANS)
        task, begin, end, state = _coarse(task, begin, end, state, first, merged)
    order = np.lexsort((begin, task))
    rows = np.unique(task)
    return {
        "tasks": rows.tolist(), "first": first, "last": last, "merged": int(merged),
        "states": STATES, "colours": [f"--{COLOURS[s]}" for s in STATES],
        # Of each task, in order of time: how many spans; then where they begin and end, and their states.
        "counts": _packed(np.bincount(np.searchsorted(rows, task), minlength=len(rows)), np.uint32),
        "begins": _packed(begin[order] - first, np.float64), "ends": _packed(end[order] - first, np.float64),
        "kinds": _packed(state[order], np.uint8),
        "marks": _marks(result, first), "path": _path(result, first),
    }


def _packed(values, kind):
    return base64.b64encode(np.asarray(values, kind).astype(np.dtype(kind).newbyteorder("<")).tobytes()).decode()


def _spans(folder, table):
    states = {name: k for k, name in enumerate(STATES)}
    for line, name in enumerate(table["state"], 2):
        if name not in states:
            raise Problem(f"{folder / table.file}:{line}: '{name}' in column 'state' is none of {', '.join(STATES)}")
    numbers = [table[name].astype(np.int64) for name in ("task", "begin", "end")]
    return *numbers, np.array([states[name] for name in table["state"]], np.int64)


def _coarse(task, begin, end, state, first, width):
    """One span for each stretch of `width` cycles of a task, in the state that it was in for longest."""
    bins = -(-(int(end.max()) - first) // width)
    time = np.zeros((len(STATES), (task.max() + 1) * bins))
    a, b = begin - first, end - first
    for s in range(len(STATES)):
        of = state == s
        left, right, row = a[of], b[of], task[of] * bins
        # Whole spans inside one bin, the two ends of longer ones, and what lies between.
        i, j = left // width, (right - 1) // width
        np.add.at(time[s], (row + i), np.minimum(right, (i + 1) * width) - left)
        longer = j > i
        np.add.at(time[s], (row + j)[longer], (right - j * width)[longer])
        filled = np.zeros(time.shape[1] + 1)
        np.add.at(filled, (row + i + 1)[longer], width)
        np.add.at(filled, (row + j)[longer], -width)
        time[s] += np.cumsum(filled)[:-1]
    used = np.flatnonzero(time.sum(axis=0))
    most = time[:, used].argmax(axis=0)
    task, at = used // bins, used % bins
    # Neighbours that are alike are one.
    new = np.ones(len(used), bool)
    new[1:] = (task[1:] != task[:-1]) | (most[1:] != most[:-1]) | (at[1:] != at[:-1] + 1)
    start = np.flatnonzero(new)
    stop = np.append(start[1:], len(used)) - 1
    limit = int(end.max())
    return task[start], first + at[start] * width, np.minimum(first + (at[stop] + 1) * width, limit), most[start]


def _rows(result, name, *columns):
    """The first rows of a table, numbers as whole ones; none where there is no such table."""
    table = result.tables.get(name)
    if not table:
        return []
    cells = [table[c][:MOST_SPANS] for c in columns]
    return zip(*(column if column.dtype == object else column.astype(np.int64).tolist() for column in cells))


def _marks(result, first):
    return [[task, cycle - first, phase] for task, cycle, phase in _rows(result, "marks", "task", "cycle", "phase")]


def _path(result, first):
    """Spans between or in tasks; the parts of a message are one."""
    path = []
    for begin, end, source, destination in _rows(result, "critical_path", "begin", "end", "from", "to"):
        if path and source != destination and path[-1][2:] == [source, destination]:
            path[-1][1] = end - first
        else:
            path.append([begin - first, end - first, source, destination])
    return path


def caption(result, merged):
    path = result.get("workload.critical_path", {})
    text = ("What each task did. Wheel or pinch: zoom; with Shift: tasks only; drag: move; double click: all of it; "
            "Enter, + and -, arrows by keyboard.")
    if merged:
        text += f" Of each {number(merged)} cycles it shows what took longest; all of it is in timeline.csv."
    if path.get("cycles"):
        parts = [(name.replace("_cycles", "").replace("_", " "), value) for name, value in path.items()
                 if name.endswith("_cycles") and value]
        text += (f" The line is the critical path of {number(path['cycles'])} cycles: " + ", ".join(
            f"{name} {number(100 * value / path['cycles'], 3)} %" for name, value in
            sorted(parts, key=lambda part: -part[1])) + ".")
    return text
