// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/bridge/bridge_support.h"
#include "traffic/bridge/frames/mac_table.h"
#include "traffic/bridge/frames/tcp_watch.h"
#include "traffic/bridge/slices.h"

/// Computers on the network, slice by slice.
namespace sare::test::bridge_test {
namespace {

using namespace traffic;

constexpr std::uint64_t us = 1000000;  // ps

/// Node 0 sends one frame of `length` bytes at `at`, and node 1 tells when it has come.
std::string one_frame(const bridge_setting& s, std::uint64_t at, std::size_t length,
                      std::uint64_t quantum = 1 * us) {
    std::uint64_t arrived = 0;
    return run_bridge(s,
                      {[=](const std::string& address) {
                           client c(address, {{0}});
                           std::uint64_t grant = 0, before = 0;
                           while (c.is_open() && c.wait(grant) && grant < 100 * quantum) {
                               if (before <= at && at < grant)
                                   c.send(at, 0, client::bytes(client::mac(1), 0, length));
                               c.done(before = grant);
                           }
                       },
                       [&arrived](const std::string& address) {
                           client c(address, {{1}});
                           std::uint64_t grant = 0;
                           while (c.is_open() && arrived == 0 && c.wait(grant)) {
                               for (sare_bridge_frame f; c.receive(f);) arrived = f.time;
                               c.done(grant);
                           }
                       }},
                      [&arrived](const run_result& r) {
                          return std::to_string(arrived) + " " + figure(r, "false_delay_us.max");
                      });
}

/// A frame's way: a cycle up to the next one's begin, the network's own 15 cycles for the 5 flits of 64 bytes
/// and header, the cable; a flit is 16 bytes, a cycle 1 ns.
TEST(Bridge, DelaysAFrameExactly) {
    bridge_setting s;
    EXPECT_EQ(one_frame(s, 5000000, 64), "6015000 0");
    EXPECT_EQ(one_frame(s, 5000001, 64), "6016000 0");
    EXPECT_EQ(one_frame(s, 5000000, 128), "6019000 0") << "4 flits more";
    s.traffic = "quantum=1000 access_latency=2500";
    EXPECT_EQ(one_frame(s, 5000000, 64), "7515000 0") << "computers and network run at once";
}

TEST(Bridge, DeliversFramesWithTheNextSlice) {
    bridge_setting s;
    s.traffic = "mode=slices quantum=1000";
    EXPECT_EQ(one_frame(s, 5000000, 64), "6000000 0.985") << "it was there at 5.015 us";
    s.traffic = "mode=slices quantum=100";
    EXPECT_EQ(one_frame(s, 5000000, 64), "5100000 0.085");
    s.traffic = "mode=parallel quantum=1000";
    EXPECT_EQ(one_frame(s, 5000000, 64), "7000000 1.985") << "when it has come, slice 6 is under way";
    s.traffic = "mode=lookahead quantum=1000 access_latency=300";
    EXPECT_EQ(one_frame(s, 5000000, 64), "6000000 0.685") << "the quantum is longer than the lookahead";
}

TEST(Slices, BoundTheFalseDelay) {
    for (const auto mode : {synchronisation::slices, synchronisation::parallel, synchronisation::lookahead})
        for (const picoseconds access : {0, 10, 99, 100, 101, 199, 200, 1000}) {
            const slices s(mode, 100, access);
            const std::uint64_t ahead = s.run_at_once() ? 2 : 1;
            picoseconds worst = 0;
            // What arrives in slice k is known when k + ahead is the next to be granted.
            for (picoseconds t = 301; t <= 400; ++t) {
                const picoseconds due = s.due(t, access, (3 + ahead) * 100);
                ASSERT_GE(due, t + access);
                worst = std::max(worst, due - t - access);
            }
            EXPECT_LE(worst, s.worst_false_delay(access));
            EXPECT_GE(worst + 1, s.worst_false_delay(access)) << "it can be as long";
        }
}

/// What computers do that only look at their frames' times does not depend on how long slices are, as long as
/// they are no longer than the cable.
TEST(Bridge, IsExactWhateverTheQuantum) {
    const auto hash = [](const std::string& traffic, const std::string& background = "") {
        bridge_setting s;
        s.network = "mesh dims=4";
        s.peers = "sessions=4";
        s.traffic = traffic;
        s.background = background;
        s.bridged = 4;
        std::vector<script> all;
        for (std::uint32_t n = 0; n < 4; ++n) all.push_back(chance(n, 4, 7, 300 * us));
        return run_bridge(s, all, [](const run_result& r) {
            return figure(r, "frames_sha256").substr(0, 16) + " of " + figure(r, "frames.sent") + ", late " +
                   figure(r, "false_delay_us.frames");
        });
    };
    const std::string right = hash("quantum=1000 access_latency=2000");
    EXPECT_NE(right.find("late 0"), std::string::npos) << right;
    EXPECT_GT(std::stoi(right.substr(20)), 300) << right;
    for (const char* quantum : {"2000", "1999", "700", "64"})
        EXPECT_EQ(hash("access_latency=2000 quantum=" + std::string(quantum)), right) << quantum;
    EXPECT_NE(hash("access_latency=2000 quantum=2500"), right) << "then it is not exact";
    const std::string loaded = hash("quantum=1000 access_latency=2000", "bernoulli load=0.3");
    EXPECT_NE(loaded, right) << "others are in the way";
    EXPECT_EQ(hash("quantum=333 access_latency=2000", "bernoulli load=0.3"), loaded);
}

TEST(Bridge, IsTheSameInEveryRun) {
    for (const char* mode : {"slices", "parallel", "lookahead"}) {
        std::vector<std::string> found;
        for (int i = 0; i < 3; ++i) {
            bridge_setting s;
            s.network = "torus dims=9";
            s.peers = "sessions=9";
            s.traffic = "quantum=500 mode=" + std::string(mode);
            std::vector<script> all;
            for (std::uint32_t n = 0; n < 9; ++n) all.push_back(chance(n, 9, 3, 100 * us));
            found.push_back(
                run_bridge(s, all, [](const run_result& r) { return figure(r, "frames_sha256"); }));
        }
        EXPECT_EQ(found[0].size(), 64U) << found[0];
        EXPECT_EQ(found[0], found[1]);
        EXPECT_EQ(found[0], found[2]);
    }
}

TEST(Bridge, WorksInTheContentionFreeModel) {
    bridge_setting s;
    s.fidelity = "analytic";
    EXPECT_EQ(one_frame(s, 5000000, 64), "6007000 0") << "three links and four flits of data";
}

/// Every copy arrives or is counted where it went.
TEST(Bridge, ConservesFrames) {
    bridge_setting s;
    s.network = "mesh dims=6";
    s.peers = "sessions=6";
    std::vector<script> all;
    for (std::uint32_t n = 0; n < 6; ++n)
        all.push_back(chance(n, 8, 11, 200 * us));  // two of the eight are not there
    const std::string text = run_bridge(s, all, [](const run_result& r) {
        std::string out;
        for (const char* key : {"frames.arrived", "frames.lost_in_network", "frames.dropped_to_its_own_node"})
            out += figure(r, key) + " ";
        return out + std::to_string(r.messages.generated) + " " + std::to_string(r.messages.consumed);
    });
    std::istringstream in(text);
    std::uint64_t arrived = 0, lost = 0, own = 0, generated = 0, consumed = 0;
    in >> arrived >> lost >> own >> generated >> consumed;
    EXPECT_GT(arrived, 200U) << text;
    EXPECT_EQ(lost, 0U);
    EXPECT_GT(own, 0U);
    EXPECT_EQ(arrived, generated);
    EXPECT_EQ(consumed, generated);
}

/// Frames that a node receives of one that node 0 sends to `to`: "1 2 3".
std::string receivers(const std::vector<std::uint8_t>& to, const std::string& traffic, bool gives_macs) {
    bridge_setting s;
    s.network = "mesh dims=4";
    s.peers = "sessions=3";  // nodes 0 to 2: one has no computer
    s.traffic = traffic;
    std::vector<script> all;
    std::vector<std::uint32_t> got(3);
    for (std::uint32_t n = 0; n < 3; ++n)
        all.push_back([&got, &to, n, gives_macs](const std::string& address) {
            client c(address, {{n}, gives_macs});
            std::uint64_t grant = 0;
            for (int slice = 0; slice < 10 && c.is_open() && c.wait(grant); ++slice) {
                for (sare_bridge_frame f; c.receive(f);) got[n] += 1;
                if (n == 0 && slice == 3) c.send(grant - 1, 0, client::bytes(to, 0, 60));
                c.done(grant);
            }
        });
    return run_bridge(s, all, [&got](const run_result& r) {
        std::string text;
        for (const std::uint32_t n : got) text += std::to_string(n);
        const std::string unknown = figure(r, "frames.dropped_address_not_known");
        return text + (unknown == "none" ? "" : ", " + unknown + " unknown");
    });
}

TEST(Bridge, DeliversAFrameToItsReceivers) {
    EXPECT_EQ(receivers(client::mac(2), "", true), "001");
    EXPECT_EQ(receivers(client::broadcast(), "", true), "011");
    EXPECT_EQ(receivers({0x33, 0x33, 0, 0, 0, 1}, "", true), "011") << "multicast";
    EXPECT_EQ(receivers(client::mac(2), "", false), "011") << "flooded: it has not said anything yet";
    EXPECT_EQ(receivers(client::mac(2), "flood=false", false), "000, 1 unknown");
    EXPECT_EQ(receivers(client::mac(3), "flood=false", true), "000, 1 unknown") << "no computer there";
}

TEST(Bridge, ServesSeveralComputersInOneSession) {
    bridge_setting s;
    s.network = "mesh dims=3";
    s.peers = "sessions=1";
    std::string got;
    const std::string text =
        run_bridge(s, {[&got](const std::string& address) {
                       client c(address, {{SARE_BRIDGE_ANY_NODE, 0, SARE_BRIDGE_ANY_NODE}, false});
                       for (std::uint32_t place = 0; place < 3; ++place)
                           got += std::to_string(sare_bridge_node_number(c.get(), place));
                       std::uint64_t grant = 0;
                       for (int slice = 0; slice < 6 && c.wait(grant); ++slice) {
                           for (sare_bridge_frame f; c.receive(f);)
                               got += " " + std::to_string(f.node) + ":" + std::to_string(f.source) + "#" +
                                      std::to_string(f.id) + "/" + std::to_string(f.length) +
                                      (f.bytes == nullptr ? "" : "!");
                           if (slice == 1) sare_bridge_send_meta(c.get(), grant - 1, 1, 2, 1500, 77);
                           if (slice == 2)
                               sare_bridge_send_meta(c.get(), grant - 1, 0, SARE_BRIDGE_BROADCAST, 64, 78);
                           c.done(grant);
                       }
                   }},
                   [&got](const run_result& r) { return got + ", " + figure(r, "bytes.arrived"); });
    // Place 1 has node 0, as it wished; the others what was free.
    EXPECT_EQ(text, "102 2:0#77/1500 1:1#78/64 2:1#78/64, 1628");
}

TEST(Bridge, ReportsTheRegionAndFigures) {
    bridge_setting s;
    s.peers = "sessions=1";
    const std::string text = run_bridge(s, {[](const std::string& address) {
                                            client c(address, {{0, 1}});
                                            std::uint64_t grant = 0;
                                            std::string figures;
                                            for (int slice = 0; slice < 10 && c.wait(grant); ++slice) {
                                                if (slice == 3) sare_bridge_roi_begin(c.get(), grant - 10);
                                                c.send(grant - 1, 0, client::bytes(client::mac(1), 0, 100));
                                                if (slice == 6) sare_bridge_roi_end(c.get(), grant);
                                                if (slice == 9) figures = sare_bridge_stats(c.get());
                                                c.done(grant);
                                            }
                                            c.close(figures.c_str());
                                        }},
                                        [](const run_result& r) {
                                            return figure(r, "region.frames") + " " +
                                                   figure(r, "region.bytes") + " " +
                                                   figure(r, "region.end_us") + " " +
                                                   r.workload.find("peers")->items()[0].find("end")->text();
                                        });
    EXPECT_EQ(text.substr(0, 7), "4 400 7") << text;
    EXPECT_NE(text.find("\"frames_sent\": 8"), std::string::npos) << text;
}

TEST(Bridge, EndsTheRunWithTheLastOrTheFirst) {
    const auto run = [](const std::string& traffic) {
        bridge_setting s;
        s.traffic = traffic;
        const auto stay = [](std::uint32_t node, int slices) {
            return [=](const std::string& address) {
                client c(address, {{node}});
                std::uint64_t grant = 0;
                for (int i = 0; i < slices && c.wait(grant); ++i) c.done(grant);
                c.close("enough");
            };
        };
        return run_bridge(s, {stay(0, 20), stay(1, 50)},
                          [](const run_result& r) { return figure(r, "slices") + ", " + figure(r, "end"); });
    };
    EXPECT_EQ(run("").substr(0, 2), "50");
    EXPECT_EQ(run("first_ends=true").substr(0, 2), "21") << "the other one runs the slice in which it leaves";
    EXPECT_EQ(run("cycles=10000"), "10, the run's time is over");
}

TEST(MacTable, KeepsGivenAndMovesLearnedAddresses) {
    mac_table t;
    const mac_address a{{2, 0, 0, 0, 0, 1}}, b{{2, 0, 0, 0, 0, 2}}, all{{255, 255, 255, 255, 255, 255}};
    t.give({4, {a}});
    t.learn(a, 5);
    t.learn(b, 6);
    t.learn(all, 7);
    EXPECT_EQ(t.find(a), 4U);
    EXPECT_EQ(t.find(b), 6U);
    EXPECT_FALSE(t.find(all));
    t.learn(b, 8);
    EXPECT_EQ(t.find(b), 8U);
}

/// A TCP segment in IPv4: sequence number, flags, so many bytes of data.
std::vector<std::uint8_t> segment(std::uint32_t sequence, std::uint8_t flags, std::size_t data,
                                  std::uint8_t port = 1) {
    std::vector<std::uint8_t> f(54 + data);
    f[12] = 8;
    f[14] = 0x45;
    f[16] = static_cast<std::uint8_t>((40 + data) >> 8);
    f[17] = static_cast<std::uint8_t>(40 + data);
    f[23] = 6;
    f[35] = port;
    for (int i = 0; i < 4; ++i)
        f[38 + static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(sequence >> (24 - 8 * i));
    f[46] = 0x50;
    f[47] = flags;
    f.resize(std::max<std::size_t>(f.size(), 60));  // padded, as Ethernet does
    return f;
}

TEST(TcpWatch, RecognisesRetransmissions) {
    constexpr std::uint8_t ack = 16, syn = 2, fin = 1;
    tcp_watch w;
    EXPECT_FALSE(w.is_retransmission(segment(~0U - 10, syn, 0)));
    EXPECT_TRUE(w.is_retransmission(segment(~0U - 10, syn, 0))) << "asked twice";
    EXPECT_FALSE(w.is_retransmission(segment(~0U - 9, ack, 100))) << "across 2^32";
    EXPECT_FALSE(w.is_retransmission(segment(90, ack, 100)));
    EXPECT_FALSE(w.is_retransmission(segment(190, ack, 0))) << "an acknowledgement alone";
    EXPECT_TRUE(w.is_retransmission(segment(90, ack, 100)));
    EXPECT_TRUE(w.is_retransmission(segment(~0U - 9, ack, 100)));
    EXPECT_FALSE(w.is_retransmission(segment(150, ack, 100))) << "partly new";
    EXPECT_FALSE(w.is_retransmission(segment(90, ack, 100, 2))) << "another connection";
    EXPECT_FALSE(w.is_retransmission(segment(250, fin | ack, 0)));
    EXPECT_TRUE(w.is_retransmission(segment(250, fin | ack, 0)));
    EXPECT_FALSE(w.is_retransmission({1, 2, 3}));
}

}  // namespace
}  // namespace sare::test::bridge_test
