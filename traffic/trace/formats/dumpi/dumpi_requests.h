// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/formats/dumpi/dumpi_stream.h"

#include <map>
#include <set>

/// The requests that calls of a DUMPI trace complete.
namespace sare::traffic {

/// Returns the requests that a wait or a test has completed, as the process numbers them, in the order of its
/// statuses.
std::vector<std::int64_t> completed_requests(const dumpi_call& call);

/// True for a receive from no process. A recording of MPICH has -1 for MPI_ANY_SOURCE and for MPI_PROC_NULL:
/// only a status, if one was kept, tells them apart.
inline bool is_from_no_process(const dumpi_status& s) {
    return s.source == -1;
}

/// Finder of the calls of a process that begin receives from no process (MPI_PROC_NULL).
class dumpi_null_receives {
  public:
    void see(const dumpi_call& call);  ///< takes the next call of the process
    std::set<std::uint64_t> take() {
        return std::move(m_found);
    }  ///< moves out the numbers of the calls found

  private:
    std::map<std::int64_t, std::uint64_t> m_open;  ///< call of each open request
    std::set<std::uint64_t> m_found;
};

}  // namespace sare::traffic
