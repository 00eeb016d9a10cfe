// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

#include <algorithm>

/// The contention-free model, from outside: the same files by one setting.
namespace sare::test::analytic_test {
namespace {

class analytic : public program {
  protected:
    void SetUp() override {
        program::SetUp();
        write("small.yaml", small);
    }
    std::size_t lines(const std::string& file) const {
        const std::string text = read(file);
        return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    }
};

TEST_F(analytic, WritesTheFilesOfARunWithoutLinks) {
    const outcome o =
        sare("run small.yaml --out result --no-report --set fidelity=analytic --set measurement.matrix=true");
    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.err, "");
    EXPECT_NE(o.out.find("contention-free, bernoulli"), std::string::npos) << o.out;
    EXPECT_EQ(o.out.find("links, flits/cycle"), std::string::npos) << o.out;
    EXPECT_EQ(lines("result/links.csv"), 1U);
    EXPECT_EQ(lines("result/queues.csv"), 1U);
    EXPECT_EQ(lines("result/nodes.csv"), 17U);
    EXPECT_EQ(lines("result/routers.csv"), 17U);
    EXPECT_GT(lines("result/series.csv"), 3U);
    EXPECT_GT(lines("result/latency_histogram.csv"), 5U);
    EXPECT_GT(lines("result/distances.csv"), 5U);
    EXPECT_GT(lines("result/matrix.csv"), 50U);
    const auto s = read_json("result/summary.json");
    EXPECT_EQ(s["config"]["fidelity"], "analytic");
    EXPECT_EQ(s["status"], "completed");
    EXPECT_EQ(s["topology"]["links"], 24 + 16);  // as sare topo counts them
    EXPECT_EQ(s["topology"]["channels"], 48);
    EXPECT_TRUE(s["links"]["mean_load"].is_null());
    EXPECT_EQ(s["latency"]["packet"]["from_generation"]["max"], 6 + 2 + 1);
    EXPECT_EQ(s["deadlock_check"], "not needed: nothing waits in a contention-free network");
}

/// One description for all fidelities: with `latency` and `bandwidth` a message of one flit takes longer in
/// flits by what routers take, and by the cycle of each link of a node, which has no latency here.
TEST_F(analytic, ReadsLinkTimesAsTheSameMachineAsFlits) {
    const std::string times =
        "network: {topology: torus, dims: [4, 4], latency: 100ns, bandwidth: 50GB/s}\n"
        "traffic: {workload: ping, pairs: [[0, 1]], rounds: 1, length: 1}\n";
    write("times.yaml", times + "nic: {flit_bytes: 50}\nrouter: {depth: 101}\n");
    const auto latency = [&](const std::string& more) {
        const outcome o = sare("run times.yaml --quiet --no-report --overwrite --out r " + more);
        EXPECT_EQ(o.err, "") << more;
        return read_json("r/summary.json")["latency"]["packet"]["from_generation"]["max"].get<double>();
    };
    EXPECT_EQ(latency("--set fidelity=analytic"), 100 + 1);
    const double flits = latency(""),
                 cycles = latency("--set network.latency=0 --set network.link_latency=100");
    EXPECT_EQ(flits, cycles);
    EXPECT_EQ(latency("--set network.latency=200ns"), flits + 100);
    // The other way round: cycles are cycles in both.
    EXPECT_EQ(latency("--set fidelity=analytic --set network.link_latency=7 --set network.latency=0"),
              7 + 2 + 1);
    write("half.yaml", times + "nic: {flit_bytes: 95}\n");
    const outcome said = sare("check half.yaml");
    EXPECT_NE(said.out.find(
                  "links          0 ns: 1 cycle, 1 ns; 100 ns: 100 cycles, 100 ns; 4e+11 bit/s: a flit in 2 "
                  "cycles, 3.8e+11 bit/s"),
              std::string::npos)
        << said.out << said.err;
    write("narrow.yaml", times);
    EXPECT_EQ(
        sare("run narrow.yaml --out n").err,
        "sare: narrow.yaml:1:10: a link of 4e+11 bit/s carries a flit of 16 bytes in 0.32 cycles; flits have "
        "whole ones from 1 to 65535: such as with 'nic.flit_bytes: 50' or 'clock_period: 320ps'\n");
    EXPECT_EQ(sare("run times.yaml --out n --set clock_period=150ns").err,
              "sare: times.yaml:1:10: a link crosses its latency of 1e-07 s in 0.6667 cycles; flits have "
              "whole ones "
              "from 1 to 65535: choose another 'clock_period', or give the latency in cycles\n");
}

/// What the resolved configuration says is the same machine.
TEST_F(analytic, KeepsLinkTimesInTheResolvedConfiguration) {
    write("times.yaml",
          "network: {topology: dragonfly, a: 4, p: 2, h: 2, latency: 20ns, global_latency: 0.1us, bandwidth: "
          "16GB/s}\n"
          "traffic: {workload: ping, pairs: [[0, 70]], rounds: 1, length: 3}\n");
    ASSERT_EQ(sare("run times.yaml --quiet --no-report --out a").status, 0);
    write("again.yaml", read_json("a/summary.json")["config"].dump());
    const outcome o = sare("run again.yaml --quiet --no-report --out b");
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(read("a/links.csv"), read("b/links.csv"));
    EXPECT_EQ(read_json("a/summary.json")["latency"], read_json("b/summary.json")["latency"]);
}

/// Without routers nothing bounds their ports; with them a mistake names the way out.
TEST_F(analytic, RunsCrossbarStarAndTreeOfAThousandNodes) {
    const auto run = [&](const std::string& name, const std::string& text, const std::string& fidelity) {
        write(name + ".yaml", "network: {" + text + ", node_link_latency: 2}\ntraffic: random\n");
        const outcome o =
            sare("run " + name + ".yaml --quiet --no-report --out " + name + " --set fidelity=" + fidelity);
        EXPECT_EQ(o.err, "") << name;
        EXPECT_EQ(lines(name + "/nodes.csv"), 1101U) << name;
        return read_json(name + "/summary.json");
    };
    const auto crossbar = run("crossbar", "topology: crossbar, n: 1100", "analytic");
    const auto mesh = run("mesh", "topology: mesh, dims: [44, 25]", "crossbar");
    EXPECT_EQ(crossbar["latency"], mesh["latency"]);
    EXPECT_EQ(crossbar["cycles"], mesh["cycles"]);
    // Two links more by way of the hub, or of the root.
    const double two = crossbar["latency"]["packet"]["from_generation"]["mean"];
    const auto star = run("star", "topology: star, n: 1100", "analytic");
    EXPECT_DOUBLE_EQ(star["latency"]["packet"]["from_generation"]["mean"], two + 2);
    const auto tree = run("tree", "topology: tree, degree: 1100, depth: 1", "analytic");
    EXPECT_DOUBLE_EQ(tree["latency"]["packet"]["from_generation"]["mean"], two);
    EXPECT_EQ(sare("check crossbar.yaml").err,
              "sare: crossbar.yaml:1:10: router 0 of this crossbar has 1100 ports; at most 1024, or any "
              "number without routers: 'fidelity: analytic'\n");
    EXPECT_EQ(
        sare("topo star.yaml").err,
        "sare: star.yaml:1:10: router 0 of this star has 1100 ports; at most 1024, or any number without "
        "routers: 'fidelity: analytic'\n");
    EXPECT_EQ(sare("topo star.yaml --set fidelity=analytic").status, 0);
}

/// Both sends of a tag wait for the same operation: they go in the order of their lines and meet the receives
/// in that order. 100 ns of computation, then 1,000 bytes, 2 us, 8 bytes, 2 us, at a byte a nanosecond.
TEST_F(analytic, MatchesSendsThatWaitedTogetherInOrder) {
    write("two.goal",
          "num_ranks 2\n"
          "rank 0 {\nc: calc 100\na: send 1000b to 1 tag 7\nb: send 2000000b to 1 tag 7\n"
          "a requires c\nb requires c\nz: recv 8b from 1 tag 9\n}\n"
          "rank 1 {\na: recv 1000b from 0 tag 7\nb: recv 2000000b from 0 tag 7\ns: send 8b to 0 tag 9\n"
          "s requires a\n}\n");
    write("two.yaml",
          "fidelity: analytic\nclock_period: 1ns\n"
          "network: {topology: crossbar, n: 2, node_latency: 1e-6, bandwidth: 8e9}\n"
          "traffic: {workload: trace, file: two.goal}\n");
    EXPECT_EQ(sare("run two.yaml --out two --no-report --quiet").err, "");
    EXPECT_NE(read("two/tasks.csv").find("0,0,4,2,2001000,100,0,100,0,5108\n"), std::string::npos)
        << read("two/tasks.csv");
}

/// LogGOPSim's first example, a dissemination among 16 ranks, with its default parameters: L = 2,500 ns and
/// o = 1,500 ns, so four rounds of o + L + o. Its README gives 22,000 ns; here a byte takes a nanosecond
/// more.
TEST_F(analytic, TimesADisseminationAsLogGopsDoes) {
    std::string text = "num_ranks 16\n";
    for (int rank = 0; rank < 16; ++rank) {
        text += "rank " + std::to_string(rank) + " {\n";
        for (int round = 0; round < 4; ++round) {
            const std::string n = std::to_string(round);
            text += "s" + n + ": send 1b to " + std::to_string((rank + (1 << round)) % 16) + " tag 0\n";
            if (round > 0) text += "s" + n + " requires r" + std::to_string(round - 1) + "\n";
            text +=
                "r" + n + ": recv 1b from " + std::to_string((rank + 16 - (1 << round)) % 16) + " tag 0\n";
        }
        text += "}\n";
    }
    write("all.goal", text);
    write("all.yaml",
          "fidelity: analytic\nclock_period: 1ns\n"
          "network: {topology: crossbar, n: 16, node_latency: 1.25e-6, bandwidth: 8e9}\n"
          "traffic: {workload: trace, file: all.goal, overhead_send: 1.5e-6, overhead_receive: 1.5e-6}\n");
    EXPECT_EQ(sare("run all.yaml --out all --no-report --quiet").err, "");
    EXPECT_EQ(read_json("all/summary.json")["workload"]["makespan_cycles"], 4 * (1500 + 2500 + 1500 + 1));
}

TEST_F(analytic, DrawsAReportWithoutLinks) {
    const outcome o = sare("run small.yaml --out result --set fidelity=analytic");
    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.err, "");
    EXPECT_TRUE(std::filesystem::exists(at("result/report.html")));
}

