// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace sare {

/// What has a number and may have a name.
enum class place_kind : std::uint8_t { router, node };
const char* to_string(place_kind what);

/// The names of routers, nodes and links, each for its number. No two routers have the same one, and no two
/// nodes; a router may be called as a node is.
class place_names {
  public:
    /// A letter or _, then letters, digits and _ - /; not the word "all".
    static bool is_name(std::string_view word);
    /// Whether a word is meant for a name, a good one or not: neither a number, a range of numbers nor "all".
    static bool is_like_name(std::string_view word);
    /// Returns what is wrong with a word that is meant for the name of a place, and is none.
    static std::string problem_of_name(const std::string& kind, const std::string& word);

    bool empty() const { return m_all == nullptr; }
    bool empty(place_kind what) const;
    /// Instead of the name that it has, if any. False: another one is called so.
    bool set(place_kind what, std::uint32_t number, const std::string& name);
    /// "": it has none.
    const std::string& name(place_kind what, std::uint32_t number) const;
    std::optional<std::uint32_t> number(place_kind what, std::string_view name) const;
    /// "router io", or "router 3" where it has no name.
    std::string text(place_kind what, std::uint32_t number) const;
    /// The number that a word names or is, below `count`; throws config::error at `at` for any other.
    std::uint32_t find(place_kind what, const std::string& word, std::uint32_t count,
                       const config::location& at) const;

    /// Of the link that leaves a port of a router. Both directions may be called alike.
    void set_link(std::uint32_t router, std::uint32_t port, const std::string& name);
    const std::string& link(std::uint32_t router, std::uint32_t port) const;

  private:
    struct tables;
    const tables& all() const;
    tables& to_change();

    std::shared_ptr<tables> m_all;  ///< of copies too, until one is changed; null: nothing has a name
};

}  // namespace sare
