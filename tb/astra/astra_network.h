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

/// A function of ASTRA-sim with its argument; calling the object calls it, or does nothing if it is null.
struct callback {
    void (*function)(void*) = nullptr;
    void* argument = nullptr;
    void operator()() const {
        if (function != nullptr) function(argument);
    }
};

/// A message as ASTRA-sim names it. A send and a receive match if all four numbers are equal; of several
/// equal sends or receives, the first posted is matched first.
struct transfer {
    int source = 0, destination = 0;  ///< ranks of sender and receiver, from 0
    int tag = 0;                      ///< tag chosen by ASTRA-sim; any number
    /// Number of bytes of the message.
    std::uint64_t bytes = 0;
    bool operator<(const transfer& o) const {
        return std::tie(source, destination, tag, bytes) < std::tie(o.source, o.destination, o.tag, o.bytes);
    }
};

/// ASTRA-sim's events and messages on a stepped network. All ranks share one clock, in nanoseconds. Rank i is
/// node i of the network.
class astra_network {
  public:
    /// `net` must outlive this object, which replaces its on_delivered() and on_lost().
    explicit astra_network(stepped_network& net);

    double now_ns() const { return m_now; }  ///< present time in nanoseconds
    /// Makes run() call `what` when `delta` nanoseconds, 0 or more, have passed since now_ns(); of several
    /// events of one time, the one that was scheduled first comes first.
    void schedule(double delta, callback what);
    /// Sends a message, in the first cycle of the network that does not begin before now_ns(); run() calls
    /// `sent` when the message has arrived.
    void send(const transfer& what, callback sent);
    /// Makes run() call `received` when a message equal to `what` arrives that no earlier receive gets; at
    /// the present time if such a message has arrived already.
    void receive(const transfer& what, callback received);
    /// Runs until no event is left and no message is under way; receives without a message do not count.
    /// Throws std::runtime_error if a message is lost, or if messages are under way and nothing can happen
    /// any more.
    void run();

    std::uint64_t messages() const { return m_messages; }  ///< number of messages sent so far

  private:
    /// A scheduled call; operator< puts the earliest event at the top of m_events.
    struct event {
        double at;             ///< time in nanoseconds
        std::uint64_t number;  ///< number of events made before this one
        callback what;
        bool operator<(const event& o) const { return at != o.at ? at > o.at : number > o.number; }
    };
    /// A message under way, and the function to be called when it arrives.
    struct flight {
        transfer what;
        callback sent;
    };
    /// Transfers with equal numbers of which only one half is there. Either messages have arrived without a
    /// receive, or receives wait for a message, never both.
    struct match {
        std::uint64_t arrived = 0;     ///< number of messages that have arrived and were not received
        std::deque<callback> waiting;  ///< functions of the receives that wait, the first posted first
    };

    void run_event();
    void arrive(const delivery& d);

    stepped_network& m_net;
    double m_now = 0;  ///< present time in nanoseconds
    std::uint64_t m_events_made = 0, m_messages = 0;
    std::priority_queue<event> m_events;     ///< scheduled events, the next one at the top
    std::vector<flight> m_flights;           ///< message under way of each tag
    std::vector<std::uint64_t> m_free_tags;  ///< tags (indices of m_flights) that no message under way has
    std::map<transfer, match> m_matches;     ///< unmatched halves of transfers
};

}  // namespace sare::astra
