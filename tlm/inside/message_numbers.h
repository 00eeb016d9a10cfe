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
    /// Makes an object without numbers. `messages`: the pool of the network, which must outlive it.
    explicit message_numbers(const shared_pool<message_record>& messages) : m_pool(messages) {}

    /// Returns the number of the message of a packet. A slot has another message than before if its message
    /// was generated at another time or by another node, or if the one before has ended.
    std::uint64_t of(const packet& p) {
        if (p.message >= m_known.size()) m_known.resize(p.message + p.message / 2 + 64);
        known& k = m_known[p.message];
        const message& its = m_pool[p.message].what;
        if (!k.is_there || k.generated != its.generated || k.source != its.source)
            k = {m_count++, its.generated, its.source, true};
        return k.number;
    }
    /// Ends a message, an element of the pool, so that its slot gets a new number.
    void message_consumed(const message_record& m) { end(static_cast<std::size_t>(&m - &m_pool[0])); }
    /// Ends the message of a dropped packet if it has one packet only: no observer is told of lost messages.
    void packet_dropped(const packet& p) {
        if (p.flits == m_pool[p.message].what.flits) end(p.message);
    }
    void serialize(archive& a);  ///< writes or reads the numbers

  private:
    /// Message seen last in a slot of the pool.
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
    std::vector<known> m_known;  ///< messages by slot
    std::uint64_t m_count = 0;   ///< number of messages numbered so far
};

}  // namespace sare
