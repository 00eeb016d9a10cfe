// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tests/support/random_script.h"
#include "tests/support/test_fabric.h"
#include "tlm/config/yaml.h"
#include "tlm/network/simulation.h"
#include "tlm/router_api/base/pause_gate.h"

#include <gtest/gtest.h>

#include <functional>

/// Priority flow control: routers that pause VCs.
namespace sare::test::pauses_test {
namespace {

/// Pauses a VC at `xoff` flits, with `xon_offset` below it to go on.
fabric_setting pausing(std::uint32_t vcs, std::uint32_t xoff, std::uint32_t headroom, std::uint32_t offset) {
    fabric_setting s;
    s.router.vcs = vcs;
    s.router.depth = xoff + headroom;
    s.router.flow = overflow_rule::pfc;
    s.router.headroom = headroom;
    s.router.xon_offset = offset;
    return s;
}

/// What a gate tells, cycle by cycle: a flit is heard of a round trip later, and counts before credits of its
/// cycle.
TEST(PauseGate, TellsWhatTheReceiverWould) {
    pause_gate gate;
    EXPECT_FALSE(gate.exists());
    gate.begin({2, 0, 1, 1, 5}, 1);
    ASSERT_TRUE(gate.exists());
    for (const cycle_t t : {10, 11, 12}) {
        EXPECT_EQ(gate.advance(t), 0U);
        gate.leaves(0);
    }
    EXPECT_EQ(gate.advance(15), 0U);  // the first has come in
    EXPECT_EQ(gate.advance(16), 1U);
    EXPECT_TRUE(gate.is_paused(0));
    gate.advance(17);
    EXPECT_EQ(gate.came_back(0), 0U);  // of three flits
    gate.advance(20);
    EXPECT_EQ(gate.came_back(0), 1U);
    EXPECT_EQ(gate.paused_before(30), 4U);
    gate.leaves(0);
    gate.advance(1000);  // long asleep: two flits since 25
    EXPECT_TRUE(gate.is_paused(0));
    EXPECT_EQ(gate.paused_before(1000), 4U + 975);
}

/// A sender that always has a flit, before a buffer that nothing leaves: the headroom of the check holds all
/// that comes after the pause, and for some phase of the packets no less would.
TEST(PauseGate, NeedsTheHeadroomOfTheCheck) {
    constexpr std::uint32_t xoff = 9;
    for (std::uint32_t round_trip = 2; round_trip < 12; ++round_trip)
        for (std::uint32_t longest = 1; longest < 9; ++longest) {
            std::uint32_t most = 0;
            for (std::uint32_t first = 1; first <= longest; ++first) {
                pause_gate gate;
                gate.begin({xoff, 0, 1, 1, round_trip}, 1);
                std::uint32_t flits = 0, left = first;
                for (cycle_t t = 1; t < 100; ++t) {
                    gate.advance(t);
                    if (left == 0 && gate.is_paused(0)) continue;
                    if (left == 0) left = longest;
                    --left;
                    ++flits;
                    gate.leaves(0);
                }
                most = std::max(most, flits);
            }
            EXPECT_EQ(most, xoff + round_trip + longest - 2) << round_trip << " " << longest;
        }
}

/// Of a pool of 8 places, a VC with one of its own may have as many as it leaves free.
TEST(PauseGate, SharesByAlpha) {
    pause_gate gate;
    gate.begin({1, 8, 1, 1, 1}, 2);
    cycle_t t = 0;
    const auto comes = [&](std::uint32_t vc) {
        gate.advance(++t);
        gate.leaves(vc);
        return gate.advance(++t);
    };
    for (int n = 0; n < 4; ++n) EXPECT_EQ(comes(0), 0U) << n;
    EXPECT_EQ(comes(0), 1U);  // it has 4 of the pool, and 4 are left
    EXPECT_EQ(comes(1), 0U);
    EXPECT_EQ(comes(1), 0U);
    EXPECT_EQ(comes(1), 2U) << "the other one has 1 of the pool, and 3 are left";
}

/// What two nodes do that send packets of one flit to a third at their router, which serves each of them
/// every second cycle, between two cycles of the run.
struct two_senders {
    double accepted = 0;  ///< flits a cycle
    double paused = 0;    ///< share of the cycles in which the first sender was paused
    double period = 0;    ///< cycles from the begin of a pause to that of the next
};

two_senders run_two(std::uint32_t latency, std::uint32_t xoff, std::uint32_t offset) {
    constexpr cycle_t begin = 2000, end = 12'000;
    fabric_setting s = pausing(1, xoff, 2 * latency + 10, offset);
    s.network = "mesh dims=1 concentration=3 node_link_latency=" + std::to_string(latency);
    s.router.rc_delay = s.router.va_delay = 0;
    s.nic.max_packet_flits = 1;
    test_fabric f(s);
    std::vector<sare::message> all(2 * end);
    for (std::size_t n = 0; n < all.size(); ++n) {
        all[n].source = 1 + static_cast<std::uint32_t>(n % 2);
        all[n].flits = 1;
    }
    scripted_traffic traffic(all);
    f.net.stepper().set_workload(&traffic);
    const network_view& net = f.net.view();
    const link_end sender{link_end::kind::nic, 1, 0};
    f.run(0, begin);
    const std::uint64_t before = net.flits_consumed();
    cycle_t paused = net.paused_before(sender, begin);
    const cycle_t at_begin = paused;
    std::vector<cycle_t> begins;
    bool was = true;
    for (cycle_t t = begin; t < end; ++t) {
        f.net.stepper().step(t);
        const cycle_t now = net.paused_before(sender, t + 1);
        if (now != paused && !was) begins.push_back(t);
        was = now != paused;
        paused = now;
    }
    constexpr double cycles = end - begin;
    return {static_cast<double>(net.flits_consumed() - before) / cycles,
            static_cast<double>(paused - at_begin) / cycles,
            static_cast<double>(begins.back() - begins.front()) / static_cast<double>(begins.size() - 1)};
}

/// R: round trip. In a period both queues rise from where they go on to X, and on while the R - 1 flits come
/// that are under way, and fall likewise, at half a flit a cycle. If they are empty before the first flit of
/// the next period comes, the output idles for R - 1 cycles less those in which they still fall.
TEST(Pauses, HaveTheirClosedFormsOnAnIdleSwitch) {
    for (const std::uint32_t latency : {1U, 6U, 15U})
        for (const std::uint32_t xoff : {4U, 12U, 40U})
            for (const std::uint32_t offset : {2U, 11U, 99U}) {
                const two_senders ours = run_two(latency, xoff, offset);
                const double trip = 2 * latency, xon = xoff > offset ? xoff - offset : 0;
                const std::string at =
                    std::to_string(latency) + " " + std::to_string(xoff) + " " + std::to_string(offset);
                if (trip <= 2 * xon) {
                    EXPECT_EQ(ours.accepted, 1) << at;
                    EXPECT_NEAR(ours.period, 4 * (offset + trip), 1) << at;
                    EXPECT_NEAR(ours.paused, 0.5, 0.002) << at;
                } else {
                    const double busy = 4 * xoff + 2 * trip;
                    EXPECT_NEAR(ours.accepted, busy / (busy + trip - 2 * xon), 0.003) << at;
                }
            }
}

/// Random networks: no credit is ever missing for a packet that may begin, so nothing is lost and no buffer
/// overflows, and everything arrives. (A buffer that overflows throws protocol_error.)
TEST(Pauses, NeverOverflow) {
    rng random(11, stream::test, 3);
    std::uint64_t paused = 0;
    for (int n = 0; n < 40; ++n) {
        const std::uint32_t latency = 1 + random.below(4), longest = 1 + random.below(7);
        const std::uint32_t needed = 2 * latency + 3 + longest - 2;
        fabric_setting s = pausing(1 + random.below(3), 1 + random.below(8), needed, 1 + random.below(6));
        const bool shares = random.bernoulli(0.4);
        if (shares) {
            s.router.buffers = buffer_policy::shared;
            s.router.reserved = 1 + random.below(std::min(2U, s.router.depth - needed));
            s.router.alpha = 0.25 * (1 + random.below(12));
        }
        constexpr switching_mode modes[] = {switching_mode::wormhole, switching_mode::cut_through,
                                            switching_mode::store_and_forward};
        s.router.switching = modes[random.below(3)];
        s.router.rc_delay = random.below(2);
        s.router.va_delay = random.below(2);
        s.router.speculative = random.bernoulli(0.3);
        s.router.input_speedup = random.bernoulli(0.3) ? 2 : 1;
        s.nic.max_packet_flits = longest;
        s.network = "mesh dims=3,3 link_latency=" + std::to_string(latency);
        s.length = "fixed flits=" + std::to_string(longest);
        test_fabric f(s);
        const network_view& net = f.net.view();
        const auto traffic = traffic_of("burst messages=30 bursts=1", f.map().nodes(), s.length);
        f.net.stepper().set_workload(traffic.get());
        cycle_t t = 0;
        for (; t < 20'000; t = f.net.stepper().next_work(t)) {
            f.net.stepper().step(t);
            for (std::uint32_t r = 0; r < net.routers(); ++r)
                for (std::uint32_t p = 0; p < net.ports(r); ++p)
                    for (std::uint32_t v = 0; v < net.vcs(); ++v) {
                        ASSERT_LE(net.in(r, p, v).count, s.router.most_flits());
                        const out_vc out = net.out(r, p, v);
                        const bool on =
                            f.map().peer(router_id(r), port_id(p)).what == port_peer::kind::router;
                        if (on && out.owner != out_vc::no_owner && !out.paused && longest > 1) {
                            ASSERT_GT(out.credits, 0U) << n;
                        }
                    }
        }
        EXPECT_EQ(net.leftovers(), "") << n;
        EXPECT_EQ(net.flits_consumed(), net.flits_injected()) << n;
        for (std::uint32_t r = 0; r < net.routers(); ++r)
            for (std::uint32_t p = 0; p < net.ports(r); ++p)
                paused += net.paused_before({link_end::kind::router, r, p}, 20'000);
    }
    EXPECT_GT(paused, 1000U);
}

/// A pause is of a VC as a whole: a ring needs its dateline as with credits, and escapes prove nothing.
TEST(Pauses, AreCheckedForDeadlock) {
    const auto verdict = [](const std::string& routing, std::uint32_t vcs) {
        return in_child([&] {
            const experiment e = experiment::read(
                config::parse_yaml(
                    "network: {topology: torus, dims: [4, 4]}\nrouting: " + routing +
                        "\nrouter: {vcs: " + std::to_string(vcs) +
                        ", depth: 40, flow_control: pfc, headroom: 24, switching: cut_through}\n"
                        "nic: {max_packet_flits: 8}\ntraffic: {workload: ping}\n",
                    "test"),
                testing::TempDir());
            simulation net(e);
            return std::string(net.check_deadlock().ok() ? "free" : "not proved");
        });
    };
    EXPECT_EQ(verdict("dor", 2), "free");
    EXPECT_EQ(verdict("{function: dor, dateline: none}", 1), "not proved");
    EXPECT_EQ(verdict("duato", 3), "not proved");
}

TEST(Pauses, RefuseWhatDoesNotGoWithThem) {
    const auto error = [](const std::function<void(fabric_setting&)>& change) {
        fabric_setting s = pausing(1, 8, 11, 1);
        s.nic.max_packet_flits = 8;
        s.network = "mesh dims=2,2";
        change(s);
        try {
            test_fabric f(s);
        } catch (const config::error& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    const auto says = [&](const char* what, const std::function<void(fabric_setting&)>& change) {
        EXPECT_NE(error(change).find(what), std::string::npos) << error(change);
    };
    EXPECT_EQ(error([](fabric_setting&) {}), "");
    says("needs 11: a round trip of 5 cycles", [](fabric_setting& s) { s.router.headroom = 10; });
    says("leaves too few of router.depth, 19", [](fabric_setting& s) { s.router.headroom = 19; });
    says("atomic", [](fabric_setting& s) { s.router.reallocation = reallocation_rule::atomic; });
    says("credit_batch: 1", [](fabric_setting& s) { s.router.credit_batch = 2; });
    says("reserved is 0", [](fabric_setting& s) {
        s.router.buffers = buffer_policy::shared;
        s.router.reserved = 0;
    });
    says("leaves too few of router.depth, 19", [](fabric_setting& s) {
        s.router.buffers = buffer_policy::shared;
        s.router.vcs = 4;
        s.router.reserved = 1;
        s.router.headroom = 40;
    });
    says("one a cycle", [](fabric_setting& s) { s.network = "mesh dims=2,2 link_cycles_per_flit=2"; });
}

TEST(Pauses, AreOfOneVc) {
    pause_gate gate;
    gate.begin({1, 0, 1, 1, 1}, 2);
    gate.advance(1);
    gate.leaves(1);
    EXPECT_EQ(gate.advance(2), 2U);
    EXPECT_FALSE(gate.is_paused(0));
}

}  // namespace
}  // namespace sare::test::pauses_test
