// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/topology/topology_support.h"
#include "tlm/topology/properties.h"

#include <array>

/// Wiring of twisted tori and of trees.
namespace sare::topology_families_test {
namespace {

using test::expect_equal;
using test::network;

TEST(topology, WrapsTheLinksOfATwistedTorus) {
    const auto at = [](const topology& net, std::uint32_t r, std::uint32_t p) {
        return net.peer(router_id(r), port_id(p));
    };
    const auto net = network("twisted_torus dims=16,8 twist=0,0;8,0");
    EXPECT_EQ(at(*net, 7 * 16 + 3, 2).id, 11U);  // (3, 7) up to (11, 0)
    EXPECT_EQ(at(*net, 7 * 16 + 3, 2).port, 3U);
    EXPECT_EQ(at(*net, 7 * 16 + 11, 2).id, 3U);
    EXPECT_EQ(at(*net, 11, 3).id, 7U * 16 + 3);
    EXPECT_EQ(at(*net, 15, 0).id, 0U);
    EXPECT_EQ(at(*net, 5, 2).id, 21U);
    EXPECT_NEAR(measure(*net).mean_distance * 128 / 127, 5.35, 0.02);  // the reference: 5.341, 5.354
    const auto odd = network("twisted_torus dims=5,4 twist=0,0;3,0");
    EXPECT_EQ(at(*odd, 15 + 4, 2).id, 2U);  // 4 + 3 modulo 5
    EXPECT_EQ(at(*odd, 1, 3).id, 15U + 3);
    const auto both = network("twisted_torus dims=4,4 degree=1 jump=1,2");
    EXPECT_EQ(at(*both, 3, 0).id, 4U);   // (3, 0) to (0, 1)
    EXPECT_EQ(at(*both, 15, 2).id, 1U);  // (3, 3) to (1, 0)
    EXPECT_EQ(at(*both, 15, 0).id, 0U);  // (3, 3) to (0, 0)
    const auto deep = network("twisted_torus dims=4,6,3 degree=2 jump=0,3,5");
    EXPECT_EQ(at(*deep, 5 * 4, 2).id, 3U);                              // Y moves along X
    EXPECT_EQ(at(*deep, 2 * 24 + 2, 4).id, 4U * 5 + 2);                 // Z along Y
    const auto line = network("twisted_torus dims=9,1 twist=0,0;4,0");  // a circulant with steps 1 and 4
    EXPECT_EQ(at(*line, 7, 2).id, 2U);
    EXPECT_EQ(at(*line, 2, 3).id, 7U);
    EXPECT_EQ(at(*network("twisted_torus dims=9,1"), 7, 2).what, port_peer::kind::none);
}

TEST(topology, MakesATorusWithoutTwistAPlainTorus) {
    expect_equal(*network("twisted_torus dims=5,2,4 concentration=2"),
                 *network("torus dims=5,2,4 concentration=2"));
    expect_equal(*network("twisted_torus dims=5,2 unidirectional=true twist=0,2;5,0"),
                 *network("torus dims=5,2 unidirectional=true"));
}

/// Router (w, u) of a level, by digits as the definition has them: w[n-2] ... w[i], then u[i-1] ... u[0].
struct tree_switch {
    std::uint32_t level = 0;
    std::vector<std::uint32_t> w, u;  ///< lowest digit first
};
std::vector<tree_switch> switches(std::uint32_t k, std::uint32_t k_up, std::uint32_t n) {
    std::vector<tree_switch> all;
    for (std::uint32_t i = 0; i < n; ++i) {
        tree_switch s{i, std::vector<std::uint32_t>(n - 1 - i), std::vector<std::uint32_t>(i)};
        for (bool more = true; more;) {
            all.push_back(s);
            more = false;  // counts up, the lowest u first
            for (auto* digits : {&s.u, &s.w})
                for (auto& d : *digits) {
                    if (more) break;
                    more = ++d < (digits == &s.u ? k_up : k);
                    if (!more) d = 0;
                }
        }
    }
    return all;
}

TEST(topology, WiresTreesDigitByDigit) {
    for (const auto& [k, k_up, n] :
         {std::array<std::uint32_t, 3>{4, 4, 3}, {4, 3, 3}, {2, 1, 4}, {3, 2, 3}}) {
        const auto net = network("thin_tree k=" + std::to_string(k) + " k_up=" + std::to_string(k_up) +
                                 " n=" + std::to_string(n));
        const auto all = switches(k, k_up, n);
        ASSERT_EQ(net->routers(), all.size());
        EXPECT_EQ(measure(*net).links, all.size() * k);
        for (std::uint32_t r = 0; r < all.size(); ++r)
            for (std::uint32_t p = 0; p < k_up; ++p) {
                const auto to = net->peer(router_id(r), port_id(k + p));
                const auto& below = all[r];
                if (below.level + 1 == n) {
                    EXPECT_EQ(to.what, port_peer::kind::none);
                    continue;
                }
                const auto& above = all[to.id];
                EXPECT_EQ(above.level, below.level + 1);
                EXPECT_EQ(to.port, below.w[0]);
                EXPECT_EQ(above.w, std::vector<std::uint32_t>(below.w.begin() + 1, below.w.end()));
                auto u = below.u;
                u.push_back(p);
                EXPECT_EQ(above.u, u);
            }
        for (std::uint32_t x = 0; x < net->nodes(); ++x) {
            EXPECT_EQ(net->router_of(node_id(x)).value, x / k);
            EXPECT_EQ(net->port_of(node_id(x)).value, x % k);
        }
    }
}

/// Ports that only one of them has are unplugged; for the rest they are the same network.
void expect_equal_but_for_unplugged_ports(const topology& a, const topology& b) {
    ASSERT_EQ(a.nodes(), b.nodes());
    ASSERT_EQ(a.routers(), b.routers());
    for (std::uint32_t x = 0; x < a.nodes(); ++x) {
        EXPECT_EQ(a.router_of(node_id(x)), b.router_of(node_id(x)));
        EXPECT_EQ(a.port_of(node_id(x)), b.port_of(node_id(x)));
    }
    for (std::uint32_t r = 0; r < a.routers(); ++r)
        for (std::uint32_t p = 0; p < std::max(a.ports(router_id(r)), b.ports(router_id(r))); ++p) {
            const port_peer x = a.peer(router_id(r), port_id(p)), y = b.peer(router_id(r), port_id(p));
            EXPECT_TRUE(x.what == y.what && x.id == y.id && x.port == y.port) << r << '.' << p;
            EXPECT_EQ(a.link(router_id(r), port_id(p)).latency, b.link(router_id(r), port_id(p)).latency);
        }
}

TEST(topology, MakesAKaryNtreeAThinTreeThatDoesNotThin) {
    expect_equal(*network("kary_ntree k=3 n=3"), *network("thin_tree k=3 k_up=3 n=3"));
    EXPECT_EQ(measure(*network("kary_ntree k=4 n=3")).radix, 8U);
}

TEST(topology, MakesAllTreesGeneralisedFatTrees) {
    const std::pair<const char*, const char*> pairs[] = {
        {"kary_ntree k=4 n=3 link_latency=3", "xgft h=3 m=4,4,4 w=1,4,4 link_latency=3"},
        {"kary_ntree k=2 n=5", "xgft m=2,2,2,2,2 w=1,2,2,2,2"},
        {"kary_ntree k=7 n=1", "xgft m=7 w=1"},
        {"thin_tree k=4 k_up=3 n=3", "xgft m=4,4,4 w=1,3,3"},
        {"thin_tree k=3 k_up=2 n=4", "xgft m=3,3,3,3 w=1,2,2,2"},
        {"thin_tree k=5 k_up=1 n=3", "tree degree=5 depth=3"},
        {"xgft m=3,3,3 w=1,1,1", "tree degree=3 depth=3"},
    };
    for (const auto& [a, b] : pairs) expect_equal_but_for_unplugged_ports(*network(a), *network(b));
}

TEST(topology, HasThePublishedNumberOfThinTreeSwitches) {
    const std::array<std::uint32_t, 8> counts[] = {{9, 10, 11, 12, 13, 14, 15, 16},
                                                   {73, 84, 97, 112, 129, 148, 169, 192},
                                                   {585, 680, 803, 960, 1157, 1400, 1695, 2048}};
    for (std::uint32_t n = 2; n <= 4; ++n)
        for (std::uint32_t up = 1; up <= 8; ++up)
            EXPECT_EQ(
                network("thin_tree k=8 k_up=" + std::to_string(up) + " n=" + std::to_string(n))->routers(),
                counts[n - 2][up - 1]);
    for (std::uint32_t n = 2; n <= 4; ++n)
        EXPECT_EQ(network("kary_ntree k=8 n=" + std::to_string(n))->routers(), counts[n - 2][7]);
}

/// Switches by their digits, as the definition has them: those of level i are linked to those of level i + 1
/// that differ from them in digit i only, which counts parents below the level and children above it.
TEST(topology, LinksFatTreeSwitchesThatDifferInOneDigit) {
    for (const auto& [m, w] :
         {std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>{{4, 3, 2}, {1, 2, 3}},
          {{2, 5, 3, 2}, {1, 3, 1, 4}}}) {
        const auto join = [](const std::vector<std::uint32_t>& v) {
            std::string text;
            for (const auto n : v) text += (text.empty() ? "" : ",") + std::to_string(n);
            return text;
        };
        const auto net = network("xgft m=" + join(m) + " w=" + join(w));
        // Level and digits of each router, digit 0 unused: what its number says, the lowest place first.
        std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> switches;
        for (std::uint32_t level = 0; level < m.size(); ++level) {
            std::uint32_t count = 1;
            std::vector<std::uint32_t> base(m);
            for (std::uint32_t i = 1; i < m.size(); ++i) count *= base[i] = i <= level ? w[i] : m[i];
            for (std::uint32_t number = 0; number < count; ++number) {
                std::vector<std::uint32_t> digits(m.size(), 0);
                for (std::uint32_t i = 1, rest = number; i < m.size(); rest /= base[i], ++i)
                    digits[i] = rest % base[i];
                switches.emplace_back(level, digits);
            }
        }
        ASSERT_EQ(net->routers(), switches.size());
        for (std::uint32_t r = 0; r < net->routers(); ++r) {
            const auto& [level, digits] = switches[r];
            if (level + 1 == m.size()) continue;
            for (std::uint32_t p = 0; p < w[level + 1]; ++p) {
                const port_peer to = net->peer(router_id(r), port_id(m[level] + p));
                ASSERT_EQ(to.what, port_peer::kind::router);
                EXPECT_EQ(switches[to.id].first, level + 1);
                auto expected = digits;
                expected[level + 1] = p;
                EXPECT_EQ(switches[to.id].second, expected);
                EXPECT_EQ(to.port, digits[level + 1]);
            }
        }
    }
}

}  // namespace
}  // namespace sare::topology_families_test
