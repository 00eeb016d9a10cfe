// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tests/traffic/fake_port.h"
#include "tlm/config/yaml.h"
#include "tlm/network/simulation.h"
#include "traffic/rails/port_choice.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

/// Workload `rails`: numbers of ports, the rules by which messages take them, and their queues.
namespace sare::test::rails_test {
namespace {

using testing_support::error_of;
using testing_support::fake_port;
using traffic::port_chooser;
using traffic::port_numbers;
using traffic::port_order;
using traffic::port_rule;
using traffic::rails_parameters;

config::value yaml(const std::string& text) {
    return config::parse_yaml(text, "test.yaml");
}

/// Result `makespan_cycles` of a run, or its error.
std::string makespan(const std::string& text) {
    return in_child([&] {
        const experiment e = experiment::read(yaml(text), "");
        const run_result r = simulation(e).run(e);
        return r.status == run_status::completed ? r.workload.find("makespan_cycles")->text() : r.reason;
    });
}

/// A node of a ring sends 4096 flits to each neighbour over links of two cycles a flit: one after the other
/// from one queue, at once from two.
TEST(Rails, LetsMessagesToBothNeighboursOverlap) {
    const auto file = std::filesystem::temp_directory_path() / "rails_test.trace";
    std::ofstream(file)
        << "sare-trace 3\ntasks 8\n0 isend 1 65536 0 -\n0 isend 7 65536 0 -\n1 recv 0 65536 0\n"
           "7 recv 0 65536 0\n";
    const auto run = [&](const std::string& concentration, const std::string& traffic) {
        return std::stoul(makespan("{network: {topology: torus, dims: [8], link_cycles_per_flit: 2" +
                                   concentration + "}, router: {vcs: 4, depth: 64}, nic: {flit_bytes: 16}, " +
                                   "traffic: " + traffic + "}"));
    };
    const std::string trace = "{workload: trace, file: " + file.string() + "}";
    const std::uint64_t one = run("", trace);
    for (const char* rule : {"nearest", "shortest_queue", "round_robin", "direction"}) {
        const std::uint64_t two = run(
            ", concentration: 2", "{workload: rails, choose: " + std::string(rule) + ", of: " + trace + "}");
        EXPECT_GE(two, 8192u) << rule;
        EXPECT_LT(two, 8192u + 50) << rule;
    }
    EXPECT_GT(one, 16'000u);
    std::filesystem::remove(file);
}

/// Where no message waits for another, ports change nothing.
TEST(Rails, TakesAsLongWithoutContention) {
    const std::string ring = "{workload: ring, bytes: 4096}";
    const auto run = [](const std::string& concentration, const std::string& traffic) {
        return makespan("{fidelity: analytic, network: {topology: torus, dims: [4, 4]" + concentration +
                        "}, traffic: " + traffic + "}");
    };
    EXPECT_EQ(run(", concentration: 3", "{workload: rails, ports: 3, of: " + ring + "}"), run("", ring));
}

TEST(Rails, NumbersEachPortOnce) {
    for (const port_order order : {port_order::consecutive, port_order::planes})
        for (const std::uint32_t columns : {0u, 1u, 3u, 4u, 12u}) {
            rails_parameters p;
            p.ports = 3;
            p.order = order;
            p.transpose = {0, columns};
            const port_numbers all(p, 36, {});
            ASSERT_EQ(all.nodes(), 12u);
            for (std::uint32_t n = 0; n < 12; ++n)
                for (std::uint32_t k = 0; k < 3; ++k) {
                    EXPECT_EQ(all.node_of(all.at(n, k)), n);
                    EXPECT_EQ(all.port_of(all.at(n, k)), k);
                }
            EXPECT_THROW(all.at(12, 0), std::out_of_range);
        }
    rails_parameters p;
    p.order = port_order::planes;
    p.transpose = {0, 4};  // nodes 4 to 7 are a computer: their second ports are the second of each rail
    const port_numbers all(p, 32, {});
    EXPECT_EQ(all.at(5, 0), 5u);
    EXPECT_EQ(all.at(5, 1), 16u + 1 * 4 + 1);
}

/// Ports in two networks side by side, of which the chooser knows the topology.
class mapped final : public fake_port {
  public:
    explicit mapped(const topology& map) : fake_port(map.nodes()), m_map(map) {}
    const topology* map() const override { return &m_map; }

  private:
    const topology& m_map;
};

/// Computers of four nodes with a switch each, and a rail for the k-th node of each computer.
TEST(Rails, TakesThePortFromWhichThereIsAPath) {
    const auto net = topology_registry::instance().make(
        yaml("{topology: planes, planes: [{topology: crossbar, n: 4, count: 3}, "
             "{topology: crossbar, n: 3, count: 4}]}"));
    rails_parameters p;
    p.order = port_order::planes;
    p.transpose = {0, 4};
    const port_numbers numbers(p, net->nodes(), {});
    const mapped network(*net);
    port_chooser chooser(port_rule::nearest, numbers, {}, network);
    for (std::uint32_t from = 0; from < 12; ++from)
        for (std::uint32_t to = 0; to < 12; ++to) {
            sare::message m;
            m.source = from, m.destination = to;
            if (from / 4 == to / 4)
                EXPECT_EQ(chooser.choose(m), 0u) << from << " to " << to;
            else if (from % 4 == to % 4)
                EXPECT_EQ(chooser.choose(m), 1u) << from << " to " << to;
            else
                EXPECT_THROW(chooser.choose(m), config::error) << from << " to " << to;
        }
}

TEST(Rails, TakesPortsByTheRule) {
    rails_parameters p;
    p.ports = 4;
    const port_numbers numbers(p, 64, {});
    const std::vector<std::uint32_t> dims{4, 4};
    fake_port network(64);
    const auto taken = [&](port_rule rule, std::vector<std::pair<std::uint32_t, std::uint32_t>> what) {
        port_chooser chooser(rule, numbers, dims, network);
        std::string all;
        for (const auto& [to, message_class] : what) {
            sare::message m;
            m.source = 5, m.destination = to, m.message_class = message_class;
            const std::uint32_t port = chooser.choose(m);
            m.source = numbers.at(5, port);
            network.send(m);
            all += std::to_string(port);
        }
        return all;
    };
    EXPECT_EQ(taken(port_rule::direction, {{6, 0}, {4, 0}, {9, 0}, {1, 0}, {5, 0}, {7, 0}, {10, 0}}),
              "0123000");
    EXPECT_EQ(taken(port_rule::destination, {{6, 0}, {4, 0}, {9, 0}}), "201");
    EXPECT_EQ(taken(port_rule::message_class, {{6, 1}, {4, 0}, {9, 1}}), "101");
    EXPECT_EQ(taken(port_rule::round_robin, {{6, 1}, {4, 0}, {9, 1}, {9, 0}, {9, 0}}), "01230");
    // The queues of ports 0 to 3 have 8, 5, 3 and 2 messages here.
    EXPECT_EQ(taken(port_rule::shortest_queue, {{6, 0}, {6, 0}, {6, 0}}), "323");
    EXPECT_EQ(taken(port_rule::nearest, {{6, 0}, {6, 0}}), "23");
}

/// Sends messages of random lengths while at most three wait, and asks for a call when one or two do.
class bounded final : public workload {
  public:
    explicit bounded(const workload_context&) {}
    void start(traffic_port& port) override { m_port = &port; }
    cycle_t next_tick() const override { return m_next; }
    void tick(cycle_t now) override {
        m_next = m_left == 0 ? never : now + 1;
        for (std::uint32_t n = 0; n < m_port->nodes() && now != 0 && m_left != 0; ++n)
            EXPECT_GT(m_port->queued_of(n, 0), m_asked[n])
                << "node " << n << " was not called, cycle " << now;
        for (std::uint32_t n = 0; n < m_port->nodes() && now == 0; ++n) fill(n);
    }
    void queue_space(std::uint32_t node, std::uint32_t) override {
        EXPECT_LE(m_port->queued_of(node, 0), m_asked[node])
            << "node " << node << ", cycle " << m_port->now();
        fill(node);
    }
    void delivered(const delivery& d) override { arrived += d.what.destination == (d.what.source + 1) % 2; }
    bool finished() const override { return m_left == 0; }
    generated_counts generated(cycle_t) override { return {}; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
    static inline std::uint32_t arrived = 0;

  private:
    void fill(std::uint32_t node) {
        while (m_left != 0 && m_port->queued_of(node, 0) < 3) {
            sare::message m;
            m.source = node, m.destination = 1 - node, m.flits = 1 + m_random.below(9);
            m_port->send(m);
            --m_left;
        }
        if (m_left == 0) return;
        m_asked[node] = 1 + m_random.below(2);
        m_port->call_when_queued(node, 0, m_asked[node]);
    }
    traffic_port* m_port = nullptr;
    cycle_t m_next = 0;
    std::uint32_t m_left = 500, m_asked[2] = {};
    rng m_random{1, stream::test, 0};
};
const config::registration<workload, const workload_context&> registered{"bounded", "Keeps its queues short.",
                                                                         config::made<bounded>};

/// A node is called in the first cycle in which all its ports together hold as few messages as it asked for.
TEST(Rails, CallsWhenAllPortsTogetherHaveRoom) {
    for (const char* rule : {"round_robin", "shortest_queue"}) {
        bounded::arrived = 0;
        const auto all = testing_support::make_workload(
            yaml("{workload: rails, ports: 3, choose: " + std::string(rule) + ", of: bounded}"), 6);
        fake_port network(6);
        all->start(network);
        network.run(*all, 100'000);
        EXPECT_EQ(bounded::arrived, 500u) << rule;
    }
}

TEST(Rails, SaysInOneLineWhatCannotBe) {
    const auto wrong = [](const std::string& keys, std::uint32_t nodes) {
        return error_of(
            [&] { testing_support::make_workload(yaml("{workload: rails, " + keys + "}"), nodes); });
    };
    const std::string of = "of: {workload: bernoulli, load: 0.1}";
    EXPECT_EQ(wrong(of, 16), "");
    EXPECT_NE(wrong("ports: 2", 16).find("needs 'of: '"), std::string::npos);
    EXPECT_NE(wrong(of + ", ports: 3", 16).find("16 nodes, which must be a multiple"), std::string::npos);
    EXPECT_NE(wrong(of + ", transpose: [3]", 16).find("must divide the number of nodes, 8"),
              std::string::npos);
    EXPECT_NE(wrong(of + ", transpose: [0, 0, 2]", 16).find("one for each of 2 ports"), std::string::npos);
    EXPECT_NE(wrong(of + ", dims: [3, 3]", 16).find("has 8 nodes, its 'dims' make 9"), std::string::npos);
    const std::string apart = makespan(
        "{network: {topology: planes, planes: [{topology: crossbar, n: 2, count: 2}, "
        "{topology: crossbar, n: 2, count: 2}]}, routing: planes, traffic: {workload: rails, order: planes, "
        "of: {workload: ring, bytes: 64}}}");
    EXPECT_NE(apart.find("no path joins the same port of node 0 and node 2"), std::string::npos) << apart;
    const std::string hidden = makespan(
        "{network: {topology: crossbar, n: 8}, traffic: {workload: rails, "
        "of: {workload: rails, of: {workload: ring, bytes: 64}}}}");
    EXPECT_NE(hidden.find("'choose: nearest' needs the topology"), std::string::npos) << hidden;
}

/// Go-back-N between the workload and the network does not hide that only the second port leads to all nodes.
TEST(Rails, TakesTheOnlyPathBehindGoBackN) {
    const std::string text =
        "{network: {topology: planes, planes: [{topology: crossbar, n: 2, count: 2}, "
        "{topology: crossbar, n: 4}]}, routing: planes, traffic: {workload: rails, order: planes, "
        "of: {workload: ring, bytes: 64}}";
    const std::string at_once = makespan(text + "}");
    EXPECT_GT(std::stoul(at_once), 0u) << at_once;
    EXPECT_EQ(makespan(text + ", nic: {retransmission: go_back_n}}"), at_once);
}

}  // namespace
}  // namespace sare::test::rails_test
