// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/bits.h"
#include "tlm/nic/nics.h"

#include <algorithm>

/// Ejection that a node refuses.
namespace sare {

std::uint32_t nics::class_of(const flit& f) const {
    return m_around.messages[m_around.packets[f.packet].message].what.message_class;
}

void nics::set_accepting(std::uint32_t node, std::uint32_t message_class, bool accepts) {
    if (accepts && m_refusals.find(node) == m_refusals.end()) return;
    refusal& r = m_refusals[node];
    std::uint64_t& uniform = m_uniform[node / 64];
    if (is_member(uniform, node % 64)) {
        r.was_uniform = true;
        uniform &= ~(std::uint64_t{1} << (node % 64));
    }
    const std::uint32_t bit = 1U << message_class;
    r.classes = accepts ? r.classes & ~bit : r.classes | bit;
}

std::uint32_t nics::held_back(std::uint32_t node, std::uint32_t message_class) const {
    const auto found = m_refusals.find(node);
    if (found == m_refusals.end()) return 0;
    const auto& flits = found->second.flits;
    return static_cast<std::uint32_t>(std::count_if(
        flits.begin(), flits.end(), [&](const flit& f) { return class_of(f) == message_class; }));
}

/// Returns the place of the first flit that is not refused and has none before it on its VC; the number of
/// flits if there is none.
std::size_t nics::first_to_take(const refusal& r) const {
    std::uint64_t blocked = 0;  // VCs
    for (std::size_t k = 0; k < r.flits.size(); ++k) {
        const flit& f = r.flits[k];
        if (!is_member(blocked, f.vc) && !is_member(r.classes, class_of(f))) return k;
        blocked |= std::uint64_t{1} << f.vc;
    }
    return r.flits.size();
}

/// Keeps a flit that its node refuses, or that comes behind one on its VC. Returns true if it is kept.
bool nics::hold_back(const nic_state& n, std::uint64_t word, std::uint32_t vc) {
    const auto found = m_refusals.find(number_of(n));
    if (found == m_refusals.end()) return false;
    refusal& r = found->second;
    flit f = flit::from_word(word);
    f.vc = static_cast<std::uint8_t>(vc);
    const bool behind =
        std::any_of(r.flits.begin(), r.flits.end(), [&](const flit& other) { return other.vc == f.vc; });
    if (!behind && !is_member(r.classes, class_of(f))) return false;
    r.flits.push_back(f);
    return true;
}

bool nics::any_to_take() const {
    return std::any_of(m_refusals.begin(), m_refusals.end(), [this](const auto& one) {
        const refusal& r = one.second;
        return first_to_take(r) != r.flits.size() || (r.flits.empty() && r.classes == 0);
    });
}

void nics::take_held(cycle_t t) {
    for (auto at = m_refusals.begin(); at != m_refusals.end();) {
        refusal& r = at->second;
        if (const std::size_t k = first_to_take(r); k != r.flits.size()) {
            const flit f = r.flits[k];
            r.flits.erase(r.flits.begin() + static_cast<std::ptrdiff_t>(k));
            consume_held(m_nics[at->first], f, t);
        }
        if (r.classes != 0 || !r.flits.empty()) {
            ++at;
            continue;
        }
        if (r.was_uniform) m_uniform[at->first / 64] |= std::uint64_t{1} << (at->first % 64);
        at = m_refusals.erase(at);
    }
    std::stable_sort(m_arrivals.begin(), m_arrivals.end(),
                     [](const arrival& a, const arrival& b) { return a.node < b.node; });
}

}  // namespace sare
