// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/initiator_port.h"

#include "tlm/fabric/fabric.h"
#include "tlm/memory/access_id.h"
#include "tlm/memory/memory_bridge.h"
#include "tlm/memory/memory_port.h"
#include "tlm/memory/timing/access_statistics.h"
#include "tlm/memory/timing/transaction_trace.h"
#include "tlm/systemc/reports.h"

#include <fmt/format.h>

#include <sysc/kernel/sc_dynamic_processes.h>

#include <algorithm>

namespace sare {

initiator_port::initiator_port(memory_bridge_base& bridge, std::uint32_t number)
    : m_bridge(bridge),
      m_map(bridge.map()),
      m_number(number),
      m_params(bridge.params()),
      m_wake(sc_core::sc_gen_unique_name("initiator_wake")),
      m_closed(sc_core::sc_gen_unique_name("initiator_closed")),
      m_carried(sc_core::sc_gen_unique_name("carried")),
      m_statistics(std::make_unique<access_statistics>()) {
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.set_sensitivity(&m_wake);
    options.dont_initialize();
    sc_core::sc_spawn([this] { run(); }, sc_core::sc_gen_unique_name("answer"), &options);
    sc_core::sc_spawn_options of_carried;
    of_carried.spawn_method();
    of_carried.set_sensitivity(&m_carried.get_event());
    of_carried.dont_initialize();
    sc_core::sc_spawn([this] { arrive(); }, sc_core::sc_gen_unique_name("carry"), &of_carried);
}

initiator_port::~initiator_port() = default;

std::uint32_t initiator_port::node() const {
    return m_bridge.node();
}

std::string initiator_port::text() const {
    return fmt::format("{}, initiator {}", m_bridge.name(), m_number);
}

/// Refuses, in every mode, a message class that the network does not have.
bool initiator_port::refuse_classes(tlm::tlm_generic_payload& payload) {
    const auto* options = payload.get_extension<access_options>();
    if (options == nullptr) return false;
    const std::uint32_t classes = m_map.engine().net().view().classes();
    const bool bad_response =
        options->response_class != access_options::last && options->response_class >= classes;
    if (options->request_class < classes && !bad_response) return false;
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    report_error(
        report_id::memory,
        fmt::format("{}: a {} asks for message class {} for its {}, and the network has {}", text(),
                    text_of(payload), bad_response ? options->response_class : options->request_class,
                    bad_response ? "response" : "request", classes));
    return true;
}

bool initiator_port::refuse_after_the_end(tlm::tlm_generic_payload& payload) {
    if (!m_map.engine().finished()) return false;
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    report_error(report_id::finished, fmt::format("{}: a {} after cycle {}, in which the traffic had "
                                                  "finished (stop_when_finished); the engine runs no further",
                                                  text(), text_of(payload), m_map.engine().finished_at()));
    return true;
}

/// A call of b_transport that must wait, by a process that may not: a method, or sc_main.
bool initiator_port::refuse_to_wait(tlm::tlm_generic_payload& payload) {
    const sc_core::sc_process_handle caller = sc_core::sc_get_current_process_handle();
    if (caller.valid() && caller.proc_kind() != sc_core::SC_METHOD_PROC_) return false;
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    report_error(report_id::protocol,
                 text() + ": b_transport of a " + text_of(payload) + " by " +
                     (caller.valid() ? "the method " + std::string(caller.name()) : "no process") +
                     ", and in mode 'exact' the call must wait for the network: call it from a thread, by "
                     "nb_transport_fw, or in mode 'estimate'");
    return true;
}

/// Refuses a payload that begins again before its end.
bool initiator_port::refuse_open(const tlm::tlm_generic_payload& payload) {
    if (!m_ids.payloads.has(payload)) return false;
    report_error(report_id::protocol, text() + ": " + text_of_open(payload));
    return true;
}

/// Does a loosely timed access: the initiator's own time passes first, then it waits for the response.
void initiator_port::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const access_mode mode = m_bridge.mode();
    if (mode != access_mode::exact && done_at_once(payload, delay, mode == access_mode::estimate)) return;
    if (refuse_open(payload)) return;
    access_route way = route(payload);
    if (!way.exists() || refuse_classes(payload)) return answer_at_once(payload, m_map.now() + delay);
    if (mode != access_mode::exact) return access(payload, way, delay, mode);
    if (refuse_to_wait(payload)) return;
    if (delay != sc_core::SC_ZERO_TIME) {
        sc_core::wait(delay);
        way = route(payload);  // its view may be another one now
    }
    delay = sc_core::SC_ZERO_TIME;
    memory_access& a = begin(payload, way, m_map.now());
    m_ids.payloads.add(payload);
    a.done.waited_for = true;
    send_waiting();
    try {
        sc_core::wait(a.done.event);
    } catch (...) {
        SC_REPORT_WARNING(report_id::killed,
                          (text() + ": a process was killed within its " + text_of(payload) +
                           "; the access goes on, and its response goes nowhere")
                              .c_str());
        a.done.event.cancel();
        m_ids.payloads.remove(&payload);
        abandon(a);
        throw;
    }
    m_ids.payloads.remove(&payload);
    answer(a);
    release(a);
}

