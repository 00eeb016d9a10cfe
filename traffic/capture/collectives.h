// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/capture/inside.h"
#include "traffic/capture/requests.h"

namespace sare::capture {

/// A collective call as it is written into the trace: one event; or messages to and from other processes, if
/// the format has no event for the call (gatherv: only the root knows all sizes; calls of MPI_Neighbor_...).
struct collective_call {
    /// A message of a call that is written as messages; end() waits for all of them.
    struct message {
        int peer;            ///< rank of the other process in the trace's group
        std::int64_t bytes;  ///< bytes of the message
        std::int64_t tag;    ///< tag, from 0, to which own_tags is added
    };
    group_pointer on;   ///< group whose processes take part; null: the call is not recorded
    std::string event;  ///< words of the event, such as "bcast 0 100"; empty: the call is written as messages
    std::vector<message> sends, receives;  ///< messages that this process sends, and receives, if `event` is
                                           ///< empty
    bool among_neighbours = false;         ///< true: a call of MPI_Neighbor_...
};

/// Writes the begin of a call. `beside`: the program goes on while the call runs. The result has names for
/// end() to wait for if `beside` is true or the call is more than one event; else end() does nothing.
operation begin(const collective_call& c, bool beside);
/// Writes a wait for each name that begin() gave the operation; nothing if it has none.
void end(const operation& o);

/// Records a blocking collective and calls `real`, the library's own function, whose result it returns. Where
/// messages inside collectives are recorded (shows_inside()), the messages are written instead of the call,
/// except for calls of MPI_Neighbor_..., which MPICH carries out as non-blocking ones.
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

/// Records a non-blocking collective and calls `real`, the library's own function, whose result it returns.
/// `request`: the request that the function makes.
template <class Real>
int nonblocking(const collective_call& c, MPI_Request* request, const Real& real) {
    operation o = begin(c, true);
    const int result = real();
    if (o.events != 0) begin_request(*request, std::move(o));
    return result;
}

/// Calls `real`, the library's own function that makes a persistent collective, and returns its result; from
/// then on each start of `request` is recorded as a non-blocking call.
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

/// Defines MPI_NAME, MPI_INAME and, from MPI 4.0 on, MPI_NAME_init as recording functions. `call`: expression
/// for the collective_call; `parameters`, `arguments`: parameters of MPI_NAME, and their names for a call.
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
