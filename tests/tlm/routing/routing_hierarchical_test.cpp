// SPDX-License-Identifier: Apache-2.0
#include "tests/support/audit.h"
#include "tests/support/seed.h"
#include "tests/support/test_fabric.h"
#include "tests/tlm/routing/routing_mutants.h"
#include "tlm/config/yaml.h"
#include "tlm/network/experiment.h"
#include "tlm/routing/first_way.h"

#include <gtest/gtest.h>

/// Routing on networks of networks, each level by a function of its own.
namespace sare::test::routing_hierarchical_test {
namespace {

using verdict = deadlock_report::verdict;

std::unique_ptr<routing_function> by_levels(const std::vector<std::string>& functions, const topology& net,
                                            std::uint32_t vcs) {
    const config::location at{"test.yaml", 20, 1};
    config::value s = config::value::map({{"function", config::value::scalar("hierarchical", at)}}, at);
    std::vector<config::value> levels;
    for (const std::string& line : functions) levels.push_back(section(line, "function"));
    if (!levels.empty()) s.set("levels", config::value::list(levels, at));
    return routing_registry::instance().make(s, routing_context{&net, vcs});
}

/// Networks and the functions of their levels, all minimal.
struct sample {
    std::vector<std::string> levels, functions;
    std::uint32_t vcs;
};
const std::vector<sample> minimal{
    {{"torus dims=3,4", "mesh dims=2,3 gateway=4"}, {"dor", "dor"}, 4},
    {{"mesh dims=3,2", "torus dims=3,3 gateway=1"}, {"dor", "dor dateline=basic"}, 5},
    {{"torus dims=4,2", "star n=3"}, {"dor", "shortest_path"}, 2},
    {{"star n=3 concentration=2", "mesh dims=3,2 gateway=4"}, {"up_down", "o1turn"}, 4},
    {{"dragonfly p=2 a=4 h=2 g=3", "crossbar n=3"}, {"dragonfly_minimal", "shortest_path"}, 2},
    {{"hyperx dims=3,3 concentration=2", "ring n=4 gateway=2"}, {"hyperx_minimal", "dor"}, 4},
    {{"kary_ntree k=2 n=2", "kary_ntree k=2 n=2 gateway=3"}, {"tree_static", "shortest_path"}, 2},
    {{"butterfly k=2 n=3", "mesh dims=2,2"}, {"destination_tag", "dor"}, 2},
    {{"ring n=3", "mesh dims=2,2 gateway=3", "ring n=4 gateway=1"}, {"dor", "dor", "dor"}, 4},
    {{"mesh dims=2,2", "tree degree=2 depth=2", "crossbar n=2"}, {"dor", "up_down", "shortest_path"}, 2},
    {{"mesh dims=2,2", "torus dims=4,2 gateway=5", "ring n=3", "star n=2"}, {}, 6},
    {{"ring n=5", "mesh dims=2,3 gateway=4 | ring n=4 count=2 | star n=3 | crossbar n=2"},
     {"dor", "dor", "dor", "shortest_path", "shortest_path"},
     4},
    {{"mesh dims=2,2", "ring n=3 count=2 | mesh dims=2,2 gateway=3 | star n=2", "crossbar n=2"},
     {"dor", "dor dateline=basic", "dor", "up_down", "shortest_path"},
     5},
    {{"mesh dims=3,2", "mesh dims=2,2 gateway=1 | ring n=6", "crossbar n=2 | star n=3"}, {}, 4},
};
/// Of several gateways a packet does not take the nearest.
const std::vector<sample> several_gateways{
    {{"torus dims=4,3", "mesh dims=2,3 gateway=4,1"}, {"dor", "dor"}, 4},
    {{"mesh dims=3,2 concentration=2", "torus dims=3,3 gateway=1,5,6"}, {"dor", "dor dateline=basic"}, 5},
    {{"dragonfly p=2 a=4 h=2 g=3", "star n=3 gateway=0,2"}, {"dragonfly_minimal", "shortest_path"}, 4},
    {{"ring n=6", "mesh dims=2,2 gateway=3,0", "ring n=4 gateway=1,2"}, {"dor", "dor", "dor"}, 4},
    {{"ring n=6", "mesh dims=2,2 gateway=3,0 | ring n=4 gateway=2 count=2 | mesh dims=3,2 gateway=0,5"},
     {"dor", "dor", "dor", "dor"},
     4},
    {{"mesh dims=3,2", "tree degree=2 depth=2 gateway=0,1,2", "crossbar n=2"},
     {"dor", "up_down", "table"},
     2},
};

std::string text(const sample& s) {
    std::string all;
    for (const std::string& line : s.levels) all += line + "; ";
    return all;
}

TEST(HierarchicalRouting, TakesExactlyTheDistanceOnMinimalLevels) {
    for (const sample& s : minimal) {
        const auto net = hierarchy(s.levels);
        const auto distance = distances(*net);
        std::uint64_t ways = 0;
        every_path(*net, *by_levels(s.functions, *net, s.vcs), [&](const auto& way, const auto&) {
            EXPECT_EQ(way.size() - 1, distance[way.front()][way.back()]) << text(s);
            ++ways;
        });
        EXPECT_GE(ways, std::uint64_t{net->nodes()} * net->nodes());
    }
}

/// Non-minimal ones: in each network that is crossed at most by a router between, so twice its diameter.
TEST(HierarchicalRouting, KeepsOtherLevelsWithinTheirBounds) {
    const auto net = hierarchy({"torus dims=3,4", "mesh dims=2,3 gateway=4"});
    const auto f = by_levels({"valiant", "valiant"}, *net, 8);
    EXPECT_FALSE(f->deterministic());
    std::uint64_t longer = 0;
    const auto distance = distances(*net);
    every_path(*net, *f, [&](const auto& way, const auto&) {
        EXPECT_LE(way.size() - 1, 2U * (3 + 3 + 3) + 2);
        longer += way.size() - 1 > distance[way.front()][way.back()];
    });
    EXPECT_GT(longer, 1000U);
}

TEST(HierarchicalRouting, Draws128RandomChoicesForAPair) {
    const auto net = hierarchy({"torus dims=8,8", "crossbar n=2"});
    const auto f = by_levels({"valiant", "shortest_path"}, *net, 4);
    std::set<std::uint32_t> between;
    rng random(7, stream::test, 0);
    for (int n = 0; n < 2000; ++n) {
        route_header h;
        h.source = 3;
        h.destination = 100;
        f->begin(h, random);
        route_set first, second;
        const std::uint32_t leaf = net->router_of(node_id(3)).value;
        f->route(leaf, 0, 0, h, first);
        const port_peer to = net->peer(router_id(leaf), port_id(first.candidates[0].port));
        f->route(to.id, to.port, 0, h, second);
        between.insert(h.via);
    }
    EXPECT_GT(between.size(), 45U);  // of 64 routers, 128 draws miss 13% in the mean
}

/// A function seen as a whole: what the check says of that must follow from what it says of the parts.
class as_a_whole final : public routing_function {
  public:
    /// `shared`: not 0: as if VC v + shared were VC v.
    explicit as_a_whole(const routing_function& f, std::uint32_t shared = 0) : m_f(f), m_shared(shared) {}
    std::string name() const override { return m_f.name(); }
    std::uint32_t max_candidates() const override { return m_f.max_candidates(); }
    bool needs_escape() const override { return m_f.needs_escape(); }
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        m_f.every_header(plain, out);
    }
    void route(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
               route_set& out) const override {
        m_f.route(r, in, in_vc, h, out);
        for (std::uint32_t k = 0; k < out.size && m_shared != 0; ++k) {
            vc_mask& vcs = out.candidates[k].vcs;
            vcs = (vcs | vcs >> m_shared) & first_vcs(m_shared);
        }
    }