/// Gives the initiator its answer now.
void initiator_port::answer(memory_access& a) {
    const sc_core::sc_time& now = m_map.now();
    if (a.split) return over(a.whole(), a.split->memory(), a.split->answer(now), a.split->packets());
    a.times.end(now);
    a.bring_back();
    if (a.has_outgrown_its_copy())
        report_error(report_id::protocol,
                     text() + ": a " + text_of(*a.original) +
                         " had fewer bytes as it began; a payload on its way is not to be changed");
    over(*a.original, a.to, a.times, a.packets);
}

void initiator_port::over(const tlm::tlm_generic_payload& p, memory_port* to, const access_times& times,
                          const std::vector<access_packet>& packets) {
    m_statistics->count(p, times);
    if (m_map.trace() != nullptr)
        m_map.trace()->take(text(), p, to == nullptr ? "" : to->text(), times, packets);
}

/// Answers an access of which nothing came.
void initiator_port::answer_at_once(tlm::tlm_generic_payload& payload, const sc_core::sc_time& when) {
    access_times times;
    times.begin(when);
    tell_times(payload, times);
    if (m_bridge.mode() == access_mode::exact || m_map.accesses().counts_all()) over(payload, nullptr, times);
}

/// Makes the accesses of a payload, with numbers among those of their ID; an access without a memory is only
/// answered in its turn. Returns the access, or the last of its parts.
memory_access& initiator_port::begin(tlm::tlm_generic_payload& payload, const access_route& way,
                                     const sc_core::sc_time& made) {
    const access_mode mode = m_bridge.mode();
    const bool refused = mode == access_mode::exact && way.exists() && refuse_after_the_end(payload);
    if (payload.get_extension<access_timing>() != nullptr) m_map.count_hops();
    if (refused || way.pieces.empty()) return enqueue(payload, refused ? placement{} : way.whole, mode, made);
    const auto split = std::make_shared<split_access>(payload, way.pieces);
    for (std::size_t k = 0; k < way.pieces.size(); ++k) {
        memory_access& a = enqueue(split->parts()[k], way.pieces[k].at, mode, made);
        a.split = split;
        split->accesses()[k] = &a;
    }
    return *split->accesses().back();
}

memory_access& initiator_port::enqueue(tlm::tlm_generic_payload& payload, const placement& at,
                                       access_mode mode, const sc_core::sc_time& made) {
    memory_access& a = m_map.take(mode);
    a.copy(payload, at);
    a.times.begin(made);
    a.from = this;
    a.to = at.range == nullptr ? nullptr : m_map.memory_of(*at.range);
    a.id = id_of(payload);
    a.kept.of_id = &m_ids.by_id[a.id];
    if (a.to != nullptr) a.kept.places = &m_places[a.to];
    ++a.kept.of_id->open;
    ++m_ids.open;
    a.number = a.kept.of_id->responses.number();
    m_waiting.push_back(&a);
    return a;
}

