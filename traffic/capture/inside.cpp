// SPDX-License-Identifier: Apache-2.0
#include "traffic/capture/inside.h"

#include "traffic/capture/requests.h"

#include <cstdlib>
#include <unordered_map>

/// MPICH 4.0's blocking collectives send by a dozen functions, MPIC_*, which stand in an object of their own
/// in libmpich.a; so the linker's --wrap finds all calls. Their declarations are not installed: those here
/// are what the library's code takes.
struct MPIR_Comm;
struct MPIR_Request;

namespace sare::capture {
namespace {

thread_local int collectives = 0;  ///< blocking collectives that this thread is inside of
thread_local int schedules = 0;    ///< schedules of non-blocking ones: their messages go at any call of MPI

bool shown() {
    return collectives > 0 && schedules == 0;
}

/// Returns a communicator's handle, the first member of its structure in MPICH.
MPI_Comm handle_of(const MPIR_Comm* comm) {
    return *reinterpret_cast<const MPI_Comm*>(comm);
}

/// The process that a message goes to, or comes from. Communicators that MPICH has made for itself (the
/// processes of a node, and the first of each node) are not in the trace: for these, the peer is a task.
struct peer {
    int rank = MPI_PROC_NULL;
    std::string on;

    peer(const MPIR_Comm* comm, int mpi_rank) {
        if (mpi_rank == MPI_PROC_NULL) return;
        if (const auto known = group_of(handle_of(comm), false)) {
            rank = known->peer(mpi_rank);
            on = known->on();
            return;
        }
        MPI_Group members = MPI_GROUP_NULL;
        PMPI_Comm_group(handle_of(comm), &members);
        rank = tasks_of(members)[static_cast<std::size_t>(mpi_rank)];
        PMPI_Group_free(&members);
    }
    explicit operator bool() const { return rank != MPI_PROC_NULL; }
};

constexpr std::int64_t own_tag(int tag) {
    return 2 * own_tags + tag;
}

void sent(const peer& to, std::int64_t bytes, int tag) {
    if (to) record().event("send", to.rank, bytes, own_tag(tag), to.on);
}

void received(const peer& from, const MPI_Status& status, int tag) {
    if (from) record().event("recv", from.rank, bytes_of(status), own_tag(tag), from.on);
}

/// Records an exchange: one event if both tags are the same, else a receive beside a send.
void exchanged(const peer& to, std::int64_t bytes, int tag, const peer& from, const MPI_Status& status,
               int got_tag) {
    if (!from) return sent(to, bytes, tag);
    if (!to) return received(from, status, got_tag);
    if (tag == got_tag) {
        record().event("sendrecv", to.rank, bytes, from.rank, bytes_of(status), own_tag(tag), to.on);
        return;
    }
    const std::int64_t name = record().name();
    record().event("irecv", from.rank, bytes_of(status), own_tag(got_tag), name, from.on);
    sent(to, bytes, tag);
    record().event("wait", name);
}

/// Returns the names of operations inside a collective of this thread; sends that end at once are a request.
std::unordered_multimap<const MPIR_Request*, std::int64_t>& open_inside() {
    thread_local std::unordered_multimap<const MPIR_Request*, std::int64_t> all;
    return all;
}

void begun(const char* action, const peer& with, std::int64_t bytes, int tag, const MPIR_Request* request) {
    if (!with) return;
    const std::int64_t name = record().name();
    open_inside().emplace(request, name);
    record().event(action, with.rank, bytes, own_tag(tag), name, with.on);
}

void ended(const MPIR_Request* request) {
    const auto found = open_inside().find(request);
    if (found == open_inside().end()) return;
    record().event("wait", found->second);
    open_inside().erase(found);
}

/// A schedule, as long as it is pushed on.
struct schedule {
    explicit schedule(bool starts) {
        if (starts && shown())
            record().warn(
                "MPICH runs a blocking collective as a non-blocking one; its messages are left out");
        ++schedules;
    }
    ~schedule() { --schedules; }
};

}  // namespace

bool shows_inside() {
    static const bool wanted = std::getenv("SARE_TRACE_INSIDE") != nullptr;
    return wanted;
}

inside_collective::inside_collective() {
    ++collectives;
}

inside_collective::~inside_collective() {
    if (--collectives != 0) return;
    for (const auto& [request, name] : open_inside()) record().event("wait", name);
    open_inside().clear();
}

}  // namespace sare::capture

using namespace sare::capture;

/// Defines MPICH's function, and ours in its place; `parameters` without the message's are the same twice.
#define SARE_INSIDE_CALL(name, parameters, arguments, ...)          \
    extern "C" int __real_##name(parameters);                       \
    extern "C" int __wrap_##name(parameters);                       \
    int __wrap_##name(parameters) {                                 \
        const auto real = [&] { return __real_##name(arguments); }; \
        if (!shown()) return real();                                \
        __VA_ARGS__                                                 \
    }
