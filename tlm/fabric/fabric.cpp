// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/fabric.h"

#include "tlm/fabric/bits.h"

#include <algorithm>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sare {

void fabric::set_workload(workload* w, cycle_t first) {
    m_workload = w;
    m_first_cycle = first;
    m_nics.tell_deliveries(w != nullptr && w->wants_deliveries());
    if (w != nullptr) w->start(*this);
}

void fabric::set_seed(std::uint64_t seed) {
    m_seed = seed;
    m_nics.set_seed(seed);
    for (const auto& bank : m_banks) bank->set_seed(seed);
}

void fabric::shuffle_evaluation(std::uint64_t seed) {
    m_shuffle = true;
    m_shuffle_random = rng(seed, stream::test, 0);
}

void fabric::step(cycle_t t) {
    go_on_to(t);
    std::uint64_t* here = m_ring.at(t);
    if (here[0] != 0) {
        here[0] = 0;
        if (m_looked_through) find_awake(here);
        if (m_shuffle) {
            run_shuffled(here + 1, t, false);
        } else {
            run_routers(here + 1, t);
            run_others(here + 1, t);
        }
    }
    hand_over(t);
    call_for_room();
    if (m_workload != nullptr && m_workload->next_tick() <= t) m_workload->tick(t);
    m_nics.inject(t);
    if (m_owners) run_owners(here + 1, t);
}

/// Routers that own the injection queues of their nodes: after what these send in this cycle.
void fabric::run_owners(std::uint64_t* active, cycle_t t) {
    const std::vector<std::uint64_t>& waiting = m_nics.waiting();
    for (std::size_t w = 0; w < waiting.size(); ++w)
        for (std::uint64_t rest = waiting[w]; rest != 0; rest &= rest - 1) {
            const std::uint32_t e = m_owner_of[w * 64 + lowest(rest)];
            if (e != no_link) active[e / 64] |= std::uint64_t{1} << (e & 63);
        }
    if (m_shuffle)
        run_shuffled(active, t, true);
    else
        for (std::uint32_t b = 0; b < m_banks.size(); ++b)
            if (m_banks[b]->terms().owns_nodes) m_banks[b]->step(active + m_first_of_bank[b] / 64, t);
    hand_over(t);
}

/// What wakes no endpoint, such as a credit that is on its way, may outlast the last cycle that was run: by
/// less than the planes hold.
void fabric::go_on_to(cycle_t t) {
    if (t >> 31 != m_now >> 31)
        for (const auto& bank : m_banks) bank->forget_times(std::min(t - 1, m_now + m_ring.reach()));
    if (m_board != nullptr) m_board->go_on(*this, m_now, t);
    m_now = t;
}

void fabric::run_endpoint(std::uint32_t e, cycle_t t) {
    if (e < m_first_nic) {
        const std::uint32_t b = m_bank_of_word[e / 64], k = e - m_first_of_bank[b];
        m_lone.assign(m_banks[b]->words(), 0);
        m_lone[k / 64] = std::uint64_t{1} << (k & 63);
        m_banks[b]->step(m_lone.data(), t);
    } else if (e < m_first_foreign) {
        const std::uint32_t n = e - m_first_nic;
        m_nics.run(n / 64, std::uint64_t{1} << (n & 63), t);
        m_nics.run_rest(t);
    } else {
        run_foreign(e - m_first_foreign, t);
    }
}

namespace {

/// Which of up to 64 words are not 0.
std::uint64_t nonzero(const std::uint64_t* words, unsigned n) {
    std::uint64_t found = 0;
    for (unsigned k = 0; k < n; ++k) found |= std::uint64_t{words[k] != 0} << k;
    return found;
}
/// Of pairs.
std::uint64_t nonzero_pairs(const std::uint64_t* words, unsigned n) {
    std::uint64_t found = 0;
    for (unsigned k = 0; k < n; ++k) found |= std::uint64_t{(words[2 * k] | words[2 * k + 1]) != 0} << k;
    return found;
}

#if defined(__x86_64__)
/// The same, sixteen at a time: n may be taken for the next multiple of that.
__attribute__((target("avx2"))) std::uint64_t nonzero_fast(const std::uint64_t* words, unsigned n) {
    std::uint64_t found = 0;
    for (unsigned first = 0; first < n; first += 16) {
        std::uint64_t empty = 0;
        for (unsigned k = 0; k < 16; k += 4) {
            const auto* const at = reinterpret_cast<const __m256i*>(words + first + k);
            const __m256i zeros = _mm256_cmpeq_epi64(_mm256_loadu_si256(at), _mm256_setzero_si256());
            const int mask = _mm256_movemask_pd(_mm256_castsi256_pd(zeros));
            empty |= static_cast<std::uint64_t>(mask) << k;
        }
        found |= (empty ^ 0xffff) << first;
    }
    return found;
}
__attribute__((target("avx2,bmi2"))) std::uint64_t nonzero_pairs_fast(const std::uint64_t* words,
                                                                      unsigned n) {
    std::uint64_t found = 0;
    for (unsigned k = 0; k < n; k += 32) {
        const std::uint64_t some = nonzero_fast(words + 2 * k, std::min(2 * (n - k), 64u));
        found |= _pext_u64(some | some >> 1, 0x5555555555555555) << k;
    }
    return found;
}
const bool fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
const auto nonzero_words = fast ? &nonzero_fast : &nonzero;
const auto nonzero_pairs_of_words = fast ? &nonzero_pairs_fast : &nonzero_pairs;
#else
const auto nonzero_words = &nonzero, nonzero_pairs_of_words = &nonzero_pairs;
#endif

}  // namespace

