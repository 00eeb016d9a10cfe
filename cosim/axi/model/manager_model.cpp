// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/model/manager_model.h"

namespace sare::axi {

manager_model::manager_model(const manager_params& params, std::uint32_t node)
    : m_params(params),
      m_node(node),
      m_reads(params.reads, params.per_id, params.keeps_order),
      m_writes(params.writes, params.per_id, params.keeps_order),
      m_w(params.write_beats),
      m_request(params.widths, params.widths.request_header_bits(), params.widths.write_beat_bits()),
      m_response(params.widths, params.widths.response_header_bits(), params.widths.read_beat_bits()),
      m_r(params.read_beats),
      m_b(params.writes),
      m_room(params.read_beats) {}

/// Returns the key of a request: the same for requests to one node in one class, and for all to no node.
std::uint64_t manager_model::key(const address& a) const {
    const region* owner = m_params.owner(a.addr);
    const std::uint64_t node = owner == nullptr ? 0 : std::uint64_t{owner->node} + 1;
    return node << 4 | m_params.widths.class_of(a);
}

/// Returns which of AR and AW could send its packet.
std::uint32_t manager_model::may_go() const {
    const auto known = [&](const std::optional<address>& a, const order_rule& order) {
        return a && m_params.owner(a->addr) != nullptr && order.may(a->id, key(*a));
    };
    std::uint32_t may = 0;
    if (known(m_ar, m_reads) && m_room >= m_ar->beats()) may |= 1u << reads;
    if (known(m_aw, m_writes) && m_whole != 0) may |= 1u << writes;
    return may;
}

packetizer::shown manager_model::shown(std::uint32_t from) const {
    const bool write = from == writes;
    const address& a = write ? *m_aw : *m_ar;
    return m_request.show(m_params.widths.request_header(write, m_node, a), write ? a.beats() : 0,
                          m_request.in_beats() ? m_w.front().what : wide());
}

manager_bridge::outputs manager_model::out() const {
    outputs o;
    o.axi.ar_ready = !m_ar;
    o.axi.aw_ready = !m_aw;
    o.axi.w_ready = m_w.room();
    o.rsp_ready = m_response.ready();
    if (const std::uint32_t from = m_turns.now(may_go()); from != packet_turns::none) {
        const address& a = from == writes ? *m_aw : *m_ar;
        o.req = {shown(from).flit, class_of(from), m_params.owner(a.addr)->node,
                 m_request.length(from == writes ? a.beats() : 0)};
    }
    o.axi.r_valid = r_is_error() || m_r.valid();
    if (r_is_error()) {
        o.axi.r_id = m_r_error->id;
        o.axi.r_last = m_r_error->left == 1;
        o.axi.r.set(m_params.widths.data_width, 2, static_cast<std::uint64_t>(response::decerr));
    } else if (m_r.valid()) {
        o.axi.r_id = m_r.front().id;
        o.axi.r_last = m_r.front().last;
        o.axi.r = m_r.front().what;
    }
    o.axi.b_valid = b_is_error() || m_b.valid();
    if (o.axi.b_valid) {
        o.axi.b_id = b_is_error() ? m_b_error->id : m_b.front().id;
        o.axi.b_resp = b_is_error() ? response::decerr : m_b.front().resp;
    }
    return o;
}

/// Lets the manager take what is at R and B.
void manager_model::take_answers(const inputs& in, const outputs& o) {
    const bool r_error = r_is_error(), b_error = b_is_error();
    const bool r_taken = o.axi.r_valid && in.axi.r_ready, b_taken = o.axi.b_valid && in.axi.b_ready;
    if (r_taken && r_error && --m_r_error->left == 0) m_r_error.reset();
    if (r_taken && !r_error) {
        m_r.pop();
        ++m_room;
    }
    if (o.axi.r_valid) {
        m_r_busy = !(r_taken && o.axi.r_last);
        m_r_busy_error = r_error;
    }
    if (r_taken && o.axi.r_last) m_reads.done(o.axi.r_id);
    if (b_taken && b_error) m_b_error.reset();
    if (b_taken && !b_error) m_b.pop();
    if (b_taken) m_writes.done(o.axi.b_id);
    m_b_held = o.axi.b_valid && !b_taken && !b_error;
}

/// Moves complete answers to R and B; then takes what the NIC brings.
void manager_model::take_responses(const stream_flit& in) {
    const format& f = m_params.widths;
    const bool is_write = m_response.valid() && m_response.header().get(0, 1) != 0;
    const bool beat = m_response.has_beat();
    bool done = is_write;
    const std::uint64_t id = m_response.header().get(3, f.id_width);
    if (is_write) m_b.push({id, static_cast<response>(m_response.header().get(1, 2))});
    if (beat) {
        const auto& front = m_response.front();
        m_r.push({id, front.what.slice(0, f.read_beat_bits()), front.last});
        done = done || front.last;
    }
    m_response.step(in, beat, done);
}

/// Sends the flit that is shown, if the NIC takes it. Returns whether it is the last of its packet.
bool manager_model::request_leaves(const inputs& in, const outputs& o) {
    const std::uint32_t from = m_turns.now(may_go());
    if (from == packet_turns::none) return false;
    const bool taken = (in.req_ready >> class_of(from) & 1) != 0, tail = o.req.what.tail;
    const bool ends_beat = taken && shown(from).ends_beat;
    m_turns.step(from, taken && tail);
    if (!taken) return false;
    m_request.taken(tail);
    if (ends_beat) {
        if (m_w.front().last) --m_whole;
        m_w.pop();
    }
    return tail;
}

/// Answers requests to no node: the data of a write leave beat by beat, then there is an answer.
void manager_model::lose_requests(bool r_free, bool b_free, bool read_may, bool write_may) {
    if (read_may && r_free) {
        m_r_error = lost{m_ar->id, m_ar->beats()};
        m_reads.take(m_ar->id, key(*m_ar));
        m_ar.reset();
    }
    if (!write_may || !b_free || m_whole == 0) return;
    const bool last = m_w.front().last;
    m_w.pop();
    if (!last) return;
    --m_whole;
    m_b_error = lost{m_aw->id, 1};
    m_writes.take(m_aw->id, key(*m_aw));
    m_aw.reset();
}

void manager_model::clock(const inputs& in) {
    const outputs o = out();
    // What is decided by the state before this cycle.
    const bool r_free = !m_r_error, b_free = !m_b_error;
    const auto nobodys = [&](const std::optional<address>& a, const order_rule& order) {
        return a && m_params.owner(a->addr) == nullptr && order.may(a->id, key(*a));
    };
    const bool read_may = nobodys(m_ar, m_reads), write_may = nobodys(m_aw, m_writes);
    const std::uint32_t from = m_turns.now(may_go());

    if (request_leaves(in, o)) {
        std::optional<address>& a = from == writes ? m_aw : m_ar;
        (from == writes ? m_writes : m_reads).take(a->id, key(*a));
        if (from == reads) m_room -= a->beats();
        a.reset();
    }
    take_answers(in, o);
    lose_requests(r_free, b_free, read_may, write_may);
    take_responses(in.rsp);

    if (o.axi.ar_ready && in.axi.ar_valid) m_ar = in.axi.ar;
    if (o.axi.aw_ready && in.axi.aw_valid) m_aw = in.axi.aw;
    if (o.axi.w_ready && in.axi.w_valid) {
        m_w.push({in.axi.w, in.axi.w_last});
        m_whole += in.axi.w_last ? 1 : 0;
    }
}

}  // namespace sare::axi
