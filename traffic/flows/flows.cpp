// SPDX-License-Identifier: Apache-2.0
#include "traffic/flows/flows.h"

#include <algorithm>
#include <set>

namespace sare::traffic {
namespace {

const config::registration<workload, const workload_context&> registered{
    "flows", "Flows of a file or a list, each between two nodes at a rate of its own (open loop).",
    flow_parameters::fields(), config::made<flows>};

}  // namespace

/// The pattern that returns the destination of the flow whose message is due.
class flows::to_destinations final : public pattern {
  public:
    explicit to_destinations(flows& all) : m_all(all) {}
    std::uint32_t destination(std::uint32_t sender, rng&) override {
        m_all.begin_message(sender);
        return (*m_all.m_flows)[m_all.clock_of(sender).flows.front().flow].destination;
    }
    bool silent(std::uint32_t sender) const override {
        return m_all.m_of_sender.count(m_all.source_and_class(sender)) == 0;
    }

  private:
    flows& m_all;
};

namespace {

std::shared_ptr<const std::vector<flow_law>> laws_of(const flow_list& all, double load) {
    auto each = std::make_shared<std::vector<flow_law>>();
    for (const flow& f : all) each->emplace_back(f, f.rate * load > 0 ? f.rate * load : 1);
    return each;
}

/// Returns the messages per cycle, in the mean over the senders of any.
double messages_of_sender(const flow_list& all, double load) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> senders;
    double messages = 0;
    for (const flow& f : all) {
        if (f.rate * load <= 0) continue;
        senders.emplace(f.source, f.message_class);
        messages += f.rate * load / f.length;
    }
    return senders.empty() ? 0 : messages / static_cast<double>(senders.size());
}

std::vector<std::uint32_t> classes_of(const flow_list& all) {
    std::set<std::uint32_t> classes;
    for (const flow& f : all) classes.insert(f.message_class);
    return {classes.begin(), classes.end()};
}

}  // namespace

flows::flows(const flow_parameters& p, const config::value& section, const workload_context& c)
    : flows(p, c, std::make_shared<const flow_list>(p.read(section, c))) {}

flows::flows(const flow_parameters& p, const workload_context& c, const list& all)
    : timed_source(p, c.folder, make_length(config::value::scalar("1")), messages_of_sender(*all, p.load),
                   merged_flows(laws_of(*all, p.load), all), classes_of(*all)),
      m_flows(all),
      m_sent_classes(classes_of(*all)),
      m_load(p.load),
      m_bytes_per_second(c.cycle_seconds > 0 ? c.flit_bytes / c.cycle_seconds : 0) {
    if (c.names != nullptr) m_names = *c.names;
    for (std::uint32_t f = 0; f < all->size(); ++f) {
        const flow& own = (*all)[f];
        m_leg_of.push_back(static_cast<std::uint32_t>(m_legs.size()));
        m_legs.push_back({f, false});
        if (own.reply != 0) m_legs.push_back({f, true});
        if (own.rate * m_load > 0) m_of_sender[{own.source, own.message_class}].push_back(f);
        m_largest = std::max({m_largest, own.length, own.reply});
        m_classes = std::max({m_classes, own.message_class + 1, own.reply != 0 ? own.reply_class + 1 : 0});
    }
    m_counts.resize(m_legs.size());
    m_latencies.resize(m_legs.size());
}

std::pair<std::uint32_t, std::uint32_t> flows::source_and_class(std::uint32_t sender) const {
    return {node_of(sender), m_sent_classes[place_of(sender)]};
}

/// Adds the demand of flows and answers, each at its rate.
bool flows::demand(std::uint32_t source, std::vector<double>& to) const {
    for (const leg& l : m_legs)
        if (source_of(l) == source)
            to[destination_of(l)] += flow_of(l).rate / flow_of(l).length * m_port->padded(flits_of(l));
    return true;
}

void flows::start(traffic_port& port) {
    m_port = &port;
    timed_source::start(port);
}

