// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/routing/routing_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <set>

namespace sare::routing_deadlock_test {
namespace {

using test::candidates_at;
using test::check;
using test::network;
using test::routing;
using verdict = deadlock_report::verdict;

struct a_case {
    const char* function;
    const char* network;
    std::uint32_t vcs;
    verdict expected;
    bool atomic = true;
};
void PrintTo(const a_case& c, std::ostream* out) {
    *out << c.function << " on " << c.network << " with " << c.vcs << " VCs";
}

const a_case cases[] = {
    {"dor", "mesh dims=4,4", 1, verdict::acyclic, false},
    {"dor", "mesh dims=3,4,2 concentration=2", 2, verdict::acyclic, false},
    {"dor dateline=none", "ring n=4", 1, verdict::cycle},
    {"dor dateline=none", "torus dims=4,4", 2, verdict::cycle},
    {"dor dateline=none", "torus dims=5,5", 2, verdict::cycle},
    {"dor dateline=none", "torus dims=3,3", 1, verdict::acyclic},  // no packet goes two links along a ring
    {"dor dateline=none", "ring n=3 unidirectional=true", 1, verdict::cycle},
    {"dor dateline=trc", "ring n=4", 2, verdict::acyclic, false},
    {"dor dateline=trc", "torus dims=6,5", 3, verdict::acyclic, false},
    {"dor dateline=trc", "torus dims=6,5 unidirectional=true", 2, verdict::acyclic, false},
    {"dor dateline=trc", "torus dims=4,4,4", 2, verdict::acyclic, false},
    {"dor dateline=basic", "torus dims=6,5", 2, verdict::acyclic, false},
    {"dor dateline=basic", "ring n=8", 4, verdict::acyclic, false},
    {"dor dateline=improved", "torus dims=6,5", 2, verdict::acyclic},
    {"dor dateline=improved", "torus dims=6,5", 2, verdict::unsafe, false},
    {"dor dateline=improved", "ring n=8", 5, verdict::acyclic},
    {"dor dateline=ahead", "torus dims=6,5", 2, verdict::acyclic},
    {"dor dateline=ahead", "torus dims=6,5 unidirectional=true", 2, verdict::acyclic},
    {"dor dateline=improved_ahead", "torus dims=6,5", 2, verdict::acyclic},
    {"dor dateline=improved_ahead", "torus dims=6,5", 2, verdict::unsafe, false},
    {"dor dateline=improved_ahead", "ring n=8 unidirectional=true", 3, verdict::acyclic},
    {"dragonfly_minimal", "dragonfly p=2 a=4 h=2 g=9", 2, verdict::acyclic, false},
    {"dragonfly_valiant", "dragonfly p=2 a=4 h=2 g=9", 3, verdict::acyclic, false},
    {"up_down_escape", "mesh dims=4,4", 2, verdict::acyclic},
    {"up_down_escape", "mesh dims=4,4", 2, verdict::unsafe, false},
    {"up_down_escape", "torus dims=5,4", 3, verdict::acyclic},
    {"up_down_escape", "triangular_torus w=4 h=5", 2, verdict::acyclic},
    {"up_down_escape", "hyperx dims=4,3 concentration=2", 4, verdict::acyclic},
    {"duato", "mesh dims=4,4", 2, verdict::acyclic},
    {"duato", "mesh dims=4,4", 2, verdict::unsafe, false},
    {"duato", "mesh dims=3,3,3", 3, verdict::acyclic},
    {"duato", "torus dims=5,6", 3, verdict::acyclic},
    {"duato", "torus dims=4,4", 4, verdict::acyclic},
    {"duato", "torus dims=4,4 unidirectional=true", 3, verdict::acyclic},
    {"duato", "torus dims=4,5 wrap=true,false", 3, verdict::acyclic},
    {"hamiltonian", "mesh dims=4,4", 1, verdict::acyclic, false},
    {"hamiltonian", "mesh dims=3,4,3", 1, verdict::acyclic, false},
    {"west_first", "mesh dims=4,4", 1, verdict::acyclic, false},
    {"west_first", "mesh dims=6,5", 2, verdict::acyclic, false},
    {"odd_even", "mesh dims=4,4", 1, verdict::acyclic, false},
    {"odd_even", "mesh dims=5,5", 1, verdict::acyclic, false},
    {"odd_even", "mesh dims=6,6", 2, verdict::acyclic, false},
    {"o1turn", "mesh dims=5,5", 2, verdict::acyclic, false},
    {"o1turn", "torus dims=5,4", 4, verdict::acyclic, false},
    {"o1turn dateline=basic", "torus dims=4,6", 5, verdict::acyclic, false},
    {"o1turn dateline=improved", "torus dims=4,6", 4, verdict::acyclic},
    {"o1turn dateline=none", "torus dims=4,6", 2, verdict::cycle},
    {"valiant", "mesh dims=4,4", 2, verdict::acyclic, false},
    {"valiant", "torus dims=5,4", 4, verdict::acyclic, false},
    {"valiant dateline=basic", "torus dims=5,4", 5, verdict::acyclic, false},
    {"valiant dateline=improved", "torus dims=4,4", 4, verdict::acyclic},
    {"valiant", "ring n=6 unidirectional=true", 4, verdict::acyclic, false},
    {"ugal_g", "dragonfly p=2 a=4 h=2 g=7", 3, verdict::acyclic, false},
    {"ugal_l", "dragonfly p=3 a=6 h=3 g=19", 3, verdict::acyclic, false},
    {"par", "dragonfly p=2 a=4 h=2 g=7", 4, verdict::acyclic, false},
    {"par", "dragonfly p=1 a=3 h=3 g=5", 5, verdict::acyclic, false},
    {"dragonfly_plus_minimal", "dragonfly_plus p=2 l=3 s=2 h=3 g=4", 1, verdict::acyclic, false},
    {"dragonfly_plus_valiant", "dragonfly_plus p=1 l=2 s=3 h=2 g=7", 2, verdict::acyclic, false},
    {"dragonfly_plus_valiant", "dragonfly_plus p=2 l=3 s=2 h=3 g=4", 3, verdict::acyclic, false},
    {"express_dor", "express_mesh dims=9,4 express=3", 1, verdict::acyclic, false},
    {"express_dor", "ruche dims=7,5,3 express=2,3,0 everywhere=false", 2, verdict::acyclic, false},
    {"hyperx_minimal", "fully_connected n=9", 1, verdict::acyclic, false},
    {"up_down", "torus dims=5,4", 1, verdict::acyclic, false},
    {"up_down adaptive=true", "torus dims=5,4", 2, verdict::acyclic, false},
    {"table", "mesh dims=4,4", 1, verdict::acyclic, false},
    {"table", "ring n=5", 1, verdict::cycle},
    {"table", "ring n=4", 2, verdict::cycle},
    {"table", "star n=9", 1, verdict::acyclic, false},
    {"table", "crossbar n=8", 1, verdict::acyclic, false},
    {"twisted_minimal", "twisted_torus dims=8,4 twist=0,0;4,0", 2, verdict::acyclic, false},
    {"twisted_minimal", "twisted_torus dims=16,8 twist=0,0;8,0", 2, verdict::acyclic, false},
    {"twisted_minimal", "twisted_torus dims=4,6,3 twist=0,0,0;2,0,0;1,0,0", 3, verdict::acyclic, false},
    {"twisted_minimal", "twisted_torus dims=9,1 twist=0,0;4,0", 2, verdict::acyclic, false},
    {"twisted_minimal", "twisted_torus dims=6,4 twist=0,0;3,0 unidirectional=true", 2, verdict::acyclic,
     false},
    {"twisted_minimal dateline=basic", "twisted_torus dims=8,4 twist=0,0;4,0", 3, verdict::acyclic, false},
    {"twisted_minimal dateline=improved", "twisted_torus dims=8,4 twist=0,0;4,0", 3, verdict::acyclic},
    {"twisted_minimal dateline=improved", "twisted_torus dims=8,4 twist=0,0;4,0", 3, verdict::unsafe, false},
    {"twisted_minimal dateline=none", "twisted_torus dims=8,4 twist=0,0;4,0", 2, verdict::cycle},
    {"tree_adaptive", "xgft m=4,3,2 w=1,2,3", 1, verdict::acyclic, false},
    {"tree_adaptive", "tree degree=3 depth=4", 2, verdict::acyclic, false},
    {"tree_adaptive", "xgft m=2,5,3,2 w=1,3,1,4", 2, verdict::acyclic, false},
    {"tree_static", "xgft m=4,3,2 w=1,2,3", 1, verdict::acyclic, false},
    {"tree_static", "tree degree=4 depth=3", 2, verdict::acyclic, false},
    {"tree_static spread_vcs=true", "xgft m=2,5,3,2 w=1,3,1,4", 3, verdict::acyclic, false},
    {"tree_static", "kary_ntree k=2 n=4", 1, verdict::acyclic, false},
    {"tree_static", "kary_ntree k=4 n=3", 2, verdict::acyclic, false},
    {"tree_static spread_vcs=true", "thin_tree k=4 k_up=3 n=3", 4, verdict::acyclic, false},
    {"tree_static keep_vc=false by=destination", "thin_tree k=5 k_up=2 n=2", 3, verdict::acyclic, false},
    {"tree_adaptive", "kary_ntree k=2 n=4", 1, verdict::acyclic, false},
    {"tree_adaptive", "kary_ntree k=4 n=3", 2, verdict::acyclic, false},
    {"tree_adaptive keep_vc=true", "thin_tree k=4 k_up=3 n=3", 3, verdict::acyclic, false},
};

class known_answer : public testing::TestWithParam<a_case> {};
INSTANTIATE_TEST_SUITE_P(, known_answer, testing::ValuesIn(cases));

TEST_P(known_answer, Holds) {
    const a_case& with = GetParam();
    const auto net = network(with.network);
    const auto report = check(with.function, *net, with.vcs, with.atomic);
    EXPECT_EQ(report.result, with.expected) << with.function << " on " << with.network << ": " << report.text;
    EXPECT_EQ(report.ok(), with.expected == verdict::acyclic);
    EXPECT_EQ(with.expected == verdict::cycle, report.cycle.size() >= 2 && with.expected != verdict::unsafe);
    EXPECT_EQ(report.text.find('\n'), std::string::npos);
}

TEST(deadlock, IsPrintedAsACycleOfARing) {
    const auto report = check("dor dateline=none ties=positive", *network("ring n=4"), 1);
    EXPECT_EQ(
        report.text,
        "routing function 'dor' can deadlock: r3.p0.vc0 -> r0.p0.vc0 -> r1.p0.vc0 -> r2.p0.vc0 -> r3.p0.vc0");
    EXPECT_EQ(report.channels, 12U);  // 8 of links, 4 of injection
}

TEST(deadlock, IsCheckedOverAllChannelsAndDependencies) {
    const auto report = check("dor", *network("mesh dims=3"), 1);
    EXPECT_EQ(report.channels, 7U);
    // each injection channel to each neighbour's link: 1 + 2 + 1; through the middle: 2
    EXPECT_EQ(report.dependencies, 6U);
    EXPECT_EQ(report.text, "free of deadlock: no cycle among 7 channels with 6 dependencies");
}

TEST(deadlock, IsNotFoundForUpDownOnRandomGraphs) {
    rng random(11, stream::test, 0);
    for (int i = 0; i < 60; ++i) {
        const auto net = test::random_graph(random);
        for (const char* line : {"up_down", "up_down adaptive=true", "up_down root=0 adaptive=true"}) {
            const auto report = check(line, *net, 1 + random.below(2), false);
            EXPECT_EQ(report.result, verdict::acyclic) << report.text;
        }
    }
}

/// Wrong in a chosen way.
class mutant : public routing_function {
  public:
    enum class fault {
        no_escape,      ///< any minimal direction on all VCs
        claims_escape,  ///< the same, and says that it rests on an escape
        bad_escape,     ///< escape VC 0 in either order of dimensions
        stops,          ///< has no candidate at router 5
        unplugged,      ///< leaves the mesh
        no_port,        ///< by a port that is not there
        too_many_vcs,   ///< on a VC that is not there
        wrong_node,     ///< delivers at the first router
        circles         ///< between routers 0 and 1
    };
    mutant(const topology& net, fault f) : m_net(net), m_fault(f) {}
    std::string name() const override { return "mutant"; }
    std::uint32_t max_candidates() const override { return 4; }
    bool needs_escape() const override {
        return m_fault == fault::claims_escape || m_fault == fault::bad_escape;
    }
    void route(std::uint32_t r, std::uint32_t, std::uint32_t, route_header& h,
               route_set& out) const override {
        const std::uint32_t to = m_net.router_of(node_id(h.destination)).value, k = m_net.grid()->dims[0];
        switch (m_fault) {
            case fault::stops:
                if (r == 5) return;
                break;
            case fault::unplugged:
                return out.add(1, 1);
            case fault::no_port:
                return out.add(17, 1);
            case fault::too_many_vcs:
                return out.add(r == 0 ? 0 : 1, 4);
            case fault::wrong_node:
                return out.add(4, 1);
            case fault::circles:
                if (r < 2 && to > 1) return out.add(r, 1);
                break;
            default:
                break;
        }
        if (r == to) return out.add(4, 3);
        const std::uint32_t x = r % k, y = r / k, tx = to % k, ty = to / k;
        const std::uint32_t adaptive = m_fault == fault::bad_escape ? 2 : 3;
        if (tx != x) out.add(tx > x ? 0 : 1, adaptive);
        if (ty != y) out.add(ty > y ? 2 : 3, adaptive);
        if (m_fault != fault::bad_escape) return;
        if (ty != y && (tx == x || to % 2 == 0))
            out.add(ty > y ? 2 : 3, 1, true);
        else
            out.add(tx > x ? 0 : 1, 1, true);
    }

