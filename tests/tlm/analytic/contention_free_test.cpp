// SPDX-License-Identifier: Apache-2.0
#include "tlm/analytic/contention_free.h"
#include "tests/support/closed_form.h"
#include "tests/support/test_fabric.h"

#include <gtest/gtest.h>

#include <queue>

/// The contention-free model: L = sum(h l) + s / min(b), for every pair of nodes, and what the flit-level
/// network takes longer.
namespace sare::test::contention_free_test {
namespace {

/// A message from every node to every node.
std::vector<sare::message> all_pairs(std::uint32_t nodes, cycle_t apart, std::uint32_t flits) {
    std::vector<sare::message> all;
    for (std::uint32_t a = 0; a < nodes; ++a)
        for (std::uint32_t b = 0; b < nodes; ++b) {
            sare::message m;
            m.source = a;
            m.destination = b;
            m.flits = flits;
            m.generated = all.size() * apart;
            all.push_back(m);
        }
    return all;
}

/// Of a consumed packet.
struct taken {
    std::uint64_t latency = 0;
    std::uint32_t routers = 0;
};

/// What each pair of `script` took, [source * nodes + destination].
class latencies final : public observer {
  public:
    explicit latencies(std::uint32_t nodes) : m_nodes(nodes), of(std::size_t{nodes} * nodes) {}
    void packet_injected(std::uint32_t, const packet&, cycle_t) override {}
    void packet_consumed(std::uint32_t, const packet& p, cycle_t now) override {
        of[p.route.source * m_nodes + p.route.destination] = {now - p.generated, p.hops};
        ++packets;
    }
    void message_consumed(const message_record&, cycle_t) override {}

  private:
    std::size_t m_nodes;

