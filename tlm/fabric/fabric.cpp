// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/fabric.h"
#include "tlm/fabric/steps.h"

#include <algorithm>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sare {

void fabric::set_workload(workload* w, cycle_t first) {
    m_workload = w;
    m_first_cycle = first;
    m_wants_deliveries = w != nullptr && w->wants_deliveries();
    if (w != nullptr) w->start(*this);
}

void fabric::set_seed(std::uint64_t seed) {
    m_seed = seed;
    for (std::uint32_t n = 0; n < nodes(); ++n) m_nics[n].random = rng(seed, stream::routing, n);
    for (std::uint32_t r = 0; r < m_router_random.size(); ++r)
        m_router_random[r] = rng(seed, stream::routing, (std::uint64_t{1} << 32) + r);
}

void fabric::shuffle_evaluation(std::uint64_t seed) {
    m_shuffle = true;
    m_shuffle_random = rng(seed, stream::test, 0);
}

void fabric::step(cycle_t t) {
    if (t >> 31 != m_now >> 31) forget_times();
    m_now = t;
    std::uint64_t* here = plane(t);
    if (here[0] != 0) {
        here[0] = 0;
        if (m_looks_through) find_awake(here);
        if (m_shuffle) {
            run_shuffled(here + 1, t);
        } else {
            run_routers(here + 1, t);
            run_others(here + 1, t);
        }
    }
    hand_over(t);
    if (m_workload != nullptr && m_workload->next_tick() <= t) m_workload->tick(t);
    if (m_injecting_nodes != 0) inject_all(t);
}

/// Plain blocks know cycles modulo 2^32: none may be so old that it looks new.
void fabric::forget_times() {
    for (std::uint32_t r = 0; m_in_lists && r < routers(); ++r)
        visit_block(r, [this](auto& b) { b.forget_times(static_cast<std::uint32_t>(m_now)); });
}

void fabric::run_endpoint(std::uint32_t e, cycle_t t) {
    if (e < m_first_nic) {
        shape_entry& kind = *m_shapes[m_router_shape[e]];
        if (kind.step_list != nullptr) {
            kind.awake[kind.n_awake++] = e;
            run_list(kind, t);
        } else {
            kind.step(*this, kind.shape, e / 64, std::uint64_t{1} << (e & 63), t);
        }
    } else if (e < m_first_foreign) {
        const std::uint32_t n = e - m_first_nic;
        if (m_usual_nics)
            run_nics(n / 64, std::uint64_t{1} << (n & 63), t);
        else
            run_nic_list(&n, 1, t);
    } else {
        run_foreign(e - m_first_foreign, t);
    }
}

namespace {

/// Which of 64 words are not 0.
std::uint64_t nonzero(const std::uint64_t* words) {
    std::uint64_t found = 0;
    for (unsigned k = 0; k < 64; ++k) found |= std::uint64_t{words[k] != 0} << k;
    return found;
}

#if defined(__x86_64__)
/// The same, four at a time.
__attribute__((target("avx2"))) std::uint64_t nonzero_fast(const std::uint64_t* words) {
    std::uint64_t empty = 0;
    for (unsigned k = 0; k < 64; k += 4) {
        const __m256i four = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words + k));
        const __m256i zeros = _mm256_cmpeq_epi64(four, _mm256_setzero_si256());
        const int mask = _mm256_movemask_pd(_mm256_castsi256_pd(zeros));
        empty |= static_cast<std::uint64_t>(mask) << k;
    }
    return ~empty;
}
const auto nonzero_words = __builtin_cpu_supports("avx2") ? &nonzero_fast : &nonzero;
#else
const auto nonzero_words = &nonzero;
#endif

}  // namespace

/// Adds to the bits to wake those for whom something has come.
void fabric::find_awake(std::uint64_t* here) const {
    for (std::uint32_t w = 0; w < m_wake_words; ++w)
        here[1 + w] |= nonzero_words(here + m_sets_at + std::size_t{w} * 64);
}

void fabric::list_awake(shape_entry& kind, std::uint32_t word, std::uint64_t bits) {
    std::uint32_t* next = &kind.awake[kind.n_awake];
    for (; bits != 0; bits &= bits - 1) *next++ = static_cast<std::uint32_t>(word * 64 + lowest(bits));
    kind.n_awake = static_cast<std::size_t>(next - kind.awake.data());
}

