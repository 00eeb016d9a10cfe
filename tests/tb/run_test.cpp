// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

#include <algorithm>
#include <vector>

/// `sare run`: what it writes, and how it ends.
namespace sare::test {
namespace {

class run : public program {
  protected:
    void SetUp() override {
        program::SetUp();
        write("small.yaml", small);
        write("endless.yaml", endless);
    }
};

TEST_F(run, writes_every_file_and_the_summary) {
    const outcome o = sare("run small.yaml --out result --no-report --set measurement.matrix=true");
    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.err, "");
    EXPECT_NE(o.out.find("latency, cycles"), std::string::npos);
    EXPECT_EQ(o.out.substr(o.out.size() - 7), "result\n");
    for (const char* name : {"summary.json", "series.csv", "latency_histogram.csv", "links.csv",
                             "routers.csv", "nodes.csv", "queues.csv", "distances.csv", "matrix.csv"})
        EXPECT_TRUE(std::filesystem::exists(at(std::string("result/") + name))) << name;
    const auto s = read_json("result/summary.json");
    for (const char* path : {"/config",
                             "/seed",
                             "/version",
                             "/status",
                             "/cycles",
                             "/packets/generated",
                             "/packets/injected",
                             "/packets/consumed",
                             "/packets/dropped",
                             "/load/offered",
                             "/load/injected",
                             "/load/accepted",
                             "/latency/packet/from_generation/mean",
                             "/latency/packet/from_injection/stddev",
                             "/latency/packet/from_injection/max",
                             "/latency/packet/from_generation/p50",
                             "/latency/packet/from_generation/p95",
                             "/latency/packet/from_generation/p99",
                             "/hops/mean",
                             "/run/wall_s",
                             "/run/cycles_per_s",
                             "/run/flit_hops",
                             "/run/peak_rss_bytes"})
        EXPECT_TRUE(s.contains(nlohmann::json::json_pointer(path))) << path;
    EXPECT_EQ(s["status"], "completed");
    EXPECT_EQ(s["cycles"], 400);
    EXPECT_TRUE(s["config"]["router"]["vcs"].is_number_integer());
    EXPECT_TRUE(s["config"]["router"]["lookahead"].is_boolean());
    EXPECT_EQ(s["config"]["network"]["dims"], nlohmann::json({4, 4}));
}

TEST_F(run, is_the_same_every_time) {
    ASSERT_EQ(sare("run small.yaml --out a --no-report --quiet --seed 5").status, 0);
    ASSERT_EQ(sare("run small.yaml --out b --no-report --quiet --seed 5").status, 0);
    ASSERT_EQ(sare("run small.yaml --out c --no-report --quiet --seed 6").status, 0);
    const auto before_run = [&](const std::string& file) {
        const std::string text = read(file);
        return text.substr(0, text.find("\"run\": {"));
    };
    EXPECT_GT(before_run("a/summary.json").size(), 1000u);
    EXPECT_EQ(before_run("a/summary.json"), before_run("b/summary.json"));
    EXPECT_NE(before_run("a/summary.json"), before_run("c/summary.json"));
    for (const char* name : {"series.csv", "latency_histogram.csv", "links.csv", "nodes.csv", "queues.csv"})
        EXPECT_EQ(read(std::string("a/") + name), read(std::string("b/") + name)) << name;
}

TEST_F(run, the_configuration_of_a_result_gives_the_same_result) {
    ASSERT_EQ(sare("run small.yaml --out a --no-report --quiet --set router.vcs=2").status, 0);
    write("again.yaml", read_json("a/summary.json")["config"].dump());  // JSON is YAML
    ASSERT_EQ(sare("run again.yaml --out b --no-report --quiet").status, 0);
    EXPECT_EQ(sare("compare a b").status, 0);
}

TEST_F(run, set_and_seed_go_over_the_file) {
    ASSERT_EQ(
        sare("run small.yaml --out a --no-report --quiet --seed 9 --set router.vcs=2 "
             "--set \"network.dims=[3, 5]\" --set \"traffic.pattern={name: hotspot}\" --set router.vcs=3")
            .status,
        0);
    const auto c = read_json("a/summary.json")["config"];
    EXPECT_EQ(c["seed"], 9);
    EXPECT_EQ(c["router"]["vcs"], 3);
    EXPECT_EQ(c["network"]["dims"], nlohmann::json({3, 5}));
    EXPECT_EQ(c["traffic"]["pattern"]["name"], "hotspot");
}

TEST_F(run, is_silent_in_a_pipe) {
    const outcome o = shell(
        "sare run endless.yaml --set measurement.batches=1 --set measurement.batch=3000000 "
        "--out a --no-report --quiet");
    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.err, "");
    EXPECT_EQ(o.out, "");
}

