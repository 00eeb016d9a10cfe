// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/axi/burst.h"

#include <deque>
#include <vector>

namespace sare::axi {

/// A burst as it goes through the memory bridge: a generic payload that any memory understands. A FIXED burst
/// is a streaming access. A WRAP burst becomes an INCR burst of all its bytes from its wrap boundary on.
class burst_carrier final : public tlm::tlm_generic_payload {
  public:
    /// Makes an unused carrier. `manager`: the pool to which it returns with its last release, and which must
    /// outlive it.
    explicit burst_carrier(tlm::tlm_mm_interface& manager);

    /// Becomes the carrier of a manager's burst `original`. `e`: fields of the burst; `agent`: number of the
    /// manager in the network; `wrong`: true: the burst breaks a rule (wrong_with()), and a WRAP burst stays
    /// one.
    void carry(tlm::tlm_generic_payload& original, const extension& e, bool wrong, std::uint32_t agent);
    /// Becomes the carrier of `part` of the access `whole`, for the bus of a subordinate.
    void carry_part(tlm::tlm_generic_payload& whole, const burst_part& part);
    /// Changes the access so that the memory bridge answers it with TLM_BURST_ERROR_RESPONSE.
    void spoil() {
        if (get_command() == tlm::TLM_IGNORE_COMMAND) set_command(tlm::TLM_READ_COMMAND);
        set_streaming_width(0);
    }
    /// Changes an access some of whose bytes are in no address range, by removing its byte enables, so that
    /// the memory bridge answers it with TLM_ADDRESS_ERROR_RESPONSE.
    void misplace() { set_byte_enable_ptr(nullptr); }
    /// Copies the response status, the extensions and, for a read, the data into the original. For carry()
    /// only.
    void bring_back();

    tlm::tlm_generic_payload* original = nullptr;  ///< payload that it carries, or carried last; null: none
    sc_core::sc_time made;                         ///< time at which the burst's first beat began
    /// Number of beats of the manager's burst given to carry(); without meaning after carry_part().
    std::uint32_t beats() const { return m_beats; }

  private:
    void copy(tlm::tlm_generic_payload& of);

    std::uint32_t m_beats = 1;  ///< see beats()
    std::size_t m_rotated = 0;  ///< number of bytes from a WRAP burst's boundary to its first beat
    std::vector<unsigned char> m_data, m_enables;  ///< data and byte enables, if not the original's
};

/// Pool of carriers: makes them and keeps them for reuse, as their TLM memory manager.
class carrier_pool final : public tlm::tlm_mm_interface {
  public:
    /// Returns a free carrier, acquired once, for carry() or carry_part(); its last release brings it back
    /// here.
    burst_carrier& take();

  private:
    void free(tlm::tlm_generic_payload* p) override;

    std::deque<burst_carrier> m_all;     ///< all carriers
    std::vector<burst_carrier*> m_free;  ///< carriers that are not in use
};

}  // namespace sare::axi
