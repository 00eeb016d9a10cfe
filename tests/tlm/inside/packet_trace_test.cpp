// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/packet_trace.h"

#include "tests/support/clocked.h"
#include "tests/support/random_script.h"
#include "tests/support/random_setting.h"
#include "tests/support/seed.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

/// What packets wait for: in situations whose answer is a formula, and as sums over random networks.
namespace sare::test::packet_trace_test {
namespace {

using what = packet_event::what;

struct kept final : packet_event_sink {
    std::vector<packet_event> all;
    void take(const packet_event& e) override { all.push_back(e); }
    std::uint64_t cycles(std::uint64_t packet, stall_reason why) const {
        std::uint64_t sum = 0;
        for (const packet_event& e : all)
            if (e.is == what::stall && e.reason == why && e.packet.number == packet) sum += e.cycles;
        return sum;
    }
    std::uint64_t cycles(stall_reason why) const {
        std::uint64_t sum = 0;
        for (const packet_event& e : all) sum += e.is == what::stall && e.reason == why ? e.cycles : 0;
        return sum;
    }
    cycle_t when(std::uint64_t packet, what is) const {
        for (const packet_event& e : all)
            if (e.is == is && e.packet.number == packet) return e.cycle;
        return ~cycle_t{0};
    }
};

sare::message one(std::uint32_t source, std::uint32_t destination, std::uint32_t flits, cycle_t at) {
    sare::message m;
    m.source = source;
    m.destination = destination;
    m.flits = flits;
    m.generated = at;
    return m;
}

kept traced(const fabric_setting& s, const std::vector<sare::message>& script,
            std::unique_ptr<topology> map = nullptr, const trace_filter& filter = {}) {
    test_fabric f(s, std::move(map));
    scripted_traffic traffic(script);
    kept events;
    packet_trace trace(f.net, filter);
    trace.add(events);
    trace.start();
    f.net.stepper().set_workload(&traffic);
    f.run(0, 1'000'000);
    trace.stop();
    EXPECT_EQ(f.net.view().leftovers(), "");
    return events;
}

fabric_setting one_router(bool fast) {
    fabric_setting s;
    s.network = "crossbar n=4";
    s.routing = "table";
    s.router.depth = 16;
    s.compact_allowed = fast;
    return s;
}

/// Two packets of F flits come in the same cycle for the same output with one VC. One loses VA once; then the
/// VC is the other's until its tail has gone, va + F - 1 cycles.
TEST(PacketTrace, ShowsTheWaitForATakenVc) {
    for (const bool fast : {false, true})
        for (const std::uint32_t flits : {1U, 2U, 7U}) {
            fabric_setting s = one_router(fast);
            s.router.vcs = 1;
            const kept e = traced(s, {one(0, 2, flits, 10), one(1, 2, flits, 10)});
            EXPECT_EQ(e.cycles(stall_reason::lost_va), 1U);
            EXPECT_EQ(e.cycles(stall_reason::no_vc), s.router.va_delay + flits - 1);
            for (const auto other : {stall_reason::no_credit, stall_reason::consumer, stall_reason::lost_sa})
                EXPECT_EQ(e.cycles(other), 0U);
            for (const packet_event& stall : e.all)
                if (stall.is == what::stall) {
                    EXPECT_EQ(stall.out_port, packet_event::no_port);
                }
            const cycle_t a = e.when(0, what::in), b = e.when(0, what::out), c = e.when(1, what::out);
            const cycle_t pipeline = s.router.rc_delay + s.router.va_delay;
            EXPECT_EQ(std::min(b, c), a + pipeline);
            EXPECT_EQ(std::max(b, c), a + pipeline + 1 + s.router.va_delay + flits - 1);
        }
}

/// The same with a VC for each. Both ask for the same one first, so one comes a cycle later; then they share
/// the link flit by flit, and of 2 F flits all but the first one and the last one wait for a cycle.
TEST(PacketTrace, ShowsTheSwitchSharedFlitByFlit) {
    for (const bool fast : {false, true})
        for (const std::uint32_t flits : {1U, 2U, 7U}) {
            fabric_setting s = one_router(fast);
            s.router.vcs = 2;
            const kept e = traced(s, {one(0, 2, flits, 10), one(1, 2, flits, 10)});
            EXPECT_EQ(e.cycles(stall_reason::lost_va), 1U);
            EXPECT_EQ(e.cycles(stall_reason::lost_sa), 2 * flits - 2);
            EXPECT_EQ(e.cycles(stall_reason::no_vc) + e.cycles(stall_reason::no_credit), 0U);
        }
}

/// Two of one flit with VCs of their own, as they are of two classes, and the one credit that each needs: one
/// of them has to let the other one go first, and waits for nothing else.
TEST(PacketTrace, ShowsNoWaitWhereTheLastCreditIsEnough) {
    for (const bool fast : {false, true}) {
        fabric_setting s = one_router(fast);
        s.router.vcs = s.classes = 2;
        s.nic.ejection_depth = 1;
        std::vector<sare::message> both{one(0, 2, 1, 10), one(1, 2, 1, 10)};
        both[1].message_class = 1;
        const kept e = traced(s, both);
        EXPECT_EQ(e.cycles(stall_reason::lost_sa), 1U);
        for (const auto other : {stall_reason::no_vc, stall_reason::consumer, stall_reason::lost_va})
            EXPECT_EQ(e.cycles(other), 0U);
    }
}

/// A buffer of one place beyond: a flit every R cycles, R the credit loop, and R - 1 of them without a
/// credit.
TEST(PacketTrace, ShowsTheWaitForCredits) {
    for (const bool fast : {false, true})
        for (const std::uint32_t latency : {1U, 4U})
            for (const std::uint32_t flits : {1U, 5U}) {
                fabric_setting s = one_router(fast);
                s.network = "crossbar n=4 node_link_latency=" + std::to_string(latency);
                s.nic.ejection_depth = 1;
                s.router.credit_delay = 3;
                const kept e = traced(s, {one(0, 2, flits, 10)});
                const std::uint32_t loop =
                    s.router.sa_delay + s.router.st_delay + 2 * latency + s.router.credit_delay;
                EXPECT_EQ(e.cycles(stall_reason::consumer), (flits - 1) * (loop - 1)) << latency;
                EXPECT_EQ(e.cycles(stall_reason::no_vc) + e.cycles(stall_reason::lost_sa), 0U);
                EXPECT_EQ(e.when(0, what::left), e.when(0, what::out) + (flits - 1) * loop);
            }
}

/// INSEE: P phits to one node by one VC. The second packet finds the VC taken after the cycle that it loses.
TEST(PacketTrace, ShowsTheWaitsOfPhitRouters) {
    fabric_setting s;
    s.kind = "multistage vcs=1 packet=4 queue=4";
    s.network = "kary_ntree k=4 n=1";
    const kept e = traced(s, {one(0, 2, 4, 10), one(1, 2, 4, 10)});
    EXPECT_EQ(e.cycles(stall_reason::lost_va), 1U);
    EXPECT_EQ(e.cycles(stall_reason::no_vc), 3U);
    EXPECT_EQ(e.cycles(stall_reason::no_credit) + e.cycles(stall_reason::lost_sa), 0U);
}

/// What became of the head of a packet in a router.
struct visit {
    cycle_t in = ~cycle_t{0}, out = ~cycle_t{0}, left = ~cycle_t{0};
    std::uint64_t stalled = 0;
    int ins = 0, outs = 0, lefts = 0;
};

std::map<std::pair<std::uint64_t, std::uint32_t>, visit> visits_of(const kept& events) {
    std::map<std::pair<std::uint64_t, std::uint32_t>, visit> all;
    for (const packet_event& e : events.all) {
        if (e.at_node()) continue;
        visit& v = all[{e.packet.number, e.place}];
        if (e.is == what::in) v.in = e.cycle, ++v.ins;
        if (e.is == what::out) v.out = e.cycle, ++v.outs;
        if (e.is == what::left) v.left = e.cycle, ++v.lefts;
        if (e.is == what::stall && e.flit == 0) v.stalled += e.cycles;
    }
    return all;
}

/// Over a head's stay in a router: cycles = pipeline + stalls. `exact`: of what is pipelined and does not
/// guess.
void check_sums(const kept& events, std::uint64_t pipeline, bool exact, const std::string& about) {
    std::size_t visits = 0;
    for (const auto& [at, v] : visits_of(events)) {
        if (v.ins == 0) continue;  // from an injection queue of the router
        ASSERT_EQ(v.ins, 1) << about;
        ASSERT_EQ(v.outs, 1) << about << " packet " << at.first << " router " << at.second;
        ASSERT_EQ(v.lefts, 1) << about;
        const std::uint64_t stay = v.out - v.in;
        if (exact)
            ASSERT_EQ(stay, pipeline + v.stalled)
                << about << " packet " << at.first << " router " << at.second << " from " << v.in;
        else
            ASSERT_GE(stay, v.stalled) << about;
        ++visits;
    }
    EXPECT_NE(visits, 0U) << about;
}

fabric_setting drawn(rng& random) {
    fabric_setting s;
    const std::vector<std::pair<std::string, std::string>> networks{
        {"mesh dims=3,3", "dor"},
        {"torus dims=4,3", "duato"},
        {"mesh dims=4,2 link_latency=3", "odd_even"},
        {"ring n=5", "dor"},
        {"crossbar n=6", "table"},
        {"mesh dims=3,2 link_cycles_per_flit=2", "dor"},
        {"hypercube n=3", "dor"}};
    std::tie(s.network, s.routing) = networks[random.below(static_cast<std::uint32_t>(networks.size()))];
    router_params& p = s.router;
    p.vcs = 3 + random.below(3);
    p.depth = 6 + random.below(4);
    p.switching = static_cast<switching_mode>(random.below(3));
    p.rc_delay = random.below(3);
    p.va_delay = random.below(3);
    p.sa_delay = random.below(3);
    p.st_delay = random.below(2);
    p.lookahead = random.bernoulli(0.3);
    p.va_allocator = any_policy<allocator>(random);
    p.sa_allocator = any_policy<allocator>(random);
    p.reallocation = random.bernoulli(0.3) ? reallocation_rule::atomic : reallocation_rule::tail;
    p.credit_delay = random.below(3);
    p.input_register = random.bernoulli(0.2);
    p.input_speedup = 1 + random.below(2);
    p.pipelined = random.bernoulli(0.8);
    p.speculative = random.bernoulli(0.2);
    s.nic.max_packet_flits = 1 + random.below(6);
    s.seed = random.next();
    return s;
}

TEST(PacketTrace, AccountsForEveryCycleOfAHead) {
    rng random(test_seed(3), stream::test, 17);
    for (int n = 0; n < 60; ++n) {
        fabric_setting s = drawn(random);
        s.compact_allowed = random.bernoulli(0.5);
        const std::uint32_t clock = random.bernoulli(0.2) ? 1 + random.below(3) : 1;
        const auto slow = [&] {
            return std::make_unique<clocked>(network(s.network), [=](std::uint32_t) { return clock; });
        };
        const auto script = random_script(random, network(s.network)->nodes(), 9, 200, 0.1);
        const kept e = traced(s, script, slow());
        const router_params& p = s.router;
        const bool whole = p.switching == switching_mode::store_and_forward;
        check_sums(e, p.effective_rc_delay() + p.va_delay, p.pipelined && !p.speculative && !whole,
                   "case " + std::to_string(n));
    }
}

TEST(PacketTrace, AccountsForEveryCycleInPhitRouters) {
    rng random(test_seed(4), stream::test, 18);
    const std::vector<std::pair<std::string, std::string>> kinds{
        {"torus dims=4,4", "bubble vcs=2 packet=4"},
        {"torus dims=4,4", "bubble vcs=3 request=smart packet=8 consumption=single"},
        {"mesh dims=4,3", "dally vcs=4 packet=1"},
        {"torus dims=3,3", "dally vcs=4 policy=adaptive packet=6"},
        {"kary_ntree k=2 n=3", "multistage vcs=2 packet=4"},
        {"torus dims=4,4", "apenet vcs=2 depth=16 sync=1"},
        {"torus dims=4,3", "apenet vcs=2 depth=16 output_depth=2 sync=0 credit_interval=9"},
        {"torus dims=4,3", "apenet vcs=2 depth=16 sync=2 switching=store_and_forward"},
        {"torus dims=4,3", "apenet vcs=2 depth=5 sync=2 switching=wormhole"}};
    for (const auto& [net, kind] : kinds) {
        fabric_setting s;
        s.network = net;
        s.kind = kind;
        const kept e = traced(s, random_script(random, network(net)->nodes(), 9, 300, 0.06));
        check_sums(e, 0, kind.find("store_and_forward") == std::string::npos, kind);
    }
}

using line = std::tuple<cycle_t, int, std::uint64_t, std::uint64_t, std::uint32_t, int, int, int, int, int,
                        int, std::uint32_t>;
std::vector<line> lines_of(const kept& events) {
    std::vector<line> all;
    for (const packet_event& e : events.all)
        all.emplace_back(e.cycle, static_cast<int>(e.is), e.packet.number, e.packet.message, e.place,
                         e.in_port, e.in_vc, e.out_port, e.out_vc, static_cast<int>(e.reason), e.flit,
                         e.cycles);
    std::sort(all.begin(), all.end());
    return all;
}

/// Fast routers, and those run from lists, show what readable ones show.
TEST(PacketTrace, IsTheSameForFastRouters) {
    rng random(test_seed(5), stream::test, 19);
    for (int n = 0; n < 60; ++n) {
        fabric_setting s = drawn(random);
        s.router.rc_delay = random.below(2);
        s.router.va_delay = random.below(2);
        s.router.sa_delay = s.router.st_delay = random.below(2);
        s.router.pipelined = true;
        if (random.bernoulli(0.5)) {
            s.router = router_params();
            s.nic.max_packet_flits = 1;
        }
        const auto script = random_script(random, network(s.network)->nodes(), 9, 200, 0.08);
        s.compact_allowed = false;
        const auto readable = lines_of(traced(s, script));
        s.compact_allowed = true;
        for (const network_scale scale : {network_scale::small, network_scale::dense, network_scale::large}) {
            s.scale = scale;
            ASSERT_EQ(readable, lines_of(traced(s, script)))
                << "case " << n << ", scale " << static_cast<int>(scale);
        }
    }
}

/// Routers that do not show by which port a flit has gone, and a trace from mid-run on that looks at one of
/// them; then all packets are lost in another one, as a network tells it. What they left by stays unknown and
/// is told at once, and what is lost unseen gets no number.
TEST(PacketTrace, EndsLostPacketsAndGivesThemNoNumbers) {
    rng random(test_seed(6), stream::test, 20);
    int unplaced = 0;
    for (std::uint32_t router = 0; router < 16; ++router) {
        fabric_setting s;
        s.network = "torus dims=4,4 link_latency=2";
        s.kind = "apenet vcs=2 depth=16 sync=1";
        test_fabric f(s);
        scripted_traffic traffic(random_script(random, 16, 1, 100, 0.1));
        trace_filter filter;
        filter.routers = {false, {{router, router}}, {}};
        kept events, others;
        packet_trace trace(f.net, filter), untold(f.net, filter);
        trace.add(events);
        untold.add(others);
        f.net.stepper().set_workload(&traffic);
        cycle_t now = f.run(0, 55);
        trace.start();
        untold.start();
        now = f.run(now, 60 + random.below(20));
        auto& packets = f.net.context().packets();
        const packet* last = nullptr;
        packets.for_each([&](std::uint32_t id) {
            last = &packets[id];
            trace.packet_dropped((router + 1) % 16, *last, now);
        });
        for (const packet_event& e : events.all)
            unplaced += e.is == what::left && e.out_port == packet_event::no_port;
        for (packet_trace* t : {&trace, &untold}) t->packet_injected(0, *last, now);
        EXPECT_EQ(events.all.back().packet.number, others.all.back().packet.number) << "router " << router;
    }
    EXPECT_GT(unplaced, 0);
}

}  // namespace
}  // namespace sare::test::packet_trace_test
