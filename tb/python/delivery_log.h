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
    /// Tag that the sender gave it, without the bit cycle_engine::bridge_tag.
    std::uint64_t tag;
    std::uint64_t generated, injected, consumed;  ///< cycles in which it was generated, injected and consumed
    std::uint32_t source, destination;            ///< node numbers
    std::uint32_t flits, message_class;           ///< number of flits; message class, from 0
};

/// Observer that stores messages that have arrived for take() (keeps), calls a function with each (tell), or
/// both.
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
    /// Returns the messages kept since the last call, in the order of arrival, and forgets them; none unless
    /// `keeps`.
    std::vector<delivered_message> take() { return std::exchange(m_all, {}); }

    /// Called with each message as it arrives; empty: not called.
    std::function<void(const delivered_message&)> tell;
    bool keeps = false;  ///< true: keeps messages for take()

  private:
    std::vector<delivered_message> m_all;
};

}  // namespace sare::python
