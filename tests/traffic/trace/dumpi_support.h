// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/traffic/trace/trace_support.h"

/// Traces of DUMPI that tests write.
namespace sare::testing_support {

/// A process's file, as sst-dumpi lays it out.
class dumpi_writer {
  public:
    dumpi_writer() { big(0xffaadd44554d5049, 8), big(0, 8); }

    dumpi_writer& h(std::int64_t n) { return big(static_cast<std::uint64_t>(n), 2); }
    dumpi_writer& i(std::int64_t n) { return big(static_cast<std::uint64_t>(n), 4); }
    dumpi_writer& b(std::int64_t n) { return big(static_cast<std::uint64_t>(n), 1); }
    dumpi_writer& array(const std::vector<int>& all) {
        i(static_cast<std::int64_t>(all.size()));
        for (const int n : all) i(n);
        return *this;
    }
    dumpi_writer& status(int source, int tag) { return i(1).i(80).i(source).h(0).i(tag); }
    /// From `begin` to `end` nanoseconds, with statuses.
    dumpi_writer& call(int function, unsigned begin, unsigned end) {
        return h(function).b(1 | 4 | 64).h(0).h(0).i(begin).h(0).i(end);
    }
    dumpi_writer& message(int function, int count, int datatype, int peer, int tag, int comm = 2) {
        return call(function, 0, 0).i(count).h(datatype).i(peer).i(tag).h(comm);
    }
    /// A call whose arguments are numbers of 2 bytes: communicators, groups, windows.
    dumpi_writer& call_of(int function, const std::vector<int>& all) {
        call(function, 0, 0);
        for (const int n : all) h(n);
        return *this;
    }
    dumpi_writer& barrier(int comm) { return call_of(52, {comm}); }
    dumpi_writer& split(int comm, int color, int key, int made) {
        return call(86, 0, 0).h(comm).i(color).i(key).h(made);
    }
    /// MPI_Group_incl (76), MPI_Group_excl (77).
    dumpi_writer& group_of(int function, int group, const std::vector<int>& ranks, int made) {
        return call(function, 0, 0).h(group).i(static_cast<int>(ranks.size())).array(ranks).h(made);
    }
    /// MPI_Group_range_incl (78), MPI_Group_range_excl (79).
    dumpi_writer& ranges_of(int function, int group, const std::vector<std::vector<int>>& ranges, int made) {
        call(function, 0, 0).h(group).i(static_cast<int>(ranges.size())).i(static_cast<int>(ranges.size()));
        for (const auto& r : ranges) array(r);
        return h(made);
    }
    dumpi_writer& intercomm(int local, int leader, int peers, int remote_leader, int made) {
        return call(91, 0, 0).h(local).i(leader).h(peers).i(remote_leader).i(9).h(made);
    }
    dumpi_writer& merge(int comm, int high, int made) { return call(92, 0, 0).h(comm).i(high).h(made); }
    dumpi_writer& cart(int comm, const std::vector<int>& lengths, int reorder, int made) {
        call(99, 0, 0).h(comm).i(static_cast<int>(lengths.size())).array(lengths).array(lengths);
        return i(reorder).h(made);
    }
    dumpi_writer& cart_sub(int comm, const std::vector<int>& kept, int made) {
        return call(111, 0, 0).i(static_cast<int>(kept.size())).h(comm).array(kept).h(made);
    }
    /// MPI_Comm_size (81), MPI_Comm_rank (82), MPI_Comm_remote_size (89).
    dumpi_writer& says(int function, int comm, int n) { return call(function, 0, 0).h(comm).i(n); }
    /// The end of the calls, and datatypes 0 and 1, of 1 and of 8 bytes.
    std::string text() const {
        dumpi_writer all = *this;
        all.h(293);
        const std::uint64_t sizes = all.m_text.size();
        all.i(2).i(1).i(8);
        all.big(0xffaadd44554d5049, 8).big(sizes, 8);
        for (int k = 0; k < 6; ++k) all.big(0, 8);
        return all.m_text;
    }

  private:
    dumpi_writer& big(std::uint64_t n, unsigned bytes) {
        for (unsigned k = bytes; k-- > 0;) m_text += static_cast<char>(n >> 8 * k & 255);
        return *this;
    }
    std::string m_text;
};

/// A trace with a file per text.
inline std::string write(const trace_files& files, const std::vector<std::string>& processes) {
    for (std::size_t p = 0; p < processes.size(); ++p)
        files.write("d-000" + std::to_string(p) + ".bin", processes[p]);
    return files.write(
        "d.meta", "hostname=x\nnumprocs=" + std::to_string(processes.size()) + "\nfileprefix=/elsewhere/d\n");
}

}  // namespace sare::testing_support
