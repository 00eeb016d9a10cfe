// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/capture/inside.h"
#include "traffic/capture/requests.h"

namespace sare::capture {

/// A collective call as it is written into the trace: one event; or a message for each peer, if the format
/// has no event for the call (only the root of a gatherv knows its sizes; no event is of neighbours).
struct collective_call {
    struct message {
        int peer;            ///< rank of the peer in the trace's group
        std::int64_t bytes;  ///< size of the message
        std::int64_t tag;
    };
    group_pointer on;                      ///< trace's group; null: the call is left out
    std::string event;                     ///< the event; "": messages
    std::vector<message> sends, receives;  ///< messages that this process sends, and receives
    bool among_neighbours = false;         ///< true: a call of MPI_Neighbor_...
};

/// Writes the begin of a call. `beside`: the program goes on meanwhile. The result has names to wait for if
/// `beside` is set or there is more than one event.
operation begin(const collective_call& c, bool beside);
/// Writes a wait for an operation that has names to wait for.
void end(const operation& o);

/// Records a blocking collective around the library's own function. MPICH sends to neighbours as it does for
/// non-blocking calls, where nothing can be seen.
template <class Real>
int blocking(const collective_call& c, const Real& real) {
    if (c.on && shows_inside() && !c.among_neighbours) {
        record().note(c.event.empty() ? "collective" : c.event);
        [[maybe_unused]] const inside_collective lasting;
        return real();
    }
    const operation o = begin(c, record().threaded());
    const int result = real();
    end(o);
    return result;
}

/// Records a non-blocking collective around the library's own function.
template <class Real>
int nonblocking(const collective_call& c, MPI_Request* request, const Real& real) {
    operation o = begin(c, true);
    const int result = real();
    if (o.events != 0) begin_request(*request, std::move(o));
    return result;
}

/// Records the making of a persistent collective around the library's own function.
template <class Real>
int persistent(collective_call c, MPI_Request* request, const Real& real) {
    operation o;
    o.start = [c = std::move(c)](operation& self) {
        const operation next = begin(c, true);
        self.first = next.first;
        self.events = next.events;
    };
    const int result = real();
    begin_request(*request, std::move(o));
    return result;
}

/// Defines MPI_Bcast, MPI_Ibcast and perhaps MPI_Bcast_init; `call` is an expression for the collective_call.
#define SARE_COLLECTIVE(name, iname, call, parameters, arguments)                                  \
    SARE_CALL(name, SARE_LIST(parameters), SARE_LIST(arguments), { return blocking(call, real); }) \
    SARE_CALL(iname, SARE_LIST(parameters, MPI_Request* request), SARE_LIST(arguments, request),   \
              { return nonblocking(call, request, real); })                                        \
    SARE_PERSISTENT(name, SARE_LIST(call), SARE_LIST(parameters), SARE_LIST(arguments))
#if MPI_VERSION >= 4
#define SARE_PERSISTENT(name, call, parameters, arguments)                             \
    SARE_CALL(name##_init, SARE_LIST(parameters, MPI_Info info, MPI_Request* request), \
              SARE_LIST(arguments, info, request), { return persistent(call, request, real); })
#else
#define SARE_PERSISTENT(name, call, parameters, arguments)
#endif

}  // namespace sare::capture
