// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/equal_parts.h"

#include "tests/tlm/routing/routing_mutants.h"
#include "tlm/routing/load/channel_bound.h"
#include "tlm/topology/changed_links.h"

#include <gtest/gtest.h>

/// Two parts of a network that stand for all: the same answers as from all nodes, and large networks.
namespace sare::test::equal_parts_test {
namespace {

using verdict = deadlock_report::verdict;

struct tree_case {
    std::string network, routing;
    std::uint32_t vcs;
};

tree_case random_case(std::uint32_t k) {
    rng random(k, stream::test, 0);
    std::string m, w;
    for (std::uint32_t i = 0, levels = 2 + random.below(2); i < levels; ++i) {
        m += (i ? "," : "") + std::to_string(1 + random.below(i + 1 == levels ? 5 : 4));
        w += (i ? "," : "") + std::to_string(i ? 1 + random.below(3) : 1);
    }
    const char* const functions[] = {"tree_static",
                                     "tree_static by=destination",
                                     "tree_static keep_vc=false",
                                     "tree_static spread_vcs=true",
                                     "tree_adaptive",
                                     "tree_adaptive keep_vc=true"};
    return {"xgft m=" + m + " w=" + w, functions[random.below(6)], 1 + random.below(3)};
}

deadlock_report verdict_of(const routing_function& f, const topology& net, std::uint32_t vcs,
                           deadlock_question::classes how) {
    deadlock_question q;
    q.network = &net;
    q.routing = &f;
    q.vcs = vcs;
    q.by_classes = how;
    return check_deadlock(q);
}

channel_bound bound(const routing_function& f, const topology& net, std::uint32_t vcs,
                    const equal_parts* parts) {
    channel_question q;
    q.network = &net;
    q.routing = &f;
    q.vcs = vcs;
    q.parts = parts;
    q.demands = [&](std::uint32_t s, std::vector<node_demand>& out) {
        for (std::uint32_t d = 0; d < net.nodes(); ++d)
            if (d != s) out.push_back({d, 1.0 / (net.nodes() - 1)});
    };
    return find_channel_bound(q);
}

TEST(EqualParts, AnswerAsAllNodesDoOn50RandomTrees) {
    using when = deadlock_question::classes;
    std::uint32_t by_parts = 0;
    for (std::uint32_t k = 0; k < 50; ++k) {
        const tree_case c = random_case(k);
        const std::string what = c.network + ", " + c.routing + ", " + std::to_string(c.vcs);
        const auto net = test::network(c.network);
        const auto f = test::routing(c.routing, *net, c.vcs);
        const auto some = verdict_of(*f, *net, c.vcs, when::always),
                   all = verdict_of(*f, *net, c.vcs, when::never);
        EXPECT_EQ(some.result, all.result) << what << ": " << some.text;
        EXPECT_EQ(some.channels, all.channels) << what;
        const equal_parts* const parts = f->parts_alike();
        if (parts == nullptr || parts->count < 3) continue;
        ++by_parts;
        ASSERT_TRUE(parts->fit(*net)) << what;
        EXPECT_NE(some.text.find("of two equal parts"), std::string::npos) << what << ": " << some.text;
        EXPECT_LE(some.calls, all.calls) << what;
        const channel_bound one = bound(*f, *net, c.vcs, parts), other = bound(*f, *net, c.vcs, nullptr);
        // With a choice the best split is between what was attained and the bound, for both.
        EXPECT_GE(one.load, other.attained * (1 - 1e-9)) << what;
        EXPECT_GE(other.load, one.attained * (1 - 1e-9)) << what;
        EXPECT_EQ(one.choice, other.choice) << what;
        EXPECT_TRUE(one.choice || one.busiest == other.busiest) << what;
    }
    EXPECT_GE(by_parts, 15U);
}

/// Digits of a source that are no multiple of the up ports choose otherwise in each subtree.
TEST(EqualParts, AreNotThereWhereSubtreesDiffer) {
    const auto odd = test::network("xgft m=3,4 w=1,2");
    EXPECT_EQ(test::routing("tree_static", *odd, 1)->parts_alike(), nullptr);
    EXPECT_NE(test::routing("tree_adaptive", *odd, 1)->parts_alike(), nullptr);
    const auto other = test::network("xgft m=4,4 w=1,2");
    EXPECT_FALSE(test::routing("tree_static", *odd, 1)->parts_alike() != nullptr);
    const auto f = test::routing("tree_static", *other, 1);
    ASSERT_NE(f->parts_alike(), nullptr);
    EXPECT_FALSE(f->parts_alike()->fit(*odd));
}

/// Up, down to the leaf of the source, and up again by the other port: closes cycles in each part.
class coming_back final : public routing_function {
  public:
    explicit coming_back(std::unique_ptr<routing_function> inner) : m_inner(std::move(inner)) {}
    std::string name() const override { return "coming_back"; }
    const equal_parts* parts_alike() const override { return m_inner->parts_alike(); }
    std::uint32_t max_candidates() const override { return 2; }
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        out.push_back(plain);
        out.back().via = plain.source / 2;  // the leaf
    }
    void route(std::uint32_t r, std::uint32_t in, std::uint32_t vc, route_header& h,
               route_set& out) const override {
        if (r >= leaves && h.phase == 0) return out.add(h.via, 1);
        if (r < leaves && in >= 2 && h.phase == 0) {
            h.phase = 1;
            return out.add(in == 2 ? 3 : 2, 1);
        }
        m_inner->route(r, in, vc, h, out);
    }

  private:
    static constexpr std::uint32_t leaves = 4;
    std::unique_ptr<routing_function> m_inner;
};

TEST(EqualParts, FindWhatDeadlocks) {
    const auto net = test::network("xgft m=2,4 w=1,2");
    const coming_back f(test::routing("tree_adaptive", *net, 1));
    for (const auto how : {deadlock_question::classes::always, deadlock_question::classes::never}) {
        const auto report = verdict_of(f, *net, 1, how);
        EXPECT_EQ(report.result, verdict::cycle) << report.text;
        EXPECT_EQ(report.cycle.size(), 4U) << report.text;
    }
}

TEST(EqualParts, AnswerForSwitchesOfRadix512) {
    const auto net = test::network("xgft m=256,512 w=1,256");
    for (const char* line : {"tree_static", "tree_static by=destination"}) {
        const auto report = test::check(line, *net, 2, false);
        EXPECT_EQ(report.result, verdict::acyclic) << report.text;
        EXPECT_LT(report.calls, 5'000'000U) << line;
    }
    const auto hyperx =
        test::check("hyperx_minimal", *test::network("hyperx dims=128,128 concentration=256"), 1);
    EXPECT_EQ(hyperx.result, verdict::acyclic) << hyperx.text;
    EXPECT_LT(hyperx.calls, 100'000U);
}

}  // namespace
}  // namespace sare::test::equal_parts_test