#define SARE_SENT const void *data, MPI_Aint count, MPI_Datatype type, int to, int tag
#define SARE_GOT void *got, MPI_Aint got_count, MPI_Datatype got_type, int from, int got_tag

#define SARE_INSIDE_SEND(name)                                                  \
    SARE_INSIDE_CALL(name, SARE_LIST(SARE_SENT, MPIR_Comm* comm, void* failed), \
                     SARE_LIST(data, count, type, to, tag, comm, failed), {     \
                         sent(peer(comm, to), bytes_of(count, type), tag);      \
                         return real();                                         \
                     })
SARE_INSIDE_SEND(MPIC_Send)
SARE_INSIDE_SEND(MPIC_Ssend)

#define SARE_INSIDE_ISEND(name)                                                                         \
    SARE_INSIDE_CALL(name, SARE_LIST(SARE_SENT, MPIR_Comm* comm, MPIR_Request** request, void* failed), \
                     SARE_LIST(data, count, type, to, tag, comm, request, failed), {                    \
                         const int result = real();                                                     \
                         begun("isend", peer(comm, to), bytes_of(count, type), tag, *request);          \
                         return result;                                                                 \
                     })
SARE_INSIDE_ISEND(MPIC_Isend)
SARE_INSIDE_ISEND(MPIC_Issend)

SARE_INSIDE_CALL(MPIC_Irecv, SARE_LIST(SARE_GOT, MPIR_Comm* comm, MPIR_Request** request),
                 SARE_LIST(got, got_count, got_type, from, got_tag, comm, request), {
                     const int result = real();
                     begun("irecv", peer(comm, from), bytes_of(got_count, got_type), got_tag, *request);
                     return result;
                 })

SARE_INSIDE_CALL(MPIC_Recv, SARE_LIST(SARE_GOT, MPIR_Comm* comm, MPI_Status* status, void* failed),
                 SARE_LIST(got, got_count, got_type, from, got_tag, comm, status, failed), {
                     statuses came(status, 1);
                     status = came.data();
                     const int result = real();
                     received(peer(comm, from), came[0], got_tag);
                     return result;
                 })

SARE_INSIDE_CALL(
    MPIC_Sendrecv, SARE_LIST(SARE_SENT, SARE_GOT, MPIR_Comm* comm, MPI_Status* status, void* failed),
    SARE_LIST(data, count, type, to, tag, got, got_count, got_type, from, got_tag, comm, status, failed), {
        statuses came(status, 1);
        status = came.data();
        const int result = real();
        exchanged(peer(comm, to), bytes_of(count, type), tag, peer(comm, from), came[0], got_tag);
        return result;
    })

SARE_INSIDE_CALL(MPIC_Sendrecv_replace,
                 SARE_LIST(void* data, MPI_Aint count, MPI_Datatype type, int to, int tag, int from,
                           int got_tag, MPIR_Comm* comm, MPI_Status* status, void* failed),
                 SARE_LIST(data, count, type, to, tag, from, got_tag, comm, status, failed), {
                     statuses came(status, 1);
                     status = came.data();
                     const int result = real();
                     exchanged(peer(comm, to), bytes_of(count, type), tag, peer(comm, from), came[0],
                               got_tag);
                     return result;
                 })

// MPICH lets go of a request here, so that its address may be another's as soon as it returns.
SARE_INSIDE_CALL(MPIC_Wait, SARE_LIST(MPIR_Request* request, void* failed), SARE_LIST(request, failed), {
    const int result = real();
    ended(request);
    return result;
})

SARE_INSIDE_CALL(MPIC_Waitall,
                 SARE_LIST(int count, MPIR_Request* requests[], MPI_Status statuses_of[], void* failed),
                 SARE_LIST(count, requests, statuses_of, failed), {
                     const std::vector<MPIR_Request*> before(requests, requests + count);
                     const int result = real();
                     for (const auto* const request : before) ended(request);
                     return result;
                 })

#define SARE_SCHEDULED(name, starts, parameters, arguments) \
    extern "C" int __real_##name(parameters);               \
    extern "C" int __wrap_##name(parameters);               \
    int __wrap_##name(parameters) {                         \
        const schedule pushed(starts);                      \
        return __real_##name(arguments);                    \
    }
SARE_SCHEDULED(MPIDU_Sched_progress, false, int* made, made)
SARE_SCHEDULED(MPII_Genutil_progress_hook, false, int* made, made)
SARE_SCHEDULED(MPIDU_Sched_start, true, SARE_LIST(void* what, MPIR_Comm* comm, MPIR_Request** request),
               SARE_LIST(what, comm, request))
SARE_SCHEDULED(MPIR_TSP_sched_start, true, SARE_LIST(void* what, MPIR_Comm* comm, MPIR_Request** request),
               SARE_LIST(what, comm, request))