TEST_F(run, chooses_a_name_that_is_free) {
    EXPECT_EQ(sare("run small.yaml --no-report").out.substr(0, 4), "mesh");
    const outcome o = sare("run small.yaml --no-report");
    EXPECT_NE(o.out.find("\nout/small-2\n"), std::string::npos) << o.out;
    EXPECT_TRUE(std::filesystem::exists(at("out/small/summary.json")));
    EXPECT_TRUE(std::filesystem::exists(at("out/small-2/summary.json")));
}

TEST_F(run, interrupted_writes_what_it_has) {
    for (const char* signal : {"INT", "TERM"}) {
        const outcome o = shell(std::string("\"$SARE\" run endless.yaml --out r-") + signal +
                                " --no-report --quiet & sleep 0.7; kill -" + signal + " $!; wait $!");
        EXPECT_EQ(o.status, 130);
        const auto s = read_json(std::string("r-") + signal + "/summary.json");
        EXPECT_EQ(s["status"], "interrupted");
        EXPECT_GT(s["packets"]["consumed"], 0);
    }
}

TEST_F(run, deadlock_is_refused_and_ends_by_the_watchdog) {
    write("ring.yaml",
          "network: {topology: ring, n: 8}\nrouting: {function: dor, dateline: none}\nrouter: {vcs: 1, "
          "depth: 2}\n"
          "traffic: {workload: bernoulli, load: 0.9, length: 8}\nmeasurement: {watchdog: 500}\n");
    const outcome refused = sare("run ring.yaml --out a --no-report");
    EXPECT_EQ(refused.status, 1);
    EXPECT_NE(refused.err.find("sare: ring.yaml:1:1: routing function 'dor' can deadlock: "),
              std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(at("a")));
    const outcome forced = sare("run ring.yaml --out a --no-report --quiet --force");
    EXPECT_EQ(forced.status, 3);
    EXPECT_EQ(forced.err.rfind("sare: deadlock: ", 0), 0u) << forced.err;
    EXPECT_EQ(std::count(forced.err.begin(), forced.err.end(), '\n'), 1);
    EXPECT_EQ(read_json("a/summary.json")["status"], "deadlock");
    // Also where the run would be over before the watchdog has seen enough.
    const outcome longer =
        sare("run ring.yaml --out b --no-report --quiet --force --set measurement.watchdog=20000");
    EXPECT_EQ(longer.status, 3);
    EXPECT_EQ(longer.err.rfind("sare: deadlock: ", 0), 0u) << longer.err;
}

TEST_F(run, saturation_is_no_error) {
    const outcome o = sare(
        "run small.yaml --set traffic.load=1 --set measurement.convergence_count=3 "
        "--set measurement.convergence_limit=5 --set measurement.warmup=1000 "
        "--out a --no-report --quiet");
    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(read_json("a/summary.json")["status"], "saturated");
}

TEST_F(run, cycle_limit_is_told) {
    const outcome o = sare(
        "run small.yaml --set traffic={workload: burst, bursts: 1000} "
        "--set measurement.max_cycles=200 --out a --no-report --quiet");
    EXPECT_EQ(o.status, 2);  // blanks without quotes: usage
    const outcome p = sare(
        "run small.yaml --set \"traffic={workload: burst, bursts: 1000}\" "
        "--set measurement.max_cycles=200 --out a --no-report --quiet");
    EXPECT_EQ(p.status, 0) << p.err;
    EXPECT_EQ(read_json("a/summary.json")["status"], "cycle_limit");
}

TEST_F(run, no_report_is_one_warning) {
    std::filesystem::create_directories(at("scripts"));
    write("scripts/report",
          "#!/bin/sh\necho Traceback >&2\necho \"ModuleNotFoundError: No module named x\" >&2\nexit 1\n");
    std::filesystem::permissions(at("scripts/report"), std::filesystem::perms::all);
    const outcome o = shell("export SARE_SCRIPTS=scripts; sare run small.yaml --out a --quiet");
    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.err,
              "sare: warning: no report.html: python lacks a module; install python3-matplotlib and "
              "python3-jinja2\n");
    const outcome p = shell("export SARE_SCRIPTS=nowhere; sare run small.yaml --out b --quiet");
    EXPECT_EQ(p.status, 0);
    EXPECT_EQ(p.err,
              "sare: warning: no report.html: nowhere/report: No such file or directory; SARE_SCRIPTS names "
              "its folder\n");
}

}  // namespace
}  // namespace sare::test
