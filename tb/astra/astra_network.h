// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stepped.h"

#include <cstdint>
#include <deque>
#include <map>
#include <queue>
#include <tuple>
#include <vector>

namespace sare::astra {

/// Function of the host with its argument; may be null.
struct callback {
    void (*function)(void*) = nullptr;
    void* argument = nullptr;
    void operator()() const {
        if (function != nullptr) function(argument);
    }
};

/// Message of the host, by which a send and a receive find each other: in the order in which they are posted,
/// for each source, destination, tag and number of bytes.
struct transfer {
    int source = 0, destination = 0, tag = 0;
    std::uint64_t bytes = 0;
    bool operator<(const transfer& o) const {
        return std::tie(source, destination, tag, bytes) < std::tie(o.source, o.destination, o.tag, o.bytes);
    }
};

/// ASTRA-sim's events and messages on a stepped network: one clock in nanoseconds for all ranks, and messages
/// that cross the network as they are sent. Rank i is node i.
class astra_network {
  public:
    /// `net` must outlive this object, which sets its on_delivered() and on_lost().
    explicit astra_network(stepped_network& net);

    double now_ns() const { return m_now; }  ///< present time, in ns
    /// Calls `what` after `delta` ns.
    void schedule(double delta, callback what);
    /// Sends a message now; `sent` is called when the message has arrived.
    void send(const transfer& what, callback sent);
    /// Calls `received` when the next message of this kind has arrived, or at once if it is there already.
    void receive(const transfer& what, callback received);
    /// Runs until no event is left and no message is under way. Throws std::runtime_error if messages are
    /// lost, or under way with nothing left to happen.
    void run();

    std::uint64_t messages() const { return m_messages; }  ///< number of messages sent so far

  private:
    struct event {
        double at;  ///< ns
        std::uint64_t number;
        callback what;
        bool operator<(const event& o) const { return at != o.at ? at > o.at : number > o.number; }
    };
    struct flight {
        transfer what;
        callback sent;
    };
    /// What is posted on one side only: messages that have arrived, or receivers that wait.
    struct match {
        std::uint64_t arrived = 0;
        std::deque<callback> waiting;
    };

    void run_event();
    void arrive(const delivery& d);

    stepped_network& m_net;
    double m_now = 0;  ///< ns
    std::uint64_t m_events_made = 0, m_messages = 0;
    std::priority_queue<event> m_events;
    std::vector<flight> m_flights;           ///< by tag of the message
    std::vector<std::uint64_t> m_free_tags;  ///< entries of m_flights that no message has
    std::map<transfer, match> m_matches;
};

}  // namespace sare::astra
