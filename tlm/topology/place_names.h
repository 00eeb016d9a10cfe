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

/// Kinds of places that have numbers and may have names.
enum class place_kind : std::uint8_t { router, node };
const char* to_string(place_kind what);

/// Names of routers, nodes and links. No two routers have the same name, and no two nodes; a router and a
/// node may.
class place_names {
  public:
    /// Returns true for a valid name: a letter or _, then letters, digits and _ - /; not the word "all".
    static bool is_name(std::string_view word);
    /// Returns true if a word is meant as a name, valid or not: no number, no range of numbers, not "all".
    static bool is_like_name(std::string_view word);
    /// Returns what is wrong with an invalid name of a place of kind `kind`.
    static std::string problem_of_name(const std::string& kind, const std::string& word);

    bool empty() const { return m_all == nullptr; }  ///< nothing has a name
    bool empty(place_kind what) const;
    /// Sets or replaces the name of a place. Returns false, and changes nothing, if another place of the kind
    /// has this name.
    bool set(place_kind what, std::uint32_t number, const std::string& name);
    /// Name of a place; "": it has none.
    const std::string& name(place_kind what, std::uint32_t number) const;
    /// Number of the place with a name; none: no place of the kind has it.
    std::optional<std::uint32_t> number(place_kind what, std::string_view name) const;
    /// Text for messages: "router io", or "router 3" for a place without a name.
    std::string text(place_kind what, std::uint32_t number) const;
    /// Number of the place that a word gives by name or number, below `count`. Throws config::error at `at`
    /// for another word.
    std::uint32_t find(place_kind what, const std::string& word, std::uint32_t count,
                       const config::location& at) const;

    /// Sets the name of the link that leaves a port of a router. Several links may have the same name.
    void set_link(std::uint32_t router, std::uint32_t port, const std::string& name);
    /// Name of the link that leaves a port of a router; "": it has none.
    const std::string& link(std::uint32_t router, std::uint32_t port) const;

  private:
    struct tables;
    const tables& all() const;
    tables& to_change();

    std::shared_ptr<tables> m_all;  ///< shared with copies until one changes; null: no names
};

}  // namespace sare
