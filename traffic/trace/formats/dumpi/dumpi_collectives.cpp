// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/formats/dumpi/dumpi_process.h"

#include <fmt/format.h>

namespace sare::traffic {

using fn = dumpi_function;

namespace {

constexpr std::int64_t gather_tag = -1001, scatter_tag = -1002;  ///< tags of messages written out here

}  // namespace

void dumpi_process::collective(op what, std::uint64_t size, std::int64_t comm, std::int64_t root) {
    const place p = group(comm);
    event e;
    e.what = what;
    e.communicator = p.number;
    e.bytes = size;
    e.root = rank(root, p, "the root");
    push(std::move(e));
}

void dumpi_process::collective(op what, std::vector<std::uint64_t> counts,
                               std::vector<std::uint64_t> received, const place& p) {
    event e;
    e.what = what;
    e.communicator = p.number;
    e.counts = std::move(counts);
    e.receive_counts = std::move(received);
    push(std::move(e));
}

void dumpi_process::add_collective(const dumpi_call& c) {
    const auto& v = c.values;
    switch (c.function) {
        case fn::barrier:
            collective(op::barrier, 0, v[0]);
            break;
        case fn::bcast:
            collective(op::bcast, bytes(v[0], v[1]), v[3], v[2]);
            break;
        case fn::gather:
        case fn::scatter:
            // A process's own block; the root may have left it in place, and has the number of the
            // others'.
            collective(c.function == fn::gather ? op::gather : op::scatter,
                       v.size() > 5 ? bytes(v[5], v[6]) : bytes(v[1], v[2]), v[4], v[3]);
            break;
        case fn::gatherv:
            one_by_one(c, op::send, bytes(v[2], v[3]), v[4], v[5], v[6], gather_tag);
            break;
        case fn::scatterv:
            one_by_one(c, op::recv, bytes(v[3], v[4]), v[5], v[6], v[2], scatter_tag);
            break;
        case fn::allgather:
        case fn::alltoall:
            collective(c.function == fn::allgather ? op::allgather : op::alltoall, bytes(v[2], v[3]), v[4]);
            break;
        case fn::allgatherv: {
            const place p = group(v[4]);
            collective(op::allgatherv, all_bytes(c.arrays[0], v[3], p), {}, p);
            break;
        }
        case fn::alltoallv: {
            const place p = group(v[3]);
            collective(op::alltoallv, all_bytes(c.arrays[0], v[1], p), all_bytes(c.arrays[2], v[2], p), p);
            break;
        }
        case fn::reduce:
            collective(op::reduce, bytes(v[0], v[1]), v[4], v[3]);
            break;
        case fn::allreduce:
            collective(op::allreduce, bytes(v[0], v[1]), v[3]);
            break;
        case fn::reduce_scatter: {
            const place p = group(v[3]);
            collective(op::reduce_scatter, all_bytes(c.arrays[0], v[1], p), {}, p);
            break;
        }
        case fn::scan:
            collective(op::scan, bytes(v[0], v[1]), v[3]);
            break;
        case fn::exscan:
            collective(op::exscan, bytes(v[0], v[1]), v[3]);
            break;
        case fn::alltoallw: {
            const place p = group(v[1]);
            collective(op::alltoallv, all_bytes(c.arrays[0], c.arrays[2], p),
                       all_bytes(c.arrays[3], c.arrays[5], p), p);
            break;
        }
        default:
            break;
    }
}

/// Adds a linear gatherv or scatterv: only the root's record has the sizes of all.
void dumpi_process::one_by_one(const dumpi_call& c, op own, std::uint64_t size, std::int64_t root,
                               std::int64_t comm, std::int64_t datatype, std::int64_t tag) {
    const place p = group(comm);
    event e;
    e.communicator = p.number;
    e.tag = tag;
    e.peer = rank(root, p, "the root");
    if (c.arrays.empty()) {
        e.what = own;
        e.bytes = size;
        push(std::move(e));
        return;
    }
    const auto sizes = all_bytes(c.arrays[0], datatype, p);
    for (std::uint32_t r = 0; r < sizes.size(); ++r) {
        if (r == static_cast<std::uint32_t>(root)) continue;
        e.what = own == op::send ? op::recv : op::send;
        e.peer = r;
        e.bytes = sizes[r];
        push(e);
    }
}

std::vector<std::uint64_t> dumpi_process::all_bytes(const std::vector<std::int64_t>& counts,
                                                    std::int64_t datatype, const place& p) const {
    return all_bytes(counts, std::vector<std::int64_t>(counts.size(), datatype), p);
}

std::vector<std::uint64_t> dumpi_process::all_bytes(const std::vector<std::int64_t>& counts,
                                                    const std::vector<std::int64_t>& datatypes,
                                                    const place& p) const {
    // Of an intercommunicator as many are recorded as the own side has processes, for those of the other.
    const bool enough = p.side == 0 ? counts.size() == p.peers : counts.size() >= p.peers;
    if (!enough || datatypes.size() != counts.size())
        m_stream.fail(fmt::format("the call has {} counts, its communicator {} processes{}", counts.size(),
                                  p.peers, p.side == 0 ? "" : " on the other side"));
    std::vector<std::uint64_t> all;
    for (std::size_t k = 0; k < p.peers; ++k) all.push_back(bytes(counts[k], datatypes[k]));
    return all;
}

/// Adds a one-sided call. A window's memory is nothing here, only its processes.
void dumpi_process::add_one_sided(const dumpi_call& c) {
    const auto& v = c.values;
    switch (c.function) {
        case fn::win_create:
            m_windows[v[4]] = group(v[3]);
            if (m_windows[v[4]].side != 0) m_stream.fail("a window of an intercommunicator is not replayed");
            break;
        case fn::put:
        case fn::accumulate:
            add_one_sided(op::put, v.back(), v[2], bytes(v[0], v[1]));
            break;
        case fn::get:
            add_one_sided(op::get, v.back(), v[2], bytes(v[0], v[1]));
            break;
        case fn::win_fence:
            add_one_sided(op::fence, v[1], 0, 0);
            break;
        case fn::win_complete:
            add_one_sided(op::flush, v[0], any_source, 0);
            break;
        case fn::win_unlock:
            add_one_sided(op::flush, v[1], v[0], 0);
            break;
        case fn::win_lock:
        case fn::win_start:
        case fn::win_wait:
            left_out("waits of MPI_Win_lock, MPI_Win_start and MPI_Win_wait");
            break;
        default:
            break;
    }
}

void dumpi_process::add_one_sided(op what, std::int64_t window, std::int64_t target, std::uint64_t size) {
    const auto found = m_windows.find(window);
    if (found == m_windows.end())
        return left_out("one-sided calls in windows that MPI_Win_create has not made");
    if (target < 0) return;  // MPI_PROC_NULL
    event e;
    e.what = what;
    e.communicator = found->second.number;
    e.bytes = size;
    if (what == op::flush && target == any_source)
        e.peer = any_source;
    else if (what != op::fence)
        e.peer = rank(target, found->second, "the target");
    push(std::move(e));
}

}  // namespace sare::traffic
