// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/source/open_loop.h"

#include <algorithm>
#include <deque>

namespace sare::traffic {

/// Base class of sources that send their first messages in the first cycle, and each further one when a
/// message is consumed or its loss becomes known. The work of a run grows with messages, not with cycles.
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
    /// `p`: pattern, length and class of messages. `time_out`: cycles from the loss of a message until
    /// missed() is called. Throws config::error if the length law of `p` is wrong.
    driven_source(const spatial_parameters& p, const workload_context& c, cycle_t time_out = 0);

    /// Sends the first messages; called once, in the first cycle. `nodes`: number of nodes.
    virtual void begin(std::uint32_t nodes) = 0;
    /// Called `time_out` cycles after a message of `source` to `destination` was lost: the source now knows
    /// of the loss.
    virtual void missed(std::uint32_t source, std::uint32_t destination) { (void)source, (void)destination; }

    bool begun() const { return m_port != nullptr && m_next == never; }  ///< true: begin() was called
    /// Returns true if the pattern gives this node no destination: send() must not draw one for it.
    bool silent(std::uint32_t node) const { return m_pattern->silent(node); }
    rng& random(std::uint32_t node) { return m_random[node]; }  ///< random stream of a node
    /// Returns the number of messages sent so far.
    std::uint64_t messages_made() const { return m_made.messages; }
    /// Returns the number of messages lost so far.
    std::uint64_t messages_lost() const { return m_lost; }
    /// Returns the number of messages sent that are neither consumed nor lost.
    std::uint64_t under_way() const { return m_made.messages - m_consumed - m_lost; }
    /// Returns the number of lost messages for which missed() has not been called yet.
    std::uint64_t not_missed() const { return m_missed.size(); }

    /// Sends a message of `node` to a destination that the pattern draws. `tag`: message::tag.
    void send(std::uint32_t node, std::uint64_t tag) {
        send(node, m_pattern->destination(node, random(node)), tag);
    }
    /// Sends a message of `node` to `destination`. Its length is drawn by the length law.
    void send(std::uint32_t node, std::uint32_t destination, std::uint64_t tag);
    /// Counts a message that has been consumed. delivered() of a derived class must call it first, once for
    /// each message.
    void count(const delivery& d);

  private:
    /// The loss of a message of which the sender does not know yet.
    struct missing {
        cycle_t known;  ///< cycle in which the sender will know of the loss
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
    std::uint64_t m_consumed = 0;  ///< number of messages consumed
    std::uint64_t m_cycles = 0;  ///< sum of the latencies of these messages, from generation to consumption,
                                 ///< in cycles
    std::uint64_t m_lost = 0;    ///< number of messages lost
    cycle_t m_time_out;          ///< cycles from the loss of a message until its sender knows of it
    std::deque<missing> m_missed;  ///< losses that senders do not know of yet, in ascending order of `known`
};

}  // namespace sare::traffic
