// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/text_part.h"

#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// The configuration as a tree of values that know where they were written. There is no YAML here: a reader
/// of files makes the tree, and the model only sees the tree.
namespace sare::config {

/// Place where a value was written. `file` may be "--set" or "default".
struct location {
    std::string file;
    int line = 0;    ///< from 1; 0: no line
    int column = 0;  ///< from 1

    /// Returns "file:line:column", or the file alone if there is no line.
    std::string text() const;
};

/// A mistake of the user, in one line: "file:line:column: what is wrong; what would be right".
class error : public std::runtime_error {
  public:
    error(const location& at, const std::string& what);
    /// Says what the parts make: `error(at, {"'n' is ", n, "; it must be even"})`.
    error(const location& at, std::initializer_list<text_part> what) : error(at, joined(what)) {}
    explicit error(const std::string& what);  ///< a mistake without a place: `what` is the whole line
};

class value {
  public:
    enum class kind { null, scalar, list, map };
    using entry = std::pair<std::string, value>;

    // Out of line: in each of the many files that use a value they would take a third of the time to compile.
    value();
    value(const value&);
    value(value&&) noexcept;
    value& operator=(const value&);
    value& operator=(value&&) noexcept;
    ~value();

    static value nothing(location at);  ///< null, written at a place
    static value scalar(std::string text, location at = {});
    static value list(std::vector<value> items, location at = {});
    static value map(std::vector<entry> entries, location at = {});

    kind type() const { return m_kind; }
    const location& where() const { return m_where; }
    const std::string& text() const { return m_text; }               ///< only for a scalar
    const std::vector<value>& items() const { return m_items; }      ///< only for a list
    const std::vector<entry>& entries() const { return m_entries; }  ///< only for a map; in written order
    const value* find(std::string_view key) const;                   ///< only for a map; null if absent
    /// Sets or replaces `key` of a map; a null value becomes a map first.
    void set(const std::string& key, value v);
    /// Removes `key` from a map, if it is there.
    void remove(const std::string& key);
    /// Sets a value by a dotted path ("router.vcs"), and makes the maps on the way. Throws error if the path
    /// runs through a scalar or a list.
    void set_path(std::string_view path, value v);

  private:
    kind m_kind = kind::null;
    location m_where;
    std::string m_text;
    std::vector<value> m_items;
    std::vector<entry> m_entries;
};

/// Returns the shortest text that reads back to a number.
std::string number_text(double x);

/// Returns a number as a scalar.
template <class N>
value number(N x, location at = {}) {
    static_assert(std::is_arithmetic_v<N> && !std::is_same_v<N, bool>);
    if constexpr (std::is_integral_v<N>)
        return value::scalar(std::to_string(x), std::move(at));
    else
        return value::scalar(number_text(static_cast<double>(x)), std::move(at));
}

/// Returns the known name nearest to `word` (edit distance); "" if none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace sare::config
