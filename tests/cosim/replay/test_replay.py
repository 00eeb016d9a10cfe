# SPDX-License-Identifier: Apache-2.0
"""The example's router, and a broken copy, in a test as for cocotb: test_replay.py LIBSARE_DPI LIBFOREIGN_ROUTER."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tb/dpi"))
from sare_replay import Bench, ReadOnly, RisingEdge, replay, run  # noqa: E402

DPI, LIBRARY = sys.argv[1:3]
EXAMPLE = ROOT / "tb/examples/foreign_router"
MINE = (2, 4, 1, 3, 0)  # its port for Sare's


class Pins:
    """foreign_router's pins."""

    def __init__(self, dut):
        self.dut = dut

    @staticmethod
    def put(signal, lsb, width, value):
        """Sets some bits of a signal."""
        mask = ((1 << width) - 1) << lsb
        signal.value = (int(signal.value) & ~mask) | (int(value) << lsb & mask)

    def drive(self, port, flit):
        """A flit, or none, at an input."""
        p = MINE[port]
        self.put(self.dut.rx_vld, p, 1, flit is not None)
        if flit is not None:
            word = flit["head"] << 47 | flit["tail"] << 46 | (flit["destination"] & 63) << 40 | flit["data"] & (1 << 40) - 1
            self.put(self.dut.rx_dat, 48 * p, 48, word)

    def drive_back(self, port, vcs):
        """Ready at an output."""
        self.put(self.dut.tx_rdy, MINE[port], 1, vcs)

    def read(self, port):
        """The flit at an output."""
        p = MINE[port]
        if not int(self.dut.tx_vld.value) >> p & 1:
            return None
        word = int(self.dut.tx_dat.value) >> 48 * p
        return word >> 47 & 1, word >> 46 & 1, 0, word & (1 << 40) - 1

    def read_back(self, port):
        """Ready at an input."""
        return int(self.dut.rx_rdy.value) >> MINE[port] & 1


def router_test(case, seed=1):
    """A test as cocotb calls it."""
    async def test(dut):
        bench = Bench(DPI, case, router=5, seed=seed, cycles=1000)
        dut.RESET.value = dut.prog_we.value = 1
        for node in range(16):
            dut.prog_adr.value = node
            dut.prog_dat.value = MINE[bench.route(node)]
            await RisingEdge(dut.CK)
        dut.prog_we.value = 0
        for _ in range(4):
            await RisingEdge(dut.CK)
        dut.RESET.value = 0
        await ReadOnly()
        try:
            await replay(bench, Pins(dut), dut.CK)
        finally:
            bench.close()
    return test


class ReplayTest(unittest.TestCase):
    def test_the_router_agrees_under_random_traffic(self):
        for seed in (1, 2):
            run(router_test(LIBRARY, seed), DPI, EXAMPLE / "foreign_router.v")

    def test_a_case_finds_what_it_was_shrunk_for(self):
        with tempfile.TemporaryDirectory() as folder:
            case = Path(folder) / "case.yaml"
            case.write_text(f"""network: {{topology: mesh, dims: [4, 4]}}
routing: dor
router: {{vcs: 1, depth: 4}}
nic: {{ejection_depth: 4}}
traffic: {{workload: bernoulli}}
cosim: {{rtl: '{LIBRARY}', replace: all}}
plugin_case:
  folder: '{folder}'
  router: 5
  cycles: 40
  packets: [[4, 0, 9, 0, 3, 5], [0, 0, 4, 0, 4]]
  credits: []
""")
            run(router_test(case), DPI, EXAMPLE / "foreign_router.v")
            for source in EXAMPLE.glob("*.v"):
                shutil.copy(source, folder)
            broken = Path(folder) / "foreign_router.v"
            text = broken.read_text()
            self.assertIn("dat  <= word", text)
            broken.write_text(text.replace("dat  <= word", "dat  <= word ^ 48'h100000"))
            with self.assertRaisesRegex(AssertionError, "cycle [0-9]+: .*data"):
                run(router_test(case), DPI, broken)

    def test_a_bench_in_systemverilog(self):
        with tempfile.TemporaryDirectory() as folder:
            router = (EXAMPLE / "foreign_router.v").read_text()
            self.assertIn("dat  <= word", router)
            (Path(folder) / "foreign_router.v").write_text(
                router.replace("dat  <= word", "dat <= $test$plusargs(\"broken\") ? word ^ 48'h100000 : word"))
            flags = " ".join(f"OPT_{part}=-O0" for part in ("FAST", "SLOW", "GLOBAL"))
            subprocess.run(["verilator", "--binary", "--top", "foreign_bench", "-MAKEFLAGS", flags,
                            ROOT / "tb/dpi/sare_dpi_pkg.sv", EXAMPLE / "foreign_bench.sv", "foreign_router.v",
                            EXAMPLE / "sr_fifo.v", DPI], cwd=folder, check=True, capture_output=True,
                           env={**os.environ, "OBJCACHE": shutil.which("ccache") or ""})

            def bench(*arguments):
                return subprocess.run([Path(folder) / "obj_dir/Vforeign_bench", *arguments], cwd=folder,
                                      capture_output=True, text=True, check=False)
            for seed in (1, 2):
                done = bench(f"+case={LIBRARY}", f"+seed={seed}")
                self.assertEqual((done.returncode, done.stdout.splitlines()[0]), (0, "the router agrees"), done)
            self.assertRegex(bench(f"+case={LIBRARY}", "+broken").stdout, "cycle [0-9]+: .*data .*, which no flit has")
            self.assertRegex(bench("+case=/none.yaml").stdout, "/none.yaml: cannot be read")

    def test_what_is_no_case_is_refused(self):
        with self.assertRaisesRegex(ValueError, "no such file|cannot be"):
            Bench(DPI, "/none.yaml")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
