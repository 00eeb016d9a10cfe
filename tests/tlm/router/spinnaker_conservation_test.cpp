// SPDX-License-Identifier: Apache-2.0
#include "tests/support/seed.h"
#include "tests/tlm/router/spinnaker_support.h"
#include "tlm/config/yaml.h"
#include "tlm/state/checkpoint_folder.h"

#include <gtest/gtest.h>

#include <sstream>

/// Every multicast comes to every target of its table once, or is counted as dropped, with place and cause:
/// over random tables, loads, waits and dead links.
namespace sare::test::spinnaker_conservation_test {
namespace {

struct drawn {
    fabric_setting setting;
    double rate = 0, unicast = 0, dead = 0;
    std::uint64_t seed = 0;
    std::string text() const {
        return setting.network + " | " + setting.routing + " | " + setting.kind + " | rate " +
               std::to_string(rate) + ", unicast " + std::to_string(unicast) + ", dead " +
               std::to_string(dead) + ", seed " + std::to_string(seed);
    }
};

template <class T>
std::string one_of(rng& random, const char* name, std::initializer_list<T> values) {
    std::ostringstream text;
    text << ' ' << name << '=' << values.begin()[random.below(static_cast<std::uint32_t>(values.size()))];
    return text.str();
}

drawn draw(rng& random) {
    drawn d;
    const std::uint32_t w = 2 + random.below(6), h = 2 + random.below(6), each = 1 + random.below(3);
    std::ostringstream network;
    network << "w=" << w << " h=" << h << " concentration=" << each;
    const std::uint32_t others = w * h * each - 1;
    const std::string table =
        "fan_out=" + std::to_string(1 + random.below(std::min(others, 30U))) +
        one_of(random, "fan_outs", {"fixed", "geometric"}) + one_of(random, "decay", {1.0, 0.7, 0.3}) +
        one_of(random, "order", {"longest_first", "dimension"}) +
        one_of(random, "default_routes", {"true", "false"}) + one_of(random, "seed", {1, 2, 3});
    d.setting = spinnaker(network.str() + one_of(random, "link_latency", {1, 2, 5}) +
                              one_of(random, "link_cycles_per_flit", {1, 1, 3}),
                          table,
                          one_of(random, "packet", {1, 1, 1, 2, 5}) + one_of(random, "buffer", {1, 2, 4, 8}) +
                              one_of(random, "engine", {1, 1, 2, 4}) +
                              one_of(random, "emergency_wait", {0, 1, 8, 60}) +
                              one_of(random, "drop_wait", {0, 1, 8, 60}) +
                              one_of(random, "emergency", {"true", "true", "false"}));
    d.rate = 0.3 / (1 + random.below(30));
    d.unicast = random.bernoulli(0.3) ? 0.5 : 0;
    d.dead = random.bernoulli(0.5) ? 0.05 : 0;
    d.seed = random.next();
    return d;
}

void kill_links(test_fabric& f, const drawn& d) {
    rng random(d.seed, stream::test, 9);
    for (std::uint32_t r = 0; r < f.net.view().routers(); ++r)
        for (std::uint32_t k = 0; k < 3; ++k)
            if (random.bernoulli(d.dead)) kill_link(f, r, k);
}

struct outcome {
    std::uint64_t delivered = 0, lost = 0, detours = 0;
    std::map<std::string, std::uint64_t> causes;
    decltype(told_firing::told) told;
};

constexpr std::uint64_t in_order = 0;  ///< not a seed: blocks are evaluated as they lie

void check_books(const fabric& net, const told_firing& traffic, const std::string& what) {
    const packet_changes& c = net.view().changes();
    EXPECT_EQ(traffic.unaccounted(), "") << what;
    EXPECT_TRUE(net.view().empty()) << what;
    EXPECT_EQ(net.view().leftovers(), "") << what;
    EXPECT_EQ(net.view().packets_injected() + c.copied.packets,
              net.view().packets_consumed() + c.dropped.packets)
        << what;
    std::map<std::string, std::uint64_t> by_cause;
    std::uint64_t placed = 0;
    for (const auto& [spot, count] : c.dropped_at) {
        by_cause[spot.cause] += count.packets;
        placed += count.packets;
        EXPECT_LT(spot.port, net.view().ports(spot.router)) << what;
    }
    EXPECT_EQ(placed, c.dropped.packets) << what;
    EXPECT_EQ(by_cause, traffic.causes) << what;
}

outcome run(const drawn& d, std::uint64_t shuffle) {
    test_fabric f(d.setting);
    if (shuffle != in_order) f.net.stepper().shuffle_evaluation(shuffle);
    kill_links(f, d);
    told_firing traffic(d.seed, 300, d.rate, d.unicast);
    f.net.stepper().set_workload(&traffic);
    EXPECT_EQ(f.run(0, 10'000'000), workload::never) << d.text();
    check_books(f.net, traffic, d.text());
    return {traffic.count(&told_firing::fate::delivered), traffic.count(&told_firing::fate::lost),
            f.net.view().changes().detoured.packets, traffic.causes, traffic.told};
}

class spinnaker_conservation : public testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(, spinnaker_conservation, testing::Range(0U, 4U));

TEST_P(spinnaker_conservation, ReachesOrCountsEveryTargetOnce) {
    const std::uint64_t seed = test_seed(1510 + GetParam());
    rng random(seed, stream::test, 3);
    outcome all;
    for (int n = 0; n < 75 && !HasFailure(); ++n) {
        const drawn d = draw(random);
        const outcome o = run(d, in_order);
        all.delivered += o.delivered;
        all.lost += o.lost;
        all.detours += o.detours;
        for (const auto& [cause, count] : o.causes) all.causes[cause] += count;
        if (n % 5 == 0) {
            EXPECT_EQ(run(d, 1 + n).told, o.told) << d.text();
        }
    }
    EXPECT_GT(all.delivered, 20'000U);
    EXPECT_GT(all.lost, 1000U);
    EXPECT_GT(all.detours, 1000U);
    for (const char* cause : {"blocked", "blocked_on_detour", "dead_link"}) EXPECT_GT(all.causes[cause], 20U);
}

/// Packets that are on a link when it fails are lost with the targets behind it; what comes later goes round.
TEST(SpinnakerFailures, AreCountedInMidRun) {
    rng random(test_seed(1540), stream::test, 6);
    outcome all;
    for (int n = 0; n < 40 && !testing::Test::HasFailure(); ++n) {
        drawn d = draw(random);
        d.dead = 0;
        d.setting.kind = "spinnaker" + one_of(random, "buffer", {1, 4}) +
                         one_of(random, "emergency_wait", {0, 1, 8}) + one_of(random, "drop_wait", {0, 1, 8});
        std::ostringstream events;
        for (int k = 0; k < 3; ++k)
            events << (k == 0 ? "[" : ", ") << "{links: 0.05, seed: " << random.below(1000)
                   << ", at: " << random.below(300) << '}';
        d.setting.failures = config::parse_yaml(events.str() + "]", "failures");
        const outcome o = run(d, in_order);
        all.delivered += o.delivered;
        for (const auto& [cause, count] : o.causes) all.causes[cause] += count;
        if (n % 5 == 0) {
            EXPECT_EQ(run(d, 1 + n).told, o.told) << d.text();
        }
    }
    EXPECT_GT(all.delivered, 10'000U);
    for (const char* cause : {"blocked", "dead_link", "failure"}) EXPECT_GT(all.causes[cause], 20U) << cause;
}

/// The workload multicast keeps the same books.
TEST(MulticastWorkload, CountsWhatIsExpectedDeliveredAndDropped) {
    rng random(test_seed(1520), stream::test, 4);
    for (int n = 0; n < 25; ++n) {
        const drawn d = draw(random);
        test_fabric f(d.setting);
        kill_links(f, d);
        const auto traffic =
            traffic_of("multicast stop_cycle=300 rate=" + std::to_string(d.rate), f.net.view().nodes());
        packet_log log;
        f.net.stepper().set_observer(&log);
        f.net.stepper().set_workload(traffic.get());
        EXPECT_EQ(f.run(0, 10'000'000), workload::never);
        const config::value r = traffic->results();
        const auto number = [&](const char* key) {
            return std::stoull(r.find("deliveries")->find(key)->text());
        };
        EXPECT_EQ(number("expected"), number("delivered") + number("dropped")) << d.text();
        EXPECT_EQ(number("under_way"), 0U);
        EXPECT_EQ(number("delivered"), f.net.view().packets_consumed());
        EXPECT_GE(number("dropped"), f.net.view().changes().dropped.packets);
        EXPECT_EQ(traffic->generated(300).messages, f.net.view().packets_injected());
    }
}

config::value deliveries(const workload& w) {
    return *w.results().find("deliveries");
}
std::uint64_t number(const config::value& of, const char* key) {
    return std::stoull(of.find(key)->text());
}

/// Copies that a router or a NIC held when it failed, and packets that could not leave, are lost with all
/// targets that they were still to reach.
TEST(MulticastWorkload, LeavesNothingUnderWayInFailedRouters) {
    rng random(test_seed(1550), stream::test, 7);
    std::map<std::string, std::uint64_t> causes;
    for (int n = 0; n < 40 && !testing::Test::HasFailure(); ++n) {
        drawn d = draw(random);
        d.dead = 0;
        d.setting.kind = "spinnaker" + one_of(random, "buffer", {1, 4}) +
                         one_of(random, "emergency_wait", {0, 8}) + one_of(random, "drop_wait", {1, 8});
        const std::string failed = "[{router: " + std::to_string(random.below(9)) +
                                   ", at: " + std::to_string(1 + random.below(250)) + "}]";
        d.setting.failures = config::parse_yaml(failed, "failures");
        test_fabric f(d.setting);
        const auto traffic =
            traffic_of("multicast stop_cycle=300 rate=" + std::to_string(d.rate), f.net.view().nodes());
        f.net.stepper().set_workload(traffic.get());
        EXPECT_EQ(f.run(0, 10'000'000), workload::never);
        const config::value all = deliveries(*traffic);
        EXPECT_EQ(number(all, "expected"), number(all, "delivered") + number(all, "dropped"))
            << d.text() << failed;
        std::uint64_t by_cause = 0;
        if (const config::value* each = all.find("dropped_by_cause"))
            for (const auto& [cause, count] : each->entries()) {
                by_cause += std::stoull(count.text());
                causes[cause] += std::stoull(count.text());
            }
        EXPECT_EQ(by_cause, number(all, "dropped"));
    }
    for (const char* cause : {"failure", "unreachable", "dead_link"}) EXPECT_GT(causes[cause], 100U) << cause;
}

TEST(MulticastWorkload, LeavesNothingUnderWayAfterAReset) {
    test_fabric f(spinnaker("w=4 h=4 concentration=2", "fan_out=8", "emergency_wait=4 drop_wait=4"));
    const auto traffic = traffic_of("multicast stop_cycle=300 rate=0.05", f.net.view().nodes());
    f.net.stepper().set_workload(traffic.get());
    const cycle_t next = f.run(0, 150);
    EXPECT_GT(number(deliveries(*traffic), "under_way"), 20U);
    f.net.reset().all(next);
    EXPECT_EQ(f.run(next, 10'000'000), workload::never);
    const config::value all = deliveries(*traffic);
    EXPECT_EQ(number(all, "under_way"), 0U);
    EXPECT_GT(number(*all.find("dropped_by_cause"), "reset"), 20U);
    EXPECT_EQ(number(all, "expected"), number(all, "delivered") + number(all, "dropped"));
}

/// Written and read in mid-run, with packets in hand and links dead.
TEST(SpinnakerCheckpoint, GoesOnAsIfNothingHadBeen) {
    rng random(test_seed(1530), stream::test, 5);
    for (int n = 0; n < 20; ++n) {
        const drawn d = draw(random);
        const std::string line = "multicast stop_cycle=300 rate=" + std::to_string(d.rate);
        struct whole {
            whole(const drawn& all, const std::string& workload) : f(all.setting) {
                kill_links(f, all);
                traffic = traffic_of(workload, f.net.view().nodes());
                f.net.stepper().set_observer(&log);
                f.net.stepper().set_workload(traffic.get());
            }
            void serialize(archive& a) { a(f.net, *traffic, next); }
            test_fabric f;
            std::unique_ptr<workload> traffic;
            packet_log log;
            cycle_t next = 0;
        };
        whole one(d, line), first(d, line), second(d, line);
        one.f.run(0, 10'000'000);
        first.next = first.f.run(0, 50 + random.below(300));
        std::ostringstream to;
        write_checkpoint(to, {"", "", first.next}, [&](archive& a) { first.serialize(a); });
        std::istringstream from(to.str());
        checkpoint(from).restore([&](archive& a) { second.serialize(a); });
        second.f.run(second.next, 10'000'000);
        first.log.lines.insert(first.log.lines.end(), second.log.lines.begin(), second.log.lines.end());
        EXPECT_EQ(first.log.lines, one.log.lines) << d.text();
        EXPECT_EQ(flow_style(second.traffic->results()), flow_style(one.traffic->results())) << d.text();
        EXPECT_EQ(second.f.net.view().leftovers(), "");
    }
}

/// All that was under way is dropped; what follows is what follows in a new network.
TEST(SpinnakerReset, BeginsAnew) {
    const fabric_setting s =
        spinnaker("w=4 h=4 concentration=2", "fan_out=8", "emergency_wait=4 drop_wait=4");
    const auto after = [](test_fabric& f, cycle_t from) {
        std::vector<sare::message> script;
        for (std::uint32_t n = 0; n < 32; ++n) script.push_back(firing(n, from + n / 4));
        told_firing traffic(script);
        f.net.stepper().set_workload(&traffic, from);
        f.run(from, 100'000);
        EXPECT_EQ(traffic.unaccounted(), "");
        EXPECT_EQ(f.net.view().leftovers(), "");
        for (auto& [at, node, message] : traffic.told) at -= from;
        return traffic.told;
    };
    test_fabric used(s), fresh(s);
    ASSERT_EQ(used.net.reset().obstacle(), "");
    told_firing busy(7, 60, 0.2, 0.2);
    used.net.stepper().set_workload(&busy);
    used.run(0, 60);
    ASSERT_GT(used.net.view().packets_inside(), 20U);
    used.net.reset().all(60);
    used.net.stepper().step(60);
    EXPECT_EQ(used.net.view().packets_inside(), 0U);
    EXPECT_EQ(after(used, 100), after(fresh, 100));
}

}  // namespace
}  // namespace sare::test::spinnaker_conservation_test
