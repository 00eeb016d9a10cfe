// SPDX-License-Identifier: Apache-2.0
#include "tlm/api/workload.h"

namespace {
using namespace sare;

struct token_parameters {
    std::uint32_t rounds = 10, flits = 4;
};

/// One message goes from node to node.
class token final : public workload {
  public:
    token(const token_parameters& p, std::uint32_t nodes) : m_flits(p.flits), m_hops(p.rounds * nodes) {}

    void start(traffic_port& port) override {
        m_port = &port;
        m_first = port.first_cycle();
    }
    cycle_t next_tick() const override { return m_first; }
    void tick(cycle_t) override {
        m_first = never;
        pass_on(0);
    }
    void delivered(const delivery& d) override {
        if (m_sent < m_hops) pass_on(d.what.destination);
    }
    bool finished() const override { return m_first == never; }
    bool runs_to_completion() const override { return true; }
    double progress() const override { return static_cast<double>(m_sent) / m_hops; }
    generated_counts generated(cycle_t) override { return {m_sent, std::uint64_t{m_sent} * m_flits}; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
    std::uint32_t largest_message() const override { return m_flits; }
    config::value results() const override {
        return config::value::map({{"hops", config::value::scalar(std::to_string(m_sent))}});
    }

  private:
    void pass_on(std::uint32_t from) {
        message m;
        m.source = from;
        m.destination = (from + 1) % m_port->nodes();
        m.flits = m_flits;
        m.generated = m_port->now();
        ++m_sent;
        m_port->send(m);
    }

    traffic_port* m_port = nullptr;
    std::uint32_t m_flits, m_hops, m_sent = 0;
    cycle_t m_first = 0;
};

const config::registration<workload, const workload_context&> registered{
    "token", "A message that every node passes on to the next.",
    config::schema<token_parameters>()
        .number("rounds", &token_parameters::rounds, 1, 1e6, "", "times round all nodes")
        .number("flits", &token_parameters::flits, 1, 65535, "flits", "of the message"),
    [](const token_parameters& p, const config::value&, const workload_context& c) {
        return new token(p, c.nodes);
    }};

}  // namespace
