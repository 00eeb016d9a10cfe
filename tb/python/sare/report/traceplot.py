# SPDX-License-Identifier: Apache-2.0
"""A trace as a picture: who sends how much to whom, and what is sent along time."""
import json

import matplotlib
import numpy as np
from matplotlib.colors import LinearSegmentedColormap, LogNorm
from matplotlib.figure import Figure

from . import palette
from .digits import number
from .plot import bars

WIDTH, HEIGHT = 6.4, 8.4  # inches
LINES = [("messages", "c0"), ("bytes", "c1"), ("collectives", "c2")]


def draw(file, form, colours=palette.LIGHT):
    """The picture of the JSON that 'sare trace info' has written, as the bytes of a file of that form."""
    with open(file, encoding="utf-8") as text:
        found = json.load(text)
    with matplotlib.rc_context(palette.style(colours)):
        figure = Figure(figsize=(WIDTH, HEIGHT))
        axes = figure.subplots(1 + len(LINES), 1, height_ratios=[5.5, 1, 1, 1])
        figure.suptitle(f"{found['name']}: {number(found['tasks'])} tasks")
        _matrix(figure, axes[0], found, colours)
        _time(axes[1:], found, colours)
        return palette.picture_file(figure, form, colours)


def _matrix(figure, ax, found, colours):
    cells = np.array(found["matrix"], float).reshape(len(found["matrix"]), -1)
    tasks = found["tasks"]
    group = -(-tasks // max(len(cells), 1))
    end = len(cells) * group - 0.5
    ramp = LinearSegmentedColormap.from_list("heat", [colours[f"heat{i}"] for i in range(palette.HEAT)])
    some = cells[cells > 0]
    if some.size:
        top = max(some.max(), 2 * some.min())
        image = ax.imshow(np.ma.masked_equal(cells, 0), cmap=ramp, norm=LogNorm(some.min(), top),
                          extent=(-0.5, end, end, -0.5), interpolation="nearest")
        bar = figure.colorbar(image, ax=ax, shrink=0.8, aspect=30)
        bar.outline.set_visible(False)
        bar.set_label("bytes" if group == 1 else f"bytes, {group} x {group} tasks a cell")
    ax.set(xlim=(-0.5, tasks - 0.5), ylim=(tasks - 0.5, -0.5), xlabel="to task", ylabel="from task", aspect="equal")
    ax.locator_params(integer=True)
    ax.grid(False)


def _time(axes, found, colours):
    slices = np.array(found["slices"], float).reshape(-1, len(LINES))
    width = found["slice_seconds"]
    for column, (ax, (name, colour)) in enumerate(zip(axes, LINES)):
        values = slices[:, column]
        bars(ax, np.arange(len(values)) * width, np.full(len(values), width), values, color=colours[colour])
        ax.set(ylabel=name, xlim=(0, max(len(values), 1) * width), ylim=(0, max(values.max(initial=0), 1) * 1.05))
        ax.tick_params(labelbottom=ax is axes[-1])
    axes[-1].set_xlabel("seconds of a task's computation so far")
