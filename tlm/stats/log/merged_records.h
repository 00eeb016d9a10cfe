// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/world.h"
#include "tlm/stats/log/record_file.h"

#include <algorithm>
#include <cstring>
#include <queue>
#include <string>
#include <utility>
#include <vector>

/// Merges the records of several processes into the order in which one process would have made them.
namespace sare {

/// Returns, at rank 0, the records of each rank, by rank, in temporary files of rank 0; at other ranks an
/// empty list. All ranks must call. `mine`: records of this rank. Records are sent in pieces of 64 KiB.
template <class T>
std::vector<record_file<T>> gather_records(world& all, const record_file<T>& mine) {
    constexpr std::uint64_t piece = 65536 / sizeof(T);
    std::vector<record_file<T>> of_ranks(all.rank() == 0 ? all.ranks() : 0);
    const std::uint64_t most = all.most(mine.size());
    std::vector<T> records;
    for (std::uint64_t first = 0; first < most; first += piece) {
        records.resize(first < mine.size() ? std::min(piece, mine.size() - first) : 0);
        mine.read(first, records.data(), records.size());
        const std::vector<std::string> texts = all.gather(
            std::string(reinterpret_cast<const char*>(records.data()), records.size() * sizeof(T)));
        for (std::size_t rank = 0; rank < texts.size(); ++rank) {
            records.resize(texts[rank].size() / sizeof(T));
            std::memcpy(static_cast<void*>(records.data()), texts[rank].data(), texts[rank].size());
            for (const T& r : records) of_ranks[rank].append(r);
        }
    }
    return of_ranks;
}

/// Reader of the records of a file in order, which reads 256 at a time.
template <class T>
class record_reader {
  public:
    /// Makes a reader of `from`, which must outlive it.
    explicit record_reader(const record_file<T>& from) : m_from(&from) {}
    /// Sets `record` to the next record and returns true; returns false at the end.
    bool next(T& record) {
        if (m_at == m_some.size()) {
            m_some.resize(std::min<std::uint64_t>(256, m_from->size() - m_read));
            m_from->read(m_read, m_some.data(), m_some.size());
            m_read += m_some.size();
            m_at = 0;
        }
        if (m_some.empty()) return false;
        record = m_some[m_at++];
        return true;
    }

  private:
    const record_file<T>* m_from;
    std::vector<T> m_some;     ///< records read last
    std::size_t m_at = 0;      ///< index in m_some of the next record
    std::uint64_t m_read = 0;  ///< number of records read into m_some so far
};

/// Calls each(rank, record) for all records of all ranks. The next record is always the one with the least
/// place(rank, record) among the first remaining records of all ranks, of equals that of the lowest rank; so
/// records of one rank keep their order. place(), whose result has operator <, is called once for each
/// record, after each() for the record before it of its rank.
template <class T, class Place, class Each>
void merge_records(const std::vector<record_file<T>>& of_ranks, Place place, Each each) {
    using head = std::pair<decltype(place(0U, std::declval<const T&>())), std::uint32_t>;
    std::priority_queue<head, std::vector<head>, std::greater<>> heads;
    std::vector<record_reader<T>> readers(of_ranks.begin(), of_ranks.end());
    std::vector<T> next(of_ranks.size());
    const auto read = [&](std::uint32_t rank) {
        if (readers[rank].next(next[rank])) heads.emplace(place(rank, next[rank]), rank);
    };
    for (std::uint32_t rank = 0; rank < of_ranks.size(); ++rank) read(rank);
    while (!heads.empty()) {
        const std::uint32_t rank = heads.top().second;
        heads.pop();
        each(rank, next[rank]);
        read(rank);
    }
}

}  // namespace sare