/// Sends what may go: accesses of an ID in order, of different IDs whichever has room.
void initiator_port::send_waiting() {
    if (m_waiting.empty()) return;
    if (m_waiting.size() == 1) {  // as mostly
        memory_access& a = *m_waiting.front();
        if (!may_go(a)) return;
        m_waiting.pop_front();
        return send(a);
    }
    std::vector<std::uint32_t> held;  // IDs
    for (auto at = m_waiting.begin(); at != m_waiting.end();) {
        memory_access& a = **at;
        if (std::find(held.begin(), held.end(), a.id) == held.end() && may_go(a)) {
            at = m_waiting.erase(at);
            send(a);
        } else {
            held.push_back(a.id);
            ++at;
        }
    }
}

bool initiator_port::may_go(const memory_access& a) const {
    if (m_outstanding >= m_params.outstanding) return false;
    if (a.to == nullptr) return true;
    if (*a.kept.places >= a.to->window()) return false;
    switch (m_params.order) {
        case access_order::reorder:
            return true;
        case access_order::wait:
            return a.kept.of_id->sent == 0;
        case access_order::network:  // which keeps no order between two memories
            return a.kept.of_id->sent == 0 || a.kept.of_id->at == a.to;
    }
    return false;
}

void initiator_port::send(memory_access& a) {
    m_counts.most_outstanding = std::max(m_counts.most_outstanding, ++m_outstanding);
    if (&a == m_request_access) m_request_taken = true;
    if (a.to == nullptr) return settle(a);
    accesses_of_id& its = *a.kept.of_id;
    ++its.sent;
    if (its.at != a.to) its.there = &its.requests[a.to];
    its.at = a.to;
    ++*a.kept.places;
    a.order = its.there;
    a.request_number = a.order->number();
    m_map.request(a);
}

void initiator_port::check_order(const memory_access& a, const reorder_buffer<memory_access*>& numbers,
                                 std::uint64_t number) const {
    if (m_params.order != access_order::network || a.tag == 0 || numbers.is_next(number)) return;
    report_error(report_id::memory,
                 text() + ": the " + (a.response ? "response" : "request") + " of a " + text_of(a) +
                     " has overtaken another one; 'order: network' needs a network that keeps them in order, "
                     "with one VC a class and one way for all; reorder and wait do not");
}

void initiator_port::answered(memory_access& a) {
    check_order(a, a.kept.of_id->responses, a.number);
    --*a.kept.places;
    --a.kept.of_id->sent;
    m_answering = true;
    settle(a);
    m_answering = false;
}

/// Finishes an access and later ones that waited for it, or keeps it for earlier ones.
void initiator_port::settle(memory_access& a) {
    const std::uint32_t id = a.id;
    accesses_of_id& ids = *a.kept.of_id;
    ids.responses.arrive(a.number, &a, [&](memory_access* b) {
        --ids.open;
        --m_ids.open;
        finish(*b);
    });
    wake();
    if (ids.open != 0) return;
    constexpr std::size_t most_kept = 16;  // mostly the same few are used again
    if (m_ids.by_id.size() > most_kept) m_ids.by_id.erase(id);
    if (m_ids.waited_for) m_closed.notify(sc_core::SC_ZERO_TIME);
    m_ids.waited_for = false;
}

void initiator_port::finish(memory_access& a) {
    m_map.over(a);
    if (a.split && !a.split->settle(a)) return release(a);
    ++m_counts.accesses;
    if (a.original == nullptr) return release(a);
    if (a.done.waited_for) return notify(a.done.event);
    m_responses.push_back(&a);
}

/// Notes that nothing waits for the response any more.
void initiator_port::abandon(memory_access& a) {
    const std::shared_ptr<split_access> split = a.split;
    if (!split) return abandon_part(a);
    for (std::size_t k = 0; k < split->accesses().size(); ++k)
        if (memory_access* const part = split->accesses()[k]) abandon_part(*part);
}

void initiator_port::abandon_part(memory_access& a) {
    if (a.over) return release(a);
    a.leave_original();
    const auto waits = std::find(m_waiting.begin(), m_waiting.end(), &a);
    if (waits == m_waiting.end()) return;
    m_waiting.erase(waits);
    ++m_outstanding;
    settle(a);
}

void initiator_port::release(memory_access& a) {
    --m_outstanding;
    a.release();
    wake();
}

void initiator_port::report_out_of_turn(const tlm::tlm_phase& phase,
                                        const tlm::tlm_generic_payload& payload) const {
    report_error(report_id::protocol, text() + ": " + out_of_turn(phase, payload, "the base protocol"));
}

