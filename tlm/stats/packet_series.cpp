// SPDX-License-Identifier: Apache-2.0
#include "tlm/api/counted_network.h"
#include "tlm/api/packet.h"
#include "tlm/api/packet_changes.h"
#include "tlm/base/world.h"
#include "tlm/state/archive.h"
#include "tlm/stats/results.h"
#include "tlm/stats/statistic.h"

#include <algorithm>
#include <cmath>

/// Packets over time: how many, how far and how late, interval by interval.
namespace sare {
namespace packet_series_of_run {
namespace {

constexpr const char* name = "packet_series";
constexpr const char* file = "packets_over_time.csv";

/// Latencies of an interval, in integers: no order of packets changes a digit.
struct latencies {
    std::uint64_t sum = 0, most = 0;
    double squares = 0;  ///< below 2^53 exact: the sum of those of all packets of an interval

    void add(std::uint64_t cycles) {
        sum += cycles;
        squares += static_cast<double>(cycles) * static_cast<double>(cycles);
        most = std::max(most, cycles);
    }
    double mean(std::uint64_t packets) const {
        return static_cast<double>(sum) / static_cast<double>(packets);
    }
    double deviation(std::uint64_t packets) const {
        const double m = mean(packets);
        return std::sqrt(std::max(0.0, squares / static_cast<double>(packets) - m * m));
    }
};

/// Returns the sum over all processes of whole numbers below 2^117, which need not fit into 64 bits.
double sum_of_wholes(world& all, double mine) {
    constexpr double unit = std::uint64_t{1} << 53;
    const double high = std::floor(mine / unit);
    const auto units = static_cast<double>(all.sum(static_cast<std::uint64_t>(high)));
    return units * unit + static_cast<double>(all.sum(static_cast<std::uint64_t>(mine - high * unit)));
}

struct interval {
    cycle_t from = 0, to = 0;
    std::uint64_t injected = 0, consumed = 0, dropped = 0, hops = 0;
    latencies generation, injection;

    double per_packet(double x) const { return consumed == 0 ? std::nan("") : x; }
};

/// The columns, one line each.
struct declared {
    column what;
    double (*read)(const interval&);
};
const declared columns[] = {
    {{"from", column::count, "cycles", "First cycle of the interval."},
     [](const interval& i) { return static_cast<double>(i.from); }},
    {{"to", column::count, "cycles", "The first one after it."},
     [](const interval& i) { return static_cast<double>(i.to); }},
    {{"injected", column::count, "packets", "That entered the network."},
     [](const interval& i) { return static_cast<double>(i.injected); }},
    {{"consumed", column::count, "packets", "That came to their nodes."},
     [](const interval& i) { return static_cast<double>(i.consumed); }},
    {{"dropped", column::count, "packets", "That were dropped."},
     [](const interval& i) { return static_cast<double>(i.dropped); }},
    {{"hops_mean", column::number, "routers", "Mean number of routers that those consumed visited."},
     [](const interval& i) {
         return i.per_packet(static_cast<double>(i.hops) / static_cast<double>(i.consumed));
     }},
    {{"latency_mean", column::number, "cycles", "Mean latency of those consumed, from generation."},
     [](const interval& i) { return i.per_packet(i.generation.mean(i.consumed)); }},
    {{"latency_stddev", column::number, "cycles", "Standard deviation of it."},
     [](const interval& i) { return i.per_packet(i.generation.deviation(i.consumed)); }},
    {{"latency_max", column::number, "cycles", "Largest of it."},
     [](const interval& i) { return i.per_packet(static_cast<double>(i.generation.most)); }},
    {{"network_latency_mean", column::number, "cycles", "Mean latency of those consumed, from injection."},
     [](const interval& i) { return i.per_packet(i.injection.mean(i.consumed)); }},
    {{"network_latency_stddev", column::number, "cycles", "Standard deviation of it."},
     [](const interval& i) { return i.per_packet(i.injection.deviation(i.consumed)); }},
    {{"network_latency_max", column::number, "cycles", "Largest of it."},
     [](const interval& i) { return i.per_packet(static_cast<double>(i.injection.most)); }},
};

std::vector<column> headers() {
    std::vector<column> all;
    for (const declared& d : columns) all.push_back(d.what);
    return all;
}
const table_form form{file, headers()};

struct parameters {
    cycle_t interval = 1000;
};

/// Counts from cycle 0 on, whatever is measured; the last interval is what remains of the run.
class packet_series final : public statistic {
  public:
    packet_series(const parameters& p, const statistic_context& c)
        : m_net(c.counters), m_length(p.interval) {}

    bool wants_packets() const override { return true; }
    void packet_consumed(const packet& p, cycle_t now) override {
        ++m_now.consumed;
        m_now.hops += p.hops;
        m_now.generation.add(now - p.generated);
        m_now.injection.add(now - p.injected);
    }
    cycle_t next_look() const override { return m_now.from + m_length; }
    void look(cycle_t now) override { end(now); }
    void stop(cycle_t now) override {
        if (now > m_now.from) end(now);
    }
    void serialize(archive& a) override { a(m_now, m_injected, m_dropped, m_over); }
    void add_up(world& all) override {
        for (interval& i : m_over) {
            for (std::uint64_t* n : {&i.consumed, &i.hops, &i.generation.sum, &i.injection.sum})
                *n = all.sum(*n);
            for (latencies* l : {&i.generation, &i.injection}) {
                l->most = all.most(l->most);
                l->squares = sum_of_wholes(all, l->squares);
            }
        }
    }
    void report(const reading&, run_result& out) const override {
        table t(form);
        for (const interval& i : m_over) {
            for (const declared& d : columns)
                d.what.is == column::count ? t.cell(static_cast<std::uint64_t>(d.read(i)))
                                           : t.cell(d.read(i));
            t.end_row();
        }
        out.tables.emplace_back(file, t.text());
    }

  private:
    void end(cycle_t now) {
        m_now.to = now;
        m_now.injected = m_net.packets_injected() - m_injected;
        m_now.dropped = m_net.changes().dropped.packets - m_dropped;
        m_injected += m_now.injected;
        m_dropped += m_now.dropped;
        m_over.push_back(m_now);
        m_now = {};
        m_now.from = now;
    }

    const counted_network& m_net;
    const cycle_t m_length;
    interval m_now;                               ///< the present one
    std::uint64_t m_injected = 0, m_dropped = 0;  ///< before it
    std::vector<interval> m_over;
};

const statistic_declaration series_declared{
    name,
    "Packets over the time of the run, how far and how late: packets_over_time.csv.",
    config::schema<parameters>().number("interval", &parameters::interval, 1, 1e9, "cycles", "of each row"),
    {},
    [](const parameters& p, const config::value&, const statistic_context& c) {
        return new packet_series(p, c);
    }};

}  // namespace
}  // namespace packet_series_of_run
}  // namespace sare
