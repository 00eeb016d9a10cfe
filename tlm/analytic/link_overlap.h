// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace sare {

/// Load of the links between nodes and routers in a model where each message has a link for itself, and how
/// far the load exceeds what a link could carry. Times are in picoseconds.
class link_overlap {
  public:
    explicit link_overlap(std::uint32_t nodes) : m_links(std::size_t{2} * nodes) {}

    /// Notes that a message uses the link from `node`, or if `to_node` the link to it, for `taken`
    /// picoseconds from time `from` on. `node` is not checked. Messages from a node must be noted in
    /// ascending order of their beginnings, messages to a node in ascending order of their ends.
    void note(std::uint32_t node, bool to_node, double from, double taken) {
        link& l = m_links[2 * std::size_t{node} + (to_node ? 1 : 0)];
        const double end = from + taken;
        l.all += taken;
        m_sum += taken - std::max(0.0, end - std::max(from, l.covered));
        l.covered = std::max(l.covered, end);
    }
    /// Returns the overlaps, in picoseconds, summed over messages and links: the time in which a message used
    /// a link that was in use by earlier messages already.
    double sum() const { return m_sum; }

    /// A link that carried messages at the same time, and more than it could have carried one after the
    /// other. One by one the messages take `needs` seconds, and the link had `had` seconds. No real network
    /// with this link is as fast as the model.
    struct crowded {
        std::uint32_t node = 0;     ///< node of the link
        bool to_node = false;       ///< true: the link to the node; false: the link from it
        double needs = 0, had = 0;  ///< seconds that it would need; seconds that it had
    };
    /// Returns the link with the largest needs / had until time `now`, in picoseconds. No value: each link
    /// could have carried its messages one at a time.
    std::optional<crowded> most_crowded(double now) const {
        constexpr double seconds = 1e-12, beyond_rounding = 1 + 1e-6;
        std::optional<crowded> most;
        double highest = beyond_rounding;
        for (std::size_t k = 0; k < m_links.size(); ++k) {
            const double needs = m_links[k].all, had = std::max(now, m_links[k].covered);
            if (needs <= highest * had) continue;
            highest = needs / had;
            most = crowded{static_cast<std::uint32_t>(k / 2), k % 2 != 0, needs * seconds, had * seconds};
        }
        return most;
    }

  private:
    struct link {
        double all = 0;      ///< sum of `taken` over messages
        double covered = 0;  ///< latest end of a message so far
    };
    std::vector<link> m_links;  ///< the link from node n at 2 n, the link to it at 2 n + 1
    double m_sum = 0;           ///< value of sum()
};

}  // namespace sare
