// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sare {

/// The processes ("ranks") that run one network together, a part each, as one of them sees it. Every call but
/// the first two is one of all ranks, in the same order. A rank that fails ends all.
class world {
  public:
    virtual ~world() = default;
    virtual std::uint32_t rank() const = 0;  ///< from 0
    virtual std::uint32_t ranks() const = 0;
    /// Every value becomes the sum of all ranks'.
    virtual void sum(std::uint64_t* values, std::size_t count) = 0;
    virtual std::uint64_t least(std::uint64_t mine) = 0;
    /// What rank 0 says.
    virtual std::uint64_t of_first(std::uint64_t mine) = 0;
    /// Sends `words[k]` to rank `others[k]` and puts there what that one sends; both name each other.
    virtual void exchange(const std::vector<std::uint32_t>& others,
                          std::vector<std::vector<std::uint64_t>>& words) = 0;
    /// At rank 0 what each has, by rank; nothing elsewhere.
    virtual std::vector<std::string> gather(const std::string& mine) = 0;

    /// One that fails asks whether all do, and waits a second for that. False: its end ends the others.
    virtual bool did_all_fail() = 0;

    std::uint64_t sum(std::uint64_t value) {
        sum(&value, 1);
        return value;
    }
    std::uint64_t most(std::uint64_t mine) { return ~least(~mine); }
    /// At rank 0 the first of all texts that is not empty; "" if there is none, and elsewhere.
    std::string first_said(const std::string& mine) {
        for (const std::string& each : gather(mine))
            if (!each.empty()) return each;
        return "";
    }
    /// Each of these members of each record, one after the other, becomes the sum of all ranks'.
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
