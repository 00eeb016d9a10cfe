// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/routing/routing_support.h"
#include "tlm/routing/deadlock/deadlock_cycle.h"

#include <gtest/gtest.h>

#include <map>

/// The check for deadlock by classes of nodes against the one that goes through all pairs.
namespace sare::routing_classes_test {
namespace {

using test::network;
using test::routing;
using verdict = deadlock_report::verdict;
using when = deadlock_question::classes;

deadlock_report check(const routing_function& function, const topology& net, std::uint32_t vcs, when classes,
                      bool atomic = true) {
    deadlock_question q;
    q.network = &net;
    q.routing = &function;
    q.vcs = vcs;
    q.atomic_or_cut_through = atomic;
    q.by_classes = classes;
    q.most_calls = 2'000'000'000;
    return check_deadlock(q);
}

struct tally {
    std::map<verdict, int> verdicts;
    int by_classes = 0;
};

/// Both give the same verdict.
void compare(const routing_function& function, const topology& net, std::uint32_t vcs, bool atomic,
             const std::string& what, tally& all) {
    const auto whole = check(function, net, vcs, when::never, atomic);
    const auto classes = check(function, net, vcs, when::always, atomic);
    ASSERT_EQ(classes.result, whole.result)
        << what << "\nall: " << whole.text << "\nclasses: " << classes.text;
    ++all.verdicts[whole.result];
    all.by_classes += classes.text.find(" classes of ") != std::string::npos;
}

/// Another function, wrong in a way that is the same everywhere.
class spoilt final : public routing_function {
  public:
    enum class how {
        as_it_is,
        one_class,     ///< all VCs in dimension 1: no dateline
        upside_down,   ///< the VCs of - hops in dimension 0 are those of the other class
        more,          ///< VC 0 as well, for + hops of dimension 0
        escape_late,   ///< the escape takes adaptive channels of dimension 1
        no_escape_in,  ///< dimension 1 offers no escape
        last
    };
    spoilt(std::unique_ptr<routing_function> f, how h, std::uint32_t vcs)
        : m_function(std::move(f)), m_how(h), m_vcs(vcs) {}
    std::string name() const override { return m_function->name(); }
    std::uint32_t max_candidates() const override { return m_function->max_candidates(); }
    bool knows_routers_only() const override { return true; }
    bool treats_dimensions_apart() const override { return m_function->treats_dimensions_apart(); }
    bool needs_escape() const override { return m_function->needs_escape(); }
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        m_function->every_header(plain, out);
    }
    void route(std::uint32_t r, std::uint32_t in, std::uint32_t vc, route_header& h,
               route_set& out) const override {
        m_function->route(r, in, vc, h, out);
        for (std::uint32_t i = 0; i < out.size; ++i) spoil(out.candidates[i]);
    }

