// SPDX-License-Identifier: Apache-2.0
#include "tlm/state/archive.h"
#include "tlm/stats/table.h"
#include "traffic/source/driven_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace sare::traffic::variants::ping {
namespace {

const table_form pings_form{"pings.csv", R"(
    source: count. Node that sends the probes.
    destination: count. Node that they go to.
    probes: count in messages. That arrived.
    min_cycles: count in cycles. Least latency, from generation.
    mean_cycles: number in cycles. Mean latency.
    max_cycles: count in cycles. Largest latency.
    lost: count in messages. That did not arrive.
)"};

struct parameters : spatial_parameters {
    std::vector<std::vector<std::uint32_t>> pairs;
    std::uint32_t rounds = 1;
    cycle_t interval = 0;
    cycle_t time_out = usual_time_out;
    parameters() { pattern = config::value::scalar("distribution"); }
};

/// Probes, one of a node under way at a time: when it has arrived the next one leaves. With an interval they
/// leave at a fixed rate, whatever has arrived. Every node goes through its pairs `rounds` times; where none
/// are given it takes what the pattern says, n - 1 a round.
class ping : public driven_source {
  public:
    ping(const parameters& p, const config::value& section, const workload_context& c)
        : driven_source(p, c, p.time_out),
          m_rounds(p.rounds),
          m_interval(p.interval),
          m_given(!p.pairs.empty()),
          m_nodes(c.nodes) {
        for (const auto& pair : p.pairs) {
            const auto wrong = [&](const std::string& text) {
                throw config::error(section.find("pairs")->where(), "workload 'ping': " + text);
            };
            if (pair.size() != 2) wrong("a pair must be [source, destination]");
            for (const auto n : pair)
                if (n >= c.nodes)
                    wrong(fmt::format("there is no node {}; nodes are 0 to {}", n, c.nodes - 1));
            m_nodes[pair[0]].to.push_back(pair[1]);
        }
    }

    cycle_t next_tick() const override { return std::min(driven_source::next_tick(), m_again); }

    void tick(cycle_t now) override {
        const bool first = !begun();
        driven_source::tick(now);
        if (m_interval == 0 || (!first && now < m_again)) return;
        if (!first) probe_all();
        m_again = never;
        for (std::uint32_t i = 0; i < m_nodes.size(); ++i)
            if (left(i) != 0) m_again = now + m_interval;
    }

    void delivered(const delivery& d) override {
        count(d);
        m_latencies[{d.what.source, d.what.destination}].add(d.consumed - d.what.generated);
        if (m_interval == 0) probe(d.what.source);
    }

    void missed(std::uint32_t source, std::uint32_t destination) override {
        ++m_latencies[{source, destination}].lost;
        if (m_interval == 0) probe(source);
    }

    bool finished() const override {
        return begun() && m_again == never && under_way() == 0 && not_missed() == 0;
    }
    bool runs_to_completion() const override { return true; }

    void serialize(archive& a) override {
        driven_source::serialize(a);
        a(m_nodes, m_again, m_latencies);
    }

    std::vector<std::pair<std::string, std::string>> tables() const override {
        table rows(pings_form);
        for (const auto& [ends, l] : m_latencies) {
            rows.counts({ends.first, ends.second});
            rows.cell(l.probes);
            if (l.probes == 0) {
                rows.no_cell(3);
            } else {
                rows.cell(l.min);
                rows.cell(config::number_text(static_cast<double>(l.sum) / static_cast<double>(l.probes)));
                rows.cell(l.max);
            }
            rows.row(l.lost);
        }
        return {{pings_form.file(), rows.text()}};
    }

    config::value results() const override {
        latency all;
        for (const auto& [ends, l] : m_latencies) {
            all.min = std::min(all.min, l.min);
            all.max = std::max(all.max, l.max);
        }
        config::value out = driven_source::results();
        out.set("pairs", config::number(m_latencies.size()));
        out.set("min_message_cycles", config::number(all.min == never ? 0 : all.min));
        out.set("max_message_cycles", config::number(all.max));
        return out;
    }

  private:
    struct node {
        std::vector<std::uint32_t> to;  ///< destinations of the given pairs
        std::uint64_t sent = 0;
        void serialize(archive& a) { a(to, sent); }
    };
    /// Latencies of probes: cycles from generation to consumption.
    struct latency {
        std::uint64_t probes = 0;  ///< number of probes that arrived
        std::uint64_t lost = 0;
        cycle_t sum = 0, min = never, max = 0;
        void add(cycle_t cycles) {
            ++probes;
            sum += cycles;
            min = std::min(min, cycles);
            max = std::max(max, cycles);
        }
    };

    void begin(std::uint32_t) override { probe_all(); }

    void probe_all() {
        for (std::uint32_t i = 0; i < m_nodes.size(); ++i) probe(i);
    }

    std::uint64_t left(std::uint32_t i) const {
        if (!m_given && silent(i)) return 0;
        const std::uint64_t round = m_given ? m_nodes[i].to.size() : m_nodes.size() - 1;
        return round * m_rounds - m_nodes[i].sent;
    }

    void probe(std::uint32_t i) {
        node& n = m_nodes[i];
        if (left(i) == 0) return;
        if (m_given)
            send(i, n.to[n.sent % n.to.size()], 0);
        else
            send(i, 0);
        ++n.sent;
    }

    std::uint32_t m_rounds;
    cycle_t m_interval, m_again = never;  ///< m_again: cycle at which the next probes leave
    bool m_given;
    std::vector<node> m_nodes;
    std::map<std::pair<std::uint32_t, std::uint32_t>, latency> m_latencies;
};

const config::registration<workload, const workload_context&> registered{
    "ping",
    "Probes for latency, one of a node under way at a time or at a fixed rate; a table of every pair's.",
    config::schema<parameters>()
        .include(spatial_fields())
        .integer_rows("pairs", &parameters::pairs, 0, 4294967295.0, "node",
                      "[source, destination] each; none: by the pattern, distribution being all pairs")
        .number("rounds", &parameters::rounds, 1, 1e9, "",
                "probes of every given pair, in turn; by the pattern, a round of a node is a probe for every "
                "other node")
        .number(
            "interval", &parameters::interval, 0, 1e12, "cycles",
            "between two probes of a node, whatever has arrived; 0: the next one when the last has arrived")
        .number("time_out", &parameters::time_out, 1, 1e12, "cycles", time_out_text),
    [](const parameters& p, const config::value& section, const workload_context& c) {
        return in_class(p.message_class, std::make_unique<ping>(p, section, c));
    }};

}  // namespace
}  // namespace sare::traffic::variants::ping
