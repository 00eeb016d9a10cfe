// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/counted_network.h"
#include "tlm/api/packet.h"
#include "tlm/stats/latency.h"

#include <cstdint>
#include <vector>

namespace sare {

struct run_result;

/// What is counted of each message class in the measured window, where there are several.
class class_counts {
  public:
    explicit class_counts(const counted_network& net)
        : m_net(net), m_all(net.classes() > 1 ? net.classes() : 0) {}

    bool any() const { return !m_all.empty(); }
    void injected(const packet& p) {
        counts& c = m_all[m_net.class_of(p.route)];
        ++c.injected_packets;
        c.injected_flits += p.flits;
    }
    void consumed(const packet& p, cycle_t now) {
        counts& c = m_all[m_net.class_of(p.route)];
        ++c.consumed_packets;
        c.consumed_flits += p.flits;
        c.from_generation.record(now - p.generated);
        c.from_injection.record(now - p.injected);
    }
    /// The window begins; generated() of the workload has been asked.
    void start(const workload& w) { m_at_start = made(w); }
    void stop(const workload& w) { m_at_end = made(w); }
    /// Likewise stopped; `cycles`: of the window.
    void report(double cycles, run_result& out) const;
    /// Of another process, which is stopped, too.
    void add(const class_counts& other);
    void serialize(archive& a);

  private:
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
    std::vector<generated_counts> made(const workload& w) const;

    const counted_network& m_net;
    std::vector<counts> m_all;                           ///< by class
    std::vector<generated_counts> m_at_start, m_at_end;  ///< by class: made()
};

}  // namespace sare
