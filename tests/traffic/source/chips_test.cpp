// SPDX-License-Identifier: Apache-2.0
#include "traffic/moves/chips.h"

#include "tests/support/in_child.h"
#include "tests/traffic/trace/trace_files.h"
#include "tlm/config/yaml.h"
#include "tlm/network/simulation.h"
#include "tlm/stats/results.h"

#include <gtest/gtest.h>

/// Recordings of several chips: ways over the links between them, and how long these take by closed forms.
namespace sare::chips_test {
namespace {

using testing_support::trace_files;

constexpr std::uint64_t hop = 9, end_link = 5, issue = 30, link_latency = 600, link_rate = 10;

/// Chips 4, 0 and 7, in a line; a chip has 4 x 3 places.
const std::string topology = R"({
"inter_device_channel_pairs": [
 {"local_device_id": 4, "local_eth_channel": 0, "remote_device_id": 0, "remote_eth_channel": 5},
 {"local_device_id": 0, "local_eth_channel": 9, "remote_device_id": 7, "remote_eth_channel": 0}],
"forwarding_channel_pairs": [{"device_id": 0, "channels": [5, 9]}],
"eth_chan_to_coord": {"0": [3, 0], "5": [1, 2], "9": [2, 2]}})";

/// Returns a write of the processor at (1, 1) of chip 4 to (2, 0) of the chip that is `hops` links away.
std::string write_over(std::uint32_t hops, std::uint64_t bytes, std::uint64_t at) {
    return R"({"proc": "BRISC", "run_host_id": 1, "src_device_id": 4, "sx": 1, "sy": 1, "noc": "NOC_1", )"
           R"("type": "FABRIC_UNICAST_WRITE", "dx": 2, "dy": 0, "num_bytes": )" +
           std::to_string(bytes) + R"(, "fabric_send": {"eth_chan": 0, "hops": )" + std::to_string(hops) +
           R"(}, "timestamp": )" + std::to_string(at) + "}";
}
const std::string begin = R"({"proc": "BRISC", "run_host_id": 1, "sx": 1, "sy": 1, "zone": "BRISC-KERNEL", )"
                          R"("zone_phase": "begin", "timestamp": 0})";

/// Returns a result of a run of the recording with these events, or the error.
std::string forwarded(const std::string& events, const std::string& key,
                      const std::string& links = topology) {
    const trace_files files;
    const std::string folder = files.path("");
    files.write("moves.json", "[" + events + "]");
    files.write("chips.json", links);
    return test::in_child([&] {
        const experiment e = experiment::read(config::parse_document(R"(network:
  topology: planes
  planes:
    - {count: 3, topology: torus, dims: [4, 3], unidirectional: true, link_latency: 9, node_link_latency: 5}
    - {count: 3, topology: torus, dims: [3, 4], unidirectional: true, link_latency: 9, node_link_latency: 5}
routing: {function: planes, planes: [dor, dor, dor, dor, dor, dor]}
router: {vcs: 8, depth: 48, rc_delay: 0, va_delay: 0, sa_delay: 0, st_delay: 0}
nic: {flit_bytes: 30, header_bytes: 30, max_packet_flits: 275}
traffic:
  workload: data_moves
  file: moves.json
  chips: chips.json
  ethernet_rate: 10
  ethernet_latency: 600
  places: [4, 3]
  planes: [{name: NOC_0, order: [x, y]}, {name: NOC_1, order: [-y, -x]}]
  issue: 30
)",
                                                                     "test.yaml"),
                                              folder);
        simulation net(e);
        const config::value found = *net.run(e).workload.find("forwarded");
        return found.find(key)->text();
    });
}
/// Returns the cycles that a packet takes within a chip: over `hops` links, with `bytes` bytes of data.
std::uint64_t passage(std::uint64_t hops, std::uint64_t bytes) {
    return 2 * end_link + hops * hop + 1 + (bytes + 29) / 30;
}

TEST(Chips, TakeTheSumOfLinksAndChips) {
    // (1, 1) to (3, 0) in NOC_1, up and left: 1 + 2 links. The chip in the middle, from (1, 2) to (2, 2) in
    // NOC_0: 1. To (2, 0) from (1, 2) or (3, 0): 1 + 1, or 3.
    const std::uint64_t bytes = 1000, link = link_latency + bytes / link_rate;
    EXPECT_EQ(forwarded(begin + "," + write_over(1, bytes, 100), "mean_cycles"),
              std::to_string(passage(3, bytes) + link + passage(2, bytes)));
    EXPECT_EQ(forwarded(begin + "," + write_over(2, bytes, 100), "mean_cycles"),
              std::to_string(passage(3, bytes) + 2 * link + passage(1, bytes) + passage(3, bytes)));
}

