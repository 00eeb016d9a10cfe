// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tests/traffic/trace/trace_files.h"
#include "tlm/config/yaml.h"
#include "tlm/network/simulation.h"
#include "tlm/stats/results.h"
#include "traffic/moves/recording.h"

#include <gtest/gtest.h>

#include <map>

/// Recordings of one-sided transfers: what the reader makes of them, and times by closed forms where nothing
/// else is on the network.
namespace sare::moves_test {
namespace {

using testing_support::trace_files;

// The network of the tests: 4 x 3 places, two planes as on the chip.
constexpr std::uint64_t hop = 9, end_link = 5, issue = 30, read_latency = 20, write_latency = 10,
                        barrier = 80, wake = 40;
std::uint64_t flits(std::uint64_t bytes) {
    return 1 + (bytes + 29) / 30;
}
/// From the sending of a message alone to its arrival.
std::uint64_t passage(std::uint64_t hops, std::uint64_t bytes) {
    return 2 * end_link + hops * hop + flits(bytes);
}
/// From the start of a read to the arrival of its data.
std::uint64_t read_time(std::uint64_t there, std::uint64_t back, std::uint64_t bytes) {
    return issue + passage(there, 0) + read_latency + passage(back, bytes);
}
std::uint64_t write_time(std::uint64_t there, std::uint64_t back, std::uint64_t bytes) {
    return issue + passage(there, bytes) + write_latency + passage(back, 0);
}

/// A recording, event by event. Timestamps count from 1000.
class script {
  public:
    script& begin(int x, int y, const std::string& proc, std::uint64_t at) {
        m_who =
            R"("proc": ")" + proc + R"(", "sx": )" + std::to_string(x) + R"(, "sy": )" + std::to_string(y);
        return line(R"("zone": ")" + proc + R"(-KERNEL", "zone_phase": "begin")", at);
    }
    script& move(const std::string& type, int noc, int x, int y, std::uint64_t bytes, std::uint64_t at,
                 const std::string& more = "") {
        return line(R"("type": ")" + type + R"(", "noc": "NOC_)" + std::to_string(noc) + R"(", "dx": )" +
                        std::to_string(x) + R"(, "dy": )" + std::to_string(y) + R"(, "num_bytes": )" +
                        std::to_string(bytes) + more,
                    at);
    }
    script& event(const std::string& type, std::uint64_t at, const std::string& more = "") {
        return line(R"("type": ")" + type + R"(", "noc": "NOC_0", "dx": -1, "dy": -1, "num_bytes": 0)" + more,
                    at);
    }
    script& wait(const std::string& type, std::uint64_t from, std::uint64_t to) {
        return event(type + "_START", from).event(type + "_END", to);
    }
    std::string text() const { return "[" + m_text + "\n]\n"; }