void fabric::run_routers(std::uint64_t* active, cycle_t t) {
    for (const group& g : m_groups) {
        const std::uint64_t bits = active[g.word] & g.members;
        if (bits == 0) continue;
        active[g.word] ^= bits;
        shape_entry& kind = *m_shapes[g.kind];
        if (kind.step_list == nullptr)
            kind.step(*this, kind.shape, g.word, bits, t);
        else
            list_awake(kind, g.word, bits);
    }
    for (const auto& kind : m_shapes)
        if (kind->n_awake != 0) run_list(*kind, t);
}

void fabric::run_list(shape_entry& kind, cycle_t t) {
    std::fill_n(&kind.awake[kind.n_awake], list_look_ahead, kind.awake[0]);
    kind.step_list(*this, kind.shape, kind.awake.data(), kind.n_awake, t);
    kind.n_awake = 0;
}

/// NICs and foreign blocks.
void fabric::run_others(std::uint64_t* active, cycle_t t) {
    m_awake_nics.clear();
    for (std::uint32_t w = m_first_nic / 64; w < m_wake_words; ++w) {
        const std::uint64_t bits = active[w];
        if (bits == 0) continue;
        active[w] = 0;
        if (w < m_first_foreign / 64 && m_usual_nics) {
            run_nics(w - m_first_nic / 64, bits, t);
            continue;
        }
        for (std::uint64_t rest = bits; rest != 0; rest &= rest - 1) {
            const auto e = static_cast<std::uint32_t>(w * 64 + lowest(rest));
            if (e < m_first_foreign)
                m_awake_nics.push_back(e - m_first_nic);
            else
                run_foreign(e - m_first_foreign, t);
        }
    }
    if (!m_awake_nics.empty()) run_nic_list(m_awake_nics.data(), m_awake_nics.size(), t);
}

