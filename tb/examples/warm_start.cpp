// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/yaml.h"
#include "tlm/network/network.h"
#include "tlm/sare.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <vector>

/// A network that is warmed up once and measured under several loads: fork() is the checkpoint. Each child
/// goes on from the same cycle with a copy of everything, in a process of its own (docs/checkpoint.md).
namespace {

/// Uniform messages of one flit, whose load may be changed at any time.
class adjustable final : public sare::workload {
  public:
    explicit adjustable(double load) : m_load(load) {}
    void set(double load, std::uint64_t seed) {
        m_load = load;
        m_random = sare::rng(seed, sare::stream::test, 1);
    }

    void start(sare::traffic_port& port) override { m_port = &port; }
    sare::cycle_t next_tick() const override { return m_next; }
    void tick(sare::cycle_t now) override {
        for (std::uint32_t n = 0; n < m_port->nodes(); ++n)
            if (m_random.bernoulli(m_load)) send(n, now);
        m_next = now + 1;
    }
    bool wants_deliveries() const override { return false; }
    sare::generated_counts generated(sare::cycle_t) override { return m_made; }
    sare::generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }

  private:
    void send(std::uint32_t from, sare::cycle_t now) {
        sare::message m;
        m.source = from;
        m.destination = m_random.below(m_port->nodes());
        m.generated = now;
        ++m_made.messages;
        ++m_made.flits;
        m_port->send(m);
    }

    double m_load;
    sare::rng m_random;
    sare::traffic_port* m_port = nullptr;
    sare::cycle_t m_next = 0;
    sare::generated_counts m_made;
};

constexpr sare::cycle_t warm_up = 20000, settled = 22000, measured = 32000;

/// Measures in a child, of which neither the parent nor other children see anything.
void measure(sare::cycle_engine& engine, adjustable& traffic, sare::collector& statistics, double load) {
    traffic.set(load, 7);
    engine.run_until(settled);  // to the new load
    statistics.end_interval(settled, traffic);
    engine.run_until(measured);
    const auto seen = statistics.end_interval(measured, traffic);
    std::printf("load %.1f: accepted %.4f flits/node/cycle, latency %.2f cycles, cycles %llu to %llu\n", load,
                seen.accepted, seen.latency_mean, static_cast<unsigned long long>(seen.from),
                static_cast<unsigned long long>(seen.to));
    std::fflush(stdout);
}

}  // namespace

int sc_main(int, char**) {
    const auto e = sare::experiment::read(
        sare::config::parse_yaml("network: {topology: torus, dims: [8, 8]}", "here"), "");
    sare::network net("net", e, 1);
    sare::cycle_engine& engine = net.engine();
    adjustable traffic(0.3);
    sare::collector statistics(engine.counters(), false);
    engine.set_observer(&statistics);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    engine.set_workload(traffic);

    engine.run_until(warm_up);  // once
    std::fflush(stdout);        // what is not out yet, each child would print again
    std::vector<pid_t> children;
    for (const double load : {0.1, 0.2, 0.3, 0.4}) {
        const pid_t child = fork();
        if (child < 0) return 1;
        if (child != 0) {
            children.push_back(child);
            continue;
        }
        measure(engine, traffic, statistics, load);
        _exit(0);  // destructors are the parent's
    }
    int worst = 0;
    for (const pid_t child : children) {
        int status = 0;
        waitpid(child, &status, 0);
        worst |= status;
    }
    return worst == 0 ? 0 : 1;
}
