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

/// Addresses that a memory owns: all of a range, or its stripes of a range that interleaved() has made.
struct address_range {
    std::uint64_t base = 0;    ///< first address
    std::uint64_t size = 0;    ///< bytes of the range, at least 1, other memories' stripes included
    std::uint32_t node = 0;    ///< node of the memory
    std::uint64_t offset = 0;  ///< address in the memory of the first byte that it has of the range
    std::uint32_t memory = 0;  ///< number among the memories of its node, in the order of binding
    /// Division of the range among memories; null: one memory has all.
    std::shared_ptr<const interleaving> stripes{};
    std::uint32_t number = 0;  ///< number of the memory among the memories of `stripes`, from 0

    /// Returns the range as text for messages, such as "range 0x0 to 0xfff of node 3".
    std::string text() const;
    /// @name Functions of an address, which must be in the range (not checked)
    /// @{
    /// Returns the address within the memory.
    std::uint64_t in_memory(std::uint64_t address) const {
        return offset + (stripes ? stripes->before(address) : address - base);
    }
    /// Returns the number of bytes from the address on, that byte included, to the end of the range, or of
    /// its stripe.
    std::uint64_t bytes_from(std::uint64_t address) const {
        return stripes ? stripes->bytes_from(address) : size - (address - base);
    }
    /// Returns the number of bytes from the beginning of the range, or of its stripe, to before the address.
    std::uint64_t bytes_before(std::uint64_t address) const {
        return stripes ? stripes->granule - stripes->bytes_from(address) : address - base;
    }
    /// @}
    /// Number of bytes of the range that the memory has.
    std::uint64_t bytes_in_memory() const { return stripes ? size / stripes->memories : size; }
    /// Returns the first and the last address, both included, at which initiators see bytes `first` to `last`
    /// of the memory, as far as these belong to this range; nothing if none does. For an interleaved range it
    /// returns the first and the last address of the whole range.
    std::optional<std::pair<std::uint64_t, std::uint64_t>> addresses_of(std::uint64_t first,
                                                                        std::uint64_t last) const;
};

/// Place of an initiator's address in a memory.
struct placement {
    const address_range* range = nullptr;  ///< range that has the address; null: none has it
    /// Address in the memory; numbers of bytes before it, and from it on, that are contiguous for the
    /// initiator and in the memory.
    std::uint64_t address = 0, before = 0, bytes = 0;
};

/// The ranges of all memories. They overlap neither in the addresses of initiators nor within a memory.
class address_map {
  public:
    /// Makes a map of the ranges, and sorts them. Throws config::error for a range that is empty, overlaps
    /// another, goes beyond the last address or cannot be interleaved as `stripes` says, and if some of the
    /// ranges that one call of interleaved() has made are missing. Nodes are not checked (see
    /// memory_map::check()).
    explicit address_map(std::vector<address_range> ranges);

    /// Returns the range that has an address; of interleaved ranges, the one of the memory that owns the
    /// address; null if none has it. It lives as long as the map.
    const address_range* find(std::uint64_t address) const;
    /// Returns all ranges, in ascending order of `base`, then of `number`.
    const std::vector<address_range>& ranges() const { return m_ranges; }

  private:
    std::vector<address_range> m_ranges;
};

}  // namespace sare
