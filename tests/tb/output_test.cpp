// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

/// Directories that are there, disks that are full: one line, and nothing destroyed.
namespace sare::test::output_test {
namespace {

class output : public program {
  protected:
    void SetUp() override {
        program::SetUp();
        write("small.yaml", small);
    }
    /// No directory of a run that failed is left.
    bool tidy() const {
        for (const auto& entry : std::filesystem::directory_iterator(at("")))
            if (entry.path().filename().string().find(".partial-") != std::string::npos) return false;
        return true;
    }
};

TEST_F(output, RefusesToReplaceAResultBeforeTheRun) {
    ASSERT_EQ(sare("run small.yaml --out a --no-report --quiet").status, 0);
    const std::string before = read("a/summary.json");
    const outcome o = sare("run small.yaml --seed 3 --out a --no-report");
    EXPECT_EQ(o.status, 1);
    EXPECT_EQ(o.out, "");
    EXPECT_EQ(o.err, "sare: a: exists already; choose another --out or replace it with --overwrite\n");
    EXPECT_EQ(read("a/summary.json"), before);
    EXPECT_TRUE(tidy());
}

TEST_F(output, ReplacesAResultAndNothingElse) {
    ASSERT_EQ(sare("run small.yaml --out a --no-report --quiet").status, 0);
    write("a/old.txt", "of the old one");
    EXPECT_EQ(sare("run small.yaml --seed 3 --out a/ --no-report --quiet --overwrite").status, 0);
    EXPECT_EQ(read_json("a/summary.json")["seed"], 3);
    EXPECT_FALSE(std::filesystem::exists(at("a/old.txt")));
    write("letters/one.txt", "dear");
    const outcome o = sare("run small.yaml --out letters --no-report --overwrite");
    EXPECT_EQ(o.status, 1);
    EXPECT_EQ(read("letters/one.txt"), "dear");
    EXPECT_TRUE(tidy());
}

TEST_F(output, KeepsTheOldResultWhenTheNewOneFails) {
    ASSERT_EQ(sare("run small.yaml --out a --no-report --quiet").status, 0);
    const std::string before = read("a/summary.json");
    const outcome o =
        shell("ulimit -f 1; sare run small.yaml --seed 3 --out a --no-report --quiet --overwrite");
    EXPECT_EQ(o.status, 1);
    EXPECT_NE(o.err.find("cannot be written: File too large\n"), std::string::npos) << o.err;
    EXPECT_EQ(read("a/summary.json"), before);
    EXPECT_TRUE(tidy());
}

TEST_F(output, TakesAnEmptyDirectory) {
    std::filesystem::create_directories(at("empty"));
    EXPECT_EQ(sare("run small.yaml --out empty --no-report --quiet").status, 0);
    EXPECT_TRUE(std::filesystem::exists(at("empty/summary.json")));
}

TEST_F(output, ReportsAFullDiskInOneLine) {
    const outcome o =
        shell("mkdir disk; unshare -rm bash -c \"mount -t tmpfs -o size=16k none disk && " SARE_PROGRAM
              " run small.yaml --out disk/a --no-report --quiet; echo status=\\$?; ls disk\"");
    if (o.out.find("status=") == std::string::npos) GTEST_SKIP() << "no user namespace: " << o.err;
    EXPECT_EQ(o.out, "status=1\n");
    EXPECT_EQ(o.err.rfind("sare: disk/a", 0), 0u) << o.err;
    EXPECT_NE(o.err.find("cannot be written: No space left on device\n"), std::string::npos) << o.err;
}

TEST_F(output, ReportsAFullStandardOutput) {
    const outcome o = shell("sare describe > /dev/full");
    EXPECT_EQ(o.status, 1);
    EXPECT_EQ(o.err, "sare: standard output: No space left on device\n");
    EXPECT_EQ(sare("topo small.yaml --edges --out /dev/null/x").status, 1);
}

TEST_F(output, LeavesNothingOfAFailedRun) {
    const outcome o = sare(
        "run small.yaml --out a --no-report --set traffic.pattern=butterfly --set \"network.dims=[3, 3]\"");
    EXPECT_EQ(o.status, 1);
    EXPECT_FALSE(std::filesystem::exists(at("a")));
    EXPECT_TRUE(tidy());
}

/// A picture or a page under the name of an experiment might be the user's.
TEST_F(output, WritesNothingElseOverAnExperiment) {
    const std::string before = read("small.yaml");
    for (const char* command :
         {"record small.yaml --to 500", "topo small.yaml --svg", "topo small.yaml --edges"}) {
        const outcome o = sare(std::string(command) + " --out small.yaml");
        EXPECT_EQ(o.status, 2) << command;
        EXPECT_EQ(o.err,
                  "sare: --out small.yaml: that is the name of an experiment; choose another ending\n");
    }
    EXPECT_EQ(read("small.yaml"), before);
}

TEST_F(output, RefusesAReportWithoutAResult) {
    const outcome o = sare("report .");
    EXPECT_EQ(o.status, 1);
    EXPECT_EQ(o.err, "sare: .: neither summary.json (of a run) nor sweep.csv (of a sweep) is in it\n");
}

/// What cannot be written is a failure, the page too.
TEST_F(output, FailsWhenItsPageCannotBeWritten) {
    const outcome o = shell("ulimit -f 16; sare run small.yaml --quiet --no-store --out r");
    EXPECT_EQ(o.err, "sare: warning: no report.html: r/report.html: File too large\n");
    EXPECT_EQ(o.status, 1);
    EXPECT_TRUE(std::filesystem::exists(at("r/summary.json")));
    write("link.yaml",
          "network: {topology: crossbar, n: 2}\ntraffic: {workload: bernoulli, load: 0.1}\n"
          "measurement: {warmup: 100, batch: 100, batches: 2}\n");
    const std::string search = "sare saturate link.yaml --quiet --no-store --runs 2 --out t";
    EXPECT_EQ(shell("ulimit -f 1024; " + search + " --no-report").status, 0);
    const outcome full = shell("ulimit -f 16; " + search);
    EXPECT_EQ(full.err, "sare: warning: no report.html: t/report.html: File too large\n");
    EXPECT_EQ(full.status, 1);
    EXPECT_EQ(shell("ulimit -f 64; sare run small.yaml --quiet --no-store --no-report --out s").status, 0);
}

}  // namespace
}  // namespace sare::test::output_test
