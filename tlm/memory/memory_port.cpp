// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/memory_port.h"

#include "tlm/memory/initiator_port.h"
#include "tlm/memory/memory_bridge.h"
#include "tlm/memory/reorder_buffer.h"
#include "tlm/memory/timing/access_statistics.h"
#include "tlm/systemc/reports.h"

#include <fmt/format.h>

#include <sysc/kernel/sc_dynamic_processes.h>

#include <algorithm>

namespace sare {

std::unique_ptr<memory_port> memory_port::make(memory_bridge_base& bridge, std::uint32_t number) {
    if (bridge.params().timing == memory_timing::phases)
        return std::make_unique<phased_memory>(bridge, number);
    return std::make_unique<blocking_memory>(bridge, number);
}

memory_port::memory_port(memory_bridge_base& bridge, std::uint32_t number)
    : m_wake(sc_core::sc_gen_unique_name("memory_wake")),
      m_bridge(bridge),
      m_map(bridge.map()),
      m_number(number),
      m_params(bridge.params()),
      m_let_in(sc_core::sc_gen_unique_name("let_in")),
      m_statistics(std::make_unique<access_statistics>()) {}

memory_port::~memory_port() = default;

std::uint32_t memory_port::node() const {
    return m_bridge.node();
}

tlm::tlm_fw_transport_if<>& memory_port::find_target() {
    return *(m_target = &m_bridge.memory_at(m_number));
}

std::string memory_port::text() const {
    return fmt::format("{}, memory {}", m_bridge.name(), m_number);
}

void memory_port::report(const std::string& what) const {
    report_error(report_id::protocol, text() + ": " + what);
}

memory_access* memory_port::with_memory(const tlm::tlm_generic_payload& p) const {
    const auto found = std::find_if(m_with_memory.begin(), m_with_memory.end(),
                                    [&p](const memory_access* a) { return &a->shown() == &p; });
    return found == m_with_memory.end() ? nullptr : *found;
}

std::uint32_t memory_port::ways() const {
    return m_bridge.writes_apart() ? 2 : 1;
}

void memory_port::wake() {
    m_wake.notify(is_ahead() ? m_ahead.until - m_map.now() : sc_core::SC_ZERO_TIME);
}

bool memory_port::is_ahead() const {
    return m_ahead.on && m_ahead.until > m_map.now();
}

void memory_port::requested(memory_access& a) {
    settle_before_now();
    a.drop_classes();
    m_counts.most_held = std::max(m_counts.most_held, ++m_held);
    a.from->check_order(a, *a.order, a.request_number);
    a.order->arrive(a.request_number, &a, [this](memory_access* b) { enqueue(b); });
}

void memory_port::lost(memory_access& a) {
    a.order->arrive(a.request_number, nullptr, [this](memory_access* b) { enqueue(b); });
}

/// Queues a request; null: a lost one. The caller is no process of the memory's, which may go on at once.
void memory_port::enqueue(memory_access* a) {
    if (a == nullptr) return;
    m_waiting[a->is_write() ? ways() - 1 : 0].push_back(a);
    is_ahead() ? wake() : m_wake.notify();
}

/// An access waits for the end of those that it depends on: the memory may do its accesses in any order.
memory_access* memory_port::next(std::uint32_t way) {
    std::deque<memory_access*>& queue = m_waiting[way];
    while (!queue.empty()) {
        memory_access* a = queue.front();
        std::uint32_t beside = 0;
        for (const memory_access* b : m_with_memory) {
            if (depend(*a, *b)) return nullptr;
            beside += ways() == 1 || a->writes() == b->writes();
        }
        if (beside >= m_params.at_once || is_kept_away(way, takes_steps(*a))) return nullptr;
        queue.pop_front();
        m_atomics += takes_steps(*a);
        m_with_memory.push_back(a);
        a->times.memory_begun = m_map.now();
        m_counts.most_at_once = std::max(m_counts.most_at_once, beside + 1);
        if ((!a->alone && m_monitor.is_empty()) || m_monitor.admit(*a)) return a;
        a->set_response_status(tlm::TLM_OK_RESPONSE);
        done(*a);
    }
    return nullptr;
}

void memory_port::access(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    if (m_map.accesses().counts_all()) {
        const sc_core::sc_time from = m_map.now() + delay;
        carry_out(p, delay);
        m_statistics->count(p, from, m_map.now() + delay);
    } else {
        carry_out(p, delay);
    }
    ++m_counts.accesses;
}

void memory_port::carry_out(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    const bool steps = takes_steps(p);
    if (steps || !is_open()) keep_away(steps, delay);
    const counted here(*this, steps ? m_direct_steps : m_direct);
    if (m_monitor.admit(p))
        call(p, delay);
    else
        p.set_response_status(tlm::TLM_OK_RESPONSE);
}

void memory_port::access_plain(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    if (!is_open()) keep_away(false, delay);
    const counted here(*this, m_direct);
    if (!m_monitor.is_empty()) m_monitor.admit(p);
    target().b_transport(p, delay);
    ++m_counts.accesses;
}

/// Waits for accesses that must be alone. The wait counts as part of `delay`.
void memory_port::keep_away(bool steps, sc_core::sc_time& delay) {
    struct place {  // given back should the process be killed while it waits, too
        memory_port& port;
        std::uint64_t turn = 0;
        ~place() {
            if (turn != 0) port.m_turns.leave(turn);
            if (turn != 0 && port.m_kept_away) port.let_in();
        }
    } here{*this};
    const sc_core::sc_time due = m_map.now() + delay;
    settle_before_now();
    while (m_direct_steps + m_atomics + (steps ? m_direct + m_with_memory.size() : 0) != 0 ||
           !m_turns.is_turn(here.turn, steps)) {
        if (here.turn == 0) here.turn = m_turns.join(steps);
        m_kept_away = true;
        if (m_ahead.on) wake();
        sc_core::wait(m_let_in);
    }
    delay = std::max(due, m_map.now()) - m_map.now();
}

/// True if the next access of a queue, which a message carried, must wait for others.
bool memory_port::is_kept_away(std::uint32_t way, bool steps) {
    std::uint64_t& turn = m_turn[way];
    if (m_direct_steps == 0 && (!steps || m_direct == 0) && m_turns.is_turn(turn, steps)) {
        if (turn != 0) m_turns.leave(turn);
        turn = 0;
        return false;
    }
    if (turn == 0) turn = m_turns.join(steps);
    m_kept_away = true;
    return true;
}

void memory_port::let_in() {
    m_kept_away = false;
    m_let_in.notify(sc_core::SC_ZERO_TIME);
    wake();
}

bool memory_port::takes_steps(const tlm::tlm_generic_payload& p) const {
    return atomic_of(p) != nullptr && m_params.atomics == atomic_place::bridge;
}

void memory_port::call(tlm::tlm_generic_payload& p, bool steps_it, sc_core::sc_time& delay) {
    if (!steps_it) return target().b_transport(p, delay);
    atomic_steps steps(p);
    target().b_transport(p, delay);
    if (steps.write()) target().b_transport(p, delay);
}

void memory_port::done(memory_access& a) {
    m_with_memory.erase(std::find(m_with_memory.begin(), m_with_memory.end(), &a));
    m_atomics -= takes_steps(a);
    if (m_kept_away) let_in();
    --m_held;
    ++m_counts.accesses;
    a.times.memory_done = m_map.now();
    m_statistics->count(a, a.times.request_arrived, a.times.memory_done);
    a.set_dmi_allowed(false);  // there is a network between
    m_map.respond(a);
    if (!m_waiting[0].empty() || !m_waiting[1].empty()) wake();
}

/// Only for one access at a time, whose end is seen by nobody but those that look for it.
bool memory_port::answer_ahead(memory_access& a, const sc_core::sc_time& delay) {
    const bool alone = m_params.at_once == 1 && ways() == 1 && a.mode == access_mode::exact;
    if (!alone || a.atomic || m_kept_away || !m_map.may_respond_ahead(node())) return false;
    a.times.memory_done = m_map.now() + delay;
    m_ahead = {true,
               a.is_write(),
               a.is_response_error(),
               a.get_data_length(),
               a.times.request_arrived,
               a.times.memory_done};
    a.set_dmi_allowed(false);
    m_map.respond(a, a.times.memory_done);
    return true;
}

/// Asked by the memory's thread, which is woken at the end if something waits.
bool memory_port::is_busy() {
    if (!m_ahead.on) return false;
    if (m_ahead.until <= m_map.now()) {
        settle();
        return false;
    }
    if (m_kept_away || !m_waiting[0].empty()) wake();
    return true;
}

/// Ends the access that was answered ahead; its slot may be another access by now.
void memory_port::settle() {
    m_ahead.on = false;
    m_with_memory.clear();
    --m_held;
    ++m_counts.accesses;
    m_statistics->count(m_ahead.write, m_ahead.error, m_ahead.bytes, m_ahead.from, m_ahead.until);
    if (m_kept_away) let_in();
}

// ---- blocking_memory -------------------------------------------------------------------------------------

blocking_memory::blocking_memory(memory_bridge_base& bridge, std::uint32_t number)
    : memory_port(bridge, number) {
    for (std::uint32_t k = 0; k < ways() * bridge.params().at_once; ++k)
        sc_core::sc_spawn([this, way = k % ways()] { serve(way); }, sc_core::sc_gen_unique_name("serve"));
}

void blocking_memory::serve(std::uint32_t way) {
    for (;;) {
        memory_access* a = is_busy() ? nullptr : next(way);
        if (a == nullptr) {
            sc_core::wait(m_wake);
            continue;
        }
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        call(a->show(), takes_steps(*a), delay);
        a->take_back();
        if (delay != sc_core::SC_ZERO_TIME) {
            if (answer_ahead(*a, delay)) continue;
            sc_core::wait(delay);
        }
        done(*a);
    }
}

tlm::tlm_sync_enum blocking_memory::nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                                    sc_core::sc_time&) {
    report(std::string(phase.get_name()) + " of a " + text_of(p) +
           " from a memory that is called by b_transport; 'timing: phases' calls it by phases");
    return tlm::TLM_ACCEPTED;
}

