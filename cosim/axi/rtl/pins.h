// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/rtl/wide.h"
#include "tlm/axi/encoding.h"

#include <array>
#include <cctype>
#include <cstdint>
#include <string>

/// The values of the pins of AXI ports, and of streams of flits, in a cycle. Fields of a channel or flit that
/// is not valid have no meaning.
namespace sare::axi {

using burst_kind = axi::burst;  // `burst` is AxBURST here

/// The fields of an AR or AW channel, encoded as in AXI4, but for valid and ready.
struct address {
    std::uint64_t id = 0, addr = 0;
    std::uint8_t len = 0;   ///< number of beats - 1
    std::uint8_t size = 0;  ///< log2 of the bytes of a beat
    burst_kind burst = burst_kind::incr;
    std::uint8_t lock = 0, cache = 0, prot = 0, qos = 0, region = 0;
    std::uint64_t user = 0;
    std::uint8_t atop = 0;  ///< AWATOP of AXI5, 0: not atomic; Sare's bridges in RTL do not carry it

    /// Number of beats.
    std::uint32_t beats() const { return len + 1u; }
};
/// Names of the fields of `address` at pins, in the order of values_of().
inline constexpr std::array<const char*, 12> address_fields{
    "id", "addr", "len", "size", "burst", "lock", "cache", "prot", "qos", "region", "user", "atop"};
/// Returns `name` in capitals, as AXI4 writes names of signals.
inline std::string capitals(std::string name) {
    for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return name;
}
/// Returns the values of the fields of `a` in the order of address_fields.
inline std::array<std::uint64_t, 12> values_of(const address& a) {
    return {a.id,  a.addr,   a.len,  a.size, static_cast<std::uint64_t>(a.burst), a.lock, a.cache, a.prot,
            a.qos, a.region, a.user, a.atop};
}
inline bool operator==(const address& a, const address& b) {
    return values_of(a) == values_of(b);
}

/// The pins of an AXI port that the manager drives.
struct forward_pins {
    bool ar_valid = false, aw_valid = false, w_valid = false, w_last = false;
    bool b_ready = false, r_ready = false;
    address ar, aw;
    wide w;  ///< WDATA from bit 0 on, and WSTRB from bit format::data_width on
};

/// The pins of an AXI port that the subordinate drives.
struct backward_pins {
    bool ar_ready = false, aw_ready = false, w_ready = false;
    bool b_valid = false, r_valid = false, r_last = false;
    std::uint64_t b_id = 0, r_id = 0;
    response b_resp = response::okay;
    wide r;  ///< RDATA from bit 0 on, and RRESP from bit format::data_width on
};

/// A flit at the pins of a stream. `valid`: true: there is a flit; `tail`: true: it is the last one of its
/// packet.
struct stream_flit {
    bool valid = false, tail = false;
    wide data;
};

/// A flit that a bridge sends. The fields about its packet have the same values from the first flit of the
/// packet to the last.
struct leaving_flit {
    stream_flit what;                 ///< the flit; not valid: there is none
    std::uint32_t message_class = 0;  ///< message class of a request; 0 for a response, of which there is one
                                      ///< class
    std::uint32_t node = 0;           ///< destination node of the packet
    std::uint32_t length = 0;         ///< number of flits of the packet
};

}  // namespace sare::axi
