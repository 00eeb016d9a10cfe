// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/observer.h"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace sare::python {

/// A message that has arrived: a row of a numpy array.
struct delivered_message {
    std::uint64_t tag;                            ///< the sender's, without cycle_engine::bridge_tag
    std::uint64_t generated, injected, consumed;  ///< cycles of these events
    std::uint32_t source, destination;            ///< node numbers
    std::uint32_t flits, message_class;
};

/// Keeps messages that have arrived until they are taken, or tells them at once.
class delivery_log final : public observer {
  public:
    void packet_injected(std::uint32_t, const packet&, cycle_t) override {}
    void packet_consumed(std::uint32_t, const packet&, cycle_t) override {}
    void message_consumed(const message_record& m, cycle_t now) override {
        constexpr std::uint64_t from_outside = std::uint64_t{1} << 63;  // cycle_engine::bridge_tag
        const delivered_message d{
            m.what.tag & ~from_outside, m.what.generated, m.injected,          now, m.what.source,
            m.what.destination,         m.what.flits,     m.what.message_class};
        if (tell) tell(d);
        if (keeps) m_all.push_back(d);
    }
    /// Returns the messages kept since the last call, in the order of arrival, and forgets them.
    std::vector<delivered_message> take() { return std::exchange(m_all, {}); }

    std::function<void(const delivered_message&)> tell;  ///< called with each message; empty: nothing
    bool keeps = false;                                  ///< true: keeps messages for take()

  private:
    std::vector<delivered_message> m_all;
};

}  // namespace sare::python
