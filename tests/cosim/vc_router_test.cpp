// SPDX-License-Identifier: Apache-2.0
#include "tests/cosim/foreign_mesh.h"

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>

/// tb/examples/vc_router, with VCs, credits and look-ahead, among our routers; and copies that are broken.
namespace sare::cosim::vc_router_test {
namespace {

using namespace test;

foreign_setting original() {
    foreign_setting s;
    s.library = VC_ROUTER;
    s.vcs = s.depth = 4;
    s.replace = "0, 5-6, 15";
    s.watched = 0.5;
    return s;
}

TEST(VcRouter, DeliversEverythingAmongOurRouters) {
    EXPECT_EQ(in_own_process(original()), "");
}

TEST(VcRouter, DeliversEverythingAtLowLoad) {
    foreign_setting s = original();
    s.load = 0.01;
    s.messages = 2000;
    EXPECT_EQ(in_own_process(s), "");
}

TEST(VcRouter, RefusesRoutersAndNetworksItWasNotVerilatedFor) {
    foreign_setting s = original();
    s.replace = "5, 9";
    EXPECT_EQ(in_own_process(s),
              "error: test.yaml:1:1: cosim.rtl: router 9 is none of the ROUTERS that this library has: 0, 5, "
              "6, 15");
    s.replace = "5";
    s.network = "mesh dims=5,4";
    EXPECT_EQ(in_own_process(s),
              "error: test.yaml:1:1: cosim.rtl: vc_router is made for meshes with four columns");
    s.network = "mesh dims=4,4";
    s.depth = 8;
    EXPECT_EQ(in_own_process(s),
              "error: test.yaml:1:1: cosim.rtl: router 5 has router.depth: 8; vc_router is made for 4");
}

// ---- broken ones ------------------------------------------------------------------------------------------

struct broken_vc_router {
    const char* name;
    const char* line;  ///< regular expression of what the scoreboard says
};

class broken_vc : public testing::TestWithParam<broken_vc_router> {};

TEST_P(broken_vc, IsCaught) {
    foreign_setting s = original();
    s.library = std::string(BROKEN) + "/libvc_" + GetParam().name + ".so";
    s.replace = "5";
    s.load = 0.25;
    const std::string line = in_own_process(s);
    const std::regex expected(
        "error: Error: /sare/cosim: mixed\\.r5, cycle [0-9]+: (port|output) [0-4],? VC [0-3]: " +
        std::string(GetParam().line) + "\nIn file(.|\n)*");
    EXPECT_TRUE(std::regex_match(line, expected)) << line;
}

const broken_vc_router all_broken[] = {
    {"ignores_credits", "packet .*: is sent without a credit"},
    {"forgets_credits", "4 credits, [1-4] not used since cycle .*; at input [0-4], VC [0-3] packet .* waits"},
    {"believes_in_five", "packet .*: is sent without a credit"},
    {"mixes_packets", "packet .*: is a head and not marked so"},
    {"credits_vc_0", "a credit comes back for no flit"},
    {"keeps_credits",
     ". credits do not come back( from the empty router|, although their flits have left); the first .*"},
    {"keeps_body_credits", ". credits do not come back, although their flits have left; the first .*"},
    {"changes_vc", "packet .*: leaves on another VC than its packet's head"},
    {"forgets_the_last", "packet .*: is a tail and not marked so"},
    {"misroutes", "packet .*: is misrouted: port . is its way"},
    {"loses_flits",
     "packet .*: (comes out where flit .* should: lost, or overtaken|is misrouted: .*|"
     "is a head and not marked so|came in and could have left .*)"},
    {"corrupts_data", "data 0x.* comes out, which no flit has; .*"},
    {"swaps_coordinates_ahead", "packet .*: looks ahead to port . at router ., where port . is its way"},
    {"is_another_router", "packet .*: looks ahead to port . at router ., where port . is its way"},
    {"is_slow", "packet .* took 3 cycles through the empty router; declared are 2 to 2"},
};

INSTANTIATE_TEST_SUITE_P(vc_router, broken_vc, testing::ValuesIn(all_broken),
                         [](const auto& one) { return std::string(one.param.name); });

// ---- the page ---------------------------------------------------------------------------------------------

std::string text_of(const std::string& file) {
    std::ifstream in(SARE_SOURCE_DIR + std::string("/") + file);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// What docs/cosim-router.md shows of pins is in routers that are tested here and in sv_router_test.cpp, line
/// by line.
TEST(VcRouter, IsQuotedOnItsPageAsTested) {
    std::string sources;
    for (const char* file :
         {"tb/examples/vc_router/vc_adapter.cpp", "tb/examples/vc_router/CMakeLists.txt",
          "tests/cosim/sv_router/sv_adapter.cpp", "tests/cosim/sv_router/sv_router_pins.sv"})
        sources += text_of(file);
    std::string page = text_of("docs/cosim-router.md");
    page = page.substr(page.find("\n## Other pins"));
    std::istringstream lines(page.substr(0, page.find("\n## ", 1)));
    bool quoted = false;
    int seen = 0;
    for (std::string line; std::getline(lines, line);) {
        const bool fence = line.rfind("```", 0) == 0;
        if (fence) quoted = !quoted;
        if (fence || !quoted) continue;
        ++seen;
        EXPECT_NE(sources.find(line + "\n"), std::string::npos) << line;
    }
    EXPECT_EQ(seen, 21);  // all that the page quotes
}

}  // namespace
}  // namespace sare::cosim::vc_router_test
