// SPDX-License-Identifier: Apache-2.0
#include "tests/support/local_world.h"
#include "tests/support/random_setting.h"

#include <gtest/gtest.h>

#include <thread>

/// A network that several processes run, each a part, does the same as one does. They are threads here, which
/// share nothing but what they send each other.
namespace sare::test {
namespace {

constexpr std::uint32_t counts[] = {1, 2, 3, 4};
using line = std::array<std::uint64_t, 9>;

/// What observers are told, of all nodes.
struct told_log final : observer {
    std::vector<line> lines;

    void packet_injected(std::uint32_t node, const packet& p, cycle_t now) override { add(0, node, p, now); }
    void packet_consumed(std::uint32_t node, const packet& p, cycle_t now) override { add(1, node, p, now); }
    void message_consumed(const message_record& m, cycle_t now) override {
        lines.push_back({2, now, m.what.source, m.what.destination, m.what.flits, m.what.generated,
                         m.injected, m.what.tag, m.what.message_class});
    }
    void add(std::uint64_t what, std::uint32_t node, const packet& p, cycle_t now) {
        const std::uint64_t hops = what == 0 ? 0 : p.hops;  // those that it has gone
        lines.push_back(
            {what, now, node, p.route.source, p.route.destination, p.flits, hops, p.generated, p.injected});
    }
};

struct outcome {
    std::vector<line> told;
    std::uint64_t hops = 0, injected = 0, consumed = 0, generated = 0;
    std::vector<std::uint32_t> sent;  ///< by router

    void add(const outcome& o) {
        told.insert(told.end(), o.told.begin(), o.told.end());
        hops += o.hops, injected += o.injected, consumed += o.consumed, generated += o.generated;
        sent.resize(o.sent.size());
        for (std::size_t r = 0; r < sent.size(); ++r) sent[r] += o.sent[r];
    }
    bool operator==(const outcome& o) const {
        return told == o.told && hops == o.hops && injected == o.injected && consumed == o.consumed &&
               generated == o.generated && sent == o.sent;
    }
};

outcome run_one(const fabric_setting& s, cycle_t end) {
    test_fabric f(s);
    told_log log;
    f.net.set_observer(&log);
    const auto traffic = traffic_of(s.traffic, f.net.nodes(), s.length);
    f.net.set_workload(traffic.get());
    f.run(0, end);
    outcome o;
    o.told = std::move(log.lines);
    o.hops = f.net.flit_hops();
    o.injected = f.net.flits_injected();
    o.consumed = f.net.flits_consumed();
    o.generated = traffic->generated(end - 1).flits;
    for (std::uint32_t r = 0; r < f.net.routers(); ++r) o.sent.push_back(f.net.flits_sent(r));
    return o;
}

/// By so many ranks; 0: without any world.
outcome run(fabric_setting s, std::uint32_t ranks, cycle_t end = 600) {
    outcome all;
    if (ranks == 0) {
        all = run_one(s, end);
    } else {
        meeting_place place(ranks);
        std::vector<outcome> each(ranks);
        std::vector<std::exception_ptr> failures(ranks);
        std::vector<std::thread> threads;
        for (std::uint32_t r = 0; r < ranks; ++r)
            threads.emplace_back([&, r, s]() mutable {
                try {
                    local_world here(place, r);
                    s.processes = &here;
                    each[r] = run_one(s, end);
                } catch (...) {
                    failures[r] = std::current_exception();
                    place.fail();
                }
            });
        for (std::thread& t : threads) t.join();
        for (const auto& failure : failures)
            if (failure) std::rethrow_exception(failure);
        for (const outcome& o : each) all.add(o);
    }
    std::sort(all.told.begin(), all.told.end());
    return all;
}

std::string text(const fabric_setting& s) {
    return s.network + ", " + s.routing + ", " + s.kind + ", " + s.traffic + ", " + s.length;
}

void expect_same(const fabric_setting& s, cycle_t end = 600) {
    const outcome expected = run(s, 0, end);
    EXPECT_GT(expected.told.size(), 100U) << text(s);
    for (const std::uint32_t n : counts) {
        outcome parted;
        ASSERT_NO_THROW(parted = run(s, n, end)) << n << " ranks: " << text(s);
        EXPECT_TRUE(parted == expected) << n << " ranks: " << text(s);
    }
}

fabric_setting setting(const std::string& network, const std::string& routing, const std::string& kind = "") {
    fabric_setting s;
    s.network = network;
    s.routing = routing;
    s.kind = kind;
    s.traffic = "bernoulli load=0.3";
    s.length = "range min=1 max=9";
    s.router.vcs = 4;
    s.router.reallocation = reallocation_rule::atomic;
    s.nic.max_packet_flits = 4;  // several packets a message
    return s;
}

TEST(Processes, EveryKindOfRouter) {
    fabric_setting lists = setting("torus dims=6,4", "dor");
    lists.from_lists = true;
    expect_same(lists);
    fabric_setting readable = setting("mesh dims=5,4", "odd_even");
    readable.fast_allowed = false;
    expect_same(readable);
    expect_same(setting("torus dims=4,4", "duato"));
    expect_same(setting("torus dims=4,4", "", "bubble vcs=2"));
    expect_same(setting("torus dims=5,4", "", "dally vcs=4"));
    fabric_setting apenet = setting("torus dims=4,4 link_latency=3", "dor dateline=basic",
                                    "apenet vcs=4 depth=32 sync=2 credit_interval=7");
    apenet.nic.max_packet_flits = 9;
    expect_same(apenet);
}

TEST(Processes, EveryKindOfNetwork) {
    for (const auto& [network, routing] : std::initializer_list<std::pair<const char*, const char*>>{
             {"mesh dims=3,3,3 concentration=2", "dor"},
             {"torus dims=5,3 link_latency=4", "dor"},
             {"tree degree=3 depth=3", "tree_adaptive"},
             {"xgft m=3,2,4 w=1,3,2", "tree_static"},
             {"dragonfly p=2 a=3 h=2 g=7 global_link_latency=9", "dragonfly_minimal"}})
        expect_same(setting(network, routing));
}

TEST(Processes, RandomSettings) {
    setting_source source(815);
    std::uint32_t runs = 0;
    for (int n = 0; n < 400 && runs < 60; ++n) {
        const setting_source::drawn d = source.next();
        if (!d.graph.empty()) continue;
        try {
            const outcome expected = run(d.setting, 0);
            if (!traffic_of(d.setting.traffic, 4, d.setting.length)->runs_by_nodes()) continue;
            for (const std::uint32_t k : counts)
                ASSERT_TRUE(run(d.setting, k) == expected) << k << " ranks: " << text(d.setting);
            ++runs;
        } catch (const config::error&) {
        }
    }
    EXPECT_EQ(runs, 60U);
}

}  // namespace
}  // namespace sare::test
