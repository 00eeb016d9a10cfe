// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"
#include "tlm/base/shared_pool.h"

#include <vector>

namespace sare {

class archive;

/// Numbers messages from 0, in the order in which of() is first called for each. If of() is called for each
/// packet that is injected, that is the order in which first packets are injected, whatever the number of
/// threads. The observer that owns this object passes message_consumed() and packet_dropped() on.
class message_numbers {
  public:
    /// Makes an object without numbers. `messages`: network_view::messages(), which must outlive it.
    explicit message_numbers(const shared_pool<message_record>& messages) : m_pool(messages) {}

    /// Returns the number of the message of a packet, found by its index in the pool (packet::message). A
    /// message at an index is new if the one before it has ended, or has another cycle or node of generation.
    std::uint64_t of(const packet& p) {
        if (p.message >= m_known.size()) m_known.resize(p.message + p.message / 2 + 64);
        known& k = m_known[p.message];
        const message& its = m_pool[p.message].what;
        if (!k.is_there || k.generated != its.generated || k.source != its.source)
            k = {m_count++, its.generated, its.source, true};
        return k.number;
    }
    /// Ends a message, which must be an element of the pool (not checked), so that of() gives a new number to
    /// the next message with its index.
    void message_consumed(const message_record& m) { end(static_cast<std::size_t>(&m - &m_pool[0])); }
    /// Ends the message of a dropped packet if it has one packet only: no observer is told of lost messages.
    void packet_dropped(const packet& p) {
        if (p.flits == m_pool[p.message].what.flits) end(p.message);
    }
    void serialize(archive& a);  ///< writes the numbers to `a`, or reads them from it

  private:
    /// Message seen last at an index of the pool.
    struct known {
        std::uint64_t number = 0;  ///< number of the message
        cycle_t generated = 0;     ///< cycle of its generation
        std::uint32_t source = 0;  ///< node that sends it
        bool is_there = false;     ///< true: it has not ended
        void serialize(archive& a);
    };
    void end(std::size_t slot) {
        if (slot < m_known.size()) m_known[slot].is_there = false;
    }

    const shared_pool<message_record>& m_pool;
    std::vector<known> m_known;  ///< messages by index in the pool
    std::uint64_t m_count = 0;   ///< number of messages numbered so far
};

}  // namespace sare