/// Adds to the bits to wake those for which something has come.
void fabric::find_awake(std::uint64_t* here) const {
    const auto find = m_table_shift == 0 ? nonzero_words : nonzero_pairs_of_words;
    for (std::uint32_t w = 0; w < m_first_foreign / 64; ++w)
        here[1 + w] |=
            find(here + m_table_at + (std::size_t{w} * 64 << m_table_shift), m_endpoints_of_word[w]);
}

void fabric::run_routers(std::uint64_t* active, cycle_t t) {
    for (std::uint32_t b = 0; b < m_banks.size(); ++b)
        if (!m_banks[b]->terms().owns_nodes) m_banks[b]->step(active + m_first_of_bank[b] / 64, t);
}

/// NICs and foreign blocks.
void fabric::run_others(std::uint64_t* active, cycle_t t) {
    const std::uint32_t first_nic = m_first_nic / 64, first_foreign = m_first_foreign / 64;
    for (std::uint32_t w = first_nic; w < first_foreign; ++w) {
        const std::uint64_t bits = active[w];
        if (bits == 0) continue;
        active[w] = 0;
        m_nics.run(w - first_nic, bits, t);
    }
    m_nics.run_rest(t);
    for (std::uint32_t w = first_foreign; w < m_wake_words; ++w) {
        std::uint64_t bits = active[w];
        active[w] = 0;
        for (; bits != 0; bits &= bits - 1)
            run_foreign((w - first_foreign) * 64 + static_cast<std::uint32_t>(lowest(bits)), t);
    }
}

void fabric::run_shuffled(std::uint64_t* active, cycle_t t, bool owners) {
    m_order.clear();
    for (std::uint32_t w = 0; w < m_wake_words; ++w) {
        const bool owns = w < m_bank_of_word.size() && m_banks[m_bank_of_word[w]]->terms().owns_nodes;
        if (owns != owners) continue;
        for (std::uint64_t rest = active[w]; rest != 0; rest &= rest - 1)
            m_order.push_back(w * 64 + static_cast<std::uint32_t>(lowest(rest)));
        active[w] = 0;
    }
    for (std::size_t n = m_order.size(); n > 1; --n)
        std::swap(m_order[n - 1], m_order[m_shuffle_random.below(static_cast<std::uint32_t>(n))]);
    for (const std::uint32_t e : m_order) run_endpoint(e, t);
    std::sort(m_nics.arrivals().begin(), m_nics.arrivals().end(),
              [](const auto& a, const auto& b) { return a.node < b.node; });
}

cycle_t fabric::next_work(cycle_t t) const {
    if (m_nics.any_injecting() || !m_nics.room().empty()) return t + 1;
    cycle_t next = workload::never;
    for (cycle_t at = t + 1; at <= t + m_ring.reach(); ++at)
        if (m_ring.at(at)[0] != 0) {
            next = at;
            break;
        }
    if (m_workload != nullptr) next = std::min(next, std::max(m_workload->next_tick(), t + 1));
    return next;
}

std::uint32_t fabric::copy(std::uint32_t r, std::uint32_t in, std::uint32_t id, const route_header& way) {
    const route_header its_way = way;  // it may be that of a packet
    const std::uint32_t made = m_packets.take();
    packet& p = m_packets[made];
    p = m_packets[id];
    if (knows_hops()) {
        const std::uint32_t place = m_routes.place(r, in);
        p.hops =
            static_cast<std::uint16_t>(p.hops + m_nics.hops(place, its_way) - m_nics.hops(place, p.route));
    }
    p.route = its_way;
    m_messages[p.message].flits_to_consume += p.flits;
    m_changes.copied.add(p.flits);
    return made;
}

void fabric::drop(std::uint32_t r, std::uint32_t id, const std::string& cause) {
    const packet& p = m_packets[id];
    const auto counted = m_changes.dropped_by_cause.try_emplace(cause).first;
    counted->second.add(p.flits);
    m_changes.dropped.add(p.flits);
    m_drops.push_back({r, p.message, p.flits, &counted->first});
    m_packets.give_back(id);
}

std::uint16_t fabric::head_number(std::uint32_t id) const {
    if (!m_routes.keyed()) return 0;
    const route_header& way = m_packets[id].route;
    return static_cast<std::uint16_t>(m_routes.key(way.vc_base / vcs_per_class(), way));
}

