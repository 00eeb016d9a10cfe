// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

/// Whole runs with computers that speak other protocols than the bridge's own.
namespace sare::test::protocol_run_test {
namespace {

class ProtocolRun : public program {
  protected:
    nlohmann::json run(const std::string& protocol, const std::string& peers, const std::string& more) {
        write("run.yaml",
              "network: {topology: mesh, dims: [2]}\n"
              "traffic:\n"
              "  workload: bridge\n"
              "  first_ends: true\n"
              "  reply_s: 20\n"
              "  peers: {protocol: " +
                  protocol + ", " + peers + "}\n" + more +
                  "  start: [/usr/bin/python3, " SARE_SOURCE_DIR "/tests/tb/bridge/protocol_peers.py, " +
                  protocol + ", '20']\n");
        const outcome done = sare("run run.yaml --out r");
        EXPECT_EQ(done.status, 0) << done.err << read("r/start.log");
        EXPECT_EQ(done.err, "");
        EXPECT_EQ(read("r/start.log"), "");
        return read_json("r/summary.json")["workload"];
    }
};

TEST_F(ProtocolRun, ServesHostsOfInsee) {
    const auto work =
        run("insee", "listen: \"tcp:127.0.0.1:0\", synchronise: \"udp:127.0.0.1:0\", region_ends_run: true",
            "  mode: slices\n  quantum: 1000\n");
    EXPECT_EQ(work["start"], "status 0");
    EXPECT_EQ(work["region"]["arrived"], 40);
    EXPECT_EQ(work["peers"][0]["end"], "the region of interest has ended");
    // A slice in which it is sent, and one in which it crosses the network.
    EXPECT_GE(work["slices"], 2 * 40);
}

TEST_F(ProtocolRun, ServesNicsOfSimbricks) {
    const auto work = run("simbricks", "connect: [nic0, nic1]", "  quantum: 500\n  max_frame: 1536\n");
    EXPECT_EQ(work["start"], "status 0");
    EXPECT_GE(work["frames"]["arrived"], 40);
    EXPECT_EQ(work["false_delay_us"]["max"], 0);
    EXPECT_EQ(work["frame_latency_us"]["min"], work["frame_latency_us"]["max"]);
}

}  // namespace
}  // namespace sare::test::protocol_run_test
