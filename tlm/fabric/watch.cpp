// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/bits.h"
#include "tlm/fabric/watch.h"

#include <algorithm>

/// Looking at what is on the links: in the planes, where it can be read in a cycle, before it is. And at all
/// the rest when a cycle is over.
namespace sare {

fabric::watch& fabric::watched() {
    if (m_watch == nullptr) {
        m_watch = std::make_unique<watch>();
        m_watch->next = m_begun ? m_now + 1 : m_now;
    }
    return *m_watch;
}

/// When the last one has gone.
void fabric::close_watch() {
    if (m_watch != nullptr && m_watch->flits.empty() && m_watch->cycles.empty()) m_watch.reset();
}

namespace {

template <class T, class U>
void take_out(std::vector<T*>& all, const U& one) {
    all.erase(std::remove(all.begin(), all.end(), &one), all.end());
}

}  // namespace

std::vector<std::string> fabric::observe_flits(flit_observer& o) {
    watch& w = watched();
    w.flits.push_back(&o);
    if (w.links.empty()) view_links();
    std::vector<std::string> names;
    for (const watch::view& v : w.links) names.push_back(text(v.from) + " to " + block_text(v.to));
    return names;
}

/// Those that are in the planes: of a node whose queues are in its router there is none, and what goes to a
/// NIC that is not ours is not seen.
void fabric::view_links() {
    const auto is_seen = [this](const end& node, const end& router) {
        return node.what != end::kind::nic ||
               (!bank_of(router.id).terms().owns_nodes && !is_taken_over(node.id));
    };
    for_each_link(*m_map, [&](const end& from, const end& to) {
        if (is_seen(from, to) && is_seen(to, from))
            m_watch->links.push_back({&domain_of(to), flits_to(to).first, from, to});
    });
}

std::vector<std::pair<fabric::end, fabric::end>> fabric::observed_links() const {
    std::vector<std::pair<end, end>> all;
    if (m_watch == nullptr) return all;
    for (const watch::view& v : m_watch->links) all.emplace_back(v.from, v.to);
    return all;
}

void fabric::remove_observer(const flit_observer& o) {
    if (m_watch == nullptr) return;
    take_out(m_watch->flits, o);
    close_watch();
}

void fabric::add_observer(cycle_observer& o) {
    watched().cycles.push_back(&o);
}

void fabric::remove_observer(const cycle_observer& o) {
    if (m_watch == nullptr) return;
    take_out(m_watch->cycles, o);
    close_watch();
}

void fabric::begin_watched(cycle_t t) {
    notify_cycles(t);
    advance_to(t);
    if (!m_watch->flits.empty()) show_flits(t);
}

/// Of those that are over and have not been told. Where nothing is run, what is under way comes, credits
/// among it, and then nothing changes any more.
void fabric::notify_cycles(cycle_t before) {
    cycle_t longest = 0;
    for (const clock_domain* d : m_domains)
        longest = std::max<cycle_t>(longest, d->ring().reach() * d->period());
    const cycle_t last = std::min(before, m_now + longest + 1);
    for (cycle_t t = m_watch->next; t < last; ++t) {
        if (is_new(t)) advance_to(t);
        for (cycle_observer* o : m_watch->cycles) o->cycle_over(t);
    }
    m_watch->next = before;
}

void fabric::show_flits(cycle_t t) {
    const std::uint64_t vcs = m_vcs == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << m_vcs) - 1;
    for (std::uint32_t k = 0; k < m_watch->links.size(); ++k) {
        const auto& [where, at, from, to] = m_watch->links[k];
        if (t % where->period() != 0) continue;
        const std::uint64_t* const plane = where->ring().at(t / where->period());
        const std::uint64_t here = plane[at.inbox] & (at.place == 0 ? at.port_bit : at.port_bit * vcs);
        if (here == 0) continue;
        flit f = flit::from_word(plane[at.flit_at]);
        // Where there is a bit a VC, that says which, and not the flit.
        if (at.place != 0) f.vc = static_cast<std::uint8_t>(lowest(here) - lowest(at.port_bit));
        for (flit_observer* o : m_watch->flits) o->flit_arrives(k, f, m_packets[f.packet], t);
    }
}

}  // namespace sare
