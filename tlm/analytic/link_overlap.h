// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace sare {

/// Load of the links of nodes in a model where each message has them for itself, and how far it exceeds what
/// they could carry. Times are in picoseconds.
class link_overlap {
  public:
    explicit link_overlap(std::uint32_t nodes) : m_links(std::size_t{2} * nodes) {}

    /// Notes that a message uses the link from a node, or to it, for `taken` from time `from` on. Messages
    /// from a node must come in order of time; messages to one in the order of their ends, so that a gap
    /// which a long message fills behind others counts as none.
    void note(std::uint32_t node, bool to_node, double from, double taken) {
        link& l = m_links[2 * std::size_t{node} + (to_node ? 1 : 0)];
        const double end = from + taken;
        l.all += taken;
        m_sum += taken - std::max(0.0, end - std::max(from, l.covered));
        l.covered = std::max(l.covered, end);
    }
    /// Total time that messages would have waited if each link had carried one at a time.
    double sum() const { return m_sum; }

    /// A link that needs `needs` seconds for what it did in `had`: no network with such links is as fast.
    struct crowded {
        std::uint32_t node = 0;
        bool to_node = false;
        double needs = 0, had = 0;
    };
    /// Returns the most crowded link, relatively, until `now`; none: each link could carry its messages.
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
        double all = 0;      ///< sum over messages
        double covered = 0;  ///< end of the time for which it was used
    };
    std::vector<link> m_links;  ///< from node 0, to it, from node 1, ...
    double m_sum = 0;
};

}  // namespace sare
