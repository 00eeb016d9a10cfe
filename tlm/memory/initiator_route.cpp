// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/access_options.h"
#include "tlm/memory/atomic/atomic_access.h"
#include "tlm/memory/initiator_port.h"
#include "tlm/memory/memory_bridge.h"

#include <algorithm>

/// Finds where an initiator's accesses go: by its windows, then by the map.
namespace sare {
namespace {

bool is_exclusive(const tlm::tlm_generic_payload& p) {
    const auto* options = p.get_extension<access_options>();
    return options != nullptr && options->exclusive;
}

}  // namespace

void initiator_port::set_view(address_view view) {
    forget_direct(0, ~std::uint64_t{0});
    m_view = std::move(view);
}

placement initiator_port::place(std::uint64_t address) const {
    if (m_view.shows_all()) {
        const address_range* range = m_map.find(address);
        if (range == nullptr) return {};
        return {range, range->in_memory(address), range->bytes_before(address), range->bytes_from(address)};
    }
    const auto in_map = m_view.in_map(address);
    const address_range* range = in_map ? m_map.find(in_map->address) : nullptr;
    if (range == nullptr) return {};
    return {range, range->in_memory(in_map->address),
            std::min(in_map->before, range->bytes_before(in_map->address)),
            std::min(in_map->bytes, range->bytes_from(in_map->address))};
}

bool initiator_port::reaches(std::uint64_t address, std::uint64_t bytes) const {
    for (;;) {
        const placement at = place(address);
        if (at.range == nullptr) return false;
        if (bytes <= at.bytes) return true;
        if (address + at.bytes < address) return false;  // beyond the last address
        address += at.bytes;
        bytes -= at.bytes;
    }
}

access_route initiator_port::route(tlm::tlm_generic_payload& p) const {
    access_route way;
    tlm::tlm_response_status status = check_attributes(p);
    const atomic_access* atomic = atomic_of(p);
    if (atomic != nullptr && status == tlm::TLM_OK_RESPONSE && !wrong_with(*atomic, p).empty())
        status = tlm::TLM_BURST_ERROR_RESPONSE;
    if (status == tlm::TLM_OK_RESPONSE) {
        const placement at = place(p.get_address());
        if (at.range != nullptr && extent_of(p) <= at.bytes) {
            if (m_map.memory_of(*at.range) != nullptr) way.whole = at;
        } else {
            way.pieces = pieces_of(p);
        }
        status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
        if (!way.pieces.empty() && (atomic != nullptr || is_exclusive(p))) {
            way.pieces.clear();  // no one memory could say that it was alone
            status = tlm::TLM_BURST_ERROR_RESPONSE;
        }
    }
    if (!way.exists()) p.set_response_status(status);
    return way;
}

/// Returns the pieces in the order of their bytes, without bytes that are not enabled; none if a byte is in
/// no memory.
std::vector<access_piece> initiator_port::pieces_of(const tlm::tlm_generic_payload& p) const {
    const unsigned length = p.get_data_length(), width = std::min(p.get_streaming_width(), length);
    const unsigned pattern = p.get_byte_enable_length();
    const auto enabled = [&](unsigned k) {
        return p.get_byte_enable_ptr() == nullptr ||
               p.get_byte_enable_ptr()[k % pattern] != TLM_BYTE_DISABLED;
    };
    std::vector<access_piece> all;
    unsigned bytes = 0;
    for (unsigned from = 0; from < length; from += bytes) {
        const std::uint64_t address = p.get_address() + from % width;
        const placement at = address < p.get_address() ? placement{} : place(address);
        const bool there = at.range != nullptr && m_map.memory_of(*at.range) != nullptr;
        bytes = static_cast<unsigned>(
            std::min<std::uint64_t>(std::min(width - from % width, length - from), there ? at.bytes : 1));
        bool touched = false;
        for (unsigned k = from; k < from + bytes && !touched; ++k) touched = enabled(k);
        if (!touched) continue;
        if (!there) return {};
        all.push_back({from, bytes, at});
    }
    return all;
}

}  // namespace sare
