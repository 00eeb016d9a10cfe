// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/application/application.h"

namespace sare::traffic {

/// What a process has of an application that several run: its tasks here, and messages that come from or go
/// to tasks elsewhere.
class application_part {
  public:
    explicit application_part(application& whole) : m(whole) {}

    /// What goes with a message: its envelope, then what its workload says.
    static constexpr std::uint32_t own_words = 2;
    std::uint32_t words() const { return own_words + m.m_work->words_with_messages(); }
    void write_words(const message& what, std::uint64_t* words) const;
    void has_left(const message& what);
    std::uint64_t tag_of(const message& what, const std::uint64_t* words);
    /// Sums over all processes say when it is over: parts that are open, that are not still, and messages
    /// that are in the network (modulo 2^64).
    struct state {
        std::uint64_t open, moving, flying;
    };
    state now() const;
    /// Rank 0 gets the latencies of all.
    void add_up(world& all);

  private:
    application& m;
};

}  // namespace sare::traffic