  public:
    std::vector<taken> of;
    std::size_t packets = 0;
};

/// All at once where nothing waits for anything.
latencies measure_analytic(const topology& map, double clock, const nic_params& nic,
                           std::vector<sare::message> script) {
    contention_free net(map, nic, clock, 1);
    latencies log(map.nodes());
    for (sare::message& m : script) m.generated = 0;
    scripted_traffic traffic(script);
    net.set_observer(&log);
    net.set_workload(traffic, true);
    net.run_until(workload::never);
    EXPECT_TRUE(net.finished());
    EXPECT_EQ(log.packets, script.size());
    EXPECT_EQ(net.flits_inside(), 0U);
    return log;
}

/// Links between routers, by a search of our own.
std::vector<std::uint32_t> hops_from(const topology& net, std::uint32_t from) {
    std::vector<std::uint32_t> far(net.routers(), ~0U);
    std::queue<std::uint32_t> next({from});
    far[from] = 0;
    for (; !next.empty(); next.pop())
        for (std::uint32_t p = 0; p < net.ports(router_id(next.front())); ++p) {
            const port_peer to = net.peer(router_id(next.front()), port_id(p));
            if (to.what != port_peer::kind::router || far[to.id] != ~0U) continue;
            far[to.id] = far[next.front()] + 1;
            next.push(to.id);
        }
    return far;
}

struct a_network {
    const char *network, *routing;
    bool nodes_apart = false;  ///< from their routers
};
void PrintTo(const a_network& n, std::ostream* out) {
    *out << n.network;
}

const a_network networks[] = {
    {"mesh dims=4,3", "dor"},
    {"mesh dims=3,2,2 concentration=2", "dor"},
    {"torus dims=5,4", "dor"},
    {"torus dims=4,3 wrap=true,false", "dor"},
    {"ring n=7", "dor"},
    {"ring n=6 unidirectional=true", "dor"},
    {"hypercube n=3", "dor"},
    {"twisted_torus dims=6,3 twist=0,0;3,0", "twisted_minimal"},
    {"twisted_torus dims=4,3,2 degree=1 jump=0,0,1", "twisted_minimal"},
    {"circulant n=13 steps=2,3", "circulant_minimal"},
    {"midimew n=15", "circulant_minimal"},
    {"triangular_torus w=4 h=3", "triangular_minimal"},
    {"crossbar n=5", "shortest_path", true},
    {"star n=5 concentration=2", "shortest_path"},
    {"kary_ntree k=2 n=3", "tree_static", true},
    {"thin_tree k=3 k_up=2 n=2", "tree_static", true},
    {"xgft m=2,3,2 w=1,2,2", "tree_adaptive", true},
    {"tree degree=3 depth=2", "tree_static", true},
    {"dragonfly p=1 a=3 h=1 g=4", "dragonfly_minimal"},
    {"hyperx dims=3,4 concentration=1", "hyperx_minimal"},
    {"slim_fly q=3 concentration=1", "slim_fly_minimal"},
    {"butterfly k=2 n=3", "destination_tag", true},
    {"omega k=3 n=2", "destination_tag", true},
    {"clos m=3 n=2 r=3", "destination_tag", true},
};

class contention_free_latency : public testing::TestWithParam<a_network> {};
INSTANTIATE_TEST_SUITE_P(, contention_free_latency, testing::ValuesIn(networks));

/// By a clock of 1 ps, so that nothing but a fraction of that is rounded.
TEST_P(contention_free_latency, IsHopsByLatencyAndBitsByBandwidth) {
    const auto net = network(std::string(GetParam().network) + " latency=7e-6 bandwidth=8.8e9");
    nic_params nic;
    nic.flit_bytes = 1;
    const latencies found = measure_analytic(*net, 1e-12, nic, all_pairs(net->nodes(), 0, 1001));
    const bool dragonfly = net->name() == "dragonfly";  // whose paths are minimal routing's: see path_test
    for (std::uint32_t a = 0; a < net->nodes(); ++a) {
        const router_id from = net->router_of(node_id(a));
        const auto hops = hops_from(*net, from.value);
        for (std::uint32_t b = 0; b < net->nodes(); ++b) {
            const router_id to = net->ejection_of(node_id(b)).router;
            const std::uint64_t h = dragonfly ? net->distance(from, to) : hops[to.value];
            const std::uint64_t links = h + (GetParam().nodes_apart ? 2 : 0);
            // 8008 bits at 8.8 Gb/s are 910,000 ps.
            ASSERT_EQ(found.of[a * net->nodes() + b].latency, links * 7'000'000 + 910'000)
                << a << " to " << b;
            ASSERT_EQ(found.of[a * net->nodes() + b].routers, h + 1);
        }
    }
}

latencies measure_flits(const fabric_setting& s, std::unique_ptr<topology> map,
                        const std::vector<sare::message>& script) {
    test_fabric f(s, std::move(map));
    latencies log(f.map().nodes());
    scripted_traffic traffic(script);
    f.net.stepper().set_observer(&log);
    f.net.stepper().set_workload(&traffic);
    f.run(0, workload::never);
    EXPECT_EQ(log.packets, script.size());
    EXPECT_EQ(f.net.view().leftovers(), "");
    return log;
}

/// Cycles by which a packet is slower than the contention-free message: the NIC's delay and the pipelines of
/// the routers; and the last flit, which leaves in its first cycle and not after it.
std::int64_t pipeline(const fabric_setting& s, std::uint32_t routers) {
    const router_params& p = s.router;
    return std::int64_t{s.nic.delay} +
           std::int64_t{routers} * (p.rc_delay + p.va_delay + p.sa_delay + p.st_delay) - 1;
}

struct flit_setting {
    const char* links;
    std::uint32_t rc, va, sa, st, nic, flits;
};

const flit_setting flit_settings[] = {
    {"", 1, 1, 1, 1, 1, 1},
    {" link_latency=3 node_link_latency=2", 1, 1, 1, 1, 0, 5},
    {" link_latency=2", 2, 3, 1, 0, 2, 4},
    {" node_link_latency=7", 0, 0, 0, 0, 1, 3},
};

void expect_pipeline(const fabric_setting& s, const std::function<std::unique_ptr<topology>()>& make,
                     std::uint32_t flits) {
    const auto map = make();
    const auto script = all_pairs(map->nodes(), 300, flits);
    const latencies slow = measure_flits(s, make(), script),
                    ideal = measure_analytic(*map, 1e-9, s.nic, script);
    for (std::size_t k = 0; k < script.size(); ++k) {
        ASSERT_EQ(slow.of[k].routers, ideal.of[k].routers) << k;
        ASSERT_EQ(static_cast<std::int64_t>(slow.of[k].latency),
                  static_cast<std::int64_t>(ideal.of[k].latency) + pipeline(s, slow.of[k].routers))
            << script[k].source << " to " << script[k].destination << ", " << flits << " flits";
    }
}

fabric_setting setting_of(const flit_setting& with, const std::string& routing) {
    fabric_setting s;
    s.routing = routing;
    s.router.vcs = 4;
    s.router.depth = 16;
    s.router.rc_delay = with.rc;
    s.router.va_delay = with.va;
    s.router.sa_delay = with.sa;
    s.router.st_delay = with.st;
    s.nic.delay = with.nic;
    return s;
}

class beside_flits : public testing::TestWithParam<std::tuple<a_network, std::size_t>> {};
INSTANTIATE_TEST_SUITE_P(, beside_flits,
                         testing::Combine(testing::ValuesIn(networks),
                                          testing::Range<std::size_t>(0, std::size(flit_settings))));

TEST_P(beside_flits, LeavesOutOnlyTheRouterPipeline) {
    const auto& [with, k] = GetParam();
    const flit_setting& now = flit_settings[k];
    const std::string line = with.network + std::string(now.links);
    expect_pipeline(
        setting_of(now, with.routing), [&] { return network(line); }, now.flits);
}

TEST(BesideFlits, LeavesOutOnlyTheRouterPipelineInHierarchies) {
    const std::vector<std::string> two{"ring n=4 link_latency=9 node_link_latency=3",
                                       "mesh dims=2,2 gateway=1 link_latency=2"},
        three{"ring n=3 link_latency=20", "star n=2 link_latency=5", "mesh dims=2,1 node_link_latency=2"};
    for (const flit_setting& now : flit_settings) {
        const fabric_setting s = setting_of(now, "shortest_path");
        for (const auto& levels : {two, three})
            expect_pipeline(
                s, [&levels = levels] { return hierarchy(levels); }, now.flits);
        expect_pipeline(
            setting_of(now, "dragonfly_minimal"),
            [] { return network("dragonfly p=1 a=3 h=1 g=4 link_latency=2 global_link_latency=11"); },
            now.flits);
    }
}

/// Narrow links, where serialisation is not what a flit a cycle takes: by the closed form of both.
TEST(BesideFlits, MatchesBothFormulasOnNarrowLinks) {
    for (const std::uint32_t narrow : {2U, 5U})
        for (const std::uint32_t flits : {1U, 6U}) {
            const std::string line =
                "mesh dims=5,1 link_latency=3 link_cycles_per_flit=" + std::to_string(narrow);
            fabric_setting s;
            s.router.depth = 64;
            const auto map = network(line);
            const auto script = all_pairs(map->nodes(), 300, flits);
            const latencies slow = measure_flits(s, network(line), script),
                            ideal = measure_analytic(*map, 1e-9, s.nic, script);
            for (std::size_t k = 0; k < script.size(); ++k) {
                packet_path path;
                path.routers = ideal.of[k].routers;
                path.flits = flits;
                path.link_latency = 3;
                path.cycles_per_flit = narrow;
                const std::uint32_t between = path.routers - 1;
                ASSERT_EQ(ideal.of[k].latency, 2U + between * 3 + flits * (between == 0 ? 1 : narrow));
                ASSERT_EQ(slow.of[k].latency, zero_load_latency(s.router, s.nic, path));
            }
        }
}

TEST(LatencyRule, RoundsOnceAndUp) {
    const auto cycles = [](double clock, std::uint64_t ps, std::uint64_t bandwidth, std::uint64_t bits) {
        path_cost path;
        path.links = 2;
        path.picoseconds = ps;
        path.decibits_per_second = 10 * bandwidth;
        return latency_rule(clock, 16).cycles(path, bits);
    };
    EXPECT_EQ(cycles(1e-9, 50'000'000, 1'000'000'000, 32), 50'032U);  // 1 Gb/s, two links of 25 us
    EXPECT_EQ(cycles(1e-6, 50'000'000, 1'000'000'000, 32), 51U);
    EXPECT_EQ(cycles(1e-6, 50'000'000, 1'000'000'000, 0), 50U);
    EXPECT_EQ(cycles(1e-9, 400, 3'000'000'000, 3), 2U);  // 0.4 ns and 1 ns
    EXPECT_EQ(cycles(1e-9, 0, 3'000'000'000, 3), 1U);
    EXPECT_EQ(cycles(1e-9, 0, 1'000'000'000, 0), 1U);  // nothing arrives before the next cycle
    EXPECT_EQ(cycles(1e-12, 0, 3, 1), 333'333'333'334U);
    EXPECT_EQ(cycles(1e-12, 1ULL << 63, 1, ~0ULL), 1ULL << 62);  // no overflow: later than any run
    path_cost slow;
    slow.decibits_per_second = 1;
    EXPECT_EQ(latency_rule(1e-6, 16).cycles(slow, 32), 320'000'000U);  // 0.1 bit/s
}

TEST(LatencyRule, TakesTheSlowestLinkWhateverItsUnit) {
    path_cost path;
    path.add(link_attributes{4, 2});
    path.add(link_attributes{1, 3});
    const latency_rule rule(1e-9, 16);
    EXPECT_EQ(rule.cycles(path, 128), 5U + 3);
    EXPECT_EQ(rule.cycles(path, 64), 5U + 2);  // 1.5 cycles
    link_attributes slow;
    slow.picoseconds = 2500;
    slow.decibits_per_second = 160'000'000'000;  // 8 cycles a flit
    path.add(slow);
    EXPECT_EQ(rule.cycles(path, 128), 5U + 11);  // 10.5
    slow.decibits_per_second = 10'000'000'000'000;
    path_cost fast;
    fast.add(slow);
    EXPECT_EQ(rule.cycles(fast, 128), 3U);  // 2.5 + 0.128
    fast.add(link_attributes{1, 1});
    EXPECT_EQ(rule.cycles(fast, 128), 5U);  // 3.5 + 1
}

TEST(LatencyRule, CountsBytesWhereAMessageIsMadeOfThem) {
    const latency_rule rule(1e-9, 16);
    sare::message m;
    m.flits = 3;
    EXPECT_EQ(rule.bits(m), 3U * 128);
    m.bytes = 33;
    EXPECT_EQ(rule.bits(m), 33U * 8);
    m.bytes = 0;
    EXPECT_EQ(rule.bits(m), 0U);
}

}  // namespace
}  // namespace sare::test::contention_free_test
