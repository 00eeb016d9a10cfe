// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"
#include "tlm/systemc/kernel_api.h"

#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>

/// Flits and credits over TLM-2.0: a payload and phases of Sare's own on TLM's base sockets. The forward path
/// carries flits, the backward path credits. A call made in cycle t puts the flit or the credit on the wire
/// in that cycle; the link's latency counts from cycle t. Every call returns TLM_ACCEPTED: there is no
/// refusal, so a block without a credit must not send.
namespace sare {

/// A flit or a credit on its way through a socket.
struct flit_payload {
    flit data;  ///< forward: the flit; backward: data.vc is the VC that gets a credit
    /// On the forward path: packet of the flit, valid during the call only; or null. When a head is sent into
    /// a link, the `route` of this packet replaces the route of the packet in the network, so that a router
    /// can hand on what routing_function::route() has changed. On the backward path: null.
    packet* header = nullptr;

    /// Replaces the routing header of the packet by `after`, for a router that calls
    /// routing_function::route() when a head arrives. `header` must not be null (not checked). The link by
    /// which the head leaves counts the hop.
    void routed(const route_header& after) const { header->route = after; }
};

/// Kind of a call: `flit` on the forward path, `credit` on the backward path.
enum class flit_phase { flit, credit };

/// Types of the protocol, as TLM-2.0 sockets take them.
struct flit_protocol {
    using tlm_payload_type = flit_payload;
    using tlm_phase_type = flit_phase;
};

/// Forward interface of a block: receives flits.
class flit_fw_if : public virtual tlm::tlm_fw_nonblocking_transport_if<flit_payload, flit_phase> {
  public:
    using protocol_types = flit_protocol;
};

/// Backward interface of a block: receives credits.
class flit_bw_if : public virtual tlm::tlm_bw_nonblocking_transport_if<flit_payload, flit_phase> {
  public:
    using protocol_types = flit_protocol;
};

/// Socket that sends flits and receives credits.
using flit_initiator_socket = tlm::tlm_base_initiator_socket<64, flit_fw_if, flit_bw_if>;
/// Socket that receives flits and sends credits.
using flit_target_socket = tlm::tlm_base_target_socket<64, flit_fw_if, flit_bw_if>;

/// Sends a flit by `out`: puts it on the link that `out` is bound to, in the present cycle. `header`:
/// flit_payload::header. A flit that breaks the protocol is a report "/sare/protocol" of the link.
inline void send_flit(flit_initiator_socket& out, const flit& f, packet* header = nullptr) {
    flit_payload payload{f, header};
    flit_phase phase = flit_phase::flit;
    sc_core::sc_time now = sc_core::SC_ZERO_TIME;
    out->nb_transport_fw(payload, phase, now);
}

/// Sends a credit for VC `vc` back by `in`, to the link that is bound to `in`, in the present cycle; errors
/// as for send_flit().
inline void send_credit(flit_target_socket& in, std::uint32_t vc) {
    flit_payload payload;
    payload.data.vc = static_cast<std::uint8_t>(vc);
    flit_phase phase = flit_phase::credit;
    sc_core::sc_time now = sc_core::SC_ZERO_TIME;
    in->nb_transport_bw(payload, phase, now);
}

/// Constructs a socket called `name` in `place`, instead of any socket that is there.
template <class Socket>
void make_socket(std::optional<Socket>& place, const char* name) {
    place.emplace(name);
}
template <class Socket>
void make_socket(std::unique_ptr<Socket>& place, const char* name) {
    place = std::make_unique<Socket>(name);
}

/// Returns the socket in `place`: the common part of in_socket() and out_socket().
template <class Place, class Interface>
auto& made_socket(Place& place, sc_core::sc_module& owner, Interface& served_by, const char* name,
                  std::optional<std::uint32_t> port) {
    if (!place) {
        const std::string whole = name + (port ? std::to_string(*port) : "");
        make_inside(owner, [&] { make_socket(place, whole.c_str()); });
        place->bind(served_by);
    }
    return *place;
}

/// @name Sockets made when they are first asked for
/// Each function returns the socket in `place`. The first call makes it, as a child of `owner`, whose
/// constructor may have ended, named "in" or "out" and the number `port`, if any, and binds it to
/// `served_by`.
/// @{
template <class Place>
flit_target_socket& in_socket(Place& place, sc_core::sc_module& owner, flit_fw_if& served_by,
                              std::optional<std::uint32_t> port = {}) {
    return made_socket(place, owner, served_by, "in", port);
}
template <class Place>
flit_initiator_socket& out_socket(Place& place, sc_core::sc_module& owner, flit_bw_if& served_by,
                                  std::optional<std::uint32_t> port = {}) {
    return made_socket(place, owner, served_by, "out", port);
}
/// @}

}  // namespace sare
