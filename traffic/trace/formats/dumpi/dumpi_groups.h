// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/program.h"
#include "traffic/trace/formats/dumpi/dumpi_making.h"

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <tuple>

/// The communicators of a DUMPI trace. In the trace every process numbers its own communicators, and has only
/// the arguments of the call that made one: the members follow from the calls of all processes.
namespace sare::traffic {

class dumpi_groups {
  public:
    static constexpr std::uint32_t unknown = ~std::uint32_t{0};
    using members = std::vector<std::uint32_t>;  ///< processes by rank

    /// A communicator that a call gave a process.
    struct given {
        /// Number for at(); 0: all processes; unknown: MPI_COMM_NULL, or it cannot be found out (see `why`).
        std::uint32_t number = unknown;
        std::string why;  ///< reason why it is unknown
    };
    /// A communicator.
    struct entry {
        listed_tasks all;  ///< its processes; of an intercommunicator: of the first side, then the other
        std::uint32_t first_side = 0;  ///< number of processes on the first side; 0: no intercommunicator
        std::array<std::uint32_t, 2> sides = {0, 0};     ///< communicators of the two sides alone
        std::optional<std::vector<std::uint32_t>> grid;  ///< lengths of a Cartesian communicator
    };

    /// `makings`: calls of each process that make groups, communicators and windows, in order.
    explicit dumpi_groups(const std::vector<std::vector<dumpi_making>>& makings);
    /// Returns the communicator that call k of the makings of a process gave it; unknown if it makes none.
    const given& made(std::uint32_t process, std::size_t k) const { return m_made[process][k]; }
    /// Returns the number of the communicator of a process alone (MPI_COMM_SELF).
    std::uint32_t self(std::uint32_t process) const { return process + 1; }
    /// Returns a communicator by its number, from 1.
    const entry& at(std::uint32_t number) const { return m_all.at(number - 1); }

  private:
    struct given_group {
        const members* processes = nullptr;  ///< members; null if they cannot be told
        std::string why;
    };
    struct state {
        std::map<std::int64_t, given> communicators;  ///< communicators by number in the process
        std::map<std::int64_t, given_group> groups;
        std::map<std::int64_t, std::int64_t> windows;  ///< communicator of each window
        std::map<std::uint32_t, std::uint64_t> calls;  ///< number of calls so far, by communicator
    };
    using arrival = std::pair<std::uint32_t, const dumpi_making*>;
    /// The calls of several processes that make one communicator.
    struct meeting {
        std::uint32_t from = 0;
        std::vector<arrival> there;
    };
    using side_key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::int64_t>;

    // who waits for whom
    void arrive(std::uint32_t process, const dumpi_making& making);
    void join(std::uint32_t process, const dumpi_making& making, std::uint32_t from);
    void close(const meeting& m);
    void give(const arrival& to, std::uint32_t number, const std::string& why = "");
    void give_all(const meeting& m, std::uint32_t number, const std::string& why = "");
    void give_unknown(const meeting& m, const std::string& why) { give_all(m, unknown, why); }
    void report_waiting(const std::vector<std::vector<dumpi_making>>& makings);
    std::uint32_t add(members processes);
    std::uint32_t add(members one, members other);
    members all_of(std::uint32_t number) const;
    std::array<members, 2> sides_of(std::uint32_t number) const;
    bool is_between(std::uint32_t number) const { return number != 0 && at(number).first_side != 0; }
    given communicator_of(std::uint32_t process, std::int64_t name) const;

    // dumpi_making_groups.cpp
    void make_group(std::uint32_t process, const dumpi_making& making);
    given_group group_of(std::uint32_t process, std::int64_t name) const;
    given_group group_from(std::uint32_t process, const dumpi_making& making);
    given_group side_group(std::uint32_t process, std::int64_t communicator, bool remote);
    given_group of_two(const members& a, const members& b, dumpi_making::kind how);
    given_group of_ranks(const members& old, const std::vector<std::int64_t>& ranks, bool inside);
    const members* keep(members processes) { return &*m_lists.insert(std::move(processes)).first; }

    // communicators that a meeting makes
    using part = std::map<std::int64_t, std::vector<arrival>>;
    void close_dup(const meeting& m);
    void close_create(const meeting& m);
    std::string wrong_with(const members& group, const std::map<std::uint32_t, const members*>& named) const;
    void close_create_between(const meeting& m, const std::map<std::uint32_t, const members*>& named);
    void close_split(const meeting& m);
    void close_cart(const meeting& m);
    void close_sub(const meeting& m);
    void close_graph(const meeting& m);
    void close_merge(const meeting& m);
    void close_side(const meeting& m);
    members first_of(const meeting& m, std::uint64_t count) const;

    std::deque<entry> m_all;  ///< communicators; they stay where they are when others are added
    std::vector<std::vector<given>> m_made;
    std::vector<state> m_states;
    std::vector<std::uint32_t> m_ready;  ///< processes that may go on
    std::map<std::pair<std::uint32_t, std::uint64_t>, meeting> m_meetings;
    std::map<side_key, meeting> m_sides;  ///< sides of intercommunicators that wait for the other side
    std::set<members> m_lists;            ///< members of groups, which many processes share
};

}  // namespace sare::traffic
