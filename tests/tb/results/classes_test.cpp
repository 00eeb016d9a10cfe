// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

#include <cmath>
#include <regex>

/// Message classes: their VCs, arbiters and rates, and what is told of each.
namespace sare::test::classes_test {
namespace {

class classes : public program {
  protected:
    /// Two nodes that send to each other: a link each way, for two sources a node.
    static constexpr const char* link =
        "network: {topology: mesh, dims: [2]}\n"
        "router: {vcs: 8}\n"
        "traffic: {workload: bernoulli, load: 2, length: 4, pattern: neighbour, classes: {0: 1, 1: 1}}\n"
        "measurement: {warmup: 500, convergence_count: 0, batch: 500, batches: 4}\n";

    nlohmann::json run(const std::string& more) {
        const outcome o = sare("run x.yaml --out r --overwrite --no-report --quiet " + more);
        // A load that no link takes is warned of: these are meant.
        const std::string others =
            std::regex_replace(o.err, std::regex("sare: warning: [^\n]*'load' is [^\n]*\n"), "");
        EXPECT_EQ(others.find("sare:"), std::string::npos) << o.err;
        return read_json("r/summary.json");
    }
    static double accepted(const nlohmann::json& run, std::size_t c) {
        return run["classes"][c]["accepted"].get<double>();
    }
};

/// A saturated link is shared out by weight where the NIC picks, and where the switch does.
TEST_F(classes, ShareALinkByWeight) {
    write("x.yaml", link);
    const auto at_nic = run("--set \"nic.arbiter={name: weighted, weights: [3, 1]}\"");
    EXPECT_NEAR(accepted(at_nic, 0), 0.75, 0.01);
    EXPECT_NEAR(accepted(at_nic, 1), 0.25, 0.01);
    // Three nodes behind one another: their classes meet at the last switch only.
    write("x.yaml",
          "network: {topology: mesh, dims: [2], concentration: 2}\n"
          "router: {vcs: 8, sa_arbiter: {name: weighted, by: class, weights: [3, 1]}}\n"
          "traffic:\n"
          "  workload: applications\n"
          "  applications:\n"
          "    a: {class: 0, tasks: 3, dims: [3], shared: true, traffic: {workload: bernoulli, load: 1, "
          "length: 4, pattern: {name: population, file: a.txt}}}\n"
          "    b: {class: 1, tasks: 3, dims: [3], shared: true, traffic: {workload: bernoulli, load: 1, "
          "length: 4, pattern: {name: population, file: b.txt}}}\n"
          "measurement: {warmup: 500, convergence_count: 0, batch: 500, batches: 4}\n");
    write("a.txt", "0 2 1\n");
    write("b.txt", "1 2 1\n");
    const auto at_switch = run("");
    EXPECT_NEAR(accepted(at_switch, 0) / accepted(at_switch, 1), 3, 0.1);
}

/// Flows with the same ends are told apart by their class.
TEST_F(classes, TellFlowsWithTheSameEndsApart) {
    write("x.yaml",
          "network: {topology: mesh, dims: [3]}\nrouter: {vcs: 4}\n"
          "traffic: {workload: flows, flows: [{from: 0, to: 2, rate: 0.1}, {from: 1, to: 2, rate: 0.1}, "
          "{from: 0, to: 2, rate: 0.2, class: 1}]}\n"
          "measurement: {warmup: 100, convergence_count: 0, batch: 500, batches: 4}\n");
    const outcome o = sare("run x.yaml --out r --no-report");
    for (const char* name : {"  0 to 2, class 0 ", "  0 to 2, class 1 ", "  1 to 2 "})
        EXPECT_NE(o.out.find(name), std::string::npos) << name << o.out;
}

/// Combiners are no nodes of the traffic: loads and fairness are as without them.
TEST_F(classes, ShareLoadsAmongNodesWithoutCombiners) {
    write("x.yaml",
          "network: {topology: mesh, dims: [4, 4]}\nrouter: {vcs: 4}\n"
          "traffic: {workload: bernoulli, load: 0.2, classes: {0: 1, 1: 2}}\n"
          "measurement: {warmup: 500, convergence_count: 0, batch: 500, batches: 4}\n");
    const auto plain = run(""), combining = run("--set combining.entries=4");
    EXPECT_EQ(combining["load"]["offered"], plain["load"]["offered"]);
    EXPECT_EQ(combining["classes"][1]["offered"], plain["classes"][1]["offered"]);
    EXPECT_NEAR(combining["fairness"]["accepted"]["jain"].get<double>(),
                plain["fairness"]["accepted"]["jain"].get<double>(), 0.01);
}

/// A class that always asks leaves nothing to those below it.
TEST_F(classes, StarveBelowStrictPriority) {
    write("x.yaml", link);
    const auto s =
        run("--set nic.arbiter=priority --set \"traffic.classes={0: 1, 1: 2}\" --set traffic.load=3");
    EXPECT_NEAR(accepted(s, 1), 1, 0.01);
    EXPECT_NEAR(accepted(s, 0), 0, 0.01);
    const auto fair = run("");
    EXPECT_NEAR(accepted(fair, 0), 0.5, 0.01);
}

/// In t cycles no more than rate t + burst flits of a class leave a node, and no fewer where it has them.
TEST_F(classes, KeepToTheirRates) {
    write("x.yaml", link);
    for (const double rate : {0.1, 0.35}) {
        const auto s = run("--set \"nic={rate: [" + std::to_string(rate) +
                           ", 0], burst: 64}\" --set measurement.warmup=0");
        const double cycles = s["measured"]["to"].get<double>() - s["measured"]["from"].get<double>();
        const double flits = s["classes"][0]["injected"].get<double>() * cycles;  // of a node, in the mean
        EXPECT_LE(flits, rate * cycles + 64) << rate;
        EXPECT_GE(flits, rate * cycles + 64 - 8) << rate;
        EXPECT_GT(accepted(s, 1), 0.5) << rate;
    }
}

/// What a class has made was sent or waits, what was sent comes, and all classes make up the whole.
TEST_F(classes, ConserveTheirPackets) {
    write("x.yaml",
          "network: {topology: torus, dims: [4, 4]}\n"
          "router: {vcs: 6}\n"
          "classes: {vcs: [2, 2]}\n"
          "traffic: {workload: bernoulli, load: 0.3, length: 3, stop_cycle: 800, classes: {0: 0.8, 1: 0.2}}\n"
          "measurement: {warmup: 0, convergence_count: 0, batch: 2000, batches: 1}\n");
    const auto s = run("");
    std::uint64_t sum = 0;
    for (const auto& c : s["classes"]) {
        EXPECT_EQ(c["packets_generated"], c["packets_consumed"]) << c;
        EXPECT_EQ(c["packets_injected"], c["packets_consumed"]) << c;
        sum += c["packets_consumed"].get<std::uint64_t>();
    }
    EXPECT_EQ(sum, s["packets"]["consumed"].get<std::uint64_t>());
    EXPECT_NEAR(s["classes"][0]["offered"].get<double>(), 4 * s["classes"][1]["offered"].get<double>(), 0.05);
    EXPECT_EQ(s["deadlock_check"].get<std::string>().substr(0, 16), "free of deadlock");
    EXPECT_NE(read("r/classes.csv").find("class,offered,injected,accepted,"), std::string::npos);
}

/// Where routers own the queues of their nodes, packets wait there too.
TEST_F(classes, CountPacketsThatWaitInRouters) {
    write("x.yaml",
          "network: {topology: ring, n: 5, concentration: 2}\nrouter: bubble\nnic: {max_packet_flits: 4}\n"
          "traffic: {workload: bernoulli, load: 0.6, length: 4, class: 1}\n"
          "measurement: {warmup: 200, convergence_count: 0, batch: 100, batches: 1}\n");
    const auto s = run("");
    std::istringstream rows(read("r/nodes.csv"));
    std::string row;
    std::getline(rows, row);
    std::uint64_t generated = 0;
    while (std::getline(rows, row)) {
        std::istringstream cells(row);
        for (int k = 0; k < 3; ++k) std::getline(cells, row, ',');
        generated += std::stoull(row);
    }
    EXPECT_EQ(s["classes"][1]["packets_generated"], generated);
}

/// A class with VCs of its own that goes first has what it asks for, whatever else is sent.
TEST_F(classes, GetTheRateThatIsReservedForThem) {
    const char* const networks[] = {"{topology: mesh, dims: [4, 4]}", "{topology: torus, dims: [4, 4]}",
                                    "{topology: kary_ntree, k: 4, n: 2}"};
    for (const char* const network : networks) {
        write("x.yaml",
              std::string("network: ") + network +
                  "\n"
                  "router: {vcs: 6, va_arbiter: priority, sa_arbiter: priority}\n"
                  "classes: {vcs: [2, 2]}\n"
                  "nic: {arbiter: priority}\n"
                  "traffic: {workload: bernoulli, load: 0.95, length: 3, classes: {0: 0.9, 1: 0.05}}\n"
                  "measurement: {warmup: 500, convergence_count: 0, batch: 500, batches: 4}\n");
        const auto s =
            run("--set \"routing=" + std::string(network == networks[2] ? "tree_static" : "dor") + "\"");
        EXPECT_NEAR(accepted(s, 1), 0.05, 0.006) << network;
        EXPECT_LT(s["classes"][1]["latency_mean"].get<double>(), 60) << network;
        EXPECT_LT(accepted(s, 0), 0.9) << network;
    }
}

/// Requests and replies in classes further up; the workload sees 0 and 1.
TEST_F(classes, ShiftTheClassesOfASourceUp) {
    write("x.yaml",
          "network: {topology: mesh, dims: [3, 3]}\n"
          "router: {vcs: 3}\n"
          "traffic: {workload: request_reply, class: 1, length: 3, requests: 20}\n");
    const auto s = run("");
    EXPECT_EQ(s["status"], "completed");
    EXPECT_EQ(s["workload"]["round_trips"], 180);
    ASSERT_EQ(s["classes"].size(), 3U);
    EXPECT_EQ(s["classes"][0]["packets_consumed"], 0);
    EXPECT_EQ(s["classes"][1]["packets_consumed"], 180);
    EXPECT_EQ(s["classes"][2]["packets_consumed"], 180);
}

/// One class is told of as ever.
TEST_F(classes, AreAbsentWhereThereIsOne) {
    write("x.yaml", small);
    const auto s = run("");
    EXPECT_FALSE(s.contains("classes"));
    EXPECT_FALSE(s["config"].contains("classes"));
    EXPECT_FALSE(s["config"]["nic"].contains("arbiter"));
    EXPECT_FALSE(std::filesystem::exists(at("r/classes.csv")));
}

/// With all that a NIC then keeps in mind.
constexpr const char* regulated =
    " --no-report --quiet --set \"nic={arbiter: {name: weighted, weights: [3, 1]}, rate: [0.3, 0.9], burst: "
    "70}\" "
    "--set \"classes={vcs: [2, 3]}\"";

TEST_F(classes, KeepTheirFiguresInAResumedRun) {
    write("x.yaml", std::string(link) + "seed: 3\n");
    const std::string longer = " --set measurement.batches=1500";
    ASSERT_EQ(sare(std::string("run x.yaml --out whole") + regulated + longer).status, 0);
    const outcome o =
        shell(std::string("\"$SARE\" run x.yaml --out x --checkpoint 3000") + regulated + longer +
              " & run=$!; for n in $(seq 2000); do sleep 0.01; ls x.checkpoints 2>/dev/null | grep -q cycle "
              "&& break; "
              "done; kill -KILL $run; wait $run");
    EXPECT_EQ(o.status, 137);
    EXPECT_EQ(sare("run --resume x --no-report --quiet").status, 0);
    EXPECT_EQ(read("x/classes.csv"), read("whole/classes.csv"));
    EXPECT_EQ(read("x/links.csv"), read("whole/links.csv"));
}

TEST_F(classes, KeepTheirFiguresInSeveralProcesses) {
    if (!std::filesystem::exists(std::filesystem::path(SARE_PROGRAM).parent_path() / "libsare_mpi.so"))
        GTEST_SKIP() << "built without Open MPI";
    write("x.yaml", link);
    ASSERT_EQ(sare(std::string("run x.yaml --out one") + regulated).status, 0);
    const outcome o = shell(std::string("export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; "
                                        "mpirun.openmpi --oversubscribe "
                                        "-np 2 \"$SARE\" run x.yaml --out two") +
                            regulated);
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(read("two/classes.csv"), read("one/classes.csv"));
}

TEST_F(classes, ReportMistakesInOneLine) {
    write("x.yaml",
          "network: {topology: mesh, dims: [3, 3]}\n"
          "router: {vcs: 4}\n"
          "traffic: {workload: bernoulli, class: 1}\n"
          "nic: {delay: 1}\n");
    const std::pair<const char*, const char*> wrong[] = {
        {"classes.vcs=[5, 1]", "'classes.vcs' gives away 6 VCs, and router.vcs is 4"},
        {"classes.vcs=[1]",
         "'classes' has 1, and the traffic sends messages of 2 classes; have as many at least"},
        {"classes={count: 3, vcs: [1, 1]}",
         "'classes.count' is 3, and 'classes.vcs' has 2 entries; it must have one for each class"},
        {"nic.rate=[0.1, 2]", "'rate' is 2; it must be from 0 to 1"},
        {"nic.rate=[]", "'rate' is empty; it must have a number for class 0 at least"},
        {"nic={rate: 0.1, burst: 3}",
         "'burst' is 3; it must hold the largest packet: nic.max_packet_flits, 64"},
        {"nic.burst=64", "'nic.burst' is the size of a token bucket, and there is no 'nic.rate' to fill it"},
        {"nic.arbiter=prioritty", "unknown arbiter 'prioritty'; did you mean 'priority'?"},
        {"traffic.class=-1", "'class' is -1; it must be from 0 to 15"},
        {"traffic={workload: bernoulli, classes: {}}",
         "'classes' must have the share of each class, such as {0: 0.8, 1: 0.2}"},
        {"traffic={workload: bernoulli, classes: {0: 0}}",
         "'classes' gives no class a share; one must be above 0"},
        {"traffic={workload: bernoulli, class: 1, classes: {0: 1}}",
         "'class' is that of all messages, and 'classes' shares them out; leave out one"},
    };
    for (const auto& [set, text] : wrong) {
        const outcome o =
            sare(std::string("run x.yaml --no-report --out r --overwrite --set \"") + set + "\"");
        EXPECT_EQ(o.status, 1) << set;
        EXPECT_NE(o.err.find(text), std::string::npos) << set << ": " << o.err;
        EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
    }
    const std::pair<const char*, const char*> together[] = {
        {"--set nic.arbiter=priority --set fidelity=analytic",
         "'nic.arbiter' and 'nic.rate' are for flits that wait, and 'fidelity' is analytic, where none does"},
        {"--set \"classes.vcs=[1, 2]\" --set cosim.shadow=all",
         "message classes must have as many VCs each for a router in RTL"},
        {"--set \"classes.vcs=[1, 2]\" --set \"failures={events: [{at: 5, router: 1}]}\"",
         "'classes.vcs' and 'failures' do not go together"},
        {"--set \"network={topology: torus, dims: [4, 4]}\" --set router.vcs=8 --set \"classes.vcs=[3, 5]\" "
         "--set "
         "routing=smart_dor",
         "looks at congestion"},
        {"--set \"router={sa_arbiter: {name: weighted}}\" --set cosim.shadow=all",
         "arbiters 'weighted' must weigh message classes (by: class) for a router in RTL"},
    };
    for (const auto& [options, text] : together) {
        const outcome o = sare(std::string("run x.yaml --no-report --out r --overwrite ") + options);
        EXPECT_EQ(o.status, 1) << options;
        EXPECT_NE(o.err.find(text), std::string::npos) << options << ": " << o.err;
    }
}

}  // namespace
}  // namespace sare::test::classes_test
