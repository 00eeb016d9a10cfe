// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/application/application.h"

namespace sare::traffic {

/// The part of an application that this process runs if several processes run the network: some of its tasks,
/// and their messages to tasks of other processes. Functions with the name of one of class workload do the
/// same for the application.
class application_part {
  public:
    /// `whole`: the application; must outlive the object.
    explicit application_part(application& whole) : m(whole) {}

    /// Number of 64-bit words that travel with each message, before the words of its workload.
    static constexpr std::uint32_t own_words = 2;
    /// Number of words that travel with each message in all.
    std::uint32_t words() const { return own_words + m.m_work->words_with_messages(); }
    void write_words(const message& what, std::uint64_t* words) const;
    void has_left(const message& what);
    std::uint64_t tag_of(const message& what, const std::uint64_t* words);
    /// Three counts; their sums over all processes tell whether the application is over. open: 1 if this part
    /// is not completed, else 0; moving: 0 if this part is still (application::is_still()), else 1; flying:
    /// messages given to the network here minus messages that came out of it here, modulo 2^64.
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
