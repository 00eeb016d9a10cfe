// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/axi/encoding.h"

#include <cstdint>
#include <tlm>

/// AXI4 over TLM-2.0: the generic payload with an extension for AXI4's fields, and phases of its own for all
/// beats of a burst except the last. Fields and phases correspond one to one to open AXI interfaces for
/// TLM (docs/amba.md).
namespace sare::axi {

/// Payload extension with the fields of AR, AW, R and B that the generic payload does not have. The payload's
/// address is AxADDR. Its data are the bytes in the order of the beats; of an unaligned first beat they are
/// only the bytes from the address on. Its byte enables are WSTRB.
struct extension final : tlm::tlm_extension<extension> {
    tlm::tlm_extension_base* clone() const override { return new extension(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = static_cast<const extension&>(other);
    }

    /// AxID: below 2^16 at a manager; at a subordinate bridge_base::agent() << 16 | the manager's ID
    std::uint32_t id = 0;
    burst type = burst::incr;                      ///< AxBURST: address fixed, incrementing or wrapping
    std::uint16_t beats = 1;                       ///< AxLEN + 1: number of beats, 1 to 256
    std::uint8_t size = 2;                         ///< AxSIZE: log2 of the bytes of a beat, 0 to 7
    std::uint8_t qos = 0;                          ///< AxQOS, 0 to 15
    bool exclusive = false;                        ///< AxLOCK; true: exclusive access
    std::uint8_t cache = 0, prot = 0, region = 0;  ///< AxCACHE, AxPROT, AxREGION
    /// AxUSER; WUSER of a write or RUSER of a read; BUSER. They are carried and not used.
    std::uint32_t user = 0, data_user = 0, response_user = 0;
    response resp = response::okay;  ///< set by the subordinate: BRESP, or RRESP, which is one for all beats
};

/// @name Phases of each beat of a burst except its last
/// PARTIAL_REQ: write data, forward; PARTIAL_RESP: read data, backward. TLM's own phases are the other beats:
/// BEGIN_REQ is AR, or the last beat of W (with AW); BEGIN_RESP is the last beat of R, or B.
/// @{
DECLARE_EXTENDED_PHASE(BEGIN_PARTIAL_REQ);
DECLARE_EXTENDED_PHASE(END_PARTIAL_REQ);
DECLARE_EXTENDED_PHASE(BEGIN_PARTIAL_RESP);
DECLARE_EXTENDED_PHASE(END_PARTIAL_RESP);
/// @}

/// Protocol type of the sockets. It is not TLM's, so that sockets which would ignore these phases cannot be
/// bound.
struct protocol {
    using tlm_payload_type = tlm::tlm_generic_payload;
    using tlm_phase_type = tlm::tlm_phase;
};
using forward_if = tlm::tlm_fw_transport_if<protocol>;   ///< calls from a manager to a subordinate
using backward_if = tlm::tlm_bw_transport_if<protocol>;  ///< calls from a subordinate to a manager

/// Returns the AXI4 response for a TLM status: OKAY for TLM_OK_RESPONSE, DECERR for
/// TLM_ADDRESS_ERROR_RESPONSE, SLVERR for all others.
response response_of(tlm::tlm_response_status status);

}  // namespace sare::axi
