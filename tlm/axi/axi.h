// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/axi/encoding.h"

#include <cstdint>
#include <tlm>

/// AXI4 over TLM-2.0: the generic payload with an extension, and phases for all beats but the last. Fields
/// and phases are those of the field's open interfaces (docs/amba.md maps them one to one).
namespace sare::axi {

/// Fields of AR, AW and responses. The payload's address is AxADDR; its data are the bytes in the order of
/// the beats (of an unaligned first beat the valid ones); its byte enables are WSTRB.
struct extension final : tlm::tlm_extension<extension> {
    tlm::tlm_extension_base* clone() const override { return new extension(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = static_cast<const extension&>(other);
    }

    std::uint32_t id = 0;  ///< AxID, from managers below 2^16; subordinates see the manager's number above it
    burst type = burst::incr;                                  ///< AxBURST
    std::uint16_t beats = 1;                                   ///< AxLEN + 1
    std::uint8_t size = 2;                                     ///< AxSIZE: log2 of a beat's bytes
    std::uint8_t qos = 0;                                      ///< AxQOS, 0 to 15
    bool exclusive = false;                                    ///< AxLOCK
    std::uint8_t cache = 0, prot = 0, region = 0;              ///< AxCACHE, AxPROT, AxREGION
    std::uint32_t user = 0, data_user = 0, response_user = 0;  ///< AxUSER, WUSER or RUSER, BUSER
    response resp = response::okay;  ///< set by the subordinate: RRESP, one for all beats, or BRESP
};

/// Phases of a beat of a burst except for its last: of write data forward, of read data backward. The last
/// beat of W, and AR, is BEGIN_REQ; the last beat of R, and B, is BEGIN_RESP.
/// @{
DECLARE_EXTENDED_PHASE(BEGIN_PARTIAL_REQ);
DECLARE_EXTENDED_PHASE(END_PARTIAL_REQ);
DECLARE_EXTENDED_PHASE(BEGIN_PARTIAL_RESP);
DECLARE_EXTENDED_PHASE(END_PARTIAL_RESP);
/// @}

/// Protocol type of the sockets: another one than TLM's, since the phases must not be ignored.
struct protocol {
    using tlm_payload_type = tlm::tlm_generic_payload;
    using tlm_phase_type = tlm::tlm_phase;
};
using forward_if = tlm::tlm_fw_transport_if<protocol>;
using backward_if = tlm::tlm_bw_transport_if<protocol>;

response response_of(tlm::tlm_response_status status);

}  // namespace sare::axi
