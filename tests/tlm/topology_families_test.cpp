// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/topology_support.h"
#include "tlm/topology/properties.h"

#include <array>

/// Wiring of twisted tori and of trees.
namespace sare {
namespace {

using test::expect_equal;
using test::network;

TEST(topology, wrap_links_of_a_twisted_torus) {
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

TEST(topology, a_torus_without_twist_is_a_torus) {
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

TEST(topology, trees_are_wired_digit_by_digit) {
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

TEST(topology, a_kary_ntree_is_a_thin_tree_that_does_not_thin) {
    expect_equal(*network("kary_ntree k=3 n=3"), *network("thin_tree k=3 k_up=3 n=3"));
    EXPECT_EQ(measure(*network("kary_ntree k=4 n=3")).radix, 8U);
}

}  // namespace
}  // namespace sare
