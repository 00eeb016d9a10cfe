// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/formats/dumpi/dumpi_stream.h"

#include <map>

/// The calls of a DUMPI trace that make groups, communicators and windows.
namespace sare::traffic {

constexpr std::int64_t dumpi_comm_null = 1, dumpi_comm_world = 2, dumpi_comm_self = 3;
constexpr std::int64_t dumpi_group_empty = 2;

/// A call that makes a group, communicator or window. Numbers of these are the ones that its process uses.
struct dumpi_making {
    enum kind : std::uint8_t {
        group_of,  ///< members of a communicator, of an intercommunicator's own side
        remote_group_of,
        window_group,
        group_union,
        group_intersection,
        group_difference,
        group_incl,
        group_excl,
        group_range_incl,
        group_range_excl,
        window,
        // from here on communicators
        dup,
        create,
        split,
        intercomm_create,
        intercomm_merge,
        cart,
        cart_sub,
        graph,
    };
    kind how = dup;
    std::uint64_t call = 0;           ///< number in the file, from 1
    std::int64_t from = 0, made = 0;  ///< object that it is made of, and object that is made
    std::int64_t other = 0;           ///< second group; create: group; intercomm_create: peer communicator
    /// Arguments: split: its own; intercomm_create: leader, remote leader; merge: color = high; graph: color
    /// = nodes; cart, graph: key = reorder.
    std::int64_t color = 0, key = 0;
    std::int64_t tag = 0;            ///< tag of an intercomm_create
    std::vector<std::int64_t> list;  ///< ranks; (first, last, step)s; cart: sizes; cart_sub: 0 if dropped
    std::int64_t said_rank = -1;     ///< rank that MPI_Comm_rank returns later; -1: none

    bool makes_communicator() const { return how >= dup; }
    /// Returns a text such as "MPI_Comm_dup at call 7".
    std::string text() const;
};
/// Returns true, and sets `making`, if a call makes a group, communicator or window.
bool is_making(const dumpi_call& call, dumpi_making& making);

/// Collector of the makings of a process.
class dumpi_makings {
  public:
    void see(const dumpi_call& call);                              ///< takes the next call of the process
    std::vector<dumpi_making> take() { return std::move(m_all); }  ///< moves out all makings, in order

  private:
    std::vector<dumpi_making> m_all;
    std::map<std::int64_t, std::size_t> m_latest;  ///< latest making of a communicator's number
};

}  // namespace sare::traffic
