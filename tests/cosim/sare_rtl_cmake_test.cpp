// SPDX-License-Identifier: Apache-2.0
#include "cosim/router/plugin.h"
#include "tests/support/in_child.h"
#include "tests/tb/program.h"

#include <gtest/gtest.h>

#include <algorithm>

/// sare_add_rtl_router() in a project of its own: what is compiled how, and what a change compiles anew.
namespace sare::cosim::sare_rtl_cmake_test {
namespace {

class kit : public test::program {
  protected:
    void SetUp() override {
        program::SetUp();
        std::filesystem::copy(SARE_SOURCE_DIR "/tests/cosim/kit", at("kit"),
                              std::filesystem::copy_options::recursive);
    }
    std::string configure(const std::string& options = "") {
        const test::outcome o = shell("env -u CXXFLAGS cmake -S kit -B build -G Ninja -DSARE=" SARE_SOURCE_DIR
                                      " -DCMAKE_CXX_COMPILER_LAUNCHER=" LAUNCHER " " +
                                      options);
        EXPECT_EQ(o.status, 0) << o.err;
        return o.out;
    }
    /// What was said; "no work to do" is a word of ninja's.
    std::string build(const std::string& targets) {
        const test::outcome o = shell("cmake --build build --target " + targets);
        EXPECT_EQ(o.status, 0) << o.out << o.err;
        return o.out;
    }
    /// VCs of the facts, and what the pin says at router `number`; or the problem.
    std::string library(const std::string& name, std::uint32_t number = 0) const {
        return test::in_child([&]() -> std::string {
            const router_plugin plugin(at("build/lib" + name + ".so"));
            pins::router_info info;
            info.router = number;
            info.vcs = plugin.facts().vcs;
            info.ports = 1;
            const auto router = plugin.make(info);
            router->reset();
            pins::pin_flit seen;
            router->read(0, seen);
            return std::to_string(info.vcs) + " " + std::to_string(seen.data.word[0]);
        });
    }
};

std::size_t count(const std::string& text, const std::string& what) {
    std::size_t n = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
    return n;
}

TEST_F(kit, OptimisesAndBuildsWhatHasChanged) {
    EXPECT_NE(configure().find("libone.so: module adder from 1 files, Verilated code compiled with -O2"),
              std::string::npos);
    std::string said = build("one two");
    EXPECT_EQ(count(said, "Verilating "), 2u) << said;
    EXPECT_NE(said.find("Verilating one_rtl: module adder"), std::string::npos) << said;
    EXPECT_NE(said.find("kB of C++ to compile"), std::string::npos) << said;
    EXPECT_EQ(library("one"), "1 107");
    EXPECT_EQ(library("two"), "2 114");

    const std::string commands = shell("ninja -C build -t commands one two").out;
    EXPECT_EQ(count(commands, " -c "), count(commands, " -O2 ") + 1) << commands;
    EXPECT_EQ(count(commands, " -O1 "), 1u) << commands;

    EXPECT_NE(build("one two").find("no work to do"), std::string::npos);
    // An included file: everything that has read it, the adapters too, for they include what is made of it.
    write("kit/included/parameters.v", "`define STEP 8'd8\n");
    said = build("one two");
    EXPECT_EQ(count(said, "Verilating "), 2u) << said;
    EXPECT_EQ(count(said, "Building CXX"), 4u) << said;
    EXPECT_EQ(library("one"), "1 108");
    // A definition for one adapter: that file alone.
    configure("-DANSWER=4");
    said = build("one two");
    EXPECT_EQ(count(said, "Verilating "), 0u) << said;
    EXPECT_EQ(count(said, "Building CXX"), 1u) << said;
    EXPECT_EQ(library("one"), "4 108");
    EXPECT_EQ(library("two"), "2 116");
}

TEST_F(kit, VerilatesOnceForEachRouter) {
    configure();
    build("each");
    EXPECT_EQ(library("each", 3), "1 137");
    EXPECT_EQ(library("each", 5), "1 164");
    const std::string none = library("each", 4);
    EXPECT_NE(none.find("router 4 is none of the ROUTERS that this library has: 3, 5"), std::string::npos)
        << none;
    const test::outcome o = shell("sed -i \"s/5 -GID/3 -GID/\" kit/CMakeLists.txt; cmake -S kit -B build");
    EXPECT_NE(o.status, 0);
    EXPECT_NE(o.err.find("ROUTERS has '3 -GID=8'd50 -DTWICE'; it must"), std::string::npos) << o.err;
}

/// a[2] sets what negates itself.
TEST_F(kit, ReportsALoopThatDoesNotSettleInOneLine) {
    configure();
    build("loop");
    const std::string line = library("loop");
    EXPECT_NE(line.find("/adder.v:2: Settle region did not converge."), std::string::npos) << line;
}

}  // namespace
}  // namespace sare::cosim::sare_rtl_cmake_test
