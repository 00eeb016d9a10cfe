// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/application/application.h"

namespace sare::traffic {

/// The part of an application that this process runs if several processes run the network: the tasks on its
/// nodes, and their messages to tasks of other processes. Functions with the name of one of class workload do
/// the same for the application.
class application_part {
  public:
    /// `whole`: the application; must outlive the object.
    explicit application_part(application& whole) : m(whole) {}

    /// Number of 64-bit words that travel with each message, before the words of its workload.
    static constexpr std::uint32_t own_words = 2;
    /// Returns the number of 64-bit words that travel with each message: own_words, and the words of its
    /// workload.
    std::uint32_t words() const { return own_words + m.m_work->words_with_messages(); }
    /// Do the same as the functions of workload with these names, for a message `what` of the application in
    /// the network.
    void write_words(const message& what, std::uint64_t* words) const;
    void has_left(const message& what);
    std::uint64_t tag_of(const message& what, const std::uint64_t* words);
    /// Three counts; their sums over all processes tell whether the application is over. open: 1 if this part
    /// is not completed, else 0; moving: 0 if no tick or call of queue_space() of this part is due, else 1;
    /// flying: messages that this process gave to the network minus messages that it received or lost, modulo
    /// 2^64.
    struct state {
        std::uint64_t open, moving, flying;
    };
    /// Returns the present counts of this process.
    state now() const;
    /// Adds up the results of all processes, which must call it together; only rank 0 gets the latencies of
    /// all.
    void add_up(world& all);

  private:
    application& m;
};

}  // namespace sare::traffic
