// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/flit_tag.h"
#include "cosim/pins/pin_router.h"
#include "cosim/rtl/rtl_library.h"

#include <algorithm>

namespace sare::cosim {

/// Computes and checks the data bits that flits carry through Sare's RTL: a tag with the packet's number, and
/// noise computed from the packet and the flit's place in it. So the data of a flit that comes out tell its
/// packet, and show every wrong bit.
class flit_data {
  public:
    /// `width`: bits of the data of a flit, at least 16. `packets` must outlive the object.
    flit_data(std::uint32_t width, const packet_table& packets) : m_width(width), m_packets(packets) {}

    /// Returns the number of 64-bit words of the data of a flit.
    std::uint32_t words() const { return (m_width + 63) / 64; }
    /// Returns the number of bits in word `word` of the data, from 0: 64, or fewer in the last word.
    std::uint32_t bits(std::uint32_t word) const { return std::min(64u, m_width - word * 64); }

    /// Returns word `w`, from 0, of the data of flit `f`, whose packet must be in the packet table.
    std::uint64_t word(const flit& f, std::uint32_t w) const {
        const std::uint64_t noise =
            mixed(m_packets[f.packet].uid * 0x10001 + f.sequence * std::uint64_t{64} + w);
        return w == 0 ? tagged(f.packet, tag_bits, noise, bits(0)) : low_bits(noise, bits(w));
    }
    /// Sets the data of flit `f` on `pin`, which has `width` bits for each port, port 0 in the lowest bits.
    void put(rtl_pin& pin, std::uint32_t port, const flit& f) const {
        for (std::uint32_t w = 0; w < words(); ++w) pin.set(port * m_width + w * 64, bits(w), word(f, w));
    }
    /// Returns the number of the packet to which the data of a port belong, by their tag. Throws rtl_error if
    /// the packet table has no such number.
    std::uint32_t packet_at(const rtl_pin& pin, std::uint32_t port) const {
        const auto packet = static_cast<std::uint32_t>(tag_of(pin.get(port * m_width, bits(0)), tag_bits));
        if (packet < m_packets.slots()) return packet;
        throw rtl_error("port " + std::to_string(port) + ": flit_data_o has data of no packet");
    }
    /// Throws rtl_error, with the name `name` of the pin, unless the data of a port are those of flit `f`.
    void check(const rtl_pin& pin, std::uint32_t port, const flit& f,
               const char* name = "flit_data_o") const {
        for (std::uint32_t w = 0; w < words(); ++w)
            if (pin.get(port * m_width + w * 64, bits(w)) != word(f, w))
                throw rtl_error("port " + std::to_string(port) + ": " + name +
                                " has data that are not those of flit " + std::to_string(f.sequence) +
                                " of their packet");
    }

  private:
    /// Number of bits of the tag, which is a packet's number: enough for a packet in each of 16 ports x 16
    /// VCs x 64 places, and in registers.
    static constexpr std::uint32_t tag_bits = 15;

    std::uint32_t m_width;
    const packet_table& m_packets;
};

/// The five pins that carry a flit in Sare's RTL, at one port, or at several ports side by side with port 0
/// in the lowest bits.
struct flit_pins {
    rtl_pin valid, head, tail, vc, data;
};
/// Sets all bits of all pins in `pins` to 0.
inline void clear(flit_pins& pins) {
    for (rtl_pin* pin : {&pins.valid, &pins.head, &pins.tail, &pins.vc, &pins.data}) pin->clear();
}

/// Reads flits at output pins. Packet and place of a flit follow from its data, and from the flits of the
/// packet that were read before.
class flit_reader {
  public:
    /// `vc_bits`: bits of the VC of one port. `data` must outlive the object.
    flit_reader(const flit_data& data, std::uint32_t vc_bits) : m_data(data), m_vc_bits(vc_bits) {}

    /// Returns the VC, from 0, on the pin `vc` of port `port`; has a meaning only if the flit is valid.
    std::uint32_t vc(const flit_pins& pins, std::uint32_t port) const {
        return static_cast<std::uint32_t>(pins.vc.get(port * m_vc_bits, m_vc_bits));
    }
    /// Returns flit::kind of the flit at a port: bits flit::head and flit::tail, one, both or none.
    static std::uint32_t kind(const flit_pins& pins, std::uint32_t port) {
        return (pins.head.get(port, 1) != 0 ? flit::head : 0) |
               (pins.tail.get(port, 1) != 0 ? flit::tail : 0);
    }
    /// Returns the flit at a port, which must be the next one of the packet to which its data belong. Throws
    /// rtl_error if its data are not those of this flit. Call it once for each flit that comes out.
    flit next(const flit_pins& pins, std::uint32_t port) {
        const std::uint32_t packet = m_data.packet_at(pins.data, port);
        const std::size_t branch = std::size_t{packet} * most_ports + port;
        if (branch >= m_next.size()) m_next.resize(branch + 1);
        const std::uint32_t is = kind(pins, port);
        if ((is & flit::head) != 0) m_next[branch] = 0;
        const flit f = flit::from_word(flit::make_word(packet, m_next[branch]++, vc(pins, port), is));
        m_data.check(pins.data, port, f);
        return f;
    }

  private:
    static constexpr std::uint32_t most_ports = 16;

    const flit_data& m_data;
    std::uint32_t m_vc_bits;
    std::vector<std::uint16_t> m_next;  ///< place in its packet of the next flit to come out, by number of
                                        ///< the packet, then port
};

}  // namespace sare::cosim
