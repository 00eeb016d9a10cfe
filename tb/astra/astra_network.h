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

/// A message as the host names it. A send and a receive find each other if all four numbers are equal;
/// several equal ones do in the order in which they are posted.
struct transfer {
    int source = 0, destination = 0;  ///< ranks, from 0
    int tag = 0;                      ///< the host's; any number
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
    /// Makes run() call `what` `delta` ns after now_ns(); of events of one time, first the one made first.
    void schedule(double delta, callback what);
    /// Sends a message at now_ns(), or in the network's next cycle; run() calls `sent` when it has arrived.
    void send(const transfer& what, callback sent);
    /// Makes run() call `received` when the next message equal to `what` has arrived, or at the present time
    /// if one has already.
    void receive(const transfer& what, callback received);
    /// Runs until no event is left and no message is under way. Throws std::runtime_error if messages are
    /// lost, or under way with nothing left to happen.
    void run();

    std::uint64_t messages() const { return m_messages; }  ///< number of messages sent so far

  private:
    struct event {
        double at;             ///< ns
        std::uint64_t number;  ///< number of events made before
        callback what;
        bool operator<(const event& o) const { return at != o.at ? at > o.at : number > o.number; }
    };
    struct flight {
        transfer what;
        callback sent;
    };
    /// What is posted on one side only, of equal transfers: messages that have arrived, or receivers that
    /// wait.
    struct match {
        std::uint64_t arrived = 0;     ///< number of messages that nobody has asked for
        std::deque<callback> waiting;  ///< receivers of messages to come, the first posted first
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
