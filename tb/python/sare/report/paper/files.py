# SPDX-License-Identifier: Apache-2.0
"""Figures as files: PDF, SVG, PNG, or PGF for LaTeX to typeset."""
import io
import shutil

import matplotlib

from ..read import Problem

FORMATS = ("pdf", "svg", "png", "pgf")
LATEX = ("pdflatex", "xelatex", "lualatex")


def form_of(file):
    """By the ending of its name."""
    form = file.suffix.lower().removeprefix(".")
    if form not in FORMATS:
        raise Problem(f"{file}: the name of a figure ends in .pdf, .svg, .png or .pgf, which says what it is to be")
    return form


def check(form):
    """PGF needs LaTeX, which measures its texts."""
    if form == "pgf" and not any(map(shutil.which, LATEX)):
        raise Problem("a figure in .pgf needs LaTeX, which is not here; install texlive-latex-recommended and texlive-pictures, or write .pdf")


def data(figure, form):
    """The bytes of a file of that form, the same each time; within rc_context(style.settings())."""
    made = io.BytesIO()
    if form == "pgf":
        system = next(name for name in LATEX if shutil.which(name))
        with matplotlib.rc_context({"pgf.texsystem": system}):
            return _saved(figure, form, made, {})
    return _saved(figure, form, made, {"metadata": {"pdf": {"CreationDate": None}, "svg": {"Date": None}}.get(form)})


def _saved(figure, form, made, options):
    try:
        figure.savefig(made, format=form, **options)
    except RuntimeError as problem:  # LaTeX that has failed
        raise Problem(f"LaTeX has failed: {str(problem).splitlines()[0]}") from None
    return made.getvalue()
