// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/axi/burst.h"

#include <deque>
#include <vector>

namespace sare::axi {

/// A burst as it goes through the memory bridge: a generic payload that any memory understands. A FIXED burst
/// is a streaming access, a WRAP burst an INCR burst of all its bytes from its boundary on.
class burst_carrier final : public tlm::tlm_generic_payload {
  public:
    /// `manager`: the pool that it returns to with its last release.
    explicit burst_carrier(tlm::tlm_mm_interface& manager);

    /// Becomes the carrier of a manager's burst. `e`: its fields; `agent`: the manager's number in the
    /// network. `wrong`: the burst breaks a rule, so that a WRAP burst is carried as it is.
    void carry(tlm::tlm_generic_payload& original, const extension& e, bool wrong, std::uint32_t agent);
    /// Becomes the carrier of `part` of the access `whole`, for the bus of a subordinate.
    void carry_part(tlm::tlm_generic_payload& whole, const burst_part& part);
    /// Makes the access one that the memory bridge answers with TLM_BURST_ERROR_RESPONSE.
    void spoil() {
        if (get_command() == tlm::TLM_IGNORE_COMMAND) set_command(tlm::TLM_READ_COMMAND);
        set_streaming_width(0);
    }
    /// Makes an access that no single address range contains one that is answered with
    /// TLM_ADDRESS_ERROR_RESPONSE.
    void misplace() { set_byte_enable_ptr(nullptr); }
    /// Copies the response, the extensions and, for a read, the data into the original.
    void bring_back();

    tlm::tlm_generic_payload* original = nullptr;  ///< the payload that it carries
    sc_core::sc_time made;                         ///< time at which its first beat began
    /// Number of beats of the burst that it carries.
    std::uint32_t beats() const { return m_beats; }

  private:
    void copy(tlm::tlm_generic_payload& of);

    std::uint32_t m_beats = 1;
    std::size_t m_rotated = 0;  ///< number of bytes from a WRAP burst's boundary to its first beat
    std::vector<unsigned char> m_data, m_enables;
};

/// Makes carriers and keeps them for reuse; TLM's memory manager of these payloads.
class carrier_pool final : public tlm::tlm_mm_interface {
  public:
    /// Returns a carrier, acquired once; it comes back here when it is released.
    burst_carrier& take();

  private:
    void free(tlm::tlm_generic_payload* p) override;

    std::deque<burst_carrier> m_all;
    std::vector<burst_carrier*> m_free;
};

}  // namespace sare::axi
