// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sare {

/// The processes ("ranks" of MPI) that run one network together, each a part of it. All functions but rank()
/// and ranks() must be called by all ranks, in the same order; each returns when its result is known.
class world {
  public:
    virtual ~world() = default;
    virtual std::uint32_t rank() const = 0;   ///< number of this process, from 0
    virtual std::uint32_t ranks() const = 0;  ///< number of processes
    /// Replaces each of the `count` values at `values`, in all ranks, by its sum over all ranks, modulo 2^64.
    /// `count` must be the same in all ranks.
    virtual void sum(std::uint64_t* values, std::size_t count) = 0;
    /// Returns, in all ranks, the least `mine` that any rank gave.
    virtual std::uint64_t least(std::uint64_t mine) = 0;
    /// Returns, in all ranks, the `mine` that rank 0 gave.
    virtual std::uint64_t of_first(std::uint64_t mine) = 0;
    /// Sends `words[k]` to rank `others[k]`, for each k, and replaces `words[k]` by the words that rank
    /// `others[k]` sends to this rank; their number may differ. If rank a lists b among its `others`, rank b
    /// must list a.
    virtual void exchange(const std::vector<std::uint32_t>& others,
                          std::vector<std::vector<std::uint64_t>>& words) = 0;
    /// Returns in rank 0 the texts `mine` of all ranks, indexed by rank; in other ranks an empty vector.
    virtual std::vector<std::string> gather(const std::string& mine) = 0;

    /// Returns true if all ranks call it within about a second: all have failed. False: only some ranks fail,
    /// and destroying the world of this rank ends all others. Call it in a rank that fails.
    virtual bool did_all_fail() = 0;

    /// Returns the sum of `value` over all ranks, in all ranks.
    std::uint64_t sum(std::uint64_t value) {
        sum(&value, 1);
        return value;
    }
    /// Returns, in all ranks, the largest `mine` that any rank gave.
    std::uint64_t most(std::uint64_t mine) { return ~least(~mine); }
    /// Returns in rank 0 the text `mine` of the lowest rank whose text is not empty, "" if there is none; in
    /// other ranks "".
    std::string first_said(const std::string& mine) {
        for (const std::string& each : gather(mine))
            if (!each.empty()) return each;
        return "";
    }
    /// Replaces, in all ranks, each of the given members of each record by its sum over the records of that
    /// index in all ranks. `records` must have the same size in all ranks.
    template <class Record, class... Number>
    void sum_members(std::vector<Record>& records, Number Record::*... members) {
        (sum_member(records, members), ...);
    }

  private:
    template <class Record, class Number>
    void sum_member(std::vector<Record>& records, Number Record::*member) {
        std::vector<std::uint64_t> values;
        values.reserve(records.size());
        for (const Record& r : records) values.push_back(r.*member);
        sum(values.data(), values.size());
        for (std::size_t k = 0; k < records.size(); ++k) records[k].*member = static_cast<Number>(values[k]);
    }
};

}  // namespace sare
