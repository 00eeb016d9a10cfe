// SPDX-License-Identifier: Apache-2.0
#include "tests/cosim/found_file.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

/// The testbench tb/rtl_bench on the router as it is, and on copies with a mistake.
namespace {

namespace fs = std::filesystem;

struct outcome {
    int status = 0;
    std::string text;  ///< stdout and stderr
};

outcome rtl_bench(const std::string& options, const std::string& rtl = "") {
    const std::string command = (rtl.empty() ? "" : "SARE_RTL='" + rtl + "' ") +
                                "SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1 '" RTL_BENCH "' " + options + " 2>&1";
    FILE* pipe = popen(command.c_str(), "r");
    outcome o;
    char buffer[4096];
    while (const std::size_t n = fread(buffer, 1, sizeof buffer, pipe)) o.text.append(buffer, n);
    const int status = pclose(pipe);
    o.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    return o;
}

const char* const small = "--ports 3 --vcs 2 --depth 4 --cycles 20000 ";

TEST(RtlBench, CoversAllOfASmallRouter) {
    const outcome o = rtl_bench(small + std::string("--speculative --no-holes"));
    EXPECT_EQ(o.status, 0) << o.text;
    EXPECT_NE(o.text.find("speculation  "), std::string::npos);
}

/// The latency through an idle router is checked, too.
TEST(RtlBench, RunsRoutersWithLongStages) {
    const outcome o =
        rtl_bench(small + std::string("--rc-delay 2 --va-delay 3 --sa-delay 2 --st-delay 0 --va-allocator "
                                      "wavefront --sa-allocator wavefront --memory-buffers --clock-gating"));
    EXPECT_EQ(o.status, 0) << o.text;
}

TEST(RtlBench, MarksHolesAndRefusesNonsense) {
    const outcome few = rtl_bench(small + std::string("--speculative --no-holes --cycles 60"));
    EXPECT_EQ(few.status, 1);
    EXPECT_NE(few.text.find("HOLE: "), std::string::npos) << few.text;
    const outcome classes = rtl_bench("--vcs 3 --classes 2");
    EXPECT_EQ(classes.status, 2);
    EXPECT_EQ(classes.text, "rtl_bench: --vcs must be a multiple of --classes\n");
    const outcome deep = rtl_bench("--depth 99");
    EXPECT_EQ(deep.status, 2);
    EXPECT_EQ(deep.text, "rtl_bench: router.depth must be from 2 to 64\n");
    const outcome ports = rtl_bench("--ports 17");
    EXPECT_EQ(ports.status, 2);
    EXPECT_EQ(ports.text, "rtl_bench: --ports: 'ports' is 17; it must be from 2 to 16\n");
}

struct mistake {
    const char *name, *file, *from, *to, *options, *line;
};

std::string text_of(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// A copy of rtl/ with one edit, and without its assertions: the testbench alone must see it.
fs::path broken_copy(const mistake& m) {
    fs::path copy = fs::path(testing::TempDir()) / (std::string("sare_rtl_") + m.name);
    fs::remove_all(copy);
    fs::copy(SARE_SOURCE_DIR "/rtl", copy, fs::copy_options::recursive);
    const fs::path edited = sare::test::found_file(copy, m.file);
    std::string text = text_of(edited);
    const std::size_t at = text.find(m.from);
    if (at == std::string::npos) throw std::runtime_error(std::string(m.file) + " has no " + m.from);
    std::ofstream(edited) << text.replace(at, std::string(m.from).size(), m.to);
    std::ofstream(copy / "sare_assert.svh") << "`define SARE_ASSERT(name_, condition_)\n";
    return copy;
}

class rtl_mistake : public testing::TestWithParam<mistake> {};

TEST_P(rtl_mistake, IsFoundByTheBench) {
    const mistake& m = GetParam();
    const fs::path rtl = broken_copy(m);
    const outcome o = rtl_bench(small + std::string(m.options), rtl);
    fs::remove_all(rtl);
    EXPECT_EQ(o.status, 1);
    EXPECT_NE(o.text.find(m.line), std::string::npos) << o.text;
}

const mistake mistakes[] = {
    {"table", "sare_route_table.sv", "<= cfg_port_i", "<= cfg_port_i == '0 ? RouteWidth'(1) : cfg_port_i", "",
     ": wrong port (packet from port "},
    {"credit", "sare_credit_counter.sv", "any_q | credit_i;", "1'b1;", "", ": no credit (packet from port "},
    {"buffer", "sare_vc_buffer.sv", "read_q == Last ? '0", "read_q == Last ? PlaceWidth'(1)", "",
     ": a flit that is not in the router"},
    {"atomic", "sare_output_vc.sv", "(all | ", "(1'b1 | ", "--reallocation atomic",
     ": VC used again before all its credits are back (packet from port "},
};

INSTANTIATE_TEST_SUITE_P(rtl, rtl_mistake, testing::ValuesIn(mistakes),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
