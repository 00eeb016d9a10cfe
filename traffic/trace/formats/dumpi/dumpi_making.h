// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/formats/dumpi/dumpi_stream.h"

#include <map>

/// The calls of a DUMPI trace that make groups, communicators and windows.
namespace sare::traffic {

/// Numbers that every process of a trace has for MPI_COMM_NULL, MPI_COMM_WORLD, MPI_COMM_SELF and
/// MPI_GROUP_EMPTY.
constexpr std::int64_t dumpi_comm_null = 1, dumpi_comm_world = 2, dumpi_comm_self = 3;
constexpr std::int64_t dumpi_group_empty = 2;

/// A call of a process that makes a group, communicator or window. Groups, communicators and windows are
/// named by the numbers that this process has for them.
struct dumpi_making {
    /// The function of MPI; text() returns its name. makes_communicator() depends on the order.
    enum kind : std::uint8_t {
        group_of,  ///< MPI_Comm_group: group of a communicator's members, or of the own side of an
                   ///< intercommunicator
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
    /// Function of MPI.
    kind how = dup;
    std::uint64_t call = 0;           ///< number of the call in the file of its process, from 1
    std::int64_t from = 0, made = 0;  ///< number of the object that the new one is made of (communicator,
                                      ///< group or window), and number of the new object
    std::int64_t other = 0;           ///< union, intersection, difference: second group; create: group;
                                      ///< intercomm_create: peer communicator
    /// Arguments by function. split: color and key as in MPI. intercomm_create: local leader and remote
    /// leader. intercomm_merge: color is `high`. graph: color is the number of nodes. cart and graph: key is
    /// `reorder`.
    std::int64_t color = 0, key = 0;
    std::int64_t tag = 0;  ///< intercomm_create: tag of the call
    /// Incl, excl: ranks; range_incl, range_excl: three numbers (first, last, step) per range; cart: lengths
    /// of the dimensions; cart_sub: for each dimension, 0 if it is dropped.
    std::vector<std::int64_t> list;
    std::int64_t said_rank = -1;  ///< rank in the new communicator that a later MPI_Comm_rank of the process
                                  ///< returned; -1: no such call

    /// Returns true if the call makes a communicator, not a group or a window.
    bool makes_communicator() const { return how >= dup; }
    /// Returns the name of the function and the number of the call, such as "MPI_Comm_dup at call 7".
    std::string text() const;
};
/// Returns true, and sets `making`, if `call` makes a group, communicator or window; else returns false, and
/// `making` has no defined contents.
bool is_making(const dumpi_call& call, dumpi_making& making);

/// Collects the calls of one process that make groups, communicators and windows.
class dumpi_makings {
  public:
    /// Takes the next call of the process: stores it if it makes a group, communicator or window, and stores
    /// the rank that MPI_Comm_rank returns.
    void see(const dumpi_call& call);
    /// Returns the calls stored, in their order, and removes them; call once, at the end (not checked).
    std::vector<dumpi_making> take() { return std::move(m_all); }

  private:
    std::vector<dumpi_making> m_all;
    std::map<std::int64_t, std::size_t> m_latest;  ///< index in m_all of the last call that made a
                                                   ///< communicator with this number
};

}  // namespace sare::traffic
