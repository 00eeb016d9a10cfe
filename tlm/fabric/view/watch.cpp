// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/view/watch.h"

#include "tlm/base/bits.h"
#include "tlm/fabric/network_state.h"

#include <algorithm>

namespace sare {
namespace {

template <class T, class U>
void take_out(std::vector<T*>& all, const U& one) {
    all.erase(std::remove(all.begin(), all.end(), &one), all.end());
}

}  // namespace

link_watch::link_watch(network_state& net) : m_net(net), m_next(net.begun ? net.now() + 1 : net.now()) {}

std::vector<std::string> link_watch::add(flit_observer& o) {
    m_flits.push_back(&o);
    if (m_links.empty()) find_links();
    std::vector<std::string> names;
    for (const view& v : m_links) names.push_back(text(v.from) + " to " + block_text(v.to));
    return names;
}

void link_watch::remove(const flit_observer& o) {
    take_out(m_flits, o);
}

void link_watch::remove(const cycle_observer& o) {
    take_out(m_cycles, o);
}

std::vector<std::pair<link_end, link_end>> link_watch::links() const {
    std::vector<std::pair<link_end, link_end>> all;
    for (const view& v : m_links) all.emplace_back(v.from, v.to);
    return all;
}

void link_watch::begin(cycle_t t) {
    tell_cycles(t);
    m_net.advance_to(t);
    if (!m_flits.empty()) show_flits(t);
}

/// Finds the links that have flits in the planes: none for a node whose queues are in its router or whose NIC
/// is modelled outside.
void link_watch::find_links() {
    const auto is_seen = [this](const link_end& node, const link_end& router) {
        return node.what != link_end::kind::nic ||
               (!m_net.table.terms(router.id).owns_nodes && !m_net.nics.is_taken_over(node.id));
    };
    for_each_link(*m_net.map(), [&](const link_end& from, const link_end& to) {
        if (!is_seen(from, to) || !is_seen(to, from)) return;
        if (m_net.is_remote(to))
            m_links.push_back({nullptr, {}, from, to});
        else
            m_links.push_back({&m_net.domain_of(to), m_net.flits_to(to).first, from, to});
    });
}

/// Skips cycles in which nothing changes: if no cycle is run, credits under way still arrive, for as long as
/// the longest link takes, and then nothing.
void link_watch::tell_cycles(cycle_t before) {
    cycle_t longest = 0;
    for (const clock_domain* d : m_net.domains)
        longest = std::max<cycle_t>(longest, d->clock().most_cycles_of(d->ring().reach()));
    const cycle_t last = std::min(before, m_net.now() + longest + 1);
    for (cycle_t t = m_next; t < last; ++t) {
        if (m_net.is_new(t)) m_net.advance_to(t);
        for (cycle_observer* o : m_cycles) o->cycle_over(t);
    }
    m_next = before;
}

void link_watch::show_flits(cycle_t t) {
    const vc_mask vcs = first_vcs(m_net.vcs());
    for (std::uint32_t k = 0; k < m_links.size(); ++k) {
        const auto& [where, at, from, to] = m_links[k];
        if (where == nullptr || !where->clock().has_edge(t)) continue;
        const std::uint64_t* const plane = where->ring().at(where->clock().first_edge(t));
        const std::uint64_t here = plane[at.inbox] & (at.first_bit == 0 ? at.port_bit : at.port_bit * vcs);
        if (here == 0) continue;
        flit f = flit::from_word(plane[at.flit_at]);
        // A reader with one bit for each VC takes the VC from the bit, not from the flit.
        if (at.first_bit != 0) f.vc = static_cast<std::uint8_t>(lowest(here) - lowest(at.port_bit));
        for (flit_observer* o : m_flits) o->flit_arrives(k, f, m_net.packets()[f.packet], t);
    }
}

}  // namespace sare
