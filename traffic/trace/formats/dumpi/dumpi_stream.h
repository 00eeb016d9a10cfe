// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/text_stream.h"

#include <cstdint>
#include <vector>

namespace sare::traffic {

/// The functions of MPI that readers use, each with its number in the stream. The stream has more functions,
/// which next() returns too.
enum class dumpi_function : std::uint16_t {
    send = 0,
    recv = 1,
    bsend = 3,
    ssend = 4,
    rsend = 5,
    isend = 8,
    ibsend = 9,
    issend = 10,
    irsend = 11,
    irecv = 12,
    wait = 13,
    test = 14,
    request_free = 15,
    waitany = 16,
    testany = 17,
    waitall = 18,
    testall = 19,
    waitsome = 20,
    testsome = 21,
    iprobe = 22,
    probe = 23,
    send_init = 26,
    bsend_init = 27,
    ssend_init = 28,
    rsend_init = 29,
    recv_init = 30,
    start = 31,
    startall = 32,
    sendrecv = 33,
    sendrecv_replace = 34,
    barrier = 52,
    bcast = 53,
    gather = 54,
    gatherv = 55,
    scatter = 56,
    scatterv = 57,
    allgather = 58,
    allgatherv = 59,
    alltoall = 60,
    alltoallv = 61,
    reduce = 62,
    allreduce = 65,
    reduce_scatter = 66,
    scan = 67,
    comm_group = 72,
    group_union = 73,
    group_intersection = 74,
    group_difference = 75,
    group_incl = 76,
    group_excl = 77,
    group_range_incl = 78,
    group_range_excl = 79,
    comm_size = 81,
    comm_rank = 82,
    comm_dup = 84,
    comm_create = 85,
    comm_split = 86,
    comm_remote_size = 89,
    comm_remote_group = 90,
    intercomm_create = 91,
    intercomm_merge = 92,
    cart_create = 99,
    graph_create = 101,
    cart_sub = 111,
    init = 124,
    accumulate = 141,
    get = 142,
    put = 143,
    win_complete = 144,
    win_create = 145,
    win_fence = 146,
    win_get_group = 148,
    win_lock = 149,
    win_start = 151,
    win_unlock = 153,
    win_wait = 154,
    alltoallw = 155,
    exscan = 156,
    init_thread = 171,
};

/// The status of a receive or probe that has ended: bytes received, rank of the source, tag; -1: not
/// recorded, or none.
struct dumpi_status {
    std::int32_t bytes = 0, source = 0, tag = 0;
};

/// A call of MPI, with its arguments in the order of the stream.
struct dumpi_call {
    /// Function that was called; may be one that the enumeration does not list.
    dumpi_function function = dumpi_function::send;
    std::uint64_t number = 0;  ///< number of the call in its file, from 1
    bool timed = false;        ///< true: begin and end are recorded
    /// Begin and end in seconds of the processor's time, or of wall time if the processor's time was not
    /// recorded. Only differences count, and seconds are modulo 65,536.
    double begin = 0, end = 0;
    std::vector<std::int64_t> values;               ///< arguments that are single numbers
    std::vector<std::vector<std::int64_t>> arrays;  ///< arguments that are arrays; a range of ranks is three
                                                    ///< numbers
    /// Statuses, if they were recorded.
    std::vector<dumpi_status> statuses;
};

/// The file of one process of a DUMPI trace: a stream of MPI calls, whose records have no lengths, followed
/// by tables.
class dumpi_stream {
  public:
    /// Takes over the file, of which nothing may have been read, and reads its header. Throws config::error
    /// if the text does not begin as a file of DUMPI does.
    explicit dumpi_stream(text_stream text);
    /// Reads the next call into `call`; returns false at the end of the stream. Throws config::error with
    /// file and call if the file is cut short, or has a function that is not known.
    bool next(dumpi_call& call);
    /// Returns the bytes of an element of each datatype, by its number, from the tables behind the last call.
    /// Call once, after next() has returned false. Throws config::error if the tables are damaged.
    std::vector<std::uint32_t> datatype_sizes();
    /// Throws config::error with the file, the number of the call read last, and the text `what`.
    [[noreturn]] void fail(const std::string& what) const;
    const std::string& path() const { return m_text.path(); }  ///< path of the file

  private:
    std::uint64_t take(std::size_t bytes);
    std::int64_t take_integer(char kind);
    void take_times(unsigned mask, dumpi_call& call);
    void take_arguments(const char* layout, unsigned mask, dumpi_call& call);
    void take_array(std::size_t bytes, dumpi_call& call);
    void take_ranges(dumpi_call& call);
    void take_statuses(dumpi_call& call);
    void skip(std::uint64_t bytes);

    text_stream m_text;
    std::uint64_t m_calls = 0, m_offset = 0;  ///< number of calls begun; number of bytes read
};

}  // namespace sare::traffic
