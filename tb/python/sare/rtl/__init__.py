# SPDX-License-Identifier: Apache-2.0
"""What commands on rtl/ share: the parameters that modules declare, and their values as tools want them. The program
reads the same lines (cosim/rtl/rtl_module.cpp)."""
import math
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]
RTL = ROOT / "rtl"
DECLARATION = re.compile(r"^  parameter (int unsigned|bit)(?: \[(.*)-1:0\])? (\w+) = (.*?)(,?)$", re.M)


@dataclass
class Parameter:
    name: str
    is_bits: bool  # a flag, or a vector; else a number
    width: list  # of a vector: factors, numbers and parameters
    default: str
    choices: list  # the numbers of its words in sare_pkg; [] where it is no choice

    @property
    def other_values(self):
        """Those beside the default that are worth a look: all of a flag and of a choice; of a number, the next."""
        if self.is_bits:
            return [] if self.width else [1 - int(self.default)]
        return self.choices[1:] or ([int(self.default) + 1] if self.default.isdigit() else [])

    def literal(self, value, others):
        """A value with the width that it is declared with: lint is strict about it. `others`: values by name."""
        if not self.is_bits:
            return str(value)
        return f"{math.prod(int(f) if f.isdigit() else int(others[f]) for f in self.width)}'{'d' if self.width else 'b'}{value}"


def choices():
    """Numbers by parameter: in sare_pkg a comment names parameters, and the constants below it are their choices."""
    found, names = {}, []
    for line in (RTL / "sare_pkg.sv").read_text().splitlines():
        if line.startswith("  // "):
            names = line[5:].split(", ")
        elif constant := re.fullmatch(r"  localparam int unsigned \w+ = (\d+);", line):
            for name in names:
                found.setdefault(name, []).append(int(constant[1]))
    return found


def declared(text):
    """The parameters by name in the source of a module."""
    numbers = choices()
    return {name: Parameter(name, kind == "bit", width.split("*") if width else [], default, numbers.get(name, []))
            for kind, width, name, default, _ in DECLARATION.findall(text)}


def source(module):
    """The path of its file within the repository."""
    return str(next(RTL.rglob(f"{module}.sv")).relative_to(ROOT))


def parameters(module):
    return declared((RTL / f"{module}.sv").read_text())


def literals(known, params):
    """Values as text, by name, of a module's parameters."""
    if unknown := params.keys() - known.keys():
        raise SystemExit(f"no parameter {', '.join(sorted(unknown))}")
    values = {**{p.name: p.default for p in known.values()}, **params}
    return {name: known[name].literal(value, values) for name, value in params.items()}


def verilator_flags(module, params):
    return [f"-G{name}={text}" for name, text in literals(parameters(module), params).items()]


def with_defaults(text, params):
    """The source of a module with other defaults of its parameters: Yosys 0.23 fails to set them on a top module."""
    given = literals(declared(text), params)

    def line(found):
        kind = found[1] + (f" [{found[2]}-1:0]" if found[2] else "")
        return f"  parameter {kind} {found[3]} = {given.get(found[3], found[4])}{found[5]}"
    return DECLARATION.sub(line, text)


def cells(name, files=None):
    """Returns the path of the Liberty file of a cell library, osu018 for instance: NAME.lib or NAME_stdcells.lib in a folder that
    SARE_CELLS names (several are parted by colons), else of Debian's package. With `files`, names of the library's files, returns the
    paths of all of them. Ends the program where there is none."""
    given = [Path(folder) for folder in os.environ.get("SARE_CELLS", "").split(":") if folder]
    folders = [*given, *(Path(prefix) / "share/qflow/tech" / name for prefix in ("/usr/local", "/usr"))]
    for folder in folders:
        if files and all((folder / file).exists() for file in files):
            return [folder / file for file in files]
        for file in (folder / f"{name}_stdcells.lib", folder / f"{name}.lib"):
            if not files and file.exists():
                return file
    raise SystemExit(f"there is no cell library {', '.join(files or [f'{name}_stdcells.lib'])} in {', '.join(map(str, folders))}: "
                     f"install Debian's package qflow-tech-{name}, where the system has it, or name the library's folder in SARE_CELLS")


def run(command, **more):
    """Exit status and all that a command printed."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    return done.returncode, done.stdout
