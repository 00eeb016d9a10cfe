// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/capture/groups.h"

#include <optional>

namespace sare::capture {

/// A receive under way, and the place of its line in the file: source, bytes and tag of its message are
/// written there once they are known.
struct posted_receive {
    std::uint64_t line = 0;       ///< offset of the line in the file
    std::uint64_t arguments = 0;  ///< offset of "source bytes tag" in the file
    std::size_t width = 0;        ///< number of characters of room for "source bytes tag"
    group_pointer on;             ///< group of the receive's communicator
};

/// The operation that a request of MPI stands for.
struct operation {
    std::int64_t first = 0;  ///< name of its first event in the trace
    /// Number of consecutive names, from `first` on, to wait for; 0: nothing to wait for.
    std::size_t events = 0;
    std::uint64_t send_line = 0;  ///< offset in the file of the line of a send, which is overwritten if the
                                  ///< send is cancelled; 0: no send
    /// The receive, if the operation is a receive whose message is not known yet.
    std::optional<posted_receive> receive;
    /// Persistent request: function that writes the events of a new start; else empty.
    std::function<void(operation&)> start;
    /// Function called when the operation has ended, before the wait for it is written; empty: none.
    std::function<void()> ended;
};

/// Stores the operation of a request of MPI.
void begin_request(MPI_Request request, operation what);
/// Starts the operation of a persistent request; called for MPI_Start.
void start_request(MPI_Request request);
/// Writes a wait for the operation of a request, which MPI says has ended with `status`; ignores a request
/// that is not known. `keep`: the request goes on to exist, as a persistent one does.
void end_request(MPI_Request request, const MPI_Status& status, bool keep = false);
/// Forgets a request for whose end nobody will wait; called for MPI_Request_free.
void drop_request(MPI_Request request);
/// Writes a test of a request that had not ended.
void test_request(MPI_Request request);

/// Writes a receive, with room in its line for source, bytes and tag of the message, and returns its
/// operation. `source`: rank in MPI or MPI_ANY_SOURCE; `bytes`: size of the buffer.
operation post_receive(const group_pointer& on, int source, std::int64_t bytes, std::int64_t tag);
/// Writes source, bytes and tag of the message that came into the line of the receive.
void resolve(const posted_receive& receive, const MPI_Status& status);

/// The statuses of `count` requests: the program's own array, or an array of this object if the program gave
/// MPI_STATUS_IGNORE or MPI_STATUSES_IGNORE. The recorder needs them to know the messages that were received.
class statuses {
  public:
    /// `given`: array of the program, MPI_STATUS_IGNORE or MPI_STATUSES_IGNORE; `count`: number of requests.
    statuses(MPI_Status* given, int count)
        : m_own(given == MPI_STATUSES_IGNORE || given == MPI_STATUS_IGNORE ? static_cast<std::size_t>(count)
                                                                           : 0),
          m_at(m_own.empty() ? given : m_own.data()) {}
    /// Returns the array, to be handed to MPI.
    MPI_Status* data() { return m_at; }
    const MPI_Status& operator[](int i) const { return m_at[i]; }  ///< status of request i, from 0

  private:
    std::vector<MPI_Status> m_own;
    MPI_Status* m_at;
};

}  // namespace sare::capture
