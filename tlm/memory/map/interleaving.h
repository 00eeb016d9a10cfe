// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sare {

struct address_range;

/// A memory among several into which an interleaved range is divided.
struct memory_place {
    std::uint32_t node = 0;    ///< node of the memory
    std::uint64_t offset = 0;  ///< address in the memory of the first byte that it has of the range
    std::uint32_t memory = 0;  ///< number among the node's memories, in the order of binding
};

/// Division of the stripes of a range among several memories. Stripe k belongs to memory k modulo the number
/// of memories; with a hash, each bit of that memory's number is inverted if the address bits under the bit's
/// mask have odd parity. In each memory its stripes are contiguous.
struct interleaving {
    std::uint64_t granule = 64;  ///< bytes of a stripe, a power of 2
    std::vector<std::uint64_t>
        hash;  ///< for each bit of a memory number, from bit 0, a mask of address bits; empty: no hash
    std::uint64_t base = 0;      ///< first address of the range
    std::uint32_t memories = 1;  ///< number of memories

    /// Returns the number of the memory that has `address`, which must be in the range (not checked).
    std::uint32_t memory_of(std::uint64_t address) const;
    /// Returns the number of bytes of the range that the memory of `address` has before it.
    std::uint64_t before(std::uint64_t address) const {
        return (address - base) / granule / memories * granule + (address - base) % granule;
    }
    /// Returns the number of bytes from `address` on, that byte included, to the end of its stripe.
    std::uint64_t bytes_from(std::uint64_t address) const { return granule - (address - base) % granule; }
    /// Throws config::error if a range of `size` bytes cannot be divided in this way: `size` must be a
    /// multiple of granule * memories. With a hash, `memories` must be a power of 2 with a mask for each bit,
    /// and `base` and masks must be multiples of granule * memories.
    void check(std::uint64_t size) const;
};

/// Returns one range for each memory, for an address_map: `size` bytes from `base` on, interleaved in stripes
/// of `granule` bytes. `hash`: see interleaving::hash. What interleaving::check() refuses, such as no
/// memories, is reported as an error "/sare/config".
std::vector<address_range> interleaved(std::uint64_t base, std::uint64_t size,
                                       const std::vector<memory_place>& memories, std::uint64_t granule = 64,
                                       const std::vector<std::uint64_t>& hash = {});

}  // namespace sare