// ---- phased_memory ---------------------------------------------------------------------------------------

phased_memory::phased_memory(memory_bridge_base& bridge, std::uint32_t number)
    : memory_port(bridge, number), m_responses(sc_core::sc_gen_unique_name("responses")) {
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.set_sensitivity(&m_wake);
    options.set_sensitivity(&m_responses.get_event());
    options.dont_initialize();
    sc_core::sc_spawn([this] { run(); }, sc_core::sc_gen_unique_name("serve"), &options);
}

void phased_memory::run() {
    while (tlm::tlm_generic_payload* p = m_responses.get_next_transaction())
        end(static_cast<memory_access&>(*p));
    while (m_requesting == nullptr) {
        if (sc_core::sc_time_stamp() < m_request_end)
            return m_wake.notify(m_request_end - sc_core::sc_time_stamp());
        memory_access* a = nullptr;
        if (!m_to_write.empty()) {
            a = m_to_write.front();
            m_to_write.pop_front();
        }
        for (std::uint32_t way = 0; way < ways() && a == nullptr; ++way) a = next(way);
        if (a == nullptr) return;
        if (takes_steps(*a)) m_steps.try_emplace(a, *a);
        begin(*a);
    }
}

void phased_memory::begin(memory_access& a) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    m_requesting = &a;
    const tlm::tlm_sync_enum answer = target().nb_transport_fw(a.show(), phase, delay);
    if (answer == tlm::TLM_COMPLETED) {
        end_request(delay);
        a.answered = true;
        m_responses.notify(a, delay);
    } else if (answer == tlm::TLM_UPDATED) {
        a.end_owed = advance(a, phase, delay);
    }
}

