// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/access.h"
#include "tlm/memory/address_map.h"
#include "tlm/memory/timing/access_timing.h"

#include <deque>
#include <vector>

namespace sare {

/// Bytes of an access's data that lie together in one memory.
struct access_piece {
    unsigned offset = 0, bytes = 0;  ///< first byte within the access's data, and length
    placement at;                    ///< place of the first byte
};

/// Route of an access: to one place, or in pieces; if neither, its response status says why not.
struct access_route {
    placement whole;                   ///< the one place; without a range: there are pieces, or no route
    std::vector<access_piece> pieces;  ///< empty: `whole` counts
    bool exists() const { return whole.range != nullptr || !pieces.empty(); }
};

/// An access that crosses the border of a stripe, range or window. Its parts travel separately; its answer
/// comes with the last. Its status is the first error, its times are those of the part that arrived last.
class split_access {
  public:
    /// A part: its data are in the whole's buffer, its extensions are copies.
    struct part final : tlm::tlm_generic_payload {
        std::vector<unsigned char> enables;
    };

    split_access(tlm::tlm_generic_payload& whole, const std::vector<access_piece>& pieces);

    std::deque<part>& parts() { return m_parts; }
    tlm::tlm_generic_payload& whole() { return *m_whole; }
    /// Open accesses by part; null for a part without one.
    std::vector<memory_access*>& accesses() { return m_accesses; }
    /// Notes that a part is answered. Returns true if all are.
    bool settle(const tlm::tlm_generic_payload& p, memory_port* at, const access_times& times);
    /// Notes that the access of a part is answered; forgets it, unless it is the last. True: all are.
    bool settle(memory_access& a);
    /// Packets of all parts that had an access.
    std::vector<access_packet>& packets() { return m_packets; }
    /// Memory of the part that arrived last.
    memory_port* memory() const { return m_memory; }
    /// Sets status, extensions and times of the whole, which end at `now`; returns the times.
    const access_times& answer(const sc_core::sc_time& now);
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
