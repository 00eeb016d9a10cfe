// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sare {

struct address_range;

/// A memory of a node, and where it has the first byte.
struct memory_place {
    std::uint32_t node = 0;
    std::uint64_t offset = 0;
    std::uint32_t memory = 0;  ///< which of the node's memories, in the order in which they are bound
};

/// How the stripes of a range are dealt to several memories: stripe k is with memory k modulo their number,
/// or, hashed, with the one of which each bit of the number is changed by the parity of some address bits.
/// Each memory has its stripes one behind another.
struct interleaving {
    std::uint64_t granule = 64;  ///< bytes of a stripe, a power of 2
    std::vector<std::uint64_t>
        hash;                ///< of each bit of a memory's number: a mask of address bits; empty: none
    std::uint64_t base = 0;  ///< of the range
    std::uint32_t memories = 1;

    /// Which memory has an address of the range.
    std::uint32_t memory_of(std::uint64_t address) const;
    /// Bytes before it in that memory.
    std::uint64_t before(std::uint64_t address) const {
        return (address - base) / granule / memories * granule + (address - base) % granule;
    }
    /// To the end of its stripe.
    std::uint64_t bytes_from(std::uint64_t address) const { return granule - (address - base) % granule; }
    /// Throws config::error for a range of so many bytes that cannot be dealt so.
    void check(std::uint64_t size) const;
};

/// The ranges of `size` bytes from `base` on over several memories, for an address_map: one for each memory.
/// What interleaving does not allow is a report "/sare/config".
std::vector<address_range> interleaved(std::uint64_t base, std::uint64_t size,
                                       const std::vector<memory_place>& memories, std::uint64_t granule = 64,
                                       const std::vector<std::uint64_t>& hash = {});

}  // namespace sare
