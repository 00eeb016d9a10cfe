// SPDX-License-Identifier: Apache-2.0
#include "traffic/moves/data_moves.h"

#include "tlm/base/joined.h"
#include "traffic/moves/chips.h"
#include "traffic/spatial/pattern.h"

#include <fmt/format.h>

#include <algorithm>

/// Processors: their acts, the cycles of these, and their waits.
namespace sare::traffic {
namespace {

std::vector<std::string> names_of(const std::vector<plane_order>& planes) {
    std::vector<std::string> names;
    for (const plane_order& p : planes) names.push_back(p.name);
    return names;
}

}  // namespace

data_moves::data_moves(data_moves_params p, const std::string& folder, const config::value& section)
    : m(std::move(p)), m_at(section.where()) {
    if (m.file.empty()) throw config::error(m_at, "workload 'data_moves' needs 'file: ' with the recording");
    if (m.places.size() != 2)
        throw config::error(
            place_of(section, "places"),
            fmt::format("'places' has {} numbers; it must have two, width and height: 'places: [10, 12]'",
                        m.places.size()));
    m_planes = m.planes(section);
    recording_grid grid{m.places[0], m.places[1], names_of(m_planes), nullptr};
    std::optional<chip_links> links;
    if (!m.chips.empty()) {
        links.emplace(file_path(folder, m.chips), grid);
        m_chips = links->chips();
        grid.links = &*links;
    }
    if (!m.ethernet_plane.empty()) {
        const auto found = std::find(grid.planes.begin(), grid.planes.end(), m.ethernet_plane);
        if (found == grid.planes.end())
            throw config::error(place_of(section, "ethernet_plane"),
                                fmt::format("'ethernet_plane' is '{}'; the planes are: {}", m.ethernet_plane,
                                            joined(grid.planes)));
        m_between.plane = static_cast<std::uint32_t>(found - grid.planes.begin());
    }
    m_recording = read_wormhole(file_path(folder, m.file), grid, m_at);
    for (const processor& each : m_recording.processors) m_moves += each.moves.size();
}

void data_moves::use(const host_services& host) {
    for (const std::string& text : m_recording.warnings) host.warn(text);
}

void data_moves::start(traffic_port& port) {
    m_port = &port;
    const auto in_a_chip = static_cast<std::uint32_t>(m_planes.size()) * places();
    const bool fits = m.chips.empty() ? port.nodes() == in_a_chip
                                      : port.nodes() % in_a_chip == 0 && port.nodes() >= nodes_needed();
    if (!fits)
        throw config::error(
            m_at, fmt::format("the network has {} nodes; {} planes of {} x {} places have {}{}", port.nodes(),
                              m_planes.size(), m.places[0], m.places[1], in_a_chip,
                              m.chips.empty() ? "" : fmt::format(", and there are {} chips", m_chips)));
    m_chips = port.nodes() / in_a_chip;
    m_nodes.assign(port.nodes(), {rate_server(m.out), rate_server(m.in), nullptr, 0});
    const std::vector<shared_memory> memories = m.memories();
    m_memories.reserve(memories.size() * m_chips);
    for (std::uint32_t chip = 0; chip < m_chips; ++chip)
        for (const shared_memory& each : memories) {
            m_memories.emplace_back(each.rate);
            for (grid_position at : each.places) {
                at.chip = chip;
                for (std::uint32_t plane = 0; plane < m_planes.size(); ++plane)
                    m_nodes[node(plane, at)] = {rate_server(each.out > 0 ? each.out : m.out),
                                                rate_server(each.in > 0 ? each.in : m.in), &m_memories.back(),
                                                each.latency};
            }
        }
    m_signals.assign(std::size_t{m_chips} * places(), 0);
    m_awaiting_room.resize(port.nodes());
    m_actors.resize(m_recording.processors.size());
    m_kernels.resize(m_actors.size());
    for (std::uint32_t a = 0; a < m_actors.size(); ++a) {
        m_actors[a].base = port.first_cycle();
        later(port.first_cycle(), entry::go, a);
    }
}

void data_moves::later(cycle_t when, entry::kind what, std::uint32_t which) {
    m_agenda.push({when, m_serial++, what, which});
}

void data_moves::act(cycle_t now) {
    while (!m_agenda.empty() && m_agenda.top().when <= now) {
        const entry e = m_agenda.top();
        m_agenda.pop();
        switch (e.what) {
            case entry::go:
                go(e.which, now);
                break;
            case entry::send:
                send(e.which);
                break;
            case entry::write_over:
                write_over(e.which, now);
                break;
            case entry::read_over:
                read_over(e.which, now);
                break;
            case entry::go_on:
                go_on(e.which, now);
                break;
        }
    }
}

/// Lets a processor go on until it has to wait for something, or for time to pass.
void data_moves::go(std::uint32_t a, cycle_t now) {
    actor& me = m_actors[a];
    const std::vector<move>& moves = m_recording.processors[a].moves;
    for (; me.next < moves.size(); ++me.next, ++m_made) {
        const move& each = moves[me.next];
        if (me.begun) {
            if (!me.ends) return;
            end_barrier(a, each, now);
            continue;
        }
        const bool first = each.what == move::kind::begin && me.next == 0;
        const cycle_t due = std::max(me.base + (first ? each.recorded : each.after), me.not_before);
        if (now < due) return later(due, entry::go, a);
        if (!do_move(a, each, now)) return;
    }
    ++m_done;
    m_last_move = now;
}

/// Makes a move; returns true if it is over at once.
bool data_moves::do_move(std::uint32_t a, const move& what, cycle_t now) {
    switch (what.what) {
        case move::kind::begin:
            m_kernels[a].kernel += m_actors[a].next == 0 ? 0 : 1;
            m_kernels[a].begin_recorded = what.recorded;
            m_kernels[a].begin_predicted = now - m_port->first_cycle();
            m_actors[a].base = now;
            return true;
        case move::kind::barrier:
        case move::kind::await_signals:
            return wait(a, what, now);
        default:
            start_transfers(a, what, now);
            return true;
    }
}

bool data_moves::is_over(std::uint32_t a, const move& w) {
    const actor& me = m_actors[a];
    const grid_position& at = m_recording.processors[a].at;
    if (w.what == move::kind::await_signals) return m_signals[place_number(at)] >= w.count;
    if ((w.reads && me.reads != 0) || (w.writes && me.writes != 0)) return false;
    if (!w.departures) return true;
    if (me.unsent != 0) return false;
    bool left = true;
    for (std::uint32_t plane = 0; plane < m_planes.size(); ++plane) {
        const std::uint32_t n = node(plane, at);
        if (m_port->queued_of(n, 0) == 0) continue;
        left = false;
        if (m_awaiting_room[n].empty()) m_port->call_when_queued(n, 0, 0);
        m_awaiting_room[n].push_back(a);
    }
    return left;
}

/// Begins a barrier or a wait for semaphores. Returns true if there is nothing to wait for.
bool data_moves::wait(std::uint32_t a, const move& w, cycle_t now) {
    actor& me = m_actors[a];
    me.began = now;
    const bool over = is_over(a, w);
    if (over && !w.timed) return true;
    me.begun = true;
    me.ends = over;
    if (over) later(now + m.barrier, entry::go, a);
    return false;
}

/// Looks whether a processor waits for something that has come.
void data_moves::look_again(std::uint32_t a, cycle_t now) {
    actor& me = m_actors[a];
    if (!me.begun || me.ends) return;
    const move& w = m_recording.processors[a].moves[me.next];
    if (!is_over(a, w)) return;
    me.ends = true;
    later(w.timed ? std::max(me.began + m.barrier, now + m.wake) : now + m.wake, entry::go, a);
}

void data_moves::end_barrier(std::uint32_t a, const move& w, cycle_t now) {
    actor& me = m_actors[a];
    me.begun = me.ends = false;
    me.not_before = now;
    if (!w.timed) return;
    me.base = now;
    barrier_end end = m_kernels[a];
    end.actor = a;
    end.recorded = w.recorded;
    end.predicted = now - m_port->first_cycle();
    m_ends.push_back(end);
}

void data_moves::queue_space(std::uint32_t node, std::uint32_t) {
    std::vector<std::uint32_t> waiting;
    waiting.swap(m_awaiting_room[node]);
    for (const std::uint32_t a : waiting) look_again(a, m_port->now());
    act(m_port->now());
}

double data_moves::progress() const {
    return m_moves == 0 ? 1 : static_cast<double>(m_made) / static_cast<double>(m_moves);
}

/// Returns what a barrier or a wait for semaphores waits for.
std::string data_moves::awaited(std::uint32_t a, const move& w) const {
    const actor& me = m_actors[a];
    if (w.what == move::kind::await_signals)
        return fmt::format("{} signals, of which {} have come", w.count,
                           m_signals[place_number(m_recording.processors[a].at)]);
    std::vector<std::string> all;
    if (w.reads && me.reads != 0) all.push_back(fmt::format("{} reads", me.reads));
    if (w.writes && me.writes != 0) all.push_back(fmt::format("{} writes", me.writes));
    if (all.empty()) all.emplace_back("writes that have not left its node");
    return fmt::format("{}", fmt::join(all, " and "));
}

standstill data_moves::stuck() const {
    for (std::uint32_t a = 0; a < m_actors.size(); ++a) {
        const processor& p = m_recording.processors[a];
        if (m_actors[a].next == p.moves.size()) continue;
        return {fmt::format("{} at ({}, {}){} waits for {}", p.name, p.at.x, p.at.y,
                            m_chips == 1 ? "" : fmt::format(" of chip {}", p.at.chip),
                            awaited(a, p.moves[m_actors[a].next]))};
    }
    return {};
}

namespace {

const config::registration<workload, const workload_context&> registered{
    "data_moves",
    "Replays a recording of one-sided transfers of a chip's processors: reads, writes, barriers.",
    data_moves_params::fields(),
    [](const data_moves_params& p, const config::value& section, const workload_context& c) {
        return new data_moves(p, c.folder, section);
    }};

}  // namespace
}  // namespace sare::traffic
