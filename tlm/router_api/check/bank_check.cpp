// SPDX-License-Identifier: Apache-2.0
#include "tlm/router_api/check/bank_check.h"

#include "tlm/base/bits.h"
#include "tlm/router_api/protocol_error.h"
#include "tlm/state/archive.h"

#include <algorithm>
#include <numeric>

namespace sare {
namespace {

/// Calls f(vc, number) for each VC whose credits are in plane `plane` on wire `w`. `all_vcs`: a bit for each
/// VC.
template <class F>
void for_each_credit(const std::uint64_t* plane, const wire& w, std::uint32_t counts, std::uint64_t all_vcs,
                     const F& f) {
    const std::uint64_t* const word = plane + w.inbox + w.first_bit / 64;
    const std::uint32_t first = w.first_bit % 64;
    std::uint64_t bits = word[0] >> first;
    if (first != 0 && all_vcs >> (64 - first) != 0) bits |= word[1] << (64 - first);
    for (bits &= all_vcs; bits != 0; bits &= bits - 1) {
        const auto vc = static_cast<std::uint32_t>(lowest(bits));
        const auto* const numbers = reinterpret_cast<const std::uint16_t*>(plane + w.inbox + counts);
        f(vc, counts == 0 ? 1U : numbers[w.first_bit + vc]);
    }
}

/// Returns the flits in a plane on wire `w`: a bit for each VC, or bit 0 for a reader that has one for all.
std::uint64_t flits_on(const std::uint64_t* plane, const wire& w, std::uint64_t all_vcs) {
    const std::uint64_t bits = plane[w.inbox] & (w.first_bit == 0 ? w.port_bit : w.port_bit * all_vcs);
    return bits >> lowest(w.port_bit);
}

flit flit_on(const std::uint64_t* plane, const wire& w, std::uint64_t bits) {
    flit f = flit::from_word(plane[w.flit_at]);
    if (w.first_bit != 0) f.vc = static_cast<std::uint8_t>(lowest(bits));
    return f;
}

/// True if flits may be written to their wires before their grant.
bool writes_ahead(const router_bank& bank) {
    return bank.acceleration() != nullptr && bank.acceleration()->write_ahead() != 0;
}

}  // namespace

bank_check::bank_check(router_bank& bank, std::string kind, const link_ring& ring)
    : m_bank(bank),
      m_kind(std::move(kind)),
      m_ring(ring),
      m_vcs(bank.terms().vcs),
      m_all_vcs(m_vcs == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << m_vcs) - 1),
      m_outputs(std::size_t{bank.size()} * bank.ports()),
      m_inputs(m_outputs.size()),
      m_free_at(m_outputs.size()),
      m_used(m_outputs.size() * m_vcs),
      m_held(m_used.size()),
      m_expected(m_used.size()) {}

void bank_check::wire_output(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x,
                             const link_end& to, bool pooled) {
    const auto [credits, extras] = m_bank.credits_into(k, port);
    const bool is_seen = m_bank.reach() == 1 && !writes_ahead(m_bank) &&
                         m_bank.most_queueing(x.depth, x.cycles_per_flit) == 0 && x.sleeps == 0;
    m_outputs[at(k, port)] = {w, credits, extras.counts, x.cycles_per_flit, x.depth, pooled, is_seen, to};
}

void bank_check::wire_input(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x) {
    m_inputs[at(k, port)] = {m_bank.flits_into(k, port).first, w, x.counts, x.batch == 1};
}

void bank_check::report(std::uint32_t k, cycle_t t, const std::string& what) const {
    throw protocol_error("router " + std::to_string(m_bank.router(k)) + ", of kind " + m_kind +
                         ", breaks the rules of links in its cycle " + std::to_string(t) + ": " + what);
}

void bank_check::step(std::uint64_t* awake, cycle_t t) {
    m_awake.clear();
    for (std::uint32_t w = 0; w < (m_bank.size() + 63) / 64; ++w)
        for (std::uint64_t rest = awake[w]; rest != 0; rest &= rest - 1)
            m_awake.push_back(w * 64 + static_cast<std::uint32_t>(lowest(rest)));
    for (const std::uint32_t k : m_awake) look_before(k, t);
    m_bank.step(awake, t);
    for (const std::uint32_t k : m_awake) look_after(k, t);
}

