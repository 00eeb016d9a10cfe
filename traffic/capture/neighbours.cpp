// SPDX-License-Identifier: Apache-2.0
#include "traffic/capture/collectives.h"

/// Collectives among neighbours in a topology: messages, as each process has its own.
namespace sare::capture {
namespace {

struct neighbours {
    std::vector<int> from, to;  ///< ranks; MPI_PROC_NULL where there is none
    bool grid = false;

    /// Returns the tag by which a message meets the right one of several between the same two: on a grid,
    /// what goes up comes from below. In a graph, edges of the same two are in the same order at both.
    std::int64_t sent_tag(std::size_t i) const { return grid ? static_cast<std::int64_t>(i ^ 1U) : 0; }
    std::int64_t received_tag(std::size_t i) const { return grid ? static_cast<std::int64_t>(i) : 0; }
};

neighbours on_grid(MPI_Comm comm) {
    neighbours n;
    n.grid = true;
    int dims = 0;
    PMPI_Cartdim_get(comm, &dims);
    for (int d = 0; d < dims; ++d) {
        int below = 0;
        int above = 0;
        PMPI_Cart_shift(comm, d, 1, &below, &above);
        n.from.insert(n.from.end(), {below, above});
    }
    n.to = n.from;
    return n;
}

neighbours in_graph(MPI_Comm comm, int rank) {
    neighbours n;
    int count = 0;
    PMPI_Graph_neighbors_count(comm, rank, &count);
    n.from.resize(static_cast<std::size_t>(count));
    PMPI_Graph_neighbors(comm, rank, count, n.from.data());
    n.to = n.from;
    return n;
}

neighbours in_distributed_graph(MPI_Comm comm) {
    neighbours n;
    int in = 0;
    int out = 0;
    int weighted = 0;
    PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    n.from.resize(static_cast<std::size_t>(in));
    n.to.resize(static_cast<std::size_t>(out));
    std::vector<int> in_weights(n.from.size()), out_weights(n.to.size());
    PMPI_Dist_graph_neighbors(comm, in, n.from.data(), in_weights.data(), out, n.to.data(),
                              out_weights.data());
    return n;
}

neighbours neighbours_of(MPI_Comm comm, int rank) {
    int topology = MPI_UNDEFINED;
    PMPI_Topo_test(comm, &topology);
    if (topology == MPI_CART) return on_grid(comm);
    if (topology == MPI_GRAPH) return in_graph(comm, rank);
    return topology == MPI_DIST_GRAPH ? in_distributed_graph(comm) : neighbours();
}

/// Returns an exchange; `sent`(i) and `received`(i) give the bytes to and from neighbour i.
template <class Sent, class Received>
collective_call exchange_of(MPI_Comm comm, const Sent& sent, const Received& received) {
    collective_call c;
    c.among_neighbours = true;
    c.on = group_of(comm);
    if (!c.on) return c;
    const neighbours n = neighbours_of(comm, c.on->rank);
    for (std::size_t i = 0; i < n.from.size(); ++i)
        if (n.from[i] != MPI_PROC_NULL) c.receives.push_back({n.from[i], received(i), n.received_tag(i)});
    for (std::size_t i = 0; i < n.to.size(); ++i)
        if (n.to[i] != MPI_PROC_NULL) c.sends.push_back({n.to[i], sent(i), n.sent_tag(i)});
    return c;
}

auto alike(int count, MPI_Datatype type) {
    return [=](std::size_t) { return bytes_of(count, type); };
}
auto listed(const int* counts, MPI_Datatype type) {
    return [=](std::size_t i) { return bytes_of(counts[i], type); };
}
auto typed(const int* counts, const MPI_Datatype* types) {
    return [=](std::size_t i) { return bytes_of(counts[i], types[i]); };
}

}  // namespace
}  // namespace sare::capture

using namespace sare::capture;

#define SARE_ALIKE(name, iname)                                                                         \
    SARE_COLLECTIVE(name, iname,                                                                        \
                    SARE_LIST(exchange_of(comm, alike(count, type), alike(got_count, got_type))),       \
                    SARE_LIST(const void* data, int count, MPI_Datatype type, void* got, int got_count, \
                              MPI_Datatype got_type, MPI_Comm comm),                                    \
                    SARE_LIST(data, count, type, got, got_count, got_type, comm))
SARE_ALIKE(Neighbor_allgather, Ineighbor_allgather)
SARE_ALIKE(Neighbor_alltoall, Ineighbor_alltoall)

SARE_COLLECTIVE(Neighbor_allgatherv, Ineighbor_allgatherv,
                SARE_LIST(exchange_of(comm, alike(count, type), listed(got_counts, got_type))),
                SARE_LIST(const void* data, int count, MPI_Datatype type, void* got, const int got_counts[],
                          const int got_at[], MPI_Datatype got_type, MPI_Comm comm),
                SARE_LIST(data, count, type, got, got_counts, got_at, got_type, comm))

SARE_COLLECTIVE(Neighbor_alltoallv, Ineighbor_alltoallv,
                SARE_LIST(exchange_of(comm, listed(counts, type), listed(got_counts, got_type))),
                SARE_LIST(const void* data, const int counts[], const int at[], MPI_Datatype type, void* got,
                          const int got_counts[], const int got_at[], MPI_Datatype got_type, MPI_Comm comm),
                SARE_LIST(data, counts, at, type, got, got_counts, got_at, got_type, comm))

SARE_COLLECTIVE(Neighbor_alltoallw, Ineighbor_alltoallw,
                SARE_LIST(exchange_of(comm, typed(counts, types), typed(got_counts, got_types))),
                SARE_LIST(const void* data, const int counts[], const MPI_Aint at[],
                          const MPI_Datatype types[], void* got, const int got_counts[],
                          const MPI_Aint got_at[], const MPI_Datatype got_types[], MPI_Comm comm),
                SARE_LIST(data, counts, at, types, got, got_counts, got_at, got_types, comm))
