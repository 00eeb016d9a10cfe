// SPDX-License-Identifier: Apache-2.0
#include "tests/support/bufferless.h"

#include <set>

/// Routers that deflect: closed forms, and what must hold in every cycle.
namespace sare::test::router_deflection_test {
namespace {

fabric_setting astray(const std::string& network, const std::string& parameters = "") {
    fabric_setting s;
    s.network = network;
    s.kind = "deflection " + parameters;
    return s;
}

/// Links between routers a and b of a grid.
std::uint32_t distance(const topology& map, std::uint32_t a, std::uint32_t b) {
    const grid_shape& grid = *map.grid();
    std::uint32_t sum = 0;
    for (std::size_t d = 0; d < grid.dims.size(); ++d) {
        const std::uint32_t k = grid.dims[d], up = (b % k + k - a % k) % k, down = (k - up) % k;
        const std::uint32_t straight = a % k > b % k ? a % k - b % k : b % k - a % k;
        sum += grid.unidirectional ? up : grid.wrap[d] ? std::min(up, down) : straight;
        a /= k;
        b /= k;
    }
    return sum;
}

struct lone_case {
    const char *network, *parameters;
    std::uint32_t hop;  ///< cycles
};
void PrintTo(const lone_case& c, std::ostream* out) {
    *out << c.network << ", " << c.parameters;
}
class lone_flits : public testing::TestWithParam<lone_case> {};
INSTANTIATE_TEST_SUITE_P(
    deflection, lone_flits,
    testing::Values(lone_case{"mesh dims=4,4", "", 2}, lone_case{"mesh dims=5,3", "delay=0", 1},
                    lone_case{"torus dims=4,5 link_latency=3", "delay=2 choice=random", 5},
                    lone_case{"torus dims=2,3,2 concentration=2", "choice=random", 2},
                    lone_case{"hypercube n=4", "delay=3", 4},
                    lone_case{"ring n=7 unidirectional=true", "", 2}));

/// Hops and flits, as if it were wormhole switching: nothing is in the way.
TEST_P(lone_flits, TakeTheirHopsAndLength) {
    const lone_case& c = GetParam();
    fabric_setting s = astray(c.network, c.parameters);
    test_fabric f(s);
    const auto script = lone_messages(f.net.view().nodes(), 9, 200);
    scripted_traffic traffic(script);
    packet_log log;
    f.net.stepper().set_observer(&log);
    f.net.stepper().set_workload(&traffic);
    f.run(0, script.size() * 200 + 1000);
    ASSERT_EQ(log.lines.size(), script.size() * 16);
    for (std::size_t k = 8; k < log.lines.size(); k += 16) {
        const auto from = f.map().router_of(node_id(static_cast<std::uint32_t>(log.lines[k + 2]))).value,
                   to = f.map().router_of(node_id(static_cast<std::uint32_t>(log.lines[k + 3]))).value;
        const std::uint32_t links = distance(f.map(), from, to);
        ASSERT_EQ(log.lines[k] / 2 - log.lines[k + 6], links * c.hop + log.lines[k + 4] - 1) << from << to;
        ASSERT_EQ(log.lines[k + 5], links + 1) << "routers visited";
    }
    EXPECT_EQ(f.net.view().leftovers(), "");
    EXPECT_EQ(counts_of(f.net)["deflected"], 0);
}

// ---- in every cycle

/// Of all routers: what came by links, and what nodes sent, left by links and to nodes in the same cycle. And
/// of what a router sent on the oldest flit came nearer.
class every_cycle final : public flit_observer, public observer {
  public:
    explicit every_cycle(test_fabric& f) : m_f(f) {
        f.net.stepper().observe_flits(*this);
        f.net.stepper().set_observer(this);
        m_links = f.net.stepper().observed_links();
        m_sent.resize(f.net.view().routers());
        m_injected.resize(f.net.view().routers());
    }
    void flit_arrives(std::uint32_t link, const flit& fl, const packet& p, cycle_t) override {
        const std::uint32_t from = m_links[link].first.id, to = m_links[link].second.id;
        ++m_came[to];
        const std::uint32_t target = m_f.map().router_of(node_id(p.route.destination)).value;
        // A flit that stays away from a node that took an older one may go anywhere.
        const bool nearer =
            from == target || distance(m_f.map(), to, target) < distance(m_f.map(), from, target);
        const rank r{p.injected, p.route.source, fl.sequence};
        const auto oldest = m_oldest.try_emplace(from, r, nearer).first;
        if (r < oldest->second.first) oldest->second = {r, nearer};
    }
    void packet_injected(std::uint32_t node, const packet& p, cycle_t now) override {
        m_inside.insert({now, node, p.route.destination});
    }
    void packet_consumed(std::uint32_t, const packet& p, cycle_t now) override {
        const rank one{p.injected, p.route.source, p.route.destination};
        if (*m_inside.begin() == one) {
            m_longest = std::max(m_longest, now - std::max(m_oldest_since, p.injected));
            m_oldest_since = now;
        }
        m_inside.erase(one);
    }
    void message_consumed(const message_record&, cycle_t) override {}

