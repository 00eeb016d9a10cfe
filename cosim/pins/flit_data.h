// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/flit_tag.h"
#include "cosim/pins/pin_router.h"
#include "cosim/rtl/rtl_library.h"

#include <algorithm>

namespace sare::cosim {

/// Computes and checks the data bits that flits carry through Sare's RTL: a tag (flit_tag.h) with the
/// packet's number, and noise computed from packet and flit. So the data of a flit that comes out tell its
/// packet, and show every wrong bit.
class flit_data {
  public:
    /// `width`: bits of the data of a flit, at least 16 (not checked). `packets`: the packets that flits
    /// belong to, by flit::packet; must outlive the object.
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
    /// Sets the bits of port `port` of the data pin `pin` to the data of flit `f`. The pin has the
    /// constructor's `width` bits for each port, port 0 in the lowest bits.
    void put(rtl_pin& pin, std::uint32_t port, const flit& f) const {
        for (std::uint32_t w = 0; w < words(); ++w) pin.set(port * m_width + w * 64, bits(w), word(f, w));
    }
    /// Returns the number of the packet that the tag in the data at port `port` of `pin` names. Throws
    /// rtl_error if the number is not below packets.slots(); a free number in the table is not noticed.
    std::uint32_t packet_at(const rtl_pin& pin, std::uint32_t port) const {
        const auto packet = static_cast<std::uint32_t>(tag_of(pin.get(port * m_width, bits(0)), tag_bits));
        if (packet < m_packets.slots()) return packet;
        throw rtl_error("port " + std::to_string(port) + ": flit_data_o has data of no packet");
    }
    /// Throws rtl_error unless the data at port `port` of `pin` are those of flit `f`. `name`: name of the
    /// pin in the message.
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
/// in the lowest bits. The pins valid, head and tail have a bit for each port, the others a number or data.
struct flit_pins {
    rtl_pin valid, head, tail, vc, data;
};
/// Sets all bits of all pins in `pins` to 0.
inline void clear(flit_pins& pins) {
    for (rtl_pin* pin : {&pins.valid, &pins.head, &pins.tail, &pins.vc, &pins.data}) pin->clear();
}

/// Reads flits at output pins. The packet of a flit follows from the tag in its data. Its place in the packet
/// follows from the number of flits of the packet that were read before at the same port.
class flit_reader {
  public:
    /// `vc_bits`: number of bits for each port of the pin flit_pins::vc. `data` must outlive the object.
    flit_reader(const flit_data& data, std::uint32_t vc_bits) : m_data(data), m_vc_bits(vc_bits) {}

    /// Returns the VC, from 0, on the pin `vc` of port `port`; has a meaning only if the flit is valid.
    std::uint32_t vc(const flit_pins& pins, std::uint32_t port) const {
        return static_cast<std::uint32_t>(pins.vc.get(port * m_vc_bits, m_vc_bits));
    }
    /// Returns flit::kind for the pins head and tail of port `port`: bits flit::head and flit::tail, one,
    /// both or none. Has a meaning only if the flit is valid.
    static std::uint32_t kind(const flit_pins& pins, std::uint32_t port) {
        return (pins.head.get(port, 1) != 0 ? flit::head : 0) |
               (pins.tail.get(port, 1) != 0 ? flit::tail : 0);
    }
    /// Returns the flit at port `port`, below 16, whose pin `valid` must be 1 (neither is checked). Throws
    /// rtl_error unless its data are those of the next flit of the packet that its tag names; a head is flit
    /// 0. Call it once for each flit that comes out.
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
