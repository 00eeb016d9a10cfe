# SPDX-License-Identifier: Apache-2.0
"""A block in gates: Yosys and abc map it to a library, flattened, so that what no parameter uses is gone, and part by
part, so that every cell belongs to one."""
import gzip
import json
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from ..rtl import RTL, run, with_defaults
from .cache import key_of
from .liberty import Library, without_cells
from .points import Router

# Part: cells that it is made of, by instance; of two that match the later one has it.
PARTS = {
    "crossbar": ["*"],
    "state": ["*gen_input*.u_vc.*"],
    "buffers": ["*u_buffer.*", "*u_front.*", "*u_memory.*"],
    "route": ["*u_route.*"],
    "va": ["*u_va.*"],
    "sa": ["*u_sa.*", "*u_leaving.*"],
    "registers": ["*u_sa_register.*", "*u_link.*", "*u_input_register.*", "*u_fetched.*"],
    "credits": ["*u_credit.*", "*gen_output*.u_vc.*", "*u_credit_in.*"],
    "clock": ["*u_gate.*"],
}
PERIOD_ASKED = 2000  # ps
# Data paths: every bit alike, as a compiler of data paths has them. Left to itself abc restructures them, anew for each size.
# The array of a wavefront is one, too: its rotators turn in each cycle.
REGULAR = ("buffers", "crossbar", "registers")
BIT_BY_BIT = f"-script +strash;amap;buffer,-c;topo;upsize,-D,{PERIOD_ASKED};dnsize,-D,{PERIOD_ASKED}"


@dataclass(frozen=True)
class Block:
    """A module that is synthesized: its source, with other defaults; parts by the instances that they are made of; and the part that
    has the memories, whose multiplexers may be trees."""
    source: Path
    parameters: dict[str, int]
    parts: dict[str, list[str]]
    stores: str
    trees: bool = False
    waves: tuple[str, ...] = ()  # parts that are wavefronts
    rest: str = ""  # the part of gates that techmap makes of a multiplication, which have none

    def key(self) -> str:
        return json.dumps(self.parameters, sort_keys=True)


def router_block(router: Router) -> Block:
    """The multiplexers of gated buffers lose their part in techmap unless they are trees."""
    waves = tuple(part for part, kind in (("sa", router.sa_allocator), ("va", router.va_allocator)) if kind == "wavefront")
    return Block(RTL / "sare_router.sv", router.parameters(), PARTS, "buffers", router.clock_gating, waves)


class Failed(Exception):
    """A tool does not do it."""


def read(block: Path) -> str:
    others = [p for p in sorted(RTL.rglob("sare_*.sv")) if p.name not in ("sare_pkg.sv", block.name)]
    return (f"read_verilog -sv {RTL / 'sare_pkg.sv'}\n"
            f"read_verilog -sv -defer -I{RTL} {' '.join(map(str, others))} {block}\n"
            f"hierarchy -top {block.stem}\nproc *sare_ram*\nblackbox *sare_ram*\nproc\nflatten\n")


def mark(parts: dict[str, list[str]]) -> str:
    """Each cell has its part as its source, which survives techmap."""
    return "".join(f'setattr -set src "{part}" ' + " ".join(f"c:{p}" for p in patterns) + "\n" for part, patterns in parts.items())


def to_gates(block: Block) -> str:
    """Gates and flip-flops; a multiplexer of an enable belongs to the part of its flip-flop."""
    trees = "pmuxtree\n" if block.trees else ""
    text = ("opt -fast\nopt_expr -mux_undef -undriven -mux_bool\nopt_clean\nopt_dff\nopt_clean\nmemory -nomap\n"
            f"setattr -set src \"{block.stores}\" t:$mem*\nmemory_map\n{trees}techmap\nopt -fast -full\n"
            f"select -set bare t:$_* a:src=* %d\nsetattr -set src \"{block.stores}\" @bare\n")
    for part in block.parts:
        text += (f"select -set part t:$_*DFF* a:src={part}* %i\ndffunmap @part\n"
                 f"select -set bare t:$_* a:src=* %d\nsetattr -set src \"{part}\" @bare\n")
    if block.rest:
        text += f"select -set bare t:$_* {' '.join(f'a:src={part}* %d' for part in block.parts)}\nsetattr -set src \"{block.rest}\" @bare\n"
    return text


