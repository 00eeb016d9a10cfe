#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the classes of an experiment from its JSON Schema (`sare schema`): generate.py SCHEMA FOLDER.

A module per family (topologies.py, workloads.py, ...) with a class per variant; sections.py, whose classes are the
other sections; experiment.py. Programs read the type hints, people the docstrings.
"""
from __future__ import annotations

import json
import keyword
import sys
import textwrap
from pathlib import Path

HEAD = '''# Generated from the schema of the program by tb/python/make/generate.py.
"""{title}"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Literal, Mapping, NoReturn, Sequence, Type, Union
'''


def plural(kind: str) -> str:
    return kind[:-1] + "ies" if kind.endswith("y") else kind + "s"


def class_name(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in name.replace(".", "_").split("_"))


def attribute(key: str) -> str:
    return key + "_" if keyword.iskeyword(key) or key in ("self", "copy", "to_dict") else key


class Module:
    """Text of a module, and which others it needs."""

    def __init__(self, name: str, title: str, families: list) -> None:
        self.name, self.title, self.families = name, title, families
        self.classes: list = []

    def text(self) -> str:
        names = sorted({plural(f) for f in self.families} | {"sections"})
        body = "\n\n\n".join(self.classes)
        lines = [HEAD.format(title=self.title).rstrip(), ""]
        lines.append("from .section import Key, Part, Section, Variant, of, unset")
        if self.name == "experiment":
            lines.append("from .base import ExperimentBase")
        needed = [n for n in names if n != self.name and f"{n}." in body]
        if needed:
            lines += ["", "if TYPE_CHECKING:", "    from . import " + ", ".join(needed)]
        return "\n".join(lines) + "\n\n\n" + body + "\n"


class Generator:
    def __init__(self, schema: dict) -> None:
        self.schema = schema
        self.families = list(schema["$defs"])
        self.modules = {plural(f): Module(plural(f), f"The {plural(f).replace('_', ' ')}.", self.families) for f in self.families}
        self.modules["sections"] = Module("sections", "Sections that choose no variant.", self.families)
        self.modules["experiment"] = Module("experiment", "The experiment.", self.families)

    def run(self) -> dict:
        for family in self.families:
            self.family(family)
        top = dict(self.schema["properties"])
        top.setdefault("plugins", {"type": "array", "items": {"type": "string"},
                                   "description": "Libraries with variants of one's own."})
        self.section("experiment", "Experiment", "ExperimentBase", top,
                     "A network, its traffic, and how it is measured.", "", {"title": "experiment"})
        return {name: module.text() for name, module in self.modules.items()}

    def family(self, family: str) -> None:
        module = plural(family)
        base = class_name(family)
        variants = [v for v in self.schema["$defs"][family]["oneOf"] if "title" in v and v["title"] != "by name"]
        selector = next(k for k, v in variants[0]["properties"].items() if "const" in v)
        usual = next((v["title"] for v in variants if selector not in v.get("required", ())), "")
        what = family.replace("_", " ")
        self.modules[module].classes.append(
            f'class {base}(Variant):\n    """A {what}: one of the classes of this module."""\n\n'
            f"    _family = {family!r}\n    _selector = {selector!r}\n    _default = {usual!r}\n"
            f"    _all: Dict[str, Type[Variant]] = {{}}")
        for v in variants:
            keys = {k: p for k, p in v["properties"].items() if "const" not in p}
            self.section(module, class_name(v["title"]), base, keys, v["description"], class_name(v["title"]),
                         {"title": v["title"], "variant": v["title"]})
        names = ",\n    ".join(f"{v['title']!r}: {class_name(v['title'])}" for v in variants)
        self.modules[module].classes.append(f"{base}._all.update({{\n    {names}}})")

    def section(self, module: str, name: str, base: str, keys: dict, sentence: str, prefix: str, fixed: dict) -> None:
        """Adds a class, after those of the sections inside."""
        lines, arguments, passed, shown = [], [], [], []
        for key, about in keys.items():
            attr = attribute(key)
            kind, taken, part = self.type_of(key, about, module, prefix or ("" if name == "Experiment" else name))
            if part:
                home, _, cls = part.rpartition(".")
                made = f"of({home!r}, {cls!r})" if home else f"lambda: {part}"
                lines.append(f"    {attr}: Part[{part}] = Part({key!r}, {made})")
            else:
                default = f", {about['default']!r}" if "default" in about else ""
                lines.append(f"    {attr}: Key[{kind}] = Key({key!r}{default})")
            arguments.append(f"{attr}: {taken} = unset")
            passed.append(f"{attr}={attr}")
            shown.append(self.described(attr, about))
        doc = textwrap.indent(docstring(sentence, shown), "    ")
        made = [f"class {name}({base}):", doc, ""]
        for k, v in fixed.items():
            made.append(f"    _{k} = {v!r}")
        pairs = ", ".join(f"{k!r}: {attribute(k)!r}" for k in keys)
        made += [f"    _keys = {{{pairs}}}", *lines, ""]
        star = "*, " if arguments else ""
        head = "    def __init__(self, " + star
        joined = (",\n" + " " * 17).join([*arguments, "**others: NoReturn"])
        made.append(f"{head.rstrip()}\n{' ' * 17}{joined}) -> None:" if arguments else f"{head}**others: NoReturn) -> None:")
        given = (",\n" + " " * 25).join([*passed, "**others"])
        made.append(f"        super().__init__({given})")
        self.modules[module].classes.append("\n".join(made))

    def described(self, attr: str, about: dict) -> str:
        text = about.get("description", "")
        if not text.endswith((".", "]")):
            text += "."
        limits = [f"{word} {about[key]:.10g}" for word, key in (("from", "minimum"), ("to", "maximum")) if key in about]
        if about.get("type") in ("integer", "number") and limits:
            text += f" {' '.join(limits).capitalize()}."
        if "default" in about:
            text += f" Default: {json.dumps(about['default'])}."
        return f"{attr} : {text}"

    def type_of(self, key: str, about: dict, module: str, prefix: str) -> tuple:
        """Type of the attribute, of the argument, and the class of a section ("": none)."""
        if "$ref" in about:
            family = about["$ref"].rsplit("/", 1)[1]
            cls = class_name(family) if plural(family) == module else f"{plural(family)}.{class_name(family)}"
            return cls, f"Union[{cls}, str, int, Mapping[str, Any]]", cls
        if about.get("type") == "object" and "properties" in about:
            name = class_name(f"{prefix}_{key}" if prefix else key)
            home = "sections" if module == "experiment" else module
            self.section(home, name, "Section", about["properties"], about.get("description", ""), name, {"title": key})
            cls = name if home == module else f"sections.{name}"
            return cls, f"Union[{cls}, Mapping[str, Any]]", cls
        kind = self.plain(about)
        return kind, kind, ""

    def plain(self, about: dict) -> str:
        kind = about.get("type")
        if "enum" in about:
            return f"Literal[{', '.join(repr(w) for w in about['enum'])}]" if about["enum"] else "str"
        if "anyOf" in about:
            kinds = list(dict.fromkeys(self.plain(a) for a in about["anyOf"]))
            return f"Union[{', '.join(kinds)}]" if len(kinds) > 1 else kinds[0]
        if kind == "array":
            item = about.get("items", {})
            return f"Sequence[{self.plain(item)}]"
        if kind == "object":
            more = about.get("additionalProperties")
            return f"Mapping[str, {self.plain(more)}]" if isinstance(more, dict) else "Mapping[str, Any]"
        simple = {"integer": "int", "number": "float", "boolean": "bool", "string": "str"}
        return simple.get(kind, "Any") if isinstance(kind, str) else "Any"


def docstring(sentence: str, shown: list) -> str:
    text = sentence.replace("\\", "\\\\").replace('"""', "'''")
    if not shown:
        return f'"""{text}"""'
    keys = "\n".join(textwrap.fill(s.replace("\\", "\\\\"), 110, subsequent_indent="    ") for s in shown)
    return f'"""{text}\n\n{keys}\n"""'


def main() -> None:
    source, folder = sys.argv[1:]
    Path(folder).mkdir(parents=True, exist_ok=True)
    schema = json.loads(Path(source).read_text())
    for name, text in Generator(schema).run().items():
        file = Path(folder) / f"{name}.py"
        if not file.exists() or file.read_text() != text:
            file.write_text(text)


if __name__ == "__main__":
    main()
