// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/application/application.h"

namespace sare::traffic {

/// The part of an application that this process runs, if several processes run the network: some of its
/// tasks, and their messages to tasks in other processes. For the functions of the same names see workload.
class application_part {
  public:
    explicit application_part(application& whole) : m(whole) {}

    /// Words of the envelope, which travels with a message before the words of its workload.
    static constexpr std::uint32_t own_words = 2;
    std::uint32_t words() const { return own_words + m.m_work->words_with_messages(); }
    void write_words(const message& what, std::uint64_t* words) const;
    void has_left(const message& what);
    std::uint64_t tag_of(const message& what, const std::uint64_t* words);
    /// Counts whose sums over all processes say whether the application is over: `open`, 1 if this part is
    /// not complete; `moving`, 1 if it is not still; `flying`, messages sent here minus messages that came
    /// here (modulo 2^64).
    struct state {
        std::uint64_t open, moving, flying;
    };
    state now() const;
    /// Adds up the results of all processes; rank 0 gets the latencies of all.
    void add_up(world& all);

  private:
    application& m;
};

}  // namespace sare::traffic
