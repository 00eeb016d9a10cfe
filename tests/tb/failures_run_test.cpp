// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

#include <algorithm>

/// `sare run` where links fail or hit bits.
namespace sare::test::failures_run_test {
namespace {

class failures : public program {
  protected:
    void SetUp() override {
        program::SetUp();
        write("program.yaml",
              "network: {topology: mesh, dims: [4, 4]}\nrouting: up_down\nrouter: {vcs: 2, depth: 8}\n"
              "failures: {reroute: 500, events: [{between: [5, 6], at: 60}]}\n"
              "traffic: {workload: butterfly, bytes: 512}\n");
        write("load.yaml",
              "network: {topology: mesh, dims: [4, 4], link_bit_error_rate: 1e-6}\nrouting: duato\n"
              "router: {vcs: 2, depth: 8, reallocation: atomic}\nnic: {max_packet_flits: 8, time_out: 400}\n"
              "failures: {reroute: 500, events: [{router: 12, at: 500}, {links: 0.1, at: 600}]}\n"
              "traffic: {workload: bernoulli, load: 0.1, length: 8}\n");
    }
};

/// A program that waits for a message that is lost is told which; with go-back-N it ends as if nothing had
/// been.
TEST_F(failures, AreReportedInOneLineForAProgram) {
    const outcome o = sare("run program.yaml --out a --no-report --quiet");
    EXPECT_NE(o.status, 0);
    EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
    EXPECT_NE(o.err.find("a message was lost, from node "), std::string::npos) << o.err;
    EXPECT_NE(o.err.find(" (failure): task "), std::string::npos) << o.err;
    EXPECT_EQ(read_json("a/summary.json")["status"], "stuck");
    const outcome again = sare(
        "run program.yaml --out b --no-report --quiet --set nic.retransmission=go_back_n "
        "--set nic.time_out=300");
    EXPECT_EQ(again.status, 0) << again.err;
    const auto s = read_json("b/summary.json");
    EXPECT_EQ(s["status"], "completed");
    EXPECT_GT(s["retransmission"]["sent_again"], 0);
    EXPECT_EQ(s["messages"]["dropped"], 0);
    EXPECT_EQ(s["messages"]["consumed"], s["messages"]["generated"]);
}

TEST_F(failures, AreListedByCauseAndPlace) {
    for (const char* again : {"none", "go_back_n"}) {
        const std::string out = again;
        const outcome o =
            sare("run load.yaml --no-report --quiet --set nic.retransmission=" + out + " --out " + out);
        EXPECT_EQ(o.status, 0) << o.err;
        const auto s = read_json(out + "/summary.json");
        EXPECT_EQ(s["status"], "completed");
        EXPECT_EQ(s.contains("retransmission"), out == "go_back_n");
        EXPECT_EQ(s["failures"].size(), 2U);
        std::uint64_t packets = 0;
        for (const auto& [cause, count] : s["drops"].items())
            packets += count["packets"].get<std::uint64_t>();
        EXPECT_EQ(s["packets"]["dropped"], packets);
        // What go-back-N sends again is not lost: causes are those of messages, not of their packets.
        EXPECT_GT(s["lost_messages"]["unreachable"], 0);
        EXPECT_EQ(s["lost_messages"].contains("bit_error"), out == "none");
        EXPECT_FALSE(s["lost_messages"].contains("given_up"));  // for want of a path, and later ones as well
        std::uint64_t messages = 0;
        for (const auto& [cause, count] : s["lost_messages"].items()) messages += count.get<std::uint64_t>();
        EXPECT_EQ(s["messages"]["dropped"], messages);
        EXPECT_EQ(read(out + "/losses.csv").rfind("cause,router,port,packets,flits\n", 0), 0U);
        EXPECT_NE(s["deadlock_check"].get<std::string>().find(
                      "; after the failures of cycle 600: free of deadlock"),
                  std::string::npos);
    }
}

/// What nodes offer and accept on the average is the load, and energy is spent on what is delivered; lost
/// before it was injected, or sent again, or an acknowledgement: all the same.
TEST_F(failures, AreCountedInTheLoadsOfNodes) {
    write("costs.yaml",
          "format: sare-power\nversion: 1\nmade: {voltage: 1}\n"
          "router: {energy: [{component: buffers, event: buffer_write, per: bit, terms: {\"1\": 0.7}}]}\n"
          "nic: {energy: [{event: inject, per: bit, terms: {\"1\": 0.4}}]}\n");
    for (const char* again : {"none", "go_back_n"}) {
        const outcome o = sare(
            "run load.yaml --no-report --quiet --overwrite --out r --set power.table=[costs.yaml] "
            "--set power.frequency=1GHz --set nic.retransmission=" +
            std::string(again));
        EXPECT_EQ(o.status, 0) << o.err;
        std::istringstream rows(read("r/nodes.csv"));
        std::string head, row;
        std::getline(rows, head);
        EXPECT_EQ(head, "node,router,generated,injected,consumed,offered,accepted,energy");
        double generated = 0, offered = 0, accepted = 0, nodes = 0;
        for (; std::getline(rows, row); ++nodes) {
            std::vector<double> cells;
            std::istringstream in(row);
            for (std::string cell; std::getline(in, cell, ',');) cells.push_back(std::stod(cell));
            ASSERT_EQ(cells.size(), 8U);
            generated += cells[2];
            offered += cells[5];
            accepted += cells[6];
        }
        const auto s = read_json("r/summary.json");
        EXPECT_NEAR(offered / nodes, s["load"]["offered"], 1e-6) << again;
        EXPECT_NEAR(accepted / nodes, s["load"]["accepted"], 1e-6) << again;
        const double cycles = s["measured"]["to"].get<double>() - s["measured"]["from"].get<double>();
        const auto& energy = s["power"]["energy"];
        const double flit_bits = 8 * s["config"]["nic"]["flit_bytes"].get<double>();
        EXPECT_NEAR(energy["per_packet"].get<double>() / energy["per_bit"].get<double>(), 8 * flit_bits,
                    0.01 * 8 * flit_bits)
            << again;
        EXPECT_NEAR(generated / cycles / nodes * 8, s["load"]["offered"], 1e-6)
            << again;  // messages of a packet
    }
}

TEST_F(failures, RefuseRoutersThatCannotGoOn) {
    write("kind.yaml",
          "network: {topology: kary_ntree, k: 4, n: 2}\n"
          "router: {kind: multistage, vcs: 2, routing: adaptive}\nnic: {max_packet_flits: 16}\n"
          "failures: {events: [{links: 0.1, at: 300}]}\ntraffic: {workload: bernoulli, load: 0.1, length: "
          "16}\n");
    const outcome o = sare("run kind.yaml --out a --no-report --quiet");
    EXPECT_EQ(o.status, 1);
    EXPECT_EQ(o.err,
              "sare: kind.yaml:4:11: 'failures' says that links fail, and router 0 (phits) is of a kind that "
              "cannot "
              "go on then; kinds vc and spinnaker can\n");
}

TEST_F(failures, DoNotPreventCheckpoints) {
    const outcome kept = sare("run load.yaml --out a --no-report --quiet --checkpoint 100");
    EXPECT_EQ(kept.status, 0) << kept.err;
}

}  // namespace
}  // namespace sare::test::failures_run_test
