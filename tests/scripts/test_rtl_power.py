#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""sare.power: the reader of Liberty and the energies by hand values, the replay on a circuit of two cells, the fit on
costs that are known."""
import gzip
import hashlib
import os
import re
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/python"))
from sare.power import events, fit, memories, netlist, period, table, wires  # noqa: E402
from sare.power import pins as pins_of  # noqa: E402
from sare.power.bridges import form as bridge_form  # noqa: E402
from sare.power.bridges import points as bridge_points  # noqa: E402
from sare.power.energy import Meter  # noqa: E402
from sare.power.form import Term  # noqa: E402
from sare.power.function import Function  # noqa: E402
from sare.power.gatesim import Simulator, Stimulus  # noqa: E402
from sare.power.liberty import AROUND, Around, Library, Wrong, parse  # noqa: E402
from sare.power.model import Flit, Run, Trace, Traced  # noqa: E402
from sare.power.nics import measure as nic  # noqa: E402
from sare.power.points import Router  # noqa: E402
from sare.power.rows import Row  # noqa: E402

LIBRARY = """
/* two cells */ library (tiny) {
  time_unit : "1ns"; capacitive_load_unit (1,pf); leakage_power_unit : "1nW";
  operating_conditions (slow) { voltage : 2.0; temperature : 25; } default_operating_conditions : slow;
  lu_table_template(d) { variable_1 : total_output_net_capacitance; variable_2 : input_net_transition;
    index_1 ("1, 2"); index_2 ("1, 2"); }
  power_lut_template(e) { variable_1 : total_output_net_capacitance; variable_2 : input_transition_time;
    index_1 ("1, 2"); index_2 ("1, 2"); }
  power_lut_template(p) { variable_1 : input_transition_time; index_1 ("1, 2"); }
  cell (INV) { area : 10; cell_leakage_power : 3;
    pin(A) { direction : input; capacitance : 0.01; }
    pin(Y) { direction : output; function : "(!A)";
      timing() { related_pin : "A"; timing_sense : negative_unate;
        cell_rise(d) { index_1 ("0, 1"); index_2 ("0, 1"); values ("0.1, 0.1", \\
          "0.3, 0.3"); }
        cell_fall(d) { index_1 ("0, 1"); index_2 ("0, 1"); values ("0.1, 0.1", "0.3, 0.3"); }
        rise_transition(d) { index_1 ("0, 1"); index_2 ("0, 1"); values ("0.2, 0.2", "0.2, 0.2"); }
        fall_transition(d) { index_1 ("0, 1"); index_2 ("0, 1"); values ("0.4, 0.4", "0.4, 0.4"); } }
      internal_power() { related_pin : "A";
        rise_power(e) { index_1 ("0, 1"); index_2 ("0, 1"); values ("1.0, 2.0", "3.0, 4.0"); }
        fall_power(e) { index_1 ("0, 1"); index_2 ("0, 1"); values ("5.0, 5.0", "5.0, 5.0"); } } } }
  cell (DFF) { area : 50; cell_leakage_power : 7; ff (IQ,IQN) { next_state : "D"; clocked_on : "CK"; clear : "(!R)"; }
    pin(CK) { direction : input; capacitance : 0.02; clock : true; internal_power() {
      rise_power(p) { index_1 ("0, 1"); values ("0.5, 0.5"); } fall_power(p) { index_1 ("0, 1"); values ("0.25, 0.25"); } } }
    pin(D) { direction : input; capacitance : 0.03;
      timing() { related_pin : "CK"; timing_type : setup_rising; rise_constraint(d) { index_1 ("0, 1"); index_2 ("0, 1");
        values ("0.05, 0.05", "0.05, 0.05"); } } }
    pin(R) { direction : input; capacitance : 0.01; }
    pin(Q) { direction : output; function : "IQ"; timing() { related_pin : "CK"; timing_type : rising_edge; timing_sense : non_unate;
        cell_rise(d) { index_1 ("0, 1"); index_2 ("0, 1"); values ("0.5, 0.5", "0.5, 0.5"); }
        cell_fall(d) { index_1 ("0, 1"); index_2 ("0, 1"); values ("0.5, 0.5", "0.5, 0.5"); }
        rise_transition(d) { index_1 ("0, 1"); index_2 ("0, 1"); values ("0.1, 0.1", "0.1, 0.1"); }
        fall_transition(d) { index_1 ("0, 1"); index_2 ("0, 1"); values ("0.1, 0.1", "0.1, 0.1"); } } } }
}
"""


def tiny() -> Library:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tiny.lib"
        file.write_text(LIBRARY)
        return Library(file)


def divider() -> dict:
    """A flip-flop that is fed its own inverse: Q is half the clock."""
    return {"ports": {"clk_i": ["input", [2]], "rst_ni": ["input", [3]], "q_o": ["output", [4]]}, "nets": {"va_req": [4]},
            "cells": [["f", "DFF", "registers", {"CK": [2], "D": [5], "R": [3], "Q": [4]}],
                      ["i", "INV", "buffers", {"A": [4], "Y": [5]}]]}


def stimulus(cycles: int) -> Stimulus:
    """Two cycles of reset; Q is 0, 1, 0, ... from the third."""
    reset = np.ones((cycles, 1), np.uint8)
    reset[:2] = 0
    q = np.array([[0 if t < 3 else (t - 2) % 2] for t in range(cycles)], np.uint8)
    return Stimulus(["rst_ni"], reset, ["q_o"], q, np.ones_like(q), [2, cycles])


class LibertyTest(unittest.TestCase):
    def test_functions(self):
        for text, names, values in (("(!A)", ["A"], 0b01), ("A'", ["A"], 0b01), ("(A B)", ["A", "B"], 0b1000), ("A*B+C", ["A", "B", "C"], 0b11111000),
                                    ("!(A+B)", ["A", "B"], 0b0001), ("A^B", ["A", "B"], 0b0110), ("(A B)' C", ["A", "B", "C"], 0b01110000)):
            f = Function(text)
            self.assertEqual((f.names, f.table), (names, values), text)
        self.assertRaises(ValueError, Function, "A+")

    def test_reads(self):
        library = tiny()
        self.assertEqual((library.name, library.voltage, library.corner, library.cells["DFF"].leakage), ("tiny", 2.0, "slow", 7.0))
        self.assertEqual(library.cells["DFF"].state.clear, "(!R)")
        rise = library.cells["INV"].pins["Y"].powers[0][1]["rise_power"]
        self.assertAlmostEqual(float(rise(0.5, 0.25)), 2.25)
        self.assertAlmostEqual(float(rise(2.0, 0.0)), 5.0)  # beyond its edge
        self.assertRaises(Wrong, parse, "no group")
        self.assertRaises(Wrong, Library, Path("/nowhere.lib"))


    def with_files(self, *texts: str, **options) -> Library:
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, {"SARE_POWER_CACHE": folder}):
            files = []
            for k, text in enumerate(texts):
                files.append(Path(folder) / (f"{k}.lib.gz" if k else "0.lib"))
                files[-1].write_bytes(gzip.compress(text.encode()) if k else text.encode())
            library = Library(files, **options)
            self.assertEqual(set(Library(library.path).cells), set(library.cells))  # what the tools are given
            return library

    def test_cells_that_no_router_is_made_of(self):
        """The tools are not given them; strings and comments may have braces, and go on in the next line."""
        wide = 'cell (AND7) { area : 1;' + "".join(f" pin(A{k}) {{ direction : input; }}" for k in range(7)) + \
            ' pin(Y) { direction : output; function : "A0 A1 A2 A3 A4 A5 A6"; } }\n'
        gate = 'cell ("ICG") { statetable ("CLK ENA", "IQ") { table : "L H : - : }, \\\n H - : - : N"; } /* } */ pin(Q) { direction : output; } }\n'
        end = LIBRARY.rindex("}")
        library = self.with_files(LIBRARY[:end] + wide + "}", LIBRARY[:LIBRARY.index("cell (INV)")] + gate + wide.replace("AND7", "OR7") + "}")
        self.assertEqual((set(library.cells), library.unusable["AND7"]), ({"INV", "DFF", "ICG"}, "function of 7 inputs, more than 6"))
        library = self.with_files(LIBRARY, dont_use=["IN*"])
        self.assertEqual((set(library.cells), library.unusable), ({"DFF"}, {"INV": "name among IN*"}))
        self.assertRaisesRegex(Wrong, "no cells of one bit that may be used", self.with_files, LIBRARY, dont_use=["*"])

    def test_flip_flops_of_the_inverse(self):
        """Those that keep the inverse of their data are read, and given to the tools, as others with an inverted output, reset to the
        same value; so a replay begins with zeros in buffers, not with ones."""
        inverse = LIBRARY.replace('"D"; clocked_on : "CK"; clear :', '"!D"; clocked_on : "CK"; preset :')
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, {"SARE_POWER_CACHE": folder}):
            (Path(folder) / "inverse.lib").write_text(inverse)
            library = Library(Path(folder) / "inverse.lib")
            for seen in (library, Library(library.path)):
                state = seen.cells["DFF"].state
                self.assertEqual((state.names, state.data, state.clear, state.preset), (("IQN", "IQ"), "D", "(!R)", ""))
                self.assertEqual(seen.cells["DFF"].pins["Q"].function, "IQ")
        self.assertEqual(library.digest, hashlib.sha256(inverse.encode()).hexdigest())

    def test_latch_of_clock_gates(self):
        """The smallest without a clear, which nothing would connect, that is open while its enable is high."""
        def latch(name: str, area: int, enable: str = "G", more: str = "") -> str:
            return (f'cell ({name}) {{ area : {area}; latch (IQ, IQN) {{ enable : "{enable}"; data_in : "D"; {more} }} pin(D) {{ direction : input; }} '
                    'pin(G) { direction : input; } pin(Q) { direction : output; function : "IQ"; } }\n')

        text = latch("CLEARED", 1, more='clear : "!R";') + latch("LOW", 2, "!G") + latch("WIDE", 4) + latch("SMALL", 3)
        self.assertEqual(self.with_files(LIBRARY[:LIBRARY.rindex("}")] + text + "}").latch().name, "SMALL")
        self.assertIsNone(tiny().latch())

    def test_wires(self):
        """A repeater of known delay, at the distance of Bakoglu."""
        buffer = LIBRARY[LIBRARY.index("cell (INV)"):LIBRARY.index("cell (DFF)")].replace("INV", "BUF").replace("(!A)", "A")
        buffer = buffer.replace('"0.3, 0.3"', '"1.1, 1.1"')  # 0.1 ns and 1 ns a pF
        library = self.with_files(LIBRARY[:LIBRARY.rindex("}")] + buffer + "}", around=Around(0.5, 0.02))
        r, c, pin = 2.0, 0.3, 0.01  # kohm and pF a mm
        fixed = 0.1 + 1.0 * pin
        link = wires.costs(library, wires.Wire(1000 * r, c))
        spacing = (fixed / (0.38 * r * c)) ** 0.5
        self.assertAlmostEqual(link["repeater_mm"], spacing, 3)
        self.assertAlmostEqual(link["delay_mm"], 2 * fixed / spacing + 1.0 * c + 0.69 * r * pin, 3)
        self.assertAlmostEqual(link["energy_bit_mm"], 0.5 * c * 4, 3)
        self.assertEqual(set(wires.costs(library, wires.Wire())), {"energy_bit_mm", "leakage_bit_mm", "area_bit_mm"})

    def test_units_of_any_library(self):
        """The same library in other units is the same one."""
        def scaled(match: re.Match) -> str:
            return ", ".join(f"{float(x) * 1000:g}" for x in match[0].split(","))

        in_fs = re.sub(r"(?<=capacitance : )[\d.]+|(?<=\")\d[\d., ]*(?=\")", scaled, LIBRARY.replace('"1ns"', '"1ps"').replace("1,pf", "1,ff"))
        library = self.with_files(in_fs.replace('"1nW"', '"10pW"'))
        for name, cell in tiny().cells.items():
            other = library.cells[name]
            self.assertAlmostEqual(other.leakage, cell.leakage / 100)
            for pin in cell.pins.values():
                self.assertAlmostEqual(other.pins[pin.name].capacitance, pin.capacitance)
                ours = [t for a in pin.arcs for t in a.tables.values()] + [t for _, tables, _ in pin.powers for t in tables.values()]
                its = [t for a in other.pins[pin.name].arcs for t in a.tables.values()]
                its += [t for _, tables, _ in other.pins[pin.name].powers for t in tables.values()]
                for a, b in zip(ours, its, strict=True):
                    self.assertAlmostEqual(float(a(0.5, 0.25)), float(b(0.5, 0.25)))
        for unit, said in (('"1 parsec"', "time_unit"), ("", "time_unit")):
            self.assertRaisesRegex(Wrong, said, self.with_files, LIBRARY.replace('"1ns"', unit or '""'))

    def test_several_files_of_one_corner(self):
        inverter = LIBRARY[:LIBRARY.index("cell (DFF)")] + "}"
        rest = LIBRARY[:LIBRARY.index("cell (INV)")] + LIBRARY[LIBRARY.index("cell (DFF)"):]
        library = self.with_files(inverter, rest)
        self.assertEqual((set(library.cells), library.files), ({"INV", "DFF"}, "0.lib, 1.lib.gz"))
        self.assertNotEqual(library.digest, self.with_files(rest, inverter).digest)
        fast = rest.replace("slow", "fast").replace("voltage : 2.0", "voltage : 3.0")
        self.assertRaisesRegex(Wrong, "0.lib is of the corner slow .2.0 V.*fast .3.0 V.*--corner", self.with_files, inverter, fast)
        self.assertEqual(set(self.with_files(inverter, fast, corner="fast").cells), {"DFF"})
        self.assertRaisesRegex(Wrong, "no file has the corner cold; there is slow", self.with_files, inverter, corner="cold")
        self.assertRaisesRegex(Wrong, "other units", self.with_files, inverter, rest.replace("1ns", "1ps"))
        self.assertRaisesRegex(Wrong, "no Liberty file: it begins with `module`", self.with_files, "module (m) { a : 1; }")

    def test_what_other_libraries_have(self):
        """An output that is the inverse only, leakage by state and supply, power of each supply pin, cells of several bits, axes of a
        template, an attribute that a line ends."""
        q = 'pin(Q) { direction : output; function : "IQ";'
        inverse = LIBRARY.replace(q, q.replace("pin(Q)", "pin(QN)").replace('"IQ"', '"IQN"'))
        design = divider()
        del design["cells"][0][3]["Q"], design["cells"][1]
        design["cells"][0][3].update({"QN": [4], "D": [4]})
        n = netlist.build(design, self.with_files(inverse))
        self.assertEqual((n.states[0].inverse, n.states[0].data), (n.bits("q_o")[0],) * 2)
        by_state = "".join(f"leakage_power() {{ value : {v}; when : \"{w}\"; related_pg_pin : {p}; }}"
                           for w, p, v in (("A", "VDD", 2), ("!A", "VDD", 4), ("A", "VSS", 0), ("!A", "VSS", 1)))
        other = LIBRARY.replace("cell_leakage_power : 3;", by_state).replace('index_1 ("0, 1"); values ("0.5, 0.5");', 'values ("0.5, 0.5");')
        power = other[other.index("internal_power() { related_pin"):other.index(" } }\n  cell (DFF)")]
        self.assertEqual(power.count("{"), power.count("}"))
        twice = other.replace(power, power.replace("{ related_pin", "{ related_pg_pin : VDD; related_pin", 1)
                              + power.replace("{ related_pin", "{ related_pg_pin : VSS; related_pin", 1))
        twice = twice.replace("  cell (DFF)", '  cell (DFF4) { area : 9; ff_bank (IQ,IQN,4) { next_state : "D"; } bundle (D) { members (A, B); } }\n  cell (DFF)')
        library = self.with_files(twice.replace("area : 10; cell", "area : 10\n cell"))
        self.assertEqual((library.cells["INV"].area, library.cells["INV"].leakage, library.unusable), (10, 3.5, {"DFF4": "ff_bank"}))
        self.assertEqual(list(library.cells["DFF"].pins["CK"].powers[0][1]["rise_power"].slews), [1, 2])  # of the template
        n, one = netlist.build(divider(), library), netlist.build(divider(), tiny())
        counts = np.ones(n.nets), np.ones(n.nets)
        inner = [Meter(x).measure(*counts)["buffers"] - 4 * x.load[[x.kinds[1].nets["Y"][0], *x.bits("rst_ni")]].sum() for x in (n, one)]
        self.assertAlmostEqual(inner[0], 2 * inner[1])
        design["cells"][0][1] = "DFF4"
        self.assertRaisesRegex(Wrong, "took the cell DFF4, which has a ff_bank", netlist.build, design, library)
        three = LIBRARY.replace("variable_2 : input_transition_time;", 'variable_2 : input_transition_time; variable_3 : equal_net; index_3 ("1, 2");')
        self.assertRaisesRegex(Wrong, "cell INV: the table rise_power .e. is over 3 variables", self.with_files, three)
        self.assertRaisesRegex(Wrong, "no template 'f'", self.with_files, LIBRARY.replace("rise_power(e)", "rise_power(f)"))


class ReplayTest(unittest.TestCase):
    def setUp(self):
        self.cache = tempfile.TemporaryDirectory()
        self.addCleanup(self.cache.cleanup)
        os.environ["SARE_POWER_CACHE"] = self.cache.name
        self.n = netlist.build(divider(), tiny())

    def test_counts_and_compares(self):
        simulator, s = Simulator(self.n), stimulus(12)
        seen = simulator.replay(s, [self.n.groups["va_req"]])
        self.assertEqual(seen.wrong_cycle, -1)
        q = self.n.bits("q_o")[0]
        self.assertEqual((seen.rises[1][q], seen.falls[1][q], seen.rises[1][self.n.clock], seen.busy[1][0]), (5, 5, 10, 5))  # the last edge falls
        s.expected[7, 0] ^= 1
        self.assertEqual(simulator.replay(s, []).wrong_cycle, 7)

    def test_delays_give_the_same(self):
        s = stimulus(12)
        delays = np.full(self.n.nets, 100.0), np.full(len(self.n.states), 500.0)
        slow, fast = (Simulator(self.n).replay(s, [], d) for d in (delays, None))
        self.assertEqual(slow.wrong_cycle, -1)
        q = self.n.bits("q_o")[0]
        self.assertEqual((slow.rises[1][q], slow.falls[1][q], fast.rises[1][q], fast.falls[1][q]), (5, 4, 5, 5))  # it would come later

    def test_energy_by_hand(self):
        meter = Meter(self.n)
        rises, falls = np.zeros(self.n.nets), np.zeros(self.n.nets)
        q, d = self.n.bits("q_o")[0], self.n.states[0].data
        rises[self.n.clock] = falls[self.n.clock] = 10
        rises[q], falls[q], rises[d], falls[d] = 5, 4, 4, 5
        found = meter.measure(rises, falls)
        # 2 V: half of C V^2 is 2 C. Clock: 20 edges of 0.02 pF; 10 x 0.5 and 10 x 0.25 within the flip-flop.
        self.assertAlmostEqual(found["clock"], 20 * 2 * 0.02 + 10 * 0.5 + 10 * 0.25)
        # Q: 9 edges of the inverter's pin and the router's own load.
        self.assertAlmostEqual(found["registers"], 9 * 2 * (0.01 + AROUND.load))
        # The inverter: 9 edges of 0.03 pF; rises by the falls of Q (transition 0.1): 1 + 2 x 0.03 + 0.1; falls 5.
        self.assertAlmostEqual(found["buffers"], 9 * 2 * 0.03 + 4 * (1 + 2 * 0.03 + 0.1) + 5 * 5.0)
        self.assertAlmostEqual(meter.leakage()["registers"], 0.007)
        # Clock to Q 0.5, inverter 0.1 + 0.2 x 0.03, setup 0.05.
        self.assertAlmostEqual(meter.timing.period, 0.5 + 0.106 + 0.05)


class EventsTest(unittest.TestCase):
    def test_turns_fills_and_long_heads(self):
        """By two inputs to one output: a packet of two flits, one of one, and one of one behind it. The last does not wait."""
        def flit(cycle: int, port: str, packet: int, number: int = 0) -> Flit:
            return Flit(cycle, port, 0, packet, number, 0, 1)

        came = [flit(40, "-x", 1), flit(41, "-x", 1, 1), flit(41, "n0", 2), flit(43, "n0", 3), flit(46, "-x", 4)]
        left = [flit(42, "-x", 1), flit(43, "-x", 1, 1), flit(44, "n0", 2), flit(45, "n0", 3), flit(46, "-x", 4)]
        t = Trace({0: Traced(came, [(f, "+x", 0) for f in left])}, {1: 2, 2: 1, 3: 1, 4: 1}, {}, 60)
        found = events.events(t, 0, dict(va_req=5, sa_req=7, spec_req=0))
        self.assertEqual([found[e] for e in ("turn", "fill", "long_head", "va_grant", "buffer_write", "burst", "start")], [3, 2, 1, 4, 5, 1, 1])


class NicTest(unittest.TestCase):
    def test_pins_of_a_flit_each_way(self):
        """One is on the link to the router in cycle 5, and leaves its buffer in 7; one comes two stages and a register after cycle 6."""
        router, run = Router("line", 2, 4, 16), Run(0.1, 1, data="zero")
        sent, came = Flit(5, "n0", 1, 1, 0, 0, 3), Flit(6, "-x", 0, 2, 0, 3, 0)
        t = Trace({0: Traced([sent], [(Flit(7, "n0", 1, 1, 0, 0, 3), "+x", 0), (came, "n0", 1)])}, {1: 1, 2: 1}, {}, 40)
        node, of = nic.traffic(t, router, 0)
        pins = nic.NicPins(router, run, t, 0, of).pins
        when = {name: [int(c) - pins_of.START for c in np.flatnonzero(pins[name].any(axis=1))] for name in
                ("valid_i", "ready_o", "flit_valid_o", "credit_i", "flit_valid_i", "credit_o")}
        self.assertEqual((node, when), (0, dict(valid_i=[3], ready_o=[3], flit_valid_o=[5], credit_i=[9], flit_valid_i=[9], credit_o=[11])))


class BridgeTest(unittest.TestCase):
    def test_share_of_flits_that_is_data(self):
        setting = bridge_points.Bridge("manager", width=12, data_width=16).settings()
        self.assertAlmostEqual(setting["write_fill"], 16 / 24)  # with two strobes
        self.assertAlmostEqual(setting["read_fill"], 16 / 24)   # with a response

    def test_each_end_has_its_own_costs(self):
        rows, built = [], []
        for of in bridge_points.POINTS:
            setting, costly = of.settings(), 2.0 if of.end == "manager" else 1.0
            for run in range(8):
                events = dict(inject=15.0 + run, inject_head=2.0, inject_burst=1.0 + run % 3, eject=30.0 - 3 * run, eject_head=1.0 + run % 2,
                              clock=100.0)
                energy = costly * (3 * events["inject"] + 0.1 * of.width * events["eject"])
                clock = 100 * costly * of.beats * of.data_width
                rows.append(Row(setting, {"bridges": energy, "clock": clock}, events, 0.5 * (run % 2), 100, 0.1, 0, ""))
            area = costly * of.data_width * of.beats
            built.append(SimpleNamespace(setting=setting, area={"bridges": area}, leakage={"bridges": costly}, period=costly))
        made = {"bridge": bridge_form.section(built, rows)}
        self.assertEqual(made["bridge"]["ranges"]["beats"], [2, 32])
        for row in map(bridge_form.with_beats, rows[::9]):
            self.assertAlmostEqual(table.energy(made, row.setting, row.events, row.activity, "bridge")[""] / sum(row.energy.values()), 1, 2)
        for x in built:
            self.assertAlmostEqual(table.costs(made, "area", x.setting, lambda e: 1.0, "bridge")[""] / x.area["bridges"], 1, 2)
            self.assertAlmostEqual(table.period(made, x.setting, "bridge"), x.period, 2)


class MemoryTest(unittest.TestCase):
    SIZES = [(32, 16), (64, 8), (64, 32), (256, 16), (1024, 64)]

    def cell(self, words, bits, energy=None, type="ram", write="address : a;"):
        """A Liberty file of a memory with costs that are sums of the fit's terms: fJ, nW, um^2, ns. Its clock takes energy at both edges, and
        more when it is written."""
        energy = 20 + 30 * bits + 0.1 * words * bits if energy is None else energy
        leakage, area = 1e3 * (5 + bits + 0.02 * words * bits), 90 + 4 * bits + 0.5 * words * bits
        power = "".join(f"internal_power () {{ when : \"{when}\"; rise_power (scalar) {{ values (\"{0.75 * share * energy}\"); }} "
                        f"fall_power (scalar) {{ values (\"{0.25 * share * energy}\"); }} }} " for when, share in (("!we", 0.5), ("we", 1)))
        return (f"library (m{words}x{bits}) {{ time_unit : \"1ns\"; capacitive_load_unit (1,ff); leakage_power_unit : \"1nW\"; nom_voltage : 1.1;\n"
                f"cell (m{words}x{bits}) {{ area : {area}; cell_leakage_power : {leakage}; memory () {{ type : {type}; address_width : "
                f"{words.bit_length() - 1}; word_width : {bits}; }}\n pin (clk) {{ clock : true; min_period : 0.01; {power} }}\n"
                f"bus (q) {{ memory_read () {{ address : a; }} timing () {{ related_pin : \"clk\"; cell_rise (scalar) {{ values "
                f"(\"{0.1 + 0.02 * np.log2(words)}\"); }} }} }} bus (d) {{ memory_write () {{ {write} }} }} }} }}\n")

    def files(self, folder, texts):
        paths = [Path(folder) / f"{k}.lib" for k in range(len(texts))]
        for path, text in zip(paths, texts):
            path.write_text(text)
        return paths

    def added(self, texts, table=None):
        bare = {"name": "t", "made": {"voltage": 1.1}, "applies": {"kind": "vc", "ranges": {}}, "router": {k: [] for k in memories.FORMS}}
        with tempfile.TemporaryDirectory() as folder:
            return memories.added(table or bare, self.files(folder, texts), "by hand")

    def test_recovers_costs_of_memories(self):
        found = self.added([self.cell(*size) for size in self.SIZES])
        router = found["router"]
        self.assertEqual([(e["event"], e["terms"]) for e in router["energy"]],
                         [(event, {"1": 0.02, "word_bits": 0.03, "words*word_bits": 0.0001}) for event in ("buffer_write", "buffer_read")])
        self.assertEqual(router["leakage"][0]["terms"], {"ports": 5, "ports*word_bits": 1, "ports*words*word_bits": 0.02})
        self.assertEqual(router["area"][0]["terms"], {"ports": 90, "ports*word_bits": 4, "ports*words*word_bits": 0.5})
        self.assertEqual(router["period"][0]["terms"], {"1": 0.1, "log2(words)": 0.02})
        self.assertEqual(found["applies"]["ranges"], {"words": [32, 1024], "word_bits": [8, 64]})
        self.assertEqual([found["made"]["memories"][key] for key in ("by", "ports", "cells")],
                         ["by hand", 1, ["m32x16", "m64x8", "m64x32", "m256x16", "m1024x64"]])

    def test_other_memories_take_their_place(self):
        texts = [self.cell(*size, write="address : b;") for size in self.SIZES]
        once = self.added(texts)
        self.assertEqual(once["made"]["memories"]["ports"], 2)
        once["router"]["energy"].insert(0, {"component": "buffers", "event": "burst", "when": {"memory_buffers": True}, "terms": {"width": 1}})
        self.assertEqual(self.added(texts, once), once)
        self.assertEqual([len(v) for v in memories.without(once)["router"].values()], [1, 0, 0, 0])

    def test_a_cycle_may_be_longer_than_a_read(self):
        texts = [self.cell(*size).replace("min_period : 0.01", "min_period : 3") for size in self.SIZES]
        terms = self.added(texts)["router"]["period"][0]["terms"]
        self.assertAlmostEqual(terms["1"], 3)
        self.assertAlmostEqual(terms.get("log2(words)", 0), 0)

    def test_figures_that_are_none_are_refused(self):
        all = [self.cell(*size) for size in self.SIZES]
        for texts, said in [(all[:3], "3 memories .* are too few"),
                            ([self.cell(*size, energy=1345) for size in self.SIZES], "same energy, 1.345 pJ: such figures are placeholders"),
                            ([self.cell(64, bits) for bits in (8, 16, 24, 32)], "too few sizes"),
                            (all[:3] + [self.cell(16, 8, type="rom")], "3 memories .* are too few"),
                            (all + [all[0].replace("1.1;", "0.9;")], r"0.lib is of the corner .*1.1 V.*5.lib of .*0.9 V"),
                            ([text.replace("1.1;", "0.9;") for text in all], "0.9 V, and the table t of 1.1 V"),
                            (all + [all[0].replace("min_period : 0.01;", "")], "5.lib: memory m32x16 has no `min_period`"),
                            (all + [all[0].replace("area : ", "area : -")], "5.lib: memory m32x16: area is -.*; it must be above 0"),
                            (all + [all[0].replace("clock : true;", "")], "5.lib: memory m32x16 has no pin with `clock : true`"),
                            (all + [all[0].replace("values (", "valves (")], "5.lib: a table `rise_power` has no `values`"),
                            (all + [all[0].replace("word_width : 16", "word_width : wide")], "5.lib: could not convert string to float: 'wide'")]:
            with self.subTest(said), self.assertRaisesRegex(Wrong, said):
                self.added(texts)


class PeriodTest(unittest.TestCase):
    def test_a_router_is_synthesized_once(self):
        """By a script that is the same in every checkout."""
        self.assertIn("abc -liberty library", period.recipe())
        self.assertNotIn(str(period.ROOT), period.recipe())
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, SARE_POWER_CACHE=folder), \
                mock.patch.object(period.cost, "period", return_value=2.75) as made:
            library = SimpleNamespace(name="mine", path=Path("mine.lib"), key="1", driver=lambda: "BUF", latch=lambda: None)
            self.assertEqual([period.of_router(Router(vcs=2), library) for _ in range(2)], [2.75, 2.75])
            self.assertEqual(made.call_args_list, [mock.call((str(Router(vcs=2)), Router(vcs=2).parameters()), library.path, "BUF", "")])
            ratios = [2.75 / period.published()[row] for row in period.SCALED_BY]
            self.assertAlmostEqual(period.scale_of(library), np.prod(ratios) ** (1 / len(ratios)), 9)


class FitTest(unittest.TestCase):
    def test_products(self):
        self.assertEqual(fit.product("ports^2*vcs", dict(ports=3, vcs=2)), 18)
        self.assertEqual(fit.product("log2(depth)*width", dict(depth=8, width=10)), 30)
        # 0, 1, 2 and 0 again: the multiplexer of 0 and 1 selects anew twice, the one behind it twice, which has another output each time.
        self.assertAlmostEqual(fit.product("mux_selects(depth)", dict(depth=3)), 4 / 3)
        self.assertAlmostEqual(fit.product("mux_outputs(depth)", dict(depth=3)), 5 / 3)
        self.assertEqual(fit.product("mux_selects(depth)*width", dict(depth=4, width=2)), 5)
        self.assertEqual(fit.product("mux_outputs(depth)", dict(depth=8)), 7)
        self.assertEqual([fit.product("bits(depth)", dict(depth=d)) for d in (7, 8)], [3, 4])
        self.assertEqual([fit.product("clog2(depth)", dict(depth=d)) for d in (1, 8, 9)], [0, 3, 4])
        self.assertEqual([fit.product("flips(depth)", dict(depth=d)) for d in (8, 11, 6)], [4, 1, 2])

    def test_recovers_costs(self):
        draw = np.random.Generator(np.random.PCG64(1))
        a = draw.random((40, 4))
        x = fit.nonnegative(a, a @ np.array([3.0, 0.5, 0.0, -1.0]), np.array([False, False, False, True]))
        np.testing.assert_allclose(x, [3.0, 0.5, 0.0, -1.0], atol=0.02)
        held = fit.nonnegative(a, a @ np.array([3.0, 0.5, 0.0, -1.0]), np.zeros(4, bool))
        self.assertTrue((held >= 0).all())

    def test_draws_to_another_table(self):
        """What rows tell is theirs, else another's times the factor of the component."""
        base = fit.Fitted([Term("va", e, "event", "1") for e in ("va_grant", "va_request", "turn")], np.array([1.0, 2.0, 3.0]), {})
        draw = np.random.Generator(np.random.PCG64(1))

        def fitted(costs: tuple) -> np.ndarray:
            rows = [SimpleNamespace(setting={}, events={"va_grant": a, "va_request": b, "turn": 0.0}, energy={"va": costs[0] * a + costs[1] * b})
                    for a, b in draw.random((40, 2))]
            return fit.fit_energy(rows, base).coefficients

        np.testing.assert_allclose(fitted((10, 20)), [10, 20, 30], atol=1e-6)
        other = fitted((12, 18))
        self.assertTrue(10.5 < other[0] < 12.5 and 17 < other[1] < 19.5 and 25 < other[2] < 32, other)

    def test_table_keeps_what_was_fitted(self):
        terms = [Term("buffers", "buffer_write", "event", "1"), Term("buffers", "buffer_write", "bit", "width"),
                 Term("buffers", "buffer_write", "event", "1", (("clock_gating", True),), True)]
        entries = table.entries(fit.Fitted(terms, np.array([3.0, 0.25, -1.0]), {"buffers": 0.1}), "energy")
        setting = Router(width=16, clock_gating=True).settings()
        found = table.energy({"router": {"energy": entries}}, setting, {"buffer_write": 10.0}, 0.5)
        self.assertAlmostEqual(found["buffers"], 10 * (3 - 1) + 10 * 16 * 0.5 * 0.25 * 16)
        row = SimpleNamespace(setting=setting, events={"buffer_write": 10.0}, activity=0.5)
        self.assertEqual(fit.count(terms[1], row), 80)


if __name__ == "__main__":
    unittest.main()
