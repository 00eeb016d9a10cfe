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
/// Returns "router" or "node".
const char* to_string(place_kind what);

/// Names of routers, nodes and links. No two routers have the same name, and no two nodes; a router and a
/// node may have the same. Names given to the functions are not checked by is_name().
class place_names {
  public:
    /// Returns true for a valid name: an ASCII letter or _, then letters, digits, _, - and /; but not the
    /// word "all".
    static bool is_name(std::string_view word);
    /// Returns true if a word is meant as a name, valid or not: it does not begin with a digit, has other
    /// characters than digits and + - ., and is not "all".
    static bool is_like_name(std::string_view word);
    /// Returns the error text for an invalid name `word` of a place of kind `kind` ("router").
    static std::string problem_of_name(const std::string& kind, const std::string& word);

    bool empty() const { return m_all == nullptr; }  ///< true: no name of a router, node or link was ever set
    /// True if no place of the kind has a name.
    bool empty(place_kind what) const;
    /// Sets the name of a place, in the place of its present name. Returns false, and changes nothing, if
    /// another place of the kind has the name.
    bool set(place_kind what, std::uint32_t number, const std::string& name);
    /// Returns the name of a place; "": the place has no name.
    const std::string& name(place_kind what, std::uint32_t number) const;
    /// Returns the number of the place with the name `name`; nothing if no place of the kind has this name.
    std::optional<std::uint32_t> number(place_kind what, std::string_view name) const;
    /// Returns a text for messages: "router io", or "router 3" for a place without a name.
    std::string text(place_kind what, std::uint32_t number) const;
    /// Returns the number of the place that `word` gives by name, or by a number below `count`, the number of
    /// places of the kind. Throws config::error at `at` for any other word.
    std::uint32_t find(place_kind what, const std::string& word, std::uint32_t count,
                       const config::location& at) const;

    /// Sets the name of the link that leaves a router by a port, in place of any earlier one. Several links
    /// may have the same name. Port and router are not checked.
    void set_link(std::uint32_t router, std::uint32_t port, const std::string& name);
    /// Returns the name of the link that leaves a router by a port; "": the link has no name.
    const std::string& link(std::uint32_t router, std::uint32_t port) const;

  private:
    struct tables;
    const tables& all() const;
    tables& to_change();

    /// Shared with copies until one of them changes; null: there are no names.
    std::shared_ptr<tables> m_all;
};

}  // namespace sare