    /// After a cycle. `hop_is_a_cycle`: what is seen in one was all sent in the one before.
    std::string look(bool hop_is_a_cycle) {
        std::string problem;
        for (std::uint32_t r = 0; r < m_f.net.view().routers(); ++r) {
            const std::uint32_t sent = m_f.net.view().flits_sent(r);
            if (sent - m_sent[r] != m_came[r] + injected(r))
                problem = "router " + std::to_string(r) + " keeps flits";
            m_sent[r] = sent;
        }
        m_came.clear();
        for (const auto& [r, oldest] : m_oldest)
            if (hop_is_a_cycle && !oldest.second)
                problem = "router " + std::to_string(r) + " deflects its oldest";
        m_oldest.clear();
        return problem;
    }
    /// Cycles that a packet was the oldest of all, at most.
    cycle_t longest_as_oldest() const { return m_longest; }

  private:
    using rank = std::tuple<cycle_t, std::uint32_t, std::uint32_t>;
    /// Since the cycle before, by the nodes of a router.
    std::uint32_t injected(std::uint32_t r) {
        std::uint64_t all = 0;
        for (std::uint32_t n = 0; n < m_f.net.view().nodes(); ++n)
            if (m_f.map().router_of(node_id(n)).value == r) all += m_f.net.view().nic(n).injected_flits;
        const auto now = static_cast<std::uint32_t>(all - m_injected[r]);
        m_injected[r] = all;
        return now;
    }
    test_fabric& m_f;
    std::vector<std::pair<link_end, link_end>> m_links;
    std::vector<std::uint32_t> m_sent;
    std::vector<std::uint64_t> m_injected;
    std::map<std::uint32_t, std::uint32_t> m_came;
    std::map<std::uint32_t, std::pair<rank, bool>> m_oldest;
    std::set<rank> m_inside;
    cycle_t m_longest = 0, m_oldest_since = 0;
};

struct drawn_network {
    fabric_setting setting;
    double load;
    std::uint32_t longest;
    bool hop_is_a_cycle;
};

drawn_network draw(std::uint64_t seed) {
    rng random(seed, stream::test, 72);
    const auto any = [&](std::initializer_list<const char*> all) {
        return std::string(all.begin()[random.below(static_cast<std::uint32_t>(all.size()))]);
    };
    drawn_network d;
    d.hop_is_a_cycle = random.bernoulli(0.5);
    const std::uint32_t delay = d.hop_is_a_cycle ? 0 : random.below(3);
    const std::uint32_t latency = d.hop_is_a_cycle ? 1 : 1 + random.below(3);
    d.hop_is_a_cycle = delay + latency == 1;
    d.setting =
        astray(any({"mesh dims=4,4", "mesh dims=5,2", "mesh dims=2,3,2", "torus dims=4,4", "torus dims=2,5",
                    "ring n=6", "hypercube n=3", "torus dims=4,3 unidirectional=true"}),
               "choice=" + any({"first", "random"}) + " ejection=" + any({"1", "1", "2"}) +
                   " delay=" + std::to_string(delay) + " vcs=2");
    d.setting.network += " link_latency=" + std::to_string(latency);
    if (d.setting.network.find("hypercube") == std::string::npos)
        d.setting.network += " concentration=" + std::to_string(1 + random.below(3));
    d.setting.classes = 1 + random.below(2);
    d.setting.nic.max_packet_flits = 1 + random.below(8);
    d.setting.seed = seed;
    d.load = random.bernoulli(0.5) ? 0.02 : 0.3;
    d.longest = 1 + random.below(20);
    return d;
}

class deflecting_network : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(drawn, deflecting_network, testing::Range<std::uint64_t>(1, 61));

TEST_P(deflecting_network, SendsAllFlitsOnAndTheOldestNearer) {
    const drawn_network d = draw(GetParam());
    SCOPED_TRACE(d.setting.network + ", " + d.setting.kind);
    test_fabric f(d.setting);
    told_messages traffic(GetParam(), 400, d.load, d.longest);
    every_cycle watch(f);
    run_empty(f, traffic, [&](cycle_t) { return watch.look(d.hop_is_a_cycle); });
    EXPECT_EQ(traffic.lost(), 0U);
    EXPECT_EQ(f.net.view().flits_injected(), f.net.view().flits_consumed());
}

/// The oldest packet is never longer under way, from when it is the oldest, than its hops take: so none is
/// for ever.
TEST(Deflection, LetsTheOldestArriveInTime) {
    for (const char* network : {"mesh dims=6,6", "torus dims=6,5", "mesh dims=16"}) {
        fabric_setting s = astray(network, "delay=1 choice=random");
        s.nic.max_packet_flits = 1;
        test_fabric f(s);
        told_messages traffic(7, 600, 0.9, 1);
        every_cycle watch(f);
        run_empty(f, traffic, [&](cycle_t) { return watch.look(false); });
        std::uint32_t diameter = 0;
        for (std::uint32_t r = 0; r < f.net.view().routers(); ++r)
            diameter = std::max(diameter, distance(f.map(), 0, r));
        EXPECT_LE(watch.longest_as_oldest(), diameter * 2);
        EXPECT_GT(watch.longest_as_oldest(), 2U);
        EXPECT_GT(counts_of(f.net)["deflected"], 1000) << network;
    }
}

class deflecting_order : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(drawn, deflecting_order, testing::Range<std::uint64_t>(1, 21));

TEST_P(deflecting_order, DoesNotDependOnTheOrderOfEvaluation) {
    drawn_network d = draw(GetParam());
    d.setting.traffic = "bernoulli load=0.4";
    d.setting.length = "range min=1 max=" + std::to_string(d.longest);
    const auto expected = lines_of(d.setting, 0, 400);
    EXPECT_GT(expected.size(), 20U);
    for (const std::uint64_t shuffle : {1U, 2U}) EXPECT_EQ(lines_of(d.setting, shuffle, 400), expected);
}

TEST(Deflection, CarriesEveryWorkload) {
    expect_workloads_run(astray("torus dims=4,4", "vcs=2 choice=random"));
}

TEST(Deflection, RefusesWhatDoesNotFit) {
    fabric_setting star = astray("star n=4");
    EXPECT_NE(refusal(star).find("needs a mesh, torus, ring or hypercube"), std::string::npos);
    EXPECT_NE(refusal(astray("mesh dims=4,4 link_cycles_per_flit=2")).find("takes 2 cycles a flit"),
              std::string::npos);
}

}  // namespace
}  // namespace sare::test::router_deflection_test