  private:
    const routing_function& m_f;
    std::uint32_t m_shared;
};

deadlock_report check_of(const topology& net, const routing_function& f, std::uint32_t vcs) {
    deadlock_question q;
    q.network = &net;
    q.routing = &f;
    q.vcs = vcs;
    q.atomic_or_cut_through = true;
    return check_deadlock(q);
}

TEST(HierarchicalRouting, IsFreeOfDeadlockByPartsAndAsAWhole) {
    for (const sample& s : minimal) {
        const auto net = hierarchy(s.levels);
        const auto f = by_levels(s.functions, *net, s.vcs);
        const deadlock_report parts = check_of(*net, *f, s.vcs),
                              whole = check_of(*net, as_a_whole(*f), s.vcs);
        EXPECT_EQ(parts.result, verdict::acyclic) << parts.text;
        EXPECT_EQ(whole.result, verdict::acyclic) << text(s) << whole.text;
    }
}

TEST(HierarchicalRouting, IsFreeOfDeadlockOverSeveralGateways) {
    for (const sample& s : several_gateways) {
        const auto net = hierarchy(s.levels);
        const auto f = by_levels(s.functions, *net, s.vcs);
        const deadlock_report parts = check_of(*net, *f, s.vcs),
                              whole = check_of(*net, as_a_whole(*f), s.vcs);
        EXPECT_EQ(parts.result, verdict::acyclic) << parts.text;
        EXPECT_EQ(whole.result, verdict::acyclic) << text(s) << whole.text;
    }
}

/// Of n nodes inside and N in all, over G gateways: n (N - n) / G pairs leave by each, and as many come in.
/// every_path() goes twice for each pair.
TEST(HierarchicalRouting, UsesGatewaysEvenly) {
    rng random(test_seed(5), stream::test, 23);
    for (int n = 0; n < 12; ++n) {
        const std::uint32_t gateways = 1 + random.below(4), copies = 2 + random.below(3);
        const std::uint32_t width = gateways * (1 + random.below(2)), height = 1 + random.below(3);
        std::vector<std::uint32_t> places;
        while (places.size() < gateways) {
            const auto place = static_cast<std::uint32_t>(random.below(width * height));
            if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
        }
        std::string list;
        for (const std::uint32_t p : places) list += (list.empty() ? "" : ",") + std::to_string(p);
        const std::vector<std::string> levels{
            "mesh dims=" + std::to_string(gateways * copies) + ",1",
            "mesh dims=" + std::to_string(width) + "," + std::to_string(height) + " gateway=" + list};
        const auto net = hierarchy(levels);
        const std::uint32_t outer = gateways * copies, inside = width * height;
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> pairs;
        every_path(*net, *by_levels({"dor", "dor"}, *net, 4), [&](const auto& way, const auto&) {
            for (std::size_t k = 1; k < way.size(); ++k)
                if ((way[k - 1] < outer) != (way[k] < outer)) ++pairs[{way[k - 1], way[k]}];
        });
        EXPECT_EQ(pairs.size(), 2 * outer) << levels[1];
        for (const auto& [link, count] : pairs)
            EXPECT_EQ(count, 2 * inside * inside * (copies - 1) / gateways)
                << levels[1] << ": " << link.first << " to " << link.second;
    }
}

/// Unlike networks drawn at random, in one list or two: each proved free of deadlock by its parts and as a
/// whole, with the same paths as levels of one kind where the kinds are the same.
TEST(HierarchicalRouting, IsFreeOfDeadlockOnRandomUnlikeNetworks) {
    const std::vector<std::string> kinds{
        "mesh dims=2,2 gateway=3",  "ring n=3", "star n=3", "crossbar n=2", "ring n=4 gateway=1,3",
        "mesh dims=3,1 gateway=0,2"};
    rng random(test_seed(3), stream::test, 24);
    for (int n = 0; n < 12; ++n) {
        std::string list;
        std::uint32_t gateways = 0;
        for (std::uint32_t k = 0, count = 2 + random.below(3); k < count; ++k) {
            const std::uint32_t kind = random.below(6), times = 1 + random.below(2);
            list += (k ? " | " : "") + kinds[kind] + " count=" + std::to_string(times);
            gateways += times * (kind < 4 ? 1 : 2);
        }
        const std::vector<std::string> levels{
            "mesh dims=" + std::to_string(gateways * (1 + random.below(2))) + ",1", list, "crossbar n=2"};
        const auto net = hierarchy(levels);
        const auto f = by_levels({}, *net, 4);
        const deadlock_report parts = check_of(*net, *f, 4), whole = check_of(*net, as_a_whole(*f), 4);
        EXPECT_EQ(parts.result, verdict::acyclic) << list << parts.text;
        EXPECT_EQ(whole.result, verdict::acyclic) << list << whole.text;
        every_path(*net, *f, [](const auto&, const auto&) {});
    }
    const auto one = hierarchy({"ring n=4", "mesh dims=2,2 gateway=3"}),
               listed = hierarchy({"ring n=4", "mesh dims=2,2 gateway=3 count=3 | mesh dims=2,2 gateway=3"});
    std::vector<std::vector<std::uint32_t>> ways;
    every_path(*one, *by_levels({"dor", "dor"}, *one, 4),
               [&](const auto& way, const auto&) { ways.push_back(way); });
    std::size_t k = 0;
    every_path(*listed, *by_levels({"dor", "dor", "dor"}, *listed, 4),
               [&](const auto& way, const auto&) { EXPECT_EQ(way, ways.at(k++)); });
}

TEST(HierarchicalRouting, NamesTheUnlikeNetworkThatDeadlocks) {
    const auto net = hierarchy({"mesh dims=3,1", "mesh dims=2,2 count=2 | ring n=5"});
    const deadlock_report parts = check_of(*net, *by_levels({"dor", "dor", "dor dateline=none"}, *net, 4), 4);
    EXPECT_EQ(parts.result, verdict::cycle);
    EXPECT_EQ(parts.text.substr(0, 55), "level 1, network 1: routing function 'dor' can deadlock")
        << parts.text;
}

TEST(HierarchicalRouting, NamesALevelThatDeadlocks) {
    const auto net = hierarchy({"mesh dims=3,3", "ring n=5"});
    const auto f = by_levels({"dor", "dor dateline=none"}, *net, 4);
    const deadlock_report parts = check_of(*net, *f, 4);
    EXPECT_EQ(parts.result, verdict::cycle);
    EXPECT_EQ(parts.text.substr(0, 44), "level 1: routing function 'dor' can deadlock") << parts.text;
    EXPECT_EQ(check_of(*net, as_a_whole(*f), 4).result, verdict::cycle);
}

TEST(HierarchicalRouting, WouldDeadlockWithoutSeparateVcs) {
    const auto net = hierarchy({"mesh dims=2,2", "ring n=5"});
    const auto f = by_levels({"dor", "dor"}, *net, 4);
    EXPECT_EQ(check_of(*net, as_a_whole(*f), 4).result, verdict::acyclic);
    EXPECT_EQ(check_of(*net, as_a_whole(*f, 2), 2).result, verdict::cycle);
}

TEST(HierarchicalRouting, DeliversAnyTrafficWhateverTheClocks) {
    rng random(test_seed(1), stream::test, 21);
    const std::vector<sample> samples{
        {{"torus dims=3,3 clock=4 link_latency=5", "mesh dims=2,2 gateway=1"}, {"valiant", "dor"}, 8},
        {{"mesh dims=3,2 clock=3", "torus dims=3,3 gateway=4 clock=2"}, {"dor", "dor"}, 4},
        {{"ring n=4", "star n=3 clock=5"}, {"dor", "up_down"}, 2},
        {{"ring n=3 clock=6", "mesh dims=2,2 clock=3 gateway=3", "crossbar n=2"}, {"dor", "dor", "table"}, 4},
        {{"dragonfly p=2 a=4 h=2 g=3 clock=2", "crossbar n=2"}, {"ugal_l", "table"}, 4},
        {{"torus dims=4,2 clock=2", "mesh dims=2,2 gateway=0,3"}, {"valiant", "o1turn"}, 8}};
    for (int n = 0; n < 42; ++n) {
        const sample& s = samples[static_cast<std::size_t>(n) % samples.size()];
        const auto net = hierarchy(s.levels);
        const auto way = by_levels(s.functions, *net, s.vcs);
        fabric f(s.vcs, 1, n);
        f.builder().set_routing(*net, *way);
        router_params p;
        p.vcs = s.vcs;
        p.depth = 2 + random.below(6);
        p.sa_delay = random.below(2);
        p.lookahead = n % 4 == 3 && !way->looks_at_congestion();
        const auto model = std::make_shared<vc_model>(p);
        for (std::uint32_t r = 0; r < net->routers(); ++r)
            f.builder().add_router(model, net->ports(router_id(r)), net->clock(router_id(r)));
        for (std::uint32_t k = 0; k < net->nodes(); ++k) f.builder().add_nic({});
        connect(f, *net);
        f.builder().finish();
        const auto traffic = traffic_of("bernoulli load=" + std::string(n % 2 ? "0.3" : "0.05") +
                                            " stop_cycle=1000 length=" + std::to_string(1 + random.below(5)),
                                        net->nodes());
        f.stepper().set_workload(traffic.get());
        cycle_t t = 0;
        while (t != workload::never && t < 3'000'000) {
            f.stepper().step(t);
            t = f.stepper().next_work(t);
        }
        ASSERT_EQ(f.view().leftovers(), "") << text(s);
        EXPECT_GT(f.view().packets_consumed(), 50U);
    }
}

TEST(HierarchicalRouting, RefusesImpossibleLevels) {
    const auto net = hierarchy({"mesh dims=2,2", "mesh dims=2,2"});
    const auto error = [&](const std::vector<std::string>& functions, std::uint32_t vcs,
                           const topology* other = nullptr) {
        return message([&] { by_levels(functions, other != nullptr ? *other : *net, vcs); });
    };
    EXPECT_EQ(error({"dor"}, 2),
              "test.yaml:20:1: 'levels' has 1 routing functions, and the network has 2 levels");
    EXPECT_EQ(error({"dor", "dor"}, 1),
              "test.yaml:20:1: 'vcs' gives 1 to each port and message class; 'hierarchical' needs at least "
              "2: packets to a gateway have VCs of their own, in networks of several routers inside others");
    EXPECT_EQ(error({"dor", "valiant"}, 2).substr(0, 14), "test.yaml:1:1:");
    const auto mesh = network("mesh dims=2,2");
    EXPECT_EQ(error({"dor"}, 2, mesh.get()),
              "test.yaml:20:1: 'function' is hierarchical, which needs a network of networks (topology: "
              "hierarchical, of two levels or more), not a mesh");
    const auto tree = hierarchy({"mesh dims=2,2", "tree degree=2 depth=2"});
    EXPECT_EQ(error({"dor", "tree_static"}, 2, tree.get()), "");
}

/// Headers of packets within a plane are those of its function, and lead to the destination; there are none
/// from one plane to another.
TEST(PlanesRouting, KnowsTheHeadersOfEachPlane) {
    const experiment e = experiment::read(
        config::parse_document(
            "network: {topology: planes, planes: [{topology: thin_tree, n: 2, k: 3, k_up: 1}, "
            "{topology: ring, n: 5}]}\nrouting: {function: planes, planes: [shortest_path, valiant]}\n",
            "test"),
        "");
    const auto map = e.make_map();
    const auto function = routing_registry::instance().make(e.routing, {map.get(), 4});
    const std::uint32_t first_of_ring = map->nodes() - 5;
    for (std::uint32_t s = 0; s < map->nodes(); ++s)
        for (std::uint32_t d = 0; d < map->nodes(); ++d) {
            route_header plain;
            plain.source = s;
            plain.destination = d;
            std::vector<route_header> all;
            function->every_header(plain, all);
            EXPECT_EQ(all.empty(), (s < first_of_ring) != (d < first_of_ring)) << s << " to " << d;
            if (s < first_of_ring && !all.empty()) {
                std::uint32_t last = map->router_of(node_id(s)).value;
                follow_first_way(*map, *function, all.front(), [&](std::uint32_t r, std::uint32_t port) {
                    last = map->peer(router_id(r), port_id(port)).id;
                });
                EXPECT_EQ(last, map->router_of(node_id(d)).value);
            }
            for (const route_header& h : all) EXPECT_EQ(h.destination, d);
        }
}

}  // namespace
}  // namespace sare::test::routing_hierarchical_test
