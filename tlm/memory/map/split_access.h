// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/access.h"
#include "tlm/memory/address_map.h"
#include "tlm/memory/timing/access_timing.h"

#include <deque>
#include <vector>

namespace sare {

/// Bytes of the data of an access that are contiguous in one memory.
struct access_piece {
    /// Index of the first byte of the piece in the data of the access; number of bytes.
    unsigned offset = 0, bytes = 0;
    placement at;  ///< place of the first byte in the memory
};

/// Destination of an access: one place, pieces in several places, or nowhere. If nowhere, the payload's
/// response status is the reason.
struct access_route {
    placement whole;  ///< the one place; without a range: the access goes in pieces, or nowhere
    /// Pieces, in the order of their bytes; empty: the access goes to `whole`, or nowhere.
    std::vector<access_piece> pieces;
    /// True if the access goes somewhere.
    bool exists() const { return whole.range != nullptr || !pieces.empty(); }
};

/// An access that crosses the border of a stripe, range or window, so that its parts travel separately. It is
/// answered when the last part is. Its status is the first error of a part; its times are
/// the times of the part whose response arrived last.
class split_access {
  public:
    /// Transaction of a part: its data pointer points into the data of the whole access; its extensions are
    /// copies.
    struct part final : tlm::tlm_generic_payload {
        std::vector<unsigned char> enables;  ///< byte enables of the part; empty: the access has none
    };

    /// Makes the parts of `whole`, which must outlive this object.
    split_access(tlm::tlm_generic_payload& whole, const std::vector<access_piece>& pieces);

    std::deque<part>& parts() { return m_parts; }  ///< parts in the order of `pieces`
    /// Returns the transaction of the initiator.
    tlm::tlm_generic_payload& whole() { return *m_whole; }
    /// Returns the open accesses of the parts, in the order of parts(); null for a part whose access is not
    /// set, or has been answered and was not the last.
    std::vector<memory_access*>& accesses() { return m_accesses; }
    /// Notes that part `p` is answered, by the memory `at`, at `times`. Call it once for each part (not
    /// checked). Returns true if all parts are answered.
    bool settle(const tlm::tlm_generic_payload& p, memory_port* at, const access_times& times);
    /// Notes that the access of a part is answered, and forgets that access unless it is the last one.
    /// Returns true if all parts are answered.
    bool settle(memory_access& a);
    /// Returns the packets of all parts answered so far.
    std::vector<access_packet>& packets() { return m_packets; }
    /// Returns the memory of the part whose response arrived last; null before the first one.
    memory_port* memory() const { return m_memory; }
    /// Sets status, extensions and times of the whole access, which is answered at `now`, and returns the
    /// times.
    const access_times& answer(const sc_core::sc_time& now);
    /// Does the same as answer(now), for an access that was made at `made`.
    const access_times& answer(const sc_core::sc_time& now, const sc_core::sc_time& made) {
        m_times.made = made;
        return answer(now);
    }

  private:
    tlm::tlm_generic_payload* m_whole;                         ///< see whole()
    std::deque<part> m_parts;                                  ///< see parts()
    std::vector<memory_access*> m_accesses;                    ///< see accesses()
    std::size_t m_open;                                        ///< number of parts that are not answered
    tlm::tlm_response_status m_status = tlm::TLM_OK_RESPONSE;  ///< first error so far
    access_times m_times;                                      ///< times of the part that arrived last
    std::vector<access_packet> m_packets;                      ///< see packets()
    memory_port* m_memory = nullptr;                           ///< see memory()
};

}  // namespace sare
