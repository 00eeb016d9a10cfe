// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/map/interleaving.h"

#include "tlm/config/value.h"
#include "tlm/memory/address_map.h"
#include "tlm/systemc/reports.h"

#include <fmt/format.h>

#include <sstream>

namespace sare {
namespace {

bool power_of_2(std::uint64_t x) {
    return x != 0 && (x & (x - 1)) == 0;
}

std::string as_hex(std::uint64_t x) {
    std::ostringstream text;
    text << "0x" << std::hex << x;
    return text.str();
}

}  // namespace

std::uint32_t interleaving::memory_of(std::uint64_t address) const {
    const std::uint64_t stripe = (address - base) / granule;
    auto number = static_cast<std::uint32_t>(stripe % memories);
    for (std::size_t bit = 0; bit < hash.size(); ++bit)
        number ^= static_cast<std::uint32_t>(__builtin_parityll(address & hash[bit])) << bit;
    return number;
}

void interleaving::check(std::uint64_t size) const {
    const std::string range = "the interleaved range at " + as_hex(base);
    if (memories == 0) throw config::error(range + " has no memories");
    if (!power_of_2(granule))
        throw config::error(
            fmt::format("{} has stripes of {} bytes; they must be a power of 2", range, granule));
    const bool overflows = granule > ~std::uint64_t{0} / memories;
    if (overflows || size == 0 || size % (granule * memories) != 0)
        throw config::error(fmt::format("{} has {} bytes; they must be a multiple of {} stripes of {}", range,
                                        size, memories, granule));
    if (hash.empty()) return;
    if (!power_of_2(memories) || std::uint64_t{1} << hash.size() != memories)
        throw config::error(fmt::format(
            "{} has {} memories and {} masks; a hash has a mask for each bit of a memory's number", range,
            memories, hash.size()));
    if (base % (granule * memories) != 0)
        throw config::error(range + " is hashed; its base must be a multiple of " +
                            as_hex(granule * memories) + ", a stripe of each memory");
    for (const std::uint64_t mask : hash)
        if (mask % (granule * memories) != 0)
            throw config::error(range + " is hashed by " + as_hex(mask) +
                                "; only bits above those of a stripe and of the memory's number may be, " +
                                as_hex(granule * memories) + " and up");
}

std::vector<address_range> interleaved(std::uint64_t base, std::uint64_t size,
                                       const std::vector<memory_place>& memories, std::uint64_t granule,
                                       const std::vector<std::uint64_t>& hash) {
    auto stripes = std::make_shared<interleaving>();
    *stripes = {granule, hash, base, static_cast<std::uint32_t>(memories.size())};
    with_config_reports("the memory map", [&] { stripes->check(size); });
    std::vector<address_range> all;
    for (const memory_place& m : memories)
        all.push_back(
            {base, size, m.node, m.offset, m.memory, stripes, static_cast<std::uint32_t>(all.size())});
    return all;
}

}  // namespace sare
