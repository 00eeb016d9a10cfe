// SPDX-License-Identifier: Apache-2.0
#include "tlm/power/switch_samples.h"

#include "tlm/base/world.h"
#include "tlm/fabric/view/network_view.h"
#include "tlm/router_api/clock_domain.h"
#include "tlm/state/archive.h"
#include "tlm/topology/region/clock_region.h"
#include "tlm/topology/topology.h"

#include <algorithm>
#include <cmath>

namespace sare {
namespace {

constexpr cycle_t first_gap = 64;       ///< cycles from a sample to the next one
constexpr std::uint32_t looks = 6;      ///< cycles in a row of a sample
constexpr std::uint32_t uncounted = 2;  ///< first cycles of a sample, which do not count
/// Most VCs that a sample looks at; the next one takes other routers.
constexpr std::uint32_t most_vcs = 2048;
/// Looks at VCs until samples begin, and between two doublings of the gap between samples.
constexpr std::uint64_t looks_at_all = 1 << 19, looks_of_gap = 1 << 16;
constexpr cycle_t least_at_all = 64;  ///< cycles for which looks_at_all must do; else samples begin at once
constexpr std::uint16_t no_input = 0xffff;

}  // namespace

switch_samples::switch_samples(const network_view& net, bool exact)
    : m_net(net), m_exact(exact), m_seen(std::size_t{groups} * kinds) {
    for (std::uint32_t r = 0; r < net.routers(); ++r) {
        const clock_region* const its = net.map()->region(router_id(r));
        const clock_ratio slow = its != nullptr ? its->limits.slowest : net.map()->clock(router_id(r));
        m_slowest = std::max(m_slowest, slow.cycles_of(1));
        m_ports = std::max(m_ports, net.ports(r));
        m_all_vcs += net.ports(r) * net.vcs();
    }
    m_all = exact || m_all_vcs * least_at_all <= looks_at_all;
    if (m_all) m_of_router.resize(std::size_t{net.routers()} * kinds);
    m_from.assign(std::size_t{net.routers()} * m_ports, no_input);
    m_followed.assign(m_from.size(), 0);
}

/// Chooses routers in turn, the same in all processes; each process looks at its own ones.
void switch_samples::choose() {
    m_chosen.clear();
    m_vcs = 0;
    std::size_t states = 0;
    for (std::uint32_t n = 0; n < m_net.routers() && (m_all || m_vcs < most_vcs); ++n) {
        const std::uint32_t r = m_all ? n : m_turn;
        if (!m_all) m_turn = (m_turn + 1) % m_net.routers();
        m_vcs += m_net.ports(r) * m_net.vcs();
        if (!m_net.has_router(r)) continue;
        m_chosen.push_back(r);
        states += m_net.ports(r) * m_net.bank_of(r).terms().vcs;
        if (!m_all) std::fill_n(m_followed.begin() + std::size_t{r} * m_ports, m_ports, std::uint8_t{0});
    }
    m_looked.assign(m_chosen.size(), 0);
    m_last.resize(states);
    m_before.resize(states);
}

void switch_samples::remember(std::uint32_t router, sender* all) const {
    const router_bank& bank = m_net.bank_of(router);
    const std::uint32_t k = m_net.in_bank(router);
    for (std::uint32_t p = 0; p < bank.ports(); ++p)
        for (std::uint32_t v = 0; v < bank.terms().vcs; ++v) {
            const out_vc o = bank.out(k, p, v);
            *all++ = {o.flits, o.owner, o.credits, bank.in(k, p, v).count};
        }
}

/// True if the packet that owns an output VC has a flit at its input's front and a credit.
bool switch_samples::may_send(std::uint32_t router, const sender& s) const {
    const router_bank& bank = m_net.bank_of(router);
    const std::uint32_t vcs = bank.terms().vcs;
    return s.credits != 0 && s.owner < bank.ports() * vcs &&
           bank.in(m_net.in_bank(router), s.owner / vcs, s.owner % vcs).count != 0;
}

/// Counts events. An output VC that could send in the cycle, did not, and still can, has bid and lost.
void switch_samples::compare(std::uint32_t r, const sender* before_last, const sender* last,
                             const sender* now) {
    const router_bank& bank = m_net.bank_of(r);
    for (std::uint32_t p = 0; p < bank.ports(); ++p) {
        bool sends = false, sent = false;
        for (std::uint32_t v = 0; v < bank.terms().vcs; ++v, ++before_last, ++last, ++now) {
            const std::uint32_t here = now->sent - last->sent, before = last->sent - before_last->sent;
            sends = sends || here != 0;
            sent = sent || before != 0;
            if (last->waiting == 0 && now->waiting != 0) note(r, fills, 1);
            if (here != 0) note(r, flits, here);
            if (here != 0 && before == 0) note(r, starts, 1);
            if (here == 0 && last->credits != 0 && now->owner == last->owner && may_send(r, *now))
                note(r, lost, 1);
        }
        if (sends && !sent) note(r, bursts, 1);
    }
}

/// Finds the input of each flit sent: owner of the output VC before, or since this very cycle.
void switch_samples::follow(std::uint32_t r, const sender* before_last, const sender* last, const sender* now,
                            bool counts) {
    const router_bank& bank = m_net.bank_of(r);
    const std::uint32_t vcs = bank.terms().vcs, all = bank.ports() * vcs;
    for (std::uint32_t i = 0; i < all; ++i) {
        if (now[i].sent == last[i].sent) continue;
        const std::uint32_t owner = last[i].owner < all ? last[i].owner : now[i].owner;
        const bool is_head = counts && before_last[i].owner != owner;
        if (owner < all) see(r, i / vcs, owner / vcs, counts, is_head);
    }
}

/// Notes that a flit of an output came from an input. `is_head` is false if that is not certain.
void switch_samples::see(std::uint32_t router, std::uint32_t output, std::uint32_t input, bool counts,
                         bool is_head) {
    const std::size_t place = std::size_t{router} * m_ports + output;
    std::uint16_t& last = m_from[place];
    const std::uint64_t other = last != input ? 1 : 0;
    if (counts && (m_all || m_followed[place] != 0 || (is_head && last != no_input))) {
        note(router, turns, other);
    } else if (counts) {
        note(router, firsts, 1);
        note(router, known, last != no_input ? 1 : 0);
        note(router, others, last != no_input ? other : 0);
    }
    last = static_cast<std::uint16_t>(input);
    m_followed[place] = 1;
}

std::uint64_t switch_samples::sum(seen what) const {
    std::uint64_t all = 0;
    for (std::size_t k = what; k < m_seen.size(); k += kinds) all += m_seen[k];
    return all;
}

double switch_samples::of_a_flit(seen what) const {
    const std::uint64_t of = sum(flits);
    return of == 0 ? -1 : static_cast<double>(sum(what)) / static_cast<double>(of);
}

double switch_samples::of_a_flit(std::uint32_t router, seen what) const {
    const std::uint64_t* const here = m_of_router.data() + std::size_t{router} * kinds;
    return here[flits] == 0 ? 0 : static_cast<double>(here[what]) / static_cast<double>(here[flits]);
}

double switch_samples::turns_of_a_flit(double heads) const {
    if (sum(flits) == 0 || (sum(firsts) != 0 && sum(known) == 0)) return -1;
    const double of_firsts = sum(known) == 0
                                 ? 0
                                 : heads * static_cast<double>(sum(firsts)) *
                                       static_cast<double>(sum(others)) / static_cast<double>(sum(known));
    return (static_cast<double>(sum(turns)) + of_firsts) / static_cast<double>(sum(flits));
}

void switch_samples::start(cycle_t now) {
    m_gap = first_gap * m_slowest;
    m_phase = 0;
    m_next = m_all ? now : now + m_gap / 2;
}

switch_samples switch_samples::without(std::uint32_t group) const {
    switch_samples less = *this;
    std::fill_n(less.m_seen.begin() + group * std::ptrdiff_t{kinds}, kinds, std::uint64_t{0});
    return less;
}

/// Makes samples rarer and gives them more weight, so that each part of the window counts alike. Weights are
/// whole numbers, so that counts of several processes add up to those of one.
void switch_samples::look_less(cycle_t now) {
    m_looks = 0;
    if (!m_all) {
        m_gap *= 2;
        m_weight *= 2;
        return;
    }
    m_all = false;
    m_of_router.clear();
    m_phase = 0;
    m_next = now + m_gap;
    const double looked_at = (looks - uncounted) * m_slowest,
                 of_all = static_cast<double>(m_all_vcs) / most_vcs;
    m_weight = static_cast<std::uint64_t>(
        std::llround(static_cast<double>(m_gap) / looked_at * std::max(1.0, of_all)));
}

void switch_samples::look(cycle_t now) {
    if (now < m_next) return;
    if (m_phase == 0) choose();
    m_group = static_cast<std::uint32_t>(m_all ? now / (first_gap * m_slowest) : m_samples) % groups;
    sender *last = m_last.data(), *before = m_before.data();
    for (std::size_t n = 0; n < m_chosen.size(); ++n) {
        const std::uint32_t r = m_chosen[n], vcs = m_net.ports(r) * m_net.bank_of(r).terms().vcs;
        // Between its edges nothing changes.
        if (m_slowest == 1 || m_net.domain_of(r).clock().has_edge(now - 1))
            look_at(r, m_looked[n], before, last);
        last += vcs, before += vcs;
    }
    m_next = now + 1;
    m_looks += m_vcs;
    ++m_phase;
    if (m_all) {
        if (!m_exact && m_looks >= looks_at_all) look_less(now);
        return;
    }
    if (m_phase < looks * m_slowest) return;
    m_phase = 0;
    ++m_samples;
    if (m_looks >= looks_of_gap) look_less(now);
    m_next = now + m_gap - looks * m_slowest + 1;
}

/// Looks at a router after a cycle of its own. `looked`: number of cycles of the sample so far.
void switch_samples::look_at(std::uint32_t router, std::uint8_t& looked, sender* before, sender* last) {
    const std::size_t vcs = m_net.ports(router) * m_net.bank_of(router).terms().vcs;
    m_now.resize(vcs);
    remember(router, m_now.data());
    if (looked >= 1) follow(router, before, last, m_now.data(), looked >= uncounted);
    if (looked >= uncounted) compare(router, before, last, m_now.data());
    looked = static_cast<std::uint8_t>(std::min<std::uint32_t>(looked + 1U, uncounted));
    std::copy_n(last, vcs, before);
    std::copy_n(m_now.data(), vcs, last);
}

void switch_samples::serialize(archive& a) {
    a(m_chosen, m_looked, m_turn, m_last, m_before, m_next, m_gap, m_phase, m_samples, m_seen, m_from,
      m_followed, m_all, m_vcs, m_looks, m_weight, m_of_router);
}

void switch_samples::add_up(world& all) {
    all.sum(m_seen.data(), m_seen.size());
    all.sum(m_of_router.data(), m_of_router.size());
}

}  // namespace sare
