// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sare {

struct address_range;

/// A memory of a node, and the address in it of the range's first byte.
struct memory_place {
    std::uint32_t node = 0;    ///< node of the memory
    std::uint64_t offset = 0;  ///< address within the memory
    std::uint32_t memory = 0;  ///< number among the node's memories, in the order of binding
};

/// The distribution of the stripes of a range to several memories. Stripe k is in memory k modulo their
/// number; with a hash, each bit of that number is inverted if the address bits of its mask have odd parity.
/// Each memory has its stripes one behind another.
struct interleaving {
    std::uint64_t granule = 64;  ///< bytes of a stripe, a power of 2
    std::vector<std::uint64_t>
        hash;                    ///< mask of address bits for each bit of a memory's number; empty: no hash
    std::uint64_t base = 0;      ///< first address of the range
    std::uint32_t memories = 1;  ///< number of memories

    /// Returns the number of the memory that has an address of the range.
    std::uint32_t memory_of(std::uint64_t address) const;
    /// Number of bytes of that memory, within the range, before an address.
    std::uint64_t before(std::uint64_t address) const {
        return (address - base) / granule / memories * granule + (address - base) % granule;
    }
    /// Number of bytes from an address to the end of its stripe.
    std::uint64_t bytes_from(std::uint64_t address) const { return granule - (address - base) % granule; }
    /// Throws config::error if a range of `size` bytes cannot be dealt like this.
    void check(std::uint64_t size) const;
};

/// Returns one range for each memory, for an address_map: `size` bytes from `base` on, interleaved. What
/// interleaving::check() refuses is reported as "/sare/config".
std::vector<address_range> interleaved(std::uint64_t base, std::uint64_t size,
                                       const std::vector<memory_place>& memories, std::uint64_t granule = 64,
                                       const std::vector<std::uint64_t>& hash = {});

}  // namespace sare