  private:
    void spoil(route_candidate& c) const {
        const vc_mask every = first_vcs(m_vcs);
        const bool second = c.port == 2 || c.port == 3;
        switch (m_how) {
            case how::one_class:
                if (second) c.vcs = every;
                break;
            case how::upside_down:
                if (c.port == 1 && c.vcs != every) c.vcs = every & ~c.vcs;
                break;
            case how::more:
                if (c.port == 0) c.vcs |= 1;
                break;
            case how::escape_late:
                if (second && !c.escape) c.escape = true;
                break;
            case how::no_escape_in:
                if (second) c.escape = false;
                break;
            default:
                break;
        }
    }
    std::unique_ptr<routing_function> m_function;
    how m_how;
    std::uint32_t m_vcs;
};

/// Drawn at random: in each case of what is left to go, some of the minimal hops on some VCs. A case tells of
/// each dimension whether it is finished, + or -, and whether over the wrap link.
class drawn final : public routing_function {
  public:
    drawn(const topology& net, std::uint32_t vcs, bool escapes, rng& random)
        : m_net(net), m_grid(*net.grid()), m_escapes(escapes) {
        std::size_t cases = 1;
        for (std::size_t d = 0; d < m_grid.dims.size(); ++d) cases *= kinds;
        const std::uint32_t all = (1U << vcs) - 1;
        // Some hold to an order more than others, or few would be free of deadlock.
        const std::uint32_t wild = 1 + random.below(40);
        for (std::size_t c = 0; c < cases; ++c) {
            answer a{};
            a.first = random.below(100) < wild ? static_cast<std::uint8_t>(random.below(2)) : 0;
            a.others = random.below(100) < wild;
            for (auto& mask : a.vcs) mask = static_cast<std::uint16_t>(all);
            // Datelines: what crosses on the upper half, the rest on the lower.
            a.split = random.below(100) >= wild;
            m_answers.push_back(a);
        }
        m_vcs = vcs;
    }
    std::string name() const override { return "drawn"; }
    std::uint32_t max_candidates() const override { return 4; }
    bool knows_routers_only() const override { return true; }
    bool treats_dimensions_apart() const override { return true; }
    bool needs_escape() const override { return m_escapes; }
    void route(std::uint32_t r, std::uint32_t, std::uint32_t, route_header& h,
               route_set& out) const override {
        const std::uint32_t to = m_net.router_of(node_id(h.destination)).value;
        if (r == to) return out.add(m_net.port_of(node_id(h.destination)).value, (1U << m_vcs) - 1);
        std::size_t which = 0;
        std::uint32_t kind[4] = {};
        const auto dims = static_cast<std::uint32_t>(m_grid.dims.size());
        for (std::uint32_t d = 0, a = r, b = to; d < dims; ++d) {
            kind[d] = kind_of(a % m_grid.dims[d], b % m_grid.dims[d], d);
            which = which * kinds + kind[d];
            a /= m_grid.dims[d];
            b /= m_grid.dims[d];
        }
        const answer& a = m_answers[which];
        std::uint32_t first = a.first != 0 ? dims - 1 : 0;
        while (kind[first] == 0) first = a.first != 0 ? first - 1 : first + 1;
        if (a.others || m_escapes)
            for (std::uint32_t d = 0; d < dims; ++d)
                if (kind[d] != 0 && (d != first || m_escapes)) add(d, kind[d], a, false, out);
        add(first, kind[first], a, m_escapes, out);
    }

  private:
    static constexpr std::uint32_t kinds = 5;  ///< done, +, -, + over the wrap link, - over it
    struct answer {
        std::uint8_t first;  ///< 0: the lowest dimension, else the highest
        bool others, split;
        std::uint16_t vcs[4];
    };

    std::uint32_t kind_of(std::uint32_t c, std::uint32_t t, std::uint32_t d) const {
        if (c == t) return 0;
        const std::uint32_t size = m_grid.dims[d];
        if (!m_grid.wrap[d]) return t > c ? 1 : 2;
        const std::uint32_t up = (t + size - c) % size;
        if (2 * up <= size) return t > c ? 1 : 3;
        return t < c ? 2 : 4;
    }
    /// Adaptive: VCs but the lowest two; the escape: those two.
    void add(std::uint32_t d, std::uint32_t kind, const answer& a, bool escape, route_set& out) const {
        const std::uint32_t base = m_escapes && !escape ? 2 : 0,
                            count = m_escapes ? (escape ? 2 : m_vcs - 2) : m_vcs;
        const std::uint32_t half = count / 2 == 0 ? 1 : count / 2;
        std::uint32_t mask = (1U << count) - 1;
        if (a.split && (escape || !m_escapes))
            mask = kind >= 3 ? mask & ~((1U << half) - 1) : (1U << half) - 1;
        out.add(2 * d + (kind % 2 == 0 ? 1 : 0), mask << base, escape);
    }