void flows::prepare(merged_flows::clock& arrivals, std::uint32_t i, const traffic_port& port) {
    for (const std::uint32_t f : m_of_sender.at(source_and_class(i))) {
        flow_law::clock c;
        c.flow = f;
        c.state.random = rng(port.seed(), stream::workload, f);
        arrivals.flows.push_back(c);
    }
}

std::unique_ptr<pattern> flows::choose_pattern(const traffic_port&) {
    return std::make_unique<to_destinations>(*this);
}

void flows::begin_message(std::uint32_t sender) {
    const std::uint32_t f = clock_of(sender).flows.front().flow, own = m_leg_of[f];
    set_tag(own);
    set_class((*m_flows)[f].message_class);
    ++m_counts[own].sent;
}

void flows::delivered(const delivery& d) {
    counts& c = m_counts[d.what.tag];
    ++c.received;
    if (m_measures) {
        ++c.came;
        m_latencies[d.what.tag].record(d.consumed - d.what.generated);
    }
    const leg& l = m_legs[d.what.tag];
    if (!l.is_reply && flow_of(l).reply != 0) answer(d.what);
}

void flows::answer(const message& request) {
    const flow& f = flow_of(m_legs[request.tag]);
    message m;
    m.source = request.destination;
    m.destination = request.source;
    m.flits = m_port->padded(f.reply);
    m.message_class = f.reply_class;
    m.generated = m_port->now();
    m.tag = request.tag + 1;
    ++m_counts[m.tag].sent;
    ++m_answers.messages;
    m_answers.flits += m.flits;
    m_port->send(m);
}

generated_counts flows::generated(cycle_t now) {
    generated_counts all = timed_source::generated(now);
    all.messages += m_answers.messages;
    all.flits += m_answers.flits;
    return all;
}

std::vector<std::uint64_t> flows::made(cycle_t until) const {
    std::vector<std::uint64_t> messages;
    for (const counts& c : m_counts) messages.push_back(c.sent);
    for_each_waiting(until,
                     [&](const merged_flows::clock& c) { ++messages[m_leg_of[c.flows.front().flow]]; });
    return messages;
}

void flows::measured_from(cycle_t now) {
    m_measures = true;
    m_from = now;
    const std::vector<std::uint64_t> messages = made(now);
    for (std::size_t l = 0; l < m_legs.size(); ++l) m_counts[l].made_before = messages[l];
}

void flows::measured_to(cycle_t now) {
    m_measures = false;
    m_window = now - m_from;
    const std::vector<std::uint64_t> messages = made(now);
    for (std::size_t l = 0; l < m_legs.size(); ++l) m_counts[l].made = messages[l] - m_counts[l].made_before;
}

void flows::judged(const judged_sources& all) {
    if (!all.settled) m_judged.settled = false;
    m_judged.growing.insert(m_judged.growing.end(), all.growing.begin(), all.growing.end());
    m_judged.doubtful.insert(m_judged.doubtful.end(), all.doubtful.begin(), all.doubtful.end());
}

void flows::add_up(world& all) {
    timed_source::add_up(all);
    all.sum_members(m_counts, &counts::sent, &counts::received, &counts::lost, &counts::made, &counts::came);
    std::uint64_t bins = 0;
    for (const latency_bins& l : m_latencies) bins = std::max<std::uint64_t>(bins, l.bins());
    bins = all.most(bins);
    std::vector<std::uint64_t> sums;
    for (const latency_bins& l : m_latencies) l.write(sums, bins);
    all.sum(sums.data(), sums.size());
    const std::uint64_t* at = sums.data();
    for (latency_bins& l : m_latencies) at = l.read(at, bins, all.most(l.most()));
}

void flows::serialize(archive& a) {
    timed_source::serialize(a);
    a(m_counts, m_latencies, m_answers, m_measures, m_window, m_from);
}

}  // namespace sare::traffic
