// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tests/support/seed.h"
#include "tests/tlm/systemc/systemc_support.h"
#include "tests/tlm/topology/topology_support.h"
#include "tlm/fabric/fabric.h"
#include "tlm/network/network.h"
#include "tlm/topology/properties.h"

#include <gtest/gtest.h>

#include <algorithm>

/// Networks whose routers and links differ.
namespace sare::test::mixed_network_test {
namespace {

using config::value;

value parsed(const std::vector<std::pair<std::string, std::string>>& keys) {
    value v = value::map({});
    for (const auto& [key, text] : keys) v.set(key, value::scalar(text));
    return v;
}

void change(value& list, const value& entry) {
    std::vector<value> all = list.items();
    all.push_back(entry);
    list = value::list(std::move(all));
}

value between(std::uint32_t a, std::uint32_t b) {
    return value::list({value::scalar(std::to_string(a)), value::scalar(std::to_string(b))});
}

value link_entry(std::uint32_t a, std::uint32_t b,
                 const std::vector<std::pair<std::string, std::string>>& keys) {
    value v = parsed(keys);
    v.set("between", between(a, b));
    return v;
}

experiment row_of_four() {
    experiment e;
    e.network = section("mesh dims=4,1", "topology");
    e.routing = section("dor", "function");
    e.traffic = section("bernoulli", "workload");
    e.routers = e.links = value::list({});
    return e;
}

/// Cycles that a packet of `flits` takes from node 0 to node 3.
std::uint64_t latency(const experiment& e, std::uint32_t flits = 1) {
    return std::stoull(in_child([&] {
        sare::network net("net", e, 1);
        script two;
        two.add(10, 0, 3, flits);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        net.engine().set_workload(two);
        net.engine().run_until(1000);
        return std::to_string(two.received.at(0).consumed - 10);
    }));
}

TEST(MixedNetwork, GivesARouterItsOwnStages) {
    const experiment e = row_of_four();
    const std::uint64_t usual = latency(e);
    struct {
        const char *key, *value;
        std::uint64_t more;  ///< cycles
    } const cases[] = {{"rc_delay", "4", 3}, {"va_delay", "3", 2},          {"sa_delay", "0", ~0ULL},
                       {"st_delay", "3", 2}, {"input_register", "true", 1}, {"depth", "16", 0}};
    for (const auto& c : cases) {
        experiment other = e;
        change(other.routers, parsed({{"at", "2"}, {c.key, c.value}}));
        EXPECT_EQ(latency(other), usual + c.more) << c.key;
        change(other.routers, parsed({{"at", "1"}, {c.key, c.value}}));
        EXPECT_EQ(latency(other), usual + 2 * c.more) << c.key;
    }
}

TEST(MixedNetwork, GivesALinkItsOwnLatencyAndWidth) {
    const experiment e = row_of_four();
    const std::uint64_t one = latency(e);
    experiment other = e;
    change(other.links, link_entry(2, 1, {{"latency", "6"}}));
    EXPECT_EQ(latency(other), one + 5);
    change(other.links, link_entry(1, 2, {{"cycles_per_flit", "3"}}));
    EXPECT_EQ(latency(other), one + 5 + 2);
    // The last flit is 9 cycles behind, and each of the two routers that follow makes up for two of them, as
    // the head is in RC and VA.
    EXPECT_EQ(latency(other, 4), one + 5 + 2 + 9 - 2 * 2);
    change(other.links, parsed({{"node", "3"}, {"latency", "4"}}));
    EXPECT_EQ(latency(other), one + 5 + 2 + 3);
    change(other.links, parsed({{"node", "0"}, {"latency", "2"}}));
    EXPECT_EQ(latency(other), one + 5 + 2 + 3 + 1);
    change(other.links, link_entry(1, 2, {{"latency", "1"}, {"cycles_per_flit", "1"}}));
    EXPECT_EQ(latency(other), one + 3 + 1);
}

/// Both links of a ring of two, and all that the topology says beside: that is not changed.
TEST(MixedNetwork, ChangesAllLinksOfAPair) {
    experiment e = row_of_four();
    e.network = section("torus dims=2,3", "topology");
    change(e.links, link_entry(0, 1, {{"latency", "7"}}));
    const auto with = e.make_map(), without = topology_registry::instance().make(e.network);
    std::uint32_t changed = 0;
    for (std::uint32_t r = 0; r < with->routers(); ++r)
        for (std::uint32_t p = 0; p < with->ports(router_id(r)); ++p) {
            const bool slow = with->link(router_id(r), port_id(p)).latency == 7;
            EXPECT_EQ(slow, r < 2 && with->peer(router_id(r), port_id(p)).what == port_peer::kind::router &&
                                with->peer(router_id(r), port_id(p)).id == 1 - r);
            changed += slow;
        }
    EXPECT_EQ(changed, 4U);
    const topology_properties a = measure(*with), b = measure(*without);
    EXPECT_EQ(a.diameter, b.diameter);
    EXPECT_EQ(a.mean_distance, b.mean_distance);
}

// ---- random mixtures -------------------------------------------------------------------------------------

struct mixture {
    experiment e;
    bool plain = false;  ///< only what compact routers can do
    std::string text;
};

class drawer {
  public:
    explicit drawer(std::uint64_t seed) : m_random(seed, stream::test, 7) {}

