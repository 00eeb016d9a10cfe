// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/axi/burst.h"

#include <deque>
#include <vector>

namespace sare::axi {

/// What a burst is for the memory bridge: a generic payload that any memory understands. FIXED streams, WRAP
/// is the whole from the boundary on, INCR.
class burst_carrier final : public tlm::tlm_generic_payload {
  public:
    explicit burst_carrier(tlm::tlm_mm_interface& manager);

    /// `agent`: the manager's number in the network. Of what is `wrong` nothing is worked out.
    void carry(tlm::tlm_generic_payload& original, const extension& e, bool wrong, std::uint32_t agent);
    /// A part of an access for a subordinate's bus.
    void carry_part(tlm::tlm_generic_payload& whole, const burst_part& part);
    /// Nothing may do it: it will be answered TLM_BURST_ERROR_RESPONSE.
    void spoil() {
        if (get_command() == tlm::TLM_IGNORE_COMMAND) set_command(tlm::TLM_READ_COMMAND);
        set_streaming_width(0);
    }
    /// One range does not have all of it: it will be answered TLM_ADDRESS_ERROR_RESPONSE.
    void misplace() { set_byte_enable_ptr(nullptr); }
    /// The original gets response, extensions and what was read.
    void bring_back();

    tlm::tlm_generic_payload* original = nullptr;
    sc_core::sc_time made;  ///< its first beat
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
