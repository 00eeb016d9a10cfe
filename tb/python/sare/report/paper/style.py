# SPDX-License-Identifier: Apache-2.0
"""How a figure looks in a paper: fonts, sizes and the width of a column."""
import re
from dataclasses import dataclass

from matplotlib import font_manager

from ..palette import LIGHT
from ..read import Problem

INCHES = {"in": 1.0, "cm": 1 / 2.54, "mm": 1 / 25.4, "pt": 1 / 72.27}  # pt: of TeX
GOLDEN = 0.62


@dataclass(frozen=True)
class Style:
    width: float   # inches: of a column
    size: float    # points: of the text
    family: str
    fonts: tuple   # the first that is installed; the last comes with matplotlib
    mathtext: str


STYLES = {
    "ieee": Style(3.5, 8, "serif", ("Times New Roman", "Nimbus Roman", "Liberation Serif", "STIXGeneral"), "stix"),
    "acm": Style(3.33, 8, "serif", ("Linux Libertine O", "Libertinus Serif", "STIXGeneral"), "stix"),
    "slides": Style(6.0, 14, "sans-serif", ("DejaVu Sans",), "dejavusans"),
    "plain": Style(4.5, 9, "sans-serif", ("DejaVu Sans",), "dejavusans"),
}


def named(name):
    if name not in STYLES:
        raise Problem(f"no style '{name}'; there are {', '.join(STYLES)}")
    return STYLES[name]


def length(text, what):
    """In inches; a number alone is inches."""
    found = re.fullmatch(r"\s*(\d+\.?\d*|\.\d+)\s*(in|cm|mm|pt)?\s*", str(text))
    inches = float(found[1]) * INCHES[found[2] or "in"] if found else 0
    if not 0.5 <= inches <= 40:
        raise Problem(f"{what} {text}: write a length between 0.5in and 40in, such as 3.3in, 8.4cm, 84mm or 240pt")
    return inches


def settings(style):
    """Of matplotlib. Fonts are embedded as they are (TrueType), which IEEE and ACM ask for; in SVG they are outlines."""
    installed = {font.name for font in font_manager.fontManager.ttflist}
    thin = style.size / 12
    return {
        "pdf.fonttype": 42, "ps.fonttype": 42, "svg.fonttype": "path", "svg.hashsalt": "sare", "savefig.dpi": 600,
        "pgf.rcfonts": False,
        "font.family": [style.family], f"font.{style.family}": [f for f in style.fonts if f in installed], "mathtext.fontset": style.mathtext,
        "font.size": style.size, "axes.titlesize": style.size, "axes.labelsize": style.size, "legend.fontsize": style.size - 1,
        "xtick.labelsize": style.size - 1, "ytick.labelsize": style.size - 1,
        "axes.linewidth": 0.8 * thin, "axes.edgecolor": LIGHT["ink"], "axes.labelcolor": "black", "text.color": "black",
        "xtick.color": LIGHT["ink"], "ytick.color": LIGHT["ink"], "xtick.direction": "in", "ytick.direction": "in",
        "xtick.major.width": 0.8 * thin, "ytick.major.width": 0.8 * thin, "xtick.major.size": 4 * thin, "ytick.major.size": 4 * thin,
        "axes.grid": True, "axes.axisbelow": True, "grid.color": LIGHT["line"], "grid.linewidth": 0.6 * thin,
        "axes.spines.top": False, "axes.spines.right": False, "lines.linewidth": 1.8 * thin, "lines.markersize": 6 * thin,
        "errorbar.capsize": 3 * thin, "hatch.linewidth": 0.6 * thin, "legend.frameon": False, "axes.formatter.useoffset": False,
        "axes.formatter.limits": (-4, 6),
    }
