// SPDX-License-Identifier: Apache-2.0
#include "tlm/chi/coherence_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace sare::chi {
namespace {

constexpr std::uint32_t any = ~std::uint32_t{0};  // no node in particular

void check_length(std::uint64_t address, std::uint32_t length) {
    if (length > line_bytes - address % line_bytes)
        throw std::out_of_range(
            fmt::format("an access of {} bytes at {} is not within a line", length, address));
}

}  // namespace

void coherence_checker::expect(bool right, std::uint32_t node, std::uint64_t address,
                               const std::string& rule) {
    if (right || violations.size() == 10) return;
    std::ostringstream text;
    text << sc_core::sc_time_stamp() << ": ";
    if (node != any) text << "node " << node << ", ";
    text << "0x" << std::hex << address << ": " << rule;
    violations.push_back(text.str());
}

void coherence_checker::loaded(std::uint32_t node, std::uint64_t address, const unsigned char* bytes,
                               std::uint32_t length) {
    check_length(address, length);
    ++loads;
    const auto& line = m_bytes[line_of(address)];
    expect(std::equal(bytes, bytes + length, line.begin() + address % line_bytes), node, address,
           "a load does not give what was stored last");
    expect(m_states[line_of(address)].count(node) != 0, node, address, "a load of a line that is not there");
}

void coherence_checker::stored(std::uint32_t node, std::uint64_t address, const unsigned char* bytes,
                               std::uint32_t length) {
    check_length(address, length);
    ++stores;
    std::copy_n(bytes, length, m_bytes[line_of(address)].begin() + address % line_bytes);
    const auto& states = m_states[line_of(address)];
    const auto mine = states.find(node);
    expect(mine != states.end() && mine->second == state::ud, node, address,
           "a store to a line that is not its own");
}

void coherence_checker::updated(std::uint64_t address, const unsigned char* before, const unsigned char* now,
                                std::uint32_t length) {
    check_length(address, length);
    ++atomics;
    unsigned char* here = m_bytes[line_of(address)].data() + address % line_bytes;
    expect(std::equal(before, before + length, here), any, address,
           "an atomic access does not see what was stored last");
    expect(m_states[line_of(address)].empty(), any, address, "an atomic access of a line that is in a cache");
    std::copy_n(now, length, here);
}

void coherence_checker::replaced(std::uint64_t address, const unsigned char* bytes, std::uint32_t length) {
    check_length(address, length);
    std::copy_n(bytes, length, m_bytes[line_of(address)].begin() + address % line_bytes);
}

void coherence_checker::changed(std::uint32_t node, std::uint64_t line, state now) {
    auto& states = m_states[line];
    if (now == state::i)
        states.erase(node);
    else
        states[node] = now;
    const bool unique =
        std::any_of(states.begin(), states.end(), [](const auto& s) { return s.second >= state::uc; });
    expect(!unique || states.size() == 1, node, line, "a line that one node may write is in another cache");
}

}  // namespace sare::chi
