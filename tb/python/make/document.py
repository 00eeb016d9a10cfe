#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the page of the package's functions and classes from their docstrings: document.py FILE.html, with the package on
PYTHONPATH."""
from __future__ import annotations

import html
import inspect
import re
import sys
import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any, Iterator

sys.path.pop(0)  # beside this file is the package without what is generated
import sare  # noqa: E402
import sare.variants  # noqa: E402

STYLE = """body { font: 15px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222; }
code, pre { font: 13px/1.45 monospace; } pre { background: #f5f5f5; padding: .6em .8em; overflow-x: auto; white-space: pre-wrap; }
h2 { border-bottom: 1px solid #ccc; margin-top: 2em; } h3 { margin: 1.4em 0 .2em; font: bold 14px monospace; }
h4 { margin: .9em 0 0 1.5em; font: 13px monospace; } h4 + p, h4 + pre { margin: .1em 0 .4em 3em; } nav { columns: 3; font-size: 14px; }
table { border-collapse: collapse; } td { padding: .1em .8em .1em 0; vertical-align: top; } @media (prefers-color-scheme: dark) {
body { background: #181818; color: #ddd; } pre { background: #262626; } a { color: #8bf; } }"""


def text_of(thing: Any) -> str:
    text = inspect.getdoc(thing) or ""
    if "\n" not in text:
        return f"<p>{marked(text)}</p>"
    first, rest = text.split("\n", 1)
    return f"<p>{marked(first)}</p><pre>{marked(textwrap.dedent(rest).strip(chr(10)))}</pre>"


def marked(text: str) -> str:
    return re.sub("``(.+?)``", r"<code>\1</code>", html.escape(text))


def signature(thing: Any) -> str:
    try:
        found = str(inspect.signature(thing))
    except (TypeError, ValueError):
        return ""
    return html.escape(found.replace(", **others: 'NoReturn'", "").replace("'", ""))


def members(kind: type) -> Iterator[str]:
    """Methods and properties that the class adds."""
    for name, thing in vars(kind).items():
        if name.startswith("_") and name != "__init__":
            continue
        plain = thing.__func__ if isinstance(thing, classmethod) else thing
        if isinstance(plain, property):
            yield f"<h4>.{name}</h4>{text_of(plain)}"
        elif inspect.isfunction(plain) and (name != "__init__" or plain.__doc__):
            yield f"<h4>.{name}{signature(plain)}</h4>{text_of(plain)}"


def entry(name: str, thing: Any) -> str:
    shown = "" if inspect.isclass(thing) else signature(thing)
    body = "".join(members(thing)) if inspect.isclass(thing) else ""
    for base in thing.__mro__[1:-1] if inspect.isclass(thing) else ():
        if base.__module__.startswith("sare.") and base.__name__ in ("Directory", "ExperimentBase"):
            body += "".join(members(base))
    return f'<h3 id="{name}">sare.{name}{shown}</h3>{text_of(thing)}{body}'


def family(name: str, module: ModuleType) -> str:
    rows = []
    for cls_name, cls in vars(module).items():
        if inspect.isclass(cls) and cls.__module__ == module.__name__ and (inspect.getdoc(cls) or "").count("\n") >= 0:
            sentence = html.escape((inspect.getdoc(cls) or "").split("\n")[0])
            rows.append(f"<tr><td><code>{name}.{cls_name}</code></td><td>{sentence}</td></tr>")
    return f'<h3 id="{name}">sare.{name}</h3><table>{"".join(rows)}</table>'


def page() -> str:
    names = sorted(sare.__all__, key=str.lower)
    modules = [n for n in names if inspect.ismodule(getattr(sare, n))]
    things = [n for n in names if n not in modules]
    links = "".join(f'<a href="#{n}">{n}</a><br>' for n in things + modules)
    more = "".join(entry(f"variants.{n}", getattr(sare.variants, n))
                   for n in ("TrafficPort", "Arrival", "Message", "Random", "RoutedNetwork", "Header", "DomainLoad"))
    return (f"<!doctype html><html lang=en><meta charset=utf-8><title>sare for Python</title><style>{STYLE}</style>"
            f"<h1>sare for Python</h1>{text_of(sare)}<nav>{links}</nav><h2>Functions and classes</h2>"
            f"{''.join(entry(n, getattr(sare, n)) for n in things)}{more}<h2>Sections and their variants</h2>"
            f"<p>help(sare.topologies.Mesh) and so on have the parameters.</p>"
            f"{''.join(family(n, getattr(sare, n)) for n in modules)}</html>\n")


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page())
