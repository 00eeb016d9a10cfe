// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/fabric.h"

#include <algorithm>

namespace sare {

void fabric::set_workload(workload* w) {
    m_workload = w;
    m_wants_deliveries = w != nullptr && w->wants_deliveries();
    if (w != nullptr) w->start(*this);
}

void fabric::shuffle_evaluation(std::uint64_t seed) {
    m_shuffle = true;
    m_shuffle_random = rng(seed, stream::test, 0);
}

void fabric::step(cycle_t t) {
    m_now = t;
    const std::uint32_t slot = static_cast<std::uint32_t>(t) & m_slot_mask;
    if (m_wheel_any[slot] != 0) {
        m_wheel_any[slot] = 0;
        std::uint64_t* active = m_wheel.data() + static_cast<std::size_t>(slot) * m_wheel_words;
        if (m_shuffle) {
            run_shuffled(active, t);
        } else {
            for (std::uint32_t w = 0; w < m_wheel_words; ++w) {
                std::uint64_t rest = active[w];
                if (rest == 0) continue;
                active[w] = 0;
                for (; rest != 0; rest &= rest - 1) run_endpoint(w * 64 + lowest(rest), t);
            }
        }
    }
    hand_over(t);
    if (m_workload != nullptr && m_workload->next_tick() <= t) m_workload->tick(t);
    if (m_injecting_nodes == 0) return;
    for (std::size_t w = 0; w < m_injecting.size(); ++w)
        for (std::uint64_t rest = m_injecting[w]; rest != 0; rest &= rest - 1)
            inject(static_cast<std::uint32_t>(w * 64) + lowest(rest), t);
}

void fabric::run_endpoint(std::uint32_t e, cycle_t t) {
    if (e < m_first_nic) m_shapes[m_router_shape[e]]->step(*this, m_routers + m_router_at[e], t);
    else if (e < m_first_foreign) run_nic(e - m_first_nic, t);
    else run_foreign(e - m_first_foreign, t);
}

void fabric::run_shuffled(std::uint64_t* active, cycle_t t) {
    m_order.clear();
    for (std::uint32_t w = 0; w < m_wheel_words; ++w) {
        for (std::uint64_t rest = active[w]; rest != 0; rest &= rest - 1) m_order.push_back(w * 64 + lowest(rest));
        active[w] = 0;
    }
    for (std::size_t n = m_order.size(); n > 1; --n)
        std::swap(m_order[n - 1], m_order[m_shuffle_random.below(static_cast<std::uint32_t>(n))]);
    for (const std::uint32_t e : m_order) run_endpoint(e, t);
    std::sort(m_arrivals.begin(), m_arrivals.end(),
              [](const arrival& a, const arrival& b) { return a.node < b.node; });
}

cycle_t fabric::next_work(cycle_t t) const {
    if (m_injecting_nodes != 0 || !m_room.empty()) return t + 1;
    cycle_t next = workload::never;
    for (cycle_t at = t + 1; at <= t + m_slot_mask; ++at)
        if (m_wheel_any[static_cast<std::uint32_t>(at) & m_slot_mask] != 0) {
            next = at;
            break;
        }
    if (m_workload != nullptr) next = std::min(next, std::max(m_workload->next_tick(), t + 1));
    return next;
}

void fabric::hand_over(cycle_t t) {
    for (const arrival& a : m_arrivals) {
        const message_record& m = m_messages[a.message];
        const delivery d{m.what, m.injected, t};
        m_messages.give_back(a.message);
        m_workload->delivered(d);
    }
    m_arrivals.clear();
    if (m_room.empty()) return;
    std::sort(m_room.begin(), m_room.end());
    const std::vector<std::uint32_t> ready = std::move(m_room);
    m_room.clear();
    for (const std::uint32_t node : ready) m_workload->room(node);
}

std::uint32_t fabric::flits_for(std::uint64_t bytes) const {
    const nic_params& p = m_nic_params.front();
    const std::uint64_t room = std::uint64_t{p.max_packet_flits} * p.flit_bytes;
    const std::uint64_t payload = room > p.header_bytes ? room - p.header_bytes : 1;
    const std::uint64_t whole = bytes / payload;
    const std::uint64_t rest = bytes - whole * payload;
    std::uint64_t flits = whole * p.max_packet_flits;
    if (rest != 0 || whole == 0)
        flits += std::max<std::uint64_t>(1, (rest + p.header_bytes + p.flit_bytes - 1) / p.flit_bytes);
    return static_cast<std::uint32_t>(flits);
}

void fabric::put_batched_credit(const wire& w, std::uint32_t vc, cycle_t t) {
    const cycle_t leaves = (t + w.batch - 1) / w.batch * w.batch;
    const cycle_t at = leaves + w.delay;
    std::uint64_t* slot = m_inboxes + w.inbox + (static_cast<std::uint32_t>(at) & m_slot_mask) * w.stride;
    const std::uint32_t bit = w.place + vc;
    slot[1 + (bit >> 6)] |= std::uint64_t{1} << (bit & 63);
    ++reinterpret_cast<std::uint16_t*>(slot + w.counts)[bit];
    wake(w.reader, at);
}

void fabric::write_flit(std::uint32_t foreign, const flit& f) {
    put_flit(m_foreign_wires[foreign].flits, f, m_now);
}

void fabric::write_credit(std::uint32_t foreign, std::uint32_t vc) {
    put_credit(m_foreign_wires[foreign].credits, vc, m_now);
}

void fabric::run_foreign(std::uint32_t index, cycle_t t) {
    const std::uint64_t words = 3 + (m_vcs + 3) / 4;
    std::uint64_t* slot =
        m_inboxes + m_foreign_inbox[index] + (static_cast<std::uint32_t>(t) & m_slot_mask) * words;
    auto* counts = reinterpret_cast<std::uint16_t*>(slot + 3);
    const bool counted = m_foreign_wires[index].flits.counts != 0;
    for (std::uint64_t rest = slot[1]; rest != 0; rest &= rest - 1) {
        const std::uint32_t vc = lowest(rest);
        m_foreign[index]->credit_arrived(vc, counted || counts[vc] != 0 ? counts[vc] : 1);
        counts[vc] = 0;
    }
    slot[1] = 0;
    if (slot[0] == 0) return;
    slot[0] = 0;
    flit f;
    __builtin_memcpy(static_cast<void*>(&f), slot + 2, sizeof f);
    m_foreign[index]->flit_arrived(f);
}

namespace {

template <class T>
const T* router_array(const std::uint8_t* block, std::uint32_t offset) {
    return reinterpret_cast<const T*>(block + offset);
}

template <int W>
bool bids(const std::uint8_t* block, std::uint32_t i) {
    return reinterpret_cast<const router_state<W>*>(block)->va.test(i);
}

}  // namespace

const in_vc* fabric::in_vcs(std::uint32_t router) const {
    return router_array<in_vc>(m_routers + m_router_at[router], shape(router).at_in);
}

const out_vc* fabric::out_vcs(std::uint32_t router) const {
    return router_array<out_vc>(m_routers + m_router_at[router], shape(router).at_out);
}

bool fabric::bids_for_vc(std::uint32_t router, std::uint32_t i) const {
    const std::uint8_t* block = m_routers + m_router_at[router];
    switch (shape(router).words) {
        case 1: return bids<1>(block, i);
        case 4: return bids<4>(block, i);
        default: return bids<16>(block, i);
    }
}

std::string fabric::leftovers() const {
    for (std::uint32_t r = 0; r < routers(); ++r)
        for (std::uint32_t i = 0; i < shape(r).in_vcs; ++i) {
            const std::string at = "router " + std::to_string(r) + " port " + std::to_string(i / m_vcs) + " vc " +
                                   std::to_string(i % m_vcs);
            if (in_vcs(r)[i].count != 0) return at + ": " + std::to_string(in_vcs(r)[i].count) + " flits left";
            const out_vc& o = out_vcs(r)[i];
            if (o.owner != out_vc::no_owner) return at + ": output VC still owned";
            if (o.credits != o.depth)
                return at + ": " + std::to_string(o.depth - o.credits) + " credits not back";
        }
    for (std::uint32_t n = 0; n < nodes(); ++n)
        for (std::uint32_t v = 0; v < m_vcs; ++v)
            if (m_nic_credits[n * m_vcs + v] != m_nics[n].depth)
                return "nic " + std::to_string(n) + " vc " + std::to_string(v) + ": credits not back";
    if (m_packets.in_use() != 0) return std::to_string(m_packets.in_use()) + " packets left";
    if (m_messages.in_use() != 0) return std::to_string(m_messages.in_use()) + " messages left";
    return "";
}

std::uint64_t fabric::slab_bytes() const { return m_router_bytes + m_buffer_bytes + m_inbox_words * 8; }

}  // namespace sare
