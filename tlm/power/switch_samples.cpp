// SPDX-License-Identifier: Apache-2.0
#include "tlm/power/switch_samples.h"

#include "tlm/base/world.h"
#include "tlm/fabric/view/network_view.h"
#include "tlm/state/archive.h"
#include "tlm/topology/topology.h"

#include <algorithm>

namespace sare {
namespace {

constexpr cycle_t first_gap = 64;           ///< cycles from a sample to the next one
constexpr std::uint32_t looks = 6;          ///< cycles in a row of a sample; the first two do not count
constexpr std::uint32_t before_longer = 8;  ///< samples after which gaps double: runs may be of any length
constexpr std::uint32_t most_vcs = 32;  ///< most VCs that a sample looks at; the next one takes other routers
constexpr std::uint8_t no_input = 0xff;

}  // namespace

switch_samples::switch_samples(const network_view& net, bool exact)
    : m_net(net), m_exact(exact), m_seen(std::size_t{exact ? net.routers() : 1} * kinds) {
    for (std::uint32_t r = 0; r < net.routers(); ++r) {
        if (net.map()->clock(router_id(r)) != 1) continue;
        m_routers.push_back(r);
        m_ports = std::max(m_ports, net.ports(r));
    }
    m_from.assign(std::size_t{net.routers()} * m_ports, no_input);
    m_followed.assign(m_from.size(), 0);
}

/// Chooses routers in turn, the same in all processes; each process looks at its own ones.
void switch_samples::choose() {
    m_chosen.clear();
    std::uint32_t vcs = 0;
    for (std::size_t n = 0; n < m_routers.size() && (m_exact || vcs < most_vcs); ++n) {
        const std::uint32_t r = m_routers[m_exact ? n : m_turn];
        if (!m_exact) m_turn = (m_turn + 1) % static_cast<std::uint32_t>(m_routers.size());
        vcs += m_net.ports(r) * m_net.vcs();
        if (!m_net.has_router(r)) continue;
        m_chosen.push_back(r);
        if (!m_exact) std::fill_n(m_followed.begin() + std::size_t{r} * m_ports, m_ports, std::uint8_t{0});
    }
}

void switch_samples::remember(std::vector<sender>& all) const {
    all.clear();
    for (const std::uint32_t r : m_chosen) {
        const router_bank& bank = m_net.bank_of(r);
        const std::uint32_t k = m_net.in_bank(r);
        for (std::uint32_t p = 0; p < bank.ports(); ++p)
            for (std::uint32_t v = 0; v < bank.terms().vcs; ++v) {
                const out_vc o = bank.out(k, p, v);
                all.push_back({o.flits, o.owner, o.credits, bank.in(k, p, v).count});
            }
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
void switch_samples::compare(const std::vector<sender>& now) {
    std::size_t i = 0;
    for (const std::uint32_t r : m_chosen) {
        const std::uint32_t vcs = m_net.bank_of(r).terms().vcs;
        for (std::uint32_t p = 0; p < m_net.bank_of(r).ports(); ++p) {
            bool sends = false, sent = false;
            for (std::uint32_t v = 0; v < vcs; ++v, ++i) {
                const std::uint32_t here = now[i].sent - m_last[i].sent,
                                    before = m_last[i].sent - m_before[i].sent;
                sends = sends || here != 0;
                sent = sent || before != 0;
                seen_at(r, flits) += here;
                seen_at(r, starts) += here != 0 && before == 0 ? 1 : 0;
                seen_at(r, fills) += m_last[i].waiting == 0 && now[i].waiting != 0 ? 1 : 0;
                if (here == 0 && m_last[i].credits != 0 && now[i].owner == m_last[i].owner &&
                    may_send(r, now[i]))
                    ++seen_at(r, lost);
            }
            seen_at(r, bursts) += sends && !sent ? 1 : 0;
        }
    }
}

/// Finds the input of each flit sent: owner of the output VC before, or since this very cycle.
void switch_samples::follow(const std::vector<sender>& now, bool counts) {
    std::size_t i = 0;
    for (const std::uint32_t r : m_chosen) {
        const router_bank& bank = m_net.bank_of(r);
        const std::uint32_t vcs = bank.terms().vcs;
        for (std::uint32_t p = 0; p < bank.ports(); ++p)
            for (std::uint32_t v = 0; v < vcs; ++v, ++i) {
                if (now[i].sent == m_last[i].sent) continue;
                const std::uint32_t all = bank.ports() * vcs,
                                    owner = m_last[i].owner < all ? m_last[i].owner : now[i].owner;
                const bool is_head = counts && m_before[i].owner != owner;
                if (owner < all) see(r, p, owner / vcs, counts, is_head);
            }
    }
}

/// Notes that a flit of an output came from an input. `is_head` is false if that is not certain.
void switch_samples::see(std::uint32_t router, std::uint32_t output, std::uint32_t input, bool counts,
                         bool is_head) {
    const std::size_t place = std::size_t{router} * m_ports + output;
    std::uint8_t& last = m_from[place];
    const std::uint64_t other = last != input ? 1 : 0;
    if (counts && (m_exact || m_followed[place] != 0 || (is_head && last != no_input))) {
        seen_at(router, turns) += other;
    } else if (counts) {
        ++seen_at(router, firsts);
        seen_at(router, known) += last != no_input ? 1 : 0;
        seen_at(router, others) += last != no_input ? other : 0;
    }
    last = static_cast<std::uint8_t>(input);
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
    const std::uint64_t* const here = m_seen.data() + std::size_t{router} * kinds;
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
    m_gap = first_gap;
    m_phase = 0;
    m_next = m_exact ? now : now + m_gap / 2;
}

void switch_samples::look(cycle_t now) {
    if (now < m_next) return;
    if (m_phase == 0) choose();
    std::vector<sender> all;
    remember(all);
    if (m_phase >= 1) follow(all, m_phase >= 2);
    if (m_phase >= 2) compare(all);
    m_before = std::move(m_last);
    m_last = std::move(all);
    m_next = now + 1;
    if (m_exact) {
        m_phase = std::min(m_phase + 1, looks);
        return;
    }
    if (++m_phase < looks) return;
    m_phase = 0;
    m_next = now + m_gap - looks + 1;
    if (++m_samples % before_longer == 0) m_gap *= 2;
}

void switch_samples::serialize(archive& a) {
    a(m_chosen, m_turn, m_last, m_before, m_next, m_gap, m_phase, m_samples, m_seen, m_from, m_followed);
}

void switch_samples::add_up(world& all) {
    all.sum(m_seen.data(), m_seen.size());
}

}  // namespace sare
