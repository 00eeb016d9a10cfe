# SPDX-License-Identifier: Apache-2.0
"""Curves as a table of LaTeX: a row for each x, a column for each curve."""
import re

import numpy as np

from ..digits import number, with_error

SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "²": r"\textsuperscript{2}",
           **{c: "\\" + c for c in "&%$#_{}"}}


def escaped(text):
    return re.sub("|".join(map(re.escape, SPECIAL)), lambda found: SPECIAL[found[0]], str(text))


def cell(value, error, steady):
    """With its error, and a star where it depends on the length of the run."""
    text = with_error(float(value), float(error)).replace("\u202f", r"\,")
    text = re.sub(r"e([-+])0*(\d+)", lambda found: rf" \times 10^{{{'-' * (found[1] == '-')}{found[2]}}}", text).replace("±", r"\pm")
    return f"${text}$" + ("" if steady else r"\textsuperscript{*}")


def latex(found, x_label=None, y_label=None):
    names = [curve.name for curve in found.curves]
    xs = list(dict.fromkeys(x for curve in found.curves for x in curve.x))
    if not found.is_categorical:
        xs.sort()
    by_x = [dict(zip(curve.x, range(len(curve.x)))) for curve in found.curves]
    rows = [[escaped(number(x).replace("\u202f", "") if isinstance(x, float) else x)]
            + [cell(c.y[at[x]], c.error[at[x]], c.steady[at[x]]) if x in at else "--" for c, at in zip(found.curves, by_x)] for x in xs]
    head = [escaped(x_label or found.x_label), *(escaped(name or y_label or found.y_label) for name in names)]
    above = rf" & \multicolumn{{{len(names)}}}{{c}}{{{escaped(y_label or found.y_label)}}} \\" if any(names) else None
    starred = not all(np.all(curve.steady) for curve in found.curves)
    lines = ["% needs \\usepackage{booktabs}", rf"\begin{{tabular}}{{l{'r' * len(names)}}}", r"\toprule",
             *([above] if above else []), " & ".join(head) + r" \\", r"\midrule", *(" & ".join(row) + r" \\" for row in rows), r"\bottomrule"]
    if starred:
        lines.append(rf"\multicolumn{{{len(names) + 1}}}{{l}}{{\textsuperscript{{*}} saturated: depends on the length of the run}} \\")
    return "\n".join([*lines, r"\end{tabular}"]) + "\n"
