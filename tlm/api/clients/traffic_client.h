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

/// A workload that is driven by calls: another simulator, or a SystemC process, calls send() and is told by
/// functions that it sets when a message is injected, delivered or lost. Several traffic_clients, beside
/// other workloads, can share a network in a workload_group.
class traffic_client final : public workload {
  public:
    /// Sends message `m` in cycle `at`: a later cycle, or the present one before the network has called
    /// tick() in it; this is not checked. The message's `generated` is set to the cycle in which it is sent.
    /// Messages of one cycle are sent in the order of the calls.
    void send(const message& m, cycle_t at);
    /// Number of messages given to send() that have neither been delivered nor lost, the ones that wait for
    /// their cycle included.
    std::uint64_t open() const { return m_open; }
    /// Returns the port that start() was called with; null before start().
    traffic_port* port() const { return m_port; }

    /// Sets the function that is called for each message that has arrived whole; the function may call
    /// send(). A second call of this or of another on_...() function replaces the function that was set.
    void on_delivered(function<void(const delivery&)> f) { m_tell_delivered = std::move(f); }
    /// Sets the function that is called for each packet that the network has dropped, with the packet's
    /// message, which is never delivered. `cause`: a name from namespace loss (tlm/api/packet_changes.h), or
    /// a word of the router's own.
    void on_lost(function<void(const message&, const std::string& cause)> f) { m_tell_lost = std::move(f); }
    /// Sets the function that is called for each message whose last flit has left its source queue, one cycle
    /// after that flit; the function may call send(). Set it before the first send(), and only if nobody else
    /// sends from the same node in the same message class.
    void on_injected(function<void(const message&)> f) { m_tell_injected = std::move(f); }
    /// Sets the function that send() calls with `at`, the cycle of the message: an engine that skips idle
    /// cycles must then run that cycle (cycle_engine::work_at()).
    void on_sent(function<void(cycle_t at)> f) { m_tell_sent = std::move(f); }

    void start(traffic_port& port) override { m_port = &port; }
    cycle_t next_tick() const override { return m_waiting.empty() ? never : m_waiting.top().at; }
    void tick(cycle_t now) override;
    void queue_space(std::uint32_t node, std::uint32_t message_class) override;
    void delivered(const delivery& d) override;
    void dropped(const message& m, const std::string& cause) override;
    void lost(const message&) override { --m_open; }
    /// True if open() is 0.
    bool finished() const override { return m_open == 0; }
    traffic_loop loop() const override { return traffic_loop::unknown; }
    generated_counts generated(cycle_t) override { return m_generated; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
    void serialize(archive& a) override;

  private:
    /// A message given to send() that waits for its cycle.
    struct waiting_message {
        cycle_t at = 0;            ///< cycle in which it is to be sent
        std::uint64_t number = 0;  ///< number of the call of send(), from 0
        message what;              ///< message as given to send()
        /// True if this message is sent after `o`: std::priority_queue has its largest element in front.
        bool operator<(const waiting_message& o) const { return at != o.at ? at > o.at : number > o.number; }
        void serialize(archive& a);
    };
    /// A priority queue whose elements can be written to a checkpoint.
    struct waiting_queue : std::priority_queue<waiting_message> {
        void serialize(archive& a);
    };

    void wait_for_injection(const message& m);  ///< notes that `m` has just come into its source queue

    traffic_port* m_port = nullptr;  ///< port of start(), not owned
    waiting_queue m_waiting;         ///< messages to send in later cycles
    std::uint64_t m_number = 0;      ///< number of calls of send() so far
    std::uint64_t m_open = 0;        ///< value of open()
    generated_counts m_generated;    ///< messages and flits sent so far
    /// Messages in source queues, by source node and message class, oldest first; empty unless on_injected()
    /// was called.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<message>> m_queued;
    function<void(const delivery&)> m_tell_delivered;  ///< function of on_delivered(); empty: none was set
    function<void(const message&, const std::string&)> m_tell_lost;  ///< function of on_lost()
    function<void(const message&)> m_tell_injected;                  ///< function of on_injected()
    function<void(cycle_t)> m_tell_sent;                             ///< function of on_sent()
};

}  // namespace sare
