// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <ostream>
#include <systemc>

namespace sare::bench {

/// The pins of a flit at one port, in one direction, in one cycle.
struct flit_pins {
    bool valid = false;               ///< true: there is a flit
    bool head = false, tail = false;  ///< true: first flit, and last flit, of its packet
    std::uint32_t vc = 0;
    std::uint64_t data = 0;  ///< data of the flit, random, by which the bench recognises it
    /// @name Fields that only head flits have
    std::uint32_t destination = 0;  ///< number of the destination node
    std::uint32_t vc_base = 0;      ///< first VC of the packet's message class
    std::uint32_t length = 0;       ///< number of flits of the packet, only with cut-through; else 0
    /// Only with look-ahead: output port at the router that the flit goes to, and the VCs allowed there, as a
    /// mask; else 0.
    std::uint32_t port = 0, vcs = 0;
    /// @}

    bool operator==(const flit_pins& o) const {
        return valid == o.valid && head == o.head && tail == o.tail && vc == o.vc && data == o.data &&
               destination == o.destination && vc_base == o.vc_base && length == o.length && port == o.port &&
               vcs == o.vcs;
    }
};

inline std::ostream& operator<<(std::ostream& out, const flit_pins& f) {
    return f.valid ? out << "VC " << f.vc << (f.head ? " head" : "") << (f.tail ? " tail" : "") << " to "
                         << f.destination
                   : out << "none";
}
inline void sc_trace(sc_core::sc_trace_file* file, const flit_pins& f, const std::string& name) {
    sc_core::sc_trace(file, f.valid, name + ".valid");
    sc_core::sc_trace(file, f.vc, name + ".vc");
}

/// The signals between bench and router at one port. A credit signal carries a mask of VCs that get one
/// credit each, VC 0 in bit 0.
struct port_wires {
    sc_core::sc_signal<flit_pins> flit_in, flit_out;  ///< flits into, and out of, the router
    /// Credits that the router gets for its output; credits that the router gives for its input.
    sc_core::sc_signal<std::uint32_t> credit_in, credit_out;
};

}  // namespace sare::bench
