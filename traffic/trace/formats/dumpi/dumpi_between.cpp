// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/formats/dumpi/dumpi_process.h"

#include <fmt/format.h>

/// Collectives of intercommunicators, as messages between both sides and collectives in each.
namespace sare::traffic {

using fn = dumpi_function;

namespace {

constexpr std::int64_t leaders_tag = -1003, between_tag = -1004;  ///< tags of messages written out here

/// Index of the communicator in a collective's record, and the name of one that is not replayed between two
/// sides: of those with a root, MPI_ROOT and MPI_PROC_NULL are the same number in a recording of Open MPI.
struct between_call {
    fn function;
    std::size_t communicator;
    const char* refused;
};
constexpr between_call calls[] = {
    {fn::barrier, 0, nullptr},       {fn::allreduce, 3, nullptr},
    {fn::allgather, 4, nullptr},     {fn::allgatherv, 4, nullptr},
    {fn::alltoall, 4, nullptr},      {fn::alltoallv, 3, nullptr},
    {fn::alltoallw, 1, nullptr},     {fn::bcast, 3, "MPI_Bcast"},
    {fn::gather, 4, "MPI_Gather"},   {fn::gatherv, 5, "MPI_Gatherv"},
    {fn::scatter, 4, "MPI_Scatter"}, {fn::scatterv, 6, "MPI_Scatterv"},
    {fn::reduce, 4, "MPI_Reduce"},   {fn::reduce_scatter, 3, "MPI_Reduce_scatter"},
    {fn::scan, 3, "MPI_Scan"},       {fn::exscan, 3, "MPI_Exscan"},
};

}  // namespace

/// Returns false if the call is no collective of an intercommunicator.
bool dumpi_process::add_between(const dumpi_call& c) {
    const between_call* call = nullptr;
    for (const auto& known : calls)
        if (known.function == c.function) call = &known;
    if (call == nullptr) return false;
    const auto& v = c.values;
    const place p = group(v[call->communicator]);
    if (p.side == 0) return false;
    if (call->refused != nullptr)
        m_stream.fail(
            fmt::format("{} of intercommunicator {} is not replayed", call->refused, v[call->communicator]));
    const auto alike = [&p](std::uint64_t size) { return std::vector<std::uint64_t>(p.peers, size); };
    switch (c.function) {
        case fn::allreduce:
            reduce_between(bytes(v[0], v[1]), p);
            break;
        case fn::allgather:
        case fn::alltoall:
            exchange_between(alike(bytes(v[0], v[1])), alike(bytes(v[2], v[3])), p);
            break;
        case fn::allgatherv:
            exchange_between(alike(bytes(v[1], v[2])), all_bytes(c.arrays[0], v[3], p), p);
            break;
        case fn::alltoallv:
            exchange_between(all_bytes(c.arrays[0], v[1], p), all_bytes(c.arrays[2], v[2], p), p);
            break;
        case fn::alltoallw:
            exchange_between(all_bytes(c.arrays[0], c.arrays[2], p), all_bytes(c.arrays[3], c.arrays[5], p),
                             p);
            break;
        default: {
            event e;
            e.what = op::barrier;
            e.communicator = p.number;
            push(std::move(e));
        }
    }
    return true;
}

/// Reduces each side to its rank 0; these exchange the results, and hand them on.
void dumpi_process::reduce_between(std::uint64_t size, const place& p) {
    const communicator& own = m_groups.at(p.side).all;
    event inside;
    inside.what = op::reduce;
    inside.communicator = p.side;
    inside.bytes = size;
    push(inside);
    if (own.rank(m_task) == 0) {
        event other;
        other.what = op::isend;
        other.communicator = p.number;
        other.peer = p.first_peer;
        other.bytes = size;
        other.tag = leaders_tag;
        other.request = ++m_requests;
        push(other);
        event done;
        done.what = op::wait;
        done.request = other.request;
        other.what = op::recv;
        other.request = 0;
        push(std::move(other));
        push(std::move(done));
    }
    inside.what = op::bcast;
    push(std::move(inside));
}

/// Posts all messages at once, without empty ones.
void dumpi_process::exchange_between(const std::vector<std::uint64_t>& sent,
                                     const std::vector<std::uint64_t>& received, const place& p) {
    const std::uint64_t first = m_requests + 1;
    for (const op what : {op::irecv, op::isend}) {
        const auto& sizes = what == op::irecv ? received : sent;
        for (std::uint32_t r = 0; r < sizes.size(); ++r) {
            if (sizes[r] == 0) continue;
            event e;
            e.what = what;
            e.communicator = p.number;
            e.peer = p.first_peer + r;
            e.bytes = sizes[r];
            e.tag = between_tag;
            e.request = ++m_requests;
            push(std::move(e));
        }
    }
    for (std::uint64_t request = first; request <= m_requests; ++request) {
        event e;
        e.what = op::wait;
        e.request = request;
        push(std::move(e));
    }
}

}  // namespace sare::traffic
