// SPDX-License-Identifier: Apache-2.0
#include "traffic/multicast/multicast.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::traffic {
namespace {

config::schema<multicast_parameters> fields() {
    const auto times =
        config::schema<timed_parameters>()
            .raw("length", &timed_parameters::length, "length",
                 "flits of a packet: an integer, or a section with the name of a law", resolve_length)
            .number("rate", &timed_parameters::load, 0, 1, "packets/node/cycle",
                    "how often a node fires: a packet to all of its targets")
            .number("start_cycle", &timed_parameters::start_cycle, 0, 1e15, "cycles", "no packet before")
            .number("stop_cycle", &timed_parameters::stop_cycle, 0, 1e15, "cycles",
                    "no packet from then on; 0: never stops")
            .number("source_queue", &timed_parameters::source_queue, 0, 1 << 20, "packets",
                    "a node fires not while so many wait in it; 0: no limit");
    return config::schema<multicast_parameters>()
        .choice("copies", &multicast_parameters::copies,
                {{"network", multicast_carrier::network}, {"source", multicast_carrier::source}},
                "routers copy a packet on its way, or the source sends a message to each target")
        .number("header", &multicast_parameters::header, 0, 65535, "flits",
                "more flits of each packet, which name its targets; 0: tables of routers know them")
        .include(times);
}

const config::registration<workload, const workload_context&> registered{
    "multicast",
    "Every node fires at a rate, to all of its targets in the network's multicast table (open loop).",
    fields(), config::made<multicast>};

/// Another law, with a header before each message.
class length_with_header final : public length_law {
  public:
    length_with_header(std::unique_ptr<length_law> data, std::uint32_t header)
        : length_law(data->smallest() + header, data->largest() + header),
          m_data(std::move(data)),
          m_header(header) {}
    double mean_of(const function_of_length& f) const override {
        return m_data->mean_of([&](std::uint32_t flits) { return f(flits + m_header); });
    }
    void serialize(archive& a) override { m_data->serialize(a); }

  private:
    std::uint32_t draw(rng& random) override { return m_header + m_data->next(random); }

    std::unique_ptr<length_law> m_data;
    std::uint32_t m_header;
};

}  // namespace

/// A pattern to the source itself, which means all of its targets; asked once a packet.
class multicast::to_targets final : public pattern {
  public:
    explicit to_targets(multicast& all) : m_all(all) {}
    std::uint32_t destination(std::uint32_t source, rng&) override {
        m_all.begin_packet(source);
        return m_all.m_carrier == multicast_carrier::network ? source : m_all.send_to_others(source);
    }
    bool silent(std::uint32_t source) const override { return !m_all.m_table->is_source(source); }

  private:
    multicast& m_all;
};

multicast::multicast(const multicast_parameters& p, const config::value& section, const workload_context& c)
    : timed_source(
          p, c.folder,
          std::make_unique<length_with_header>(make_length(p.length, {c.folder, c.flit_bytes}), p.header),
          p.load, bernoulli(p.load > 0 ? p.load : 1)),
      m_at(section.where()),
      m_carrier(p.copies) {}

void multicast::start(traffic_port& port) {
    m_table = port.multicast();
    if (m_table == nullptr)
        throw config::error(
            m_at,
            "workload 'multicast' needs 'fidelity: flit', no 'nic.retransmission', and a network of its own "
            "whose routers copy packets: 'router: {forking: asynchronous}' with 'routing: {function: "
            "multicast_tree}', or 'router: {kind: spinnaker}' with 'routing: {function: multicast}'");
    for (std::uint32_t n = 0; m_carrier == multicast_carrier::source && n < port.nodes(); ++n)
        if (const auto& all = m_table->targets(n); std::binary_search(all.begin(), all.end(), n))
            throw config::error(
                m_at,
                fmt::format(
                    "'copies: source' sends a message to each target, and node {} is a target of its own",
                    n));
    m_network = &port;
    m_counts.resize(port.nodes());
    for (std::uint32_t n = 0; n < port.nodes(); ++n) m_routers = std::max(m_routers, port.router_of(n) + 1);
    timed_source::start(port);
}

std::unique_ptr<pattern> multicast::choose_pattern(const traffic_port&) {
    return std::make_unique<to_targets>(*this);
}

void multicast::begin_packet(std::uint32_t source) {
    ++m_counts[source].packets;
    const std::uint32_t slot = m_open.take();
    m_open[slot] = {static_cast<std::uint32_t>(m_table->targets(source).size()), false, ""};
    set_tag(slot);
}

/// Sends the message that is due to all targets but the last. Returns the last one.
std::uint32_t multicast::send_to_others(std::uint32_t source) {
    const auto& targets = m_table->targets(source);
    message m = due();
    for (std::size_t k = 0; k + 1 < targets.size(); ++k) {
        m.destination = targets[k];
        m_network->send(m);
        m_more += {1, m.flits};
    }
    return targets.back();
}

