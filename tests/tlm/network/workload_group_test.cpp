// SPDX-License-Identifier: Apache-2.0
#include "tlm/api/clients/workload_group.h"
#include "tests/support/in_child.h"
#include "tlm/api/clients/traffic_client.h"
#include "tlm/api/observation.h"
#include "tlm/base/rng.h"
#include "tlm/network/network.h"
#include "tlm/stepped.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

/// Several senders on one network: a workload, and clients with tags of their own.
namespace sare::test::workload_group_test {
namespace {

constexpr std::uint32_t clients = 3;
const char* const mesh = "network: {topology: mesh, dims: [4, 4]}\nrouter: {vcs: 4, depth: 4}\n";

experiment experiment_of(const std::string& yaml) {
    return experiment::read(config::parse_yaml(yaml, "test"), testing::TempDir());
}

struct sending {
    cycle_t at;
    std::uint32_t client;
    sare::message what;
};

/// Messages at random, by rising cycle and client; each client numbers its own in all bits of the tag.
std::vector<sending> random_messages(std::uint64_t seed) {
    rng random(seed, stream::test, 0);
    std::vector<sending> all;
    for (cycle_t t = 1; t < 400; ++t)
        for (std::uint32_t c = 0; c < clients; ++c) {
            if (!random.bernoulli(0.4)) continue;
            sare::message m;
            m.source = random.below(16);
            m.destination = random.below(16);
            m.flits = 1 + random.below(9);
            m.message_class = random.below(2);
            m.tag = ~(std::uint64_t{c} << 32 | all.size());
            all.push_back({t, c, m});
        }
    return all;
}

/// Line of a delivery; `client`: the one that is told.
std::string line(std::uint32_t client, const delivery& d) {
    return std::to_string(client) + ' ' + std::to_string(d.what.tag) + ' ' + std::to_string(d.injected) +
           ' ' + std::to_string(d.consumed) + '\n';
}

/// Deliveries, where one client sends everything.
std::string alone(const experiment& e, const std::vector<sending>& all) {
    stepped_network net(e, 2);
    std::string out;
    net.on_delivered(
        [&](const delivery& d) { out += line(static_cast<std::uint32_t>(~d.what.tag >> 32), d); });
    for (const sending& s : all) net.send(s.what, s.at);
    net.advance(20000);
    EXPECT_EQ(net.open(), 0U);
    return out;
}

TEST(WorkloadGroup, TellsEachClientOfItsOwnMessages) {
    const experiment e = experiment_of(mesh);
    const std::vector<sending> all = random_messages(1);
    std::string out;
    std::vector<traffic_client> each(clients);
    stepped_network net(e, 2);
    for (std::uint32_t c = 0; c < clients; ++c) {
        each[c].on_delivered([&, c](const delivery& d) { out += line(c, d); });
        net.add("client " + std::to_string(c), each[c]);
    }
    for (const sending& s : all) each[s.client].send(s.what, s.at);
    net.advance(20000);
    for (const traffic_client& one : each) EXPECT_EQ(one.open(), 0U);
    EXPECT_EQ(out, alone(e, all));
}

/// Processes of SystemC that send to the engine's clients a cycle ahead.
struct processes final : sc_core::sc_module {
    SARE_HAS_PROCESS(processes);
    processes(const sc_core::sc_module_name& name, const std::vector<sending>& all,
              std::vector<traffic_client>& each, cycle_engine& engine)
        : sc_module(name), m_all(all), m_each(each), m_engine(engine) {
        SC_THREAD(run);
    }
    void run() {
        for (const sending& s : m_all) {
            while (m_engine.cycle() + 1 < s.at) wait(m_engine.period());
            m_each[s.client].send(s.what, s.at);
        }
    }

