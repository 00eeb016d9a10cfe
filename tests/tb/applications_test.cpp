// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

/// Several applications and their baselines, from outside.
namespace sare::test::applications_test {
namespace {

class applications : public program {
  protected:
    void SetUp() override {
        program::SetUp();
        write("shared.yaml", shared);
    }
    static double slowdown(const nlohmann::json& summary, const char* kind, const char* name) {
        return summary["workload"]["baselines"][kind][name]["slowdown"].get<double>();
    }

    /// Two that are far from each other, and one that is on the way of the second.
    static constexpr const char* shared =
        "network: {topology: mesh, dims: [8, 1]}\n"
        "traffic:\n"
        "  workload: applications\n"
        "  applications:\n"
        "    left: {tasks: 2, traffic: {workload: ring, bytes: 400, rounds: 50}}\n"
        "    right: {instances: 2, tasks: 2, placement: {name: shift, by: 4}, traffic: {workload: ring, "
        "bytes: 400, "
        "rounds: 20}}\n"
        "    noise: {background: true, traffic: {workload: bernoulli, load: 0.1}}\n";
};

TEST_F(applications, ShowTheirSlowdownAgainstBaselines) {
    const outcome o = sare(
        "run shared.yaml --out r --no-report --baseline alone --baseline crossbar --baseline alone -j 2");
    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.err, "");
    EXPECT_NE(o.out.find("x alone  x crossbar"), std::string::npos) << o.out;
    const auto s = read_json("r/summary.json");
    const auto& all = s["workload"]["applications"];
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(all[0]["name"], "left");
    EXPECT_EQ(all[2]["name"], "right.1");
    EXPECT_EQ(slowdown(s, "alone", "left"), 1);
    EXPECT_GE(slowdown(s, "alone", "right.0"), 1);
    EXPECT_GT(slowdown(s, "crossbar", "left"), 1);
    EXPECT_FALSE(s["workload"]["baselines"]["alone"].contains("noise"));
    // By itself: the same experiment, but for who runs, and on what.
    for (const char* kind : {"alone", "crossbar"})
        for (const char* name : {"left", "right.0", "right.1"}) {
            const auto one = read_json(std::string("r/baselines/") + kind + "/" + name + "/summary.json");
            EXPECT_EQ(one["config"]["traffic"]["only"], name);
            EXPECT_EQ(one["config"]["fidelity"], std::string(kind) == "alone" ? "flit" : kind);
            ASSERT_EQ(one["workload"]["applications"].size(), 1U);
            const auto& by_itself = one["workload"]["applications"][0];
            EXPECT_EQ(by_itself["name"], name);
            const auto& row = s["workload"]["baselines"][kind][name];
            EXPECT_EQ(row["by_itself"], by_itself["completion_cycles"]);
            EXPECT_EQ(row["measure"], "completion_cycles");
        }
    const std::string rows = read("r/baselines.csv");
    EXPECT_EQ(rows.substr(0, 16), "baseline,applica");
    EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 1 + 2 * 3) << rows;
    EXPECT_EQ(read("r/placement.txt"),
              "# node task application\n0 0 0\n1 1 0\n4 0 1\n5 1 1\n6 0 2\n7 1 2\n2 0 3\n3 1 3\n");
    // Two links of a cycle, and a flit a cycle: 25 full flits of 16 bytes.
    EXPECT_EQ(s["workload"]["baselines"]["crossbar"]["left"]["by_itself"], 100 * (2 + 25));
}

