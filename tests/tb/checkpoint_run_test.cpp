// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

#include <algorithm>
#include <vector>

/// `sare run --checkpoint` and `--resume`: what becomes of a run that is killed.
namespace sare::test::checkpoint_run_test {
namespace {

namespace fs = std::filesystem;

/// Some seconds; long enough to be killed on its way.
constexpr const char* long_run =
    "network: {topology: torus, dims: [8, 8]}\nrouter: {vcs: 4}\n"
    "traffic: {workload: bernoulli, load: 0.3, length: 4}\n"
    "measurement: {warmup: 2000, convergence_interval: 1000, batch: 1000, batches: 300, matrix: true}\n";

class checkpoint : public program {
  protected:
    void SetUp() override {
        program::SetUp();
        write("long.yaml", long_run);
    }
    std::vector<std::string> checkpoints(const std::string& folder) const {
        std::vector<std::string> all;
        std::error_code none;
        for (const auto& entry : fs::directory_iterator(at(folder + ".checkpoints"), none))
            all.push_back(entry.path().filename().string());
        std::sort(all.begin(), all.end());
        return all;
    }
    /// What a run that was killed at any moment is sure to leave; what else it left is removed: a third one,
    /// or one that was being written.
    std::vector<std::string> last_two(const std::string& folder) const {
        std::vector<std::string> all = checkpoints(folder);
        if (!all.empty() && all.back() == "partial") all.pop_back();
        if (all.size() > 2) all.erase(all.begin(), all.end() - 2);
        for (const std::string& name : checkpoints(folder))
            if (std::find(all.begin(), all.end(), name) == all.end())
                fs::remove(at(folder + ".checkpoints/" + name));
        return all;
    }
    /// Begins a run and ends it by a signal as soon as a checkpoint from cycle `from` on is there.
    outcome ended_by(const std::string& signal, const std::string& arguments, int from = 20000) const {
        return shell("\"$SARE\" run " + arguments +
                     " & run=$!; for n in $(seq 2000); do sleep 0.01; last=$(ls x.checkpoints 2>/dev/null | "
                     "grep cycle | tail -n 1 | tr -cd 0-9 | sed s/^0*//); [ \"${last:-0}\" -ge " +
                     std::to_string(from) + " ] && break; done; kill -" + signal + " $run; wait $run");
    }
};

constexpr const char* quiet = " --no-report --quiet";

TEST_F(checkpoint, LetsAKilledRunGoOnToTheSameFiles) {
    ASSERT_EQ(sare(std::string("run long.yaml --out whole") + quiet).status, 0);
    EXPECT_EQ(ended_by("KILL", std::string("long.yaml --out x --checkpoint 5000") + quiet).status, 137);
    EXPECT_FALSE(fs::exists(at("x")));
    EXPECT_EQ(last_two("x").size(), 2U);
    EXPECT_EQ(ended_by("KILL", std::string("--resume x --checkpoint 3000") + quiet, 50000).status, 137);
    const outcome o = sare(std::string("run --resume x") + quiet);
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.err, "");
    EXPECT_EQ(result("x"), result("whole"));
    EXPECT_TRUE(checkpoints("x").empty());
    EXPECT_FALSE(fs::exists(at("x.checkpoints")));
}

/// A reason names a line of a trace as the user named the file; from elsewhere, by its whole name.
TEST_F(checkpoint, KeepsFileNamesInAResumedRun) {
    std::string trace = "sare-trace 1\ntasks 2\n";
    for (int n = 0; n < 30000; ++n) trace += "0 send 1 64 1\n1 recv 0 64 1\n";
    write("stuck.trace", trace + "0 recv 1 64 1\n");
    write("costs.yaml",
          "format: sare-power\nversion: 1\nmade: {voltage: 1}\nrouter: {energy: [{component: sa, event: "
          "sa_grant, "
          "terms: {\"1\": 1}}], period: [{terms: {\"1\": 1}}]}\n");
    write("stuck.yaml",
          "network: {topology: ring, n: 4}\nrouter: {vcs: 4}\n"
          "traffic: {workload: trace, file: stuck.trace}\npower: {table: costs.yaml}\n");
    EXPECT_EQ(sare(std::string("run stuck.yaml --out whole") + quiet).status, 3);
    EXPECT_EQ(ended_by("KILL", std::string("stuck.yaml --out x --checkpoint 5000") + quiet, 5000).status,
              137);
    std::filesystem::copy(at("x.checkpoints"), at("y.checkpoints"));
    EXPECT_EQ(sare(std::string("run --resume x") + quiet).status, 3);
    EXPECT_EQ(result("x"), result("whole"));
    EXPECT_NE(read("x/summary.json").find("\"stuck.trace:60003:1: "), std::string::npos);
    EXPECT_EQ(shell("mkdir elsewhere && cd elsewhere && sare run --resume ../y" + std::string(quiet)).status,
              3);
    EXPECT_NE(read("y/summary.json").find('"' + at("stuck.trace").string() + ":60003:1: "),
              std::string::npos);
}

/// A packet that is through may still fill its way: how long is seen in the cycle in which the run ends.
TEST_F(checkpoint, DoesNotMoveTheEndOfTheRun) {
    write("end.yaml",
          "network: {topology: omega, k: 2, n: 3, extra: 1}\nrouter: {kind: spinet, duration: 3}\n"
          "traffic: {workload: random, bytes: 500, messages: 1}\nseed: 2\n");
    const std::string run = "run end.yaml --no-report --quiet --out ";
    ASSERT_EQ(sare(run + "one").status, 0);
    ASSERT_EQ(sare(run + "other --checkpoint 1").status, 0);
    EXPECT_EQ(read("other/queues.csv"), read("one/queues.csv"));
    EXPECT_TRUE(result("other") == result("one"));
}

/// A checkpoint of 32x32 routers takes some hundredths of a second, in which it is caught.
TEST_F(checkpoint, SurvivesAKillWhileTheNextIsWritten) {
    write("wide.yaml",
          "network: {topology: torus, dims: [32, 32]}\ntraffic: {workload: bernoulli, load: 0.3}\n"
          "measurement: {warmup: 500, convergence_count: 0, batch: 500, batches: 3}\n");
    ASSERT_EQ(sare(std::string("run wide.yaml --out whole") + quiet).status, 0);
    for (int tries = 0; tries < 20 && !fs::exists(at("x.checkpoints/partial")); ++tries) {
        fs::remove_all(at("x"));
        fs::remove_all(at("x.checkpoints"));
        shell(
            "\"$SARE\" run wide.yaml --out x --checkpoint 150 --no-report --quiet & run=$!; "
            "until [ -e x.checkpoints/partial ] && ls x.checkpoints/cycle-*; do kill -0 $run || break; done; "
            "kill -KILL $run; wait $run");
    }
    ASSERT_TRUE(fs::exists(at("x.checkpoints/partial"))) << "never caught in the middle of one";
    const outcome o = sare(std::string("run --resume x") + quiet);
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.err, "");
    EXPECT_EQ(result("x"), result("whole"));
    EXPECT_FALSE(fs::exists(at("x.checkpoints")));
}

