// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <systemc>
#include <tlm>

namespace sare {

/// Times at which an access passed each point of its way, in this order. The parts queueing(), request(),
/// memory() and response() add up to total() exactly. A point that the access never passed (it was lost, or
/// no memory owns its address) has the time of the point before.
struct access_times {
    sc_core::sc_time made;               ///< call of b_transport or BEGIN_REQ, its delay included
    sc_core::sc_time request_injected;   ///< first flit of the request enters the network
    sc_core::sc_time request_arrived;    ///< last flit of the request leaves the network
    sc_core::sc_time memory_begun;       ///< the memory is called
    sc_core::sc_time memory_done;        ///< the memory has answered
    sc_core::sc_time response_injected;  ///< first flit of the response enters the network
    sc_core::sc_time response_arrived;   ///< last flit of the response leaves the network
    sc_core::sc_time answered;           ///< return of b_transport, its delay included, or BEGIN_RESP

    /// Numbers of routers that the request and the response passed; of several packets, the most that any
    /// passed. 0 unless they are counted (packet_follower).
    std::uint32_t request_hops = 0, response_hops = 0;
    /// Numbers of cycles that the request and the response took in the network beyond an empty network's.
    std::uint64_t request_stalls = 0, response_stalls = 0;

    /// @name Parts
    /// @{
    /// Time outside of network and memory: waits for room, for earlier accesses, for the memory and in NICs.
    sc_core::sc_time queueing() const {
        return (request_injected - made) + (memory_begun - request_arrived) +
               (response_injected - memory_done) + (answered - response_arrived);
    }
    /// Time of the request in the network.
    sc_core::sc_time request() const { return request_arrived - request_injected; }
    /// Time with the memory.
    sc_core::sc_time memory() const { return memory_done - memory_begun; }
    /// Time of the response in the network.
    sc_core::sc_time response() const { return response_arrived - response_injected; }
    /// Latency of the access.
    sc_core::sc_time total() const { return answered - made; }
    /// @}

    /// Sets all points to `now`, the time at which the access is made, and hops and stalls to 0.
    void begin(const sc_core::sc_time& now) {
        *this = {};
        made = request_injected = request_arrived = memory_begun = memory_done = response_injected =
            response_arrived = answered = now;
    }
    /// Sets `answered` to `now`, and each point that is earlier than the point before to the time of the
    /// latter.
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

/// Extension by which an initiator asks for the times of its access: the initiator sets the extension before
/// the access, and reads the times from it afterwards. Memories need not know it.
struct access_timing final : tlm::tlm_extension<access_timing>, access_times {
    tlm::tlm_extension_base* clone() const override { return new access_timing(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = static_cast<const access_timing&>(other);
    }
};

/// Copies `times` into the access_timing of `p`; does nothing without that extension.
inline void tell_times(tlm::tlm_generic_payload& p, const access_times& times) {
    if (auto* asked = p.get_extension<access_timing>()) static_cast<access_times&>(*asked) = times;
}

}  // namespace sare
