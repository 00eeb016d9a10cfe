# SPDX-License-Identifier: Apache-2.0
"""The colours of page and plots, light and dark, and plots as SVG that follows the page's colours.

A plot is drawn in stand-in colours, one per name; in its SVG each becomes var(--name), which the page's style
sheet sets for light, dark and print.
"""
import io
import re

import numpy as np
from matplotlib.colors import to_hex, to_rgb

HEAT = 20  # steps of the scale for loads
SERIES = [f"c{i}" for i in range(8)]
# Colours that meet in a plot, where they alone say what is what. Any two of a line differ by 15 and more (CIEDE2000), for
# protanopes, deuteranopes and tritanopes as well: a test computes it. Of the scale these are its quarters, and it gets
# darker, or lighter, all the way; verdicts (good, warn, bad) are said in words, too.
TOGETHER = {"states of tasks": [f"s{i}" for i in range(6)] + ["line", "surface"],
            "curves, causes, groups": SERIES + ["muted", "line", "surface"],
            "scale of loads and stalls": ["heat0", "heat5", "heat10", "heat15", "heat19"]}


def _ramp(stops):
    """HEAT colours through the stops."""
    at = np.linspace(0, len(stops) - 1, HEAT)
    channels = np.array([to_rgb(stop) for stop in stops]).T
    return {f"heat{i}": to_hex([np.interp(x, range(len(stops)), channel) for channel in channels])
            for i, x in enumerate(at)}


LIGHT = {
    "surface": "#ffffff", "page": "#f5f6f8", "ink": "#1b2330", "muted": "#5b6677", "line": "#dde1e8",
    "shade": "#eef2f8", "good": "#17723f", "warn": "#9a5b00", "bad": "#b3202c",
    "c0": "#385cff", "c1": "#bc5b22", "c2": "#278c6d", "c3": "#5e3690", "c4": "#d39e00", "c5": "#8a1148",
    "c6": "#83a4dd", "c7": "#523d00",
    "s0": "#409fff", "s1": "#ffbf00", "s2": "#20009f", "s3": "#df0000", "s4": "#600020", "s5": "#808080",
    **_ramp(["#dfe3e6", "#f7d07c", "#ea7a34", "#bd2238", "#560d38"]),
}
DARK = {
    "surface": "#1a1f27", "page": "#12161c", "ink": "#e8ecf2", "muted": "#9ba6b5", "line": "#323a46",
    "shade": "#232a35", "good": "#5fd08f", "warn": "#f0b450", "bad": "#ff7b7f",
    "c0": "#60a3ff", "c1": "#ffd57e", "c2": "#84eecc", "c3": "#d2e2fe", "c4": "#bc9905", "c5": "#e95b7e",
    "c6": "#236ed5", "c7": "#99670d",
    "s0": "#209f80", "s1": "#dfdf00", "s2": "#8020df", "s3": "#9f4000", "s4": "#ff80ff", "s5": "#9fffdf",
    **_ramp(["#39414d", "#865c8b", "#d06b5e", "#ffb45d", "#f3f2da"]),
}
STAND_IN = {name: f"#fe01{i:02x}" for i, name in enumerate(LIGHT)}
_NAME = {colour: name for name, colour in STAND_IN.items()}


def css(colours):
    """The colours as CSS declarations."""
    return "".join(f"--{name}:{colour};" for name, colour in colours.items())


def style(colours):
    """matplotlib settings for plots in these colours."""
    return {
        "svg.fonttype": "none", "pdf.fonttype": 42, "svg.hashsalt": "sare", "font.size": 9, "axes.titlesize": 9, "legend.fontsize": 9,
        "axes.labelsize": 9, "xtick.labelsize": 8.5, "ytick.labelsize": 8.5,
        "text.color": colours["ink"], "axes.labelcolor": colours["muted"], "axes.edgecolor": colours["line"],
        "xtick.color": colours["line"], "ytick.color": colours["line"], "xtick.labelcolor": colours["muted"],
        "ytick.labelcolor": colours["muted"], "axes.facecolor": "none", "figure.facecolor": "none",
        "axes.grid": True, "grid.color": colours["line"], "grid.linewidth": 0.6, "axes.axisbelow": True,
        "axes.spines.top": False, "axes.spines.right": False, "axes.spines.left": False,
        "xtick.major.size": 0, "ytick.major.size": 0, "xtick.minor.size": 0, "ytick.minor.size": 0,
        "axes.formatter.limits": (-4, 6), "axes.formatter.useoffset": False, "axes.formatter.use_mathtext": False,
        "legend.frameon": False, "lines.linewidth": 1.6, "lines.markersize": 4.5,
        "figure.constrained_layout.use": True,
    }


def svg(figure, title, label):
    """The figure, drawn in STAND_IN, as an <svg> element for the page."""
    text = io.StringIO()
    figure.savefig(text, format="svg")
    text = text.getvalue()
    text = text[text.index("<svg"):]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r'<g id="curve-(\d+)">', r'<g class="curve" data-curve="\1">', text)  # key.py
    text = re.sub(r'<g id="mark-([^"]*)">', r'<g data-mark="\1">', text)
    text = re.sub(r'<g id="[^"]*">', "<g>", text)  # several plots on one page would repeat them
    text = re.sub(r'(width|height)="[\d.]+pt" ?', "", text, count=2)
    text = re.sub(r'xlink:href="#', 'href="#', text)
    text = re.sub(r' xmlns:xlink="[^"]*"| version="1.1"', "", text, count=2)
    text = re.sub(r'"[^"]*"', lambda m: re.sub(r"(\.\d\d)\d+", r"\1", m[0]), text)  # of coordinates, not of labels
    text = re.sub(r"#fe01[0-9a-f]{2}", lambda m: f"var(--{_NAME[m[0]]})", text)
    text = re.sub(r"<!--.*?-->\s*", "", text, flags=re.S)
    return text.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1).replace(">", f"><title>{title}</title>", 1)


def svg_file(figure, colours):
    """The figure, drawn in these colours, as an SVG file of its own."""
    text = io.StringIO()
    figure.savefig(text, format="svg", facecolor=colours["surface"], metadata={"Date": None})
    return text.getvalue()


def picture_file(figure, form, colours):
    """The figure, drawn in these colours, as the bytes of a file of that form: one of read.PICTURES."""
    if form == "svg":
        return svg_file(figure, colours).encode()
    data = io.BytesIO()
    figure.savefig(data, format=form, dpi=200, facecolor=colours["surface"],
                   metadata={"CreationDate": None} if form == "pdf" else None)
    return data.getvalue()
