// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"
#include "tlm/base/shared_pool.h"

#include <vector>

namespace sare {

class archive;

/// Numbers messages from 0, in the order in which of() is first called for each: in that of the injection of
/// first packets if of() is called for each packet that is injected, whatever the number of threads. An
/// observer passes message_consumed() and packet_dropped() on.
class message_numbers {
  public:
    /// `messages`: the pool of the network, which must outlive this object.
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
    void message_consumed(const message_record& m) { end(static_cast<std::size_t>(&m - &m_pool[0])); }
    /// Ends a message of one packet: nobody tells that a message is lost.
    void packet_dropped(const packet& p) {
        if (p.flits == m_pool[p.message].what.flits) end(p.message);
    }
    void serialize(archive& a);

  private:
    struct known {
        std::uint64_t number = 0;
        cycle_t generated = 0;
        std::uint32_t source = 0;
        bool is_there = false;
        void serialize(archive& a);
    };
    void end(std::size_t slot) {
        if (slot < m_known.size()) m_known[slot].is_there = false;
    }

    const shared_pool<message_record>& m_pool;
    std::vector<known> m_known;  ///< by slot
    std::uint64_t m_count = 0;
};

}  // namespace sare