def to_cells(library: Library, block: Block, waves_of: str = "") -> str:
    """`waves_of`: another library for wavefronts."""
    text = f"techmap -map latch.v\ntechmap t:$not\ndfflibmap -prepare -liberty {library.path}\n"
    for part in block.parts:
        text += (f"select -set part t:$_*DFF* a:src={part}* %i\n"
                 f"dfflibmap -map-only -liberty {library.path} @part\n"
                 f"select -set bare c:* a:src=* %d\nsetattr -set src \"{part}\" @bare\n"
                 f"setattr -set part \"{part}\" c:* t:$_* %d a:src={part}* %i\n")
    text += "opt_clean\n"
    for part in block.parts:
        how = BIT_BY_BIT if part in REGULAR + block.waves else f"-D {PERIOD_ASKED}"
        text += (f"select -set part t:$_* a:src={part}* %i\n"
                 f"abc -liberty {waves_of if waves_of and part in block.waves else library.path} -constr constraints {how} @part\n"
                 f"setattr -set part \"{part}\" c:* t:$_* %d a:part=* %d\n")
    return text + "opt_clean\nwrite_json netlist.json\n"


def latch(library: Library) -> str:
    cell = library.latch()
    pins = f".{cell.enable}(~E), .{cell.data}(D), .{cell.output}(Q)" if cell else ""
    body = f"{cell.name} _TECHMAP_REPLACE_ ({pins});" if cell else ""
    return rf"module \$_DLATCH_N_ (input E, D, output Q); {body} endmodule" if cell else ""


def netlist(block: Block, library: Library, folder: Path) -> dict:
    """The netlist as Yosys writes it (JSON), out of the cache if it is there."""
    kept = folder / f"{key_of(block.key(), library.key, recipe(library, block))}.netlist.gz"
    if not kept.exists():
        text = synthesize(block, library)
        folder.mkdir(parents=True, exist_ok=True)
        partial = kept.with_suffix(".partial")
        with gzip.open(partial, "wt", compresslevel=3) as out:
            json.dump(text, out)
        partial.rename(kept)
    with gzip.open(kept, "rt") as text:
        return json.load(text)


def rtl_text() -> str:
    """Without comments."""
    return "".join(re.sub(r"\s*//.*", "", p.read_text()) for p in sorted(RTL.rglob("sare_*.sv")))


def script(library: Library, block: Block, waves_of: str = "") -> str:
    return mark(block.parts) + to_gates(block) + to_cells(library, block, waves_of)


def recipe(library: Library, block: Block) -> str:
    """All that a netlist is made of but the library and the parameters; comments are not."""
    return rtl_text() + ("" if block.source.parent == RTL else block.source.read_text()) + script(library, block)


def is_of_clocks(cell: str) -> bool:
    return cell.upper().startswith("CLK")


def synthesize(block: Block, library: Library) -> dict:
    """Where abc takes buffers for clock trees in the array of a wavefront, whose selects have many loads, it is made again without: they
    are the largest, at twice the energy, and no data path has them."""
    found = mapped(block, library)
    if any(part in block.waves and is_of_clocks(kind) for _, kind, part, _ in found["cells"]):
        return mapped(block, library, "data_cells.lib")
    return found


def mapped(block: Block, library: Library, waves_of: str = "") -> dict:
    with tempfile.TemporaryDirectory() as name:
        out = Path(name)
        source = out / block.source.name
        source.write_text(with_defaults(block.source.read_text(), block.parameters))
        (out / "latch.v").write_text(latch(library))
        (out / "constraints").write_text(f"set_driving_cell {library.driver()}\nset_load {library.around.load * 1000} [all_outputs]\n")
        if waves_of:
            (out / waves_of).write_text(without_cells(library.path.read_text(), is_of_clocks))
        (out / "script.ys").write_text(read(source) + script(library, block, waves_of))
        status, log = run(["yosys", "-q", "-s", "script.ys"], cwd=out)
        if status != 0:
            raise Failed(f"yosys: {log[-2000:]}")
        return shrunk(json.loads((out / "netlist.json").read_text())["modules"][source.stem])


def shrunk(module: dict) -> dict:
    """What is of use of it: pins, cells, and the nets of requests."""
    cells = []
    for name, cell in module["cells"].items():
        part = cell["attributes"].get("part", "")
        cells.append([name, cell["type"], part, {pin: bits for pin, bits in cell["connections"].items()}])
    nets = {n: module["netnames"][n]["bits"] for n in ("va_req", "sa_req", "spec_req") if n in module["netnames"]}
    ports = {n: [p["direction"], p["bits"]] for n, p in module["ports"].items()}
    return {"ports": ports, "cells": cells, "nets": nets}
