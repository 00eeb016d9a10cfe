// SPDX-License-Identifier: Apache-2.0
#include "tests/support/seed.h"
#include "tests/tlm/routing/routing_support.h"
#include "tlm/routing/multicast/multicast_routing.h"

#include <gtest/gtest.h>

#include <fstream>

/// Multicast tables: built as trees of shortest ways, and read from files.
namespace sare::test::multicast_table_test {
namespace {

/// Routers that packets of a source come to, with the links they have crossed.
std::map<std::uint32_t, std::uint32_t> follow(const multicast_table& t, std::uint32_t source,
                                              std::uint32_t router, std::vector<std::uint32_t>& nodes,
                                              std::uint32_t nodes_each) {
    std::map<std::uint32_t, std::uint32_t> seen{{router, 0}};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> left{{router, multicast_table::from_node}};
    while (!left.empty()) {
        const auto [r, along] = left.back();
        left.pop_back();
        const std::uint64_t out = t.ports(r, source, along);
        for (std::uint32_t p = 0; p < hexagon::links + nodes_each; ++p) {
            if ((out >> p & 1) == 0) continue;
            if (p >= hexagon::links) {
                nodes.push_back(r * nodes_each + p - hexagon::links);
                continue;
            }
            EXPECT_TRUE(seen.emplace(t.next(r, p), seen[r] + 1).second) << "router come to twice";
            left.emplace_back(t.next(r, p), p);
        }
    }
    std::sort(nodes.begin(), nodes.end());
    return seen;
}

std::string random_parameters(rng& random, std::uint32_t others) {
    const std::uint32_t most = std::min(others, 40U);
    std::string line = "fan_out=" + std::to_string(1 + random.below(most));
    line += random.bernoulli(0.5) ? " fan_outs=geometric" : "";
    line += random.bernoulli(0.5) ? " decay=0.5" : "";
    line += random.bernoulli(0.5) ? " order=dimension" : "";
    return line + " seed=" + std::to_string(random.below(1000)) + " entries=0";
}

TEST(MulticastTable, HasShortestTreesToTheTargets) {
    const std::uint64_t seed = test_seed(1501);
    rng random(seed, stream::test, 1);
    std::uint64_t left_out = 0;
    for (int n = 0; n < 60; ++n) {
        const std::uint32_t w = 2 + random.below(9), h = 2 + random.below(9), each = 1 + random.below(3);
        const auto net = test::network("triangular_torus w=" + std::to_string(w) + " h=" + std::to_string(h) +
                                       " concentration=" + std::to_string(each));
        const std::string line = random_parameters(random, net->nodes() - 1);
        const auto plain = routing("multicast " + line + " default_routes=false", *net, 1);
        const auto way = routing("multicast " + line, *net, 1);
        const multicast_table &all = *plain->groups(), &t = *way->groups();
        EXPECT_EQ(all.left_out(), 0U);
        EXPECT_EQ(t.entries() + t.left_out(), all.entries()) << line;
        left_out += t.left_out();
        const auto far = distances(*net);
        for (std::uint32_t s = 0; s < net->nodes(); ++s) {
            std::vector<std::uint32_t> nodes;
            for (const auto& [r, depth] : follow(t, s, s / each, nodes, each))
                EXPECT_EQ(depth, far[s / each][r]) << line;
            EXPECT_EQ(nodes, t.targets(s)) << line << ", source " << s;
            EXPECT_EQ(all.targets(s), t.targets(s));
            EXPECT_EQ(std::count(nodes.begin(), nodes.end(), s), 0);
        }
    }
    EXPECT_GT(left_out, 1000U);
}

TEST(MulticastTable, HasTheFanOutAndDistanceAskedFor) {
    const auto net = test::network("triangular_torus w=16 h=16");
    const auto far = distances(*net);
    const auto mean = [&](const std::string& line, double& fan_out, std::uint32_t& furthest) {
        const auto way = routing("multicast entries=0 " + line, *net, 1);
        double hops = 0, count = 0;
        for (std::uint32_t s = 0; s < 256; ++s)
            for (const std::uint32_t d : way->groups()->targets(s)) {
                hops += far[s][d];
                furthest = std::max(furthest, far[s][d]);
                ++count;
            }
        fan_out = count / 256;
        return hops / count;
    };
    double all = 0;
    for (std::uint32_t d = 1; d < 256; ++d) all += far[0][d];
    double fan_out = 0;
    std::uint32_t furthest = 0;
    EXPECT_NEAR(mean("fan_out=30", fan_out, furthest), all / 255, 0.1);
    EXPECT_EQ(fan_out, 30);
    EXPECT_EQ(mean("fan_out=255", fan_out, furthest), all / 255);
    // P(d) in proportion to 6 d 0.1^d, for few targets: mean sum d^2 q^d / sum d q^d = (1 + q) / (1 - q).
    double near = 0;
    for (int seed = 0; seed < 16; ++seed)
        near += mean("fan_out=1 decay=0.1 seed=" + std::to_string(seed), fan_out, furthest) / 16;
    EXPECT_NEAR(near, 1.1 / 0.9, 0.03);
    furthest = 0;
    mean("fan_out=17.5 radius=2", fan_out, furthest);
    EXPECT_EQ(furthest, 2U);
    EXPECT_NEAR(fan_out, 17.5, 0.1);
    mean("fan_out=20 fan_outs=geometric", fan_out, furthest);
    EXPECT_NEAR(fan_out, 20, 4);
}

TEST(MulticastTable, LeadsEmergencyRoutesToTheSameRouter) {
    const auto net = test::network("triangular_torus w=7 h=5");
    const auto way = routing("multicast fan_out=3", *net, 1);
    const multicast_table& t = *way->groups();
    for (std::uint32_t r = 0; r < 35; ++r)
        for (std::uint32_t k = 0; k < hexagon::links; ++k) {
            const std::uint32_t corner = t.next(r, hexagon::first_leg(k));
            EXPECT_EQ(t.next(corner, hexagon::second_leg(k)), t.next(r, k));
            EXPECT_EQ(t.next(t.next(r, k), hexagon::opposite(k)), r);
            EXPECT_EQ(t.avoided(r, k, 0), std::make_pair(r, k));
            EXPECT_EQ(t.avoided(r, hexagon::first_leg(k), 1), std::make_pair(r, k));
            EXPECT_EQ(t.avoided(corner, hexagon::second_leg(k), 2), std::make_pair(r, k));
        }
}

/// What the function says of a file, or "".
std::string answer(const std::string& text, const std::string& network = "triangular_torus w=4 h=4",
                   const std::string& more = "") {
    const std::string file = testing::TempDir() + "table.multicast";
    std::ofstream(file) << text;
    const auto net = test::network(network);
    try {
        routing("multicast file=" + file + " " + more, *net, 1);
    } catch (const config::error& e) {
        std::string what = e.what();
        const auto at = what.find("table.multicast");
        return at == std::string::npos ? what : what.substr(at);
    }
    return "";
}

TEST(MulticastFile, ReportsMistakesInOneLine) {
    const std::string head = "sare-multicast 1\n";
    EXPECT_EQ(answer(head + "entry 0 0 0 6\nentry 1 0 6  # east of it\n"), "");
    EXPECT_EQ(answer("sare-table 1\n").substr(0, 17), "table.multicast:1");
    EXPECT_EQ(answer(head + "route 0 0 1\n"),
              "table.multicast:2: unknown line 'route'; only 'entry' is known");
    EXPECT_EQ(answer(head + "entry 16 0 1\n"),
              "table.multicast:2: the router is 16; it must be from 0 to 15");
    EXPECT_EQ(answer(head + "entry 0 0\n").substr(0, 17), "table.multicast:2");
    EXPECT_EQ(answer(head + "entry 0 0 7\n").substr(0, 17), "table.multicast:2");
    EXPECT_EQ(answer(head + "entry 0 0 6 6\n"), "table.multicast:2: port 6 is given twice in one entry");
    EXPECT_EQ(answer(head + "entry 0 0 6\n\nentry 0 0 1\n"),
              "table.multicast:4: router 0 has two entries for source 0, the first on line 2");
    // Straight on for ever.
    EXPECT_EQ(
        answer(head + "entry 0 0 0\n"),
        "table.multicast:2: packets of node 0 come to router 0 a second time; to each they may come once");
    EXPECT_EQ(
        answer(head + "entry 3 5 6\n"),
        "table.multicast:2: node 5 is a source and its packets come to no node; router 5, its own, must "
        "have an entry that leads to some");
    EXPECT_EQ(answer(head + "entry 0 0 0 6\nentry 1 0 6\n", "torus dims=4,4"),
              "test.yaml:1:1: 'multicast' is for a triangular_torus with links both ways, and not for torus");
    EXPECT_EQ(answer(head + "entry 0 0 0 6\nentry 1 0 6\nentry 0 1 6\nentry 1 1 3\n",
                     "triangular_torus w=4 h=4", "entries=1"),
              "test.yaml:3:1: router 0 needs 2 entries; a table holds 1 ('entries'; 0: any number)");
}

TEST(MulticastFile, HasTargetsWhereItsEntriesLead) {
    const std::string file = testing::TempDir() + "targets.multicast";
    std::ofstream(file) << "sare-multicast 1\nentry 0 0 0 2\nentry 2 0 6\nentry 4 0 6 1\nentry 9 0 6\n";
    const auto net = test::network("triangular_torus w=4 h=4");
    const auto way = routing("multicast file=" + file, *net, 1);
    const multicast_table& t = *way->groups();
    EXPECT_EQ(t.targets(0), (std::vector<std::uint32_t>{2, 4, 9}));  // through router 1 straight on
    EXPECT_FALSE(t.is_source(1));
    EXPECT_EQ(t.targets_beyond(0, 0, 0), 1U);
    EXPECT_EQ(t.targets_beyond(0, 0, 2), 2U);
    EXPECT_EQ(t.targets_beyond(0, 4, 6), 1U);
    EXPECT_EQ(t.entries(), 4U);
}

TEST(MulticastRouting, SendsUnicastOnAShortestRoute) {
    const auto net = test::network("triangular_torus w=6 h=5 concentration=2");
    const auto way = routing("multicast fan_out=3", *net, 1);
    const auto far = distances(*net);
    for (std::uint32_t r = 0; r < 30; ++r)
        for (std::uint32_t n = 0; n < 60; ++n) {
            route_header h;
            h.source = 59 - n;
            h.destination = n;
            route_set out;
            way->route(r, 0, 0, h, out);
            const port_peer to = net->peer(router_id(r), port_id(out.candidates[0].port));
            if (r == n / 2)
                EXPECT_EQ(to.id, n);
            else
                EXPECT_EQ(far[to.id][n / 2] + 1, far[r][n / 2]);
        }
}

}  // namespace
}  // namespace sare::test::multicast_table_test
