// SPDX-License-Identifier: Apache-2.0
#include "tests/support/closed_form.h"
#include "tests/support/seed.h"
#include "tests/tlm/combining/combined_network.h"
#include "tlm/base/rng.h"
#include "tlm/router/vc/model.h"
#include "tlm/state/text_archive.h"

#include <algorithm>
#include <numeric>

/// Collectives that combiners at routers carry out.
namespace sare::test::network_collectives_test {
namespace {

using kind = network_call::kind;
using nodes = std::vector<std::uint32_t>;

nodes first_nodes(std::uint32_t n) {
    nodes all(n);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

/// Calls of all members of one group in cycle 0.
std::vector<calling::call> calls_of(std::uint32_t members, kind what, std::uint64_t bytes,
                                    std::uint32_t root = 0) {
    std::vector<calling::call> all;
    for (std::uint32_t m = 0; m < members; ++m) all.push_back({0, {0, 1, what, m, root, bytes, 0}});
    return all;
}

/// Cycles of a packet of F flits from a node to its combiner and back, and between combiners of neighbours.
struct hops {
    hops(const combined_network& net, std::uint32_t flits) {
        const auto& model = dynamic_cast<const vc_model&>(*net.engine.blueprint().plan().of(0).model);
        packet_path path;
        path.flits = flits;
        local = zero_load_latency(model.params(), net.engine.blueprint().nic(), path);
        path.routers = 2;
        between = zero_load_latency(model.params(), net.engine.blueprint().nic(), path);
    }
    std::uint64_t local, between;
};

/// The last member has the sum of `packets` packets after so many cycles, if each neighbour and node has a
/// port of the combiner: up `depth` links and down again, and a combiner at the end of each. Packets of one
/// flit do not follow each other without a gap.
std::uint64_t closed_form(const hops& h, std::uint64_t depth, std::uint64_t latency, std::uint64_t flits,
                          std::uint64_t packets) {
    return 2 * h.local + 2 * depth * h.between + (2 * depth + 1) * latency + (packets - 1) * flits;
}

std::string yaml_of(const std::string& network, std::uint32_t ports, std::uint32_t latency,
                    std::uint32_t packet, const std::string& more = "") {
    return "{network: {" + network + "}, combining: {entries: 64, ports: " + std::to_string(ports) +
           ", latency: " + std::to_string(latency) +
           "}, router: {vcs: 4, depth: 16}, nic: {flit_bytes: 1, max_packet_flits: " +
           std::to_string(packet) + "}" + more + "}";
}

cycle_t last_end(const combined_network& net, std::size_t members) {
    EXPECT_EQ(net.calls.ended.size(), members);
    cycle_t last = 0;
    for (const auto& [call, at] : net.calls.ended) last = std::max(last, at);
    return last;
}

TEST(NetworkCollectives, TakeTheClosedFormOnAnIdleTree) {
    rng random(test_seed(2101), stream::test, 1);
    for (const auto& [k, levels] : {std::pair{2U, 2U}, {2U, 3U}, {3U, 2U}, {4U, 2U}, {4U, 3U}}) {
        std::uint32_t leaves = 1;
        for (std::uint32_t n = 0; n < levels; ++n) leaves *= k;
        for (const std::uint32_t packets : {1U, 2U, 5U}) {
            const std::uint32_t flits = (packets == 1 ? 1 : 2) + random.below(7),
                                latency = 1 + random.below(9);
            combined_network net(
                yaml_of("topology: tree, degree: " + std::to_string(k) + ", depth: " + std::to_string(levels),
                        k + 1, latency, flits),
                {first_nodes(leaves)}, calls_of(leaves, kind::sum_to_all, packets * flits));
            net.run();
            EXPECT_EQ(last_end(net, leaves),
                      closed_form(hops(net, flits), levels - 1, latency, flits, packets))
                << k << "-ary, " << levels << " levels, " << packets << " packets of " << flits;
        }
    }
}

TEST(NetworkCollectives, TakeTheClosedFormOnAnIdleMesh) {
    rng random(test_seed(2102), stream::test, 2);
    for (const std::uint32_t k : {3U, 5U, 7U})
        for (const std::uint32_t packets : {1U, 2U, 5U}) {
            const std::uint32_t flits = (packets == 1 ? 1 : 2) + random.below(7),
                                latency = 1 + random.below(9);
            combined_network net(
                yaml_of("topology: mesh, dims: [" + std::to_string(k) + ", " + std::to_string(k) + "]", 5,
                        latency, flits),
                {first_nodes(k * k)}, calls_of(k * k, kind::sum_to_all, packets * flits));
            net.run();
            EXPECT_EQ(last_end(net, k * k), closed_form(hops(net, flits), k - 1, latency, flits, packets))
                << k << " x " << k << ", " << packets << " packets of " << flits;
            EXPECT_EQ(net.count("packets_combined"), (k * k - 1) * packets);
            EXPECT_EQ(net.links("crossed"), 2 * (k * k - 1) * packets);
        }
}

/// With one port the flits of children and nodes come one after the other, and results leave so.
TEST(NetworkCollectives, TakeTurnsAtOnePort) {
    for (const std::uint32_t k : {2U, 3U, 8U})
        for (const std::uint32_t flits : {1U, 4U}) {
            combined_network net(yaml_of("topology: crossbar, n: " + std::to_string(k), 1, 3, flits),
                                 {first_nodes(k)}, calls_of(k, kind::sum_to_all, flits));
            net.run();
            EXPECT_EQ(last_end(net, k), closed_form(hops(net, flits), 0, 3, flits, 1) + 2 * (k - 1) * flits)
                << k << " nodes, " << flits << " flits";
        }
}

struct random_case {
    std::string yaml;
    std::vector<nodes> groups;
    std::vector<calling::call> calls;
};

template <class T>
T one_of(rng& random, std::initializer_list<T> all) {
    return all.begin()[random.below(static_cast<std::uint32_t>(all.size()))];
}

/// Collectives of some groups, of which nodes may have several members, at random times.
random_case draw(rng& random) {
    const auto& [network, count] = one_of<std::pair<const char*, std::uint32_t>>(
        random, {{"topology: mesh, dims: [4, 3]", 12},
                 {"topology: torus, dims: [3, 3], concentration: 2", 18},
                 {"topology: kary_ntree, k: 2, n: 3", 8},
                 {"topology: tree, degree: 3, depth: 2", 9},
                 {"topology: dragonfly, p: 1, a: 2, h: 1", 6},
                 {"topology: hyperx, dims: [3, 3]", 9},
                 {"topology: ring, n: 5", 5}});
    random_case c;
    const bool blocks = random.bernoulli(0.5);
    const std::uint32_t groups = 1 + random.below(4), entries = one_of(random, {1U, 1U, 2U, 5U});
    c.yaml = "{network: {" + std::string(network) +
             "}, combining: {entries: " + std::to_string(blocks ? std::max(entries, groups) : entries) +
             (blocks ? ", when_full: block, groups: " + std::to_string(groups) : "") +
             ", ports: " + std::to_string(1 + random.below(3)) +
             ", latency: " + std::to_string(1 + random.below(6)) +
             ", cycles_per_flit: " + std::to_string(1 + random.below(2)) +
             "}, router: {vcs: 6, depth: " + std::to_string(one_of(random, {2, 8})) +
             "}, nic: {flit_bytes: 1, max_packet_flits: " + std::to_string(1 + random.below(8)) + "}}";
    for (std::uint32_t g = groups; g-- > 0;) {
        nodes members(1 + random.below(count));
        for (std::uint32_t& n : members) n = random.below(count);
        for (std::int64_t number = random.below(6); number-- > 0;) {
            network_call call{static_cast<std::uint32_t>(c.groups.size()), number};
            call.what = one_of(random, {kind::sum_to_all, kind::sum_to_one, kind::copy_to_all});
            call.root = random.below(static_cast<std::uint32_t>(members.size()));
            call.bytes = random.below(40);
            for (call.member = 0; call.member < members.size(); ++call.member)
                c.calls.push_back({random.below(300), call});
        }
        c.groups.push_back(std::move(members));
    }
    std::stable_sort(c.calls.begin(), c.calls.end(), [](auto& a, auto& b) { return a.at < b.at; });
    return c;
}

/// First cycle in which what a call gets can be there: all have given their part, or its root has.
std::map<std::pair<std::uint32_t, std::int64_t>, cycle_t> first_ends(const std::vector<calling::call>& all) {
    std::map<std::pair<std::uint32_t, std::int64_t>, cycle_t> first;
    for (const auto& [at, c] : all)
        if (c.sends()) first[{c.group, c.number}] = std::max(first[{c.group, c.number}], at);
    return first;
}

void check(const random_case& c, const combined_network& net) {
    ASSERT_EQ(net.calls.ended.size(), c.calls.size()) << c.yaml;
    const auto first = first_ends(c.calls);
    for (std::size_t k = 0; k < c.calls.size(); ++k) {
        const network_call& call = c.calls[k].what;
        EXPECT_GE(net.calls.ended.at(k), c.calls[k].at);
        if (call.receives())
            EXPECT_GT(net.calls.ended.at(k), first.at({call.group, call.number})) << c.yaml << ", call " << k;
        else
            EXPECT_EQ(net.calls.ended.at(k), c.calls[k].at);
    }
    const auto& p = net.e.sections.of<combining_params>();
    EXPECT_LE(net.count("most_entries"), p.entries);
    EXPECT_EQ(
        p.when_full == full_table::block ? net.count("packets_uncombined") : net.count("packets_stalled"),
        0U);
}

/// Every member gets every result once and not too early. The layer itself checks that each sum has every
/// contribution once.
TEST(NetworkCollectives, GiveEveryResultOnceInRandomNetworks) {
    rng random(test_seed(2103), stream::test, 3);
    std::uint64_t uncombined = 0, stalled = 0;
    for (int n = 0; n < 150 && !testing::Test::HasFailure(); ++n) {
        const random_case c = draw(random);
        combined_network net(c.yaml, c.groups, c.calls);
        net.run();
        check(c, net);
        uncombined += net.count("packets_uncombined");
        stalled += net.count("packets_stalled");
    }
    EXPECT_GT(uncombined, 100U);
    EXPECT_GT(stalled, 100U);
}

/// What is left of a run goes on from its state in another network.
TEST(NetworkCollectives, GoOnFromACheckpoint) {
    rng random(test_seed(2104), stream::test, 4);
    for (int n = 0; n < 20; ++n) {
        const random_case c = draw(random);
        combined_network whole(c.yaml, c.groups, c.calls), before(c.yaml, c.groups, c.calls),
            after(c.yaml, c.groups, c.calls);
        whole.run();
        const cycle_t middle = 50 + random.below(300);
        before.engine.run_until(middle);
        text_writer state;
        before.engine.serialize(state);
        before.layer.serialize(state);
        text_reader from(state.text());
        after.engine.serialize(from);
        after.layer.serialize(from);
        after.run();
        EXPECT_EQ(after.calls.ended, whole.calls.ended) << c.yaml << ", from cycle " << middle;
    }
}

}  // namespace
}  // namespace sare::test::network_collectives_test
