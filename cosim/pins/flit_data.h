// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/flit_tag.h"
#include "cosim/pins/pin_router.h"
#include "cosim/rtl/rtl_library.h"

#include <algorithm>

namespace sare::cosim {

/// The data that flits carry through our RTL: a tag with the number of the packet, and bits that depend on
/// the packet and on the flit's place in it. The data of a flit that comes out tell its packet, and any wrong
/// bit.
class flit_data {
  public:
    /// `width`: bits of a flit's data, 16 or more. `packets` must outlive this.
    flit_data(std::uint32_t width, const packet_table& packets) : m_width(width), m_packets(packets) {}

    /// Number of 64-bit words of a flit's data.
    std::uint32_t words() const { return (m_width + 63) / 64; }
    /// Number of bits in word `word`: 64, or fewer in the last one.
    std::uint32_t bits(std::uint32_t word) const { return std::min(64u, m_width - word * 64); }

    /// Returns word `w` of the data of flit `f`.
    std::uint64_t word(const flit& f, std::uint32_t w) const {
        const std::uint64_t noise =
            mixed(m_packets[f.packet].uid * 0x10001 + f.sequence * std::uint64_t{64} + w);
        return w == 0 ? tagged(f.packet, tag_bits, noise, bits(0)) : low_bits(noise, bits(w));
    }
    /// Drives the data of flit `f` on its place in `pin`, which holds `width` bits for each port, port 0
    /// lowest.
    void put(rtl_pin& pin, std::uint32_t port, const flit& f) const {
        for (std::uint32_t w = 0; w < words(); ++w) pin.set(port * m_width + w * 64, bits(w), word(f, w));
    }
    /// Returns the number of the packet that the data of a port belong to. Throws rtl_error if the packet
    /// table has no such number.
    std::uint32_t packet_at(const rtl_pin& pin, std::uint32_t port) const {
        const auto packet = static_cast<std::uint32_t>(tag_of(pin.get(port * m_width, bits(0)), tag_bits));
        if (packet < m_packets.slots()) return packet;
        throw rtl_error("port " + std::to_string(port) + ": flit_data_o has data of no packet");
    }
    /// Throws rtl_error, with the name of the pin, unless the data of a port are the data of flit `f`.
    void check(const rtl_pin& pin, std::uint32_t port, const flit& f,
               const char* name = "flit_data_o") const {
        for (std::uint32_t w = 0; w < words(); ++w)
            if (pin.get(port * m_width + w * 64, bits(w)) != word(f, w))
                throw rtl_error("port " + std::to_string(port) + ": " + name +
                                " has data that are not those of flit " + std::to_string(f.sequence) +
                                " of their packet");
    }

  private:
    /// Bits of a packet's number: enough for a flit in each of 16 ports x 16 VCs x 64 places, and registers.
    static constexpr std::uint32_t tag_bits = 15;

    std::uint32_t m_width;
    const packet_table& m_packets;
};

/// Pins that show a flit at a port, or at several ports side by side, port 0 lowest.
struct flit_pins {
    rtl_pin valid, head, tail, vc, data;
};
/// Sets all pins to 0.
inline void clear(flit_pins& pins) {
    for (rtl_pin* pin : {&pins.valid, &pins.head, &pins.tail, &pins.vc, &pins.data}) pin->clear();
}

/// Reads flits at output pins: packet and place of a flit follow from its data, and from the flits read
/// before.
class flit_reader {
  public:
    /// `vc_bits`: width of a port's VC pin.
    flit_reader(const flit_data& data, std::uint32_t vc_bits) : m_data(data), m_vc_bits(vc_bits) {}

    /// Virtual channel of the flit at a port.
    std::uint32_t vc(const flit_pins& pins, std::uint32_t port) const {
        return static_cast<std::uint32_t>(pins.vc.get(port * m_vc_bits, m_vc_bits));
    }
    /// flit::kind of the flit at a port: head, tail, both or neither.
    static std::uint32_t kind(const flit_pins& pins, std::uint32_t port) {
        return (pins.head.get(port, 1) != 0 ? flit::head : 0) |
               (pins.tail.get(port, 1) != 0 ? flit::tail : 0);
    }
    /// Returns the flit at a port, which must be the next one of the packet that its data belong to. Throws
    /// rtl_error if it is not. Call it once for each flit that comes out.
    flit next(const flit_pins& pins, std::uint32_t port) {
        const std::uint32_t packet = m_data.packet_at(pins.data, port);
        if (packet >= m_next.size()) m_next.resize(packet + 1);
        const std::uint32_t is = kind(pins, port);
        if ((is & flit::head) != 0) m_next[packet] = 0;
        const flit f = flit::from_word(flit::make_word(packet, m_next[packet]++, vc(pins, port), is));
        m_data.check(pins.data, port, f);
        return f;
    }

  private:
    const flit_data& m_data;
    std::uint32_t m_vc_bits;
    std::vector<std::uint16_t> m_next;  ///< place of the next flit to come out, by packet number
};

}  // namespace sare::cosim
