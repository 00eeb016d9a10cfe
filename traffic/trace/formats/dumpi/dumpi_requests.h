// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/formats/dumpi/dumpi_stream.h"

#include <map>
#include <set>

/// The requests that calls of a DUMPI trace complete.
namespace sare::traffic {

/// Returns the requests that a wait or a test has completed, as the process numbers them, in the order of the
/// call's statuses; an empty list for a test that found none, and for any other call.
std::vector<std::int64_t> completed_requests(const dumpi_call& call);

/// Returns true if `s` is the status of a receive from no process. A recording of MPICH has -1 for both
/// MPI_ANY_SOURCE and MPI_PROC_NULL: only the status of the ended receive, if it was recorded, tells them
/// apart.
inline bool is_from_no_process(const dumpi_status& s) {
    return s.source == -1;
}

/// Finds the calls of MPI_Irecv of one process that receive from no process (MPI_PROC_NULL).
class dumpi_null_receives {
  public:
    void see(const dumpi_call& call);  ///< takes the next call of the process
    /// Returns the numbers (dumpi_call::number) of the calls found, and removes them.
    std::set<std::uint64_t> take() { return std::move(m_found); }

  private:
    std::map<std::int64_t, std::uint64_t> m_open;  ///< number of the MPI_Irecv call of each open request that
                                                   ///< names source -1
    std::set<std::uint64_t> m_found;
};

}  // namespace sare::traffic
