// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

#include <random>
#include <set>

/// `sare saturate`: what it finds and writes, resuming, mistakes.
namespace sare::test::saturate_test {
namespace {

class saturate : public program {
  protected:
    void SetUp() override {
        program::SetUp();
        write("ring.yaml",
              "network: {topology: ring, n: 4}\nrouting: {function: dor, ties: positive}\n"
              "traffic: {workload: bernoulli, pattern: tornado, load: 0.1}\n"
              "measurement: {warmup: 500, convergence_interval: 200, batch: 500}\n");
    }
    nlohmann::json first(const std::string& directory) const {
        return read_json(directory + "/summary.json")["combinations"][0];
    }
};

TEST_F(saturate, FindsTheLoadBelowTheBound) {
    const outcome o = sare(
        "saturate ring.yaml --tolerance 5% --axis traffic.pattern=tornado,uniform -j 2 --out s --no-report");
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.err, "");
    EXPECT_NE(o.out.find("tornado"), std::string::npos) << o.out;
    const auto all = read_json("s/summary.json")["combinations"];
    ASSERT_EQ(all.size(), 2u);
    for (const auto& one : all) {
        const double bound = one["bound"]["load"];
        EXPECT_TRUE(one["bound"]["exact"]);
        EXPECT_EQ(one["status"], "found") << one;
        const double load = one["saturation"]["load"], from = one["saturation"]["sustained"],
                     to = one["saturation"]["saturated"];
        EXPECT_LE(from, load);
        EXPECT_LE(load, to);
        EXPECT_LE(to, bound);
        EXPECT_LE(to - from, 0.05 * to);
        EXPECT_GT(load, 0.5 * bound);
        EXPECT_LE(one["runs"].size(), 24u);
        std::set<int> seeds;
        for (const auto& run : one["runs"])
            if (run["length"] > 1) seeds.insert(run["seed"].get<int>());
        EXPECT_GE(seeds.size(), 2u);
        for (const auto& run : one["runs"]) {
            if (run["status"] == "completed") {
                EXPECT_LE(run["accepted"], 1.02 * bound);
            }
        }
    }
    EXPECT_EQ(all[0]["bound"]["load"], 1);  // one hop each
    EXPECT_EQ(all[1]["bound"]["load"], 1);
    EXPECT_EQ(read("s/saturation.csv")
                  .rfind("point,traffic.pattern,status,saturation,sustained,saturated,confidence,", 0),
              0u);
    EXPECT_TRUE(std::filesystem::exists(at("s/points/001/00/summary.json")));
}

TEST_F(saturate, RepeatsItselfAndGoesOnFromItsRuns) {
    const std::string command = "saturate ring.yaml --runs 8 --no-report --quiet --out ";
    ASSERT_EQ(sare(command + "a").status, 0);
    // As after a kill: some of the runs, and half of one.
    ASSERT_EQ(shell("cp -r a b; rm -r b/points/000/03 b/points/000/04 b/saturation.csv; "
                    "mkdir b/points/000/03.partial-here-1")
                  .status,
              0);
    const auto kept = std::filesystem::last_write_time(at("b/points/000/02/summary.json"));
    ASSERT_EQ(sare(command + "b").status, 0);
    EXPECT_EQ(read("a/saturation.csv"), read("b/saturation.csv"));
    EXPECT_EQ(read("a/summary.json"), read("b/summary.json"));
    EXPECT_EQ(std::filesystem::last_write_time(at("b/points/000/02/summary.json")), kept);
    EXPECT_FALSE(std::filesystem::exists(at("b/points/000/03.partial-here-1")));
    const outcome other = sare("saturate ring.yaml --tolerance 5% --out b");
    EXPECT_EQ(other.status, 1);
    EXPECT_EQ(other.err,
              "sare: b: holds another saturate (its saturate.json tells which); choose another --out\n");
}

/// Where the runs are not enough there is no headline anywhere, but both ends; more runs go on.
TEST_F(saturate, SaysWhatItHasNotFound) {
    const std::string command =
        "saturate ring.yaml --set traffic.pattern=uniform --no-report --out s --runs ";
    const outcome few = sare(command + "4");
    ASSERT_EQ(few.status, 0) << few.err;
    EXPECT_NE(
        few.out.find(
            "not found: 1 of 1 points, whose saturation is between 'from' and 'to'; the same command with "
            "more --runs than 4 goes on\n"),
        std::string::npos)
        << few.out;
    const auto one = first("s");
    EXPECT_EQ(one["status"], "not found");
    EXPECT_TRUE(one["saturation"]["load"].is_null());
    EXPECT_TRUE(one["of_bound"].is_null());
    EXPECT_TRUE(one["limiter"].is_null());
    EXPECT_LT(one["saturation"]["sustained"], one["saturation"]["saturated"]);
    const std::string row = read("s/saturation.csv");
    EXPECT_NE(row.find("\n0,not found,,"), std::string::npos) << row;
    const auto kept = std::filesystem::last_write_time(at("s/points/000/03/summary.json"));
    EXPECT_EQ(sare(command + "24").out.find("not found"), std::string::npos);
    EXPECT_EQ(first("s")["status"], "found");
    EXPECT_EQ(std::filesystem::last_write_time(at("s/points/000/03/summary.json")), kept);
}

/// A permutation that is drawn from the seed is one and the same in runs of several seeds.
TEST_F(saturate, KeepsADrawnPermutationOverSeveralSeeds) {
    ASSERT_EQ(sare("saturate ring.yaml --set network.n=8 --set traffic.pattern=random_permutation "
                   "--tolerance 5% --no-report --quiet --out s")
                  .status,
              0);
    const auto one = first("s");
    EXPECT_EQ(one["status"], "found") << one["saturation"];
    for (const char* run : {"00", "05"})
        EXPECT_EQ(read_json("s/points/000/" + std::string(run) +
                            "/summary.json")["config"]["traffic"]["pattern"]["seed"],
                  1);
}

TEST_F(saturate, OverwritesOnlyItsOwnResults) {
    ASSERT_EQ(sare("saturate ring.yaml --runs 2 --no-report --quiet --out s").status, 0);
    write("s/points/000/left", "");
    ASSERT_EQ(sare("saturate ring.yaml --runs 2 --seed 5 --no-report --quiet --out s --overwrite").status, 0);
    EXPECT_EQ(first("s")["runs"][0]["seed"], 5);
    EXPECT_FALSE(std::filesystem::exists(at("s/points/000/left")));
    write("mine/file", "");
    const outcome o = sare("saturate ring.yaml --out mine --overwrite");
    EXPECT_EQ(o.status, 1);
    EXPECT_EQ(o.err,
              "sare: mine: is no result of sare, so --overwrite leaves it alone; choose another --out\n");
    EXPECT_TRUE(std::filesystem::exists(at("mine/file")));
}

/// A buffer of 2 flits on a link of 8 cycles carries 2 flits in each round trip, whatever the bound.
TEST_F(saturate, NamesWhatLimitsItBelowTheBound) {
    ASSERT_EQ(sare("saturate ring.yaml --set network.link_latency=8 --set router.vcs=2 --set router.depth=2 "
                   "--runs 16 --no-report --quiet --out s")
                  .status,
              0);
    const auto one = first("s");
    EXPECT_EQ(one["status"], "found") << one["saturation"];
    EXPECT_LT(one["of_bound"], 0.5);
    EXPECT_EQ(one["limiter"]["reason"], "credits") << one["limiter"];
    EXPECT_EQ(one["limiter"]["kind"], "router");
    // At the bound it is the bound's link.
    ASSERT_EQ(sare("saturate ring.yaml --set router.vcs=8 --runs 16 --no-report --quiet --out b").status, 0);
    EXPECT_GT(first("b")["of_bound"], 0.95);
    EXPECT_EQ(first("b")["limiter"]["link"], first("b")["bound"]["link"]);
}

/// Padding fills links as data does: a bound and the loads of every source count it.
TEST_F(saturate, CountsThePaddingOfPackets) {
    write("pad.yaml",
          "network: {topology: mesh, dims: [4, 4]}\nrouter: {vcs: 4, depth: 16}\n"
          "nic: {max_packet_flits: 16, pad: true}\nmeasurement: {batches: 6}\n"
          "traffic: {workload: bernoulli, pattern: uniform, length: 4, load: 0.1}\n");
    const auto bound = [this](const std::string& more) {
        const std::string out = sare("check pad.yaml " + more).out;
        return std::stod(out.substr(out.find("bound ") + 5));
    };
    EXPECT_NEAR(4 * bound(""), bound("--set nic.pad=false"), 2e-4);
    const std::string range = "--set 'traffic.length={name: range, min: 13, max: 20}'";  // 16 or 32 flits
    EXPECT_NEAR(24 / 16.5 * bound(range), bound(range + " --set nic.pad=false"), 2e-4);
    const std::string flows =
        "--set 'traffic={workload: flows, flows: [{from: 0, to: 5, rate: 0.1, length: 4}]}'";
    EXPECT_NEAR(4 * bound(flows), bound(flows + " --set nic.pad=false"), 2e-4);
    for (const std::string& more :
         {std::string(), range, flows, std::string("--set fidelity=analytic"),
          std::string("--set 'traffic={workload: request_reply, load: 0.01, length: 3, reply_length: 20}'"),
          std::string("--set 'traffic={workload: constant_population, total: 9, length: 5}'")}) {
        const outcome o = sare("run pad.yaml --no-report --overwrite --out o " + more);
        ASSERT_EQ(o.status, 0) << more << o.err;
        const auto load = read_json("o/summary.json")["load"];
        const double offered = load["offered"];
        EXPECT_GT(offered, 0) << more;
        EXPECT_NEAR(offered, load["injected"], 0.02 * offered) << more;
        EXPECT_NEAR(offered, load["accepted"], 0.05 * offered) << more;
    }
}

/// A repeat that overturned an end threw the search back to the first run: 0.0098 instead of 0.484.
TEST_F(saturate, KeepsItsBracketOnATorus) {
    write("torus.yaml",
          "network: {topology: torus, dims: [8, 8]}\nrouting: dor\nrouter: {vcs: 4, depth: 8}\nseed: 2\n"
          "traffic: {workload: bernoulli, pattern: uniform, load: 0.2, length: 4}\n");
    ASSERT_EQ(sare("saturate torus.yaml --runs 9 --no-report --quiet --out s").status, 0);
    const auto one = first("s");
    const double from = one["saturation"]["sustained"], to = one["saturation"]["saturated"];
    EXPECT_LT(from, 0.484);
    EXPECT_GT(to, 0.484);
    EXPECT_GT(from, 0.44);
    EXPECT_EQ(one["status"], to - from > 0.05 * to ? "not found" : "found");
}

/// A load 10% above the bound leaves some source behind, in any network; one far below does not.
TEST_F(saturate, SustainsNoLoadAboveTheBound) {
    std::minstd_rand random(7);
    const auto below = [&random](std::size_t n) { return random() % n; };
    const char* const functions[] = {"shortest_path", "up_down", "table", "{function: up_down_escape}"};
    for (int k = 0; k < 12; ++k) {
        const std::size_t routers = 3 + below(8);
        std::ostringstream graph, flows;
        graph << "sare-graph 1\n";
        for (std::size_t r = 0; r < routers; ++r) graph << "node " << r << ' ' << r << '\n';
        for (std::size_t r = 1; r < routers; ++r)
            graph << "link " << r << ' ' << below(r) << " 1 " << 1 + below(2) << '\n';
        for (std::size_t n = below(routers); n > 0; --n)
            if (const std::size_t a = below(routers), b = below(routers); a != b)
                graph << "link " << a << ' ' << b << '\n';
        for (std::size_t s = 0; s < routers; ++s)
            for (int n = 0; n < 3; ++n) flows << s << ' ' << below(routers) << ' ' << 1 + below(9) << '\n';
        write("graph.txt", graph.str());
        write("flows.txt", flows.str());
        write(
            "random.yaml",
            std::string("network: {topology: graph, file: graph.txt}\nrouting: ") + functions[k % 4] +
                "\nrouter: {vcs: 4, reallocation: atomic}\n"
                "traffic: {workload: bernoulli, pattern: {name: population, file: flows.txt}, length: 2}\n");
        const std::string checked = sare("check random.yaml").out;
        const auto at = checked.find("bound ");
        ASSERT_NE(at, std::string::npos) << checked;
        const double bound = std::stod(checked.substr(at + 5));
        ASSERT_GT(bound, 0) << checked;
        const auto status = [&](double load) {
            sare("run random.yaml --no-report --quiet --overwrite --out r --set traffic.load=" +
                 std::to_string(load));
            return read_json("r/summary.json")["status"].get<std::string>();
        };
        EXPECT_EQ(status(1.1 * bound), "saturated") << graph.str() << flows.str() << checked;
        EXPECT_EQ(status(0.2 * bound), "completed") << graph.str() << flows.str() << checked;
    }
}

TEST_F(saturate, CallsLinksByTheirNames) {
    write("net.txt", "sare-graph 1\nlink a b\nlink b c name=west\nnode cpu a\nnode bus b\nnode dram c\n");
    write(
        "named.yaml",
        "network: {topology: graph, file: net.txt}\nrouting: up_down\nrouter: {vcs: 2}\n"
        "routers: [{at: [a, c], depth: 3}]\n"
        "traffic: {workload: bernoulli, load: 0.1, pattern: {name: hotspot, nodes: [dram], fraction: 1}}\n");
    const outcome o = sare("check named.yaml");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_NE(o.out.find("0.5 flits/node/cycle: west, router b to router c and 1 more\n"), std::string::npos)
        << o.out;
    EXPECT_NE(o.out.find("routers        [a, c]: "), std::string::npos) << o.out;
    // Of flows, with their answers: what their rates can be multiplied by.
    const outcome flows = sare(
        "check named.yaml --set 'traffic={workload: flows, flows: [{from: cpu, to: dram, rate: 0.25, length: "
        "2, "
        "reply: 4}]}'");
    EXPECT_NE(flows.out.find("bound          2 times the rates given: ejection of node cpu and 3 more\n"),
              std::string::npos)
        << flows.out << flows.err;
}

TEST_F(saturate, SaysWhyThereIsNoBound) {
    write("deflected.yaml",
          "network: {topology: mesh, dims: [4, 4]}\nrouter: {kind: deflection}\n"
          "traffic: {workload: bernoulli, load: 0.1}\n");
    const outcome o = sare("check deflected.yaml");
    EXPECT_NE(o.out.find("none: routers of kind 'deflection' need not take the ways of the routing function"),
              std::string::npos)
        << o.out << o.err;
    EXPECT_NE(sare("check ring.yaml").out.find("bound          1 flits/node/cycle: "), std::string::npos);
}

/// What lets a link carry less than its width: a slow switch, or the rate that the file gives a NIC. A class
/// of messages other than the first changes nothing.
TEST_F(saturate, KnowsWhatSetsTheBound) {
    const std::pair<const char*, const char*> all[] = {
        {"--set router.sa_delay=4 --set router.pipelined=false",
         "0.25 flits/node/cycle: router 0 to router 1 (port 0) and 7 more, which the switch serves only "
         "every so"},
        {"--set nic.rate=0.3",
         "0.3 flits/node/cycle: injection of node 0 and 3 more, whose NIC is allowed no more"},
        {"--set traffic.class=1 --set router.vcs=4", "1 flits/node/cycle: "},
        {"--set 'traffic.classes={0: 0.8, 1: 0.2}' --set router.vcs=4", "1 flits/node/cycle: "}};
    for (const auto& [settings, said] : all) {
        const outcome o = sare(std::string("check ring.yaml ") + settings);
        EXPECT_NE(o.out.find(std::string("bound          ") + said), std::string::npos)
            << settings << o.out << o.err;
    }
}

/// The clock of a domain is the reason, and its remedy makes it faster: the reason stays a word that --remedy
/// knows, and the domain stands beside it.
TEST_F(saturate, TriesAFasterClockWhereThatIsTheReason) {
    write("slow.yaml",
          "network: {topology: mesh, dims: [2]}\nrouter: {vcs: 4, depth: 32}\nnic: {ejection_depth: 64}\n"
          "domains: {slow: {routers: 0, clock: 2}}\n"
          "traffic: {workload: bernoulli, pattern: complement, load: 0.1}\n"
          "measurement: {warmup: 500, convergence_interval: 200, batch: 500}\n");
    const outcome o = sare("saturate slow.yaml --remedy --no-report --out s");
    EXPECT_EQ(o.status, 0) << o.err;
    const auto limiter = first("s")["limiter"];
    EXPECT_EQ(limiter["reason"], "clock") << limiter;
    EXPECT_EQ(limiter["domain"], "slow") << limiter;
    EXPECT_NE(o.out.find(": clock of slow"), std::string::npos) << o.out;
    EXPECT_NE(o.out.find("remedy of 0: domains.slow={routers: 0, clock: 1}: "), std::string::npos) << o.out;
    EXPECT_EQ(read_json("s/points/000/remedy.json")["verdict"], "holds") << o.out;
}

/// Flows of bursts cannot be made at loads above their peaks: the search ends there.
TEST_F(saturate, TriesNoLoadThatSourcesCannotMake) {
    write("f.txt", "0 1 0.3\n1 0 0.3 0 4 burst=20 peak=0.5\n");
    write("peaks.yaml",
          "network: {topology: crossbar, n: 2}\ntraffic: {workload: flows, file: f.txt, load: 1}\n"
          "measurement: {warmup: 500, convergence_interval: 200, batch: 500}\n");
    const outcome o = sare("saturate peaks.yaml --no-report --out p");
    EXPECT_EQ(o.status, 0) << o.err;
    const auto one = first("p");
    EXPECT_EQ(one["status"], "not saturated") << one;
    EXPECT_NEAR(one["saturation"]["sustained"], 0.5 / 0.3, 0.04) << one;
}

TEST_F(saturate, ReportsMistakesInOneLine) {
    const auto says = [&](const std::string& arguments, int status, const std::string& text) {
        const outcome o = sare("saturate ring.yaml --out bad " + arguments);
        EXPECT_EQ(o.status, status) << arguments;
        EXPECT_NE(o.err.find(text), std::string::npos) << o.err;
        EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
    };
    says("--axis traffic.load=0.1,0.2", 2,
         "--axis traffic.load: saturate looks for the load itself; leave it out");
    says("--tolerance 0", 2, "--tolerance 0: must be from 0.5% to 5%, such as 1%");
    says("--tolerance narrow", 2, "--tolerance narrow: must be from 0.5% to 5%, such as 1%");
    says("--tolerance 6%", 2, "--tolerance 6%: must be from 0.5% to 5%, such as 1%");
    says("--runs 0", 2, "--runs");
    says("--latency-factor 1", 2, "--latency-factor");
    says("--set traffic.source_queue=4", 1, "'source_queue' is limited");
    says("--set 'traffic={workload: request_reply, load: 0.1}'", 1, "wait for what they have sent");
    says("--set fidelity=analytic", 1, "fidelity 'analytic' has no contention inside the network");
}

}  // namespace
}  // namespace sare::test::saturate_test
