// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/axi/burst.h"

#include <deque>
#include <vector>

namespace sare::axi {

/// A burst for the memory bridge: a generic payload that any memory understands. FIXED becomes a streaming
/// access, WRAP an INCR burst of the whole from the boundary on.
class burst_carrier final : public tlm::tlm_generic_payload {
  public:
    explicit burst_carrier(tlm::tlm_mm_interface& manager);

    /// Carries a burst. `agent`: the manager's number in the network. A `wrong` WRAP is not rotated.
    void carry(tlm::tlm_generic_payload& original, const extension& e, bool wrong, std::uint32_t agent);
    /// Becomes the carrier of a part of an access, for a subordinate's bus.
    void carry_part(tlm::tlm_generic_payload& whole, const burst_part& part);
    /// Makes the access invalid, so that it is answered TLM_BURST_ERROR_RESPONSE.
    void spoil() {
        if (get_command() == tlm::TLM_IGNORE_COMMAND) set_command(tlm::TLM_READ_COMMAND);
        set_streaming_width(0);
    }
    /// Makes an access that no single range has be answered TLM_ADDRESS_ERROR_RESPONSE.
    void misplace() { set_byte_enable_ptr(nullptr); }
    /// Copies response, extensions and the data read into the original.
    void bring_back();

    tlm::tlm_generic_payload* original = nullptr;
    sc_core::sc_time made;  ///< time of its first beat
    std::uint32_t beats() const { return m_beats; }

  private:
    void copy(tlm::tlm_generic_payload& of);

    std::uint32_t m_beats = 1;
    std::size_t m_rotated = 0;  ///< bytes between a WRAP burst's boundary and its first beat
    std::vector<unsigned char> m_data, m_enables;
};

class carrier_pool final : public tlm::tlm_mm_interface {
  public:
    burst_carrier& take();

  private:
    void free(tlm::tlm_generic_payload* p) override;

    std::deque<burst_carrier> m_all;
    std::vector<burst_carrier*> m_free;
};

}  // namespace sare::axi
