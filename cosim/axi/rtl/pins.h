// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/rtl/wide.h"
#include "tlm/axi/encoding.h"

#include <cstdint>

/// State of the pins of AXI ports and streams of flits in a cycle. Fields of a channel or flit that is not
/// valid mean nothing.
namespace sare::axi {

using burst_kind = axi::burst;  // `burst` is AxBURST here

/// Fields of AR and AW.
struct address {
    std::uint64_t id = 0, addr = 0;
    std::uint8_t len = 0;   ///< beats - 1
    std::uint8_t size = 0;  ///< log2 of the bytes of a beat
    burst_kind burst = burst_kind::incr;
    std::uint8_t lock = 0, cache = 0, prot = 0, qos = 0, region = 0;
    std::uint64_t user = 0;
    std::uint8_t atop = 0;  ///< AWATOP of AXI5, which Sare's bridges in RTL lack

    std::uint32_t beats() const { return len + 1u; }
};
inline bool operator==(const address& a, const address& b) {
    return a.id == b.id && a.addr == b.addr && a.len == b.len && a.size == b.size && a.burst == b.burst &&
           a.lock == b.lock && a.cache == b.cache && a.prot == b.prot && a.qos == b.qos &&
           a.region == b.region && a.user == b.user && a.atop == b.atop;
}

/// Pins of a port from manager to subordinate.
struct forward_pins {
    bool ar_valid = false, aw_valid = false, w_valid = false, w_last = false;
    bool b_ready = false, r_ready = false;
    address ar, aw;
    wide w;  ///< {strobes, data}
};

/// Pins of a port from subordinate to manager.
struct backward_pins {
    bool ar_ready = false, aw_ready = false, w_ready = false;
    bool b_valid = false, r_valid = false, r_last = false;
    std::uint64_t b_id = 0, r_id = 0;
    response b_resp = response::okay;
    wide r;  ///< {response, data}
};

/// A flit of a stream of one message class.
struct stream_flit {
    bool valid = false, tail = false;
    wide data;
};

/// A flit that a bridge sends. The fields about its packet stand from the first flit to the last.
struct leaving_flit {
    stream_flit what;
    std::uint32_t message_class = 0;  ///< only of requests; a subordinate's bridge sends in one class
    std::uint32_t node = 0;           ///< destination of the packet
    std::uint32_t length = 0;         ///< in flits
};

}  // namespace sare::axi