  private:
    const std::vector<sending>& m_all;
    std::vector<traffic_client>& m_each;
    cycle_engine& m_engine;
};

/// The engine of SystemC, which sleeps between messages, gives the same; a second workload is beside them.
TEST(WorkloadGroup, IsTheWorkloadOfAnEngine) {
    const experiment e = experiment_of(mesh);
    const std::vector<sending> all = random_messages(2);
    const auto with = [&](workload& other, auto&& add, std::string& out, std::vector<traffic_client>& each) {
        for (std::uint32_t c = 0; c < clients; ++c) {
            each[c].on_delivered([&out, c](const delivery& d) { out += line(c, d); });
            add("client " + std::to_string(c), each[c]);
        }
        add("bursts", other);
    };
    const auto bursts = [] {
        return workload_registry::instance().make(
            config::parse_yaml("{workload: burst, messages: 2, bursts: 3}", "test"), {"", 16});
    };
    const std::string by_systemc = in_child([&] {
        std::string out;
        std::vector<traffic_client> each(clients);
        workload_group group;
        const auto other = bursts();
        with(
            *other, [&](const std::string& n, workload& w) { group.add(n, w); }, out, each);
        sare::network net("net", e, 2);
        processes senders("senders", all, each, net.engine());
        for (traffic_client& one : each) one.on_sent([&](cycle_t at) { net.engine().work_at(at); });
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        net.engine().set_workload(group);
        sc_core::sc_start(20000 * net.engine().period());
        return out + std::to_string(net.engine().net().view().flits_consumed());
    });
    std::string out;
    std::vector<traffic_client> each(clients);
    stepped_network net(e, 2);
    const auto other = bursts();
    with(
        *other, [&](const std::string& n, workload& w) { net.add(n, w); }, out, each);
    for (const sending& s : all) each[s.client].send(s.what, s.at);
    net.advance(20000);
    EXPECT_EQ(by_systemc, out + std::to_string(net.engine().counters().flits_consumed()));
    EXPECT_NE(out, alone(e, all));  // the bursts are in the way
}

TEST(WorkloadGroup, GoesOnFromACheckpoint) {
    const experiment e = experiment_of(mesh);
    const std::vector<sending> all = random_messages(3);
    std::string rest[2];
    std::stringstream saved;
    for (std::string& out : rest) {
        std::vector<traffic_client> each(clients);
        stepped_network net(e, 2);
        for (std::uint32_t c = 0; c < clients; ++c) {
            each[c].on_delivered([&out, c](const delivery& d) { out += line(c, d); });
            net.add("client " + std::to_string(c), each[c]);
        }
        if (&out == rest) {
            for (const sending& s : all) each[s.client].send(s.what, s.at);
            net.advance(200);
            net.save(saved);
            out.clear();
        } else {
            net.restore(saved);
        }
        net.advance(20000);
    }
    EXPECT_FALSE(rest[0].empty());
    EXPECT_EQ(rest[1], rest[0]);
}

/// A group is as far as its slowest member, and what is asked of it is asked of each.
TEST(WorkloadGroup, PassesOnWhatIsAskedOfAWorkload) {
    struct asked final : workload {
        asked(double done, bool tasks) : m_done(done), m_tasks(tasks) {}
        void start(traffic_port&) override {}
        cycle_t next_tick() const override { return never; }
        void tick(cycle_t) override {}
        bool finished() const override { return m_done == 1; }
        bool runs_to_completion() const override { return true; }
        double progress() const override { return m_done; }
        generated_counts generated(cycle_t) override { return {}; }
        generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
        bool observe(const observation&) override { return m_tasks; }
        config::value host_results() const override {
            return m_tasks ? config::value::map({{"waited", config::number(3.0)}}) : config::value();
        }
        double m_done;
        bool m_tasks;
    } slow(0.25, false), fast(0.75, true), done(1, false);
    workload_group one, both;
    one.add("slow", slow);
    for (auto& [name, w] : std::initializer_list<std::pair<const char*, asked&>>{
             {"slow", slow}, {"fast", fast}, {"done", done}})
        both.add(name, w);
    EXPECT_EQ(workload_group().progress(), -1);
    EXPECT_EQ(both.progress(), 0.25);
    slow.m_done = -1;
    EXPECT_EQ(both.progress(), -1) << "unknown";
    slow.m_done = 1;
    EXPECT_EQ(both.progress(), 0.75);
    EXPECT_FALSE(one.observe({}));
    EXPECT_TRUE(both.observe({}));
    EXPECT_EQ(one.host_results().type(), config::value::kind::null);
    EXPECT_EQ(config::flow_style(both.host_results()), "{fast: {waited: 3}}");
}

/// Each of two workloads gets its own call when a source queue that both use has space.
TEST(WorkloadGroup, SharesSourceQueues) {
    const experiment e = experiment_of(mesh);
    struct refilling final : workload {
        std::uint32_t sent = 0, calls = 0;
        traffic_port* port = nullptr;
        void start(traffic_port& p) override { port = &p; }
        cycle_t next_tick() const override { return sent == 0 ? port->first_cycle() : never; }
        void tick(cycle_t) override { send(); }
        void queue_space(std::uint32_t, std::uint32_t) override {
            ++calls;
            if (sent < 50) send();
        }
        void send() {
            sare::message m;
            m.source = 3;
            m.destination = 12;
            m.flits = 4;
            m.generated = port->now();
            ++sent;
            port->send(m);
            port->call_when_queued(3, 0, 1);
        }
        generated_counts generated(cycle_t) override { return {sent, 4 * sent}; }
        generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
    } one, two;
    stepped_network net(e);
    net.add("one", one);
    net.advance(100);
    net.add("two", two);  // in mid-run
    EXPECT_THROW(net.add("two", two), std::invalid_argument);
    net.advance(20000);
    for (const refilling* w : {&one, &two}) {
        EXPECT_EQ(w->sent, 50U);
        EXPECT_EQ(w->calls, 50U);
    }
    EXPECT_EQ(net.engine().counters().flits_consumed(), 400U);
}

}  // namespace
}  // namespace sare::test::workload_group_test
