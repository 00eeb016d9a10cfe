// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/observer.h"
#include "tlm/memory/access.h"
#include "tlm/systemc/cycle_engine.h"

namespace sare {

/// Counts the routers that the messages of accesses pass. An observer of all packets, so only once an access
/// asks for it.
class hop_counter final : public observer {
  public:
    hop_counter(access_pool& accesses, cycle_engine& engine) : m_accesses(accesses), m_engine(engine) {}

    /// Of packets that arrive from now on. Twice makes no difference.
    void start() {
        if (!m_counts) m_engine.add_observer(*this);
        m_counts = true;
    }

    void packet_injected(std::uint32_t, const packet&, cycle_t) override {}
    void packet_consumed(std::uint32_t, const packet& p, cycle_t) override;
    void message_consumed(const message_record&, cycle_t) override {}

  private:
    access_pool& m_accesses;
    cycle_engine& m_engine;
    bool m_counts = false;
};

}  // namespace sare
