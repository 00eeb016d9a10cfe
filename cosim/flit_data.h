// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/router_block.h"
#include "cosim/rtl_library.h"

#include <algorithm>

namespace sare::cosim {

/// The data that flits carry through our RTL: in the lowest bits the number of the packet, above it bits that
/// depend on packet and place; so what comes out tells what it is, and whether it is whole.
class flit_data {
  public:
    /// `width`: bits of a flit's data, 16 or more.
    flit_data(std::uint32_t width, const packet_table& packets) : m_width(width), m_packets(packets) {}

    /// Words of 64 bits, the last one maybe of fewer.
    std::uint32_t words() const { return (m_width + 63) / 64; }
    std::uint32_t bits(std::uint32_t word) const { return std::min(64u, m_width - word * 64); }

    std::uint64_t word(const flit& f, std::uint32_t w) const {
        const std::uint64_t noise =
            mixed(m_packets[f.packet].uid * 0x10001 + f.sequence * std::uint64_t{64} + w);
        return low_bits(w == 0 ? noise << tag_bits | f.packet : noise, bits(w));
    }
    void put(rtl_pin& pin, std::uint32_t port, const flit& f) const {
        for (std::uint32_t w = 0; w < words(); ++w) pin.set(port * m_width + w * 64, bits(w), word(f, w));
    }
    /// The packet whose number a port's data has. Throws rtl_error if there is none that is on its way.
    std::uint32_t packet_at(const rtl_pin& pin, std::uint32_t port) const {
        const auto packet = static_cast<std::uint32_t>(low_bits(pin.get(port * m_width, bits(0)), tag_bits));
        if (packet < m_packets.slots()) return packet;
        throw rtl_error("port " + std::to_string(port) + ": data of no packet");
    }
    /// Throws rtl_error unless the data of a port is that of `f`.
    void check(const rtl_pin& pin, std::uint32_t port, const flit& f) const {
        for (std::uint32_t w = 0; w < words(); ++w)
            if (pin.get(port * m_width + w * 64, bits(w)) != word(f, w))
                throw rtl_error("port " + std::to_string(port) + ": data that are not those of flit " +
                                std::to_string(f.sequence) + " of their packet");
    }

    static std::uint64_t low_bits(std::uint64_t value, std::uint32_t bits) {
        return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
    }
    /// Well-mixed bits of a number (the finaliser of SplitMix64).
    static std::uint64_t mixed(std::uint64_t z) {
        z += 0x9e3779b97f4a7c15ULL;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }

  private:
    /// 16 ports, 8 VCs and 64 places, and a few registers.
    static constexpr std::uint32_t tag_bits = 14;

    std::uint32_t m_width;
    const packet_table& m_packets;
};

}  // namespace sare::cosim
