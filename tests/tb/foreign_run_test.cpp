// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

#include <algorithm>
#include <regex>

/// The program with a foreign router in the network.
namespace sare::test::foreign_run_test {
namespace {

class foreign_router : public program {
  protected:
    void SetUp() override {
        program::SetUp();
        std::filesystem::create_symlink(FOREIGN_ROUTER, at("libmine.so"));
        std::filesystem::create_symlink(BROKEN "/libswaps_ports.so", at("libbroken.so"));
        write("mesh.yaml", small + std::string("router: {vcs: 1}\n"
                                               "cosim: {replace: [5, \"9-10\"], rtl: libmine.so}\n"));
    }
};

TEST_F(foreign_router, RunsInPlaceOfTheModel) {
    const outcome o = sare("run mesh.yaml --out out --no-report");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.err, "");
    const auto all = read_json("out/summary.json");
    EXPECT_GT(all["packets"]["consumed"], 100);
    write("model.yaml", small + std::string("router: {vcs: 1}\n"));
    const outcome model = sare("run model.yaml --out model --no-report");
    EXPECT_EQ(model.status, 0) << model.err;
    EXPECT_NE(all["latency"], read_json("model/summary.json")["latency"]);
}

TEST_F(foreign_router, RunsUnderTheScoreboardAlone) {
    const outcome o = sare("cosim mesh.yaml --cycles 2000 --out out");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_NE(o.out.find("router_cycles=6000 configurations=1 mismatches=0"), std::string::npos) << o.out;
}

TEST_F(foreign_router, EndsInOneLineAndAStatusWhenItErrs) {
    const outcome o = sare("run mesh.yaml --set cosim.rtl=libbroken.so --out out");
    EXPECT_EQ(o.status, 1);
    EXPECT_TRUE(
        std::regex_match(o.err, std::regex("sare: .*r(5|9|10), cycle \\d+: port \\d VC 0: packet \\d+ from "
                                           "node \\d+ to \\d+, flit 0 of \\d+: is misrouted: port \\d is its "
                                           "way\n")))
        << o.err;
}

TEST_F(foreign_router, ReportsAViolationAsAMismatchWithHistory) {
    const outcome o = sare("cosim mesh.yaml --set cosim.rtl=libbroken.so --cycles 2000 --seed 3 --out out");
    EXPECT_EQ(o.status, 1);
    EXPECT_TRUE(std::regex_match(
        o.err,
        std::regex("sare: mesh seed 3: cycle \\d+, rtl.r(5|9|10): port \\d VC 0: packet \\d+ from node "
                   "\\d+ to \\d+, flit 0 of \\d+: is misrouted: port \\d is its way\n")))
        << o.err;
    EXPECT_NE(o.out.find(" configurations=1 mismatches=1"), std::string::npos) << o.out;
    EXPECT_NE(o.out.find(": flit out, VC 0, packet "), std::string::npos) << o.out;
    EXPECT_NE(o.out.find("no waves: this library writes no waves; build it with WAVES"), std::string::npos)
        << o.out;
    const auto found = read_json("out/cosim.json")["cases"][0];
    EXPECT_EQ(found["status"], "mismatch");
    EXPECT_GT(found["history"].size(), 0u);
    EXPECT_EQ(found["waves"], "");
}

TEST_F(foreign_router, RecordsAViolationInWaves) {
    std::filesystem::create_symlink(BROKEN "/libswaps_ports_with_waves.so", at("libwaves.so"));
    const outcome o = sare("cosim mesh.yaml --set cosim.rtl=libwaves.so --cycles 2000 --out out");
    EXPECT_EQ(o.status, 1);
    EXPECT_NE(o.out.find("waves around it in out/waves/0000.fst"), std::string::npos) << o.out;
    EXPECT_GT(read("out/waves/0000.fst").size(), 1000u);
}

/// Scopes with names have destructors that look for a context of Verilator's.
TEST_F(foreign_router, EndsTheRunOnAViolationAmongNamedScopes) {
    std::filesystem::create_symlink(BROKEN "/libhas_named_scopes.so", at("libscopes.so"));
    const outcome o = shell(
        "timeout 100 $SARE cosim mesh.yaml --set cosim.rtl=libscopes.so --set cosim.replace=all --cycles 500 "
        "--out out");
    EXPECT_EQ(o.status, 1) << o.err;
    EXPECT_EQ(o.out.find("interrupted"), std::string::npos) << o.out;
    EXPECT_NE(o.err.find("comes out, which no flit has"), std::string::npos) << o.err;
}

TEST_F(foreign_router, ReportsAFailureOfAFinalBlock) {
    std::filesystem::create_symlink(BROKEN "/libends_full.so", at("libends.so"));
    const std::string all = "cosim mesh.yaml --set cosim.rtl=libends.so --set cosim.replace=all ";
    const outcome o = sare(all + "--set traffic.load=0.9 --cycles 500 --seeds 2 --out out");
    EXPECT_EQ(o.status, 1);
    for (const char* seed : {"1", "2"})
        EXPECT_TRUE(
            std::regex_search(o.err, std::regex(std::string("sare: mesh seed ") + seed +
                                                ": cycle \\d+, rtl\\.r\\d+: \\S*/sr_fifo.v:\\d+: Assertion "
                                                "failed in foreign_router.*drained")))
            << o.err;
    EXPECT_EQ(sare(all + "--set traffic.load=0 --cycles 500 --out idle").status, 0);
    const outcome run =
        sare("run mesh.yaml --set cosim.rtl=libends.so --set cosim.replace=all --no-report --out run");
    EXPECT_EQ(run.status, 1);
    EXPECT_TRUE(
        std::regex_search(run.err, std::regex("sare: /sare/cosim: net\\.r\\d+, cycle \\d+: .*drained")))
        << run.err;
}

TEST_F(foreign_router, CountsCoverageAndPrintsAtMostAHundredLines) {
    std::filesystem::create_symlink(BROKEN "/libtalks.so", at("libtalks.so"));
    const outcome o = sare("cosim mesh.yaml --set cosim.rtl=libtalks.so --cycles 500 --coverage --out out");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 101) << o.err;
    EXPECT_NE(o.err.find("\n(the RTL has printed 100 lines; the rest is left out)\n"), std::string::npos)
        << o.err;
    EXPECT_NE(read("out/coverage.txt").find("\nsr_fifo "), std::string::npos);
    EXPECT_EQ(o.out.find("bins are hit"), std::string::npos) << "only what is drawn counts them: " << o.out;
    const auto all = read_json("out/cosim.json");
    EXPECT_GT(all["coverage"]["line_percent"], 50);
    const std::string parameters = all["cases"][0]["parameters"];
    EXPECT_NE(parameters.find("network.dims=[4,4] "), std::string::npos) << parameters;
    EXPECT_NE(parameters.find(" router.vcs=1 "), std::string::npos) << parameters;