/// Takes a phase of an approximately timed access: END_REQ comes when the request is sent, BEGIN_RESP with
/// the response.
tlm::tlm_sync_enum initiator_port::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                   sc_core::sc_time& delay) {
    if (phase > tlm::END_RESP) return tlm::TLM_ACCEPTED;  // not the base protocol's: may be ignored
    if (phase == tlm::END_RESP && m_responding != nullptr && &payload == &m_responding->whole()) {
        end_response(delay);
        return tlm::TLM_COMPLETED;
    }
    if (phase != tlm::BEGIN_REQ || m_request != nullptr) {
        report_out_of_turn(phase, payload);
        return tlm::TLM_ACCEPTED;
    }
    if (refuse_open(payload)) return tlm::TLM_ACCEPTED;
    if (refuse_classes(payload)) return tlm::TLM_COMPLETED;
    if (m_bridge.mode() == access_mode::exact && refuse_after_the_end(payload)) return tlm::TLM_COMPLETED;
    if (payload.has_mm()) payload.acquire();
    m_ids.payloads.add(payload);
    m_request = &payload;
    m_request_due = m_map.now() + delay;
    if (delay != sc_core::SC_ZERO_TIME) {
        m_wake.notify(delay);
        return tlm::TLM_ACCEPTED;
    }
    begin_request();
    if (!m_request_taken) return tlm::TLM_ACCEPTED;
    end_request();
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

tlm::tlm_generic_payload& initiator_port::end_request() {
    tlm::tlm_generic_payload& payload = *m_request;
    m_request = nullptr;
    m_request_access = nullptr;
    m_request_taken = false;
    return payload;
}

void initiator_port::begin_request() {
    m_request_access = &begin(*m_request, route(*m_request), m_request_due);
    send_waiting();
}

/// Wakes run() if there may be something to do.
void initiator_port::wake() {
    if (m_request != nullptr || !m_waiting.empty() || !m_responses.empty()) notify(m_wake);
}

/// Notifies at once if the engine's process answers an access: the process that waits is another one.
void initiator_port::notify(sc_core::sc_event& event) {
    m_answering ? event.notify() : event.notify(sc_core::SC_ZERO_TIME);
}

void initiator_port::run() {
    const sc_core::sc_time& now = m_map.now();
    if (m_request != nullptr && m_request_access == nullptr && m_request_due <= now)
        begin_request();
    else
        send_waiting();
    if (m_request_taken) {
        tlm::tlm_phase phase = tlm::END_REQ;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        tlm::tlm_generic_payload& payload = end_request();
        const tlm::tlm_sync_enum answer = m_bridge.initiator(m_number).nb_transport_bw(payload, phase, delay);
        if (answer == tlm::TLM_UPDATED && phase <= tlm::END_RESP) report_out_of_turn(phase, payload);
    }
    begin_response();
    if (m_request != nullptr && m_request_due > now) m_wake.notify(m_request_due - now);
}

/// Begins the next response: the base protocol wants the one before to end first.
void initiator_port::begin_response() {
    if (m_responding != nullptr || m_responses.empty()) return;
    const sc_core::sc_time& now = m_map.now();
    if (now < m_response_end) return m_wake.notify(m_response_end - now);
    m_responding = m_responses.front();
    m_responses.pop_front();
    answer(*m_responding);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    tlm::tlm_generic_payload& payload = m_responding->whole();
    const tlm::tlm_sync_enum answer = m_bridge.initiator(m_number).nb_transport_bw(payload, phase, delay);
    // It may have ended it by a call of its own, within ours.
    if (answer == tlm::TLM_ACCEPTED || m_responding == nullptr) return;
    if (answer == tlm::TLM_COMPLETED || phase == tlm::END_RESP) return end_response(delay);
    if (phase <= tlm::END_RESP) report_out_of_turn(phase, payload);  // its END_RESP may still come
}

void initiator_port::end_response(const sc_core::sc_time& delay) {
    memory_access& a = *m_responding;
    m_responding = nullptr;
    m_response_end = m_map.now() + delay;
    m_ids.payloads.remove(&a.whole());
    if (a.whole().has_mm()) a.whole().release();
    release(a);
}

}  // namespace sare
