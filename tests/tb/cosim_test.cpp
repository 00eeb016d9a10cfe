// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/cosim_program.h"

#include <regex>

/// `sare cosim`, and `sare run` with routers in RTL.
namespace sare::test::cosim_test {
namespace {

TEST_F(cosim, ShadowsANetwork) {
    const outcome o = sare("cosim mesh.yaml --cycles 2000 --seeds 2 -j 2 --speed quick --out out");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(last_line(o.out), "router_cycles=24000 configurations=2 mismatches=0") << o.out;
    const auto results = read_json("out/cosim.json");
    EXPECT_EQ(results["cases"][1]["status"], "agrees");
    EXPECT_GT(results["cases"][1]["packets"], 100);
    EXPECT_NE(read("out/junit.xml").find("<testsuite name=\"sare cosim\" tests=\"2\" failures=\"0\""),
              std::string::npos);
    EXPECT_EQ(sare("cosim mesh.yaml --cycles 500 --speed quick --out out").status, 1);  // it is there
    EXPECT_EQ(sare("cosim mesh.yaml --cycles 500 --speed quick --out out --overwrite").status, 0);
    EXPECT_EQ(read_json("out/cosim.json")["cases"].size(), 1U);
}

TEST_F(cosim, DrawsRandomRoutersAndCountsCoverage) {
    const outcome o =
        sare("cosim --random 2 --seed 8 --most-vcs 8 --cycles 3000 --speed quick --coverage --out out");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_NE(last_line(o.out).find(" configurations=2 mismatches=0"), std::string::npos) << o.out;
    EXPECT_NE(read("out/coverage.txt").find("sare_credit_counter"), std::string::npos);
    EXPECT_GT(read_json("out/cosim.json")["coverage"]["line_percent"], 80);
    EXPECT_NE(read("out/parameters.txt").find("SaArbiter"), std::string::npos);
}

TEST_F(cosim, SaysWhatItCompilesAndThatItWasInterrupted) {
    const outcome o = shell(
        "export SARE_RTL_CACHE=$PWD/cache; $SARE cosim --random 3 --seed 8 --most-vcs 128 --out out & "
        "job=$!\n"
        "until grep -q compiling .out; do sleep 0.1; done; sleep 0.5; kill -INT $job; wait $job; status=$?\n"
        "for n in $(seq 50); do pgrep -f $PWD/cache > /dev/null || break; sleep 0.1; done\n"
        "pgrep -f $PWD/cache; exit $status");
    EXPECT_EQ(o.status, 130) << o.err;
    EXPECT_NE(o.out.find("random 8: compiling sare_router, 14 ports, 3 VCs\n"), std::string::npos) << o.out;
    EXPECT_EQ(last_line(o.out),
              "router_cycles=0 configurations=0 mismatches=0 interrupted=yes, 0 of 3 were run")
        << o.out;  // and no number of a compiler that is still at work
}

TEST_F(cosim, ReportsTheFirstDifferenceWithWaves) {
    change_rtl("sare_rr_arbiter.sv", "else if (served_i) above_q", "else above_q");
    const outcome o =
        shell("SARE_RTL=rtl sare cosim mesh.yaml --set cosim.shadow=4 --cycles 2000 --speed quick --out out");
    EXPECT_EQ(o.status, 1);
    EXPECT_TRUE(std::regex_search(
        o.err,
        std::regex(
            "^sare: mesh seed 1: cycle \\d+, rtl.r4, port \\d: \\w+_o is 0x\\w+ in the model and 0x\\w+ in "
            "the RTL")))
        << o.err;
    EXPECT_NE(o.out.find(": flit out, VC "), std::string::npos) << o.out;
    EXPECT_NE(last_line(o.out).find(" mismatches=1"), std::string::npos);
    EXPECT_GT(read("out/waves/0000.fst").size(), 1000u);
    const std::string signals = shell("fst2vcd out/waves/0000.fst").out;
    EXPECT_NE(signals.find(" model_flit_valid_o "), std::string::npos) << "the model's pins beside the RTL's";
    EXPECT_NE(read("out/junit.xml").find("<failure message=\"cycle "), std::string::npos);
}

TEST_F(cosim, ShrinksARandomRouterThatDiffers) {
    change_rtl("sare_credit_counter.sv", "credits_q <= Width'(Depth)", "credits_q <= Width'(Depth - 1)");
    const std::string how = " --speed quick --no-waves --out ";
    const outcome o =
        shell("SARE_RTL=rtl sare cosim --random 1 --seed 2 --most-vcs 8 --cycles 5000" + how + "out");
    EXPECT_EQ(o.status, 1);
    EXPECT_NE(o.out.find("  random 2: shrunk to 2 ports, 1 VCs, "), std::string::npos) << o.out << o.err;
    EXPECT_EQ(read_json("out/cosim.json")["cases"][0]["shrunk"]["complete"], true);
    EXPECT_NE(read("out/shrunk/random_2_test.cpp").find("\nTEST(Shrunk, random_2) {\n"), std::string::npos);
    EXPECT_EQ(shell("SARE_RTL=rtl sare cosim out/shrunk/random_2.yaml" + how + "again").status, 1);
    const outcome right = sare("cosim out/shrunk/random_2.yaml" + how + "right");
    EXPECT_EQ(right.status, 0) << right.err;
    write("kept.yaml", "regress: {runs: [{experiment: out/shrunk/random_2.yaml, speed: quick}]}\n");
    const outcome kept = sare("regress kept.yaml --no-store --out kept");
    EXPECT_EQ(last_line(kept.out), "cases=1 mismatches=0 errors=0 flaky=0") << kept.out << kept.err;
}

TEST_F(cosim, ComparesOldRtlWithNew) {
    change_rtl("sare_rr_arbiter.sv", "else if (served_i) above_q", "else above_q");
    const std::string draw =
        "sare cosim --random 1 --seed 8 --most-vcs 8 --cycles 500 --speed quick --no-waves "
        "--shrink 0 --old-rtl rtl --out ";
    EXPECT_TRUE(std::regex_search(shell(draw + "other").err,
                                  std::regex("^sare: random 8: cycle \\d+, router, port \\d: \\w+ is 0x\\w+ "
                                             "in the old RTL and 0x\\w+ in the new")));
    const outcome same = shell("SARE_RTL=rtl " + draw + "same");
    EXPECT_EQ(same.status, 0) << same.err << "; the model differs from both";
    const outcome network = shell(
        "sare cosim mesh.yaml --set router.vcs=1 --set cosim.shadow=4 --set cosim.nics=0 --cycles 500 "
        "--speed "
        "quick --no-waves --old-rtl rtl --out network");
    EXPECT_TRUE(std::regex_search(
        network.err, std::regex("^sare: mesh seed 1: cycle \\d+, rtl.r4, port \\d: \\w+ is 0x\\w+ "
                                "in the old RTL and 0x\\w+ in the new")))
        << network.err;
}

/// A NIC whose body flits need no credits.
TEST_F(cosim, ShadowsNics) {
    change_rtl("sare_nic_inject.sv", "open_q ? vc_q & credits : pick", "open_q ? vc_q : pick");
    const std::string line =
        "sare cosim mesh.yaml --set cosim.shadow_nics=0-2 --set traffic.load=0.9 --cycles 500 --speed quick "
        "--out ";
    const outcome good = shell(line + "good");
    EXPECT_EQ(last_line(good.out), "router_cycles=1500 configurations=1 mismatches=0") << good.err;
    const outcome bad = shell("SARE_RTL=rtl " + line + "bad");
    EXPECT_TRUE(
        std::regex_search(bad.err, std::regex("^sare: mesh seed 1: cycle \\d+, rtl.n\\d_rtl: ready_o of "
                                              "sare_nic_inject is 0x0 in the model and 0x1 in the RTL\n$")))
        << bad.err;
    // Waves of both halves end 20 cycles behind the difference, and have the model's pins.
    const unsigned long cycle = std::stoul(bad.err.substr(bad.err.find(": cycle ") + 8));
    EXPECT_EQ(read_json("bad/cosim.json")["cases"][0]["waves"], "waves/0000-inject.fst");
    EXPECT_NE(bad.out.find(", port 0: flit out, VC "), std::string::npos) << bad.out;
    for (const char* half : {"inject", "eject"}) {
        const std::string vcd = shell(std::string("fst2vcd -f bad/waves/0000-") + half + ".fst").out;
        EXPECT_EQ(last_time(vcd), 10 * (cycle + 20)) << half;
        EXPECT_NE(vcd.find(half == std::string("inject") ? " model_ready_o" : " model_credit_o"),
                  std::string::npos)
            << half;
    }
    const std::string both = shell("sare cosim mesh.yaml --set cosim.nics=1 --set cosim.shadow_nics=1").err;
    EXPECT_EQ(
        both.substr(0, both.find('\n')),
        "sare: mesh seed 1: --set cosim.shadow_nics: node 1 is in 'nics' and in 'shadow_nics'; it can be "
        "in one");
}

TEST_F(cosim, WritesWavesOfAnyWindow) {
    const outcome o = sare(
        "cosim mesh.yaml --set network.dims=[2] --set router.vcs=1 --set cosim.shadow=1 --cycles 300 "
        "--speed quick --window 100:150 --router 1 --out out");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_GT(read("out/waves/0000-window.fst").size(), 1000u);
    EXPECT_NE(o.out.find("waves of cycles 100:150 in out/waves/0000-window.fst"), std::string::npos) << o.out;
    EXPECT_NE(read("out/cosim.json").find("\"waves\": \"waves/0000-window.fst\""), std::string::npos);
    EXPECT_EQ(
        sare("cosim mesh.yaml --set network.dims=[2] --set router.vcs=1 --set cosim.shadow=1 --cycles 300 "
             "--speed quick --window 100:149 --router 1 --wave-format saif --out saif")
            .status,
        0);
    const std::string activity = read("saif/waves/0000-window.saif");
    // A window begins half a cycle before its first edge, with the clock low.
    for (const char* part :
         {"(DURATION 495)\n(INSTANCE TOP\n", "    (clk_i (T0 250) (T1 245) (TX 0) (TC 99) (IG 0))\n",
          "    (rst_ni (T0 0) (T1 495) (TX 0) (TC 0) (IG 0))\n", "(flit_valid_o\\[0\\] (T0 "})
        EXPECT_NE(activity.find(part), std::string::npos) << part << activity.substr(0, 1000);
}

/// A NIC whose body flits need no credits.
TEST_F(cosim, DrawsNicsAndShrinksThem) {
    change_rtl("sare_nic_inject.sv", "open_q ? vc_q & credits : pick", "open_q ? vc_q : pick");
    const std::string draw =
        "sare cosim --random 1 --of nics --seed 3 --cycles 2000 --speed quick --shrink 100 --no-waves "
        "--out ";
    const outcome good = shell(draw + "good");
    EXPECT_EQ(good.status, 0) << good.err;
    EXPECT_EQ(last_line(good.out), "router_cycles=2000 configurations=1 mismatches=0");
    // Nothing is compiled already.
    const outcome bad = shell("SARE_RTL=rtl SARE_RTL_CACHE=cache " + draw + "bad");
    EXPECT_EQ(bad.status, 1);
    EXPECT_TRUE(std::regex_search(bad.err, std::regex("^sare: random 3: cycle \\d+, NIC: "))) << bad.err;
    EXPECT_TRUE(std::regex_search(
        bad.out, std::regex("  random 3: shrunk to a NIC of 1 VCs, seed \\d+, cycle \\d\\d?\n")))
        << bad.out;
    EXPECT_NE(read("bad/shrunk/random_3_test.cpp").find("sare::axi::difference(R\"(block_case:"),
              std::string::npos);
    const std::string small = "sare cosim bad/shrunk/random_3.yaml --speed quick --out ";
    const outcome longer = shell(small + "longer --cycles 300 --seed 5");
    EXPECT_EQ(last_line(longer.out), "router_cycles=300 configurations=1 mismatches=0") << longer.err;
    EXPECT_NE(bad.out.find("random 3: compiling sare_nic_inject\n"), std::string::npos) << bad.out;
    const outcome again = shell("SARE_RTL=rtl SARE_RTL_CACHE=cache " + small + "again --no-waves");
    EXPECT_EQ(again.status, 1);
    EXPECT_TRUE(std::regex_search(again.err, std::regex("^sare: random_3: cycle \\d+, NIC: "))) << again.err;
}

TEST_F(cosim, WritesTheSkeletonOfAnAdapter) {
    write(
        "two.sv",
        "module two #(parameter int P = 3) (input logic clk_i, rst_ni, input logic [7:0] flit_i [P],\n"
        "  input logic [P-1:0] valid_i, output logic [P-1:0] ready_o, valid_o, input logic [P-1:0] ready_i,\n"
        "  output logic [7:0] flit_o [P]);\n  part p (.a(valid_i), .b(valid_o));\nendmodule\n");
    write("part.sv", "module part (input logic [2:0] a, output logic [2:0] b); assign b = a; endmodule\n");
    EXPECT_EQ(sare("cosim --new-adapter two.sv").out,
              "two_adapter: 8 pins; two_adapter/two_adapter.cpp is to be completed where it says CHECK\n");
    const std::string adapter = read("two_adapter/two_adapter.cpp");
    for (const char* part : {"///   input  flit_i                   8 bits [3]\n", "        f.ports = 3;",
                             "        top.rst_ni = 0;  // CHECK: active low\n",
                             "        put(top.valid_i, p, 1, flit != nullptr);  // CHECK\n",
                             "        put(top.flit_i[p], 0, 8, flit->data);  // CHECK",
                             "        if (get(top.valid_o, p, 1) == 0) return false;  // CHECK\n",
                             "        top.clk_i = high;  // CHECK\n"})
        EXPECT_NE(adapter.find(part), std::string::npos) << part << adapter;
    write("types.sv",
          "package types; typedef struct packed {logic tail; logic [5:0] dst;} header;\n"
          "typedef struct packed {logic valid; header hdr; logic [37:0] d;} flit; endpackage\n");
    write("top.sv",
          "module top import types::*; #(parameter type T = flit) (input logic clk, input T [2:0] in,\n"
          "  output T [2:0] out, input logic [5:0] credit_in, output logic [5:0] credit_out);\n"
          "  function automatic T same(input T what); return what; endfunction\n"
          "  for (genvar p = 0; p < 3; p++) assign out[p] = same(in[p]);\n  assign credit_out = credit_in;\n"
          "endmodule\n");
    EXPECT_EQ(sare("cosim --new-adapter top.sv types.sv").err, "");
    const std::string of_structures = read("top_adapter/top_adapter.cpp");
    for (const char* part :
         {"///   input  in                       138 bits\n",
          "///            .hdr.tail                1 from bit 44\n", "        f.ports = 3;",
          "        f.vcs = 2;", "        f.data_bits = 38;", "        f.longest_packet = 0;  // CHECK",
          "        f.keeps_vc = false;  // CHECK", "        f.turns_back = true;  // CHECK",
          "        put(top.in, p * 46 + 45, 1, flit != nullptr);  // CHECK\n",
          "        put(top.in, p * 46 + 38, 6, flit->destination);  // CHECK\n",
          "        put(top.in, p * 46, 38, flit->data);  // CHECK\n",
          "        put(top.credit_in, p * 2, 2, vcs);  // CHECK\n",
          "        flit.tail = get(top.out, p * 46 + 44, 1) != 0;  // CHECK\n",
          "        if (get(top.out, p * 46 + 45, 1) == 0) return false;  // CHECK\n",
          "        flit.head = !under_way;  // CHECK"})
        EXPECT_NE(of_structures.find(part), std::string::npos) << part << of_structures;
    EXPECT_EQ(of_structures.find(" what "), std::string::npos);  // no function's pins
    EXPECT_TRUE(std::regex_search(read("top_adapter/CMakeLists.txt"),
                                  std::regex("SOURCES \\S*/types.sv \\S*/top.sv\n")));
    EXPECT_EQ(sare("cosim --new-adapter two.sv").err,
              "sare: two_adapter: is there already; choose another --out\n");
    EXPECT_NE(sare("cosim --new-adapter none.sv").err.find("/none.sv: Verilator does not read it: %Error"),
              std::string::npos);
}

/// Lists of files, folders, macros and parameters; the skeleton is compiled as it is.
TEST_F(cosim, GivesVerilatorWhatTheSkeletonNeeds) {
    write("lib/inc/sizes.vh", "`define WIDTH (`BYTES * 8)\n");
    write("lib/types.sv", "package types; typedef logic [`BYTES * 8 - 1:0] word; endpackage\n");
    write("lib/all.f", "// all but the top\n+incdir+inc\ntypes.sv   # first\n-f more.f\n");
    write("lib/more.f", "fifo.sv\n");
    write("lib/fifo.sv",
          "module fifo (input types::word a, output types::word b); assign b = a; endmodule\n");
    write("lib/parts/cut.sv",
          "module cut (input types::word a, output types::word b); assign b = a[5:0]; endmodule\n");
    write(
        "ring.sv",
        "`include \"sizes.vh\"\nmodule ring import types::*; #(parameter D = 1) (input logic clk, reset_in,\n"
        "  input word dataIn_E, dataIn_W, dataIn_P, output logic [`WIDTH-1:0] dataOut_E, dataOut_W, "
        "dataOut_P,\n"
        "  input logic [D-1:0] vIn_E, vIn_W, vIn_P, output logic [D-1:0] vOut_E, vOut_W, vOut_P);\n"
        "  fifo f (.a(dataIn_E), .b(dataOut_W)); cut c (.a(dataIn_P), .b(dataOut_E));\nendmodule\n");
    EXPECT_EQ(sare("cosim --new-adapter ring.sv -f lib/all.f -I lib/inc -y lib/parts -DBYTES=8 -GD=2").err,
              "");
    const std::string cmake = read("ring_adapter/CMakeLists.txt"),
                      adapter = read("ring_adapter/ring_adapter.cpp");
    EXPECT_TRUE(
        std::regex_search(cmake, std::regex("SOURCES \\S*/lib/types.sv \\S*/lib/fifo.sv \\S*/ring.sv\n")))
        << cmake;
    EXPECT_TRUE(
        std::regex_search(cmake, std::regex("VERILATOR_ARGS -I\\S*/lib/inc -I\\S*/lib/inc -y \\S*/lib/parts "
                                            "-DBYTES=8 -GD=2 -I\\S*\n *-Wno-WIDTH\\w*  # CHECK")))
        << cmake;
    EXPECT_NE(adapter.find("        put(dataIn_of(port), 0, 64, flit->data);  // CHECK"), std::string::npos)
        << adapter;
    EXPECT_NE(adapter.find("        f.ports = 3;  // CHECK"), std::string::npos);
    EXPECT_EQ(shell("cd ring_adapter; verilator --cc -Wno-fatal --Mdir v --top-module ring -I../lib/inc "
                    "-y ../lib/parts -DBYTES=8 -GD=2 "
                    "../lib/types.sv ../lib/fifo.sv ../ring.sv 2>/dev/null && g++ -std=c++17 -fsyntax-only "
                    "-Wall -Wextra "
                    "-Werror -DVM_TRACE=0 -DVM_COVERAGE=0 -DVM_SC=0 -I " SARE_SOURCE_DIR
                    " -isystem v -isystem $(verilator --getenv VERILATOR_ROOT)/include ring_adapter.cpp")
                  .err,
              "");
    EXPECT_EQ(sare("cosim --new-adapter ring.sv -f lib/none.f --out other").err,
              "sare: lib/none.f: no such list of files\n");
    EXPECT_EQ(sare("cosim mesh.yaml -I lib/inc").err.substr(0, 31), "sare: -I is of --new-adapter: a");
}

TEST_F(cosim, MergesFunctionalCoverageOfRuns) {
    const std::string draw = "cosim --random 1 --most-vcs 8 --cycles 500 --speed quick --seed ";
    ASSERT_EQ(sare(draw + "8 --out one").status, 0);
    const outcome o = sare(draw + "9 --drain --coverage-from one --cpu-seconds 100 --out two");
    ASSERT_EQ(o.status, 0) << o.err;
    const auto hit = [this](const char* folder) {
        return read_json(folder + std::string("/cosim.json"))["functional"]["hit"].get<int>();
    };
    EXPECT_GT(hit("two"), hit("one"));
    EXPECT_NE(read("two/holes.txt").find("buffer of an input VC: full, then empty"), std::string::npos);
    write("ucis.txt", coverpoints("two/functional.ucis.xml"));
    EXPECT_EQ(shell("awk -F '|' '{bins += $2; hits += $4} END {print bins, hits}' ucis.txt").out,
              shell("awk -F '\t' '{hits += $3} END {print NR, hits}' two/functional.tsv").out);
    EXPECT_NE(read("ucis.txt"), "");
    EXPECT_EQ(sare("cosim --random 1 --coverage-from three").err,
              "sare: three/functional.tsv: cannot be read: a result of sare cosim --random has it\n");
}

TEST_F(cosim, FindsPacketsThatArriveInAnotherCycle) {
    change_rtl("sare_rr_arbiter.sv", "else if (served_i) above_q", "else above_q");
    const outcome o = shell(
        "SARE_RTL=rtl sare cosim mesh.yaml --set cosim.replace=4 --cycles 2000 --speed quick --out out");
    EXPECT_EQ(o.status, 1);
    EXPECT_TRUE(std::regex_search(o.err, std::regex("^sare: mesh seed 1: cycle \\d+, packet of .* alone\n")))
        << o.err;
}

TEST_F(cosim, NamesThePinOfANic) {
    const auto run = [this](const char* out) {
        return shell(
                   "SARE_RTL=rtl sare cosim mesh.yaml --set cosim.nics=4 --cycles 2000 --speed quick "
                   "--no-waves --out " +
                   std::string(out))
            .err;
    };
    change_rtl("sare_nic_eject.sv", "assign tail_o  = flit_tail_i;", "assign tail_o  = 1'b1;");
    const std::string tail = run("tail");
    EXPECT_TRUE(std::regex_search(tail, std::regex("^sare: mesh seed 1: cycle \\d+, rtl.[^ ]*: tail_o of "
                                                   "sare_nic_eject is 0x1 where 0x0 came in \\(VC \\d, ")))
        << tail;
    // A header goes to no pin of the model's routers.
    std::filesystem::remove_all(at("rtl"));
    change_rtl("sare_nic_inject.sv", "dest_i[c*DestWidth +: DestWidth],",
               "~dest_i[c*DestWidth +: DestWidth],");
    const std::string destination = run("destination");
    EXPECT_TRUE(std::regex_search(destination,
                                  std::regex("^sare: mesh seed 1: cycle \\d+, rtl.[^ ]*: flit_dest_o of "
                                             "sare_nic_inject is 0x\\w+ and should be 0x\\w+ \\(VC \\d, ")))
        << destination;
}

TEST_F(cosim, FindsWrongLookahead) {
    // The coordinates of the destination swapped, for the next router alone.
    change_rtl("sare_route_dor.sv", "assign t    = dest_i[d*CoordWidth +: CoordWidth];",
               "assign t    = dest_i[(Dims-1-d)*CoordWidth +: CoordWidth];");
    const outcome o = shell(
        "SARE_RTL=rtl sare cosim mesh.yaml --set cosim.replace=4 --set router.lookahead=true --cycles 2000 "
        "--speed quick --out out");
    EXPECT_EQ(o.status, 1);
    EXPECT_TRUE(
        std::regex_search(o.err, std::regex("^sare: mesh seed 1: cycle \\d+, rtl.r4: port \\d VC \\d: .*: "
                                            "looks ahead to port \\d at router \\d, where port \\d is its "
                                            "way\n")))
        << o.err;
    EXPECT_NE(last_line(o.out).find(" mismatches=1"), std::string::npos);
    EXPECT_GT(read("out/waves/0000.fst").size(), 1000u);
}

TEST_F(cosim, ReportsInstanceAndLabelOfAnAssertion) {
    change_rtl(
        "sare_rr_arbiter.sv", "endmodule",
        "  never_served: assert property (@(posedge clk_i) disable iff (!rst_ni) !served_i);\nendmodule");
    const outcome o =
        shell("SARE_RTL=rtl sare cosim mesh.yaml --set cosim.shadow=4 --cycles 2000 --speed quick --out out");
    EXPECT_TRUE(std::regex_search(
        o.err,
        std::regex("^sare: mesh seed 1: cycle \\d+, rtl.r4: .*/sare_rr_arbiter.sv:\\d+: Assertion failed in "
                   "sare_router\\..*\\.never_served: ")))
        << o.err;
    EXPECT_NE(last_line(o.out).find(" mismatches=1"), std::string::npos);
}

TEST_F(cosim, ReportsFailuresOfFinalBlocks) {
    const auto run = [this](const std::string& file, const std::string& what) {
        std::filesystem::remove_all(at("rtl"));
        change_rtl(file + ".sv", "endmodule", "  final empty: assert (1'b0);\nendmodule");
        const outcome o = shell("SARE_RTL=rtl sare cosim " + what + " --speed quick --no-waves --overwrite");
        EXPECT_EQ(o.status, 1) << what;
        EXPECT_TRUE(std::regex_search(o.err, std::regex("cycle \\d+, [^:]*: .*/" + file +
                                                        ".sv:\\d+: Assertion failed in .*\\.empty: ")))
            << o.err;
    };
    run("sare_router", "mesh.yaml --set cosim.shadow=4 --cycles 500");
    run("sare_nic_inject", "mesh.yaml --set cosim.nics=4 --cycles 500");
    run("sare_axi_manager_bridge", "--random 1 --of bridges --cycles 500 --shrink 0");
}

TEST_F(cosim, ReportsMistakesInOneLine) {
    const std::pair<const char*, const char*> lines[] = {
        {"sare cosim", "sare: cosim: give an experiment, or --random N for N random routers\n"},
        {"sare cosim mesh.yaml --set cosim.shadow=6-7",
         "sare: mesh seed 1: --set cosim.shadow: there is no router 7; the network has 6, 0 and up\n"
         "sare: 1 of 1 could not be run\n"},
        {"sare cosim mesh.yaml --set cosim.shadow=x",
         "sare: --set cosim.shadow: there is no router 'x'; routers are 0 to 5, and none has a name\n"},
        {"sare cosim mesh.yaml --set router.sa_arbiter=age",
         "sare: mesh seed 1: --set router.sa_arbiter: router.sa_arbiter must be round_robin, matrix, "
         "priority or "
         "weighted "
         "for a router in RTL\n"
         "sare: 1 of 1 could not be run\n"},
        {"SARE_RTL=nowhere sare cosim mesh.yaml",
         "sare: mesh seed 1: nowhere/sare_router.sv: cannot be read: No such file or directory\n"
         "sare: 1 of 1 could not be run\n"},
        {"sare cosim mesh.yaml --window 9:3",
         "sare: --window '9:3' must be FROM:TO, cycles from 1 on, such as 1000:1200\n"},
        {"sare cosim mesh.yaml --router 3",
         "sare: --router says whose waves are written: add --window FROM:TO\n"},
        {"sare cosim --random 1 --seeds 2",
         "sare: --seeds runs an experiment several times: give its file\n"},
        {"sare cosim mesh.yaml --drain", "sare: --drain is of what is drawn at random: add --random N\n"},
        {"sare cosim --random 1 --of nics --steer", "sare: --steer is of routers, not of nics\n"},
        {"sare cosim mesh.yaml --wave-format saif",
         "sare: --wave-format is of waves that are asked for: add --window FROM:TO\n"},
        {"sare cosim --random 1 --threads 2",
         "sare: --threads is of an experiment's network: give its file\n"},
        {"echo 'block_case: {of: nic}' > n.yaml; sare cosim n.yaml --seeds 2",
         "sare: --seeds is of an experiment's network, not of bridges and NICs\n"},
        {"echo 'pin_case: {}' > p.yaml; sare cosim p.yaml --seed 2",
         "sare: p.yaml: a case at the pins says all of its traffic itself; leave out --seed\n"},
    };
    for (const auto& [line, message] : lines) {
        const outcome o = shell(line);
        EXPECT_NE(o.status, 0) << line;
        EXPECT_EQ(o.err, message) << line;
    }
}

TEST_F(cosim, LetsARunTakeRoutersInRtl) {
    const std::string brief =
        " --set measurement.warmup=200 --set measurement.batch=200 --set "
        "measurement.convergence_interval=200 --no-report ";
    ASSERT_EQ(sare("run mesh.yaml --out model" + brief).status, 0);
    const outcome o =
        sare("run mesh.yaml --set 'cosim.replace=[0, 2-3]' --set cosim.shadow=4 --out rtl" + brief);
    ASSERT_EQ(o.status, 0) << o.err;
    const auto model = read_json("model/summary.json"), rtl = read_json("rtl/summary.json");
    EXPECT_EQ(model["latency"], rtl["latency"]);
    EXPECT_EQ(model["packets"], rtl["packets"]);
    EXPECT_EQ(model["hops"], rtl["hops"]);
    // Buffers in RTL are not seen, and not counted as empty ones: four of six routers.
    const auto samples = [this](const std::string& out) {
        unsigned long sum = 0, filled = 0, count = 0;
        std::istringstream in(read(out + "/queues.csv").substr(std::strlen("flits,samples\n")));
        for (char comma = 0; in >> filled >> comma >> count;) sum += count;
        return sum;
    };
    EXPECT_EQ(3 * samples("rtl"), samples("model"));
}

}  // namespace
}  // namespace sare::test::cosim_test
