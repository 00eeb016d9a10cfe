// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/map/interleaving.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sare {

/// Addresses that a memory owns: all of a range, or its stripes of one (see interleaved()).
struct address_range {
    std::uint64_t base = 0;    ///< bytes
    std::uint64_t size = 0;    ///< bytes, at least 1
    std::uint32_t node = 0;    ///< of the memory
    std::uint64_t offset = 0;  ///< where the memory has the range's first byte
    std::uint32_t memory = 0;  ///< which of the node's memories, in the order in which they are bound
    std::shared_ptr<const interleaving> stripes{};  ///< of the range; null: all of it is the memory's
    std::uint32_t number = 0;                       ///< of the memory, among those of the stripes

    std::string text() const;  ///< for messages
    /// @name Of an address of the range
    /// @{
    std::uint64_t in_memory(std::uint64_t address) const {
        return offset + (stripes ? stripes->before(address) : address - base);
    }
    std::uint64_t bytes_from(std::uint64_t address) const {
        return stripes ? stripes->bytes_from(address) : size - (address - base);
    }
    std::uint64_t bytes_before(std::uint64_t address) const {
        return stripes ? stripes->granule - stripes->bytes_from(address) : address - base;
    }
    /// @}
    std::uint64_t bytes_in_memory() const { return stripes ? size / stripes->memories : size; }
    /// Of the bytes first to last of its memory those of the range, by their addresses for initiators. Of a
    /// range of stripes all.
    std::optional<std::pair<std::uint64_t, std::uint64_t>> addresses_of(std::uint64_t first,
                                                                        std::uint64_t last) const;
};

/// Where an initiator's address is: in which memory's range, at which address of the memory, and how many
/// bytes before it and from it on are together there.
struct placement {
    const address_range* range = nullptr;  ///< null: nowhere
    std::uint64_t address = 0, before = 0, bytes = 0;
};

/// Which memory owns which addresses. Ranges overlap neither for initiators nor in a memory.
class address_map {
  public:
    /// Throws config::error for ranges that are empty, overlap, go beyond the last address, or are some but
    /// not all of those that interleaved() has made.
    explicit address_map(std::vector<address_range> ranges);

    /// Null if no range has it.
    const address_range* find(std::uint64_t address) const;
    const std::vector<address_range>& ranges() const { return m_ranges; }  ///< by address

  private:
    std::vector<address_range> m_ranges;
};

}  // namespace sare
