// SPDX-License-Identifier: Apache-2.0
#include "traffic/capture/collectives.h"

/// Collectives of all processes of a communicator.
namespace sare::capture {

operation begin(const collective_call& c, bool beside) {
    operation o;
    if (!c.on) return o;
    const std::string on = c.on->on();
    if (!c.event.empty()) {
        if (beside) {
            o.first = record().name();
            o.events = 1;
        }
        record().event(c.event, on, beside ? "name=" + std::to_string(o.first) : "");
        return o;
    }
    o.events = c.sends.size() + c.receives.size();
    o.first = record().name(o.events);
    std::int64_t name = o.first;
    for (const auto& m : c.receives) record().event("irecv", m.peer, m.bytes, own_tags + m.tag, name++, on);
    for (const auto& m : c.sends) record().event("isend", m.peer, m.bytes, own_tags + m.tag, name++, on);
    return o;
}

void end(const operation& o) {
    for (std::size_t i = 0; i < o.events; ++i) record().event("wait", o.first + static_cast<std::int64_t>(i));
}

namespace {

/// Returns the group of a communicator of one group; the format has no collectives of two.
group_pointer all_of(MPI_Comm comm) {
    auto on = group_of(comm);
    if (on && on->inter) {
        record().warn("a collective call on an intercommunicator is left out");
        return nullptr;
    }
    return on;
}

template <class... Numbers>
collective_call whole(MPI_Comm comm, std::string action, Numbers... numbers) {
    ((action += ' ' + std::to_string(numbers)), ...);
    return {all_of(comm), std::move(action), {}, {}, false};
}

/// Returns the bytes of every task; `type` may be one for all.
std::string list(const int* counts, const MPI_Datatype* types, bool same_type, int size) {
    std::string text;
    for (int i = 0; i < size; ++i)
        text += ' ' + std::to_string(bytes_of(counts[i], types[same_type ? 0 : i]));
    return text;
}

collective_call allgatherv(const int* counts, MPI_Datatype type, MPI_Comm comm) {
    const auto on = all_of(comm);
    if (!on) return {};
    return {on, "allgatherv" + list(counts, &type, true, on->size), {}, {}, false};
}

collective_call reduce_scatter(const int* counts, MPI_Datatype type, MPI_Comm comm) {
    const auto on = all_of(comm);
    if (!on) return {};
    return {on, "reduce_scatter" + list(counts, &type, true, on->size), {}, {}, false};
}

collective_call reduce_scatter_block(int count, MPI_Datatype type, MPI_Comm comm) {
    const auto on = all_of(comm);
    if (!on) return {};
    const std::vector<int> counts(static_cast<std::size_t>(on->size), count);
    return reduce_scatter(counts.data(), type, comm);
}

/// Returns the call of alltoallv, or of alltoallw with a type for every task; in place, as much is sent as is
/// received.
collective_call alltoallv(const void* data, const int* counts, const MPI_Datatype* types,
                          const int* got_counts, const MPI_Datatype* got_types, bool same_type,
                          MPI_Comm comm) {
    const auto on = all_of(comm);
    if (!on) return {};
    const bool in_place = data == MPI_IN_PLACE;
    return {on,
            "alltoallv" +
                list(in_place ? got_counts : counts, in_place ? got_types : types, same_type, on->size) +
                list(got_counts, got_types, same_type, on->size),
            {},
            {},
            false};
}

/// Returns a call with a block of gather or scatter: the root says the one side, the others the other.
collective_call rooted(const char* action, int root, MPI_Comm comm, std::int64_t at_root,
                       std::int64_t elsewhere) {
    const auto on = all_of(comm);
    if (!on) return {};
    return whole(comm, action, root, on->rank == root ? at_root : elsewhere);
}

/// Returns the others' messages with the root, which alone has `counts`; empty ones are not sent.
std::vector<collective_call::message> with_others(const group& on, const int* counts, MPI_Datatype type) {
    std::vector<collective_call::message> all;
    for (int r = 0; r < on.size; ++r)
        if (r != on.rank && counts[r] != 0) all.push_back({r, bytes_of(counts[r], type), 0});
    return all;
}

std::vector<collective_call::message> with_root(int root, std::int64_t bytes) {
    if (bytes == 0) return {};
    return {{root, bytes, 0}};
}

collective_call gatherv(int count, MPI_Datatype type, const int* got_counts, MPI_Datatype got_type, int root,
                        MPI_Comm comm) {
    collective_call c;
    c.on = all_of(comm);
    if (!c.on) return c;
    if (c.on->rank == root)
        c.receives = with_others(*c.on, got_counts, got_type);
    else
        c.sends = with_root(root, bytes_of(count, type));
    return c;
}

collective_call scatterv(const int* counts, MPI_Datatype type, int got_count, MPI_Datatype got_type, int root,
                         MPI_Comm comm) {
    collective_call c;
    c.on = all_of(comm);
    if (!c.on) return c;
    if (c.on->rank == root)
        c.sends = with_others(*c.on, counts, type);
    else
        c.receives = with_root(root, bytes_of(got_count, got_type));
    return c;
}

}  // namespace
}  // namespace sare::capture

using namespace sare::capture;

SARE_COLLECTIVE(Barrier, Ibarrier, whole(comm, "barrier"), SARE_LIST(MPI_Comm comm), SARE_LIST(comm))

