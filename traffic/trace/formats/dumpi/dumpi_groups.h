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

namespace sare::traffic {

/// The communicators of a DUMPI trace. In the trace every process numbers its own communicators, and has only
/// the arguments of the call that made one. The members follow from the calls of all processes together; this
/// class works them out. Here communicators are numbered from 1, for all processes alike.
class dumpi_groups {
  public:
    /// Number that stands for a communicator without known members.
    static constexpr std::uint32_t unknown = ~std::uint32_t{0};
    using members = std::vector<std::uint32_t>;  ///< processes by rank

    /// The result of a process's call that makes a communicator.
    struct given {
        /// Number of the communicator, for at(); 0: all processes (MPI_COMM_WORLD); unknown: MPI_COMM_NULL,
        /// or a communicator whose members cannot be found out; `why` says which.
        std::uint32_t number = unknown;
        std::string why;  ///< reason for `unknown`, for an error text; else empty
    };
    /// A communicator with its members.
    struct entry {
        listed_tasks all;  ///< its processes by rank; for an intercommunicator, processes of the first side,
                           ///< then of the other
        /// Number of processes on the first side of an intercommunicator; 0: no intercommunicator.
        std::uint32_t first_side = 0;
        std::array<std::uint32_t, 2> sides = {0, 0};  ///< intercommunicator: numbers of the two communicators
                                                      ///< that have the processes of one side each; else 0
        std::optional<std::vector<std::uint32_t>> grid;  ///< lengths of the dimensions of a Cartesian
                                                         ///< communicator; empty for any other
    };

    /// Finds out the members of all communicators. `makings`: for each process, its calls that make groups,
    /// communicators and windows, in their order.
    explicit dumpi_groups(const std::vector<std::vector<dumpi_making>>& makings);
    /// Returns the result of call `k`, from 0, of the makings of a process; given::number is `unknown` if the
    /// call makes no communicator.
    const given& made(std::uint32_t process, std::size_t k) const { return m_made[process][k]; }
    /// Returns the number of the communicator that has only this process (MPI_COMM_SELF).
    std::uint32_t self(std::uint32_t process) const { return process + 1; }
    /// Returns the communicator with a number from 1 on. Throws std::out_of_range if there is none.
    const entry& at(std::uint32_t number) const { return m_all.at(number - 1); }

  private:
    /// A group of MPI in one process.
    struct given_group {
        const members* processes = nullptr;  ///< its processes by rank; null if they cannot be found out
        /// Reason why `processes` is null.
        std::string why;
    };
    /// Objects that one process has made so far, by the numbers that the process uses itself.
    struct state {
        std::map<std::int64_t, given> communicators;  ///< its communicators
        std::map<std::int64_t, given_group> groups;
        std::map<std::int64_t, std::int64_t> windows;  ///< communicator of each window, by the process's
                                                       ///< numbers
        std::map<std::uint32_t, std::uint64_t> calls;  ///< number of calls so far that make a communicator
                                                       ///< from another one, by the number of the other one
    };
    /// A process and its call.
    using arrival = std::pair<std::uint32_t, const dumpi_making*>;
    /// The calls of several processes that together make one or more communicators out of communicator
    /// `from`.
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

    std::deque<entry> m_all;  ///< communicators by number - 1; a deque, so that their addresses stay valid
                              ///< when others are added
    /// Result of each making, by process.
    std::vector<std::vector<given>> m_made;
    std::vector<state> m_states;
    std::vector<std::uint32_t> m_ready;  ///< processes that do not wait for another process
    /// Calls that wait for other processes, by communicator and by the number of such calls before.
    std::map<std::pair<std::uint32_t, std::uint64_t>, meeting> m_meetings;
    std::map<side_key, meeting> m_sides;  ///< sides of intercommunicators whose other side has not called yet
    std::set<members> m_lists;  ///< lists of the processes of groups, each stored once for all processes that
                                ///< have such a group
};

}  // namespace sare::traffic
