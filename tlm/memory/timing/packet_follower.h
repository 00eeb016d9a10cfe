// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/observer.h"
#include "tlm/memory/access.h"
#include "tlm/systemc/cycle_engine.h"

namespace sare {

/// Counts the routers that packets of accesses pass, and notes these packets in memory_access::packets if
/// asked to. It observes all packets of the network, so the memory_map that owns it starts it only on demand.
class packet_follower final : public observer {
  public:
    /// Makes a follower of the accesses of a pool in the network of `engine`; both must outlive it.
    packet_follower(access_pool& accesses, cycle_engine& engine) : m_accesses(accesses), m_engine(engine) {}

    /// Follows packets that are injected from now on. A second call does nothing.
    void start();
    /// Calls start(), and also notes the packets of each access from now on. Packets are numbered from 0 in
    /// the order of injection, among all packets injected since start().
    void note_packets() {
        start();
        m_notes = true;
    }

    void packet_injected(std::uint32_t node, const packet& p, cycle_t now) override;
    void packet_consumed(std::uint32_t node, const packet& p, cycle_t now) override;
    void message_consumed(const message_record&, cycle_t) override {}

  private:
    memory_access* access_of(const packet& p) const;

    access_pool& m_accesses;
    cycle_engine& m_engine;
    bool m_follows = false, m_notes = false;  ///< true: start() was called; true: note_packets() was called
    std::uint64_t m_packets = 0;              ///< number of packets injected since start()
};

}  // namespace sare