    const topology& m_net;
    const grid_shape& m_grid;
    bool m_escapes;
    std::uint32_t m_vcs = 0;
    std::vector<answer> m_answers;
};

std::string random_grid(rng& random, bool rings, bool three) {
    std::string text = "mesh dims=";
    if (rings) text = "torus dims=";
    text += std::to_string(2 + random.below(three ? 5 : 9)) + "," + std::to_string(13 + random.below(2));
    if (three) text += "," + std::to_string(2 + random.below(2));
    if (rings && random.bernoulli(0.3))
        text += three                   ? " wrap=true,false,true"
                : random.bernoulli(0.5) ? " wrap=true,false"
                                        : " wrap=false,true";
    if (random.bernoulli(0.2)) text += " concentration=2";
    return text;
}

TEST(deadlock_classes, AgreeWithAllPairsAndFindSpoiltFunctions) {
    rng random(21, stream::test, 0);
    tally all;
    const std::vector<std::string> on_any{"dor", "duato", "duato escape=bubble", "o1turn", "valiant", "romm"},
        on_meshes{"west_first", "north_last", "negative_first", "odd_even"},
        datelines{"trc", "basic", "improved", "ahead", "improved_ahead", "none"};
    for (int i = 0; i < 160; ++i) {
        const bool rings = random.bernoulli(0.7), three = random.bernoulli(0.3);
        const std::string net_text = random_grid(random, rings, three);
        const auto net = network(net_text);
        std::string line = rings || random.bernoulli(0.5)
                               ? on_any[random.below(static_cast<std::uint32_t>(on_any.size()))]
                               : on_meshes[random.below(static_cast<std::uint32_t>(on_meshes.size()))];
        const bool two_only = line == "o1turn" || line == "odd_even" || line == "west_first";
        if (three && two_only) continue;
        if (rings && line.find("duato") != 0) line += " dateline=" + datelines[random.below(6)];
        const std::uint32_t vcs = 4 + random.below(2);
        const auto how =
            random.bernoulli(0.4)
                ? spoilt::how::as_it_is
                : static_cast<spoilt::how>(random.below(static_cast<std::uint32_t>(spoilt::how::last)));
        const spoilt function(routing(line, *net, vcs), how, vcs);
        compare(function, *net, vcs, random.bernoulli(0.9),
                line + " on " + net_text + ", spoilt " + std::to_string(static_cast<int>(how)), all);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(all.verdicts[verdict::acyclic], 30);
    EXPECT_GT(all.verdicts[verdict::cycle], 20);
    EXPECT_GT(all.verdicts[verdict::unsafe], 5);
    // What is free of deadlock was found so by classes, but for a few.
    EXPECT_GE(all.by_classes, all.verdicts[verdict::acyclic] * 9 / 10);
}

TEST(deadlock_classes, AgreeOnFunctionsDrawnAtRandom) {
    rng random(22, stream::test, 0);
    tally all;
    for (int i = 0; i < 200; ++i) {
        const std::string net_text = random_grid(random, random.bernoulli(0.6), random.bernoulli(0.2));
        const auto net = network(net_text);
        const bool escapes = random.bernoulli(0.4);
        const std::uint32_t vcs = (escapes ? 3 : 1) + random.below(3);
        const drawn function(*net, vcs, escapes, random);
        compare(function, *net, vcs, true, "number " + std::to_string(i) + " on " + net_text, all);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(all.verdicts[verdict::acyclic], 30);
    EXPECT_GT(all.verdicts[verdict::cycle], 30);
    EXPECT_GE(all.by_classes, all.verdicts[verdict::acyclic] * 9 / 10);
}

/// What a function says of itself (treats_dimensions_apart()): the hops offered in a dimension are the same
/// when the others are changed so that nothing is different in what may be looked at.
TEST(deadlock_classes, MatchFunctionsThatTreatDimensionsApart) {
    rng random(23, stream::test, 0);
    const auto offered = [](const routing_function& f, std::uint32_t r, route_header h, std::uint32_t d) {
        route_set out;
        f.route(r, 0, 0, h, out);
        std::vector<std::array<std::uint64_t, 3>> all;
        for (std::uint32_t i = 0; i < out.size; ++i)
            if (out.candidates[i].port / 2 == d)
                all.push_back({out.candidates[i].port, out.candidates[i].vcs, out.candidates[i].escape});
        return all;
    };
    const std::vector<std::pair<const char*, std::vector<const char*>>> cases{
        {"torus dims=20,24",
         {"dor", "dor dateline=basic", "duato", "o1turn", "valiant dateline=improved", "romm"}},
        {"mesh dims=20,24", {"dor", "duato", "west_first", "north_last", "negative_first", "odd_even"}}};
    for (const auto& [net_text, lines] : cases)
        for (const char* line : lines) {
            const auto net = network(net_text);
            const auto function = routing(line, *net, 4);
            ASSERT_TRUE(function->treats_dimensions_apart()) << line;
            const std::uint32_t k[2] = {20, 24};
            for (int i = 0; i < 3000; ++i) {
                const std::uint32_t d = random.below(2), e = 1 - d;
                std::uint32_t s[2], t[2], s2[2], t2[2];
                for (std::uint32_t x = 0; x < 2; ++x) {
                    s[x] = s2[x] = random.below(k[x]);
                    t[x] = t2[x] = random.below(k[x]);
                }
                // Dimension e moved as a whole by an even number of places, not over the border.
                const std::uint32_t most = k[e] - 1 - std::max(s[e], t[e]);
                const std::uint32_t by = 2 * random.below(most / 2 + 1);
                s2[e] += by;
                t2[e] += by;
                const auto router = [&](const std::uint32_t* c) { return c[0] + k[0] * c[1]; };
                std::vector<route_header> one, other;
                function->every_header({router(s), router(t)}, one);
                function->every_header({router(s2), router(t2)}, other);
                ASSERT_EQ(one.size(), other.size());
                for (std::size_t h = 0; h < one.size(); ++h)
                    ASSERT_EQ(offered(*function, router(s), one[h], d),
                              offered(*function, router(s2), other[h], d))
                        << line << " from " << router(s) << " to " << router(t) << " and from " << router(s2)
                        << " to " << router(t2);
            }
        }
}

TEST(deadlock_classes, CheckAMillionRouters) {
    const auto net = network("torus dims=128,128,64");
    for (const char* line : {"dor", "duato", "valiant"}) {
        const auto report = test::check(line, *net, 4);
        EXPECT_EQ(report.result, verdict::acyclic) << report.text;
        EXPECT_LT(report.calls, 40'000'000U) << line;
        RecordProperty(line, report.text + ", " + std::to_string(report.calls) + " calls");
    }
}

TEST(deadlock_classes, FindAndNameDeadlocksOfLargeNetworks) {
    const auto net = network("torus dims=64,32,16");
    for (const char* line : {"duato escape=bubble", "valiant dateline=none", "romm dateline=none"}) {
        const auto report = test::check(line, *net, 4);
        EXPECT_EQ(report.result, verdict::cycle) << report.text;
        EXPECT_NE(report.text.find(" -> r"), std::string::npos) << report.text;
    }
}

TEST(deadlock_classes, HaveTheComponentsOfReachability) {
    rng random(24, stream::test, 0);
    for (int i = 0; i < 200; ++i) {
        const std::uint32_t size = 1 + random.below(12);
        flat_graph graph;
        std::vector<std::vector<bool>> reach(size, std::vector<bool>(size));
        for (std::uint32_t v = 0; v < size; ++v) {
            reach[v][v] = true;
            for (std::uint32_t w = 0; w < size; ++w)
                if (random.below(size) < 2) {
                    graph.to.push_back(w);
                    reach[v][w] = true;
                }
            graph.first.push_back(graph.to.size());
        }
        for (std::uint32_t m = 0; m < size; ++m)
            for (std::uint32_t v = 0; v < size; ++v)
                for (std::uint32_t w = 0; w < size; ++w)
                    if (reach[v][m] && reach[m][w]) reach[v][w] = true;
        const auto component = components(graph);
        for (std::uint32_t v = 0; v < size; ++v)
            for (std::uint32_t w = 0; w < size; ++w)
                EXPECT_EQ(component[v] == component[w], reach[v][w] && reach[w][v]);
    }
}

}  // namespace
}  // namespace sare::routing_classes_test
