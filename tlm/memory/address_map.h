// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sare {

/// Addresses that a memory owns.
struct address_range {
    std::uint64_t base = 0;    ///< bytes
    std::uint64_t size = 0;    ///< bytes, at least 1
    std::uint32_t node = 0;    ///< of the memory
    std::uint64_t offset = 0;  ///< where the memory has the range's first byte
    std::uint32_t memory = 0;  ///< which of the node's memories, in the order in which they are bound

    std::string text() const;  ///< for messages
    /// @name Of an address of the range
    /// @{
    std::uint64_t in_memory(std::uint64_t address) const { return offset + (address - base); }
    std::uint64_t bytes_from(std::uint64_t address) const { return size - (address - base); }
    /// @}
    /// Of the bytes first to last of its memory those of the range, by their addresses for initiators.
    std::optional<std::pair<std::uint64_t, std::uint64_t>> addresses_of(std::uint64_t first,
                                                                        std::uint64_t last) const;
};

/// Which memory owns which addresses. Ranges overlap neither for initiators nor in a memory.
class address_map {
  public:
    /// Throws config::error for ranges that are empty, overlap, or go beyond the last address.
    explicit address_map(std::vector<address_range> ranges);

    /// Null if no range has it.
    const address_range* find(std::uint64_t address) const;
    const std::vector<address_range>& ranges() const { return m_ranges; }  ///< by address

  private:
    std::vector<address_range> m_ranges;
};

}  // namespace sare