/// In order of routers, in whatever order they were run. Until here a message owes what was dropped, so it
/// cannot have ended.
void fabric::tell_drops() {
    std::vector<packet_drop> all;
    all.swap(m_drops);
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.router < b.router; });
    for (const packet_drop& d : all) {
        message_record& m = m_messages[d.message];
        const message what = m.what;
        m_changes.lost_messages += m.lost ? 0 : 1;
        m.lost = true;
        if ((m.flits_to_consume -= d.flits) == 0) m_nics.forget(d.message);
        workload* const owner = (what.tag >> 63) != 0 ? m_bridge : m_workload;
        if (owner != nullptr) owner->dropped(what, *d.cause);
    }
}

void fabric::hand_over(cycle_t t) {
    if (!m_drops.empty()) tell_drops();
    for (const nics::arrival& a : m_nics.arrivals()) {
        const message_record& m = m_messages[a.message];
        const delivery d{m.what, m.injected, t};
        m_messages.give_back(a.message);
        ((d.what.tag >> 63) != 0 ? m_bridge : m_workload)->delivered(d);
    }
    m_nics.arrivals().clear();
}

void fabric::call_for_room() {
    if (m_nics.room().empty()) return;
    std::vector<std::uint32_t> ready;
    ready.swap(m_nics.room());
    std::sort(ready.begin(), ready.end());
    for (const std::uint32_t node : ready) m_workload->room(node);
}

void fabric::write_flit(std::uint32_t foreign, const flit& f, cycle_t at) {
    flit sent = f;
    if (m_routes.keyed() && f.is_head()) sent.sequence = head_number(f.packet);
    m_ring.put_flit(m_foreign[foreign].wires.flits, sent, at);
}

void fabric::write_credit(std::uint32_t foreign, std::uint32_t vc, cycle_t at) {
    m_ring.put_credit(m_foreign[foreign].wires.credits, m_foreign[foreign].extras.credits, vc, at);
}

void fabric::run_foreign(std::uint32_t index, cycle_t t) {
    const foreign_state& f = m_foreign[index];
    std::uint64_t* inbox = m_ring.at(t) + f.inbox;
    auto* counts = reinterpret_cast<std::uint16_t*>(inbox + 3);
    for (std::uint64_t rest = inbox[1]; rest != 0; rest &= rest - 1) {
        const auto vc = static_cast<std::uint32_t>(lowest(rest));
        f.block->credit_arrived(vc, m_batched ? counts[vc] : 1);
        if (m_batched) counts[vc] = 0;
    }
    inbox[1] = 0;
    if (inbox[0] == 0) return;
    inbox[0] = 0;
    flit here = flit::from_word(inbox[2]);
    if (here.is_head()) here.sequence = 0;
    f.block->flit_arrived(here);
}

std::string fabric::leftovers_of(std::uint32_t r) const {
    for (std::uint32_t p = 0; p < ports(r); ++p)
        for (std::uint32_t v = 0; v < m_vcs; ++v) {
            const std::string at = "router " + std::to_string(r) + " port " + std::to_string(p) + " vc " +
                                   std::to_string(v) + ": ";
            if (in(r, p, v).count != 0) return at + std::to_string(in(r, p, v).count) + " flits left";
            if (out(r, p, v).owner != out_vc::no_owner) return at + "output VC still owned";
            const std::uint32_t credits =
                out(r, p, v).credits + bank_of(r).credits_coming(place_in_bank(r), p, v);
            const std::uint32_t depth = depth_beyond(r, p);
            if (credits != depth) return at + std::to_string(depth - credits) + " credits not back";
        }
    return "";
}

std::string fabric::leftovers() const {
    for (std::uint32_t r = 0; r < routers(); ++r)
        if (std::string left = leftovers_of(r); !left.empty()) return left;
    if (std::string left = m_nics.leftovers(); !left.empty()) return left;
    if (m_packets.in_use() != 0) return std::to_string(m_packets.in_use()) + " packets left";
    if (m_messages.in_use() != 0) return std::to_string(m_messages.in_use()) + " messages left";
    return "";
}

std::uint64_t fabric::slab_bytes() const {
    std::uint64_t sum = m_ring.bytes();
    for (const auto& bank : m_banks) sum += bank->bytes();
    return sum;
}

node_counts fabric::counts_of(std::uint32_t node) const {
    const nic_state& nic = m_nics[node];
    node_counts all{nic.injected_packets, nic.consumed_packets, nic.injected_flits, nic.consumed_flits, {}};
    for (std::uint32_t c = 0; c < m_classes; ++c) {
        const class_queue& queue = nic.queues[c];
        all.waiting.flits += queue.flits_left;
        for (std::uint32_t id = queue.first; id != class_queue::none; id = m_messages[id].next) {
            const message_record& m = m_messages[id];
            all.waiting.flits += m.flits_to_inject;
            if (m.flits_to_inject == m.what.flits) ++all.waiting.messages;
        }
    }
    return all;
}

}  // namespace sare