TEST_F(applications, CompareEndlessSourcesByTheirLatency) {
    const std::string window =
        " --set measurement.warmup=200 --set measurement.convergence_count=0 --no-report";
    write("steady.yaml",
          "network: {topology: mesh, dims: [4, 4]}\n"
          "traffic:\n"
          "  workload: applications\n"
          "  placement: random\n"
          "  applications:\n"
          "    a: {tasks: 8, traffic: {workload: bernoulli, load: 0.3, length: 4}}\n"
          "    b: {traffic: {workload: poisson, load: 0.3, length: 4}}\n");
    const outcome o = sare("run steady.yaml --out r --baseline alone" + window);
    EXPECT_EQ(o.status, 0) << o.err;
    const auto s = read_json("r/summary.json");
    for (const char* name : {"a", "b"}) {
        EXPECT_EQ(s["workload"]["baselines"]["alone"][name]["measure"], "latency_mean");
        EXPECT_GT(slowdown(s, "alone", name), 1.02);
        EXPECT_LT(slowdown(s, "alone", name), 10);
    }
    // The same run again, by the path of one application.
    const outcome again =
        sare("run steady.yaml --out t --set traffic.applications.a.traffic.load=0.1" + window);
    EXPECT_EQ(again.status, 0) << again.err;
    const auto t = read_json("t/summary.json");
    EXPECT_NEAR(t["workload"]["applications"][0]["load"]["offered"].get<double>(), 0.1, 0.01);
}

TEST_F(applications, MarkAnInterruptedBaseline) {
    write("long.yaml",
          "network: {topology: mesh, dims: [8]}\n"
          "traffic:\n"
          "  workload: applications\n"
          "  applications:\n"
          "    short: {tasks: 2, traffic: {workload: ring}}\n"
          "    long: {tasks: 2, traffic: {workload: ring, bytes: 400, rounds: 100000000}}\n");
    const outcome o = shell(
        "\"$SARE\" run long.yaml --out r --no-report --quiet --baseline alone & until [ -e "
        "r.partial-*/baselines/alone/short/summary.json ]; do sleep 0.1; done; "
        "sleep 1; kill -INT $!; "
        "wait $!");
    EXPECT_EQ(o.status, 130);
    const auto all = read_json("r/summary.json")["workload"]["baselines"]["alone"];
    EXPECT_EQ(all["short"]["status"], "completed");
    EXPECT_EQ(all["long"]["status"], "interrupted");
}

TEST_F(applications, ShareTheNetworkAmongPointsOfASweep) {
    const outcome o = sare(
        "sweep shared.yaml --axis traffic.applications.noise.traffic.load=0.01,0.2 "
        "--axis traffic.applications.left.traffic.workload=ring,request_reply --out s --no-report "
        "--set 'traffic.applications.left.traffic={workload: ring}' -j 2");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.err, "");
}

TEST_F(applications, ReportMistakesInOneLine) {
    const std::pair<std::string, std::string> cases[] = {
        {"run small.yaml --baseline alone",
         "small.yaml:2:10: --baseline compares applications: 'traffic' must be of workload 'applications'"},
        {"run shared.yaml --baseline alone --set traffic.only=left",
         "--set traffic.only: 'only' leaves nothing to compare with by --baseline; leave it out"},
        {"run shared.yaml --set traffic.applications.left.taks=3",
         "--set traffic.applications.left.taks: unknown key 'taks' in 'application 'left''; did you mean "
         "'tasks'?"},
        {"check shared.yaml --set traffic.applications.more.tasks=1",
         "--set traffic.applications.more.tasks: application 'more' needs 'traffic: ' with its workload"},
        {"check nameless.yaml",
         "nameless.yaml:4:22: the application is called ''; a name must be of letters, digits, '_' and '-'"},
        {"check shared.yaml --set traffic.applications.left.tasks=7",
         "shared.yaml:6:12: application 'right.0' has 2 tasks, 1 of a node, but 1 free node is there; lower "
         "'tasks', raise 'tasks_per_node', set 'shared: true' where it may run on nodes that others have, or "
         "take "
         "a larger network"},
    };
    write("small.yaml", small);
    write("nameless.yaml",
          "network: {topology: mesh, dims: [2]}\n"
          "traffic:\n"
          "  workload: applications\n"
          "  applications: {\"\": {traffic: {workload: ring}}}\n");
    for (const auto& [line, text] : cases) {
        const outcome o = sare(line + (line.rfind("run", 0) == 0 ? " --out bad" : ""));
        EXPECT_EQ(o.status, 1) << line;
        EXPECT_EQ(o.err, "sare: " + text + "\n") << line;
    }
    EXPECT_EQ(sare("run shared.yaml --baseline lone").status, 2);
}

}  // namespace
}  // namespace sare::test::applications_test