    mixture draw() {
        mixture m;
        m.plain = m_random.below(3) != 0;
        const char* networks[] = {"mesh dims=4,4", "torus dims=4,3", "mesh dims=3,3,2", "torus dims=5,4"};
        m.e = row_of_four();
        m.e.network = section(networks[m_random.below(4)], "topology");
        m.e.router = parsed({{"vcs", word({"2", "4", "8"})}, {"depth", word({"2", "4", "8"})}});
        const auto map = m.e.make_map();
        for (std::uint32_t k = 2 + m_random.below(4); k != 0; --k) change(m.e.routers, router(*map, m.plain));
        for (std::uint32_t k = m_random.below(4); k != 0; --k) change(m.e.links, link(*map, m.plain));
        m.text = flow_style(m.e.network) + " " + flow_style(m.e.router) + " " + flow_style(m.e.routers) +
                 " " + flow_style(m.e.links);
        return m;
    }

  private:
    std::string word(const std::vector<std::string>& words) {
        return words[m_random.below(static_cast<std::uint32_t>(words.size()))];
    }

    value router(const topology& map, bool plain) {
        value v = parsed({{"at", std::to_string(m_random.below(map.routers()))}});
        const auto maybe = [&](const char* key, const std::vector<std::string>& words) {
            if (m_random.below(2) != 0) v.set(key, value::scalar(word(words)));
        };
        maybe("depth", {"1", "3", "16"});
        maybe("rc_delay", {"0", "1"});
        maybe("va_delay", {"0", "1"});
        maybe("sa_delay", {"0", "1"});
        maybe("st_delay", {"0", "1", "2"});
        maybe("credit_delay", {"0", "1", "3"});
        maybe("input_register", {"true", "false"});
        if (plain) return v;
        maybe("sa_delay", {"2"});
        maybe("va_allocator", {"output_first", "wavefront"});
        maybe("speculative", {"true"});
        maybe("sa_arbiter", {"matrix", "age"});
        maybe("input_speedup", {"2"});
        maybe("output_speedup", {"2"});
        maybe("reallocation", {"atomic"});
        maybe("credit_batch", {"3"});
        return v;
    }

    value link(const topology& map, bool plain) {
        const std::string latency = word({"2", "3", "7"}), width = plain ? "1" : word({"1", "2"});
        const std::uint32_t r = m_random.below(map.routers());
        for (std::uint32_t p = 0; p < map.ports(router_id(r)); ++p)
            if (const port_peer to = map.peer(router_id(r), port_id(p)); to.what == port_peer::kind::router)
                return link_entry(r, to.id, {{"latency", latency}, {"cycles_per_flit", width}});
        return {};
    }

    rng m_random;
};

/// In one simulation: as it is, without compact routers, and with its blocks in another order. What is left
/// over in the end, and packets in all, and whether there were compact routers.
std::string compare(const mixture& m) {
    sare::network usual("usual", m.e, 1), readable("readable", m.e, 1, 0), shuffled("shuffled", m.e, 1);
    readable.engine().net().builder().require_wide_routers();
    shuffled.engine().net().stepper().shuffle_evaluation(5);
    sare::network* const all[] = {&usual, &readable, &shuffled};
    packet_records logs[3];
    std::unique_ptr<workload> traffic[3];
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (int k = 0; k < 3; ++k) {
        traffic[k] = make_workload("bernoulli", usual.map().nodes(),
                                   {{"load", "0.25"}, {"length", "5"}, {"stop_cycle", "1500"}});
        all[k]->engine().net().stepper().set_observer(&logs[k]);
        all[k]->engine().set_workload(*traffic[k]);
    }
    usual.engine().run_until(20000);
    for (int k = 0; k < 3; ++k) {
        std::sort(logs[k].lines.begin(), logs[k].lines.end());
        if (const std::string left = all[k]->engine().net().view().leftovers(); !left.empty()) return left;
    }
    if (logs[0].lines.size() < 1000) return "too little traffic";
    if (logs[0].lines != logs[1].lines) return "without compact routers it is another network";
    if (logs[0].lines != logs[2].lines) return "in another order it is another network";
    const fabric& net = usual.engine().net();
    return net.view().bank_of(0).variant() == readable.engine().net().view().bank_of(0).variant() ? ""
                                                                                                  : "fast";
}

TEST(MixedNetwork, IsTheSameFastReadableAndShuffled) {
    const std::uint64_t seed = test_seed(1);
    drawer all(seed);
    std::uint32_t fast = 0;
    for (int k = 0; k < 60; ++k) {
        const mixture m = all.draw();
        const std::string said = in_child([&] { return compare(m); });
        fast += said == "fast";
        ASSERT_TRUE(said.empty() || said == "fast") << said << ", seed " << seed << ", " << m.text;
    }
    EXPECT_GT(fast, 10U);
}

}  // namespace
}  // namespace sare::test::mixed_network_test
