# SPDX-License-Identifier: Apache-2.0
"""What the scripts on rtl/ share: parameters of sare_router, as tools want them."""
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RTL = ROOT / "rtl"
FLAGS = {"InputRegister", "Lookahead", "Speculative", "OneWay", "MemoryBuffers", "ClockGating", "KeepsOrder"}


def literal(name, value, dims=2):
    """The value of a parameter with the width that its declaration has: lint is strict about it."""
    if name in FLAGS:
        return f"1'b{value}"
    return f"{dims}'d{value}" if name == "Wrap" else str(value)


def verilator_flags(params):
    return [f"-G{name}={literal(name, value, params.get('Dims', 2))}" for name, value in params.items()]


def with_defaults(text, params):
    """The source of a module with other defaults of its parameters: Yosys 0.23 fails to set them on a top module."""
    for name, value in params.items():
        pattern = rf"(parameter (?:int unsigned|bit(?: \[[^]]*\])?) {name} = )[^\n]*?(,?\n)"
        text, found = re.subn(pattern, rf"\g<1>{literal(name, value, params.get('Dims', 2))}\g<2>", text)
        if found != 1:
            raise SystemExit(f"no parameter {name}")
    return text


def run(command, **more):
    """Exit status and all that a command printed."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    return done.returncode, done.stdout
