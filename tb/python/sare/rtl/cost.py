# SPDX-License-Identifier: Apache-2.0
"""What a router costs in gates, by Yosys, and the time of its longest path in a cell library, by OpenSTA: scripts/dev/rtl-cost
makes a table of it, sare.power the clock periods of a table of costs."""
import re
import tempfile
from contextlib import contextmanager
from pathlib import Path

from . import RTL, run, with_defaults

# Narrow flits: synthesis takes half the time, and what data costs grows in proportion to their width (last row).
BASE = dict(Ports=5, Vcs=4, Depth=4, FlitWidth=32)
MERGED = dict(RcDelay=0, VaDelay=0, SaDelay=0, StDelay=0)
ROWS = [
    ("5 ports, 4 VCs of 4 flits, 32 bits, mesh: the base", {}),
    ("1 VC", dict(Vcs=1)),
    ("2 VCs", dict(Vcs=2)),
    ("8 VCs", dict(Vcs=8)),
    ("3 ports: of a ring, dateline", dict(Ports=3, Dims=1, Wrap=1)),
    ("the same, 16 VCs", dict(Ports=3, Dims=1, Wrap=1, Vcs=16)),
    ("7 ports: of a mesh of 3 dimensions", dict(Ports=7, Dims=3)),
    ("torus, dateline", dict(Wrap=3)),
    ("table of 64 nodes", dict(Routing=1, Nodes=64)),
    ("the same, packets fork", dict(Routing=1, Nodes=64, Forking=1)),
    ("RC merged with VA", dict(RcDelay=0)),
    ("all stages merged", MERGED),
    ("registers at the inputs", dict(InputRegister=1)),
    ("stages of 2 cycles each", dict(RcDelay=2, VaDelay=2, SaDelay=2, StDelay=2)),
    ("look-ahead", dict(Lookahead=1)),
    ("speculative SA", dict(Speculative=1)),
    ("cut-through", dict(Switching=1)),
    ("VCs free when drained", dict(Reallocation=1)),
    ("output-first allocators", dict(VaAllocator=1, SaAllocator=1)),
    ("wavefront allocator in SA", dict(SaAllocator=2)),
    ("wavefront allocators in VA and SA", dict(VaAllocator=2, SaAllocator=2)),
    ("matrix arbiters in SA", dict(SaArbiter=1)),
    ("matrix arbiters in VA and SA", dict(VaArbiter=1, SaArbiter=1)),
    ("8 flits deep", dict(Depth=8)),
    ("16 flits deep", dict(Depth=16)),
    ("flits of 64 bits", dict(FlitWidth=64)),
    ("VCs share the buffers", dict(Buffers=1)),
    ("buffers in memories", dict(MemoryBuffers=1)),
    ("buffers in memories, 16 flits deep", dict(MemoryBuffers=1, Depth=16)),
    ("gated clocks", dict(ClockGating=1)),
    ("gated clocks, 16 flits deep", dict(ClockGating=1, Depth=16)),
]

# The library's latch, which Yosys knows no use for: of a clock gate, transparent while the clock is low.
LATCH = r"module \$_DLATCH_N_ (input E, D, output Q); LATCH _TECHMAP_REPLACE_ (.CLK(~E), .D(D), .Q(Q)); endmodule"
# The shortest period with no slack below 0, halving: a latch passes on what comes late, so slacks do not tell it.
TIMING = """read_liberty {library}
set_cmd_units -time ns
read_verilog {out}/netlist.v
link_design sare_router
set low 0.0
set high 64.0
while {{$high - $low > 0.005 * $high}} {{
  set period [expr ($low + $high) / 2]
  create_clock -name clock -period $period clk_i
  set_input_delay 0 -clock clock [all_inputs]
  set_output_delay 0 -clock clock [all_outputs]
  if {{[sta::worst_slack_cmd max] < 0}} {{set low $period}} else {{set high $period}}
}}
puts "period $high"
exit
"""


