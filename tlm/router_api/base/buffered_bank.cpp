// SPDX-License-Identifier: Apache-2.0
#include "tlm/router_api/base/buffered_bank.h"

#include "tlm/base/bits.h"
#include "tlm/state/archive.h"

#include <algorithm>

namespace sare {

buffered_bank::buffered_bank(router_context& net, std::vector<std::uint32_t> routers, std::uint32_t ports,
                             const router_terms& terms)
    : wired_bank(net, std::move(routers), ports, terms),
      m_inputs(std::size_t{size()} * all()),
      m_outputs(m_inputs.size()),
      m_free_at(std::size_t{size()} * ports) {}

void buffered_bank::step(std::uint64_t* awake, cycle_t t) {
    for (std::uint32_t w = 0; w < words(); ++w) {
        std::uint64_t bits = awake[w];
        awake[w] = 0;
        for (; bits != 0; bits &= bits - 1) {
            const std::uint32_t k = w * 64 + static_cast<std::uint32_t>(lowest(bits));
            read_inbox(k, t);
            run(k, t);
            if (has_flits(k)) inbox_of(k).wake(ring(), t + 1);
        }
    }
}

void buffered_bank::read_inbox(std::uint32_t k, cycle_t t) {
    std::uint64_t* const inbox = inbox_of(k).in(ring(), t);
    for (std::uint64_t rest = inbox[0]; rest != 0; rest &= rest - 1) {
        const auto port = static_cast<std::uint32_t>(lowest(rest));
        const flit f = flit::from_word(inbox[plain_inbox::flit_of(port, credit_sets())]);
        m_inputs[place(k, port * vcs() + f.vc)].flits.push_back(f);
    }
    inbox[0] = 0;
    take_credits(inbox, [&](std::uint32_t o, std::uint16_t number) {
        out_vc& out = m_outputs[place(k, o)];
        out.credits = static_cast<std::uint16_t>(out.credits + number);
    });
}

bool buffered_bank::has_flits(std::uint32_t k) const {
    const auto first = m_inputs.begin() + static_cast<std::ptrdiff_t>(place(k, 0));
    return std::any_of(first, first + all(), [](const buffer& b) { return !b.flits.empty(); });
}

void buffered_bank::find_ways(std::uint32_t k, std::uint32_t i) {
    buffer& from = m_inputs[place(k, i)];
    packet& p = net().packets()[from.flits.front().packet];
    if (!net().knows_hops()) ++p.hops;
    net().find_candidates(router(k), i / vcs(), i % vcs(), p.route, from.ways);
}

vc_mask buffered_bank::vcs_of(const buffer& from, std::uint32_t way) const {
    const std::uint32_t base = net().packets()[from.flits.front().packet].route.vc_base;
    return from.ways.candidates[way].vcs << base & first_vcs(vcs());
}

void buffered_bank::give_output(std::uint32_t k, std::uint32_t i, std::uint32_t o) {
    m_outputs[place(k, o)].owner = static_cast<std::uint16_t>(i);
    m_inputs[place(k, i)].out = static_cast<std::uint16_t>(o);
}

bool buffered_bank::can_send(std::uint32_t k, std::uint32_t i) const {
    const buffer& from = input(k, i);
    return !from.flits.empty() && from.has_output() && output(k, from.out).credits != 0;
}

void buffered_bank::send(std::uint32_t k, std::uint32_t i, cycle_t t) {
    buffer& from = m_inputs[place(k, i)];
    out_vc& to = m_outputs[place(k, from.out)];
    const std::uint32_t port = from.out / vcs(), back = i / vcs();
    flit f = from.flits.front();
    from.flits.pop_front();
    f.vc = static_cast<std::uint8_t>(from.out % vcs());
    --to.credits;
    ++to.flits;
    ring().put_flit(wires_of(k)[port].flits, f, t);
    m_free_at[port_of(k, port)] = t + extras_of(k)[port].flits.cycles_per_flit;
    ring().put_credit(wires_of(k)[back].credits, extras_of(k)[back].credits, i % vcs(), t);
    if (!f.is_tail()) return;
    to.owner = from.out = out_vc::no_owner;
    from.ways.size = 0;
}

/// Counts of flits stay.
void buffered_bank::clear(std::uint32_t k, cycle_t) {
    for (std::uint32_t i = 0; i < all(); ++i) {
        m_free_at[port_of(k, i / vcs())] = 0;
        m_inputs[place(k, i)] = {};
        m_outputs[place(k, i)].owner = out_vc::no_owner;
        set_credits(k, i, extras_of(k)[i / vcs()].flits.depth);
    }
}

void buffered_bank::serialize(archive& a) {
    for (buffer& b : m_inputs) a(b.flits, b.ways, b.out);
    a.in_place(m_outputs, m_free_at);
}

in_vc buffered_bank::in(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const {
    const buffer& from = input(k, port * vcs() + vc);
    in_vc seen;
    seen.count = static_cast<std::uint16_t>(from.flits.size());
    if (from.flits.empty() || from.ways.size == 0) return seen;
    seen.packet = from.flits.front().packet;
    seen.out_port = from.ways.candidates[0].port;
    seen.vcs = vcs_of(from, 0);
    if (!from.has_output()) return seen;
    seen.out = from.out;
    seen.out_port = static_cast<port_number>(from.out / vcs());
    seen.out_vc = static_cast<std::uint8_t>(from.out % vcs());
    return seen;
}

std::uint32_t buffered_bank::flits_sent(std::uint32_t k) const {
    std::uint32_t sum = 0;
    for (std::uint32_t o = 0; o < all(); ++o) sum += output(k, o).flits;
    return sum;
}

void buffered_bank::count_buffers(std::uint32_t k, std::vector<std::uint64_t>& bins) const {
    for (std::uint32_t i = 0; i < all(); ++i)
        count_one(static_cast<std::uint32_t>(input(k, i).flits.size()), bins);
}

bool buffered_bank::bids_for_vc(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const {
    const buffer& from = input(k, port * vcs() + vc);
    return !from.flits.empty() && !from.has_output();
}

bool buffered_bank::asks_for(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t out_port,
                             std::uint32_t out_vc) const {
    const buffer& from = input(k, port * vcs() + vc);
    for (std::uint32_t way = 0; !from.flits.empty() && way < from.ways.size; ++way)
        if (from.ways.candidates[way].port == out_port && (vcs_of(from, way) >> out_vc & 1) != 0) return true;
    return false;
}

std::uint64_t buffered_bank::bytes() const {
    return m_inputs.size() * (sizeof(buffer) + sizeof(out_vc)) +
           m_free_at.size() * (sizeof(cycle_t) + sizeof(port_wires) + sizeof(port_extras));
}

}  // namespace sare