  private:
    const topology& m_net;
    fault m_fault;
};

deadlock_report check_mutant(mutant::fault f, std::uint64_t most_calls = 20'000'000) {
    const auto net = network("mesh dims=4,4");
    const mutant function(*net, f);
    deadlock_question q;
    q.network = net.get();
    q.routing = &function;
    q.vcs = 2;
    q.atomic_or_cut_through = true;
    q.most_calls = most_calls;
    return check_deadlock(q);
}

TEST(deadlock, IsFoundInMutants) {
    using f = mutant::fault;
    EXPECT_EQ(check_mutant(f::no_escape).result, verdict::cycle);
    EXPECT_EQ(check_mutant(f::claims_escape).result, verdict::unsafe);
    EXPECT_NE(check_mutant(f::claims_escape).text.find(" has no escape channel"), std::string::npos);
    const auto bad = check_mutant(f::bad_escape);
    EXPECT_EQ(bad.result, verdict::cycle);
    EXPECT_EQ(bad.text.find("routing function 'mutant' can deadlock among its escape channels: r"), 0U)
        << bad.text;
    for (const auto& channel : bad.cycle) EXPECT_NE(channel.find(".vc0"), std::string::npos) << channel;
    const std::pair<f, const char*> broken[] = {
        {f::stops, "at router 5 a packet for node 0 has no way on"},
        {f::unplugged, "at router 0 a packet for node 0 leaves by port 1, which is not plugged"},
        {f::no_port, "at router 0 a packet for node 0 leaves by port 17, which is not there"},
        {f::too_many_vcs, "at router 0 a packet for node 0 leaves by port 0 on VCs that are not there"},
        {f::wrong_node, "at router 1 a packet for node 0 is given to node 1"},
        {f::circles, "packets for node 2 may travel in a circle through r0.p0.vc0"},
    };
    for (const auto& [fault, text] : broken) {
        const auto report = check_mutant(fault);
        EXPECT_EQ(report.result, verdict::broken);
        EXPECT_EQ(report.text, std::string("routing function 'mutant' is broken: ") + text);
        EXPECT_FALSE(report.ok());
    }
}

/// Two VCs break the cycle of a one-way ring only if neither can fill the places of the other; on a mesh no
/// cycle is there to be broken.
TEST(deadlock, RestsOnVcsOnlyIfTheyShareNoBuffers) {
    const auto ring = network("ring n=6 unidirectional=true"), mesh = network("mesh dims=4,4");
    for (const auto* net : {ring.get(), mesh.get()}) {
        const auto function = routing("dor", *net, 2);
        deadlock_question q;
        q.network = net;
        q.routing = function.get();
        q.vcs = 2;
        EXPECT_EQ(check_deadlock(q).result, verdict::acyclic);
        q.shares_buffers = "damq";
        const deadlock_report report = check_deadlock(q);
        EXPECT_EQ(report.result, net == ring.get() ? verdict::unsafe : verdict::acyclic) << report.text;
        if (net == ring.get()) {
            EXPECT_EQ(report.text.find("routers of kind 'damq' can deadlock: "), 0U) << report.text;
            EXPECT_NE(report.text.find("router_terms::sharing"), std::string::npos) << report.text;
            q.reserved_by = "router.reserved";
            EXPECT_NE(check_deadlock(q).text.find("router.reserved must be at least 1"), std::string::npos);
        }
    }
}

/// On a one-way ring of 6: escape VC 0 up to the wrap link and VC 1 from there on, as long as a packet stays
/// on them; but a packet from the adaptive VC 2 is offered VC 0 again. No escape channel depends
/// directly on itself: only by way of VC 2.
class indirect_mutant : public routing_function {
  public:
    explicit indirect_mutant(bool forgets) : m_forgets(forgets) {}
    std::string name() const override { return "indirect"; }
    std::uint32_t max_candidates() const override { return 2; }
    bool needs_escape() const override { return true; }
    void route(std::uint32_t r, std::uint32_t in, std::uint32_t vc, route_header& h,
               route_set& out) const override {
        if (r == h.destination) return out.add(1, 7);
        if (r == 5) h.phase = 1;
        out.add(0, 4);
        const bool behind = in == 0 && (m_forgets ? vc == 1 || r == 5 : h.phase == 1);
        out.add(0, behind || r == 5 ? 2 : 1, true);
    }