def script(top, out, library):
    """What Yosys has to do with a router; its answers go into files of the folder out. `library`: of cells, or None: gates alone."""
    others = [p for p in sorted(RTL.rglob("sare_*.sv")) if p.name not in ("sare_pkg.sv", "sare_router.sv")]
    return (f"read_verilog -sv {RTL / 'sare_pkg.sv'}; read_verilog -sv -defer -I{RTL} {' '.join(map(str, others))} {top}; "
            # A memory stays out of it: its bits count, its read is a pin of the router.
            f"hierarchy -top sare_router; proc *sare_ram*; tee -o {out}/memories stat *sare_ram*; blackbox *sare_ram*; "
            "synth -flatten -top sare_router; "
            # Names that OpenSTA can read: it takes brackets for those of a bus.
            "rename -hide t:*sare_ram*; rename -enumerate -pattern ram_% t:*sare_ram*; expose -evert -sep _ t:*sare_ram*; "
            "opt_clean; check -assert; "
            "select -set registers t:*DFF* t:*DLATCH*; "
            "select -set buffers w:*.mem_q* w:*.u_word.data_q* %u %ci:+[Q] @registers %i; "
            f"tee -o {out}/registers select -count @registers; tee -o {out}/buffers select -count @buffers; "
            f"tee -o {out}/cells select -count t:*; tee -o {out}/path ltp -noff; " + ("" if not library else
            f"techmap -map {out}/latch.v; techmap; dfflibmap -liberty {library}; "
            f"abc -liberty {library} -constr {out}/constraints -D 2000; opt_clean -purge; "
            f"tee -o {out}/area stat -liberty {library}; write_verilog -noattr -simple-lhs {out}/netlist.v"))


def count(path):
    """The first number in a file."""
    return int(re.search(r"\d+", path.read_text())[0])


def memory_bits(path, ports):
    """Of the memories, one a port."""
    return ports * sum(map(int, re.findall(r"Number of memory bits: +(\d+)", path.read_text())))


def area(path, library):
    """In square millimetres. The library leaves out what a latch takes: its layout says it (LEF)."""
    text = path.read_text()
    cells = float(re.search(r"Chip area for module .*: ([\d.]+)", text)[1])
    width, height = re.search(r"MACRO LATCH\n.*?SIZE ([\d.]+) BY ([\d.]+)", library.with_suffix(".lef").read_text(), re.S).groups()
    latches = sum(map(int, re.findall(r"^ +LATCH +(\d+)", text, re.M)))
    return (cells + latches * float(width) * float(height)) / 1e6


def called(what, command):
    """What a command prints; the end of it all if it fails."""
    status, log = run([*map(str, command)])
    if status != 0 or "Error: " in log:  # sta goes on
        raise SystemExit(f"{what}: {log[-2000:]}")
    return log


@contextmanager
def synthesized(row, library, driver="BUFX4", latch=LATCH):
    """The folder with the answers of Yosys about the router of a row, driven by such cells; `latch`: the library's, as LATCH."""
    what, params = row
    with tempfile.TemporaryDirectory() as name:
        out = Path(name)
        (out / "sare_router.sv").write_text(with_defaults((RTL / "sare_router.sv").read_text(), {**BASE, **params}))
        (out / "latch.v").write_text(latch)
        (out / "constraints").write_text(f"set_driving_cell {driver}\nset_load 20.0 [all_outputs]\n")
        called(what, ["yosys", "-q", "-p", script(out / "sare_router.sv", out, library)])
        yield out


def cost(row, library):
    """A row's numbers as text, and the gates on its longest path."""
    what, params = row
    with synthesized(row, library) as out:
        cells = count(out / "cells")
        registers, buffers = count(out / "registers"), count(out / "buffers")
        longest = int(re.search(r"length=(\d+)", (out / "path").read_text())[1])
        return ((f"{cells - registers:,}", f"{buffers + memory_bits(out / 'memories', {**BASE, **params}['Ports']):,}",
                 f"{registers - buffers:,}", f"{longest}",
                 *((f"{area(out / 'area', library):.2f}", f"{longest_path(what, out, library):.1f}") if library else ("-", "-"))), longest)


def period(row, library, driver, latch):
    """The time of its longest path in the library's cells, ns."""
    with synthesized(row, library, driver, latch) as out:
        return longest_path(row[0], out, library)


def longest_path(what, out, library):
    """ns, of the netlist in a folder."""
    (out / "timing.tcl").write_text(TIMING.format(library=library, out=out))
    return float(re.search(r"^period ([\d.]+)", called(what, ["sta", "-no_splash", out / "timing.tcl"]), re.M)[1])
