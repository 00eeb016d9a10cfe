// SPDX-License-Identifier: Apache-2.0
#include "tests/support/test_fabric.h"
#include "tlm/network/router_plan.h"
#include "tlm/network/routes/own_routing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

/// INSEE's routers in hierarchies: some levels are theirs, or all are.
namespace sare::test::router_insee_levels_test {
namespace {

/// A level: its topology, its routers, and its routing where that is said.
struct level_case {
    const char *network, *router, *routing = nullptr;
};
using levels_case = std::vector<level_case>;

experiment experiment_of(const levels_case& levels) {
    std::vector<config::value> all;
    for (const level_case& l : levels) {
        all.push_back(section(l.network, "topology"));
        all.back().set("router", section(l.router, "kind"));
    }
    const config::location at{"test.yaml", 9, 1};
    experiment e;
    e.at = at;
    e.network = config::value::map({{"topology", config::value::scalar("hierarchical", at)},
                                    {"levels", config::value::list(std::move(all), at)}},
                                   at);
    std::vector<config::value> functions;
    for (const level_case& l : levels)
        functions.push_back(l.routing == nullptr ? config::value() : config::value::scalar(l.routing, at));
    e.routing = config::value::map({{"function", config::value::scalar("hierarchical", at)},
                                    {"levels", config::value::list(std::move(functions), at)}},
                                   at);
    e.router = section("vc", "kind");
    e.nic.delay = 0;
    return e;
}

/// A network as the program makes it.
class levels_network {
  public:
    explicit levels_network(const levels_case& levels, std::uint64_t seed = 1)
        : levels_network(experiment_of(levels), seed) {}
    levels_network(experiment e, std::uint64_t seed)
        : m_experiment(with_routing(std::move(e))),
          map(m_experiment.make_map()),
          plan(m_experiment, *map),
          m_way(routing_registry::instance().make(m_experiment.routing, {map.get(), plan.terms(0).vcs})),
          net(plan.terms(0).vcs, 1, seed) {
        const nic_params nic = plan.with_packets(m_experiment.nic);
        plan.check_links(*map, nic.max_packet_flits);
        net.builder().set_routing(*map, *m_way);
        for (std::uint32_t r = 0; r < map->routers(); ++r)
            net.builder().add_router(plan.of(r).model, map->ports(router_id(r)), map->clock(router_id(r)));
        for (std::uint32_t n = 0; n < map->nodes(); ++n) net.builder().add_nic(nic);
        connect(net, *map);
        net.builder().finish();
    }

    void run(cycle_t end) {
        for (cycle_t t = 0; t < end; t = net.stepper().next_work(t)) net.stepper().step(t);
    }

  private:
    static experiment with_routing(experiment e) {
        const config::value given = e.routing;
        take_own_routing(e, &given);
        return e;
    }
    experiment m_experiment;

  public:
    std::unique_ptr<topology> map;
    router_plan plan;

  private:
    std::unique_ptr<routing_function> m_way;

