// SPDX-License-Identifier: Apache-2.0
#include "traffic/application/application.h"

#include "traffic/source/classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace sare::traffic {

const config::schema<application_parameters>& application_fields() {
    using p = application_parameters;
    static const auto fields =
        config::schema<p>()
            .raw("traffic", &p::traffic, "workload", "what its tasks do: a section as 'traffic' of all")
            .raw("placement", &p::placement_rule, "placement",
                 "tasks to nodes: a name or a section with name; left out: that of all applications")
            .raw("class", &p::message_class, "integer",
                 "message class of what it sends; of a workload that has several the first one. Left out: 0")
            .number("instances", &p::instances, 1, 65536, "",
                    "how often it runs; each has nodes of its own, and the name NAME.0, NAME.1, ...")
            .number(
                "tasks", &p::tasks, 0, 16777216, "",
                "of an instance: the nodes that its workload sees; 0: as many as it needs, or as are free")
            .number("tasks_per_node", &p::tasks_per_node, 1, 1 << 20, "", "tasks of a node")
            .integers(
                "dims", &p::dims, 1, 4294967295.0, "tasks",
                "grid of its tasks, for patterns; none: that of the network if it has all of it, else a line")
            .flag("background", &p::background, "it ends when all that are not have been completed")
            .flag("shared", &p::shared, "its nodes may be those of others as well")
            .number("start_cycle", &p::start_cycle, 0, 1e15, "cycles", "it begins")
            .include(inside_node_fields());
    return fields;
}

application::application(identity who, const application_parameters& p, std::unique_ptr<workload> work,
                         std::uint32_t tasks)
    : m_who(std::move(who)),
      m(p),
      m_work(std::move(work)),
      m_tasks(tasks),
      m_dims(p.dims),
      m_first_class(read_class(p.message_class)) {
    if (m_dims.empty()) return;
    const auto product = std::accumulate(m_dims.begin(), m_dims.end(), std::uint64_t{1}, std::multiplies<>());
    if (product != tasks)
        throw config::error(m_who.at, fmt::format("application '{}' has {} tasks, its 'dims' make {}",
                                                  m_who.name, tasks, product));
}

void application::begin(traffic_port& network, queue_space_requests& requests,
                        std::vector<std::uint32_t> node_of, std::uint32_t tag_number) {
    m_network = &network;
    m_requests = &requests;
    m_node_of = std::move(node_of);
    m_tag_number = tag_number;
    m_apart = !has_all_nodes(network);
    if (m_dims.empty() && m_tasks == network.nodes()) m_dims = network.dims();
    if (m_dims.empty()) m_dims = {m_tasks};
    auto nodes = m_node_of;
    std::sort(nodes.begin(), nodes.end());
    m_nodes = static_cast<std::uint32_t>(std::unique(nodes.begin(), nodes.end()) - nodes.begin());
    m_work->start(*this);
}

cycle_t application::next_tick() const {
    return m_inside.empty() ? m_work->next_tick() : std::min(m_work->next_tick(), m_inside.top().when);
}

void application::tick(cycle_t now) {
    while (!m_inside.empty() && m_inside.top().when <= now) {
        const message what = m_inside.top().what;
        m_inside.pop();
        --m_under_way.here;
        const delivery d{opened(what), what.generated, now};
        m_envelopes.give_back(static_cast<std::uint32_t>(what.tag));
        if (m_work->wants_deliveries()) m_work->delivered(d);
    }
    if (m_work->next_tick() <= now) m_work->tick(now);
}

void application::send(const message& own) {
    const std::uint32_t slot = m_envelopes.take();
    m_envelopes[slot] = {own.tag, own.source, own.destination};
    message out = own;
    out.source = m_node_of[own.source];
    out.destination = m_node_of[own.destination];
    out.message_class += m_first_class;
    out.tag = std::uint64_t{m_tag_number} << 32 | slot;
    ++under_way_with(out);
    if (out.source == out.destination && m.tasks_per_node > 1) return keep_inside(out);
    ++m_flying;
    m_network->send(out);
}

std::uint32_t application::open(const std::vector<std::uint32_t>& tasks) {
    std::vector<std::uint32_t> nodes;
    for (const std::uint32_t task : tasks) nodes.push_back(m_node_of[task]);
    const std::uint32_t group = collectives()->open(nodes);
    m_groups[group] = tasks;
    return group;
}

bool application::take_part(const network_call& call) {
    const std::uint32_t slot = m_envelopes.take(), task = m_groups.at(call.group)[call.member];
    m_envelopes[slot] = {call.tag, task, task};
    network_call out = call;
    out.tag = std::uint64_t{m_tag_number} << 32 | slot;
    if (collectives()->take_part(out)) {
        m_envelopes.give_back(slot);
        return true;
    }
    ++m_under_way.here;
    ++m_flying;
    return false;
}

void application::keep_inside(const message& out) {
    m_kept.add(out);
    const cycle_t time = m.cycles_inside(bytes_of(out), m_network->cycle_seconds());
    m_inside.push({m_network->now() + time, m_kept.messages, out});
}

/// Returns a message's bytes; one that was made in flits has as many as full flits carry.
double application::bytes_of(const message& what) const {
    if (what.bytes != message::in_flits) return static_cast<double>(what.bytes);
    constexpr std::uint64_t many = 1 << 24;
    return what.flits * static_cast<double>(many) / m_network->flits_for(many);
}

/// Returns a message as its workload made it.
message application::opened(const message& what) const {
    const envelope& e = m_envelopes[static_cast<std::uint32_t>(what.tag)];
    message own = what;
    own.tag = e.tag;
    own.message_class -= m_first_class;
    own.source = e.source;
    own.destination = e.destination;
    return own;
}

void application::delivered(const delivery& d, bool wanted) {
    m_consumed.add(d.what);
    --m_under_way.here;
    --m_flying;
    if (m_apart) m_completed = never;  // what was under way from elsewhere was not known of here
    if (m_window.measuring) {
        m_from_generation.record(d.consumed - d.what.generated);
        m_from_injection.record(d.consumed - d.injected);
    }
    delivery own = d;
    own.what = opened(d.what);
    m_envelopes.give_back(static_cast<std::uint32_t>(d.what.tag));
    if (wanted && m_work->wants_deliveries()) m_work->delivered(own);
}

void application::lost(const message& what, bool wanted) {
    ++m_lost;
    --under_way_with(what);
    --m_flying;
    if (m_apart) m_completed = never;  // as in delivered()
    const message own = opened(what);
    m_envelopes.give_back(static_cast<std::uint32_t>(what.tag));
    if (wanted) m_work->lost(own);
}

bool application::completes(cycle_t now) {
    if (m_apart) {
        const bool is_over = m_under_way.here == 0 && m_work->runs_to_completion() && m_work->finished();
        m_completed = is_over ? std::min(m_completed, now) : never;
        return false;
    }
    if (complete() || m_under_way.here != 0 || !m_work->runs_to_completion() || !m_work->finished())
        return false;
    m_completed = now;
    return true;
}

generated_counts application::generated(cycle_t now) {
    m_generated = m_work->generated(now);
    m_generated.messages -= m_kept.messages;
    m_generated.flits -= m_kept.flits;
    return m_generated;
}

void application::measured_from(cycle_t now) {
    m_window.measuring = true;
    m_window.begin = m_window.end = now;
    m_window.generated = generated(now == 0 ? 0 : now - 1).flits;
    m_window.consumed = m_consumed.flits;
}

void application::measured_to(cycle_t now) {
    m_window.end = now;
}

}  // namespace sare::traffic
