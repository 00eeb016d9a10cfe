// SPDX-License-Identifier: Apache-2.0
#include "tlm/nic/injection_policy.h"

#include "tests/support/test_fabric.h"
#include "tlm/base/rng.h"
#include "tlm/config/chosen.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

/// Token buckets, and the turns of classes.
namespace sare::test::injection_policy_test {
namespace {

nic_params limited(const std::string& rate, std::uint32_t burst) {
    nic_params p;
    p.max_packet_flits = 8;
    p.rates = config::value::list({config::value::scalar(rate), config::value::scalar("0")});
    p.bursts = config::value::scalar(std::to_string(burst));
    return p;
}

injection_policy policy(const nic_params& p, const config::value& picks = {}) {
    return {config::make_chosen<arbiter>(picks), p, 2};
}

/// Between any two cycles: rate t + burst, and that much where there is always a packet.
TEST(InjectionPolicy, NeverExceedsABucket) {
    for (const char* rate : {"0.01", "0.3", "0.7", "1"})
        for (const std::uint32_t burst : {8U, 20U, 100U}) {
            injection_policy p = policy(limited(rate, burst));
            rng random(7, stream::test, burst);
            const double r = std::stod(rate);
            double allowed = burst;
            std::uint64_t sent = 0;
            cycle_t t = 0;
            for (int k = 0; k < 2000; ++k) {
                const cycle_t step = random.bernoulli(0.05) ? random.below(500) : 1;  // asked now and then
                t += step;
                allowed = std::min<double>(burst, allowed + r * static_cast<double>(step));
                const std::uint32_t flits = 1 + random.below(8);
                const bool may = p.conforms(0, flits, t);
                EXPECT_TRUE(may == (allowed > flits) || std::abs(allowed - flits) < 1e-3) << rate << " " << t;
                EXPECT_TRUE(p.conforms(1, 8, t));
                if (!may) continue;
                p.spend(0, flits);
                allowed -= flits;
                sent += flits;
                EXPECT_LE(static_cast<double>(sent), r * static_cast<double>(t) + burst);
                EXPECT_GE(allowed, -1e-6);
            }
        }
}

/// Both classes always ask.
class both final : public arbiter_requests {
  public:
    std::uint64_t age(std::uint32_t) const override { return 0; }
    std::uint64_t since(std::uint32_t) const override { return 0; }
    std::uint32_t queue(std::uint32_t) const override { return 0; }
    std::uint32_t port(std::uint32_t c) const override { return c; }
    std::uint32_t message_class(std::uint32_t c) const override { return c; }
    std::uint64_t random(std::uint32_t, std::uint32_t) const override { return 0; }
};

std::uint32_t served_of_class_0(injection_policy& p, std::uint32_t of) {
    std::uint32_t first = 0;
    for (std::uint32_t k = 0; k < of; ++k) {
        const std::uint32_t c = p.pick(3, both());
        p.served(c, both());
        first += c == 0 ? 1 : 0;
    }
    return first;
}

TEST(InjectionPolicy, GivesClassesTheirTurns) {
    injection_policy turns = policy({}), first = policy({}, config::value::scalar("priority"));
    EXPECT_EQ(served_of_class_0(turns, 100), 50U);
    EXPECT_EQ(served_of_class_0(first, 100), 0U);
    const auto weights = config::value::list({config::value::scalar("3"), config::value::scalar("1")});
    injection_policy weighted =
        policy({}, config::value::map({{"name", config::value::scalar("weighted")}, {"weights", weights}}));
    EXPECT_EQ(served_of_class_0(weighted, 100), 75U);
    weighted.clear();
    EXPECT_EQ(served_of_class_0(weighted, 4), 3U);
}

/// Flits that node 0 of two injects in so many cycles, of messages of one flit that all wait from the first
/// one on.
std::uint64_t injected(const nic_params& nic, std::uint32_t vcs, const std::vector<std::uint32_t>& own,
                       cycle_t cycles) {
    const auto map = network("mesh dims=2");
    const auto way = routing("dor", *map, 1);
    router_params router;
    router.vcs = vcs;
    router.depth = 1;
    const auto model = std::make_shared<vc_model>(router);
    fabric net(vcs, 2, 1, own);
    net.builder().set_routing(*map, *way);
    for (std::uint32_t r = 0; r < 2; ++r) net.builder().add_router(model, map->ports(router_id(r)));
    for (std::uint32_t n = 0; n < 2; ++n) net.builder().add_nic(nic);
    connect(net, *map);
    net.builder().finish();
    sare::message m;
    m.destination = 1;
    scripted_traffic traffic(std::vector<sare::message>(200, m));
    net.stepper().set_workload(&traffic);
    for (cycle_t t = 0; t < cycles; ++t) net.stepper().step(t);
    return net.view().flits_injected();
}

TEST(InjectionPolicy, LimitsTheRateOfNics) {
    EXPECT_GT(injected({}, 2, {1, 1}, 400), 50U);
    EXPECT_EQ(injected(limited("0.05", 8), 2, {1, 1}, 400), 8U + 399 / 20);
}

/// What is said of a NIC or of its network must be said before the network is finished.
TEST(InjectionPolicy, IsNotGivenToANetworkThatIsFinished) {
    const auto map = network("mesh dims=1,1");
    const auto way = routing("dor", *map, 1);
    const auto model = std::make_shared<vc_model>(router_params());
    fabric net(model->terms().vcs, 1, 1);
    network_builder& builder = net.builder();
    builder.set_routing(*map, *way);
    builder.add_router(model, map->ports(router_id(0)));
    builder.add_nic({});
    connect(net, *map);
    builder.finish();
    const link_end nic{link_end::kind::nic, 0, 0}, port{link_end::kind::router, 0, 0};
    EXPECT_THROW(builder.add_nic({}), config::error);
    EXPECT_THROW(builder.add_router(model, 3), config::error);
    EXPECT_THROW(builder.connect(nic, port, {}), config::error);
    EXPECT_THROW(builder.set_routing(*map, *way), config::error);
    EXPECT_THROW(builder.set_bit_errors(32), config::error);
    EXPECT_THROW(builder.take_over_nic(0), config::error);
    EXPECT_THROW(builder.count_events(), config::error);
    EXPECT_THROW(builder.expect_load(1), config::error);
    EXPECT_THROW(builder.finish(), config::error);
}

/// Into a buffer of one place goes one flit at first; into one of a VC that classes share another.
TEST(InjectionPolicy, LetsNicsUseSharedVcs) {
    EXPECT_EQ(injected({}, 2, {1, 1}, 4), 1U);
    EXPECT_EQ(injected({}, 3, {1, 1}, 4), 2U);
}

}  // namespace
}  // namespace sare::test::injection_policy_test
