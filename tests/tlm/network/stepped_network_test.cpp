// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tlm/base/rng.h"
#include "tlm/network/network.h"
#include "tlm/stepped.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <ctime>
#include <sstream>
#include <thread>

/// A network that its client steps, against the engine of SystemC and against itself.
namespace sare::test::stepped_network_test {
namespace {

experiment experiment_of(const std::string& yaml) {
    return experiment::read(config::parse_yaml(yaml, "test"), testing::TempDir());
}

const char* const mesh = "network: {topology: mesh, dims: [4, 4]}\nrouter: {vcs: 4, depth: 4}\n";

/// A message and the cycle in which it is sent.
using sending = std::pair<cycle_t, sare::message>;

/// Messages at random, by rising cycle: bursts, and gaps in which the network is empty.
std::vector<sending> random_messages(std::uint64_t seed, std::uint32_t nodes, std::uint32_t classes) {
    rng random(seed, stream::test, 0);
    std::vector<sending> all;
    cycle_t at = 0;
    for (std::uint64_t k = 0; k < 400; ++k) {
        at += random.below(16) == 0 ? 200 : random.below(3);
        sare::message m;
        m.source = random.below(nodes);
        m.destination = random.below(nodes);
        m.flits = 1 + random.below(9);
        m.message_class = random.below(classes);
        m.tag = k | std::uint64_t{1} << 63;
        all.emplace_back(at, m);
    }
    return all;
}

void write(std::ostream& to, const delivery& d) {
    to << (d.what.tag & 0xffff) << ' ' << d.injected << ' ' << d.consumed << '\n';
}

/// Deliveries of a stepped network, a line each, which runs `step` cycles at a time.
std::string stepped(const experiment& e, const std::vector<sending>& all, cycle_t step) {
    stepped_network net(e, 2);
    std::ostringstream out;
    net.on_delivered([&](const delivery& d) { write(out, d); });
    std::size_t next = 0;
    for (cycle_t t = 0; next < all.size() || net.open() != 0; t += step) {
        for (; next < all.size() && all[next].first < t + step; ++next)
            net.send(all[next].second, all[next].first);
        net.advance(t + step);
    }
    return out.str();
}

/// The same messages as a workload of cycle_engine.
class script final : public workload {
  public:
    script(const std::vector<sending>& all, std::ostream& out) : m_all(all), m_out(out) {}
    void start(traffic_port& port) override { m_port = &port; }
    cycle_t next_tick() const override { return m_next < m_all.size() ? m_all[m_next].first : never; }
    void tick(cycle_t now) override {
        for (; m_next < m_all.size() && m_all[m_next].first == now; ++m_next) {
            sare::message m = m_all[m_next].second;
            m.generated = now;
            m_port->send(m);
        }
    }
    void delivered(const delivery& d) override {
        ++m_arrived;
        write(m_out, d);
    }
    bool finished() const override { return m_arrived == m_all.size(); }
    std::uint32_t classes_needed() const override { return 2; }
    generated_counts generated(cycle_t) override { return {}; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }

