// SPDX-License-Identifier: Apache-2.0
#include "tests/support/test_fabric.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <queue>

/// INSEE's routers: closed forms and what must hold in every cycle. Their figures beside FSIN's:
/// scripts/dev/validate fsin.
namespace sare::test::router_insee_test {
namespace {

/// Links between the routers of two nodes, by a search.
std::uint32_t distance(const topology& net, std::uint32_t from, std::uint32_t to) {
    const std::uint32_t target = net.router_of(node_id(to)).value, start = net.router_of(node_id(from)).value;
    std::vector<std::uint32_t> far(net.routers(), ~0U);
    std::queue<std::uint32_t> next({start});
    far[start] = 0;
    for (; next.front() != target; next.pop())
        for (std::uint32_t p = 0; p < net.ports(router_id(next.front())); ++p) {
            const port_peer peer = net.peer(router_id(next.front()), port_id(p));
            if (peer.what != port_peer::kind::router || far[peer.id] != ~0U) continue;
            far[peer.id] = far[next.front()] + 1;
            next.push(peer.id);
        }
    return far[target];
}

struct zero_load_case {
    const char *network, *kind;
};

void PrintTo(const zero_load_case& c, std::ostream* out) {
    *out << c.kind << " on " << c.network;
}

class zero_load : public testing::TestWithParam<zero_load_case> {};

const zero_load_case cubes_and_trees[] = {
    {"torus dims=5,4", "dally vcs=2 policy=trc"},
    {"torus dims=5,4", "dally vcs=2 policy=basic"},
    {"torus dims=4,5", "dally vcs=2 policy=improved"},
    {"torus dims=4,5", "dally vcs=4 policy=adaptive"},
    {"torus dims=6,3", "bubble vcs=1 request=oblivious"},
    {"torus dims=3,4,3", "bubble vcs=3 request=random injection=dor"},
    {"mesh dims=4,3,2", "bubble vcs=2 request=shortest injection=dor_shortest"},
    {"ring n=9", "bubble vcs=3 request=smart injection=longest_path"},
    {"torus dims=4,4 concentration=2", "bubble vcs=2 request=smart consumption=single injection_queues=3"},
    {"twisted_torus dims=8,4 degree=1 jump=0,4", "bubble vcs=2 request=oblivious"},
    {"twisted_torus dims=8,4 degree=1 jump=0,4", "bubble vcs=2 request=smart"},
    {"ring n=9 unidirectional=true", "dally vcs=2 policy=basic injection=longest_path"},
    {"torus dims=4,5 unidirectional=true", "dally vcs=2 policy=improved"},
    {"torus dims=4,3 unidirectional=true", "dally vcs=4 policy=adaptive injection=longest_path"},
    {"torus dims=5,4 unidirectional=true", "bubble vcs=2 request=smart injection=dor"},
    {"midimew n=20 unidirectional=true", "dally vcs=2 policy=basic"},
    {"twisted_torus dims=4,4 twist=0,0;2,0 unidirectional=true", "bubble vcs=2 request=oblivious"},
    {"hypercube n=4", "dally vcs=2 policy=trc"},
    {"hypercube n=5", "bubble vcs=2 request=smart"},
    {"midimew n=20", "dally vcs=2 policy=trc"},
    {"midimew n=25", "dally vcs=2 policy=improved"},
    {"midimew n=18", "bubble vcs=2 request=oblivious"},
    {"circulant n=24 steps=3,4,10 concentration=2", "bubble vcs=3 request=smart"},
    {"circulant n=16 steps=1,8,3", "bubble vcs=2 request=random injection=shortest_profitable"},
    {"triangular_torus w=5 h=4", "dally vcs=2 policy=basic"},
    {"triangular_torus w=6 h=4", "bubble vcs=2 request=oblivious injection=dor"},
    {"triangular_torus w=5 h=5", "bubble vcs=3 request=smart"},
    {"kary_ntree k=3 n=3", "multistage vcs=2 routing=static"},
    {"kary_ntree k=2 n=4", "multistage vcs=1 routing=adaptive"},
    {"thin_tree k=4 k_up=3 n=2", "multistage vcs=4 routing=static"},
    {"thin_tree k=4 k_up=3 n=2", "multistage vcs=2 routing=static_source"},
    {"thin_tree k=4 k_up=2 n=3", "multistage vcs=2 routing=adaptive"},
};
INSTANTIATE_TEST_SUITE_P(, zero_load, testing::ValuesIn(cubes_and_trees));

/// Distance + length - 1 from generation; on trees the links of the two nodes count too. What is shorter is
/// padded.
TEST_P(zero_load, IsDistanceAndLengthLessOne) {
    for (const std::uint32_t length : {1U, 2U, 7U, 16U}) {
        fabric_setting s;
        s.network = GetParam().network;
        s.kind = std::string(GetParam().kind) + " packet=" + std::to_string(length);
        s.nic.delay = 0;
        test_fabric f(s);
        const bool tree = !f.model().terms().owns_nodes;
        const auto script = lone_messages(f.net.view().nodes(), length, 100);
        scripted_traffic traffic(script);
        packet_log log;
        f.net.stepper().set_observer(&log);
        f.net.stepper().set_workload(&traffic);
        f.run(0, script.size() * 100 + 1000);
        ASSERT_EQ(log.lines.size(), script.size() * 16);
        for (std::size_t k = 8; k < log.lines.size(); k += 16) {
            const auto from = static_cast<std::uint32_t>(log.lines[k + 2]),
                       to = static_cast<std::uint32_t>(log.lines[k + 3]);
            const std::uint32_t links = distance(f.map(), from, to) + (tree ? 2 : 0);
            ASSERT_EQ(log.lines[k] / 2 - log.lines[k + 6], links + length - 1) << from << " to " << to;
            ASSERT_EQ(log.lines[k + 4], length);
            ASSERT_EQ(log.lines[k + 5], distance(f.map(), from, to) + 1) << "routers visited";
        }
        EXPECT_EQ(f.net.view().leftovers(), "");
    }
}

/// Every ring of an escape VC: the (router, input port) of its queues, one after the other.
std::vector<std::vector<link_end>> rings(const topology& net) {
    std::vector<std::vector<link_end>> all;
    const std::uint32_t ports = net.coordinates()->router_ports();
    for (std::uint32_t p = 0; p < ports; ++p) {
        std::vector<bool> seen(net.routers(), false);
        for (std::uint32_t start = 0; start < net.routers(); ++start) {
            std::vector<link_end> ring;
            std::uint32_t r = start;
            while (!seen[r]) {
                seen[r] = true;
                const port_peer to = net.peer(router_id(r), port_id(p));
                if (to.what != port_peer::kind::router) break;
                ring.push_back({link_end::kind::router, to.id, to.port});
                r = to.id;
            }
            if (!ring.empty() && r == start) all.push_back(ring);
        }
    }
    return all;
}

/// No ring of a bubble router is ever full: somewhere in it is room for a packet.
std::string full_ring(const test_fabric& f, const std::vector<std::vector<link_end>>& all,
                      std::uint32_t escape_vcs, std::uint32_t packet) {
    const std::uint32_t depth = f.model().terms().depth;
    for (const auto& ring : all)
        for (std::uint32_t vc = 0; vc < escape_vcs; ++vc) {
            const bool room = std::any_of(ring.begin(), ring.end(), [&](const link_end& q) {
                return f.net.view().in(q.id, q.port, vc).count + packet <= depth;
            });
            if (!room) return "the ring to router " + std::to_string(ring[0].id) + " is full";
        }
    return "";
}

/// Packets that come to the right node, once, in order where they must.
class flow_check final : public observer {
  public:
    explicit flow_check(bool in_order) : m_in_order(in_order) {}
    std::string problem;
    std::uint64_t injected = 0, consumed = 0;