    const outcome none = sare("cosim mesh.yaml --cycles 500 --coverage --out none");
    EXPECT_EQ(none.status, 1);
    EXPECT_EQ(none.err,
              "sare: mesh seed 1: mesh.yaml:5:8: cosim.rtl: libmine.so counts no coverage; build it with "
              "COVERAGE, or leave out --coverage\nsare: 1 of 1 could not be run\n");
}

TEST_F(foreign_router, HasADataSheetAndLosesNothingOfIt) {
    const outcome good = sare("characterise libmine.so --cycles 500 --no-network --json > good.json");
    EXPECT_EQ(good.status, 0) << good.err;
    const outcome again = sare("characterise libmine.so --cycles 500 --baseline good.json -j 2");
    EXPECT_EQ(again.status, 0) << again.err;
    EXPECT_NE(again.out.find("    f.min_latency = 2;\n    f.max_latency = 2;\n    f.depth = 4;\n"),
              std::string::npos)
        << again.out;
    EXPECT_NE(again.out.find("load"), std::string::npos);
    const std::pair<const char*, const char*> worse[] = {
        {"loses_a_place", "sare: buffer places of an input VC: 3 to 4, was 4 to 5\n"},
        {"starves", "sare: least share of an input (1: fair): 0"},
        {"rests", "sare: cycles a flit: 2, was 1\n"},
        {"is_slow", "sare: head latency, idle [cycles]: 3, was 2\n"}};
    for (const auto& [name, line] : worse) {
        const outcome o =
            sare("characterise " BROKEN "/lib" + std::string(name) + ".so --cycles 500 --baseline good.json");
        EXPECT_EQ(o.status, 1);
        EXPECT_NE(o.err.find(line), std::string::npos) << o.err;
    }
}

TEST_F(foreign_router, IsRefusedInOneLine) {
    const outcome none = sare("run mesh.yaml --set cosim.rtl=libnone.so --out out");
    EXPECT_EQ(none.status, 1);
    EXPECT_TRUE(std::regex_match(
        none.err, std::regex("sare: mesh.yaml:5:\\d+: cosim.rtl: .*/libnone.so: no such file\n")))
        << none.err;
    const outcome vcs = sare("check mesh.yaml --set router.vcs=2");
    EXPECT_EQ(vcs.status, 1);
    EXPECT_TRUE(
        std::regex_match(vcs.err, std::regex("sare: mesh.yaml:5:\\d+: cosim.rtl: router 5 has router.vcs: 2; "
                                             "foreign_router is made for 1\n")))
        << vcs.err;
    EXPECT_TRUE(std::regex_match(sare("check mesh.yaml --set 'cosim.rtl={}'").err,
                                 std::regex("sare: .*: 'cosim.rtl' is an empty map; write such as .*\n")))
        << sare("check mesh.yaml --set 'cosim.rtl={}'").err;
}

}  // namespace
}  // namespace sare::test::foreign_run_test