  private:
    const std::vector<sending>& m_all;
    std::ostream& m_out;
    traffic_port* m_port = nullptr;
    std::size_t m_next = 0, m_arrived = 0;
};

TEST(SteppedNetwork, DeliversAsCycleEngineWhateverTheStep) {
    const experiment e = experiment_of(mesh);
    const auto all = random_messages(7, 16, 2);
    const std::string by_systemc = in_child([&] {
        std::ostringstream out;
        script traffic(all, out);
        sare::network net("net", e, 2);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        net.engine().set_workload(traffic, true);
        net.engine().run_until(100000);
        return out.str();
    });
    EXPECT_EQ(std::count(by_systemc.begin(), by_systemc.end(), '\n'), 400);
    for (const cycle_t step : {1, 7, 1000}) EXPECT_EQ(stepped(e, all, step), by_systemc) << step;
}

TEST(SteppedNetwork, RunsInTwoThreadsSideBySide) {
    const experiment e = experiment_of(mesh);
    const auto one = random_messages(1, 16, 2), two = random_messages(2, 16, 2);
    const std::string first = stepped(e, one, 7), second = stepped(e, two, 7);
    std::string beside_first, beside_second;
    std::thread other([&] { beside_second = stepped(e, two, 1); });
    beside_first = stepped(e, one, 1);
    other.join();
    EXPECT_EQ(beside_first, first);
    EXPECT_EQ(beside_second, second);
}

/// A client that jumps from event to event sees each delivery in the step that ends with its cycle.
TEST(SteppedNetwork, TellsTheNextEvent) {
    for (const char* fidelity : {"flit", "analytic", "node_links"}) {
        stepped_network net(experiment_of(std::string(mesh) + "fidelity: " + fidelity + "\n"), 2);
        cycle_t last = 0;
        net.on_delivered([&](const delivery& d) { last = d.consumed; });
        EXPECT_EQ(net.next_event(), workload::never) << fidelity;
        sare::message m;
        m.destination = 15, m.flits = 5;
        net.send(m, 100);
        EXPECT_EQ(net.next_event(), 100U) << fidelity;
        while (net.open() != 0) {
            const cycle_t at = net.next_event();
            ASSERT_NE(at, workload::never) << fidelity;
            net.advance(at + 1);
        }
        EXPECT_EQ(last + 1, net.now()) << fidelity;
        EXPECT_GT(last, 100U) << fidelity;
    }
}

/// A client that answers each message at once: two nodes in turn, each trip as long as the first one.
TEST(SteppedNetwork, LetsAClientSendFromADelivery) {
    stepped_network net(experiment_of(mesh), 2);
    std::vector<cycle_t> arrivals;
    net.on_delivered([&](const delivery& d) {
        arrivals.push_back(d.consumed);
        if (arrivals.size() == 10) return;
        sare::message back = d.what;
        std::swap(back.source, back.destination);
        net.send(back, d.consumed);
    });
    sare::message m;
    m.destination = 15;
    net.send(m, 0);
    net.advance(10000);
    ASSERT_EQ(arrivals.size(), 10U);
    for (std::size_t k = 1; k < 10; ++k) EXPECT_EQ(arrivals[k], (k + 1) * arrivals[0]) << k;
}

TEST(SteppedNetwork, TellsWhenAMessageHasLeftItsSourceQueue) {
    for (const char* fidelity : {"flit", "analytic", "node_links"}) {
        stepped_network net(experiment_of(mesh + ("fidelity: " + std::string(fidelity) + "\n")), 2);
        std::vector<std::pair<std::uint64_t, cycle_t>> left;
        net.on_injected([&](const sare::message& m) { left.emplace_back(m.tag, net.now()); });
        sare::message m;
        m.flits = 4;
        for (m.tag = 0; m.tag < 3; ++m.tag) net.send(m, 10);
        m.message_class = 1;
        net.send(m, 100);
        net.advance(200);
        ASSERT_EQ(left.size(), 4U) << fidelity;
        for (std::uint64_t k = 0; k < 4; ++k) EXPECT_EQ(left[k].first, k) << fidelity;
        if (fidelity != std::string("flit")) continue;
        for (std::uint64_t k = 0; k < 3; ++k) EXPECT_EQ(left[k].second, 10 + 4 * (k + 1));  // a flit a cycle
        EXPECT_EQ(left[3].second, 104U);
    }
}

TEST(SteppedNetwork, GoesOnFromACheckpoint) {
    const experiment e = experiment_of(mesh);
    const auto all = random_messages(3, 16, 2);
    std::ostringstream whole, before, after, state;
    stepped_network one(e, 2), two(e, 2);
    for (const auto& [at, m] : all) one.send(m, at);
    one.on_delivered([&](const delivery& d) { write(before, d); });
    one.advance(500);
    one.save(state);
    std::istringstream kept(state.str());
    two.restore(kept);
    two.on_delivered([&](const delivery& d) { write(after, d); });
    two.advance(100000);
    EXPECT_EQ(before.str() + after.str(), stepped(e, all, 1000));
    EXPECT_EQ(two.open(), 0U);
    std::istringstream again(state.str());
    EXPECT_THROW(one.restore(again), state_error);
}

/// What a run gives in which node 15 refuses class 0 until cycle 2,000, or takes it from the start.
struct refusal_run {
    std::string ones;            ///< deliveries of class 1
    std::vector<cycle_t> zeros;  ///< cycles of deliveries of class 0
    bool operator==(const refusal_run& o) const { return ones == o.ones && zeros == o.zeros; }
};

/// Runs twenty messages of class 0 to node 15, all sent in cycle 10, if there are `zeros`, and fourteen of
/// class 1, one at a time from cycle 500 on. `by_checkpoint`: the run goes on in another network.
refusal_run run_with_refusal(bool zeros, bool refuses, cycle_t step, bool by_checkpoint) {
    const experiment e = experiment_of(mesh);
    auto net = std::make_unique<stepped_network>(e, 2);
    refusal_run seen;
    std::ostringstream ones;
    const auto listen = [&] {
        net->on_delivered([&](const delivery& d) {
            if (d.what.message_class == 0) seen.zeros.push_back(d.consumed);
            if (d.what.message_class == 1) write(ones, d);
        });
    };
    listen();
    for (std::uint32_t k = 0; k < 34; ++k) {
        sare::message m;
        m.source = k % 15, m.destination = 15, m.flits = 4, m.message_class = k < 20 ? 0 : 1, m.tag = k;
        if (zeros || m.message_class == 1) net->send(m, k < 20 ? 10 : 500 + (k - 20) * 50);
    }
    if (refuses) net->set_accepting(15, 0, false);
    for (cycle_t t = 0; t < 1400; t += step) net->advance(t + step);
    if (refuses) {
        EXPECT_TRUE(seen.zeros.empty());
        EXPECT_EQ(net->held_back(15, 0), 2 * 4U);  // two VCs of the class, of four flits
        EXPECT_EQ(net->next_event(), workload::never);
        EXPECT_EQ(net->open(), 20U);
    }
    if (by_checkpoint) {
        std::stringstream state;
        net->save(state);
        net = std::make_unique<stepped_network>(e, 2);
        net->restore(state);
        listen();
    }
    net->advance(2000);
    if (refuses) net->set_accepting(15, 0, true);
    net->advance(4000);
    EXPECT_EQ(net->open(), 0U);
    EXPECT_EQ(net->held_back(15, 0), 0U);
    seen.ones = ones.str();
    return seen;
}

/// Messages of class 0 fill the ejection buffers, back up, and arrive when they are taken. Then those of
/// class 1 find links on which nothing moves, and arrive as if they were alone.
TEST(SteppedNetwork, HoldsWhatANodeRefuses) {
    const refusal_run held = run_with_refusal(true, true, 1400, false);
    for (const cycle_t step : {1, 7, 8}) EXPECT_EQ(held, run_with_refusal(true, true, step, false)) << step;
    EXPECT_EQ(held, run_with_refusal(true, true, 1400, true));
    EXPECT_EQ(held.ones, run_with_refusal(false, false, 1400, false).ones);
    ASSERT_EQ(held.zeros.size(), 20U);
    EXPECT_GE(held.zeros.front(), 2003U);  // four flits, one a cycle from cycle 2,000 on
    EXPECT_GE(held.zeros.back(), 2079U);   // eighty flits
    EXPECT_LT(held.zeros.back(), 2200U);
    // Taken from the start, class 0 is over before class 1 begins.
    EXPECT_EQ(held.ones, run_with_refusal(true, false, 1400, false).ones);
}

/// What docs/stepped.md says of the cost of steps: prints the processor time of a run by each.
TEST(SteppedNetwork, DISABLED_PrintsWhatStepsCost) {
    const experiment e =
        experiment_of("network: {topology: mesh, dims: [8, 8]}\nrouter: {vcs: 4, depth: 8}\n");
    for (const double load : {0.01, 0.1, 0.3})
        for (unsigned again = 0; again < 3; ++again)
            for (const cycle_t step : {1, 10, 1000}) {
                stepped_network net(e, 1);
                rng random(1, stream::test, 0);
                for (cycle_t t = 0; t < 100000; ++t)
                    for (std::uint32_t n = 0; n < 64; ++n)
                        if (random.bernoulli(load / 4)) {
                            sare::message m;
                            m.source = n, m.destination = random.below(64), m.flits = 4;
                            net.send(m, t);
                        }
                const std::clock_t start = std::clock();
                for (cycle_t t = 0; t < 100000; t += step) net.advance(t + step);
                std::printf("load %4.2f, steps of %4u: %.3f s\n", load, static_cast<unsigned>(step),
                            static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
            }
}

TEST(SteppedNetwork, SaysWhereNothingCanBeRefused) {
    stepped_network ideal(experiment_of(std::string(mesh) + "fidelity: analytic\n"), 2);
    EXPECT_THROW(ideal.set_accepting(0, 0, false), std::logic_error);
    stepped_network owned(
        experiment_of("network: {topology: torus, dims: [4, 4]}\nrouter: {kind: deflection}\n"), 1);
    EXPECT_THROW(owned.set_accepting(0, 0, false), std::logic_error);
}

TEST(SteppedNetwork, ConvertsTimesAndRefusesWhatIsOver) {
    stepped_network net(experiment_of(std::string(mesh) + "clock_period: 0.4ns\n"), 2);
    EXPECT_EQ(net.cycle_at(0), 0U);
    EXPECT_EQ(net.cycle_at(0.4), 1U);
    EXPECT_EQ(net.cycle_at(0.41), 2U);
    EXPECT_DOUBLE_EQ(net.ns_of(5), 2.0);
    net.advance(10);
    sare::message m;
    EXPECT_THROW(net.send(m, 9), std::invalid_argument);
    m.destination = 16;
    EXPECT_THROW(net.send(m, 10), std::out_of_range);
    EXPECT_TRUE(net.check_deadlock().ok());
    EXPECT_EQ(net.check_deadlock().result, deadlock_report::verdict::acyclic);
}

}  // namespace
}  // namespace sare::test::stepped_network_test