    void packet_injected(std::uint32_t node, const packet& p, cycle_t) override {
        ++injected;
        if (p.route.source != node) problem = "injected at another node than its source";
        m_flows[{p.route.source, p.route.destination}].push_back(key(p));
    }
    void packet_consumed(std::uint32_t node, const packet& p, cycle_t) override {
        ++consumed;
        if (p.route.destination != node) problem = "consumed at another node than its destination";
        m_last = node;
        auto& flow = m_flows[{p.route.source, p.route.destination}];
        const auto found = std::find(flow.begin(), flow.end(), key(p));
        if (found == flow.end()) {
            problem = "consumed but not injected";
            return;
        }
        if (m_in_order && found != flow.begin()) problem = "overtaken by an earlier packet of its flow";
        flow.erase(found);
    }
    /// After its last packet.
    void message_consumed(const message_record& m, cycle_t) override {
        if (m.what.destination != m_last) problem = "a message ended at another node than its destination";
    }

  private:
    using key_t = std::pair<cycle_t, std::uint32_t>;
    static key_t key(const packet& p) { return {p.injected, p.message}; }
    bool m_in_order;
    std::uint32_t m_last = 0;  ///< node that consumed last
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<key_t>> m_flows;
};

struct drawn_kind {
    fabric_setting setting;
    std::uint32_t escape_vcs = 0;  ///< with bubbles
    bool in_order = false;
};

template <class T, std::size_t N>
T one_of(rng& random, const std::array<T, N>& all) {
    return all[random.below(N)];
}

drawn_kind draw(std::uint64_t seed) {
    rng random(seed, stream::test, 5);
    drawn_kind d;
    const std::uint32_t packet = 1 + random.below(9), vcs = 1 + random.below(4);
    const auto number = [](const char* name, std::uint32_t n) {
        return std::string(" ") + name + "=" + std::to_string(n);
    };
    std::string kind;
    if (random.below(4) == 0) {
        d.setting.network =
            one_of<const char*, 4>(random, {"kary_ntree k=2 n=3", "kary_ntree k=4 n=2",
                                            "thin_tree k=4 k_up=3 n=2", "thin_tree k=3 k_up=2 n=3"});
        kind = std::string("multistage routing=") + one_of<const char*, 2>(random, {"static", "adaptive"}) +
               number("vcs", vcs);
        d.setting.nic.delay = random.below(3);
    } else {
        // From seed 61 on the networks whose links lead along other axes than dimensions, from 91 on one way.
        const bool grid = seed % 1000 < 61, one_way = seed % 1000 > 90;
        d.setting.network =
            one_way ? one_of<const char*, 4>(
                          random, {"ring n=7 unidirectional=true", "torus dims=3,5 unidirectional=true",
                                   "circulant n=13 steps=1,4 unidirectional=true",
                                   "triangular_torus w=4 h=3 unidirectional=true"})
            : grid ? one_of<const char*, 6>(random,
                                            {"torus dims=4,4", "torus dims=3,5", "mesh dims=4,3", "ring n=7",
                                             "torus dims=3,3,3", "torus dims=4,3 concentration=2"})
                   : one_of<const char*, 5>(random, {"midimew n=13", "midimew n=20 concentration=2",
                                                     "circulant n=15 steps=1,4,6", "triangular_torus w=4 h=4",
                                                     "triangular_torus w=5 h=3"});
        const bool bubble = random.below(3) != 0;
        if (bubble) {
            const char* request =
                one_of<const char*, 4>(random, {"oblivious", "random", "shortest", "smart"});
            const bool oblivious = std::string(request) == "oblivious";
            const std::uint32_t some = oblivious ? vcs : vcs + 1;
            kind = std::string("bubble request=") + request + number("vcs", some);
            d.escape_vcs = oblivious ? vcs : 1;
            d.in_order = oblivious && vcs == 1;
        } else {
            const char* policy =
                one_of<const char*, 4>(random, {"trc", "basic", "improved", grid ? "adaptive" : "trc"});
            kind = std::string("dally policy=") + policy +
                   number("vcs", std::string(policy) == "adaptive" ? 3 + vcs : 2);
        }
        const char* injection = one_of<const char*, 5>(
            random,
            {"shortest", "dor", "dor_shortest", "shortest_profitable", grid ? "longest_path" : "dor"});
        const std::uint32_t queues = 1 + random.below(3);
        kind += std::string(" injection=") + injection + number("injection_queues", queues) +
                number("injection_length", 1 + random.below(4)) +
                (random.below(2) == 0 ? " consumption=single" : "") +
                (random.below(3) == 0 ? " transit_priority=0.7" : "") +
                (random.below(3) == 0 ? number("local_bubble", random.below(3)) : "") +
                (random.below(3) == 0 ? " global_limit=0.3" + number("global_interval", 1 + random.below(20))
                                      : "");
        d.in_order = d.in_order && std::string(injection) == "shortest" && queues == 1;
    }
    d.setting.kind =
        kind + number("packet", packet) + number("queue", 2 + random.below(3)) +
        " arbitration=" + one_of<const char*, 5>(random, {"round_robin", "random", "fifo", "longest", "age"});
    d.setting.traffic = "bernoulli stop_cycle=1500 load=0." + std::to_string(1 + random.below(9)) +
                        (random.below(2) == 0 ? " source_queue=2" : "");
    d.setting.length = "range min=1 max=" + std::to_string(1 + random.below(2 * packet));
    d.setting.seed = seed;
    return d;
}

class insee : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(drawn, insee, testing::Range<std::uint64_t>(1, 103));

TEST_P(insee, LosesNothingAndFillsNoRing) {
    const drawn_kind d = draw(GetParam());
    SCOPED_TRACE(d.setting.kind + " | " + d.setting.network + " | " + d.setting.traffic + " | " +
                 d.setting.length);
    test_fabric f(d.setting);
    const auto traffic = traffic_of(d.setting.traffic, f.net.view().nodes(), d.setting.length);
    const auto all = d.escape_vcs != 0 ? rings(f.map()) : std::vector<std::vector<link_end>>{};
    flow_check watch(d.in_order);
    f.net.stepper().set_observer(&watch);
    f.net.stepper().set_workload(traffic.get());
    cycle_t t = 0;
    while (t < 200000 && watch.problem.empty()) {
        t = f.run(t, t + 1);
        ASSERT_EQ(full_ring(f, all, d.escape_vcs, f.model().terms().packet), "") << "cycle " << t;
        if (t > 1500 && f.net.view().empty()) break;
    }
    EXPECT_EQ(watch.problem, "");
    f.run(t, t + 100);  // credits come home
    EXPECT_EQ(f.net.view().leftovers(), "");
    EXPECT_GT(watch.injected, 50U);
    EXPECT_EQ(watch.injected, watch.consumed);
    EXPECT_EQ(f.net.view().packets_injected(), watch.injected);
    EXPECT_EQ(f.net.view().flits_injected(), f.net.view().flits_consumed());
    EXPECT_EQ(f.net.view().flits_consumed(), watch.consumed * f.model().terms().packet);
}

/// All packets straight on along one axis, as much as goes: the way in which rings fill up.
TEST(bubbles, KeepRoomInEveryRingOfEveryAxis) {
    const std::pair<const char*, std::array<std::uint32_t, 3>> cases[] = {
        {"triangular_torus w=9 h=9", {4, 4 * 9 + 4, 4 * 9}},
        {"torus dims=9,9", {4, 4 * 9, 5 * 9}},
        {"torus dims=9,5 unidirectional=true", {4, 8, 3 * 9}},
        {"circulant n=30 steps=3,7,11", {6, 14, 8}},
    };
    for (const auto& [network, ahead] : cases)
        for (const std::uint32_t hop : ahead)
            for (const bool back : {false, true}) {
                fabric_setting s;
                s.network = network;
                s.kind = "bubble vcs=1 packet=2 queue=2 injection_length=4";
                test_fabric f(s);
                const auto all = rings(f.map());
                std::vector<sare::message> script;
                for (std::uint32_t k = 0; k < 40; ++k)
                    for (std::uint32_t n = 0; n < f.net.view().nodes(); ++n) {
                        sare::message one;
                        one.source = n;
                        one.destination =
                            (n + (back ? f.net.view().nodes() - hop : hop)) % f.net.view().nodes();
                        one.flits = 2;
                        script.push_back(one);
                    }
                scripted_traffic traffic(script);
                flow_check watch(false);
                f.net.stepper().set_observer(&watch);
                f.net.stepper().set_workload(&traffic);
                for (cycle_t t = 0; t < 5000 && watch.consumed < script.size(); t = f.run(t, t + 1))
                    ASSERT_EQ(full_ring(f, all, 1, 2), "") << network << ", cycle " << t;
                EXPECT_EQ(watch.consumed, script.size()) << network << " by " << hop;
            }
}

/// What is injected is consumed or dropped; with drops at the tail nothing waits but in the injection queues.
TEST(insee_drops, AreCountedAndLoseNothingElse) {
    for (const char* kind : {"bubble vcs=1", "dally vcs=2 policy=basic", "bubble vcs=2 request=smart"})
        for (const char* drop : {"head", "tail"}) {
            SCOPED_TRACE(std::string(kind) + " drop=" + drop);
            fabric_setting s;
            s.network = "torus dims=4,4";
            s.kind = std::string(kind) + " packet=4 queue=2 injection_length=2 drop=" + drop;
            s.traffic = "bernoulli load=1 stop_cycle=1500";
            s.length = "fixed flits=4";
            test_fabric f(s);
            const auto traffic = traffic_of(s.traffic, f.net.view().nodes(), s.length);
            flow_check watch(false);
            f.net.stepper().set_observer(&watch);
            f.net.stepper().set_workload(traffic.get());
            for (cycle_t t = 0; t < 20000 && (t < 1500 || !f.net.view().empty());) {
                t = f.run(t, t + 1);
                for (std::uint32_t n = 0; *drop == 't' && n < 16; ++n)
                    ASSERT_LE(f.net.view().counts_of(n).waiting.messages, 2U) << "cycle " << t;
            }
            const auto& changes = f.net.view().changes();
            EXPECT_GT(changes.dropped.packets, 20U);
            EXPECT_EQ(changes.dropped_by_cause.at("injection queue").packets, changes.dropped.packets);
            EXPECT_EQ(changes.lost_messages, changes.dropped.packets);
            EXPECT_EQ(watch.injected, watch.consumed + changes.dropped.packets);
            EXPECT_EQ(f.net.view().flits_injected(), f.net.view().flits_consumed() + changes.dropped.flits);
        }
}

/// Queues of more packets than a byte counts: everything to one node at once.
TEST(insee_queues, CountBeyondAByte) {
    fabric_setting s;
    s.network = "ring n=5";
    s.kind = "bubble vcs=1 packet=1 queue=400 injection_length=400";
    test_fabric f(s);
    std::vector<sare::message> script;
    for (std::uint32_t k = 0; k < 2500; ++k) {
        sare::message one;
        one.source = 1 + k % 4;
        one.flits = 1;
        script.push_back(one);
    }
    scripted_traffic traffic(script);
    flow_check watch(true);
    f.net.stepper().set_observer(&watch);
    f.net.stepper().set_workload(&traffic);
    std::uint32_t most = 0;
    for (cycle_t t = 0; t < 3000; t = f.run(t, t + 50))
        for (std::uint32_t p = 0; p < 2; ++p) most = std::max(most, f.net.view().in(1, p, 0).count + 0U);
    EXPECT_GT(most, 255U);
    EXPECT_EQ(watch.problem, "");
    EXPECT_EQ(watch.consumed, script.size());
    EXPECT_EQ(f.net.view().leftovers(), "");
}

TEST_P(insee, DoesNotDependOnTheOrderOfEvaluation) {
    const drawn_kind d = draw(GetParam() + 1000);
    SCOPED_TRACE(d.setting.kind + " | " + d.setting.network);
    std::vector<std::array<std::uint64_t, 8>> entries[2];
    for (int k = 0; k < 2; ++k) {
        test_fabric f(d.setting);
        if (k == 1) f.net.stepper().shuffle_evaluation(GetParam());
        const auto traffic = traffic_of(d.setting.traffic, f.net.view().nodes(), d.setting.length);
        packet_log log;
        f.net.stepper().set_observer(&log);
        f.net.stepper().set_workload(traffic.get());
        f.run(0, 1200);
        entries[k].resize(log.lines.size() / 8);
        for (std::size_t n = 0; n < log.lines.size(); ++n) entries[k][n / 8][n % 8] = log.lines[n];
        std::sort(entries[k].begin(), entries[k].end());
    }
    EXPECT_GT(entries[0].size(), 20U);
    EXPECT_EQ(entries[0], entries[1]);
}

}  // namespace
}  // namespace sare::test::router_insee_test
