// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/model/subordinate_model.h"

namespace sare::axi {

subordinate_model::subordinate_model(const subordinate_params& params)
    : m_params(params),
      m_merge(params.widths.request_classes),
      m_request(params.widths, params.widths.request_header_bits(), params.widths.write_beat_bits()),
      m_r(params.read_beats),
      m_whole(params.reads),
      m_b(params.writes),
      m_response(params.widths, params.widths.response_header_bits(), params.widths.read_beat_bits()) {}

packetizer::shown subordinate_model::shown(std::uint32_t from) const {
    const format& f = m_params.widths;
    const bool write = from == writes;
    return m_response.show(f.response_header(write, write ? m_b.front().resp : response::okay, id_of(from)),
                           write ? 0 : m_whole.front().beats, m_response.in_beats() ? m_r.front() : wide());
}

subordinate_bridge::outputs subordinate_model::out() const {
    outputs o;
    o.req_ready = m_merge.ready(m_request.ready());
    if (m_request.valid()) o.axi.ar = o.axi.aw = m_params.widths.address_of(m_request.header());
    o.axi.ar_valid = m_request.valid() && !is_write() && m_open_reads != m_params.reads;
    o.axi.aw_valid = may_write() && !m_aw_done;
    o.axi.w_valid = may_write() && m_request.has_beat();
    if (o.axi.w_valid) {
        o.axi.w = m_request.front().what.slice(0, m_params.widths.write_beat_bits());
        o.axi.w_last = m_request.front().last;
    }
    o.axi.r_ready = m_r.room();
    o.axi.b_ready = m_b.room();
    if (const std::uint32_t from = m_turns.now(whole()); from != packet_turns::none)
        o.rsp = {shown(from).flit, 0, static_cast<std::uint32_t>(id_of(from) >> m_params.widths.id_width),
                 m_response.length(from == writes ? 0 : m_whole.front().beats)};
    return o;
}

void subordinate_model::send_response(bool ready) {
    const std::uint32_t from = m_turns.now(whole());
    if (from == packet_turns::none) return;
    const auto now = shown(from);
    m_turns.step(from, ready && now.flit.tail);
    if (!ready) return;
    m_response.taken(now.flit.tail);
    if (now.ends_beat) m_r.pop();
    if (!now.flit.tail) return;
    if (from == writes) {
        m_b.pop();
        --m_open_writes;
    } else {
        m_whole.pop();
        --m_open_reads;
    }
}

void subordinate_model::take_request(const inputs& in, const outputs& o) {
    const bool may = may_write();
    const bool ar_ends = o.axi.ar_valid && in.axi.ar_ready, aw_ends = o.axi.aw_valid && in.axi.aw_ready;
    const bool w_taken = o.axi.w_valid && in.axi.w_ready, w_ends = w_taken && o.axi.w_last;
    const bool done = ar_ends || (may && (m_aw_done || aw_ends) && (m_w_done || w_ends));
    m_open_reads += ar_ends ? 1 : 0;
    m_open_writes += aw_ends ? 1 : 0;
    m_aw_done = (m_aw_done || aw_ends) && !done;
    m_w_done = (m_w_done || w_ends) && !done;
    const bool ready = m_request.ready();
    const stream_flit flit = m_merge.show(in.req);
    m_merge.step(in.req, ready);
    m_request.step(flit, w_taken, done);
}

void subordinate_model::take_answers(const inputs& in, const outputs& o) {
    if (in.axi.r_valid && o.axi.r_ready) {
        m_r.push(in.axi.r);
        ++m_place;
        if (in.axi.r_last) {
            m_whole.push({in.axi.r_id, m_place});
            m_place = 0;
        }
    }
    if (in.axi.b_valid && o.axi.b_ready) m_b.push({in.axi.b_id, in.axi.b_resp});
}

void subordinate_model::clock(const inputs& in) {
    const outputs o = out();
    take_request(in, o);
    send_response(in.rsp_ready);
    take_answers(in, o);
}

}  // namespace sare::axi
