// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/formats/dumpi/dumpi_stream.h"

#include <map>
#include <set>

/// What the completions of a DUMPI trace tell of its requests.
namespace sare::traffic {

/// The requests that a wait or a test has found complete, as their process numbers them, in the order of the
/// statuses.
std::vector<std::int64_t> completed_requests(const dumpi_call& call);

/// A recording of MPICH has -1 for MPI_ANY_SOURCE and for MPI_PROC_NULL: only a status, where one was kept,
/// tells a receive from no process.
inline bool is_from_no_process(const dumpi_status& s) {
    return s.source == -1;
}

/// The calls of a process that begin such receives.
class dumpi_null_receives {
  public:
    void see(const dumpi_call& call);
    std::set<std::uint64_t> take() { return std::move(m_found); }

  private:
    std::map<std::int64_t, std::uint64_t> m_open;  ///< the call by the request
    std::set<std::uint64_t> m_found;
};

}  // namespace sare::traffic
