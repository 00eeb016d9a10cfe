// SPDX-License-Identifier: Apache-2.0
#include "tests/support/closed_form.h"
#include "tests/support/parameter_text.h"
#include "tests/support/random_setting.h"
#include "tests/support/test_fabric.h"

#include <gtest/gtest.h>

/// One packet in an empty network takes exactly as long as the closed form says; one VC sends exactly as much
/// as its credits allow.
namespace sare::test::router_closed_form_test {
namespace {

struct latency_probe final : observer {
    std::uint64_t latency = 0, hops = 0, packets = 0;
    void packet_injected(std::uint32_t, const packet&, cycle_t) override {}
    void packet_consumed(std::uint32_t, const packet& p, cycle_t now) override {
        latency = now - p.generated;
        hops = p.hops;
        ++packets;
    }
    void message_consumed(const message_record&, cycle_t) override {}
};

struct case_of_one {
    fabric_setting setting;
    packet_path path;
    cycle_t start = 0;
};

fabric_setting line_of_routers(const packet_path& w) {
    fabric_setting s;
    s.network = "mesh dims=" + std::to_string(w.routers) +
                ",1 link_latency=" + std::to_string(w.link_latency) +
                " node_link_latency=" + std::to_string(w.in_latency) +
                " link_cycles_per_flit=" + std::to_string(w.cycles_per_flit);
    return s;
}

/// Sends the packet from one end of the line to the other. `plain` tells whether plain routers did it.
std::uint64_t measure(const case_of_one& c, bool* plain = nullptr) {
    test_fabric f(c.setting);
    if (plain != nullptr) *plain = f.net.view().bank_of(0).variant() != "vc, wide";
    latency_probe probe;
    f.net.stepper().set_observer(&probe);
    sare::message m;
    m.source = 0;
    m.destination = c.path.routers - 1;
    m.flits = c.path.flits;
    m.generated = c.start;
    scripted_traffic traffic({m});
    f.net.stepper().set_workload(&traffic);
    f.run(0, workload::never);
    EXPECT_EQ(probe.packets, 1U);
    EXPECT_EQ(probe.hops, c.path.routers);
    EXPECT_EQ(f.net.view().leftovers(), "");
    return probe.latency;
}

std::string describe(const case_of_one& c) {
    return c.setting.network + ": " + parameter_text(c.setting.router) + ", nic " +
           parameter_text(c.setting.nic) + ", " + std::to_string(c.path.flits) + " flits";
}

std::uint32_t one_of(rng& random, std::initializer_list<std::uint32_t> all) {
    return all.begin()[random.below(static_cast<std::uint32_t>(all.size()))];
}

void expect_closed_form(const case_of_one& c, std::uint32_t& plain) {
    bool was_plain = false;
    ASSERT_EQ(measure(c, &was_plain), zero_load_latency(c.setting.router, c.setting.nic, c.path))
        << describe(c);
    plain += was_plain;
}

packet_path draw_path(rng& random) {
    packet_path w;
    w.routers = 1 + random.below(6);
    w.flits = one_of(random, {1, 1, 2, 3, 5, 8, 17});
    w.link_latency = one_of(random, {1, 1, 2, 3, 10, 40});
    w.cycles_per_flit = one_of(random, {1, 1, 1, 2, 3, 7});
    w.in_latency = w.out_latency = one_of(random, {1, 2, 5, 33});
    return w;
}

case_of_one draw(rng& random) {
    case_of_one c;
    c.path = draw_path(random);
    c.setting = line_of_routers(c.path);
    c.start = random.below(50);
    router_params& p = c.setting.router;
    p.switching = static_cast<switching_mode>(random.below(3));
    for (std::uint32_t* delay : {&p.rc_delay, &p.va_delay, &p.sa_delay, &p.st_delay})
        *delay = one_of(random, {0, 1, 1, 2, 3, 15});
    p.lookahead = random.bernoulli(0.5);
    p.speculative = random.bernoulli(0.5);
    p.va_allocator = any_policy<allocator>(random);
    p.sa_allocator = any_policy<allocator>(random);
    p.va_arbiter = any_policy<arbiter>(random);
    p.sa_arbiter = any_policy<arbiter>(random);
    p.iterations = one_of(random, {1, 2, 3});
    p.vcs = one_of(random, {1, 2, 4, 8});
    p.depth = c.path.flits + random.below(5);
    p.input_speedup = one_of(random, {1, 1, 2, 4});
    p.output_speedup = one_of(random, {1, 1, 2});
    p.credit_delay = random.below(4);
    p.credit_batch = one_of(random, {1, 1, 7});
    p.reallocation = static_cast<reallocation_rule>(random.below(2));
    // Stages that are not pipelined are the same to one packet, but where flits queue up: SA starts in vain
    // while the link is busy, and the crossbar moves flits in batches.
    if (c.path.flits == 1 || (p.st_delay <= 1 && c.path.cycles_per_flit <= std::max(1U, p.sa_delay)))
        p.pipelined = random.bernoulli(0.7);
    c.setting.nic.delay = one_of(random, {0, 1, 2, 9});
    c.setting.nic.credit_delay = random.below(3);
    c.setting.nic.max_packet_flits = c.path.flits;
    p.input_register = random.bernoulli(0.3);
    return c;
}

/// All combinations of the usual router: nothing else is on.
TEST(ZeroLoadLatency, MatchesTheClosedFormForTheUsualRouter) {
    std::uint32_t cases = 0, plain = 0;
    for (const auto mode :
         {switching_mode::wormhole, switching_mode::cut_through, switching_mode::store_and_forward})
        for (std::uint32_t delays = 0; delays < 81; ++delays)
            for (const std::uint32_t routers : {1U, 2U, 5U})
                for (const std::uint32_t flits : {1U, 5U}) {
                    case_of_one c;
                    c.path.routers = routers;
                    c.path.flits = flits;
                    c.path.link_latency = 1 + delays % 2;
                    c.setting = line_of_routers(c.path);
                    router_params& p = c.setting.router;
                    p.switching = mode;
                    p.rc_delay = delays % 3;
                    p.va_delay = delays / 3 % 3;
                    p.sa_delay = delays / 9 % 3;
                    p.st_delay = delays / 27;
                    c.setting.nic.max_packet_flits = flits;
                    ASSERT_NO_FATAL_FAILURE(expect_closed_form(c, plain));
                    ++cases;
                }
    EXPECT_EQ(cases, 1458U);
    EXPECT_GT(plain, 50U);
}

TEST(ZeroLoadLatency, MatchesTheClosedFormForRandomSettings) {
    rng random(1, stream::test, 21);
    std::uint32_t plain = 0;
    for (int n = 0; n < 2500; ++n) ASSERT_NO_FATAL_FAILURE(expect_closed_form(draw(random), plain));
}

/// The closed form in figures, so that form and model cannot go wrong together.
TEST(ZeroLoadLatency, MatchesFiguresWorkedOutByHand) {
    case_of_one c;
    c.path.routers = 4;
    c.path.flits = 5;
    c.setting = line_of_routers(c.path);
    auto expect = [&c](std::uint64_t cycles) {
        EXPECT_EQ(zero_load_latency(c.setting.router, c.setting.nic, c.path), cycles) << describe(c);
        EXPECT_EQ(measure(c), cycles) << describe(c);
    };
    expect(1 + 1 + 4 * 4 + 3 + 1 +
           4);  // NIC, link, four routers of four stages, three links, link, four more flits
    c.setting.router.lookahead = true;
    expect(1 + 1 + 4 * 3 + 3 + 1 + 4);
    c.setting.router.speculative = true;
    expect(1 + 1 + 4 * 2 + 3 + 1 + 4);
    c.setting.router.st_delay = c.setting.router.sa_delay = 0;
    expect(1 + 1 + 4 * 0 + 3 + 1 + 4);
    c.setting.router = {};
    c.setting.router.sa_delay = 3;  // a flit every three cycles
    expect(1 + 1 + 4 * 6 + 3 + 1 + 4 * 3);
    c.setting.router = {};
    c.setting.nic.max_packet_flits = 8;
    c.setting.router.switching = switching_mode::store_and_forward;
    expect(1 + 1 + 4 * 4 + 3 + 1 + 5 * 4);  // every sender in turn takes four more cycles
}

// ---- the credit loop -------------------------------------------------------------------------------------

/// One long packet is one stream of flits on one VC; a longer one by `more` flits takes so much longer.
std::uint64_t cost_of(case_of_one c, std::uint32_t more) {
    c.setting.nic.max_packet_flits = c.path.flits = 1500;
    const std::uint64_t shorter = measure(c);
    c.setting.nic.max_packet_flits = c.path.flits += more;
    return measure(c) - shorter;
}

/// D flits in every round trip, or one flit every max(s, c) cycles where that is slower.
std::uint64_t expected_cost(const router_params& p, const packet_path& w, std::uint64_t trip) {
    const std::uint64_t slowest = std::max({1U, p.sa_delay, w.cycles_per_flit});
    return std::max(trip, p.depth * slowest);
}

TEST(CreditLoop, LimitsRoutersAsTheClosedFormSays) {
    rng random(1, stream::test, 22);
    std::uint32_t bound_by_credits = 0;
    for (int n = 0; n < 150; ++n) {
        case_of_one c;
        c.path.routers = 2 + random.below(3);
        c.path.link_latency = one_of(random, {1, 2, 5, 12});
        c.path.cycles_per_flit = one_of(random, {1, 1, 2, 3});
        c.setting = line_of_routers(c.path);
        router_params& p = c.setting.router;
        p.vcs = 1;
        p.depth = 1 + random.below(24);
        p.sa_delay = one_of(random, {0, 1, 2, 3});
        p.st_delay = random.below(4);
        p.credit_delay = random.below(5);
        p.va_delay = random.below(3);
        p.lookahead = random.bernoulli(0.5);
        p.input_register = random.bernoulli(0.3);
        c.setting.nic.ejection_depth = 200;
        c.setting.nic.delay = c.setting.nic.credit_delay = 0;
        c.setting.compact_allowed = random.bernoulli(0.5);
        const std::uint64_t trip =
            std::max(round_trip(p, c.path), injection_round_trip(c.setting.nic, c.path));
        ASSERT_EQ(cost_of(c, p.depth), expected_cost(p, c.path, trip)) << describe(c);
        bound_by_credits += expected_cost(p, c.path, 0) < trip;
    }
    EXPECT_GT(bound_by_credits, 30U);
}

TEST(CreditLoop, LimitsNodesAsTheClosedFormSays) {
    rng random(1, stream::test, 23);
    for (int n = 0; n < 100; ++n) {
        case_of_one c;
        c.path.in_latency = c.path.out_latency = one_of(random, {1, 2, 6});
        c.setting = line_of_routers(c.path);
        router_params& p = c.setting.router;
        p.vcs = 1;
        p.depth = 1 + random.below(12);
        p.st_delay = random.below(3);
        p.credit_delay = random.below(3);
        nic_params& nic = c.setting.nic;
        nic.delay = random.below(4);
        nic.credit_delay = random.below(4);
        packet_path out = c.path;
        out.link_latency = c.path.out_latency;
        const bool ejection = n % 2 == 0;  // one of the two loops is made the narrow one
        nic.ejection_depth = ejection ? p.depth : 200;
        if (ejection) p.depth = 200;
        const std::uint64_t trip = ejection ? round_trip(p, out) : injection_round_trip(nic, c.path);
        const std::uint32_t places = ejection ? nic.ejection_depth : p.depth;
        ASSERT_EQ(cost_of(c, places), std::max<std::uint64_t>(trip, places)) << describe(c);
    }
}

/// Credits that leave only every B cycles: at least one round trip, rounded up to when they may leave.
TEST(CreditLoop, GrowsWithCreditsInBatches) {
    for (const std::uint32_t batch : {2U, 5U, 35U})
        for (const std::uint32_t depth : {1U, 3U, 10U}) {
            case_of_one c;
            c.path.routers = 2;
            c.setting = line_of_routers(c.path);
            router_params& p = c.setting.router;
            p.vcs = 1;
            p.depth = depth;
            p.credit_batch = batch;
            c.setting.nic.ejection_depth = 200;
            const std::uint64_t cost = cost_of(c, depth * 7) / 7;
            const std::uint64_t trip = round_trip(p, c.path);
            EXPECT_GE(cost, std::max<std::uint64_t>(trip, depth)) << describe(c);
            EXPECT_LE(cost, std::max<std::uint64_t>((trip + depth + 2 * batch - 1) / batch * batch, depth))
                << describe(c);
        }
}

}  // namespace
}  // namespace sare::test::router_closed_form_test
