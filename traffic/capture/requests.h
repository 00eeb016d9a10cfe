// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/capture/groups.h"

#include <optional>

namespace sare::capture {

/// A receive that goes on, and its place in the file: what came is written there once it is known.
struct posted_receive {
    std::uint64_t line = 0;       ///< offset of the line in the file
    std::uint64_t arguments = 0;  ///< offset of its arguments in the file
    std::size_t width = 0;        ///< characters of "source bytes tag"
    group_pointer on;
};

/// The operation that a request stands for.
struct operation {
    std::int64_t first = 0;       ///< name of its first event
    std::size_t events = 0;       ///< number of names in a row to wait for
    std::uint64_t send_line = 0;  ///< offset of a send's line, to cancel it; 0: no send
    std::optional<posted_receive> receive;
    std::function<void(operation&)> start;  ///< persistent: writes new events; else empty
    std::function<void()> ended;            ///< called at its end, before waits
};

/// Registers a request of MPI and its operation.
void begin_request(MPI_Request request, operation what);
/// Starts a persistent request: MPI_Start.
void start_request(MPI_Request request);
/// Waits in the trace for a request's operation, which MPI says has ended; ignores a handle that is not
/// known. `keep`: MPI still knows the request.
void end_request(MPI_Request request, const MPI_Status& status, bool keep = false);
/// Forgets a request for which nobody will wait: MPI_Request_free.
void drop_request(MPI_Request request);
/// Records a request that was tested in vain.
void test_request(MPI_Request request);

/// Writes a receive, leaving room for the values that are not known yet.
operation post_receive(const group_pointer& on, int source, std::int64_t bytes, std::int64_t tag);
/// Writes the source, size and tag of what came into the receive's line.
void resolve(const posted_receive& receive, const MPI_Status& status);

/// A place for statuses that the program does not want: they say what a receive has got.
class statuses {
  public:
    statuses(MPI_Status* given, int count)
        : m_own(given == MPI_STATUSES_IGNORE || given == MPI_STATUS_IGNORE ? static_cast<std::size_t>(count)
                                                                           : 0),
          m_at(m_own.empty() ? given : m_own.data()) {}
    MPI_Status* data() { return m_at; }
    const MPI_Status& operator[](int i) const { return m_at[i]; }

  private:
    std::vector<MPI_Status> m_own;
    MPI_Status* m_at;
};

}  // namespace sare::capture