/// Notes the flits and credits that have come.
void bank_check::look_before(std::uint32_t k, cycle_t t) {
    const std::uint64_t* const plane = m_ring.at(t);
    for (std::uint32_t port = 0; port < m_bank.ports(); ++port) {
        const std::size_t place = at(k, port);
        const output_link& out = m_outputs[place];
        if (out.is_seen)
            for_each_credit(plane, out.credits, out.counts, m_all_vcs,
                            [&](std::uint32_t vc, std::uint32_t n) {
                                std::uint32_t& used = m_used[place * m_vcs + vc];
                                used -= std::min(used, n);
                            });
        const input_link& in = m_inputs[place];
        if (!in.exists) continue;
        if (const std::uint64_t bits = flits_on(plane, in.flits, m_all_vcs))
            ++m_held[place * m_vcs + flit_on(plane, in.flits, bits).vc % m_vcs];
    }
}

/// Looks at the flits and credits that have been sent.
void bank_check::look_after(std::uint32_t k, cycle_t t) {
    for (std::uint32_t port = 0; port < m_bank.ports(); ++port) {
        const std::size_t place = at(k, port);
        if (const input_link& in = m_inputs[place]; in.exists)
            for_each_credit(m_ring.at(t + in.credits.delay), in.credits, in.counts, m_all_vcs,
                            [&](std::uint32_t vc, std::uint32_t n) {
                                std::uint32_t& held = m_held[place * m_vcs + vc];
                                if (n > held)
                                    report(k, t,
                                           "it gives back a place of input VC " + std::to_string(vc) +
                                               " of port " + std::to_string(port) + " that no flit has");
                                held -= n;
                            });
        const output_link& out = m_outputs[place];
        if (!out.is_seen) continue;
        const std::uint64_t* const plane = m_ring.at(t + out.flits.delay);
        if (const std::uint64_t bits = flits_on(plane, out.flits, m_all_vcs))
            take_flit(k, port, bits, flit_on(plane, out.flits, bits), t);
    }
}

/// True if the buffer behind an output has no place for another flit of a VC.
bool bank_check::is_full(std::size_t place, std::uint32_t vc) const {
    const output_link& out = m_outputs[place];
    const auto first = m_used.begin() + static_cast<std::ptrdiff_t>(place * m_vcs);
    return out.pooled ? std::accumulate(first, first + m_vcs, 0U) >= m_vcs * out.depth
                      : first[vc] >= out.depth;
}

void bank_check::take_flit(std::uint32_t k, std::uint32_t port, std::uint64_t arrivals, const flit& f,
                           cycle_t t) {
    const std::size_t place = at(k, port);
    const output_link& out = m_outputs[place];
    const std::string by = " by port " + std::to_string(port);
    if (f.vc >= m_vcs)
        report(k, t,
               "it sends a flit" + by + " on VC " + std::to_string(f.vc) + ", and there are " +
                   std::to_string(m_vcs));
    if ((arrivals & (arrivals - 1)) != 0 || t < m_free_at[place])
        report(k, t,
               "it sends a flit" + by + " while the link carries another one: one in " +
                   std::to_string(out.cycles_per_flit) + (out.cycles_per_flit == 1 ? " cycle" : " cycles"));
    const std::string on_vc = by + " on VC " + std::to_string(f.vc);
    if (is_full(place, f.vc))
        report(k, t,
               "it sends a flit" + on_vc + " for which the buffer of " + block_text(out.to) +
                   " has no place: all " + std::to_string(out.pooled ? m_vcs * out.depth : out.depth) +
                   " are taken");
    std::uint64_t& expected = m_expected[place * m_vcs + f.vc];
    const std::uint64_t start = std::uint64_t{f.packet} << 16;
    if (f.is_head() ? expected != 0 : expected != start + f.sequence)
        report(k, t,
               "it sends " + std::string(f.is_head() ? "the head" : "a flit") + " of a packet" + on_vc +
                   (expected == 0 ? " that has not begun there or is over"
                    : f.is_head() ? " before the tail of the one before it"
                                  : " out of its order, or in another packet"));
    expected = f.is_tail() ? 0 : f.is_head() ? start + 1 : expected + 1;
    m_free_at[place] = t + out.cycles_per_flit;
    ++m_used[place * m_vcs + f.vc];
}

void bank_check::clear() {
    std::fill(m_free_at.begin(), m_free_at.end(), 0);
    std::fill(m_used.begin(), m_used.end(), 0);
    std::fill(m_held.begin(), m_held.end(), 0);
    std::fill(m_expected.begin(), m_expected.end(), 0);
}

void bank_check::serialize(archive& a) {
    a.in_place(m_free_at, m_used, m_held, m_expected);
}

}  // namespace sare