void fabric::run_shuffled(std::uint64_t* active, cycle_t t) {
    m_order.clear();
    for (std::uint32_t w = 0; w < m_wake_words; ++w) {
        for (std::uint64_t rest = active[w]; rest != 0; rest &= rest - 1)
            m_order.push_back(w * 64 + lowest(rest));
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
        if (plane(at)[0] != 0) {
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
        ((d.what.tag >> 63) != 0 ? m_bridge : m_workload)->delivered(d);
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

void fabric::write_flit(std::uint32_t foreign, const flit& f, cycle_t at) {
    put_flit(m_wires[m_wires_of[m_first_foreign + foreign]].flits, f, at);
}

void fabric::write_credit(std::uint32_t foreign, std::uint32_t vc, cycle_t at) {
    const std::uint64_t place = m_wires_of[m_first_foreign + foreign];
    put_credit(m_wires[place].credits, m_extras[place].credits, vc, at);
}

void fabric::run_foreign(std::uint32_t index, cycle_t t) {
    std::uint64_t* inbox = plane(t) + m_inbox_of[m_first_foreign + index];
    auto* counts = reinterpret_cast<std::uint16_t*>(inbox + 3);
    for (std::uint64_t rest = inbox[1]; rest != 0; rest &= rest - 1) {
        const std::uint32_t vc = lowest(rest);
        m_foreign[index]->credit_arrived(vc, m_batched ? counts[vc] : 1);
        if (m_batched) counts[vc] = 0;
    }
    inbox[1] = 0;
    if (inbox[0] == 0) return;
    inbox[0] = 0;
    m_foreign[index]->flit_arrived(flit::from_word(inbox[2]));
}

in_vc fabric::in(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const {
    const std::uint32_t i = port * shape(router).stride + vc;
    return look_at(router, [i](auto& b) { return b.in_at(i); });
}

out_vc fabric::out(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const {
    const std::uint32_t o = port * shape(router).stride + vc;
    return look_at(router, [o](auto& b) { return b.out_at(o); });
}

void fabric::count_buffers(std::uint32_t router, std::vector<std::uint64_t>& bins) const {
    const router_shape& s = shape(router);
    look_at(router, [&](auto& b) {
        for (std::uint32_t p = 0; p < s.ports; ++p)
            for (std::uint32_t v = 0; v < s.vcs; ++v) {
                const std::uint32_t flits = b.count_at(p * s.stride + v);
                if (flits >= bins.size()) bins.resize(flits + 1, 0);
                ++bins[flits];
            }
    });
}

std::uint32_t fabric::flits_sent(std::uint32_t router) const {
    return look_at(router, [](auto& b) { return b.flits_sent(); });
}

std::uint32_t fabric::flits_sent(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const {
    const std::uint32_t o = port * shape(router).stride + vc;
    return look_at(router, [o](auto& b) { return b.sent_by(o); });
}

/// The flit at the front of an input VC of a plain router; if it is foreseen to leave, it is on its way
/// already.
template <class B>
std::uint64_t fabric::front_of(const router_shape& s, B& b, std::uint32_t i) const {
    if constexpr (B::in_list) {
        const bool soon = (b.soon.in >> i & 1) != 0, later = (b.later.in >> i & 1) != 0;
        const std::uint64_t* plane_then = plane(m_now + (soon ? 1 : 2) + s.flit_delay);
        if (soon || later) return plane_then[b.output_vcs[b.in(i).out].flit_at];
    }
    return b.front[i];
}

flit fabric::buffered(std::uint32_t router, std::uint32_t port, std::uint32_t vc, std::uint32_t k) const {
    const router_shape& s = shape(router);
    const std::uint32_t i = port * s.stride + vc;
    return look_at(router, [&](auto& b) {
        flit f = b.buffer[(b.in_at(i).head + k) % s.params.depth * s.in_vcs + i];
        if constexpr (std::decay_t<decltype(b)>::plain) {
            if (k == 0) f = flit::from_word(front_of(s, b, i));
            f.vc = static_cast<std::uint8_t>(vc);
        }
        if (f.is_head()) f.sequence = 0;
        return f;
    });
}

namespace {

bool has(std::uint64_t set, std::uint32_t i) {
    return ((set >> i) & 1) != 0;
}
template <int W>
bool has(const bits<W>& set, std::uint32_t i) {
    return set.test(i);
}

}  // namespace

bool fabric::bids_for_vc(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const {
    const std::uint32_t i = port * shape(router).stride + vc;
    return look_at(router, [i](auto& b) { return has(b.va, i); });
}

std::string fabric::leftovers() const {
    for (std::uint32_t r = 0; r < routers(); ++r)
        for (std::uint32_t p = 0; p < shape(r).ports; ++p)
            for (std::uint32_t v = 0; v < m_vcs; ++v) {
                const std::string at = "router " + std::to_string(r) + " port " + std::to_string(p) + " vc " +
                                       std::to_string(v) + ": ";
                if (in(r, p, v).count != 0) return at + std::to_string(in(r, p, v).count) + " flits left";
                if (out(r, p, v).owner != out_vc::no_owner) return at + "output VC still owned";
                const std::uint32_t depth = m_extras[m_wires_of[r] + p].flits.depth;
                const std::uint32_t credits = out(r, p, v).credits + visit_block(r, [&](auto& b) {
                                                  return b.credits_coming(p * shape(r).stride + v);
                                              });
                if (credits != depth) return at + std::to_string(depth - credits) + " credits not back";
            }
    for (std::uint32_t n = 0; n < nodes(); ++n)
        for (std::uint32_t v = 0; v < m_vcs; ++v)
            if (m_nic_credits[n * m_vcs + v] != m_nics[n].depth)
                return "nic " + std::to_string(n) + " vc " + std::to_string(v) + ": credits not back";
    if (m_packets.in_use() != 0) return std::to_string(m_packets.in_use()) + " packets left";
    if (m_messages.in_use() != 0) return std::to_string(m_messages.in_use()) + " messages left";
    return "";
}

std::uint64_t fabric::messages_started() const {
    std::uint64_t started = m_messages_sent - messages_waiting();
    for (const nic_lane& lane : m_lanes) {
        if (lane.first == nic_lane::none) continue;
        const message_record& m = m_messages[lane.first];
        if (m.flits_to_inject != m.what.flits) ++started;
    }
    return started;
}

std::uint64_t fabric::slab_bytes() const {
    return m_router_bytes + m_buffer_bytes + m_plane_words * 8 * (m_slot_mask + 1);
}

}  // namespace sare