  private:
    bool m_forgets;
};

TEST(deadlock, IsFoundByIndirectDependencies) {
    const auto net = network("ring n=6 unidirectional=true");
    for (const bool forgets : {false, true}) {
        const indirect_mutant function(forgets);
        deadlock_question q;
        q.network = net.get();
        q.routing = &function;
        q.vcs = 3;
        q.atomic_or_cut_through = true;
        const auto report = check_deadlock(q);
        EXPECT_EQ(report.result, forgets ? verdict::cycle : verdict::acyclic) << report.text;
        // VC 0 to VC 0: any two of links 0-4; to VC 1 of link 5 from 1-4, of links 0-3 from two or more
        // behind; VC 1 to VC 1: any two of 5, 0, 1, 2, 3.
        if (!forgets) {
            EXPECT_EQ(report.dependencies, 10U + 4 + 6 + 10);
        }
    }
}

TEST(deadlock, IsCheckedOverTheExtendedDependencies) {
    // duato on a 4x4 mesh: a packet for d holds the escape channel that dimension order takes at u; it may
    // ask for the one that dimension order takes at any router w on a minimal way from there.
    const std::uint32_t k = 4;
    const auto dor = [](std::uint32_t u, std::uint32_t d) {
        if (u % k != d % k) return d % k > u % k ? u + 1 : u - 1;
        return d > u ? u + k : u - k;
    };
    const auto between = [](std::uint32_t w, std::uint32_t a,
                            std::uint32_t b) {  // w in the rectangle of a and b
        const auto in = [](std::uint32_t x, std::uint32_t p, std::uint32_t q) {
            return std::min(p, q) <= x && x <= std::max(p, q);
        };
        return in(w % k, a % k, b % k) && in(w / k, a / k, b / k);
    };
    std::set<std::array<std::uint32_t, 4>> pairs;
    for (std::uint32_t d = 0; d < k * k; ++d)
        for (std::uint32_t u = 0; u < k * k; ++u)
            for (std::uint32_t w = 0; w < k * k; ++w)
                if (u != d && w != d && between(w, dor(u, d), d)) pairs.insert({u, dor(u, d), w, dor(w, d)});
    for (const std::uint32_t vcs : {2, 3})
        EXPECT_EQ(check("duato", *network("mesh dims=4,4"), vcs).dependencies, pairs.size());
}

TEST(deadlock, IsNotCheckedWhereThatIsTooLarge) {
    const auto report = check_mutant(mutant::fault::no_escape, 100);
    EXPECT_EQ(report.result, verdict::skipped);
    EXPECT_EQ(report.text, "skipped: more than 100 routing decisions to follow");
    EXPECT_TRUE(report.ok());
}

/// What a packet does on one line of a dimension: (where, port, VCs) and the same at the next router.
using line_hops = std::set<std::array<std::uint32_t, 6>>;

/// Of every line, by dimension and the first router on it.
std::map<std::pair<std::uint32_t, std::uint32_t>, line_hops> hops_on_lines(const routing_function& function,
                                                                           const topology& net) {
    const grid_shape& grid = *net.grid();
    std::map<std::pair<std::uint32_t, std::uint32_t>, line_hops> lines;
    const auto follow = [&](route_header h) {
        std::uint32_t r = net.router_of(node_id(h.source)).value, last = 0;
        std::array<std::uint32_t, 3> before{};
        for (bool first = true;; first = false) {
            route_set out;
            function.route(r, 0, 0, h, out);
            const port_peer to = net.peer(router_id(r), port_id(out.candidates[0].port));
            if (to.what == port_peer::kind::node) return;
            const std::uint32_t d = grid.axis(out.candidates[0].port);
            EXPECT_TRUE(first || d >= last) << "from dimension " << last << " back to " << d;
            std::uint32_t stride = 1;
            for (std::uint32_t e = 0; e < d; ++e) stride *= grid.dims[e];
            const std::uint32_t at = r / stride % grid.dims[d];
            std::uint32_t vcs = 0;
            for (std::uint32_t c = 0; c < out.size; ++c)
                vcs |= out.candidates[c].vcs << (out.candidates[c].escape ? 16 : 0);
            const std::array<std::uint32_t, 3> now{at, out.candidates[0].port, vcs};
            auto& line = lines[{d, r - at * stride}];
            if (!first && d == last) line.insert({before[0], before[1], before[2], now[0], now[1], now[2]});
            before = now;
            last = d;
            r = to.id;
        }
    };
    for (std::uint32_t s = 0; s < net.nodes(); ++s)
        for (std::uint32_t d = 0; d < net.nodes(); ++d) {
            std::vector<route_header> headers;
            function.every_header({s, d}, headers);
            for (const route_header& h : headers) follow(h);
        }
    return lines;
}

TEST(deadlock, IsCheckedOnOneLineOfEachDimension) {
    for (const char* net_text :
         {"torus dims=4,5", "torus dims=5,3,4", "mesh dims=4,3,2", "torus dims=4,4 unidirectional=true"})
        for (const char* line : {"dor", "dor dateline=basic", "dor dateline=improved", "dor ties=positive"}) {
            const auto net = network(net_text);
            if (net->grid()->unidirectional && std::string(line).find("dateline") != std::string::npos)
                continue;
            const auto function = routing(line, *net, 4);
            ASSERT_TRUE(function->finishes_dimensions_in_order());
            std::map<std::uint32_t, line_hops> of_dimension;
            for (const auto& [key, hops] : hops_on_lines(*function, *net)) {
                const auto [known, fresh] = of_dimension.try_emplace(key.first, hops);
                if (fresh) continue;
                EXPECT_EQ(known->second, hops) << net_text << ", " << line << ", dimension " << key.first;
            }
            EXPECT_EQ(of_dimension.size(), net->grid()->dims.size());
            EXPECT_EQ(check(line, *net, 4).result, verdict::acyclic) << net_text << ", " << line;
        }
}

TEST(deadlock, IsFoundInALineWithoutDateline) {
    const auto report = check("dor dateline=none", *network("torus dims=2,6"), 4);
    EXPECT_EQ(report.result, verdict::cycle);
    EXPECT_NE(report.text.find("can deadlock: r"), std::string::npos) << report.text;
}

/// Nodes of one router are told apart there alone, by all functions that say so.
TEST(deadlock, IsCheckedForOneNodeOfEachRouter) {
    const std::vector<std::pair<const char*, std::vector<const char*>>> all{
        {"torus dims=4,3 concentration=2", {"dor", "o1turn", "valiant", "duato", "smart_dor"}},
        {"mesh dims=4,3 concentration=2",
         {"dor", "o1turn", "west_first", "north_last", "negative_first", "odd_even", "romm", "valiant",
          "hamiltonian", "duato", "up_down", "shortest_path", "table"}},
        {"kary_ntree k=2 n=3", {"tree_adaptive", "up_down", "table"}},
        {"dragonfly p=2 a=4 h=2 g=9", {"dragonfly_minimal", "dragonfly_valiant", "ugal_l", "ugal_g", "par"}},
        {"dragonfly_plus p=2 l=3 s=2 h=3 g=4", {"dragonfly_plus_minimal", "dragonfly_plus_valiant"}},
        {"express_mesh dims=9,3 concentration=2", {"express_dor"}}};
    for (const auto& [net_text, functions] : all)
        for (const char* line : functions) {
            const auto net = network(net_text);
            const auto function = routing(line, *net, 8);
            ASSERT_TRUE(function->knows_routers_only()) << line;
            for (std::uint32_t s = 0; s < net->nodes(); s += 2)
                for (std::uint32_t d = 0; d < net->nodes(); d += 2) {
                    std::vector<route_header> headers;
                    function->every_header({s, d}, headers);
                    for (route_header h : headers)
                        for (std::uint32_t r = 0; r < net->routers(); ++r) {
                            if (r == net->router_of(node_id(d)).value) continue;
                            route_header other = h;
                            other.destination = d + 1;
                            ASSERT_EQ(candidates_at(*function, r, h), candidates_at(*function, r, other))
                                << net_text << ' ' << line;
                        }
                }
        }
}

TEST(deadlock, IsCheckedInLargeNetworks) {
    const auto torus = check("dor", *network("torus dims=64,32,32"), 3);
    EXPECT_EQ(torus.result, verdict::acyclic) << torus.text;
    EXPECT_LT(torus.calls, 100'000U);
    EXPECT_NE(torus.text.find("one of each dimension, which stands for all others"), std::string::npos);
    const auto dragonfly = check("dragonfly_minimal", *network("dragonfly p=4 a=8 h=4"), 2);
    EXPECT_EQ(dragonfly.result, verdict::acyclic) << dragonfly.text;
}

TEST(deadlock, IsCheckedIn8x8RoutersWithinTwoSeconds) {
    for (const char* line : {"dor", "dor dateline=improved", "duato", "o1turn", "valiant"}) {
        const auto net = network("torus dims=8,8");
        const auto start = std::chrono::steady_clock::now();
        const auto report = check(line, *net, 4);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        EXPECT_EQ(report.result, verdict::acyclic) << report.text;
        EXPECT_LT(took.count(), 2.0) << line;  // 0.1 to 0.3 s on an idle machine
        RecordProperty(line, std::to_string(took.count()) + " s, " + std::to_string(report.calls) + " calls");
    }
}

}  // namespace
}  // namespace sare::routing_deadlock_test