SARE_COLLECTIVE(Bcast, Ibcast, SARE_LIST(whole(comm, "bcast", root, bytes_of(count, type))),
                SARE_LIST(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm),
                SARE_LIST(data, count, type, root, comm))

SARE_COLLECTIVE(Reduce, Ireduce, SARE_LIST(whole(comm, "reduce", root, bytes_of(count, type))),
                SARE_LIST(const void* data, void* got, int count, MPI_Datatype type, MPI_Op op, int root,
                          MPI_Comm comm),
                SARE_LIST(data, got, count, type, op, root, comm))

#define SARE_REDUCTION(name, iname, action)                                                             \
    SARE_COLLECTIVE(                                                                                    \
        name, iname, SARE_LIST(whole(comm, action, bytes_of(count, type))),                             \
        SARE_LIST(const void* data, void* got, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), \
        SARE_LIST(data, got, count, type, op, comm))
SARE_REDUCTION(Allreduce, Iallreduce, "allreduce")
SARE_REDUCTION(Scan, Iscan, "scan")
SARE_REDUCTION(Exscan, Iexscan, "exscan")

SARE_COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block, reduce_scatter_block(count, type, comm),
                SARE_LIST(const void* data, void* got, int count, MPI_Datatype type, MPI_Op op,
                          MPI_Comm comm),
                SARE_LIST(data, got, count, type, op, comm))

SARE_COLLECTIVE(Reduce_scatter, Ireduce_scatter, reduce_scatter(counts, type, comm),
                SARE_LIST(const void* data, void* got, const int counts[], MPI_Datatype type, MPI_Op op,
                          MPI_Comm comm),
                SARE_LIST(data, got, counts, type, op, comm))

#define SARE_BLOCKS \
    const void *data, int count, MPI_Datatype type, void *got, int got_count, MPI_Datatype got_type

#define SARE_ALL_BLOCKS(name, iname, action)                                                    \
    SARE_COLLECTIVE(name, iname, SARE_LIST(whole(comm, action, bytes_of(got_count, got_type))), \
                    SARE_LIST(SARE_BLOCKS, MPI_Comm comm),                                      \
                    SARE_LIST(data, count, type, got, got_count, got_type, comm))
SARE_ALL_BLOCKS(Allgather, Iallgather, "allgather")
SARE_ALL_BLOCKS(Alltoall, Ialltoall, "alltoall")

SARE_COLLECTIVE(Gather, Igather,
                SARE_LIST(rooted("gather", root, comm, bytes_of(got_count, got_type), bytes_of(count, type))),
                SARE_LIST(SARE_BLOCKS, int root, MPI_Comm comm),
                SARE_LIST(data, count, type, got, got_count, got_type, root, comm))

SARE_COLLECTIVE(Scatter, Iscatter,
                SARE_LIST(rooted("scatter", root, comm, bytes_of(count, type),
                                 bytes_of(got_count, got_type))),
                SARE_LIST(SARE_BLOCKS, int root, MPI_Comm comm),
                SARE_LIST(data, count, type, got, got_count, got_type, root, comm))

SARE_COLLECTIVE(Gatherv, Igatherv, gatherv(count, type, got_counts, got_type, root, comm),
                SARE_LIST(const void* data, int count, MPI_Datatype type, void* got, const int got_counts[],
                          const int got_at[], MPI_Datatype got_type, int root, MPI_Comm comm),
                SARE_LIST(data, count, type, got, got_counts, got_at, got_type, root, comm))

SARE_COLLECTIVE(Scatterv, Iscatterv, scatterv(counts, type, got_count, got_type, root, comm),
                SARE_LIST(const void* data, const int counts[], const int at[], MPI_Datatype type, void* got,
                          int got_count, MPI_Datatype got_type, int root, MPI_Comm comm),
                SARE_LIST(data, counts, at, type, got, got_count, got_type, root, comm))

SARE_COLLECTIVE(Allgatherv, Iallgatherv, allgatherv(got_counts, got_type, comm),
                SARE_LIST(const void* data, int count, MPI_Datatype type, void* got, const int got_counts[],
                          const int got_at[], MPI_Datatype got_type, MPI_Comm comm),
                SARE_LIST(data, count, type, got, got_counts, got_at, got_type, comm))

SARE_COLLECTIVE(Alltoallv, Ialltoallv,
                SARE_LIST(alltoallv(data, counts, &type, got_counts, &got_type, true, comm)),
                SARE_LIST(const void* data, const int counts[], const int at[], MPI_Datatype type, void* got,
                          const int got_counts[], const int got_at[], MPI_Datatype got_type, MPI_Comm comm),
                SARE_LIST(data, counts, at, type, got, got_counts, got_at, got_type, comm))

SARE_COLLECTIVE(Alltoallw, Ialltoallw,
                SARE_LIST(alltoallv(data, counts, types, got_counts, got_types, false, comm)),
                SARE_LIST(const void* data, const int counts[], const int at[], const MPI_Datatype types[],
                          void* got, const int got_counts[], const int got_at[],
                          const MPI_Datatype got_types[], MPI_Comm comm),
                SARE_LIST(data, counts, at, types, got, got_counts, got_at, got_types, comm))