  public:
    fabric net;
};

const levels_case samples[] = {
    {{"torus dims=4,3", "bubble vcs=2 packet=4"}, {"mesh dims=3,2 gateway=4", "bubble vcs=2 packet=4"}},
    {{"torus dims=3,3", "bubble vcs=4 packet=4 request=smart"},
     {"ring n=5 gateway=2", "dally vcs=4 packet=4 injection=dor"}},
    {{"kary_ntree k=2 n=2", "multistage vcs=4 packet=4 routing=adaptive"},
     {"torus dims=3,3 gateway=4", "dally vcs=4 packet=4 policy=improved consumption=single"}},
    {{"torus dims=4,2", "dally vcs=2 packet=4"},
     {"thin_tree k=2 k_up=2 n=2", "multistage vcs=2 packet=4 routing=static"}},
    {{"torus dims=3,3", "bubble vcs=4 packet=4 request=random"},
     {"mesh dims=2,3 gateway=1", "vc vcs=4 depth=4 switching=cut_through"}},
    {{"mesh dims=3,2", "vc vcs=4 depth=6 switching=store_and_forward"},
     {"torus dims=3,3 gateway=1", "bubble vcs=4 packet=4 request=shortest injection=dor_shortest"}},
    {{"ring n=3", "bubble vcs=4 packet=4"},
     {"mesh dims=2,2 gateway=3", "vc vcs=4 depth=5 switching=cut_through"},
     {"midimew n=10 gateway=1", "dally vcs=4 packet=4"}},
    {{"mesh dims=3,2", "bubble vcs=4 packet=4"},  // a table has all ways, and heads carry keys of it
     {"crossbar n=2", "vc vcs=4 depth=4 switching=cut_through", "table"},
     {"mesh dims=2,2 gateway=1", "vc vcs=4 depth=5", "dor"}},
    {{"circulant n=8 steps=1,3", "bubble vcs=4 packet=4"},
     {"crossbar n=3", "vc vcs=4 depth=4 switching=cut_through va_delay=3"}},
};

std::string text(const levels_case& levels) {
    std::string all;
    for (const level_case& l : levels) all += std::string(l.network) + " of " + l.router + "; ";
    return all;
}

/// Cycles from generation to the last phit, without load: a link takes one, a router of INSEE's none, one of
/// the kind vc those of its pipeline, and all of a packet where it is stored first. Nodes have links to those
/// routers that do not own them.
std::uint64_t expected(const levels_network& f, std::uint32_t from, std::uint32_t to, std::uint64_t length) {
    const auto& map = *f.map;
    std::vector<std::uint32_t> way{map.router_of(node_id(from)).value};
    const std::uint32_t last = map.router_of(node_id(to)).value;
    const auto next = [&](std::uint32_t r) {
        for (std::uint32_t p = 0; p < map.ports(router_id(r)); ++p) {
            const port_peer to_router = map.peer(router_id(r), port_id(p));
            if (to_router.what == port_peer::kind::router &&
                map.distance(router_id(to_router.id), router_id(last)) + 1 ==
                    map.distance(router_id(r), router_id(last)))
                return to_router.id;
        }
        return last;
    };
    while (way.back() != last) way.push_back(next(way.back()));
    std::uint64_t cycles = way.size() - 1 + length - 1;
    for (const std::uint32_t r : way) {
        if (f.plan.model(r).kind() != "vc") continue;
        const auto& p = static_cast<const vc_model&>(f.plan.model(r)).params();
        cycles += 1 + p.va_delay + p.sa_delay + p.st_delay;
        if (p.switching == switching_mode::store_and_forward) cycles += length - 1;
    }
    for (const std::uint32_t r : {way.front(), way.back()}) cycles += f.plan.terms(r).owns_nodes ? 0 : 1;
    return cycles;
}

TEST(InseeLevels, HaveTheZeroLoadLatencyOfTheRoute) {
    for (const levels_case& levels : samples) {
        levels_network f(levels);
        const auto script = lone_messages(f.net.view().nodes(), 4, 200);
        scripted_traffic traffic(script);
        packet_log log;
        f.net.stepper().set_observer(&log);
        f.net.stepper().set_workload(&traffic);
        f.run(script.size() * 200 + 1000);
        ASSERT_EQ(log.lines.size(), script.size() * 16) << text(levels);
        for (std::size_t k = 8; k < log.lines.size(); k += 16) {
            const auto from = static_cast<std::uint32_t>(log.lines[k + 2]),
                       to = static_cast<std::uint32_t>(log.lines[k + 3]);
            ASSERT_EQ(log.lines[k] / 2 - log.lines[k + 6], expected(f, from, to, 4))
                << text(levels) << from << " to " << to;
            const auto a = f.map->router_of(node_id(from)), b = f.map->router_of(node_id(to));
            ASSERT_EQ(log.lines[k + 5], f.map->distance(a, b) + 1) << "routers visited";
            ASSERT_EQ(log.lines[k + 4], 4U) << "padded";
        }
        EXPECT_EQ(f.net.view().leftovers(), "") << text(levels);
    }
}

TEST(InseeLevels, LoseNothingWhateverTheLoadAndTheClocks) {
    for (const levels_case& levels : samples)
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            levels_case slower = levels;
            const std::string outer =
                std::string(levels[0].network) + " clock=" + std::to_string(1 + seed % 3);
            slower[0].network = outer.c_str();
            levels_network f(slower, seed);
            const auto traffic =
                traffic_of("bernoulli stop_cycle=600 load=" + std::string(seed % 2 ? "1" : "0.1"),
                           f.net.view().nodes(), "range min=1 max=9");
            f.net.stepper().set_workload(traffic.get());
            f.run(1'000'000);
            ASSERT_EQ(f.net.view().leftovers(), "") << text(slower);
            EXPECT_GT(f.net.view().packets_consumed(), 100U);
        }
}

TEST(InseeLevels, DoNotDependOnTheOrderOfEvaluation) {
    for (const levels_case& levels : samples) {
        std::vector<std::array<std::uint64_t, 8>> entries[2];
        for (int k = 0; k < 2; ++k) {
            levels_network f(levels);
            if (k == 1) f.net.stepper().shuffle_evaluation(7);
            const auto traffic = traffic_of("bernoulli load=0.4", f.net.view().nodes(), "range min=1 max=9");
            packet_log log;
            f.net.stepper().set_observer(&log);
            f.net.stepper().set_workload(traffic.get());
            f.run(800);
            entries[k].resize(log.lines.size() / 8);
            for (std::size_t n = 0; n < log.lines.size(); ++n) entries[k][n / 8][n % 8] = log.lines[n];
            std::sort(entries[k].begin(), entries[k].end());
        }
        EXPECT_GT(entries[0].size(), 20U);
        EXPECT_EQ(entries[0], entries[1]) << text(levels);
    }
}

/// Of an outer torus beside bubble routers, and of what has been read, written again.
TEST(InseeLevels, BringTheirRouting) {
    const auto routing_of = [](const levels_case& levels, const config::value* given) {
        experiment e = experiment_of(levels);
        if (given != nullptr) e.routing = *given;
        take_own_routing(e, given);
        return flow_style(e.routing);
    };
    const levels_case two{{"torus dims=4,4", "bubble vcs=2 packet=4"},
                          {"mesh dims=2,2", "vc vcs=2 depth=4 switching=cut_through"}};
    EXPECT_EQ(routing_of(two, nullptr),
              "{function: hierarchical, levels: [{function: dor, dateline: none}, shortest_path]}");
    const config::location at{"test.yaml", 20, 1};
    const auto given = [&](std::vector<config::value> functions) {
        return config::value::map({{"function", config::value::scalar("hierarchical", at)},
                                   {"levels", config::value::list(std::move(functions), at)}},
                                  at);
    };
    const config::value dor = config::value::scalar("dor", at);
    const config::value said = given({config::value(), dor}), both = given({dor, dor});
    EXPECT_EQ(routing_of(two, &said),
              "{function: hierarchical, levels: [{function: dor, dateline: none}, dor]}");
    EXPECT_EQ(message([&] { routing_of(two, &both); }),
              "test.yaml:20:1: router kind bubble brings its own routing ({function: dor, dateline: none}); "
              "write ~ in its place");
    EXPECT_EQ(message([&] { routing_of(two, &dor); }),
              "test.yaml:20:1: a level has routers that bring their own routing; give that of the others as "
              "{function: hierarchical, levels: [...]}, ~ in the place of theirs, or leave out 'routing'");
}

TEST(InseeLevels, RefuseWhatDoesNotFit) {
    const auto error = [](const levels_case& levels) { return message([&] { levels_network f(levels); }); };
    EXPECT_EQ(error({{"torus dims=4,4", "bubble vcs=2 packet=4"},
                     {"mesh dims=2,2", "vc vcs=2 depth=3 switching=cut_through"}}),
              "test.yaml:1:1: router 16 switches by whole packets, and its buffers have depth 3; they must "
              "hold packets of 4 flits (nic.max_packet_flits)");
    EXPECT_EQ(error({{"torus dims=4,4", "bubble vcs=2 packet=4"}, {"mesh dims=2,2", "vc vcs=2 depth=8"}}),
              "test.yaml:1:1: router 0 sends packets of 4 phits, and router 16, which it is linked to, flits "
              "and credits; it must be the same at both ends of a link, or flits of whole packets: "
              "'switching: cut_through' and a depth of 4 or more");
    EXPECT_EQ(
        error({{"torus dims=4,4", "bubble vcs=2 packet=4"},
               {"mesh dims=2,2", "vc vcs=2 depth=9 switching=cut_through"},
               {"mesh dims=2,2", "bubble vcs=2 packet=8"}}),
        "test.yaml:1:1: router 20 has packets of 8 phits, and others of 4; 'packet' must be the same in "
        "the whole network");
    EXPECT_EQ(
        error({{"torus dims=4,4", "bubble vcs=2"}, {"mesh dims=2,2", "bubble vcs=2 injection=longest_path"}}),
        "router 16 of kind bubble has 'injection' longest_path, which is not for levels of a hierarchy");
    EXPECT_EQ(error({{"star n=3", "bubble vcs=2"}, {"mesh dims=2,2", "bubble vcs=2"}}).substr(0, 14),
              "test.yaml:1:1:");
    EXPECT_EQ(error({{"torus dims=4,4 clock=2", "bubble vcs=2 global_limit=0.5"},
                     {"mesh dims=2,2", "bubble vcs=2 global_limit=0.5"}}),
              "router 0 of kind bubble has clock 2; 'global_limit' is for clock 1");
    EXPECT_EQ(error({{"torus dims=4,4", "bubble vcs=2"}, {"mesh dims=2,2 clock=2", "bubble vcs=2"}}),
              "router 16 of kind bubble has the injection queues of its nodes inside, whose clock is 1; its "
              "own is 2; it must be 1, too");
}

}  // namespace
}  // namespace sare::test::router_insee_levels_test
