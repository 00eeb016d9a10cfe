// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

/// `--remedy`: the reason of congestion put to the test.
namespace sare::test::remedy_test {
namespace {

class remedy : public program {
  protected:
    /// Judges a run of the experiment: its remedy.json.
    nlohmann::json judged(const std::string& yaml) {
        write("slow.yaml", yaml);
        const outcome o = sare("run slow.yaml --remedy --no-report --overwrite --out slow");
        EXPECT_EQ(o.status, 0) << o.err;
        const auto found = read_json("slow/remedy.json");
        EXPECT_NE(o.out.find("remedy: " + found["says"].get<std::string>()), std::string::npos) << o.out;
        return found;
    }
};

/// Senders with 4 VCs of 64 places, 205 cycles of round trip, packets of 2 flits: 0.039 flits a cycle; with
/// VCs that are given again after the tail all that is offered.
TEST_F(remedy, IsProvedByARunWithTheChange) {
    const auto found = judged(
        "network: {topology: mesh, dims: [2], link_latency: 100}\nrouting: dor\n"
        "router: {vcs: 4, depth: 64, reallocation: atomic}\nmeasurement: {warmup: 5000, batch: 5000}\n"
        "traffic: {workload: flows, flows: [{from: 0, to: 1, rate: 0.4, length: 2}]}");
    EXPECT_EQ(found["reason"], "atomic");
    EXPECT_EQ(found["parameter"], "router.reallocation");
    EXPECT_EQ(found["verdict"], "holds");
    EXPECT_NEAR(found["before"], 0.039, 0.001);
    EXPECT_NEAR(found["after"], 0.4, 0.02);
    EXPECT_EQ(read_json("slow/remedy/summary.json")["config"]["router"]["reallocation"], "tail");
}

/// Deeper buffers do not help a ring whose links go round: nothing says afterwards that they may.
TEST_F(remedy, that_gains_nothing_withdraws_the_reason) {
    const auto found = judged(
        "network: {topology: torus, dims: [8]}\nrouter: {vcs: 2}\n"
        "traffic: {workload: bernoulli, load: 0.9, pattern: tornado, length: 8}");
    EXPECT_EQ(found["reason"], "credits");
    EXPECT_EQ(found["verdict"], "cannot tell");
    const auto summary = read_json("slow/summary.json");
    const auto root = summary["congestion"][0];
    EXPECT_EQ(root["reason"], "cannot tell");
    EXPECT_EQ(root["withdrawn"], "credits");
    for (const char* key : {"says", "change", "parameter"}) EXPECT_FALSE(root.contains(key)) << key;
    const std::string said = summary["status_reason"];
    EXPECT_NE(said.find("carries nothing: cannot tell why"), std::string::npos) << said;
    EXPECT_EQ(said.find("may help"), std::string::npos) << said;
}

/// What one router has by an entry of `routers` is changed there; and a network that takes all that it is
/// offered afterwards has gained, whatever its sources ask for.
TEST_F(remedy, ChangesTheRouterThatLimits) {
    const auto found = judged(
        "network: {topology: mesh, dims: [4, 4]}\nrouting: dor\nrouter: {vcs: 4, depth: 16}\n"
        "routers: [{at: 5, depth: 1}]\ntraffic: {workload: bernoulli, load: 0.5, length: 4}");
    EXPECT_EQ(found["reason"], "credits");
    EXPECT_EQ(found["parameter"], "routers");
    EXPECT_EQ(found["value"].dump(), R"([{"at":5,"depth":1},{"at":5,"depth":4}])");
    EXPECT_EQ(found["verdict"], "holds") << found;
}

TEST_F(remedy, HoldsWhereNothingSaturatesAfterwards) {
    const auto found = judged(
        "network: {topology: mesh, dims: [4, 4]}\nrouting: dor\nrouter: {vcs: 4, depth: 8}\n"
        "nic: {credit_delay: 60}\ntraffic: {workload: bernoulli, load: 0.5, length: 4}");
    EXPECT_EQ(found["reason"], "credits");
    EXPECT_EQ(found["verdict"], "holds") << found;
    const std::string says = found["says"];
    EXPECT_NE(says.find("router.depth=32: all of the 0.5"), std::string::npos) << says;
}

/// The link to a node that is in half its width again: twice as much.
TEST_F(remedy, WidensTheLinkThatIsFull) {
    const auto found = judged(
        "network: {topology: crossbar, n: 4}\nlinks: [{node: 0, cycles_per_flit: 4}]\n"
        "traffic: {workload: flows, flows: [{from: 1, to: 0, rate: 0.4, length: 4}, {from: 2, to: 0, rate: "
        "0.4, length: 4}]}");
    EXPECT_EQ(found["reason"], "busy");
    EXPECT_EQ(found["verdict"], "holds");
    EXPECT_NEAR(found["before"], 0.25, 0.005);
    EXPECT_NEAR(found["after"], 0.5, 0.01);
}

TEST_F(remedy, IsNotTriedWhereThereIsNothingToChange) {
    const auto full = judged(
        "network: {topology: crossbar, n: 4}\ntraffic: {workload: flows, flows: [{from: 1, to: 0, rate: 0.8, "
        "length: 4}, {from: 2, to: 0, rate: 0.8, length: 4}]}");
    EXPECT_EQ(full["verdict"], "not tried");
    EXPECT_NE(full["says"].get<std::string>().find("a flit a cycle already"), std::string::npos);
    const auto idle =
        judged("network: {topology: crossbar, n: 4}\ntraffic: {workload: bernoulli, load: 0.01}");
    EXPECT_NE(idle["says"].get<std::string>().find("no congestion was found"), std::string::npos);
}

/// Of a search the saturation is compared: a VC a link, long packets.
TEST_F(remedy, IsProvedByASearchForSaturation) {
    write("slow.yaml",
          "network: {topology: crossbar, n: 4}\nrouter: {vcs: 1, sa_delay: 4}\n"
          "measurement: {warmup: 500, batch: 500}\n"
          "traffic: {workload: bernoulli, load: 0.1, length: 4, pattern: neighbour}");
    const outcome o = sare("saturate slow.yaml --remedy --no-report --tolerance 5% --out slow");
    EXPECT_EQ(o.status, 0) << o.err;
    const auto found = read_json("slow/points/000/remedy.json");
    EXPECT_EQ(found["reason"], "pace") << found;
    EXPECT_EQ(found["verdict"], "holds");
    EXPECT_GT(found["gain"].get<double>(), 1);
    EXPECT_NE(o.out.find("remedy of 0: router.sa_delay=1: "), std::string::npos) << o.out;
}

TEST_F(remedy, IsRefusedForSeveralRunsAndCheckpoints) {
    write("slow.yaml", "network: {topology: crossbar, n: 4}\ntraffic: {workload: bernoulli, load: 0.01}");
    EXPECT_EQ(sare("run slow.yaml --remedy --seeds 2").status, 2);
    EXPECT_EQ(sare("run slow.yaml --remedy --checkpoint 1min").status, 2);
}

}  // namespace
}  // namespace sare::test::remedy_test
