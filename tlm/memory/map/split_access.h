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
    unsigned offset = 0, bytes = 0;  ///< of the data
    placement at;
};

/// Where an access goes: to one place as it is, or in pieces; else it has a response status that says why
/// not.
struct access_route {
    placement whole;
    std::vector<access_piece> pieces;
    bool exists() const { return whole.range != nullptr || !pieces.empty(); }
};

/// An access that crosses a stripe, a range or a window: its parts travel by themselves, and it is answered
/// when the last one is. The first error is the whole's; its times are those of the part that came last.
class split_access {
  public:
    /// Its data are the whole's, its extensions copies.
    struct part final : tlm::tlm_generic_payload {
        std::vector<unsigned char> enables;
    };

    split_access(tlm::tlm_generic_payload& whole, const std::vector<access_piece>& pieces);

    std::deque<part>& parts() { return m_parts; }
    tlm::tlm_generic_payload& whole() { return *m_whole; }
    /// The accesses of its parts that are open: null for others.
    std::vector<memory_access*>& accesses() { return m_accesses; }
    /// A part is answered. True: all are.
    bool settle(const tlm::tlm_generic_payload& p, memory_port* at, const access_times& times);
    /// The same of what has an access, which is open no longer unless it is the last one.
    bool settle(memory_access& a);
    /// Of all parts that have an access; the memory of the part that came last.
    std::vector<access_packet>& packets() { return m_packets; }
    memory_port* memory() const { return m_memory; }
    /// The whole gets status, extensions and times, which end at `now`.
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
