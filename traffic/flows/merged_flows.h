// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/flows/flow.h"
#include "traffic/source/bernoulli.h"
#include "traffic/source/on_off.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace sare::traffic {

/// The law by which the messages of one flow are sent: bursts or a Bernoulli process, in all cycles or in a
/// part of each period. Its work grows with messages, not with cycles.
class flow_law {
  public:
    /// State of a flow: the cycle of its next message.
    struct clock {
        on_off::clock state;  ///< random stream, and state of bursts
        cycle_t sent = 0;     ///< cycle of the next message, counting only cycles in which the flow may send
        cycle_t when = 0;     ///< cycle of the next message, counting all cycles
        /// Index of the flow.
        std::uint32_t flow = 0;
    };

    /// `rate`: mean flits per cycle over all cycles, above 0; it takes the place of f.rate, which is not
    /// used.
    flow_law(const flow& f, double rate)
        : m_begin(f.begin), m_width(f.period == 0 ? 0 : f.end - f.begin), m_period(f.period) {
        if (m_period != 0) rate *= static_cast<double>(m_period) / static_cast<double>(m_width);
        if (f.burst <= 0 || rate >= f.peak) {
            m_gaps = bernoulli(std::min(rate / f.length, 1.0));
            return;
        }
        const double off_per_on = f.peak / rate - 1, on = std::max({f.burst / f.peak, 1.0, 1 / off_per_on});
        m_bursts = std::make_unique<on_off>(std::min(f.peak / f.length, 1.0), on, on * off_per_on);
    }
    /// Sets the clock to the first message, in cycle `from` (all cycles are counted) or later.
    void first(clock& c, cycle_t from) const {
        bernoulli::clock simple{c.state.random};
        from = sending_cycles_before(from);
        c.sent = m_bursts ? m_bursts->first(c.state, from) : m_gaps.first(simple, from);
        if (!m_bursts) c.state.random = simple.random;
        c.when = warped(c.sent);
    }
    /// Moves the clock from its present message to the next one.
    void next(clock& c) const {
        bernoulli::clock simple{c.state.random};
        c.sent = std::min(c.sent + (m_bursts ? m_bursts->next(c.state) : m_gaps.next(simple)), furthest);
        if (!m_bursts) c.state.random = simple.random;
        c.when = warped(c.sent);
    }

  private:
    static constexpr cycle_t furthest = cycle_t{1} << 62;  ///< a number of cycles longer than any run
    /// Returns the number of cycles from 0 to `when` - 1 in which the flow may send.
    cycle_t sending_cycles_before(cycle_t when) const {
        if (m_period == 0) return when;
        const cycle_t offset = when % m_period;
        return when / m_period * m_width + std::clamp(offset, m_begin, m_begin + m_width) - m_begin;
    }
    /// Returns the cycle in which the flow may send and before which it may send in `sent` other cycles.
    cycle_t warped(cycle_t sent) const {
        if (m_period == 0 || sent >= furthest / m_period) return sent;
        return sent / m_width * m_period + m_begin + sent % m_width;
    }

    bernoulli m_gaps{1};
    std::unique_ptr<on_off> m_bursts;  ///< law of bursts; null: messages are sent by m_gaps
    cycle_t m_begin, m_width, m_period;
};

/// A law for timed_source: all flows of one node and message class, merged in the order of time. They share a
/// source queue.
class merged_flows {
  public:
    /// True: two flows may send in one cycle.
    static constexpr bool several = true;
    /// States of the flows of a sender as a heap, whose first element has the earliest message.
    struct clock {
        rng random;                          // of timed_source; each flow has its own
        std::vector<flow_law::clock> flows;  ///< state of each flow of the sender

        template <class Archive>
        void serialize(Archive& a) {
            a(random, flows);
        }
    };

    /// `laws`, `all`: law and properties of each flow, by index.
    merged_flows(std::shared_ptr<const std::vector<flow_law>> laws, std::shared_ptr<const flow_list> all)
        : m_laws(std::move(laws)), m_all(std::move(all)) {}

    /// Returns the cycle of the first message of any flow, `from` or later.
    cycle_t first(clock& c, cycle_t from) const {
        for (flow_law::clock& f : c.flows) (*m_laws)[f.flow].first(f, from);
        std::make_heap(c.flows.begin(), c.flows.end(), later);
        return c.flows.front().when;
    }
    /// Returns the cycles, 0 or more, from a message to the next one of any flow.
    cycle_t next(clock& c) const {
        const cycle_t last = c.flows.front().when;
        std::pop_heap(c.flows.begin(), c.flows.end(), later);
        (*m_laws)[c.flows.back().flow].next(c.flows.back());
        std::push_heap(c.flows.begin(), c.flows.end(), later);
        return c.flows.front().when - last;
    }
    /// Returns the flits of the message that is due.
    std::uint32_t flits(const clock& c) const { return (*m_all)[c.flows.front().flow].length; }

  private:
    static bool later(const flow_law::clock& a, const flow_law::clock& b) {
        return a.when != b.when ? a.when > b.when : a.flow > b.flow;
    }

    std::shared_ptr<const std::vector<flow_law>> m_laws;  ///< law of each flow, by index
    std::shared_ptr<const flow_list> m_all;
};

}  // namespace sare::traffic
