// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/base/ids.h"
#include "tlm/router_api/in_parts.h"

#include <cstdint>
#include <deque>

namespace sare {

/// Global congestion control (GCC): measures at intervals how full the transit queues of the whole network
/// are, and stops injection until the next measurement if they are fuller than a limit. Nodes are told at
/// once, without messages. All banks of a network share one object, in which each bank has a counter.
class global_congestion final : public shared_sum {
  public:
    /// Counter of one bank: phits that have entered the network at its routers, less phits that have left the
    /// network there, modulo 2^64.
    class alignas(64) counter {
      public:
        /// `all`: the control that the counter belongs to.
        explicit counter(const global_congestion& all) : m_all(all) {}
        /// Counts a phit that enters the network at the bank's routers; leaves() counts a phit that leaves
        /// it.
        void enters() { ++m_phits; }
        void leaves() { --m_phits; }
        /// True if injection is stopped now.
        bool stops_injection() const { return m_all.m_stopped; }

      private:
        friend class global_congestion;
        const global_congestion& m_all;
        std::uint64_t m_phits = 0;
    };

    /// `limit`: fraction of `places`, 0 to 1, above which injection stops; `interval`: cycles from one
    /// measurement to the next, 1 or more (not checked); `places`: phits that fit into all transit queues of
    /// this process.
    global_congestion(double limit, std::uint32_t interval, std::uint64_t places)
        : m_limit(limit), m_interval(interval), m_places(places) {}

    /// Adds a counter for another bank and returns it; the reference is valid as long as this object.
    counter& add_counter() { return m_counters.emplace_back(*this); }

    std::uint32_t interval() const { return m_interval; }  ///< cycles from one measurement to the next
    std::uint64_t places() const override { return m_places; }
    void set_places(std::uint64_t of_all) override { m_places = of_all; }
    std::uint64_t rule() const override {
        return static_cast<std::uint64_t>(m_limit * 1e9) << 32 | m_interval;
    }
    std::uint64_t counted() const override {
        std::uint64_t phits = 0;
        for (const counter& c : m_counters) phits += c.m_phits;
        return phits;
    }
    bool is_due(cycle_t t) const override { return t >= m_next; }
    void look(cycle_t t, std::uint64_t phits) override {
        m_stopped = phits > static_cast<std::uint64_t>(m_limit * static_cast<double>(m_places));
        m_next = (t / m_interval + 1) * m_interval;
    }
    /// Restores the state at the beginning of a run: counters 0, injection allowed.
    void clear() {
        for (counter& c : m_counters) c.m_phits = 0;
        m_stopped = false;
        m_next = 0;
    }
    template <class Archive>
    void serialize(Archive& a) {
        for (counter& c : m_counters) a(c.m_phits);
        a(m_stopped, m_next);
    }

  private:
    double m_limit;
    std::uint32_t m_interval;
    std::uint64_t m_places;
    std::deque<counter> m_counters;
    bool m_stopped = false;  ///< true: the last measurement has stopped injection
    cycle_t m_next = 0;      ///< cycle of the next measurement
};

}  // namespace sare
