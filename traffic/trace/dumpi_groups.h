// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/program.h"
#include "traffic/trace/dumpi_stream.h"

#include <deque>
#include <map>

/// The communicators of a DUMPI trace. Every process numbers its own, and says only what it asked for when
/// one was made: who is in it follows from what all of them said.
namespace sare::traffic {

constexpr std::int64_t dumpi_comm_null = 1, dumpi_comm_world = 2, dumpi_comm_self = 3;

/// A call that makes a communicator.
struct dumpi_making {
    enum way : std::uint8_t { dup, split, cart, other } how = other;
    std::int64_t from = 0, made = 0;  ///< numbers in its process
    std::int64_t color = 0, key = 0;  ///< split; cart: how many members, 0
};
/// Whether a call makes one, and how.
bool makes_communicator(const dumpi_call& call, dumpi_making& making);

class dumpi_groups {
  public:
    static constexpr std::uint32_t unknown = ~std::uint32_t{0};

    /// Of all processes what they make, in order.
    explicit dumpi_groups(const std::vector<std::vector<dumpi_making>>& makings);
    /// The communicator that making k of a process gave it: 0 all, unknown where that cannot be told.
    std::uint32_t made(std::uint32_t process, std::size_t k) const { return m_made[process][k]; }
    /// That of a process alone.
    std::uint32_t self(std::uint32_t process);
    const communicator& at(std::uint32_t number) const { return m_all.at(number - 1); }

  private:
    struct state {
        std::map<std::int64_t, std::uint32_t> known;   ///< by number in the process
        std::map<std::uint32_t, std::uint64_t> calls;  ///< made of each so far
    };
    struct meeting {
        std::vector<std::pair<std::uint32_t, const dumpi_making*>> there;  ///< process, what it asked for
    };

    std::uint32_t add(std::vector<std::uint32_t> members);
    std::vector<std::uint32_t> members(std::uint32_t number) const;
    void arrive(std::uint32_t process, const dumpi_making& making);
    void close(std::uint32_t number, const meeting& m);
    void close_split(std::uint32_t number, const meeting& m);
    void give(std::uint32_t process, std::int64_t name, std::uint32_t number);

    std::deque<listed_tasks> m_all;  ///< stay where they are when others are added
    std::map<std::uint32_t, std::uint32_t> m_selves;
    std::vector<std::vector<std::uint32_t>> m_made;
    std::vector<state> m_states;
    std::vector<std::uint32_t> m_ready;  ///< processes that may go on
    std::map<std::pair<std::uint32_t, std::uint64_t>, meeting> m_meetings;
};

}  // namespace sare::traffic
