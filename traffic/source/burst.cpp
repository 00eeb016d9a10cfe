// SPDX-License-Identifier: Apache-2.0
#include "tlm/api/nodes_here.h"
#include "tlm/api/synchronized_workload.h"
#include "tlm/base/world.h"
#include "tlm/state/archive.h"
#include "traffic/source/open_loop.h"

#include <algorithm>

namespace sare::traffic::variants::burst {
namespace {

struct parameters : spatial_parameters {
    std::uint32_t messages = 100;
    std::uint32_t bursts = 1;
    double load = 0;
};

/// Bursts. The port's queue of a node holds at most `window` messages; the rest of a burst is a count.
class burst : public workload, public synchronized_workload {
  public:
    burst(parameters p, const config::value& section, const workload_context& c)
        : m_parameters(std::move(p)),
          m_folder(c.folder),
          m_length(make_length(m_parameters.length, {c.folder, c.flit_bytes})),
          m_probability(message_probability(m_parameters.load, m_length->mean(), section)) {}

    void start(traffic_port& port) override {
        m_port = &port;
        m_pattern = make_pattern(m_parameters, port, m_folder);
        m_length = padded(std::move(m_length), port.padded(1));
        m_nodes.resize(port.nodes());
        for (std::uint32_t i = 0; i < m_nodes.size(); ++i)
            m_nodes[i].packets = rng(port.seed(), stream::packet, i);
        m_apart = !has_all_nodes(port);
        m_next = port.first_cycle();
    }
    cycle_t next_tick() const override { return m_next; }

    void tick(cycle_t now) override {
        m_next = never;
        if (!m_under_way) begin(now);
        if (m_probability > 0) return draw();
        for (std::uint32_t i = 0; i < m_nodes.size(); ++i) queue_space(i, 0);
    }

    void queue_space(std::uint32_t i, std::uint32_t) override {
        node& n = m_nodes[i];
        if (n.left == 0) return;
        for (std::uint32_t queued = m_port->queued_of(i, 0); queued < window && n.left > 0; ++queued)
            send(i, n);
        if (n.left > 0) m_port->call_when_queued(i, 0, window / 2);
    }

    /// Counts a message of a burst, whose cycles run from its first one to the last consumption, or loss; the
    /// next burst begins a cycle later.
    void delivered(const delivery&) override { one_less(); }
    void lost(const message&) override {
        ++m_lost;
        one_less();
    }

