// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <systemc>
#include <tlm>

namespace sare {

/// When an access passed each point of its way, in order, and from that where its time went: queueing(),
/// request(), memory() and response() add up to total() exactly. A point that it never came to (it was lost,
/// no memory owns its address) is at the time of the one before.
struct access_times {
    sc_core::sc_time made;               ///< b_transport or BEGIN_REQ, the annotated delay included
    sc_core::sc_time request_injected;   ///< the request's first flit enters the network
    sc_core::sc_time request_arrived;    ///< its last one leaves it
    sc_core::sc_time memory_begun;       ///< the memory is called
    sc_core::sc_time memory_done;        ///< it has answered
    sc_core::sc_time response_injected;  ///< as the request's
    sc_core::sc_time response_arrived;
    sc_core::sc_time answered;  ///< b_transport returns, its delay included, or BEGIN_RESP

    /// Routers on the way, of several packets the longest way.
    std::uint32_t request_hops = 0, response_hops = 0;
    /// Cycles in the network beyond those of an empty one.
    std::uint64_t request_stalls = 0, response_stalls = 0;

    /// @name Parts
    /// @{
    /// Outside of network and memory: for room, for those before it, for the memory, in NICs.
    sc_core::sc_time queueing() const {
        return (request_injected - made) + (memory_begun - request_arrived) +
               (response_injected - memory_done) + (answered - response_arrived);
    }
    sc_core::sc_time request() const { return request_arrived - request_injected; }
    sc_core::sc_time memory() const { return memory_done - memory_begun; }
    sc_core::sc_time response() const { return response_arrived - response_injected; }
    sc_core::sc_time total() const { return answered - made; }
    /// @}

    /// It is made at `now`, and has come no further.
    void begin(const sc_core::sc_time& now) {
        *this = {};
        made = request_injected = request_arrived = memory_begun = memory_done = response_injected =
            response_arrived = answered = now;
    }
    /// It is answered at `now`.
    void end(const sc_core::sc_time& now) {
        answered = now;
        const sc_core::sc_time* before = &made;
        for (sc_core::sc_time* point : {&request_injected, &request_arrived, &memory_begun, &memory_done,
                                        &response_injected, &response_arrived}) {
            if (*point < *before) *point = *before;
            before = point;
        }
    }
};

/// Asks where the time of an access went: its initiator sets the extension and reads it when the access is
/// answered. Memories and other initiators need not know it.
struct access_timing final : tlm::tlm_extension<access_timing>, access_times {
    tlm::tlm_extension_base* clone() const override { return new access_timing(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = static_cast<const access_timing&>(other);
    }
};

/// The initiator of `p` is told, if it has asked.
inline void tell_times(tlm::tlm_generic_payload& p, const access_times& times) {
    if (auto* asked = p.get_extension<access_timing>()) static_cast<access_times&>(*asked) = times;
}

}  // namespace sare
