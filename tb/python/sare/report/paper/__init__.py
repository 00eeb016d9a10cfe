# SPDX-License-Identifier: Apache-2.0
"""Figures and tables for papers: what scripts/plot and the package for Python have in common."""
import matplotlib

from . import figure, files, style
from .curves import read
from .table import latex


def file(found, form, style_name="plain", width=None, height=None, **labels):
    """The bytes of a file."""
    files.check(form)
    look = style.named(style_name)
    wide = style.length(width, "--width") if width else look.width
    high = style.length(height, "--height") if height else None
    with matplotlib.rc_context(style.settings(look)):
        drawn = figure.figure_of(wide, high)
        ax = figure.draw(drawn.subplots(), found, **labels)
        figure.add_legend(ax, keep_height=high is not None)
        return files.data(drawn, form)