TEST_F(analytic, SaysInACheckWhatIsLeftOut) {
    const outcome o = sare("check small.yaml --set fidelity=analytic");
    EXPECT_EQ(o.status, 0);
    EXPECT_NE(o.out.find("fidelity       analytic: routers and routing are left out\n"), std::string::npos)
        << o.out;
    EXPECT_EQ(o.out.find("routing  "), std::string::npos) << o.out;
}

TEST_F(analytic, IsComparedWithFlitsByASweep) {
    const outcome o =
        sare("sweep small.yaml --axis fidelity=flit,analytic --axis traffic.load=0.1,0.2 --out all --quiet");
    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.err, "");
    const auto flits = read_json("all/points/000/summary.json"),
               ideal = read_json("all/points/002/summary.json");
    EXPECT_EQ(flits["config"]["fidelity"], "flit");
    EXPECT_EQ(ideal["config"]["fidelity"], "analytic");
    EXPECT_EQ(flits["packets"]["generated"], ideal["packets"]["generated"]);
    EXPECT_GT(flits["latency"]["packet"]["from_generation"]["mean"],
              ideal["latency"]["packet"]["from_generation"]["mean"]);
    EXPECT_EQ(lines("all/sweep.csv"), 5U);
}

TEST_F(analytic, RunsHierarchiesInBothFidelities) {
    write("pairs.yaml",
          "network:\n"
          "  topology: hierarchical\n"
          "  levels:\n"
          "    - {topology: torus, dims: [3, 3], link_latency: 7}\n"
          "    - {topology: star, n: 2, gateway: 0}\n"
          "routing: shortest_path\n"
          "router: {vcs: 4}\n"
          "traffic: {workload: ring}\n");
    for (const char* fidelity : {"flit", "analytic"}) {
        const std::string name = fidelity;
        const outcome o =
            sare("run pairs.yaml --quiet --no-report --out " + name + " --set fidelity=" + name);
        EXPECT_EQ(o.status, 0) << o.err;
        const auto s = read_json(name + "/summary.json");
        EXPECT_EQ(s["topology"]["name"], "hierarchical");
        EXPECT_EQ(s["messages"]["consumed"], 18);
        EXPECT_EQ(s["config"]["network"]["levels"][1]["gateway"], 0);
    }
}

