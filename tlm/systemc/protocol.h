// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/packet.h"

#include <systemc>
#include <tlm>

/// Flits and credits over TLM-2.0: our own payload and phases on base sockets. The forward path carries
/// flits, the backward path credits. A call made in cycle t puts the flit or the credit on the wire in that
/// cycle; the link's latency counts from there. Every call is answered TLM_ACCEPTED: who has no credit must
/// not send.
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

}  // namespace sare