TEST_F(checkpoint, IsWrittenOnCtrlC) {
    ASSERT_EQ(sare(std::string("run long.yaml --out whole") + quiet).status, 0);
    const outcome o = ended_by("INT", "long.yaml --out x --no-report --checkpoint 10000");
    EXPECT_EQ(o.status, 130);
    EXPECT_NE(o.out.find("to go on: sare run --resume x"), std::string::npos) << o.out;
    EXPECT_EQ(read_json("x/summary.json")["status"], "interrupted");
    EXPECT_EQ(sare(std::string("run --resume x") + quiet).status, 0);
    EXPECT_EQ(result("x"), result("whole"));
}

TEST_F(checkpoint, ReportsWhatDoesNotFitInOneLine) {
    ASSERT_EQ(ended_by("KILL", std::string("long.yaml --out x --checkpoint 5000") + quiet).status, 137);
    const std::vector<std::string> files = last_two("x");
    ASSERT_EQ(files.size(), 2U);
    const std::string last = "x.checkpoints/" + files.back(), one_before = "x.checkpoints/" + files.front();

    EXPECT_EQ(
        sare("run --resume x --set router.vcs=2").err,
        "sare: " + last +
            ": of another run: router.vcs is 2 here and 4 in the checkpoint; a run is gone on with as it "
            "was begun\n");
    EXPECT_EQ(sare("run long.yaml --resume x --seed 3").err,
              "sare: " + last +
                  ": of another run: seed is 3 here and 1 in the checkpoint; a run is gone on with as it was "
                  "begun\n");
    EXPECT_EQ(sare("run --resume y").err, "sare: y.checkpoints: there is no checkpoint here\n");
    EXPECT_EQ(sare("run --resume x --out z").status, 2);
    EXPECT_EQ(sare("run").status, 2);
    EXPECT_EQ(sare("run long.yaml --checkpoint often").status, 2);
    EXPECT_EQ(sare("run long.yaml --checkpoint 3s,100,4min").err,
              "sare: --checkpoint 4min: is the second of its kind; one of cycles and one of time\n");
    EXPECT_EQ(sare("run long.yaml --out x --checkpoint 100").status, 1);

    // Damaged: in its middle, in its first bytes, or something else altogether.
    const std::string text = read(last), older = read(one_before);
    const auto damaged = [&](const std::string& other) {
        write(last, other);
        write(one_before, other);
        const outcome o = sare("run --resume x");
        EXPECT_EQ(o.status, 1);
        EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
        return o.err;
    };
    std::string flipped = text;
    flipped[text.size() / 2] ^= 1;
    EXPECT_NE(damaged(flipped).find(last + " is damaged: "), std::string::npos) << damaged(flipped);
    EXPECT_EQ(damaged(""), "sare: " + last + " is no checkpoint of sare\n");
    EXPECT_EQ(damaged("network: {}\n"), "sare: " + last + " is no checkpoint of sare\n");
    write(one_before, older);

    write(last, text.substr(0, text.size() / 2));
    const outcome before = sare(std::string("run --resume x") + quiet);
    EXPECT_EQ(before.status, 0);
    EXPECT_EQ(before.err, "sare: warning: " + last + " is cut short; going on from " + files.front() + "\n");
}