  private:
    script& line(const std::string& rest, std::uint64_t at) {
        m_text += (m_text.empty() ? "\n{" : ",\n{") + m_who + ", " + rest + R"(, "timestamp": )" +
                  std::to_string(1000 + at) + "}";
        return *this;
    }
    std::string m_who, m_text;
};

std::string experiment_text(const std::string& more) {
    return R"(network:
  topology: planes
  planes:
    - {topology: torus, dims: [4, 3], unidirectional: true, link_latency: 9, node_link_latency: 5}
    - {topology: torus, dims: [3, 4], unidirectional: true, link_latency: 9, node_link_latency: 5}
routing: {function: planes, planes: [dor, dor]}
router: {vcs: 8, depth: 48, rc_delay: 0, va_delay: 0, sa_delay: 0, st_delay: 0}
nic: {flit_bytes: 30, header_bytes: 30, max_packet_flits: 275}
traffic:
  workload: data_moves
  file: moves.json
  places: [4, 3]
  planes: [{name: NOC_0, order: [x, y]}, {name: NOC_1, order: [-y, -x]}]
  issue: 30
  read_latency: 20
  write_latency: 10
  barrier: 80
  wake: 40
  hop: 9
)" + more;
}

/// "1.5 2.5": the ends that the run gives to all barriers, in the order in which they come; or the error.
std::string predicted(const script& s, const std::string& more = "") {
    const trace_files files;
    const std::string folder = files.path("");
    files.write("moves.json", s.text());
    return test::in_child([&] {
        const experiment e =
            experiment::read(config::parse_document(experiment_text(more), "test.yaml"), folder);
        simulation net(e);
        const run_result r = net.run(e);
        std::string ends;
        for (const auto& [name, text] : r.tables) {
            if (name != "barriers.csv") continue;
            std::istringstream lines(text);
            std::string row;
            std::getline(lines, row);
            while (std::getline(lines, row))
                ends += (ends.empty() ? "" : " ") + row.substr(row.rfind(',') + 1);
        }
        return ends;
    });
}
std::string list(std::initializer_list<std::uint64_t> numbers) {
    std::string text;
    for (const auto n : numbers) text += (text.empty() ? "" : " ") + std::to_string(n);
    return text;
}

TEST(DataMoves, TakeOneRoundForALoneRead) {
    script s;
    s.begin(1, 1, "BRISC", 0).move("READ", 0, 3, 1, 4096, 100).wait("READ_BARRIER", 150, 900);
    EXPECT_EQ(predicted(s), list({100 + read_time(2, 2, 4096) + wake}));
    script both;  // one along x and y, up and left in the other plane
    both.begin(1, 1, "BRISC", 0).move("READ", 1, 3, 2, 512, 100).wait("READ_BARRIER", 150, 900);
    EXPECT_EQ(predicted(both), list({100 + read_time(2 + 2, 1 + 2, 512) + wake}));
    script self;
    self.begin(1, 1, "BRISC", 0).move("READ", 0, 1, 1, 2048, 100).wait("READ_BARRIER", 150, 900);
    EXPECT_EQ(predicted(self), list({100 + read_time(0, 0, 2048) + wake}));
}

TEST(DataMoves, EndAWriteWithItsAcknowledgement) {
    script s;
    s.begin(0, 0, "BRISC", 0).move("WRITE_", 0, 2, 0, 1000, 100).wait("WRITE_BARRIER", 150, 900);
    EXPECT_EQ(predicted(s), list({100 + write_time(2, 2, 1000) + wake}));
    script posted;
    posted.begin(0, 0, "BRISC", 0)
        .move("WRITE_", 0, 2, 0, 1000, 100, R"(, "posted": true)")
        .wait("WRITE_BARRIER", 150, 900);
    EXPECT_EQ(predicted(posted), list({150 + barrier}));
}

TEST(DataMoves, TimeWhatFollowsABarrierFromItsEnd) {
    script s;
    s.begin(1, 1, "BRISC", 0)
        .move("READ", 0, 3, 1, 4096, 100)
        .wait("READ_BARRIER", 150, 900)
        .move("READ", 0, 3, 1, 4096, 930)
        .wait("READ_BARRIER", 1000, 2000)
        .wait("READ_BARRIER", 2100, 2200);
    const std::uint64_t first = 100 + read_time(2, 2, 4096) + wake,
                        second = first + 30 + read_time(2, 2, 4096) + wake;
    EXPECT_EQ(predicted(s), list({first, second, second + 100 + barrier}));
}

/// Kernels begin when they did; a second one as long after the last barrier as it did.
TEST(DataMoves, BeginKernelsWhenTheyDid) {
    script s;
    s.begin(0, 0, "NCRISC", 0).begin(1, 1, "BRISC", 700).wait("READ_BARRIER", 750, 900);
    s.begin(1, 1, "BRISC", 1000).wait("READ_BARRIER", 1010, 1100);
    EXPECT_EQ(predicted(s), list({750 + barrier, 750 + barrier + 100 + 10 + barrier}));
}

TEST(DataMoves, SplitLargeTransfersIntoPackets) {
    script s;
    s.begin(0, 0, "BRISC", 0).move("READ", 0, 1, 0, 20000, 100).wait("READ_BARRIER", 150, 900);
    // Requests one flit behind the other; the answers queue at the target.
    const std::uint64_t whole =
        read_time(1, 3, 20000) - flits(20000) + 2 * flits(8192) + flits(20000 - 2 * 8192);
    EXPECT_EQ(predicted(s), list({100 + whole + wake}));
}

TEST(DataMoves, ShareTheRateOfOneMemory) {
    const std::string memory = "  memories: [{places: [[0, 0], [0, 1]], rate: 10, latency: 100}]\n";
    script s;  // from two places of the memory, 2,000 bytes each
    s.begin(1, 0, "BRISC", 0).move("READ", 0, 0, 0, 2000, 100).wait("READ_BARRIER", 150, 900);
    s.begin(1, 1, "BRISC", 0).move("READ", 0, 0, 1, 2000, 100).wait("READ_BARRIER", 150, 900);
    const std::uint64_t alone = 100 + read_time(3, 1, 2000) + 100 + wake;
    EXPECT_EQ(predicted(s, memory), list({alone, alone + 200}));
    script planes;  // whatever the plane
    planes.begin(1, 0, "BRISC", 0).move("READ", 0, 0, 0, 2000, 100).wait("READ_BARRIER", 150, 900);
    planes.begin(1, 0, "NCRISC", 0).move("READ", 1, 0, 0, 2000, 200).wait("READ_BARRIER", 250, 900);
    EXPECT_EQ(predicted(planes, memory).substr(0, 3), list({alone}));
}

TEST(DataMoves, KeepToTheRatesOfNodes) {
    script s;
    for (int k = 0; k < 3; ++k)
        s.begin(k, 0, "BRISC", 0).move("READ", 0, 3, 0, 3000, 100).wait("READ_BARRIER", 150, 900);
    // The requests of the nearer ones come first: 1, 2 and 3 hops; the answers leave 300 cycles after each
    // other.
    const std::uint64_t nearest = 100 + read_time(1, 3, 3000) + wake;
    EXPECT_EQ(predicted(s, "  out: 10\n"), list({nearest, nearest + 300 - hop, nearest + 600 - 2 * hop}));
    script in;
    in.begin(0, 0, "BRISC", 0).move("READ", 0, 1, 0, 3000, 100).move("READ", 0, 2, 0, 3000, 300);
    in.wait("READ_BARRIER", 350, 900);
    // The second one comes while the first is still taken.
    EXPECT_EQ(predicted(in, "  in: 10\n"), list({100 + read_time(1, 3, 3000) + 300 + wake}));
}

TEST(DataMoves, SendAMulticastAsATree) {
    script s;
    s.begin(0, 0, "BRISC", 0)
        .move("WRITE_MULTICAST", 0, -1, -1, 3000, 100,
              R"(, "mcast_start_x": 1, "mcast_start_y": 1, "mcast_end_x": 2, "mcast_end_y": 2)")
        .wait("WRITE_BARRIER", 150, 900);
    // The farthest corner, (2, 2), takes the longest: its acknowledgement goes on round, 2 + 1 links.
    EXPECT_EQ(predicted(s), list({100 + write_time(4, 3, 3000) + wake}));
}

TEST(DataMoves, WaitForSemaphoresThatHadBeenSent) {
    script s;
    s.begin(1, 0, "BRISC", 0).event("SEMAPHORE_WAIT", 50).wait("READ_BARRIER", 400, 500);
    s.begin(0, 0, "BRISC", 0).move("SEMAPHORE_INC", 0, 1, 0, 4, 300);
    const std::uint64_t arrival = 300 + issue + passage(1, 4);
    EXPECT_EQ(predicted(s), list({std::max<std::uint64_t>(400, arrival + wake) + barrier}));
    script late;  // the increment came after the wait was over on the chip: it is not waited for
    late.begin(1, 0, "BRISC", 0).event("SEMAPHORE_WAIT", 50).wait("READ_BARRIER", 60, 500);
    late.begin(0, 0, "BRISC", 0).move("SEMAPHORE_INC", 0, 1, 0, 4, 300);
    EXPECT_EQ(predicted(late), list({60 + barrier}));
}

TEST(DataMoves, FlushUntilWritesHaveLeft) {
    script s;
    s.begin(0, 0, "BRISC", 0).move("WRITE_", 0, 2, 0, 3000, 100).event("WRITE_FLUSH", 120);
    s.wait("READ_BARRIER", 130, 200);
    const std::uint64_t left = 100 + issue + flits(3000);
    const std::uint64_t end = std::stoull(predicted(s));
    EXPECT_GE(end, left + barrier - 1);
    EXPECT_LE(end, left + wake + barrier + 1);
}

TEST(DataMoves, RememberState) {
    script s;
    s.begin(1, 1, "BRISC", 0)
        .move("READ_SET_STATE", 0, 3, 1, 4096, 50)
        .event("READ_WITH_STATE", 100)
        .wait("READ_BARRIER", 150, 900);
    EXPECT_EQ(predicted(s), list({100 + read_time(2, 2, 4096) + wake}));
}

TEST(DataMoves, LetReadersGoOnWithoutContention) {
    script s;  // two readers whose data share links
    s.begin(1, 0, "BRISC", 0).move("READ", 0, 0, 0, 3000, 100).wait("READ_BARRIER", 150, 900);
    s.begin(2, 0, "BRISC", 0).move("READ", 0, 0, 0, 3000, 100).wait("READ_BARRIER", 150, 900);
    const std::string free = predicted(s, "fidelity: analytic\n"), flit = predicted(s);
    const auto worst = [](const std::string& ends) {
        return std::max(std::stoull(ends), std::stoull(ends.substr(ends.find(' '))));
    };
    EXPECT_GE(worst(flit), worst(free) + flits(3000) - 2 * hop - 5);
}

// ---- the reader

std::string read_error(const std::string& text) {
    const trace_files files;
    const std::string path = files.write("x.json", text);
    try {
        traffic::read_wormhole(path, {4, 3, {"NOC_0", "NOC_1"}}, {"test.yaml", 7, 3});
    } catch (const config::error& e) {
        const std::string what = e.what();
        const std::size_t name = what.find("x.json");
        return name == std::string::npos ? what : what.substr(name);
    }
    return "";
}

TEST(WormholeReader, SaysWhatIsWrong) {
    const std::string at = R"("proc": "BRISC", "sx": 1, "sy": 1, "timestamp": 1000)";
    EXPECT_EQ(read_error("[\n{" + at + "}\n]"), "x.json:2:1: an event is neither a zone nor has a 'type'");
    EXPECT_EQ(read_error("{\"a\": [1]}"), "x.json:1:1: the trace must be a list of events: [{...}, ...]");
    EXPECT_EQ(read_error("[]"), "x.json:1:1: the trace has no event");
    EXPECT_EQ(read_error("[\n{\"sx\": 9, \"sy\": 1}]"),
              "x.json:2:1: 'sx' is 9; it must be an integer from 0 to 3");
    EXPECT_EQ(read_error("[{\"sy\": 1}]"), "x.json:1:1: an event lacks 'sx'");
    EXPECT_EQ(
        read_error("[\n\n{" + at + R"(, "type": "READ", "noc": "NOC_2", "dx": 1, "dy": 1, "num_bytes": 2}])"),
        "x.json:3:1: 'noc' is 'NOC_2'; the planes of the workload are: NOC_0, NOC_1");
    EXPECT_EQ(
        read_error("[{" + at + R"(, "type": "READ", "noc": "NOC_0", "dx": 1, "dy": 7, "num_bytes": 2}])"),
        "x.json:1:1: 'dy' is 7; it must be an integer from 0 to 2");
    EXPECT_EQ(
        read_error("[{" + at + R"(, "type": "READ", "noc": "NOC_0", "dx": 1, "dy": 1, "num_bytes": -2}])"),
        "x.json:1:1: 'num_bytes' is -2; it must be an integer from 0 to 134217728");
    EXPECT_EQ(read_error("[{" + at + R"(, "type": "READ_BARRIER_END"}])"),
              "x.json:1:1: 'READ_BARRIER_END' has no start before it");
    EXPECT_EQ(read_error("[{" + at + R"(, "type": "READ_WITH_STATE", "noc": "NOC_0", "num_bytes": 8}])"),
              "x.json:1:1: 'READ_WITH_STATE' has no destination, and no SET_STATE before it says one");
    EXPECT_EQ(read_error("[{" + at + R"(, "type": "READ_BARRIER_START"},
{"proc": "BRISC", "sx": 1, "sy": 1, "timestamp": 999, "type": "READ_BARRIER_END"}])"),
              "x.json:2:1: timestamp 999 is before that of the event before it; the events of a processor "
              "must be in "
              "order of time");
    EXPECT_EQ(read_error("[{\"sx\": 1,"), "x.json:1:1: this is not valid JSON");
    EXPECT_EQ(read_error("[\n{\"sx\": \"\xff\"}]"), "x.json:2:1: this is not valid JSON");
    EXPECT_EQ(read_error("[\n\n{\"sx\": 1e999}]"), "x.json:3:1: a number is beyond all that a double holds");
    EXPECT_EQ(read_error("[1, {\"sx\": -1}]"), "x.json:1:1: 'sx' is -1; it must be an integer from 0 to 3");
}

TEST(WormholeReader, LeavesOutOtherEventsAndSaysSoOnce) {
    script s;
    s.begin(1, 1, "BRISC", 0).event("FABRIC_X", 10).event("FABRIC_X", 20).wait("READ_BARRIER", 30, 40);
    const trace_files files;
    const traffic::recording r =
        traffic::read_wormhole(files.write("x.json", s.text()), {4, 3, {"NOC_0"}}, {});
    ASSERT_EQ(r.warnings.size(), 1U);
    EXPECT_NE(r.warnings[0].find("events of type 'FABRIC_X' are left out"), std::string::npos);
    ASSERT_EQ(r.processors.size(), 1U);
    EXPECT_EQ(r.processors[0].moves.size(), 2U);
}

/// The profiler says the begin of a kernel again, and zones of its own.
TEST(WormholeReader, BeginsAKernelOnce) {
    script s;
    s.begin(1, 1, "BRISC", 0)
        .wait("READ_BARRIER", 30, 140)
        .begin(1, 1, "BRISC", 0)
        .wait("READ_BARRIER", 200, 340);
    EXPECT_EQ(predicted(s), list({30 + barrier, 30 + barrier + 60 + barrier}));
}

}  // namespace
}  // namespace sare::moves_test
