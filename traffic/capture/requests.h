// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/capture/groups.h"

#include <optional>

namespace sare::capture {

/// A receive that goes on, and its place in the file: source, bytes and tag of the message are written there
/// once they are known.
struct posted_receive {
    std::uint64_t line = 0;       ///< offset of the line in the file
    std::uint64_t arguments = 0;  ///< offset of "source bytes tag" in the file
    std::size_t width = 0;        ///< number of characters that "source bytes tag" has room for
    group_pointer on;             ///< group of its communicator
};

/// The operation that a request stands for.
struct operation {
    std::int64_t first = 0;       ///< name of its first event
    std::size_t events = 0;       ///< number of names in a row to wait for
    std::uint64_t send_line = 0;  ///< offset of a send's line, to cancel it; 0: no send
    std::optional<posted_receive> receive;
    std::function<void(operation&)> start;  ///< writes new events of a persistent request; else empty
    std::function<void()> ended;            ///< called when it has ended, before its wait is written
};

/// Registers a request of MPI and its operation.
void begin_request(MPI_Request request, operation what);
/// Starts a persistent request: MPI_Start.
void start_request(MPI_Request request);
/// Writes a wait for the operation of a request, which has ended according to MPI; ignores a handle that is
/// not known. `keep`: MPI still knows the request.
void end_request(MPI_Request request, const MPI_Status& status, bool keep = false);
/// Forgets a request for which nobody will wait: MPI_Request_free.
void drop_request(MPI_Request request);
/// Writes that a request was tested and had not ended.
void test_request(MPI_Request request);

/// Writes a receive, leaving room for the values that are not known yet.
operation post_receive(const group_pointer& on, int source, std::int64_t bytes, std::int64_t tag);
/// Writes the source, size and tag of the message that came into the receive's line.
void resolve(const posted_receive& receive, const MPI_Status& status);

/// Statuses of `count` requests: the program's array, or, if it gave MPI_STATUS(ES)_IGNORE, an array of its
/// own, since they are needed to know the messages that receives got.
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