TEST_F(analytic, RefusesRtlAndCosimulation) {
    const outcome run = sare("run small.yaml --set fidelity=analytic --set cosim.replace=3");
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(
        run.err,
        "sare: --set cosim.replace: 'cosim' names blocks in RTL and 'fidelity' is analytic, which has no "
        "routers; leave one of them out\n");
    const outcome cosim = sare("cosim small.yaml --cycles 10 --set fidelity=analytic");
    EXPECT_NE(cosim.status, 0);
    EXPECT_NE(cosim.err.find("fidelity"), std::string::npos) << cosim.err;
}

TEST_F(analytic, ReportsMistakesInOneLine) {
    write("case.yaml",
          "network:\n"
          "  topology: hierarchical\n"
          "  levels:\n"
          "    - {topology: mesh, dims: [2, 2]}\n"
          "    - {topology: ring, n: 4, gateway: 9}\n"
          "fidelity: analitic\n"
          "traffic: {workload: ring}\n");
    const std::string near = sare("check case.yaml").err;
    EXPECT_EQ(near.substr(0, 22), "sare: case.yaml:6:11: ");
    EXPECT_NE(near.find("'analytic'"), std::string::npos) << near;
    EXPECT_EQ(sare("check case.yaml --set fidelity=analytic").err,
              "sare: case.yaml:5:39: 'gateway' is 9; the ring has routers 0 to 3\n");
}

}  // namespace
}  // namespace sare::test::analytic_test
