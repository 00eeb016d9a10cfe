// SPDX-License-Identifier: Apache-2.0
#include "tlm/router_api/check/bank_check.h"

#include "tlm/base/bits.h"
#include "tlm/router_api/protocol_error.h"
#include "tlm/state/archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace sare {
namespace {

/// True if flits may be written to their wires before their grant.
bool writes_ahead(const router_bank& bank) {
    return bank.acceleration() != nullptr && bank.acceleration()->write_ahead() != 0;
}

}  // namespace

bank_check::credit_place bank_check::place_of_credits(const wire& w, std::uint32_t counts) {
    return {w.inbox + w.first_bit / 64, counts == 0 ? 0 : 4 * (w.inbox + counts) + w.first_bit,
            static_cast<std::uint16_t>(w.first_bit % 64), w.delay, true};
}

bank_check::flit_place bank_check::place_of_flits(const wire& w) const {
    const bool bit_a_vc = w.first_bit != 0;
    return {w.inbox, w.flit_at, bit_a_vc ? w.port_bit * m_all_vcs : w.port_bit, w.delay, bit_a_vc};
}

/// Returns the VC of a flit whose arrival is told by `bits`.
std::uint32_t bank_check::vc_of(const flit_place& p, std::uint64_t bits, const flit& f) {
    return p.bit_a_vc ? static_cast<std::uint32_t>(lowest(bits) - lowest(p.mask)) : f.vc;
}

/// Calls f(vc, number) for each VC whose credits are in plane `plane`.
template <class F>
void bank_check::for_each_credit(const credit_place& p, const std::uint64_t* plane, const F& f) const {
    if (!p.exists) return;
    std::uint64_t bits = plane[p.word] >> p.first;
    if (p.first != 0 && m_all_vcs >> (64 - p.first) != 0) bits |= plane[p.word + 1] << (64 - p.first);
    for (bits &= m_all_vcs; bits != 0; bits &= bits - 1) {
        const auto vc = static_cast<std::uint32_t>(lowest(bits));
        f(vc, p.counts == 0 ? 1U : reinterpret_cast<const std::uint16_t*>(plane)[p.counts + vc]);
    }
}

bank_check::bank_check(router_bank& bank, std::string kind, const link_ring& ring)
    : m_bank(bank),
      m_kind(std::move(kind)),
      m_ring(ring),
      m_vcs(bank.terms().vcs),
      m_all_vcs(first_vcs(m_vcs)),
      m_ports(std::size_t{bank.size()} * bank.ports()),
      m_outputs(m_ports.size()),
      m_free_at(m_ports.size()),
      m_used(m_ports.size() * m_vcs),
      m_held(m_used.size()),
      m_expected(m_used.size()) {}

void bank_check::wire_output(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x,
                             const link_end& to, bool pooled) {
    m_outputs[at(k, port)] = {x.cycles_per_flit, x.depth, pooled, to};
    if (m_bank.reach() != 1 || writes_ahead(m_bank) || x.sleeps != 0 ||
        m_bank.most_queueing(x.depth, x.cycles_per_flit) != 0)
        return;
    const auto [credits, extras] = m_bank.credits_into(k, port);
    m_ports[at(k, port)].credits_in = place_of_credits(credits, extras.counts);
    m_ports[at(k, port)].flits_out = place_of_flits(w);
}

void bank_check::wire_input(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x) {
    if (x.batch != 1) return;
    m_ports[at(k, port)].flits_in = place_of_flits(m_bank.flits_into(k, port).first);
    m_ports[at(k, port)].credits_out = place_of_credits(w, x.counts);
}

void bank_check::report(std::uint32_t k, cycle_t t, const std::string& what) const {
    throw protocol_error(fmt::format("router {}, of kind {}, breaks the rules of links in its cycle {}: {}",
                                     m_bank.router(k), m_kind, t, what));
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
        const port_places& p = m_ports[at(k, port)];
        const std::size_t first = at(k, port) * m_vcs;
        for_each_credit(p.credits_in, plane, [&](std::uint32_t vc, std::uint32_t n) {
            m_used[first + vc] -= std::min(m_used[first + vc], n);
        });
        if (const std::uint64_t bits = plane[p.flits_in.bits] & p.flits_in.mask)
            ++m_held[first + vc_of(p.flits_in, bits, flit::from_word(plane[p.flits_in.flit])) % m_vcs];
    }
}

/// Looks at the flits and credits that have been sent.
void bank_check::look_after(std::uint32_t k, cycle_t t) {
    for (std::uint32_t port = 0; port < m_bank.ports(); ++port) {
        const port_places& p = m_ports[at(k, port)];
        for_each_credit(
            p.credits_out, m_ring.at(t + p.credits_out.delay), [&](std::uint32_t vc, std::uint32_t n) {
                std::uint32_t& held = m_held[at(k, port) * m_vcs + vc];
                if (n > held)
                    report(k, t,
                           fmt::format("it gives back a place of input VC {} of port {} that no flit has", vc,
                                       port));
                held -= n;
            });
        if (p.flits_out.mask == 0) continue;
        const std::uint64_t* const plane = m_ring.at(t + p.flits_out.delay);
        const std::uint64_t bits = plane[p.flits_out.bits] & p.flits_out.mask;
        if (bits == 0) continue;
        flit f = flit::from_word(plane[p.flits_out.flit]);
        f.vc = static_cast<std::uint8_t>(vc_of(p.flits_out, bits, f));
        take_flit(k, port, (bits & (bits - 1)) == 0, f, t);
    }
}

/// True if the buffer behind an output has no place for another flit of a VC.
bool bank_check::is_full(std::size_t place, std::uint32_t vc) const {
    const output_link& out = m_outputs[place];
    const auto first = m_used.begin() + static_cast<std::ptrdiff_t>(place * m_vcs);
    return out.pooled ? std::accumulate(first, first + m_vcs, 0U) >= m_vcs * out.depth
                      : first[vc] >= out.depth;
}

void bank_check::take_flit(std::uint32_t k, std::uint32_t port, bool alone, const flit& f, cycle_t t) {
    const std::size_t place = at(k, port);
    const output_link& out = m_outputs[place];
    const std::string by = fmt::format(" by port {}", port);
    if (f.vc >= m_vcs)
        report(k, t, fmt::format("it sends a flit{} on VC {}, and there are {}", by, f.vc, m_vcs));
    if (!alone || t < m_free_at[place])
        report(k, t,
               fmt::format("it sends a flit{} while the link carries another one: one in {}{}", by,
                           out.cycles_per_flit, out.cycles_per_flit == 1 ? " cycle" : " cycles"));
    const std::string on_vc = fmt::format("{} on VC {}", by, f.vc);
    if (is_full(place, f.vc))
        report(k, t,
               fmt::format("it sends a flit{} for which the buffer of {} has no place: all {} are taken",
                           on_vc, block_text(out.to), out.pooled ? m_vcs * out.depth : out.depth));
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
