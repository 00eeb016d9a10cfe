# SPDX-License-Identifier: Apache-2.0
"""Figures for papers: what the command ``sare plot`` draws, as axes of matplotlib."""
from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

from .asked import asked
from .errors import Error, need
from .results import Directory, Exploration, Place

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Source = Union[Directory, Place]


def front_text(found: Exploration) -> str:
    """The designs on the front, with each objective in as many digits as its noise leaves."""
    need("numpy")
    from .report.digits import with_error
    shown = found.front.drop(columns=["front", "verdict", "status", "reason"])
    if shown.empty:
        reasons = found.frame["reason"].value_counts()
        return f"none of the {len(found.frame)} designs may be chosen: " + "; ".join(f"{reason} ({count})" for reason, count in reasons.items())
    for name in [name for name in shown.columns if f"{name}_ci95" in shown.columns]:
        shown[name] = [with_error(value, width) for value, width in zip(shown[name].astype(float), shown.pop(f"{name}_ci95").astype(float))]
    return str(shown.to_string(index=False))


@asked
def plot(sources: Union[Source, Sequence[Source]], *, x: Optional[str] = None, y: Optional[str] = None,
         group: Union[None, str, Sequence[str]] = None, where: Optional[Mapping[str, Any]] = None,
         labels: Optional[Sequence[str]] = None, x_label: Optional[str] = None, y_label: Optional[str] = None,
         y_max: Optional[float] = None, style: str = "plain", width: Union[None, str, float] = None,
         height: Union[None, str, float] = None, ax: Optional["Axes"] = None, out: Optional[Place] = None) -> "Axes":
    """Draws sweeps, or searches for saturation, in one figure, and returns its axes.

    sources : directories, or what ``sare.sweep`` and ``sare.saturate`` return
    x, y : columns of their tables; by default the load, or the first axis that is a number, and latency_mean
    group : axes; a curve for each combination of their values. By default all axes that vary, but for x
    where : only the points with these values, by axis
    labels : what the curves of each source are called
    style : ieee, acm, slides or plain: fonts, sizes and the width of a column
    width, height : such as "3.3in" or "84mm"; numbers are inches
    ax : draw into these axes, whose figure stays as it is
    out : also write the figure to a file: .pdf, .svg, .png or .pgf
    """
    matplotlib = need("matplotlib")
    from .report import output, paper, read
    given = [sources] if isinstance(sources, (str, Path, Directory)) else list(sources)
    names = [group] if isinstance(group, str) else None if group is None else list(group)
    style_of = paper.style
    try:
        form = paper.files.form_of(Path(out)) if out is not None else None
        if form:
            paper.files.check(form)
        found = paper.read([s.path if isinstance(s, Directory) else Path(s) for s in given], x, y, names, where, labels)
        look = style_of.named(style)
        wide = look.width if width is None else style_of.length(width, "width")
        high = None if height is None else style_of.length(height, "height")
        with matplotlib.rc_context(style_of.settings(look)):
            drawn = ax
            if drawn is None:
                pyplot = need("matplotlib.pyplot")
                drawn = pyplot.figure(figsize=(wide, high or wide * paper.figure.GOLDEN), constrained_layout=True).subplots()
            paper.figure.draw(drawn, found, x_label=x_label, y_label=y_label, y_max=y_max)
            paper.figure.add_legend(drawn, keep_height=high is not None or ax is not None)
            if out is not None:
                output.replace(Path(out), paper.files.data(drawn.figure, form))
    except read.Problem as problem:
        raise Error(str(problem)) from None
    except OSError as problem:
        raise Error(f"{problem.filename or out}: {problem.strerror or problem}") from None
    return drawn
