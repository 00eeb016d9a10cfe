#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Finds each name of docs/code-tour.md and docs/glossary.md in the file that its link names: [`vc_step::run`](../tlm/...).

A name is what the file declares or defines: a class, a function, a member of a class, a module or parameter of the RTL. A file
that only calls it is the wrong one. A page has at most 2,500 words, a link counted as what one reads of it.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = {"code-tour.md": 60, "glossary.md": 60}  # and the fewest names that each must have
MOST_WORDS = 2500
LINK = re.compile(r"\[`([^`]+)`\]\(([^)#\s]+)\)")
PASSED_OVER = re.compile(r"//[^\n]*|/\*.*?\*/|__attribute__\(\(.*?\)\)", re.S)  # comments and attributes
TYPE = r"\b(?:class|struct|union|enum|enum class|module|using)\s+(?:alignas\(\w+\)\s+)?(?:\w+::)*"


def has_type(code, name):
    """It defines the type: a declaration that ends with ';' says nothing of it."""
    return re.search(TYPE + rf"{name}\b(?!\s*;)", code) is not None


def has_function(code, name):
    """A declaration or definition: before the name is a type, and no assignment, call or return."""
    return re.search(rf"^(?!\s*(?:return|throw|else|case)\b)[^\n=.;()?]*[\w>&*\]]\s*[\s&*]{name}\(", code, re.M) is not None


def has_member(code, owner, name):
    """Defined as owner::name, or within the owner that this file defines."""
    if re.search(rf"\b{owner}(?:<[^<>]*>)?::{name}\b\s*(?:\(|\[|=)", code):
        return True
    start = re.search(TYPE + rf"{owner}\b(?!\s*;)", code)
    if start is None:
        return False
    body = body_of(code, start.end())
    data = re.search(rf"[\w>&*\]]\s+[&*]*{name}\s*[;,={{:\[]|,\s*{name}\s*[;,=}}]|^\s*{name},?\s*$", body, re.M)
    return bool(data) or has_type(body, name) or has_function(body, name)


def body_of(code, at):
    """What stands between the braces that open next."""
    begin = code.find("{", at)
    depth = 0
    for end in range(max(begin, 0), len(code)):
        depth += {"{": 1, "}": -1}.get(code[end], 0)
        if depth == 0:
            return code[begin:end]
    return code[at:]


def has(code, name):
    *owner, last = re.sub(r"\(\)$", "", name).split("::")
    if owner:
        return has_member(code, owner[-1], last)
    parameter = re.search(rf"^\s*parameter\b[^\n=]*\b{last}\b|^package {last};", code, re.M)
    return bool(parameter) or has_type(code, last) or has_function(code, last)


def mistakes(page, text):
    """Line and sentence of each."""
    for at, line in enumerate(text.splitlines(), 1):
        for name, target in LINK.findall(line):
            file = page.parent / target
            if not file.is_file():
                yield at, f"there is no {target}"
            elif file.suffix in (".h", ".cpp", ".sv") and not has(PASSED_OVER.sub(" ", file.read_text()), name):
                yield at, f"{target} does not define {name}: say where it is now, or take it out"


def words(text):
    return len(re.sub(r"\]\([^)]*\)", "]", text).split())


def try_itself():
    """It finds what a file defines, and nothing that it only calls or speaks of."""
    code = PASSED_OVER.sub(" ", "class one;\nstruct two {\n  int member;\n  void run() { other(); }\n};\nvoid two::far() { return away(); }\n"
                       "static bool free_one(int a);\n  x = called(1);\n// class spoken {}\n  parameter int unsigned Ports = 5,\n")
    there = ("two", "two::member", "two::run", "two::far()", "free_one", "Ports")
    gone = ("one", "one::member", "two::other", "two::free_one", "called", "away", "spoken", "two::spoken", "Vcs")
    assert all(has(code, name) for name in there) and not any(has(code, name) for name in gone)


def main():
    try_itself()
    wrong = []
    for name, fewest in PAGES.items():
        page = ROOT / "docs" / name
        text = page.read_text()
        wrong += [f"docs/{name}:{at}: {what}" for at, what in mistakes(page, text)]
        if (found := len(LINK.findall(text))) < fewest:
            wrong.append(f"docs/{name}: only {found} names, fewer than {fewest}: are its links still [`name`](file)?")
        if words(text) > MOST_WORDS:
            wrong.append(f"docs/{name}: {words(text)} words, more than {MOST_WORDS}")
        print(f"docs/{name}: {found} names, {words(text)} words")
    for what in wrong:
        print(what)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
