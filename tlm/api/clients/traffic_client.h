// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <cstdint>
#include <deque>
#include <map>
#include <queue>
#include <string>
#include <utility>
#include <vector>

namespace sare {

/// A workload that is driven by calls: another simulator, or a process, sends messages and is told of what
/// becomes of them. Several of them, beside other workloads, can be in a workload_group.
class traffic_client final : public workload {
  public:
    /// Sends a message in cycle `at`, whose tick() must not have been yet; `generated` is set to that cycle.
    /// Messages of one cycle are sent in the order of the calls.
    void send(const message& m, cycle_t at);
    /// Number of messages that were sent and have neither been delivered nor lost.
    std::uint64_t open() const { return m_open; }
    /// Returns the network; null before start().
    traffic_port* port() const { return m_port; }

    /// Sets the function that is called for each message that has arrived whole; it may send.
    void on_delivered(function<void(const delivery&)> f) { m_tell_delivered = std::move(f); }
    /// Sets the function that is called for each packet that the network has dropped; its message is never
    /// delivered. `cause`: see namespace loss.
    void on_lost(function<void(const message&, const std::string& cause)> f) { m_tell_lost = std::move(f); }
    /// Sets the function that is called for each message whose last flit has left its source queue, in the
    /// cycle after; it may send. Call before the first send(), where no other sender uses the queue of the
    /// same node and class.
    void on_injected(function<void(const message&)> f) { m_tell_injected = std::move(f); }
    /// Sets the function that send() calls with the cycle of the message, to wake an engine that sleeps:
    /// cycle_engine::work_at().
    void on_sent(function<void(cycle_t at)> f) { m_tell_sent = std::move(f); }

    void start(traffic_port& port) override { m_port = &port; }
    cycle_t next_tick() const override { return m_waiting.empty() ? never : m_waiting.top().at; }
    void tick(cycle_t now) override;
    void queue_space(std::uint32_t node, std::uint32_t message_class) override;
    void delivered(const delivery& d) override;
    void dropped(const message& m, const std::string& cause) override;
    void lost(const message&) override { --m_open; }
    /// True while nothing that was sent is open.
    bool finished() const override { return m_open == 0; }
    traffic_loop loop() const override { return traffic_loop::unknown; }
    generated_counts generated(cycle_t) override { return m_generated; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
    void serialize(archive& a) override;

  private:
    /// A message that waits for its cycle.
    struct waiting_message {
        cycle_t at = 0;
        std::uint64_t number = 0;  ///< place in the order of the calls
        message what;
        /// True if it comes later: std::priority_queue has the largest in front.
        bool operator<(const waiting_message& o) const { return at != o.at ? at > o.at : number > o.number; }
        void serialize(archive& a);
    };
    /// A priority queue whose elements can be written to a checkpoint.
    struct waiting_queue : std::priority_queue<waiting_message> {
        void serialize(archive& a);
    };

    void wait_for_injection(const message& m);

    traffic_port* m_port = nullptr;
    waiting_queue m_waiting;
    std::uint64_t m_number = 0;  ///< calls of send()
    std::uint64_t m_open = 0;    ///< see open()
    generated_counts m_generated;
    /// Messages in source queues, by node and class; empty unless on_injected() was called.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<message>> m_queued;
    function<void(const delivery&)> m_tell_delivered;
    function<void(const message&, const std::string&)> m_tell_lost;
    function<void(const message&)> m_tell_injected;
    function<void(cycle_t)> m_tell_sent;
};

}  // namespace sare
