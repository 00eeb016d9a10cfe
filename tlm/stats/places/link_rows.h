// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

/// Table of a network's links with their counters, one row for each direction of a link. Its form is compact,
/// since in a large network it is most of the results.
namespace sare {

/// Numbers of flits that crossed a link, one for each VC; empty if they are not known. A view of the memory
/// of a link_rows, valid until that link_rows changes or is destroyed.
class vc_counts {
  public:
    vc_counts() = default;  ///< no counters
    /// Makes a view of `vcs` counters from `first` on.
    vc_counts(const std::uint32_t* first, std::uint32_t vcs) : m_first(first), m_vcs(vcs) {}
    const std::uint32_t* begin() const { return m_first; }
    const std::uint32_t* end() const { return m_first + m_vcs; }
    std::size_t size() const { return m_vcs; }  ///< number of VCs
    bool empty() const { return m_vcs == 0; }
    std::uint32_t operator[](std::size_t vc) const { return m_first[vc]; }  ///< `vc` must be below size()

  private:
    const std::uint32_t* m_first = nullptr;
    std::uint32_t m_vcs = 0;
};

/// A link as a row, with its counters in the measured window.
struct link_result {
    /// Number of the router or node where the link begins, and its output port; number of the router or node
    /// where it ends, and its input port. `kind` tells which end is a node; the port of a node is 0.
    std::uint32_t from = 0, from_port = 0, to = 0, to_port = 0;
    std::string_view kind;    ///< "router", "injection" (from a node) or "ejection" (to a node)
    std::uint64_t flits = 0;  ///< flits that crossed the link
    /// Flits that crossed the link, by VC; empty for an injection link, or if not counted.
    vc_counts vc_flits;
};

/// Rows of links: first *outputs*, the links that leave routers, by router and port; then the injection
/// links, by node.
class link_rows {
  public:
    /// Iterator over rows, which operator*() makes.
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

    /// Reserves memory for `links` rows in all, and adds none.
    void reserve(std::size_t links) { m_ends.reserve(links); }
    /// Appends the link from an output port to `to`, the input port of a router, or a node. Add all outputs,
    /// by rising router and port, before injection links; the order is not checked.
    void add_output(std::uint32_t router, std::uint32_t port, const port_peer& to);
    /// Appends the link from a node to input port `port` of a router, with its flits in the measured window.
    /// Add these links by rising node (not checked).
    void add_injection(std::uint32_t node, std::uint32_t router, std::uint32_t port, std::uint64_t flits);
    /// Sets the flits of all outputs in the measured window: `flits_by_vc`, [row * vcs + VC], for every row
    /// of an output (not checked). `vcs`: number of VCs of a port. Without a call flits are 0, not counted.
    void count_outputs(std::vector<std::uint32_t> flits_by_vc, std::uint32_t vcs);

    std::size_t size() const { return m_ends.size(); }  ///< number of rows
    bool empty() const { return m_ends.empty(); }
    /// Number of VCs of an output; 0: its flits were not counted.
    std::uint32_t vcs() const { return m_vcs; }
    /// Returns a row, which must be below size() (not checked).
    link_result operator[](std::size_t row) const;
    iterator begin() const { return {*this, 0}; }
    iterator end() const { return {*this, size()}; }
    /// Returns the rows of a router's outputs: the first row, and the row after the last one; equal if there
    /// are none.
    std::pair<std::size_t, std::size_t> outputs_of(std::uint32_t router) const;

  private:
    /// Ends of a link.
    struct ends {
        std::uint32_t from, from_port, to, to_port;
        bool to_node;  ///< true: an ejection link
    };
    std::size_t outputs() const { return size() - m_injected.size(); }  ///< number of rows of outputs

    std::vector<ends> m_ends;               ///< ends of each link, by row
    std::vector<std::uint32_t> m_vc_flits;  ///< flits, [output * vcs + vc]; empty: not counted
    std::vector<std::uint64_t> m_injected;  ///< flits of each injection link, by node
    std::uint32_t m_vcs = 0;                ///< number of VCs of an output; 0: not counted
};

}  // namespace sare
