// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/support/test_fabric.h"
#include "tlm/router/spinnaker/bank.h"

#include <fstream>
#include <set>

namespace sare::test {

inline fabric_setting spinnaker(const std::string& network, const std::string& table,
                                const std::string& router) {
    fabric_setting s;
    s.network = "triangular_torus " + network;
    s.routing = "multicast " + table;
    s.kind = "spinnaker " + router;
    s.length = "";
    s.nic.delay = 0;
    return s;
}

inline std::string table_file(const std::string& name, const std::string& entries) {
    const std::string file = testing::TempDir() + name + ".multicast";
    std::ofstream(file) << "sare-multicast 1\n" << entries;
    return "file=" + file;
}

inline void kill_link(test_fabric& f, std::uint32_t router, std::uint32_t port) {
    const port_peer to = f.map().peer(router_id(router), port_id(port));
    for (const auto& [r, p] : {std::pair(router, port), std::pair(to.id, to.port)})
        f.net.context().bank_of(r).fail_port(f.net.context().in_bank(r), p, 0);
}

/// To all targets of a node, or to another node.
inline sare::message firing(std::uint32_t source, cycle_t at, std::uint32_t destination) {
    sare::message m;
    m.source = source;
    m.destination = destination;
    m.generated = at;
    return m;
}
inline sare::message firing(std::uint32_t source, cycle_t at) {
    return firing(source, at, source);
}

/// Nodes fire at random; what becomes of every delivery.
class told_firing final : public workload {
  public:
    struct fate {
        sare::message what;
        std::multiset<std::uint32_t> delivered, lost;  ///< nodes
        std::uint32_t whole = 0;                       ///< times it was delivered as a message
    };
    std::vector<fate> fates;
    std::map<std::string, std::uint64_t> causes;                          ///< of drops
    std::vector<std::tuple<cycle_t, std::uint32_t, std::uint64_t>> told;  ///< (cycle, node, message)
    std::uint32_t longest = 1;                                            ///< flits of a message

    told_firing(std::uint64_t seed, cycle_t end, double rate, double unicast)
        : m_random(seed, stream::test, 2), m_end(end), m_rate(rate), m_unicast(unicast) {}
    /// Only what is in a list.
    explicit told_firing(std::vector<sare::message> script) : m_end(0), m_script(std::move(script)) {
        m_next = m_script.front().generated;
    }

    void start(traffic_port& port) override {
        m_port = &port;
        m_table = port.multicast();
    }
    cycle_t next_tick() const override { return m_next; }
    void tick(cycle_t now) override {
        for (; m_sent < m_script.size() && m_script[m_sent].generated <= now; ++m_sent)
            fire(m_script[m_sent]);
        if (!m_script.empty()) {
            m_next = m_sent == m_script.size() ? never : m_script[m_sent].generated;
            return;
        }
        m_next = now + 1 < m_end ? now + 1 : never;
        for (std::uint32_t n = 0; n < m_port->nodes(); ++n) {
            if (!m_random.bernoulli(m_rate)) continue;
            if (m_random.bernoulli(m_unicast))
                fire(firing(n, now, m_random.below(m_port->nodes())));
            else if (m_table->is_source(n))
                fire(firing(n, now));
        }
    }
    bool wants_packets() const override { return true; }
    void packet_delivered(const sare::message& m, std::uint32_t node, cycle_t, cycle_t now) override {
        fates[m.tag].delivered.insert(node);
        told.emplace_back(now, node, m.tag);
    }
    void delivered(const delivery& d) override { ++fates[d.what.tag].whole; }
    void dropped_at(const sare::message& m, const std::string& cause, const drop_location& at) override {
        ++causes[cause];
        told.emplace_back(m_port->now(), ~at.router, m.tag);
        if (!to_all(m)) return void(fates[m.tag].lost.insert(m.destination));
        const auto [router, port] = m_table->avoided(at.router, at.port,
                                                     at.on_link      ? at.phase
                                                     : at.phase == 1 ? 2
                                                                     : 0);
        lose(m, router, port);
    }
    bool finished() const override { return m_next == never; }
    bool runs_to_completion() const override { return true; }
    generated_counts generated(cycle_t) override { return {fates.size(), fates.size()}; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }

    bool to_all(const sare::message& m) const {
        return m.destination == m.source && m_table->is_source(m.source);
    }
    /// A message of which deliveries and losses are not its targets, each once; or "".
    std::string unaccounted() const {
        for (const fate& f : fates) {
            std::multiset<std::uint32_t> expected{f.what.destination}, found = f.delivered;
            if (to_all(f.what)) {
                const auto& targets = m_table->targets(f.what.source);
                expected = {targets.begin(), targets.end()};
            }
            found.insert(f.lost.begin(), f.lost.end());
            if (found != expected || f.whole != (f.lost.empty() ? 1U : 0U))
                return "message " + std::to_string(f.what.tag) + " of node " + std::to_string(f.what.source) +
                       ": " + std::to_string(f.delivered.size()) + " delivered, " +
                       std::to_string(f.lost.size()) + " lost of " + std::to_string(expected.size());
        }
        return "";
    }
    std::uint64_t count(std::multiset<std::uint32_t> fate::*which) const {
        std::uint64_t all = 0;
        for (const fate& f : fates) all += (f.*which).size();
        return all;
    }

  private:
    void fire(sare::message m) {
        if (longest > 1) m.flits = 1 + m_random.below(longest);
        m.tag = fates.size();
        fates.push_back({m, {}, {}, 0});
        m_port->send(m);
    }
    /// All targets behind an output.
    void lose(const sare::message& m, std::uint32_t router, std::uint32_t port) {
        if (port >= hexagon::links) {
            const std::uint32_t each = m_port->nodes() / (m_port->router_of(m_port->nodes() - 1) + 1);
            fates[m.tag].lost.insert(router * each + port - hexagon::links);
            return;
        }
        const std::uint32_t next = m_table->next(router, port);
        const std::uint64_t out = m_table->ports(next, m.source, port);
        for (std::uint32_t p = 0; p < 64; ++p)
            if ((out >> p & 1) != 0) lose(m, next, p);
    }

    traffic_port* m_port = nullptr;
    const multicast_table* m_table = nullptr;
    rng m_random;
    cycle_t m_end, m_next = 0;
    double m_rate = 0, m_unicast = 0;
    std::vector<sare::message> m_script;
    std::size_t m_sent = 0;
};

}  // namespace sare::test
