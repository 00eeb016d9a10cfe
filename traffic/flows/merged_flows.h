// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/flows/flow.h"
#include "traffic/source/bernoulli.h"
#include "traffic/source/on_off.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace sare::traffic {

/// The law by which the messages of one flow are made. Its work grows with messages, not with cycles.
class flow_law {
  public:
    struct clock {
        on_off::clock state;
        cycle_t sent = 0;  ///< cycle of the next message, counting only cycles in which the flow may send
        cycle_t when = 0;  ///< cycle of the next message, counting all cycles
        std::uint32_t flow = 0;
    };

    /// `rate`: mean flits a cycle over all cycles, above 0; takes the place of f.rate.
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
    /// Draws the first message, in cycle `from` or later; `from` counts all cycles.
    void first(clock& c, cycle_t from) const {
        bernoulli::clock simple{c.state.random};
        from = sending_cycles_before(from);
        c.sent = m_bursts ? m_bursts->first(c.state, from) : m_gaps.first(simple, from);
        if (!m_bursts) c.state.random = simple.random;
        c.when = warped(c.sent);
    }
    /// Draws the message after that of the clock.
    void next(clock& c) const {
        bernoulli::clock simple{c.state.random};
        c.sent = std::min(c.sent + (m_bursts ? m_bursts->next(c.state) : m_gaps.next(simple)), furthest);
        if (!m_bursts) c.state.random = simple.random;
        c.when = warped(c.sent);
    }

  private:
    static constexpr cycle_t furthest = cycle_t{1} << 62;  ///< cycle later than any run lasts
    /// Returns the number of cycles before cycle `when` in which the flow may send.
    cycle_t sending_cycles_before(cycle_t when) const {
        if (m_period == 0) return when;
        const cycle_t offset = when % m_period;
        return when / m_period * m_width + std::clamp(offset, m_begin, m_begin + m_width) - m_begin;
    }
    /// Returns the cycle whose sending_cycles_before() is `sent` and in which the flow may send.
    cycle_t warped(cycle_t sent) const {
        if (m_period == 0 || sent >= furthest / m_period) return sent;
        return sent / m_width * m_period + m_begin + sent % m_width;
    }

    bernoulli m_gaps{1};
    std::unique_ptr<on_off> m_bursts;  ///< bursts; null: messages follow m_gaps
    cycle_t m_begin, m_width, m_period;
};

/// The flows of a node in a message class, merged in order of time, as a law of timed_source. They share a
/// queue.
class merged_flows {
  public:
    static constexpr bool several = true;
    /// The clocks of the flows as a heap: the first is that of the next message.
    struct clock {
        rng random;  // of timed_source; each flow has its own
        std::vector<flow_law::clock> flows;

        template <class Archive>
        void serialize(Archive& a) {
            a(random, flows);
        }
    };

    merged_flows(std::shared_ptr<const std::vector<flow_law>> laws, std::shared_ptr<const flow_list> all)
        : m_laws(std::move(laws)), m_all(std::move(all)) {}

    cycle_t first(clock& c, cycle_t from) const {
        for (flow_law::clock& f : c.flows) (*m_laws)[f.flow].first(f, from);
        std::make_heap(c.flows.begin(), c.flows.end(), later);
        return c.flows.front().when;
    }
    cycle_t next(clock& c) const {
        const cycle_t last = c.flows.front().when;
        std::pop_heap(c.flows.begin(), c.flows.end(), later);
        (*m_laws)[c.flows.back().flow].next(c.flows.back());
        std::push_heap(c.flows.begin(), c.flows.end(), later);
        return c.flows.front().when - last;
    }
    std::uint32_t flits(const clock& c) const { return (*m_all)[c.flows.front().flow].length; }

  private:
    static bool later(const flow_law::clock& a, const flow_law::clock& b) {
        return a.when != b.when ? a.when > b.when : a.flow > b.flow;
    }

    std::shared_ptr<const std::vector<flow_law>> m_laws;  ///< law of each flow
    std::shared_ptr<const flow_list> m_all;
};

}  // namespace sare::traffic
