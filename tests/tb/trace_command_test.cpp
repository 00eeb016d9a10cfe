// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

/// The commands `sare trace ...`.
namespace sare::test::trace_command_test {
namespace {

class trace : public program {
  protected:
    const std::string cg = SARE_SOURCE_DIR "/tb/experiments/cg.S.16/cg.S.16.index";
    std::string tool(const std::string& arguments) const { return sare("trace " + arguments).err; }
};

constexpr char ring[] =
    "sare-trace 2\ntasks 3\n0 recv 1 8\n0 send 2 8\n1 recv 2 8\n1 send 0 8\n2 recv 0 8\n2 send 1 8\n";

TEST_F(trace, ConvertsToEveryFormatAndCompression) {
    const std::string numbers = sare("trace info " + cg).out;
    EXPECT_NE(numbers.find("events                      164,843\n"), std::string::npos) << numbers;
    for (const char* ending : {"", ".gz", ".bz2", ".xz", ".zst"})
        for (const char* format : {"sare", "binary"}) {
            const std::string file = std::string("t") + ending;
            EXPECT_EQ(sare("trace convert " + cg + " --to " + format + " --out " + file).status, 0);
            EXPECT_EQ(sare("trace info " + file).out, numbers) << file << " " << format;
        }
    const outcome goal = sare("trace convert " + cg + " --to goal --out t --collective bcast=linear");
    EXPECT_EQ(goal.status, 0);
    EXPECT_NE(goal.err.find("16 calls of bcast are written out as messages, by linear"), std::string::npos);
    EXPECT_EQ(sare("trace check t").out, "t: good, 16 tasks\n");
}

/// What was there stays, whatever goes wrong; and nothing else is left.
/// Killed in the middle, it leaves nothing behind: what it writes has no name until it is complete.
TEST_F(trace, LeavesNothingOfAKilledConversion) {
    const outcome o = shell(
        "mkdir x; (echo sare-trace 3; echo tasks 1; yes 0 compute 1 | head -n 4000000) > long\n"
        "\"$SARE\" trace convert long --to sare --out x/out & pid=$!\n"
        "until ls -l /proc/$pid/fd 2>/dev/null | grep -q \"/x/\"; do kill -0 $pid || exit 3; sleep 0.01; "
        "done\n"
        "kill -KILL $pid; wait $pid; ls -A x");
    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.out, "");
}

TEST_F(trace, ReplacesAFileWholeOrNotAtAll) {
    write("bad", "sare-trace 3\ntasks 2\n0 send 1 8\n1 recv 0 many\n");
    write("out", "what was there");
    for (const char* format : {"sare", "binary", "goal"}) {
        EXPECT_EQ(tool(std::string("convert bad --to ") + format + " --out out"),
                  "sare: bad:4:1: task 1, event 1: the size must be a number, not 'many'\n");
        EXPECT_EQ(read("out"), "what was there");
    }
    // As on a disk that is full.
    const outcome full = shell("ulimit -f 100; sare trace convert " + cg + " --to sare --out out");
    EXPECT_EQ(full.status, 1);
    EXPECT_EQ(full.err.substr(full.err.find("out:")), "out: cannot be written: File too large\n");
    EXPECT_EQ(read("out"), "what was there");
    std::size_t files = 0;
    for (const auto& each : std::filesystem::directory_iterator(at("")))
        files += each.path().filename().string()[0] != '.';
    EXPECT_EQ(files, 2U);
    write("good", ring);
    EXPECT_EQ(tool("convert good --to sare --out nowhere/out"),
              "sare: nowhere/out: cannot be written: No such file or directory\n");
    EXPECT_EQ(sare("trace convert good --to sare --out /dev/null").status, 0);
    EXPECT_EQ(sare("trace convert good --to sare --out good").status, 0);
    EXPECT_EQ(read("good").substr(0, 36), "sare-trace 3\ntasks 3\n0 recv 1 8 0\n0 ");
}

TEST_F(trace, NamesTasksThatWaitForEachOther) {
    write("ring", ring);
    const outcome o = sare("trace check ring");
    EXPECT_EQ(o.status, 1);
    EXPECT_EQ(
        o.err,
        "sare: the trace 'ring' cannot end: tasks 0, 1 and 2 wait for each other\n"
        "sare: ring:3:1: task 0, event 1 (recv from 1, tag 0, 8 bytes) waits for a message from task 1, "
        "tag 0, that never comes\n"
        "sare: ring:5:1: task 1, event 1 (recv from 2, tag 0, 8 bytes) waits for a message from task 2, "
        "tag 0, that never comes\n"
        "sare: ring:7:1: task 2, event 1 (recv from 0, tag 0, 8 bytes) waits for a message from task 0, "
        "tag 0, that never comes\n");
    write("both", "sare-trace 3\ntasks 2\n0 send 1 8\n0 recv 1 8\n1 send 0 8\n1 recv 0 8\n");
    EXPECT_EQ(sare("trace check both").status, 0);
    EXPECT_EQ(sare("trace check both --eager-limit 4").status, 1);
}

/// A run that comes to its end says the first thing that `check` finds.
TEST_F(trace, IsCheckedByTheRunOfItsTasks) {
    const std::string run = "run --quiet --no-report --overwrite --out o e.yaml";
    write("e.yaml", "network: {topology: mesh, dims: [2]}\ntraffic: {workload: trace, file: t}\n");
    const std::string begin = "sare-trace 1\ntasks 2\n";
    for (const char* events : {"0 allreduce 800\n1 barrier\n", "0 bcast 0 800\n1 bcast 0 400\n",
                               "0 send 1 40\n1 recv 0 4\n", "0 send 1 40\n0 send 1 8\n1 recv 0 40\n"}) {
        write("t", begin + events);
        const std::string found = tool("check t");
        EXPECT_EQ(sare(run).err,
                  "sare: warning: the tasks do not agree: " + found.substr(6, found.find('\n') - 6) +
                      "; 'sare trace check' lists all\n");
        EXPECT_EQ(sare(run + " --set traffic.mode=at_will").err, "");
    }
    write("t", begin + "0 send 1 40\n1 recv 0 40\n0 barrier\n1 barrier\n");
    EXPECT_EQ(sare(run).err, "");
    // A long trace is read again only where messages are left.
    std::string events = begin;
    for (int n = 0; n < 51000; ++n) events += "0 send 1 1\n1 recv 0 1\n";
    write("t", events + "0 allreduce 800\n1 barrier\n");
    EXPECT_EQ(sare(run + " --set fidelity=analytic").err.find("agree"), std::string::npos);
    write("t", events + "0 send 1 1\n");
    EXPECT_NE(
        sare(run + " --set fidelity=analytic").err.find("event 51001: send to 1, tag 0, is never received"),
        std::string::npos);
}

TEST_F(trace, WritesPartsByHeadAndCut) {
    write("ring", ring);
    EXPECT_EQ(sare("trace head ring -n 3").out,
              "sare-trace 3\ntasks 3\n0 recv 1 8 0\n0 send 2 8 0\n1 recv 2 8 0\n");
    EXPECT_EQ(sare("trace head ring --tasks 2").out, "sare-trace 3\ntasks 3\n2 recv 0 8 0\n2 send 1 8 0\n");
    EXPECT_EQ(tool("head ring --tasks 3"), "sare: ring: there is no task 3; tasks are 0 to 2\n");
    const outcome part = sare("trace cut ring --tasks 0,2 --to sare --out part");
    EXPECT_EQ(part.status, 0) << part.err;
    EXPECT_EQ(read("part"), "sare-trace 3\ntasks 2\n0 send 1 8 0\n1 recv 0 8 0\n");
    EXPECT_EQ(part.out.substr(0, 8), "events  ");
    EXPECT_EQ(sare("trace cut " + cg + " --from 0.001 --until 0.002 --to binary --out part").status, 0);
    EXPECT_EQ(sare("trace check part").out, "part: good, 16 tasks\n");
}

TEST_F(trace, DrawsMatrixAndTimeLine) {
    write("two",
          "sare-trace 3\ntasks 2\n0 send 1 800\n1 recv 0 800\n0 compute 1\n1 compute 1\n0 barrier\n1 "
          "barrier\n");
    const std::string text = sare("trace info two").out;
    EXPECT_NE(text.find("       0  ··██\n       1  ····\n"), std::string::npos) << text;
    EXPECT_NE(text.find("  bytes       █"), std::string::npos) << text;
    EXPECT_EQ(sare("trace info two --picture two.svg").status, 0);
    EXPECT_NE(read("two.svg").find("from task"), std::string::npos);
    EXPECT_EQ(sare("trace info two --picture two.png").status, 0);
    EXPECT_EQ(read("two.png").substr(1, 3), "PNG");
    EXPECT_EQ(tool("info two --picture nowhere/two.png"),
              "sare: nowhere/two.png: No such file or directory\n");
}

}  // namespace
}  // namespace sare::test::trace_command_test
