// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <algorithm>
#include <deque>
#include <map>

/// A network for tests of workloads: every node injects one flit a cycle from its queue in order; a message
/// arrives `latency` cycles after its last flit has left (and so that cycle is `consumed`). No contention.
/// What is of a class that is blocked stays, and others go past it.
namespace sare::testing_support {

class fake_port : public traffic_port {
  public:
    explicit fake_port(std::uint32_t nodes, cycle_t latency = 10, std::vector<std::uint32_t> dims = {})
        : m_dims(std::move(dims)), m_latency(latency), m_queues(nodes), m_levels(nodes * 2, no_level) {
        if (m_dims.empty()) m_dims = {nodes};
    }

    std::uint32_t nodes() const override { return static_cast<std::uint32_t>(m_queues.size()); }
    std::uint32_t classes() const override { return 2; }
    std::uint64_t seed() const override { return the_seed; }
    cycle_t now() const override { return m_now; }
    double cycle_seconds() const override { return 1e-9; }
    const std::vector<std::uint32_t>& dims() const override { return m_dims; }
    std::uint32_t flits_for(std::uint64_t bytes) const override {
        return bytes == 0 ? 1 : static_cast<std::uint32_t>((bytes + 7) / 8);
    }
    void send(const message& m) override {
        sent.push_back(m);
        m_queues[m.source].push_back({m, m.flits, m_now});
        longest_queue = std::max(longest_queue, m_queues[m.source].size());
    }
    std::uint32_t queued(std::uint32_t node) const override {
        return static_cast<std::uint32_t>(m_queues[node].size());
    }
    std::uint32_t queued_of(std::uint32_t node, std::uint32_t message_class) const override {
        return static_cast<std::uint32_t>(
            std::count_if(m_queues[node].begin(), m_queues[node].end(),
                          [&](const entry& e) { return e.what.message_class == message_class; }));
    }
    void call_when_queued(std::uint32_t node, std::uint32_t message_class, std::uint32_t level) override {
        m_levels[2 * node + message_class] = level;
    }

    /// Runs cycles [now, end); stops early when the workload has finished and nothing is under way.
    void run(workload& w, cycle_t end) {
        for (; m_now < end; ++m_now) {
            auto due = m_flight.find(m_now);
            if (due != m_flight.end()) {
                for (const auto& d : due->second) {
                    if (lose_every != 0 && ++ended % lose_every == 0) {
                        w.dropped(d.what, "test");
                        w.lost(d.what);
                        ++lost;
                        continue;
                    }
                    ++delivered;
                    if (w.wants_deliveries()) w.delivered(d);
                }
                m_flight.erase(m_now);
            }
            for (std::uint32_t n = 0; n < nodes(); ++n)
                for (std::uint32_t c = 0; c < 2; ++c)
                    if (m_levels[2 * n + c] != no_level && queued_of(n, c) <= m_levels[2 * n + c]) {
                        m_levels[2 * n + c] = no_level;
                        w.queue_space(n, c);
                    }
            if (w.next_tick() == m_now) {
                w.tick(m_now);
                ++ticks;
            }
            bool idle = true;
            for (auto& q : m_queues) {
                if (q.empty()) continue;
                idle = false;
                if (blocked) continue;
                const auto next = std::find_if(q.begin(), q.end(), [this](const entry& e) {
                    return e.what.message_class != blocked_class;
                });
                if (next == q.end()) continue;
                if (next->left == next->what.flits) next->injected = m_now;
                if (--next->left == 0) {
                    m_flight[m_now + m_latency].push_back({next->what, next->injected, m_now + m_latency});
                    q.erase(next);
                }
            }
            if (idle && m_flight.empty() && (w.finished() || w.next_tick() == workload::never)) return;
        }
    }

    std::vector<message> sent;
    std::uint64_t delivered = 0, lost = 0, ended = 0, ticks = 0;
    std::uint64_t lose_every = 0;  ///< of the messages that would arrive each so many-th is lost; 0: none
    std::size_t longest_queue = 0;
    std::uint64_t the_seed = 1;
    bool blocked = false;               ///< nothing leaves a node
    std::uint32_t blocked_class = ~0u;  ///< nothing of it

  private:
    static constexpr std::uint32_t no_level = ~0u;
    struct entry {
        message what;
        std::uint32_t left;
        cycle_t injected;
    };
    std::vector<std::uint32_t> m_dims;
    cycle_t m_now = 0, m_latency;
    std::vector<std::deque<entry>> m_queues;
    std::vector<std::uint32_t> m_levels;
    std::map<cycle_t, std::vector<delivery>> m_flight;
};

inline config::value text(const std::string& t) {
    return config::value::scalar(t, {"test.yaml", 1, 2});
}

/// A section {key: text, ...} at test.yaml:1:2.
inline config::value section(std::vector<std::pair<std::string, std::string>> entries) {
    std::vector<config::value::entry> all;
    for (auto& [k, v] : entries) all.emplace_back(k, text(v));
    return config::value::map(std::move(all), {"test.yaml", 1, 2});
}

/// The message of the config::error that `f` throws; "" if it throws none.
template <class F>
std::string error_of(F f) {
    try {
        f();
    } catch (const config::error& e) {
        return e.what();
    }
    return "";
}

inline std::unique_ptr<workload> make_workload(const config::value& v, std::uint32_t nodes,
                                               const std::string& folder = "") {
    return workload_registry::instance().make(v, workload_context{folder, nodes});
}

}  // namespace sare::testing_support