double multicast::expected_load() const {
    if (m_table == nullptr || m_carrier == multicast_carrier::network) return timed_source::expected_load();
    double targets = 0;
    for (std::uint32_t n = 0; n < m_counts.size(); ++n)
        targets += static_cast<double>(m_table->targets(n).size());
    return timed_source::expected_load() * targets / static_cast<double>(m_counts.size());
}

generated_counts multicast::generated(cycle_t now) {
    generated_counts all = timed_source::generated(now);
    all += m_more;
    return all;
}

void multicast::packet_delivered(const message& m, std::uint32_t, cycle_t, cycle_t now) {
    counts& c = m_counts[m.source];
    const cycle_t cycles = now - m.generated;
    ++c.delivered;
    c.cycles += cycles;
    c.most_cycles = std::max(c.most_cycles, cycles);
    m_each.record(cycles);
    const auto slot = static_cast<std::uint32_t>(m.tag);
    open_packet& p = m_open[slot];
    if (!std::exchange(p.reached, true)) m_first.record(cycles);
    if (--p.targets == 0 && m_carrier == multicast_carrier::source) end_packet(slot, m.source, cycles);
}

void multicast::delivered(const delivery& d) {
    if (m_carrier == multicast_carrier::network)
        end_packet(static_cast<std::uint32_t>(d.what.tag), d.what.source, d.consumed - d.what.generated);
}

/// Counts a packet that has come to all of its targets, to the last one after `cycles`.
void multicast::end_packet(std::uint32_t slot, std::uint32_t source, cycle_t cycles) {
    counts& c = m_counts[source];
    ++c.whole;
    c.last_cycles += cycles;
    m_last.record(cycles);
    m_open.give_back(slot);
}

/// Returns the targets behind the place of a drop. After its first leg a copy waits to leave on its second.
std::uint32_t multicast::lost_with(std::uint32_t source, const drop_location& at) {
    if (at.port == drop_location::no_port) return 0;
    const std::uint32_t leg = at.on_link ? at.phase : at.phase == 1 ? 2 : 0;
    const auto [router, port] = m_table->avoided(at.router, at.port, leg);
    const std::uint64_t key =
        (std::uint64_t{source} * m_routers + router) * 64 + port;  // below 2^28 * 2^24 * 2^6
    const auto [known, is_new] = m_beyond.try_emplace(key, 0);
    if (is_new) known->second = m_table->targets_beyond(source, router, port);
    return known->second;
}

void multicast::dropped_at(const message& m, const std::string& cause, const drop_location& at) {
    open_packet& p = m_open[static_cast<std::uint32_t>(m.tag)];
    count_lost(m.source, p, cause, lost_with(m.source, at));
    if (at.port == drop_location::no_port) p.caught = cause;
}

void multicast::count_lost(std::uint32_t source, open_packet& p, const std::string& cause,
                           std::uint32_t targets) {
    m_counts[source].dropped += targets;
    m_causes[cause] += targets;
    p.targets -= targets;
}

/// Counts the rest of a lost packet. The targets of a copy that was caught in a router, or of a packet in its
/// NIC, are what is left when all others have come or been dropped.
void multicast::lost(const message& m) {
    const auto slot = static_cast<std::uint32_t>(m.tag);
    open_packet& p = m_open[slot];
    if (!p.caught.empty()) count_lost(m.source, p, p.caught, p.targets);
    m_open.give_back(slot);
}

multicast::counts multicast::of(std::uint32_t source) const {
    counts c = m_counts[source];
    c.expected = c.packets * m_table->targets(source).size();
    c.links = c.packets * m_table->links(source);
    c.unicast_links = c.packets * m_table->unicast_links(source);
    return c;
}

multicast::counts multicast::all() const {
    counts sum;
    for (std::uint32_t n = 0; n < m_counts.size(); ++n) sum.add(of(n));
    return sum;
}

void multicast::measured_from(cycle_t) {
    m_at_start = all();
}

void multicast::measured_to(cycle_t) {
    m_at_end = all();
}

void multicast::counts::add(const counts& o) {
    packets += o.packets, expected += o.expected, delivered += o.delivered, dropped += o.dropped;
    whole += o.whole, cycles += o.cycles, last_cycles += o.last_cycles;
    links += o.links, unicast_links += o.unicast_links;
    most_cycles = std::max(most_cycles, o.most_cycles);
}

void multicast::counts::serialize(archive& a) {
    a(packets, expected, delivered, dropped, whole, cycles, last_cycles, most_cycles, links, unicast_links);
}

void multicast::open_packet::serialize(archive& a) {
    a(targets, reached, caught);
}

void multicast::serialize(archive& a) {
    timed_source::serialize(a);
    a(m_open, m_counts, m_causes, m_first, m_each, m_last, m_more, m_at_start, m_at_end);
}

}  // namespace sare::traffic
