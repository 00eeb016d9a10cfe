// SPDX-License-Identifier: Apache-2.0
#include "tlm/nic/all_nics.h"

#include "tlm/config/checked.h"
#include "tlm/state/archive.h"

#include <algorithm>

namespace sare {

std::uint32_t all_nics::add(const nic_params& params) {
    if (m_params.empty() || !(params == m_params.back())) {
        config::check_ranges(params, "nic");
        params.check_rates({});
    }
    m_params.add(params);
    m_taken_over.push_back(false);
    m_max_packet = std::max<std::uint64_t>(m_max_packet, params.max_packet_flits);
    return size() - 1;
}

std::uint32_t all_nics::flits_for(std::uint64_t bytes) const {
    if (m_params.empty()) throw config::error("flits are a matter of NICs, and the network has none");
    return sare::flits_for(m_params.front(), bytes);
}

std::uint32_t all_nics::padded(std::uint32_t flits) const {
    return m_params.empty() ? flits : static_cast<std::uint32_t>(sare::padded(m_params.front(), flits));
}

void all_nics::share_out(const std::vector<std::uint16_t>& part_of) {
    m_part_of = part_of;
    if (std::all_of(part_of.begin(), part_of.end(), [](std::uint16_t part) { return part == 0; })) return;
    m_number.resize(size());
    std::vector<std::uint32_t> next;
    for (std::uint32_t node = 0; node < size(); ++node) {
        if (part_of[node] >= next.size()) next.resize(part_of[node] + 1U, 0);
        m_number[node] = next[part_of[node]]++;
    }
}

nics& all_nics::add_part(const nic_surroundings& around) {
    const std::size_t part = m_parts.size();
    m_parts.push_back(std::make_unique<nics>(around));
    nics& its = *m_parts.back();
    std::vector<const running_clock*> clocks;
    for (std::uint32_t node = 0; node < size(); ++node) {
        if (m_part_of[node] != part) continue;
        its.add(node, m_params[node]);
        if (has_clocks()) clocks.push_back(m_clocks[node]);
        if (m_taken_over[node]) its.take_over(its.size() - 1);
    }
    its.set_clocks(std::move(clocks));
    if (m_drop_bad) its.drop_bad_packets(m_drop_bad);
    return its;
}

void all_nics::take_over(std::uint32_t node) {
    m_taken_over[node] = true;
    if (m_parts.empty()) return;
    const auto [its, n] = at(node);
    its.take_over(n);
}

bool all_nics::any_injecting() const {
    return std::any_of(m_parts.begin(), m_parts.end(), [](const auto& p) { return p->any_injecting(); });
}

bool all_nics::any_to_take() const {
    return std::any_of(m_parts.begin(), m_parts.end(), [](const auto& p) { return p->any_to_take(); });
}

bool all_nics::any_refuses() const {
    return std::any_of(m_parts.begin(), m_parts.end(), [](const auto& p) { return p->holds_any(); });
}

void all_nics::open_counters() {
    for (std::uint32_t node = 0; node < size(); ++node) {
        const bool is_here = m_part_of.empty() || m_part_of[node] != elsewhere;
        nic_state* const its = is_here ? &at(node).its[at(node).n] : nullptr;
        m_injected_flits.push_back(is_here ? &its->injected_flits : nullptr);
        m_consumed_flits.push_back(!is_here     ? nullptr
                                   : m_drop_bad ? &its->coming_flits
                                                : &its->consumed_flits);
        m_held_flits.push_back(is_here ? &its->held_flits : nullptr);
    }
}

bool all_nics::any_room() const {
    return std::any_of(m_parts.begin(), m_parts.end(), [](const auto& p) { return !p->room().empty(); });
}

std::uint64_t all_nics::sum_of(std::uint64_t nic_state::*counter) const {
    std::uint64_t sum = 0;
    for (const auto& p : m_parts) sum += p->sum_of(counter);
    return sum;
}

std::uint64_t all_nics::messages_waiting() const {
    std::uint64_t sum = 0;
    for (const auto& p : m_parts) sum += p->messages_waiting();
    return sum;
}

std::uint64_t all_nics::messages_started() const {
    std::uint64_t sum = 0;
    for (const auto& p : m_parts) sum += p->messages_started();
    return sum;
}

std::uint64_t all_nics::flit_hops() const {
    std::uint64_t sum = 0;
    for (const auto& p : m_parts) sum += p->flit_hops();
    return sum;
}

std::string all_nics::leftovers() const {
    for (const auto& p : m_parts)
        if (std::string left = p->leftovers(); !left.empty()) return left;
    return "";
}

void all_nics::serialize(archive& a) {
    for (const auto& p : m_parts) p->serialize(a);
}

}  // namespace sare
