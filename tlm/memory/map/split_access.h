// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/access.h"
#include "tlm/memory/address_map.h"
#include "tlm/memory/timing/access_timing.h"

#include <deque>
#include <vector>

namespace sare {

/// Bytes of the data of an access that lie together in one memory.
struct access_piece {
    /// Index of its first byte in the data of the access; its number of bytes.
    unsigned offset = 0, bytes = 0;
    placement at;  ///< place of its first byte in the memory
};

/// Destination of an access: one place, pieces in several places, or none. If none, the response status of
/// its payload says why.
struct access_route {
    placement whole;  ///< the one place; without a range: the access goes in pieces, or nowhere
    /// Pieces, in the order of their bytes; empty: the access goes to `whole`, or nowhere.
    std::vector<access_piece> pieces;
    /// True if the access goes somewhere.
    bool exists() const { return whole.range != nullptr || !pieces.empty(); }
};

/// An access that crosses the border of a stripe, range or window, so that its parts travel separately. It is
/// answered with the last part. Its status is the first error, its times are those of the part whose response
/// arrived last.
class split_access {
  public:
    /// A part: its data are in the buffer of the whole access, its extensions are copies.
    struct part final : tlm::tlm_generic_payload {
        std::vector<unsigned char> enables;  ///< its byte enables, if the access has some
    };

    /// Makes the parts of `whole`, which must outlive this object.
    split_access(tlm::tlm_generic_payload& whole, const std::vector<access_piece>& pieces);

    std::deque<part>& parts() { return m_parts; }
    /// Returns the transaction of the initiator.
    tlm::tlm_generic_payload& whole() { return *m_whole; }
    /// Open accesses of the parts, in the order of parts(); null: the part has none, or is answered and was
    /// not the last.
    std::vector<memory_access*>& accesses() { return m_accesses; }
    /// Notes that part `p` is answered, by the memory `at`, at `times`. Returns true if all parts are
    /// answered.
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
    /// As above; the access was made at `made`.
    const access_times& answer(const sc_core::sc_time& now, const sc_core::sc_time& made) {
        m_times.made = made;
        return answer(now);
    }

  private:
    tlm::tlm_generic_payload* m_whole;
    std::deque<part> m_parts;
    std::vector<memory_access*> m_accesses;
    std::size_t m_open;
    tlm::tlm_response_status m_status = tlm::TLM_OK_RESPONSE;
    access_times m_times;
    std::vector<access_packet> m_packets;
    memory_port* m_memory = nullptr;
};

}  // namespace sare
