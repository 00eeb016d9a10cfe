// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_setting.h"

#include <gtest/gtest.h>

/// A network cut into parts, each run by a thread of its own, does the same as one thread does.
namespace sare::test {
namespace {

constexpr std::uint32_t counts[] = {2, 3, 4, 7};

/// What observers and the workload are told, in the order in which they are.
struct told_log final : observer {
    std::vector<std::array<std::uint64_t, 9>> lines;

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
    std::vector<std::array<std::uint64_t, 9>> told;
    cycle_t ended = 0;
    std::uint64_t hops = 0, injected = 0, consumed = 0;
    std::vector<std::uint32_t> sent;
    std::string left, drops;
    std::uint32_t threads = 0;

    bool operator==(const outcome& o) const {
        return told == o.told && ended == o.ended && hops == o.hops && injected == o.injected &&
               consumed == o.consumed && sent == o.sent && left == o.left && drops == o.drops;
    }
};

outcome run(fabric_setting s, std::uint32_t threads, cycle_t end = 600) {
    s.threads.threads = threads;
    test_fabric f(s);
    told_log log;
    f.net.set_observer(&log);
    const auto traffic = traffic_of(s.traffic, f.net.nodes(), s.length);
    f.net.set_workload(traffic.get());
    outcome o;
    o.ended = f.run(0, end);
    o.told = std::move(log.lines);
    o.hops = f.net.flit_hops();
    o.injected = f.net.flits_injected();
    o.consumed = f.net.flits_consumed();
    for (std::uint32_t r = 0; r < f.net.routers(); ++r) o.sent.push_back(f.net.flits_sent(r));
    o.left = f.net.leftovers();
    for (const auto& [spot, count] : f.net.changes().dropped_at)
        o.drops += std::to_string(spot.router) + ' ' + spot.cause + ' ' + std::to_string(count.flits) + '\n';
    o.threads = f.net.threads();
    return o;
}

std::string text(const fabric_setting& s) {
    return s.network + ", " + s.routing + ", " + s.kind + ", " + s.traffic + ", " + s.length;
}

void expect_same(const fabric_setting& s, cycle_t end = 600) {
    const outcome expected = run(s, 1, end);
    EXPECT_GT(expected.told.size(), 100U) << text(s);
    for (const std::uint32_t n : counts) {
        outcome parted;
        ASSERT_NO_THROW(parted = run(s, n, end)) << n << " threads: " << text(s);
        EXPECT_EQ(parted.threads, n) << text(s);
        EXPECT_TRUE(parted == expected) << n << " threads: " << text(s);
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
    return s;
}

TEST(Threads, EveryKindOfRouter) {
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

TEST(Threads, EveryKindOfNetwork) {
    for (const auto& [network, routing] : std::initializer_list<std::pair<const char*, const char*>>{
             {"mesh dims=3,3,3 concentration=2", "dor"},
             {"torus dims=5,3 link_latency=4", "dor"},
             {"tree degree=3 depth=3", "tree_adaptive"},
             {"xgft m=3,2,4 w=1,3,2", "tree_static"},
             {"dragonfly p=2 a=3 h=2 g=7 global_link_latency=9", "dragonfly_minimal"}})
        try {
            expect_same(setting(network, routing));
        } catch (const config::error& problem) {
            ADD_FAILURE() << network << ": " << problem.what();
        }
}

TEST(Threads, RandomSettings) {
    setting_source source(4711);
    std::uint32_t runs = 0;
    for (int n = 0; n < 150 && runs < 60; ++n) {
        const setting_source::drawn d = source.next();
        if (!d.graph.empty()) continue;
        try {
            const outcome expected = run(d.setting, 1);
            for (const std::uint32_t k : counts)
                ASSERT_TRUE(run(d.setting, k) == expected) << k << " threads: " << text(d.setting);
            ++runs;
        } catch (const config::error&) {
        }
    }
    EXPECT_EQ(runs, 60U);
}

/// What reacts to deliveries sends the same in the same order.
TEST(Threads, WorkloadsThatReact) {
    for (const char* traffic :
         {"request_reply outstanding=4", "constant_population messages=3",
          "reactive initial=6 probability=0.9 limit=4000", "random outstanding=6 messages=400",
          "task_model jobs=40 beta=1e6 t_i=1e-8 t_a=1e-8 s_s=64 s_r=100 eps=8",
          "master_worker jobs=9 bytes=90 result_bytes=60 spread=0.5 compute=5e-8",
          "halo cells=5 diagonals=true repetitions=4",
          "collective operation=alltoall bytes=60 repetitions=3"}) {
        fabric_setting s = setting("torus dims=4,4", "dor");
        s.traffic = traffic;
        s.length = "";
        s.classes = std::string(traffic).rfind("request_reply", 0) == 0 ? 2 : 1;
        expect_same(s, 4000);
    }
}

/// A kind that does not say that its routers may run at the same time is run by one thread.
TEST(Threads, OneWhereRoutersShareMore) {
    fabric_setting s = setting("mesh dims=4,4", "", "deflection");
    s.threads.threads = 4;
    test_fabric f(s);
    EXPECT_EQ(f.net.threads(), 1U);
    EXPECT_NE(f.net.threads_obstacle().find("deflection"), std::string::npos) << f.net.threads_obstacle();
}

TEST(Threads, FewerWhereTheyWouldNotPay) {
    const auto threads = [](const thread_rule& rule) {
        fabric_setting s = setting("mesh dims=8,8", "dor");
        s.threads = rule;
        const test_fabric f(s);
        return std::make_pair(f.net.threads(), f.net.threads_obstacle());
    };
    EXPECT_EQ(threads({4, 1, 0}), std::make_pair(4U, std::string()));
    EXPECT_EQ(threads({4, 16, 0}).first, 4U);
    EXPECT_EQ(
        threads({4, 17, 0}),
        std::make_pair(3U, std::string("there are 64 routers, and less than 17 for a thread do not pay")));
    EXPECT_EQ(threads({4, 65, 0}).first, 1U);
    EXPECT_EQ(threads({8, 1, 0, 2}),
              std::make_pair(2U, std::string("this machine has no more processors for it")));
}

}  // namespace
}  // namespace sare::test
