// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"
#include "tlm/systemc/kernel_api.h"

#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>

/// Flits and credits over TLM-2.0: our own payload and phases on base sockets. The forward path carries
/// flits, the backward path credits. A call made in cycle t puts the flit or the credit on the wire in that
/// cycle; the link's latency counts from there. Every call is answered TLM_ACCEPTED: a block
/// without a credit must not send.
namespace sare {

struct flit_payload {
    flit data;                       ///< forward: the flit; backward: its vc is the VC that gets a credit
    const packet* header = nullptr;  ///< forward: the packet that the flit is part of
};

enum class flit_phase { flit, credit };

struct flit_protocol {
    using tlm_payload_type = flit_payload;
    using tlm_phase_type = flit_phase;
};

class flit_fw_if : public virtual tlm::tlm_fw_nonblocking_transport_if<flit_payload, flit_phase> {
  public:
    using protocol_types = flit_protocol;
};

class flit_bw_if : public virtual tlm::tlm_bw_nonblocking_transport_if<flit_payload, flit_phase> {
  public:
    using protocol_types = flit_protocol;
};

using flit_initiator_socket = tlm::tlm_base_initiator_socket<64, flit_fw_if, flit_bw_if>;
using flit_target_socket = tlm::tlm_base_target_socket<64, flit_fw_if, flit_bw_if>;

/// Puts a flit on the link behind `out`, in the current cycle.
inline void send_flit(flit_initiator_socket& out, const flit& f, const packet* header = nullptr) {
    flit_payload payload{f, header};
    flit_phase phase = flit_phase::flit;
    sc_core::sc_time now = sc_core::SC_ZERO_TIME;
    out->nb_transport_fw(payload, phase, now);
}

/// Gives a credit for a VC back to the link before `in`, in the current cycle.
inline void send_credit(flit_target_socket& in, std::uint32_t vc) {
    flit_payload payload;
    payload.data.vc = static_cast<std::uint8_t>(vc);
    flit_phase phase = flit_phase::credit;
    sc_core::sc_time now = sc_core::SC_ZERO_TIME;
    in->nb_transport_bw(payload, phase, now);
}

/// A socket that is made after its module's constructor belongs to the module all the same.
template <class Socket>
void make_socket(std::optional<Socket>& place, sc_core::sc_module& owner, const std::string& name) {
    make_inside(owner, [&] { place.emplace(name.c_str()); });
}
template <class Socket>
void make_socket(std::unique_ptr<Socket>& place, sc_core::sc_module& owner, const std::string& name) {
    make_inside(owner, [&] { place = std::make_unique<Socket>(name.c_str()); });
}

}  // namespace sare