/// Returns true if the response has begun. Phases beyond the base protocol's may be ignored.
bool phased_memory::advance(memory_access& a, const tlm::tlm_phase& phase, const sc_core::sc_time& delay) {
    if (phase > tlm::END_RESP) return false;
    const bool response = phase == tlm::BEGIN_RESP && !a.answered;
    if (!response && (phase != tlm::END_REQ || &a != m_requesting)) {
        report(out_of_turn(phase, a, "the base protocol"));
        return false;
    }
    if (&a == m_requesting) end_request(delay);
    if (!response) return false;
    a.answered = true;
    m_responses.notify(a, delay);
    return true;
}

void phased_memory::end_request(const sc_core::sc_time& delay) {
    m_requesting = nullptr;
    m_request_end = sc_core::sc_time_stamp() + delay;
    wake();
}

void phased_memory::end(memory_access& a) {
    if (a.end_owed) {
        tlm::tlm_phase phase = tlm::END_RESP;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        target().nb_transport_fw(a.shown(), phase, delay);
    }
    a.take_back();
    const auto steps = m_steps.find(&a);
    if (steps != m_steps.end()) {
        if (!steps->second.writes() && steps->second.write()) {
            a.answered = a.end_owed = false;
            m_to_write.push_back(&a);
            return;
        }
        m_steps.erase(steps);
    }
    done(a);
}

tlm::tlm_sync_enum phased_memory::nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
    memory_access* const a = with_memory(p);
    if (a == nullptr && phase <= tlm::END_RESP) report(out_of_turn(phase, p, "the base protocol"));
    if (a == nullptr || !advance(*a, phase, delay)) return tlm::TLM_ACCEPTED;
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
}

}  // namespace sare
