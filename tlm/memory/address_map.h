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

/// Addresses that a memory owns: a whole range, or its stripes of a range (see interleaved()).
struct address_range {
    std::uint64_t base = 0;    ///< first address
    std::uint64_t size = 0;    ///< bytes of the range, at least 1
    std::uint32_t node = 0;    ///< node of the memory
    std::uint64_t offset = 0;  ///< address within the memory of the range's first byte
    std::uint32_t memory = 0;  ///< number of the memory among those of its node, in the order of binding
    std::shared_ptr<const interleaving> stripes{};  ///< distribution to memories; null: one memory
    std::uint32_t number = 0;                       ///< number of the memory in `stripes`

    std::string text() const;  ///< returns the range as text for messages
    /// @name Functions of an address, which must be in the range
    /// @{
    /// Address within the memory.
    std::uint64_t in_memory(std::uint64_t address) const {
        return offset + (stripes ? stripes->before(address) : address - base);
    }
    /// Number of bytes from the address on to the end of the range, or of its stripe.
    std::uint64_t bytes_from(std::uint64_t address) const {
        return stripes ? stripes->bytes_from(address) : size - (address - base);
    }
    /// Number of bytes from the begin of the range, or of the stripe, to the address.
    std::uint64_t bytes_before(std::uint64_t address) const {
        return stripes ? stripes->granule - stripes->bytes_from(address) : address - base;
    }
    /// @}
    /// Number of bytes of the range that the memory has.
    std::uint64_t bytes_in_memory() const { return stripes ? size / stripes->memories : size; }
    /// Returns the first and last address at which initiators see bytes first to last of the memory, as far
    /// as they are of this range; nothing if none is. An interleaved range is returned whole.
    std::optional<std::pair<std::uint64_t, std::uint64_t>> addresses_of(std::uint64_t first,
                                                                        std::uint64_t last) const;
};

/// Place of an initiator's address: the memory's range, the address within the memory, and the numbers of
/// bytes before that address and from it on that lie together in the memory.
struct placement {
    const address_range* range = nullptr;  ///< null: no memory owns the address
    std::uint64_t address = 0, before = 0, bytes = 0;
};

/// The ranges of all memories. They overlap neither for initiators nor within a memory.
class address_map {
  public:
    /// Sorts the ranges. Throws config::error for a range that is empty, overlaps another or goes beyond the
    /// last address, and if only some of those that interleaved() made are given.
    explicit address_map(std::vector<address_range> ranges);

    /// Returns the range that has an address; null if none has.
    const address_range* find(std::uint64_t address) const;
    const std::vector<address_range>& ranges() const { return m_ranges; }  ///< all, ordered by base

  private:
    std::vector<address_range> m_ranges;
};

}  // namespace sare