TEST(Chips, SendOnePacketAfterTheOtherOverALink) {
    // The second one comes to the link when the first has left its node, and waits for the rest of its time.
    const std::uint64_t bytes = 3000, flits = 1 + bytes / 30, rest = bytes / link_rate - flits;
    const std::uint64_t alone = passage(3, bytes) + link_latency + bytes / link_rate + passage(2, bytes);
    const std::string both = begin + "," + write_over(1, bytes, 100) + "," + write_over(1, bytes, 100);
    EXPECT_EQ(forwarded(both, "packets"), "2");
    EXPECT_EQ(forwarded(both, "mean_cycles"),
              config::number_text(static_cast<double>(2 * alone + flits + rest) / 2));
}

TEST(Chips, AreKnownByLaterEventsOfTheSameProgram) {
    const trace_files files;
    traffic::recording_grid grid{4, 3, {"NOC_0", "NOC_1"}, nullptr};
    const traffic::chip_links links(files.write("chips.json", topology), grid);
    grid.links = &links;
    const std::string other =
        R"({"proc": "BRISC", "run_host_id": 2, "src_device_id": 7, "sx": 1, "sy": 1, "noc": "NOC_0", )"
        R"("type": "WRITE_", "dx": 2, "dy": 0, "num_bytes": 100, "timestamp": 50})";
    const traffic::recording r = traffic::read_wormhole(
        files.write("x.json", "[" + begin + "," + other + "," + write_over(2, 100, 100) + "]"), grid, {});
    ASSERT_EQ(r.processors.size(), 2U);
    EXPECT_EQ(r.processors[0].at.chip, 2U);
    EXPECT_EQ(r.processors[0].moves.back().to.chip, 2U);
    EXPECT_EQ(r.processors[1].at.chip, 1U);
    ASSERT_EQ(r.processors[1].moves.size(), 2U);
    EXPECT_EQ(r.processors[1].moves[1].way.size(), 4U);
    EXPECT_EQ(r.processors[1].moves[1].to.chip, 2U);
}

TEST(Chips, SayWhatIsWrong) {
    const auto error_of = [](const std::string& events, const std::string& links) {
        const std::string what = forwarded(events, "packets", links);
        return what.substr(std::max(what.rfind('/'), std::size_t{0}) + 1);
    };
    const std::string good = begin + "," + write_over(1, 100, 100);
    const auto changed = [](const std::string& from, const std::string& to) {
        std::string text = topology;
        return text.replace(text.find(from), from.size(), to);
    };
    EXPECT_EQ(error_of(begin + "," + write_over(3, 100, 100), topology),
              "moves.json:1:1: the topology has no way of 3 links from channel 0 of chip 4");
    EXPECT_EQ(
        error_of(good, changed("\"5\": [1, 2]", "\"5\": [1, 3]")),
        "chips.json:6:41: an entry is the number of a channel and its place [x, y] in the grid of 4 x 3: "
        "'\"5\": [9, 0]'");
    EXPECT_EQ(error_of(good, changed("\"9\": [2, 2]", "\"8\": [2, 2]")),
              "chips.json:4:2: channel 9 has no place in 'eth_chan_to_coord'");
    EXPECT_EQ(error_of(good, changed("[5, 9]", "[5]")),
              "chips.json:5:30: 'channels' has 1 numbers; it must have two");
    EXPECT_EQ(error_of(good, changed("\"local_device_id\": 0, \"local_eth_channel\": 9",
                                     "\"local_device_id\": 0, \"local_eth_channel\": 5")),
              "chips.json:4:2: channel 5 of chip 0 is joined to two others");
    EXPECT_EQ(error_of(good, changed("\"local_device_id\": 4", "\"local_device_id\": 5")),
              "moves.json:1:1: chip 4 is not in the topology");
    EXPECT_EQ(error_of(good, changed("forwarding_channel_pairs", "forwarding")),
              "chips.json:5:15: unknown key 'forwarding' in 'chips'; known: inter_device_channel_pairs, "
              "forwarding_channel_pairs, eth_chan_to_coord");
    std::string lost = write_over(1, 100, 100);
    lost.erase(lost.find(R"("src_device_id": 4, )"), 20);
    EXPECT_EQ(error_of(begin + "," + lost, topology),
              "moves.json:1:1: no event of 'run_host_id' 1 has 'src_device_id', which says its chip");
}

}  // namespace
}  // namespace sare::chips_test
