// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/source/open_loop.h"

#include <algorithm>
#include <deque>

namespace sare::traffic {

/// The common part of sources that send some messages in their first cycle, and each further one when a
/// message is consumed, or is known to be lost: their work grows with messages, not with cycles.
class driven_source : public workload {
  public:
    void start(traffic_port& port) override;
    cycle_t next_tick() const override {
        return m_missed.empty() ? m_next : std::min(m_next, m_missed.front().known);
    }
    void tick(cycle_t now) override;
    void lost(const message& m) override;
    std::uint32_t largest_message() const override { return m_length->largest(); }
    generated_counts generated(cycle_t) override { return m_made; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
    config::value results() const override;
    void serialize(archive& a) override;

  protected:
    /// `time_out`: cycles from the loss of a message until its sender knows of it.
    driven_source(const spatial_parameters& p, const std::string& folder, cycle_t time_out = 0);

    /// Sends the first messages. `nodes`: number of nodes.
    virtual void begin(std::uint32_t nodes) = 0;
    /// Tells that `source` now knows of the loss of its message to `destination`.
    virtual void missed(std::uint32_t source, std::uint32_t destination) { (void)source, (void)destination; }

    bool begun() const { return m_port != nullptr && m_next == never; }  ///< begin() was called
    bool silent(std::uint32_t node) const { return m_pattern->silent(node); }
    rng& random(std::uint32_t node) { return m_random[node]; }  ///< random stream of a node
    std::uint64_t messages_made() const { return m_made.messages; }
    std::uint64_t messages_lost() const { return m_lost; }
    /// Returns the number of messages made that are neither consumed nor lost.
    std::uint64_t under_way() const { return m_made.messages - m_consumed - m_lost; }
    /// Returns the number of lost messages whose senders do not know of it yet.
    std::uint64_t not_missed() const { return m_missed.size(); }

    /// Sends a message of `node` to a destination that the pattern draws.
    void send(std::uint32_t node, std::uint64_t tag) {
        send(node, m_pattern->destination(node, random(node)), tag);
    }
    /// Sends a message of `node` to `destination`.
    void send(std::uint32_t node, std::uint32_t destination, std::uint64_t tag);
    /// Counts a message that has been consumed. Call it first in delivered(), for each message.
    void count(const delivery& d);

  private:
    struct missing {
        cycle_t known;  ///< cycle at which its sender will know
        std::uint32_t source, destination;
    };

    spatial_parameters m_spatial;
    std::string m_folder;
    std::unique_ptr<length_law> m_length;
    std::unique_ptr<pattern> m_pattern;
    traffic_port* m_port = nullptr;
    std::vector<rng> m_random;
    cycle_t m_next = 0;  ///< result of next_tick()
    generated_counts m_made;
    std::uint64_t m_consumed = 0;  ///< number of messages that have arrived
    std::uint64_t m_cycles = 0;    ///< sum of their latencies from generation, in cycles
    std::uint64_t m_lost = 0;      ///< number of messages lost
    cycle_t m_time_out;            ///< cycles from a loss until the sender knows it
    std::deque<missing> m_missed;  ///< losses, in order of time
};

}  // namespace sare::traffic
