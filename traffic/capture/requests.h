// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/capture/groups.h"

#include <optional>

namespace sare::capture {

/// A receive that goes on, and where it stands: its source, tag and size are what came, as soon as that is
/// known.
struct posted_receive {
    std::uint64_t line = 0;       ///< offset of the line in the file
    std::uint64_t arguments = 0;  ///< offset of its arguments in the line
    std::size_t width = 0;        ///< characters of source, bytes and tag
    group_pointer on;
};

/// What a request stands for.
struct operation {
    std::int64_t first = 0;       ///< name of its first event
    std::size_t events = 0;       ///< names in a row that are to be waited for
    std::uint64_t send_line = 0;  ///< offset of the line of a send, which may be cancelled
    std::optional<posted_receive> receive;
    std::function<void(operation&)> start;  ///< a persistent one: writes its events anew
    std::function<void()> ended;            ///< what else is to be done at its end
};

/// Requests of MPI have become operations.
void begin_request(MPI_Request request, operation what);
/// MPI_Start.
void start_request(MPI_Request request);
/// MPI has said so; the operation is waited for in the trace. A handle that is not known is none of ours.
/// `keep`: MPI knows the request still.
void end_request(MPI_Request request, const MPI_Status& status, bool keep = false);
/// MPI_Request_free: nobody will wait for it.
void drop_request(MPI_Request request);
/// A request that was tested in vain.
void test_request(MPI_Request request);

/// Writes a receive, leaving room for what is not known yet.
operation post_receive(const group_pointer& on, int source, std::int64_t bytes, std::int64_t tag);
/// Puts into its line what came.
void resolve(const posted_receive& receive, const MPI_Status& status);

/// Where the program wants no status, a place for one: it says what a receive has got.
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