/// Empty texts, and file names that YAML would read otherwise.
TEST_F(checkpoint, RestoresTheConfigurationUnchanged) {
    write("spin.yaml",
          "network: {topology: triangular_torus, w: 4, h: 4}\nrouting: {function: multicast}\n"
          "router: {kind: spinnaker}\ntraffic: {workload: bernoulli, load: 0.02}\n"
          "measurement: {warmup: 1000, batch: 1000, batches: 20000}\n");
    write("ways, a: \"b\".txt", "sare-table 1\nroute 0 * 0\nroute 1 * 1\nroute 0 0 2\nroute 1 1 2\n");
    write("table.yaml",
          "network: {topology: mesh, dims: [2]}\nrouting: {function: table, file: 'ways, a: \"b\".txt'}\n"
          "traffic: {workload: bernoulli, load: 0.02}\n"
          "measurement: {warmup: 1000, batch: 1000, batches: 90000}\n");
    for (const std::string name : {"spin", "table"}) {
        fs::remove_all(at("x.checkpoints"));
        ASSERT_EQ(ended_by("KILL", name + ".yaml --out x --checkpoint 5000" + quiet, 5000).status, 137);
        const outcome o = ended_by("INT", "--resume x" + std::string(quiet), 5000);
        EXPECT_TRUE(o.status == 130 || o.status == 0) << o.err;
        EXPECT_EQ(o.err, "");
        fs::remove_all(at("x"));
    }
}

TEST_F(checkpoint, WarnsOfAFullDiskAndLetsTheRunGoOn) {
    write("small.yaml", small);
    const outcome o =
        shell("trap '' XFSZ; ulimit -f 1; sare run small.yaml --out x --checkpoint 200 --no-report");
    EXPECT_NE(o.err.find("warning: no checkpoint of cycle 200: "), std::string::npos) << o.err;
    EXPECT_NE(o.err.find("File too large; the run goes on"), std::string::npos) << o.err;
}

TEST_F(checkpoint, RefusesAWorkloadItCannotWriteBeforeTheRun) {
    write("tasks.yaml", "network: {topology: mesh, dims: [4, 4]}\ntraffic: {workload: task_model}\n");
    const outcome o = sare("run tasks.yaml --out x --checkpoint 1000");
    EXPECT_EQ(o.status, 1);
    EXPECT_NE(o.err.find("the workload 'task_model' cannot be written"), std::string::npos) << o.err;
    EXPECT_FALSE(fs::exists(at("x")));
}

}  // namespace
}  // namespace sare::test::checkpoint_run_test
