// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/rtl/wide.h"
#include "tlm/axi/encoding.h"

#include <cstdint>

/// What stands on the pins of AXI ports and of streams of flits, in a cycle. What is not valid means nothing.
namespace sare::axi {

using burst_kind = axi::burst;  // `burst` is AxBURST here

/// AR and AW.
struct address {
    std::uint64_t id = 0, addr = 0;
    std::uint8_t len = 0;   ///< beats - 1
    std::uint8_t size = 0;  ///< bytes of a beat, log2
    burst_kind burst = burst_kind::incr;
    std::uint8_t lock = 0, cache = 0, prot = 0, qos = 0, region = 0;
    std::uint64_t user = 0;
    std::uint8_t atop = 0;  ///< AWATOP of AXI5; Sare's bridges in RTL do not have it

    std::uint32_t beats() const { return len + 1u; }
};
inline bool operator==(const address& a, const address& b) {
    return a.id == b.id && a.addr == b.addr && a.len == b.len && a.size == b.size && a.burst == b.burst &&
           a.lock == b.lock && a.cache == b.cache && a.prot == b.prot && a.qos == b.qos &&
           a.region == b.region && a.user == b.user && a.atop == b.atop;
}

/// A port from its manager to its subordinate.
struct forward_pins {
    bool ar_valid = false, aw_valid = false, w_valid = false, w_last = false;
    bool b_ready = false, r_ready = false;
    address ar, aw;
    wide w;  ///< {strobes, data}
};

/// The same back.
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

/// A flit that a bridge gives; what is said of its packet stands from its first flit to its last.
struct leaving_flit {
    stream_flit what;
    std::uint32_t message_class = 0;  ///< of requests; a subordinate's bridge has one class for all it sends
    std::uint32_t node = 0;           ///< that the packet is for
    std::uint32_t length = 0;         ///< flits
};

}  // namespace sare::axi