    bool finished() const override {
        if (m_cycles.size() >= m_parameters.bursts) return true;
        return m_apart && m_under_way && m_unsent == 0 && is_last();
    }
    bool runs_to_completion() const override { return true; }
    double progress() const override {
        const double all = static_cast<double>(m_nodes.size()) * m_parameters.messages;
        const std::uint64_t left = m_apart ? m_unsent : m_outstanding;
        const double here = left == 0 ? 0 : 1 - static_cast<double>(left) / all;
        return (static_cast<double>(m_cycles.size()) + here) / m_parameters.bursts;
    }
    generated_counts generated(cycle_t) override { return m_generated; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
    std::uint32_t largest_message() const override { return m_length->largest(); }

    bool runs_by_nodes() const override { return true; }
    /// True if there are several bursts: the next begins everywhere in the cycle behind the last consumption.
    bool agrees() const override { return m_parameters.bursts > 1; }
    cycle_t next_agreement() const override { return m_agreement; }
    /// Adds up what is outstanding, which takes some cycles to be consumed: processes do not ask each other
    /// before.
    void agree(world& all, std::uint32_t most) override {
        const std::uint64_t left = all.sum(std::uint64_t{m_outstanding});
        const std::uint64_t a_cycle = std::uint64_t{most} * m_nodes.size();
        m_last = m_port->now();
        m_agreement = left == 0 ? never : m_last + (left + a_cycle - 1) / a_cycle;
        if (left == 0) end();
    }
    void add_up(world& all) override {
        m_outstanding = all.sum(m_outstanding);
        m_last = all.most(m_last);
        m_lost = all.sum(m_lost);
        if (m_apart && m_under_way && m_outstanding == 0 && is_last()) m_cycles.push_back(m_last - m_began);
    }

    void serialize(archive& a) override {
        a(m_nodes, m_outstanding, m_unsent, m_under_way, m_began, m_last, m_next, m_cycles, m_lost,
          m_generated, m_agreement);
        if (m_pattern != nullptr) m_pattern->serialize(a);
        m_length->serialize(a);
    }

    config::value results() const override {
        config::value out = config::value::map({});
        std::vector<config::value> each;
        std::uint64_t sum = 0;
        for (const auto c : m_cycles) {
            sum += c;
            each.push_back(config::number(c));
        }
        const double mean =
            m_cycles.empty() ? 0 : static_cast<double>(sum) / static_cast<double>(m_cycles.size());
        out.set("bursts", config::number(m_cycles.size()));
        out.set("mean_burst_cycles", config::number(mean));
        out.set("burst_cycles", config::value::list(std::move(each)));
        if (m_lost != 0) out.set("lost", config::number(m_lost));
        return out;
    }

  private:
    static constexpr std::uint32_t window = 16;
    struct node {
        rng packets;
        std::uint32_t left = 0;  ///< messages of this burst not yet handed to the port
    };

    void begin(cycle_t now) {
        m_under_way = true;
        m_began = now;
        bool silent = true;
        for (std::uint32_t i = 0; i < m_nodes.size(); ++i) {
            if (m_pattern->silent(i)) continue;
            silent = false;
            if (!m_port->is_here(i)) continue;
            m_nodes[i].left = m_parameters.messages;
            m_unsent += m_parameters.messages;
        }
        m_outstanding = m_unsent;
        if (silent) m_cycles.resize(m_parameters.bursts, 0);
        if (m_apart && !silent && !is_last()) m_agreement = now;
    }
    bool is_last() const { return m_cycles.size() + 1 == m_parameters.bursts; }

    void one_less() {
        m_last = m_port->now();
        if (--m_outstanding == 0 && !m_apart) end();
    }
    void end() {
        m_cycles.push_back(m_last - m_began);
        m_under_way = false;
        if (m_cycles.size() < m_parameters.bursts) m_next = m_last + 1;
    }

    void send(std::uint32_t i, node& n) {
        message m;
        m.source = i;
        m.flits = m_length->next(n.packets);
        m.destination = m_pattern->destination(i, n.packets);
        m.generated = m_port->now();
        ++m_generated.messages;
        m_generated.flits += m.flits;
        --n.left;
        --m_unsent;
        m_port->send(m);
    }

    /// Lets each node with no message in its source queue make one, with the same probability in each cycle.
    void draw() {
        for (std::uint32_t i = 0; i < m_nodes.size(); ++i) {
            node& n = m_nodes[i];
            if (n.left == 0) continue;
            m_next = m_port->now() + 1;
            if (m_port->queued_of(i, 0) == 0 && n.packets.bernoulli(m_probability)) send(i, n);
        }
    }

    parameters m_parameters;
    std::string m_folder;
    std::unique_ptr<length_law> m_length;
    double m_probability;  ///< messages per node and cycle; 0: as fast as it can
    traffic_port* m_port = nullptr;
    std::unique_ptr<pattern> m_pattern;
    std::vector<node> m_nodes;
    bool m_apart = false;  ///< true: other processes do a part of each burst
    cycle_t m_agreement = never;
    bool m_under_way = false;
    std::uint64_t m_unsent = 0;  ///< messages of this burst not yet handed to the port
    /// Number of messages of this burst not yet consumed; one process alone may have less than 0.
    std::uint64_t m_outstanding = 0;
    cycle_t m_began = 0, m_last = 0, m_next = 0;  ///< begin of a burst, its last consumption, next tick()
    std::vector<cycle_t> m_cycles;
    std::uint64_t m_lost = 0;  ///< number of messages
    generated_counts m_generated;
};

const config::registration<workload, const workload_context&> registered{
    "burst",
    "Every node sends a burst, as fast as it can or by a load; the next begins when all of all nodes are "
    "consumed.",
    config::schema<parameters>()
        .number("messages", &parameters::messages, 1, 1e9, "messages", "messages of a node in a burst")
        .number("bursts", &parameters::bursts, 1, 1e9, "", "number of bursts")
        .number("load", &parameters::load, 0, 1e6, "flits/node/cycle",
                "with which a node makes its messages, one only when the last has left its source queue; 0: "
                "as fast as it can")
        .include(spatial_fields()),
    [](const parameters& p, const config::value& section, const workload_context& c) {
        return in_class(p.message_class, std::make_unique<burst>(p, section, c));
    }};

}  // namespace
}  // namespace sare::traffic::variants::burst
