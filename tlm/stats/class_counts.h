// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/counted_network.h"
#include "tlm/api/packet.h"
#include "tlm/stats/latency.h"

#include <cstdint>
#include <vector>

namespace sare {

struct run_result;

/// Counters of each message class in the measured window; no counters in a network with one class.
class class_counts {
  public:
    /// Makes counters for `net`, which must outlive them.
    explicit class_counts(const counted_network& net)
        : m_net(net), m_all(net.classes() > 1 ? net.classes() : 0) {}

    bool any() const { return !m_all.empty(); }  ///< true if there are several classes
    /// Counts a packet that is injected in the measured window. Call only if any().
    void injected(const packet& p) {
        counts& c = m_all[m_net.class_of(p.route)];
        ++c.injected_packets;
        c.injected_flits += p.flits;
    }
    /// Counts a packet that is consumed in cycle `now`, in the measured window, with its latencies. Call only
    /// if any().
    void consumed(const packet& p, cycle_t now) {
        counts& c = m_all[m_net.class_of(p.route)];
        ++c.consumed_packets;
        c.consumed_flits += p.flits;
        c.from_generation.record(now - p.generated);
        c.from_injection.record(now - p.injected);
    }
    /// Begins the measured window. Call after workload::generated(t - 1) before its first cycle t.
    void start(const workload& w) { m_at_start = made(w); }
    /// Ends the measured window. Call after workload::generated() for its last cycle.
    void stop(const workload& w) { m_at_end = made(w); }
    /// Fills run_result::class_loads. Call after stop(). `cycles`: length of the window; 0: loads are 0.
    void report(double cycles, run_result& out) const;
    /// Adds the counters of another process. Call after stop() of both.
    void add(const class_counts& other);
    void serialize(archive& a);  ///< writes or reads the counters

  private:
    /// Counters of a class in the measured window; latencies in cycles until a packet is consumed.
    struct counts {
        std::uint64_t injected_packets = 0, consumed_packets = 0;
        std::uint64_t injected_flits = 0, consumed_flits = 0;
        latency_histogram from_generation, from_injection;
        template <class Archive>
        void serialize(Archive& a) {
            a(injected_packets, consumed_packets, injected_flits, consumed_flits, from_generation,
              from_injection);
        }
    };
    std::vector<generated_counts> made(const workload& w) const;  ///< packets and flits generated, by class

    const counted_network& m_net;
    std::vector<counts> m_all;                           ///< counters of each class
    std::vector<generated_counts> m_at_start, m_at_end;  ///< made() at both ends of the window
};

}  // namespace sare
