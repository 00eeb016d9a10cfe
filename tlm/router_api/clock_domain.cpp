// SPDX-License-Identifier: Apache-2.0
#include "tlm/router_api/clock_domain.h"

#include "tlm/base/bits.h"
#include "tlm/router_api/check/bank_check.h"

#include <algorithm>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sare {
namespace {

std::uint32_t power_of_two_from(std::uint32_t n) {
    std::uint32_t p = 1;
    while (p < n) p *= 2;
    return p;
}

std::uint32_t whole_words(std::uint32_t bits) {
    return (bits + 63) / 64 * 64;
}

/// Rounds up to cache lines of 8 words.
std::uint64_t whole_lines(std::uint64_t words) {
    return (words + 7) / 8 * 8;
}

/// Returns which of up to 64 words are not 0, a bit each.
std::uint64_t nonzero(const std::uint64_t* words, unsigned n) {
    std::uint64_t found = 0;
    for (unsigned k = 0; k < n; ++k) found |= std::uint64_t{words[k] != 0} << k;
    return found;
}
/// Returns which of up to 64 pairs of words are not 0, a bit each.
std::uint64_t nonzero_pairs(const std::uint64_t* words, unsigned n) {
    std::uint64_t found = 0;
    for (unsigned k = 0; k < n; ++k) found |= std::uint64_t{(words[2 * k] | words[2 * k + 1]) != 0} << k;
    return found;
}
/// Adds to `awake` the endpoints whose words are not 0. `endpoints`: endpoints of each word of `awake`.
void find(const std::uint64_t* table, const std::uint8_t* endpoints, std::size_t words,
          std::uint64_t* awake) {
    for (std::size_t w = 0; w < words; ++w) awake[w] |= nonzero(table + w * 64, endpoints[w]);
}
void find_pairs(const std::uint64_t* table, const std::uint8_t* endpoints, std::size_t words,
                std::uint64_t* awake) {
    for (std::size_t w = 0; w < words; ++w) awake[w] |= nonzero_pairs(table + w * 128, endpoints[w]);
}

#if defined(__x86_64__)
/// nonzero(), sixteen words at a time: reads up to the next multiple of 16.
__attribute__((target("avx2"))) inline std::uint64_t nonzero_fast(const std::uint64_t* words, unsigned n) {
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
/// nonzero_pairs(), eight pairs at a time.
__attribute__((target("avx2"))) inline std::uint64_t nonzero_pairs_fast(const std::uint64_t* words,
                                                                        unsigned n) {
    std::uint64_t found = 0;
    for (unsigned first = 0; first < n; first += 8) {
        std::uint64_t empty = 0;
        for (unsigned k = 0; k < 8; k += 4) {
            const auto* const at = reinterpret_cast<const __m256i*>(words + 2 * (first + k));
            const __m256i two = _mm256_loadu_si256(at), next = _mm256_loadu_si256(at + 1);
            // Of four pairs, in the order 0, 2, 1, 3.
            const __m256i both =
                _mm256_or_si256(_mm256_unpacklo_epi64(two, next), _mm256_unpackhi_epi64(two, next));
            const __m256i zeros = _mm256_cmpeq_epi64(both, _mm256_setzero_si256());
            const int mask = _mm256_movemask_pd(_mm256_castsi256_pd(zeros));
            empty |= static_cast<std::uint64_t>(mask) << k;
        }
        found |= (empty ^ 0xff) << first;
    }
    const std::uint64_t swapped = (found ^ found >> 1) & 0x2222222222222222;
    return found ^ swapped ^ swapped << 1;
}
__attribute__((target("avx2"))) void find_fast(const std::uint64_t* table, const std::uint8_t* endpoints,
                                               std::size_t words, std::uint64_t* awake) {
    for (std::size_t w = 0; w < words; ++w) awake[w] |= nonzero_fast(table + w * 64, endpoints[w]);
}
__attribute__((target("avx2"))) void find_pairs_fast(const std::uint64_t* table,
                                                     const std::uint8_t* endpoints, std::size_t words,
                                                     std::uint64_t* awake) {
    for (std::size_t w = 0; w < words; ++w) awake[w] |= nonzero_pairs_fast(table + w * 128, endpoints[w]);
}
const bool fast = __builtin_cpu_supports("avx2") != 0;
const auto find_words = fast ? &find_fast : &find;
const auto find_pairs_of_words = fast ? &find_pairs_fast : &find_pairs;
#else
const auto find_words = &find, find_pairs_of_words = &find_pairs;
#endif

}  // namespace

clock_domain::clock_domain(const running_clock& clock) : m_clock(clock) {}
clock_domain::~clock_domain() = default;

router_bank& clock_domain::add(std::unique_ptr<router_bank> bank) {
    m_banks.push_back(std::move(bank));
    return *m_banks.back();
}

bank_check& clock_domain::check(const router_bank& bank, const std::string& kind) {
    m_checks.resize(m_banks.size());
    const auto its =
        std::find_if(m_banks.begin(), m_banks.end(), [&](const auto& b) { return &*b == &bank; });
    auto& made = m_checks[static_cast<std::size_t>(its - m_banks.begin())];
    made = std::make_unique<bank_check>(**its, kind, m_ring);
    return *made;
}

void clock_domain::step_checked(std::uint32_t b, std::uint64_t* awake, cycle_t t) const {
    m_checks[b] ? m_checks[b]->step(awake, t) : m_banks[b]->step(awake, t);
}

void clock_domain::end_checks() {
    m_checks.clear();
}

void clock_domain::number_endpoints(std::uint32_t nics, std::uint32_t foreign, std::uint32_t crossings,
                                    const std::vector<std::pair<clock_domain*, std::uint32_t>>& cuts) {
    std::uint32_t next = 0;
    const auto count = [this](std::uint32_t endpoints) {
        for (std::uint32_t n = 0; n < endpoints; n += 64)
            m_endpoints_of_word.push_back(static_cast<std::uint8_t>(std::min(endpoints - n, 64U)));
    };
    for (std::uint32_t b = 0; b < m_banks.size(); ++b) {
        count(m_banks[b]->size());
        m_first_of_bank.push_back(next);
        next += whole_words(m_banks[b]->size());
        m_bank_of_word.resize(next / 64, static_cast<std::uint16_t>(b));
    }
    count(nics);
    m_first_nic = next;
    m_first_foreign = m_first_nic + whole_words(nics);
    m_first_crossing = m_first_foreign + whole_words(foreign);
    m_crossings.reserve(crossings);
    m_endpoints = m_first_cut = m_first_crossing + whole_words(crossings);
    for (const auto& [to, wires] : cuts) {
        m_cuts.push_back({to, m_endpoints, {}});
        m_cuts.back().wires.reserve(wires);
        m_endpoints += whole_words(wires);
    }
}

void clock_domain::lay_out() {
    std::uint32_t table_words = 0;
    for (const auto& bank : m_banks) {
        table_words = std::max(table_words, bank->inbox().table);
        if (const router_acceleration* const faster = bank->acceleration())
            m_looked_through = m_looked_through || faster->looks_through_inboxes();
        m_flits_in_table = m_flits_in_table || bank->inbox().flits_in_table();
    }
    m_words = whole_lines(1 + (m_endpoints + 63) / 64);
    const bool routers = table_words != 0;
    while (1u << m_table.shift < std::max(table_words, m_flits_in_table ? 2u : 1u)) ++m_table.shift;
    m_table.nic_shift = m_flits_in_table ? 1 : m_table.shift;
    m_table.first_nic = m_first_nic;
    // Where routers have none the table begins with the NICs.
    m_table.at = static_cast<std::uint32_t>(m_words) - (routers ? 0 : m_first_nic << m_table.shift);
    if (routers) m_words += std::uint64_t{m_first_nic} << m_table.shift;
    m_table.nics_at = static_cast<std::uint32_t>(m_words);
    m_words += std::uint64_t{m_first_foreign - m_first_nic} << m_table.nic_shift;
    m_places.resize(m_banks.size());
    for (std::uint32_t b = 0; b < m_banks.size(); ++b) {
        router_bank::plane_layout& p = m_places[b];
        const router_bank::inbox_words needs = m_banks[b]->inbox();
        p.first = m_first_of_bank[b];
        for (std::uint32_t k = 0; k < m_banks[b]->size(); ++k) {
            if (needs.table != 0) p.table.push_back(in_table(p.first + k));
            // An inbox of up to a cache line lies in one.
            if (needs.own != 0) p.own.push_back(place(needs.own <= 8 ? 8 : needs.own));
        }
    }
    m_words = whole_lines(m_words);
}

std::uint32_t clock_domain::place(std::uint32_t words) {
    const std::uint64_t at = m_words;
    m_words += words;
    return static_cast<std::uint32_t>(at);
}

void clock_domain::allocate(std::uint32_t reach) {
    constexpr std::uint64_t small = 1u << 15;  // words; in many more memory is dear
    const std::uint64_t words = whole_lines(m_words);
    const std::uint32_t quick = power_of_two_from(reach);
    m_ring.allocate(words, m_flits_in_table && words * quick > small ? reach : quick);
    for (std::uint32_t b = 0; b < m_banks.size(); ++b) m_banks[b]->construct(std::move(m_places[b]));
    decltype(m_places)().swap(m_places);  // {} would keep the memory
}

std::pair<wire, wire_extras> clock_domain::cross(clock_crossing c, std::uint32_t vcs, bool batched) {
    const auto out = wire_out(m_first_crossing + static_cast<std::uint32_t>(m_crossings.size()), c.inbox,
                              !c.has_flits && batched);
    if (c.has_flits || !batched) c.free.assign(c.has_flits ? 1 : vcs, 0);
    m_crossings.push_back(std::move(c));
    return out;
}

std::pair<wire, wire_extras> clock_domain::cut(cut_wire c, clock_domain& to, bool batched) {
    cut_group& group =
        *std::find_if(m_cuts.begin(), m_cuts.end(), [&](const auto& g) { return g.to == &to; });
    const auto out = wire_out(group.first + static_cast<std::uint32_t>(group.wires.size()), c.inbox,
                              !c.has_flits && batched);
    group.wires.push_back(c);
    return out;
}

std::pair<wire, wire_extras> clock_domain::wire_out(std::uint32_t endpoint, std::uint32_t inbox,
                                                    bool counts) {
    wire w = wire_to(endpoint);
    wire_extras x;
    w.inbox = inbox;
    w.flit_at = inbox + 1;
    w.port_bit = 1;
    if (counts) x.counts = 1;
    return {w, x};
}

void clock_domain::fetch(const cut_wire& c, const link_ring& ring, std::uint64_t* inbox, cycle_t t) {
    const std::uint64_t come = inbox[0];
    if (c.has_flits) return ring.put_flit(c.onward, inbox[1], flit::from_word(inbox[1]).vc, t);
    auto* const counts = reinterpret_cast<std::uint16_t*>(inbox + 1);
    const bool counted = c.extras.counts != 0;
    for (std::uint64_t rest = come; rest != 0; rest &= rest - 1) {
        const auto vc = static_cast<std::uint32_t>(lowest(rest));
        for (std::uint32_t n = counted ? counts[vc] : 1; n != 0; --n)
            ring.put_credit(c.onward, c.extras, vc, t);
        if (counted) counts[vc] = 0;
    }
}

void clock_domain::hand_over(clock_domain& to, cycle_t t) {
    take_cut(to, t,
             [&](std::uint32_t, const cut_wire& c, std::uint64_t* inbox) { fetch(c, to.m_ring, inbox, t); });
}

/// Returns the reader's first cycle for something that comes in cycle `t`, as a cycle of its domain, and
/// takes it.
cycle_t clock_domain::first_free(clock_crossing& c, std::uint32_t vc, cycle_t t) {
    const cycle_t written = c.writer_in_domain ? t : c.writer->first_edge(t);
    cycle_t at = c.reader->first_edge(*c.writer, written + c.lead) + c.after;
    if (!c.free.empty()) {
        at = std::max(at, c.free[vc]);
        c.free[vc] = at + 1;
    }
    return c.reader_in_domain ? at : c.reader->cycle_of(at);
}

void clock_domain::hand_on(clock_crossing& c, cycle_t t) {
    std::uint64_t* const inbox = m_ring.at(t) + c.inbox;
    if (c.has_flits) {
        const flit f = flit::from_word(inbox[1]);
        c.to->m_ring.put_flit(c.onward, inbox[1], f.vc, first_free(c, 0, t));
        inbox[0] = 0;
        return;
    }
    auto* const counts = reinterpret_cast<std::uint16_t*>(inbox + 1);
    const bool counted = c.extras.counts != 0;
    for (std::uint64_t rest = inbox[0]; rest != 0; rest &= rest - 1) {
        const auto vc = static_cast<std::uint32_t>(lowest(rest));
        for (std::uint32_t n = counted ? counts[vc] : 1; n != 0; --n)
            c.to->m_ring.put_credit(c.onward, c.extras, vc, first_free(c, vc, t));
        if (counted) counts[vc] = 0;
    }
    inbox[0] = 0;
}

void clock_domain::run_crossings(cycle_t t) {
    std::uint64_t* const here = m_ring.at(t);
    for (std::uint32_t w = m_first_crossing / 64; w < m_first_cut / 64; ++w) {
        for (std::uint64_t rest = here[1 + w]; rest != 0; rest &= rest - 1)
            hand_on(m_crossings[w * 64 + static_cast<std::uint32_t>(lowest(rest)) - m_first_crossing], t);
        here[1 + w] = 0;
    }
    here[0] = 0;
}

void clock_domain::clear() {
    m_ring.clear();
    for (clock_crossing& c : m_crossings) std::fill(c.free.begin(), c.free.end(), 0);
    for (const auto& check : m_checks)
        if (check) check->clear();
}

void clock_domain::look_through(std::uint64_t* here) const {
    const auto find = m_table.shift == 0 ? find_words : find_pairs_of_words;
    find(here + m_table.at, m_endpoints_of_word.data(), m_first_foreign / 64, here + 1);
}

}  // namespace sare
