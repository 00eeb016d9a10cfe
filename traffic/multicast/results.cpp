// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/results.h"
#include "tlm/stats/table.h"
#include "traffic/multicast/multicast.h"

#include <limits>

namespace sare::traffic {
namespace {

double ratio(std::uint64_t part, std::uint64_t of) {
    return of == 0 ? std::numeric_limits<double>::quiet_NaN()
                   : static_cast<double>(part) / static_cast<double>(of);
}

const table_form fan_out_form{"fan_out.csv", R"(
    fan_out: count. Destinations of a packet.
    sources: count. Nodes whose packets have so many.
    packets: count in packets. That they sent.
    expected: count in packets. Deliveries to come of these.
    delivered: count in packets. That came.
    dropped: count in packets. That were lost.
    came_to_all: count in packets. Packets that came to all destinations.
    mean_cycles: number in cycles. Mean latency of a delivery.
    max_cycles: count in cycles. Largest latency of a delivery.
    mean_last_cycles: number in cycles. Mean latency of the last delivery of a packet.
)"};

config::value latency(const latency_histogram& h) {
    const latency_summary l = h.summary();
    return config::value::map({{"count", config::number(l.count)},
                               {"mean", config::number(l.mean)},
                               {"p50", config::number(l.p50)},
                               {"p99", config::number(l.p99)},
                               {"max", config::number(l.max)}});
}

config::value text_of(const multicast_table& t) {
    const auto [most, router] = t.fullest();
    return config::value::map({{"entries", config::number(t.entries())},
                               {"left_out_by_default_routes", config::number(t.left_out())},
                               {"entries_of_fullest_router", config::number(most)},
                               {"fullest_router", config::number(router)}});
}

}  // namespace

config::value multicast::results() const {
    const counts c = all();
    config::value causes = config::value::map({});
    for (const auto& [cause, lost] : m_causes) causes.set(cause, config::number(lost));
    const std::uint64_t came = m_at_end.delivered - m_at_start.delivered,
                        lost = m_at_end.dropped - m_at_start.dropped;
    config::value deliveries =
        config::value::map({{"expected", config::number(c.expected)},
                            {"delivered", config::number(c.delivered)},
                            {"dropped", config::number(c.dropped)},
                            {"under_way", config::number(c.expected - c.delivered - c.dropped)}});
    if (!m_causes.empty()) deliveries.set("dropped_by_cause", std::move(causes));
    config::value out = config::value::map(
        {{"packets", config::number(c.packets)},
         {"packets_that_came_to_all", config::number(c.whole)},
         {"mean_fan_out", config::number(ratio(c.expected, c.packets))},
         {"deliveries", std::move(deliveries)},
         {"measured", config::value::map({{"delivered", config::number(came)},
                                          {"dropped", config::number(lost)},
                                          {"lost_part", config::number(ratio(lost, came + lost))}})},
         {"latency", config::value::map({{"first_delivery", latency(m_first)},
                                         {"each_delivery", latency(m_each)},
                                         {"last_delivery", latency(m_last)}})},
         {"table", text_of(*m_table)}});
    if (c.unicast_links != 0) {
        const bool network = m_carrier == multicast_carrier::network;
        out.set("links",
                config::value::map(
                    {{"of_a_packet", config::number(ratio(network ? c.links : c.unicast_links, c.packets))},
                     {"of_a_packet_copied_by_routers", config::number(ratio(c.links, c.packets))},
                     {"of_a_packet_copied_by_its_source", config::number(ratio(c.unicast_links, c.packets))},
                     {"saved_part", config::number(1 - ratio(c.links, c.unicast_links))}}));
    }
    // What every such source tells.
    const config::value common = timed_source::results();
    for (const auto& [key, v] : common.entries()) out.set(key, v);
    return out;
}

std::vector<std::pair<std::string, std::string>> multicast::tables() const {
    struct group {
        std::uint64_t sources = 0;
        counts sum;
    };
    std::map<std::size_t, group> groups;
    for (std::uint32_t n = 0; n < m_counts.size(); ++n) {
        if (!m_table->is_source(n)) continue;
        group& g = groups[m_table->targets(n).size()];
        ++g.sources;
        g.sum.add(of(n));
    }
    table rows(fan_out_form);
    const auto mean = [](std::uint64_t sum, std::uint64_t n) {
        return n == 0 ? std::string() : config::number_text(ratio(sum, n));
    };
    for (const auto& [fan_out, g] : groups) {
        const counts& c = g.sum;
        rows.row(std::uint64_t{fan_out}, g.sources, c.packets, c.expected, c.delivered, c.dropped, c.whole,
                 mean(c.cycles, c.delivered), c.most_cycles, mean(c.last_cycles, c.whole));
    }
    return {{fan_out_form.file(), rows.text()}};
}

}  // namespace sare::traffic
