#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Looks for names in what headers and pages say of the library that nothing in it has: functions (`run()`, `fabric::send()`),
`sare::` names, and, in code that a header's comment shows, what is called of an object whose type the code says.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("tlm", "traffic", "cosim", "tb", "tests", "rtl", "scripts")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
NAMED = re.compile(r"\b(?:\w+::)*(\w+)\(\)|\bsare::(?:\w+::)*(\w+)")
OBJECT = re.compile(r"\bsare::(?:\w+::)*(\w+) (\w+)[;({]")
CALL = re.compile(r"\b(\w+)\.(\w+)\(")


class Code:
    """The names that code has, comments left out: of all files, and of the header that declares a type."""

    def __init__(self):
        self.names, self.declares = set(), {}
        for file in (f for room in ROOMS for f in (ROOT / room).rglob("*")):
            if file.suffix not in (".h", ".cpp", ".c", ".sv", ".py") or file == Path(__file__).resolve():
                continue
            text = file.read_text(errors="replace")
            words = set(re.findall(r"\w+", text if file.suffix == ".py" else COMMENT.sub(" ", text)))
            self.names |= words
            if file.suffix == ".h":
                for name in re.findall(r"\b(?:class|struct) (\w+)[^;{()]*\{", text):
                    self.declares.setdefault(name, set()).update(words)

    def unknown(self, lines):
        """Line and name, where the lines of a comment, or of a page's code, name what is not there."""
        types = {}
        for at, line in lines:
            for word in dict.fromkeys(m[1] or m[2] for m in NAMED.finditer(line)):
                if word not in self.names:
                    yield at, word
            if not re.match(r" {4,}\S", line):
                continue
            types.update((variable, kind) for kind, variable in OBJECT.findall(line))
            for variable, function in CALL.findall(line):
                kind = types.get(variable)
                if kind in self.declares and function not in self.declares[kind]:
                    yield at, f"{kind}::{function}"


def comments(text):
    """Line number and text of each comment of a header."""
    for at, line in enumerate(text.splitlines(), 1):
        if found := re.search(r"(?:^|\s)//[/<!]*(.*)", line):
            yield at, found[1]


def inline_code(text):
    return [(at, code) for at, line in enumerate(text.splitlines(), 1) for code in re.findall(r"`([^`]+)`", line)]


def main():
    code = Code()
    # It finds what is not there, and passes over what is.
    shown = ["See fabric::no_such_call() and fabric::step().", "    sare::packet_event_file f;", "    f.write(x);", "    f.write_csv(x);",
             "    sare::no_such_type y;"]
    assert list(code.unknown(enumerate(shown))) == [(0, "no_such_call"), (2, "packet_event_file::write"), (4, "no_such_type")]
    found = []
    for file in sorted(f for room in ("tlm", "traffic", "cosim") for f in (ROOT / room).rglob("*.h")):
        found += [(file, *one) for one in code.unknown(comments(file.read_text()))]
    for page in sorted((ROOT / "docs").rglob("*.md")):
        found += [(page, *one) for one in code.unknown(inline_code(page.read_text()))]
    for file, at, name in found:
        print(f"{file.relative_to(ROOT)}:{at}: nothing is called '{name}'")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
