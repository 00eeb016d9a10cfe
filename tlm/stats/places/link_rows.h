// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

/// Links of a network in rows, with the counters of each, in a compact form, as they are most of a large
/// network's results.
namespace sare {

/// Counters of a link by VC; empty if they are not known. Valid as long as its link_rows.
class vc_counts {
  public:
    vc_counts() = default;
    vc_counts(const std::uint32_t* first, std::uint32_t vcs) : m_first(first), m_vcs(vcs) {}
    const std::uint32_t* begin() const { return m_first; }
    const std::uint32_t* end() const { return m_first + m_vcs; }
    std::size_t size() const { return m_vcs; }
    bool empty() const { return m_vcs == 0; }
    std::uint32_t operator[](std::size_t vc) const { return m_first[vc]; }

  private:
    const std::uint32_t* m_first = nullptr;
    std::uint32_t m_vcs = 0;
};

/// A link, with its counters in the measured window.
struct link_result {
    /// Router, or node, at which the link begins and its output port there; router or node at which it ends
    /// and its input port there. A node's port is 0.
    std::uint32_t from = 0, from_port = 0, to = 0, to_port = 0;
    std::string_view kind;    ///< "router", "injection" (from a node) or "ejection" (to a node)
    std::uint64_t flits = 0;  ///< flits that crossed the link
    vc_counts vc_flits;       ///< flits that crossed it, by VC
};

/// Rows of links: first *outputs*, the links that leave routers, in order of router and port; then injection
/// links, in order of nodes.
class link_rows {
  public:
    /// Iterator that makes rows when they are asked for.
    class iterator {
      public:
        using iterator_category = std::input_iterator_tag;
        using value_type = link_result;
        using difference_type = std::ptrdiff_t;
        using pointer = const link_result*;
        using reference = link_result;

        iterator(const link_rows& all, std::size_t row) : m_all(&all), m_row(row) {}
        link_result operator*() const { return (*m_all)[m_row]; }
        iterator& operator++() {
            ++m_row;
            return *this;
        }
        friend bool operator==(const iterator& a, const iterator& b) { return a.m_row == b.m_row; }
        friend bool operator!=(const iterator& a, const iterator& b) { return a.m_row != b.m_row; }

      private:
        const link_rows* m_all;
        std::size_t m_row;
    };

    void reserve(std::size_t links) { m_ends.reserve(links); }
    /// Appends the link at an output port, which leads to the router or node `to`. Add all outputs before
    /// injection links.
    void add_output(std::uint32_t router, std::uint32_t port, const port_peer& to);
    /// Appends the link from a node to a router's input port, with its flits.
    void add_injection(std::uint32_t node, std::uint32_t router, std::uint32_t port, std::uint64_t flits);
    /// Sets the flits of all outputs, [row * vcs + VC].
    void count_outputs(std::vector<std::uint32_t> flits_by_vc, std::uint32_t vcs);

    std::size_t size() const { return m_ends.size(); }
    bool empty() const { return m_ends.empty(); }
    std::uint32_t vcs() const { return m_vcs; }
    link_result operator[](std::size_t row) const;
    iterator begin() const { return {*this, 0}; }
    iterator end() const { return {*this, size()}; }
    /// Rows of a router's outputs: first row, and the row behind the last one.
    std::pair<std::size_t, std::size_t> outputs_of(std::uint32_t router) const;

  private:
    struct ends {
        std::uint32_t from, from_port, to, to_port;
        bool to_node;
    };
    std::size_t outputs() const { return size() - m_injected.size(); }

    std::vector<ends> m_ends;
    std::vector<std::uint32_t> m_vc_flits;  ///< flits, [output * vcs + vc]; or empty
    std::vector<std::uint64_t> m_injected;  ///< flits of each injection link
    std::uint32_t m_vcs = 0;
};

}  // namespace sare
