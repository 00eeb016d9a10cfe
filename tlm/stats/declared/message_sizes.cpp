// SPDX-License-Identifier: Apache-2.0
#include "tlm/api/other_ranks.h"
#include "tlm/api/packet.h"
#include "tlm/state/archive.h"
#include "tlm/stats/latency.h"
#include "tlm/stats/results.h"
#include "tlm/stats/statistic.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

/// Latency of messages by their size, and their slowdown: the latency over what the message takes when it has
/// the network for itself (as in the papers on DCTCP, pFabric, Homa and HPCC).
namespace sare {
namespace sizes_of_messages {
namespace {

const table_form form{"message_sizes.csv", R"(
    from: count in bytes. Least size of the messages of the row, in data.
    to: count in bytes. First size beyond the row; empty: it has no end.
    messages: count. Messages of these sizes that arrived whole in the measured window.
    latency_mean: number in cycles. Mean latency from generation to the last flit.
    latency_p50: number in cycles. Latency that half of them do not exceed.
    latency_p99: number in cycles. Latency that 99% of them do not exceed.
    idle_mean: number in cycles. Mean latency that they have in the idle network.
    slowdown_mean: number. Mean of the latency of each over its latency in the idle network.
    slowdown_p50: number. Slowdown that half of them do not exceed.
    slowdown_p99: number. Slowdown that 99% of them do not exceed.
    slowdown_max: number. Largest slowdown.
)"};

struct parameters {
    std::vector<std::uint64_t> edges;  ///< sizes in bytes at which rows begin; empty: the powers of 2
};

/// Distribution of slowdowns, in thousandths.
class slowdowns {
  public:
    void record(cycle_t took, cycle_t idle) { m_all.record((1000 * took + idle / 2) / idle); }
    void add(const slowdowns& more) { m_all.add(more.m_all); }
    latency_summary summary() const {
        latency_summary s = m_all.summary();
        for (double* x : {&s.mean, &s.p50, &s.p99, &s.max}) *x /= 1000;
        return s;
    }
    template <class Archive>
    void serialize(Archive& a) {
        a(m_all);
    }

  private:
    latency_histogram m_all;
};

/// The messages of a row of the table.
struct size_row {
    latency_histogram latency;
    slowdowns slowdown;
    std::uint64_t idle = 0;  ///< sum of latencies in the idle network

    void add(const size_row& more) {
        latency.add(more.latency);
        slowdown.add(more.slowdown);
        idle += more.idle;
    }
    template <class Archive>
    void serialize(Archive& a) {
        a(latency, slowdown, idle);
    }
};

class message_sizes final : public statistic {
  public:
    message_sizes(const parameters& p, const statistic_context& c)
        : m_edges(p.edges), m_flit_bytes(c.flit_bits / 8), m_idle_latency(c.idle_latency) {
        if (!m_edges.empty()) return;
        m_edges.push_back(1);
        while (m_edges.size() < 64) m_edges.push_back(2 * m_edges.back());
    }

    void start(cycle_t) override { m_measuring = true; }
    void stop(cycle_t) override { m_measuring = false; }
    bool wants_messages() const override { return true; }
    void message_consumed(const message_record& m, cycle_t now) override {
        if (!m_measuring) return;
        const cycle_t took = now - m.what.generated, idle = m_idle_latency(m.what);
        if (idle == 0) return;  // a network that loses a lone message has nothing to compare with
        size_row& row = m_rows[row_of(m.what)];
        row.latency.record(took);
        row.slowdown.record(took, idle);
        row.idle += idle;
    }
    void serialize(archive& a) override { a(m_measuring, m_rows); }
    void add_up(world& all) override {
        tell_first_rank(
            all, [&](archive& mine) { mine(m_rows); },
            [&](archive& theirs) {
                std::map<std::uint32_t, size_row> more;
                theirs(more);
                for (const auto& [row, its] : more) m_rows[row].add(its);
            });
    }
    void report(const reading&, run_result& out) const override {
        table t(form);
        for (const auto& [row, its] : m_rows) {
            const latency_summary latency = its.latency.summary(), slowdown = its.slowdown.summary();
            t.cell(row == 0 ? 0 : m_edges[row - 1]);
            row == m_edges.size() ? t.no_cell() : t.cell(m_edges[row]);
            t.row(latency.count, latency.mean, latency.p50, latency.p99,
                  static_cast<double>(its.idle) / static_cast<double>(latency.count), slowdown.mean,
                  slowdown.p50, slowdown.p99, slowdown.max);
        }
        out.tables.emplace_back(form.file(), t.text());
    }
    /// Returns the slowdowns of all messages.
    latency_summary all() const {
        slowdowns sum;
        for (const auto& row : m_rows) sum.add(row.second.slowdown);
        return sum.summary();
    }

  private:
    /// Returns the number of edges up to the size of a message.
    std::uint32_t row_of(const message& m) const {
        const std::uint64_t bytes =
            m.bytes == message::in_flits ? std::uint64_t{m.flits} * m_flit_bytes : m.bytes;
        return static_cast<std::uint32_t>(std::upper_bound(m_edges.begin(), m_edges.end(), bytes) -
                                          m_edges.begin());
    }

    std::vector<std::uint64_t> m_edges;
    const std::uint32_t m_flit_bytes;
    const std::function<cycle_t(const message&)> m_idle_latency;
    std::map<std::uint32_t, size_row> m_rows;  ///< rows with messages, by row_of()
    bool m_measuring = false;
};

figure slowdown(const char* name, const char* sentence, double latency_summary::*which) {
    return {scope::run,
            std::string("slowdown.") + name,
            "",
            sentence,
            summing::as_is,
            [which](const reading& r, const figure_place&) {
                return figure_cell(static_cast<const message_sizes*>(r.own)->all().*which);
            }};
}

const statistic_declaration declared{
    "message_sizes",
    "Latency and slowdown of messages by their size: message_sizes.csv. Each message is sent again in an "
    "idle "
    "copy of the network, so a run takes up to three times as long.",
    config::schema<parameters>().integers("edges", &parameters::edges, 1, 1e18, "bytes",
                                          "Sizes at which rows begin, ascending; left out: powers of 2."),
    {slowdown("mean", "Mean of the messages' latencies over those in the idle network.",
              &latency_summary::mean),
     slowdown("p50", "Slowdown that half of the messages do not exceed.", &latency_summary::p50),
     slowdown("p99", "Slowdown that 99% of the messages do not exceed.", &latency_summary::p99)},
    [](const parameters& p, const config::value& section, const statistic_context& c) {
        if (!c.idle_latency)
            throw config::error(section.where(),
                                "'message_sizes' is for messages from node to node, and 'combining' ends "
                                "them in combiners; or clocks change, by 'schedule' or 'governor'; leave "
                                "one out");
        for (std::size_t k = 1; k < p.edges.size(); ++k)
            if (p.edges[k] <= p.edges[k - 1])
                throw config::error(
                    section.where(),
                    fmt::format("'edges' must ascend, and {} comes behind {}", p.edges[k], p.edges[k - 1]));
        return new message_sizes(p, c);
    }};

}  // namespace
}  // namespace sizes_of_messages
}  // namespace sare
