// SPDX-License-Identifier: Apache-2.0
#include "traffic/observe/recorder.h"

#include "tlm/base/world.h"

#include <cstring>

namespace sare::traffic {

recorder::recorder(const observation& how, const program& what, const traffic_port& port,
                   const std::vector<std::uint32_t>& node_of)
    : m_what(how.sections.of<task_observation>()),
      m_when(how.sections.of<observation_params>()),
      m_alone(how.alone),
      m_program(what),
      m_port(port),
      m_node_of(node_of),
      m_part(part_of(how)),
      m_first(port.first_cycle()),
      m_log_wanted(m_what.timeline || m_what.paje || m_when.perfetto),
      m_shown(what.tasks()),
      m_phases(what.tasks()),
      m_states(what.tasks(), port.first_cycle()),
      m_path(m_part.rank) {
    const auto tasks = static_cast<std::uint32_t>(m_shown.size());
    if (m_what.tasks.all) m_shown.assign(tasks, true);
    for (const auto& [first, last] : m_what.tasks.ranges)
        for (std::uint64_t k = first; k <= last && k < tasks; ++k) m_shown[k] = true;
}

bool recorder::is_wanted(const observation& how) {
    return how.sections.of<task_observation>().any() || how.sections.of<observation_params>().perfetto;
}

recorder::part recorder::part_of(const observation& how) {
    part p;
    p.several = words(how) != 0;
    if (p.several) p.rank = static_cast<std::uint16_t>(how.processes->rank());
    if (how.delivers_last) p.delivers = turn::last_delivery;
    p.place_of = how.place_of;
    return p;
}

std::uint32_t recorder::words(const observation& how) {
    const auto& what = how.sections.of<task_observation>();
    const bool in_order =
        what.timeline || what.paje || what.critical_path || how.sections.of<observation_params>().perfetto;
    return how.processes != nullptr && in_order ? sizeof(flight) / 8 : 0;
}

/// Opens the log; the tasks' states at that time are recorded once.
void recorder::open_log() {
    m_open = true;
    const cycle_t since = std::max(m_when.from, m_first);
    const turn now = m_part.now;
    for (std::uint32_t k = 0; k < m_shown.size(); ++k) {
        if (!m_shown[k] || !is_here(k)) continue;
        takes_turn({turn::opening, k});
        append({since, 0, k, 0, 0, task_event::state, static_cast<std::uint8_t>(m_states.of(k))});
    }
    takes_turn(now);
}

void recorder::takes_turn(turn t) {
    m_part.now = t;
    m_part.turn_told = false;
}

/// Records an event. Each of several processes records all that count; rank 0 leaves some out.
void recorder::log(const task_event& e) {
    const bool counts = m_part.several && e.counts();
    if (!counts && !shows(e)) return;
    if (m_log_wanted && !m_open && e.time >= m_when.from) open_log();
    append(e);
}

/// True for an event in the cycles that are asked for; for a message if one of its ends is shown.
bool recorder::shows(const task_event& e) const {
    if (e.time < m_when.from || e.time >= m_when.end()) return false;
    return shows(e.task) || ((e.is == task_event::left || e.is == task_event::came) && shows(e.other));
}

void recorder::append(const task_event& e) {
    if (m_part.several && !m_part.turn_told)
        m_log.append({e.time, m_part.now.which, 0, 0, 0, task_event::turn, m_part.now.in});
    m_part.turn_told = true;
    m_log.append(e);
}

void recorder::set(std::uint32_t strand, std::uint32_t task, task_state s) {
    const cycle_t now = m_port.now();
    // As it was until now, if this is the first cycle that is recorded.
    if (m_log_wanted && !m_open && now >= m_when.from) open_log();
    if (m_states.set(strand, task, s, m_phases.of(task), now))
        log({now, 0, task, 0, 0, task_event::state, static_cast<std::uint8_t>(m_states.of(task))});
}

void recorder::is_due(std::uint32_t strand, std::uint64_t order) {
    takes_turn({turn::strand, order});
    goes_on(strand);
}
void recorder::goes_on(std::uint32_t strand) {
    m_path.strand_goes_on(strand);
}
void recorder::released(std::uint32_t strand) {
    m_path.released(strand);
}
void recorder::made(std::uint32_t strand) {
    released(strand);
    if (m_part.several) log({m_port.now(), 0, 0, 0, 0, task_event::made, 0});
}
void recorder::waits(std::uint32_t strand, std::uint32_t task, task_state s) {
    set(strand, task, s);
}
void recorder::finishes() {
    m_path.finished(m_port.now(), m_part.now);
}

void recorder::begins(std::uint32_t strand, std::uint32_t task, const operation& o) {
    if (!m_when.perfetto || !shows(task)) return;
    if (strand >= m_operating.size()) m_operating.resize(strand + 1);
    if (m_operating[strand] != 0) log({m_port.now(), 0, task, strand, 0, task_event::end, 0});
    m_operating[strand] = 1;
    log({m_port.now(), o.bytes, task, strand, o.peer, task_event::begin, static_cast<std::uint8_t>(o.what)});
}

void recorder::marks(std::uint32_t task, std::int64_t mark) {
    m_states.charge(task, m_phases.of(task), m_port.now());
    const std::uint32_t phase = m_phases.enter(task, mark);
    m_states.charge(task, phase, m_port.now());
    log({m_port.now(), phase, task, 0, 0, task_event::mark, 0});
}

void recorder::occupies(std::uint32_t strand, std::uint32_t task, task_state s, cycle_t end) {
    set(strand, task, s);
    if (!m_what.critical_path) return;
    path_segment span;
    span.begin = m_port.now();
    span.end = end;
    span.from = span.to = task;
    span.phase = m_phases.of(task);
    if (s != task_state::compute)
        span.is = s == task_state::send ? path_segment::send : path_segment::receive;
    m_path.spends(strand, span);
}

void recorder::has_room(std::uint32_t strand, std::uint32_t task, cycle_t since) {
    takes_turn({turn::room, place_of(task)});
    if (!m_what.critical_path) return;
    path_segment span;
    span.begin = since;
    span.end = m_port.now();
    span.from = span.to = task;
    span.phase = m_phases.of(task);
    span.is = path_segment::queue;
    m_path.spends(strand, span);
    m_path.strand_goes_on(strand);
}

void recorder::ends(std::uint32_t strand, std::uint32_t task) {
    set(strand, task, task_state::idle);
    if (strand >= m_operating.size() || m_operating[strand] == 0) return;
    m_operating[strand] = 0;
    log({m_port.now(), 0, task, strand, 0, task_event::end, 0});
}

void recorder::sends(std::uint32_t from, std::uint32_t to, std::uint64_t bytes) {
    if (!m_what.matrix) return;
    pair_count& count = m_matrix[{from, to}];
    ++count.messages;
    count.bytes += bytes;
}

void recorder::leaves(std::uint32_t slot, std::uint32_t from, std::uint32_t to, bool control,
                      std::uint64_t bytes, const message* out) {
    if (slot >= m_flights.size()) m_flights.resize(slot + 1);
    flight& f = m_flights[slot];
    f.way.begin = m_port.now();
    f.way.from = from;
    f.way.to = to;
    f.number = m_messages++;
    f.rank = m_part.rank;
    f.bytes = bytes;
    log({f.way.begin, bytes, from, to, f.number, task_event::left,
         control ? task_event::control : task_event::data});
    if (!m_what.critical_path) return;
    f.way.before = m_path.cause();
    f.way.rank = m_part.rank;
    f.way.phase = m_phases.of(from);
    f.way.is = control ? path_segment::handshake : path_segment::message;
    if (out == nullptr && !control) f.way.is = path_segment::local;
    f.way.alone = out != nullptr && m_alone ? m_alone(*out) : 0;
}

void recorder::comes(std::uint32_t slot, cycle_t injected, bool inside_node) {
    if (slot >= m_flights.size()) return;  // it has left a task of another process
    flight& f = m_flights[slot];
    takes_turn(turn_of(f, inside_node));
    f.way.end = m_port.now();
    f.way.injected = injected;
    log({f.way.end, f.bytes, f.way.from, f.way.to, f.number, task_event::came, 0, f.rank});
    if (m_what.critical_path) m_path.message_came(f.way, m_first, m_part.now);
}

turn recorder::turn_of(const flight& f, bool inside_node) const {
    if (inside_node) return {turn::local, f.number};
    const std::uint32_t to = place_of(f.way.to);
    return to == place_of(f.way.from) ? turn{turn::inside, f.number} : turn{m_part.delivers, to};
}

void recorder::write(std::uint32_t slot, std::uint64_t* to) const {
    if (m_part.several) std::memcpy(to, &m_flights[slot], sizeof(flight));
}

void recorder::take_over(std::uint32_t slot, const std::uint64_t* from) {
    if (!m_part.several) return;
    if (slot >= m_flights.size()) m_flights.resize(slot + 1);
    std::memcpy(static_cast<void*>(&m_flights[slot]), from, sizeof(flight));
}

/// Closes the record: tasks keep their states until the end; what has not ended is left open.
void recorder::close(cycle_t end) {
    if (m_closed) return;
    m_closed = true;
    m_end = end;
    if (m_log_wanted && !m_open && end >= m_when.from) open_log();
    for (std::uint32_t k = 0; k < m_shown.size(); ++k)
        if (m_states.of(k) != task_state::idle || end > m_first) m_states.charge(k, m_phases.of(k), end);
}

std::string recorder::phase_name(std::uint32_t phase) const {
    return phase == 0 ? "" : m_program.phase(m_phases.mark(phase));
}

}  // namespace sare::traffic
