// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/collective/collective.h"
#include "traffic/program/program.h"

#include <map>
#include <tuple>

namespace sare::traffic {

/// Computes the bytes that a task sends in a collective by its algorithm, and stores results for later calls.
class sent_bytes {
  public:
    /// `choice`: the algorithms; must live as long as the object.
    explicit sent_bytes(const collective_choice& choice) : m_choice(choice) {}
    /// Returns the bytes that `task`, a member of `group`, sends in a collective operation `o` of `group`.
    /// `total`: bytes of the whole vector. The result is stored by kind, size of the group, rank and `total`:
    /// calls that agree in these must have the same root and the same division into blocks (not checked).
    std::uint64_t of(const operation& o, const communicator& group, std::uint32_t task, std::uint64_t total) {
        const std::uint32_t rank = group.rank(task);
        const auto [at, fresh] = m_known.try_emplace({o.what, group.size(), rank, total}, 0);
        if (!fresh) return at->second;
        const auto list = [](const std::vector<std::uint64_t>& l) { return l.empty() ? nullptr : &l; };
        collective c{o.what, group.size(), o.root, o.bytes, list(o.counts), list(o.receive_counts)};
        steps all;
        m_choice.expand(c, rank, all);
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i].to != step::no_task) at->second += all[i].bytes;
        return at->second;
    }

  private:
    const collective_choice& m_choice;
    /// Results by kind, size of the group, rank and total bytes.
    std::map<std::tuple<op, std::uint32_t, std::uint32_t, std::uint64_t>, std::uint64_t> m_known;
};

}  // namespace sare::traffic
