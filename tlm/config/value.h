// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// The configuration as a tree of values, each with the place where it was written. The reader of YAML makes
/// the tree; the rest of the program sees only the tree.
namespace sare::config {

/// Place where a value was written: a file with line and column. A value from elsewhere has a text such as
/// "--set" instead of a file name.
struct location {
    std::string file;  ///< name of the file, or such a text; "": not known
    int line = 0;      ///< line, from 1; 0: the place has no line
    int column = 0;    ///< column, from 1

    /// Returns "file:line:column", or the file alone if there is no line, or "configuration" if there is no
    /// file.
    std::string text() const;
};

/// A mistake of the user, as one line: "file:line:column: what is wrong; what would be right".
class error : public std::runtime_error {
  public:
    /// Makes the error at.text() + ": " + `what`.
    error(const location& at, const std::string& what);
    explicit error(const std::string& what);  ///< makes an error without a place, with the text `what`
    /// Returns this error; if it has no place, the same error at `place`.
    error at(const location& place) const;

  private:
    bool m_has_place = false;  ///< true: the text begins with a place
};

/// A value of a configuration: null, a scalar (its text), a list, or a map whose keys keep their order.
class value {
  public:
    enum class kind { null, scalar, list, map };  ///< kind of value
    using entry = std::pair<std::string, value>;  ///< key and value of an entry of a map

    // Out of line: in each of the many files that use a value they would take a third of the time to compile.
    value();
    value(const value&);
    value(value&&) noexcept;
    value& operator=(const value&);
    value& operator=(value&&) noexcept;
    ~value();

    static value nothing(location at);  ///< returns a null value, written at a place
    /// Returns a scalar with the given text; `at`: place where it was written.
    static value scalar(std::string text, location at = {});
    /// Returns a list of these items; `at`: place where it was written.
    static value list(std::vector<value> items, location at = {});
    /// Returns a map with these entries, whose keys must differ, which is not checked; `at`: place where it
    /// was written.
    static value map(std::vector<entry> entries, location at = {});

    /// Kind of the value.
    kind type() const { return m_kind; }
    /// Place where the value was written; an empty location if the program made it.
    const location& where() const { return m_where; }
    const std::string& text() const { return m_text; }           ///< text of a scalar; else ""
    const std::vector<value>& items() const { return m_items; }  ///< items of a list; else empty
    /// Entries of a map, in written order; else empty.
    const std::vector<entry>& entries() const { return m_entries; }
    /// Returns the value of a key of a map, valid until the map changes; null if the key is absent, or this
    /// is no map.
    const value* find(std::string_view key) const;
    /// Sets the value of `key` in a map: replaces the present value, or appends an entry. A null value
    /// becomes a map first; call it for no other kinds.
    void set(const std::string& key, value v);
    /// Removes the entry with the key `key` from a map, if there is one.
    void remove(const std::string& key);
    /// Sets a value by a dotted path ("router.vcs"), and makes the maps on the way. Throws error, placed at
    /// `v`, if the path runs through a scalar or a list.
    void set_path(std::string_view path, value v);

  private:
    kind m_kind = kind::null;
    location m_where;
    std::string m_text;
    std::vector<value> m_items;
    std::vector<entry> m_entries;
};

/// The tree that a configuration was read from, for errors that are found later and name parameters.
class written {
  public:
    written() = default;
    explicit written(const value& tree) : m_tree(std::make_shared<const value>(tree)) {}

    /// Returns the place of the first parameter that a text names, by its path (router.depth) or in quotes
    /// ('marking'); that of the section around it, if it was left out; else that of the whole tree.
    location place_of(std::string_view text) const;
    /// Returns the mistake at the place_of() its text.
    error mistake(const std::string& what) const { return {place_of(what), what}; }

  private:
    std::shared_ptr<const value> m_tree;  ///< null: there is none
};

/// Returns the shortest decimal text that reads back to exactly `x`.
std::string number_text(double x);

/// Returns the number `x` as a scalar; `at`: place where it was written.
template <class N>
value number(N x, location at = {}) {
    static_assert(std::is_arithmetic_v<N> && !std::is_same_v<N, bool>);
    if constexpr (std::is_integral_v<N>)
        return value::scalar(std::to_string(x), std::move(at));
    else
        return value::scalar(number_text(static_cast<double>(x)), std::move(at));
}

/// Returns the name in `known` that is nearest to `word` by typing errors (letters wrong, missing, too many
/// or swapped). Returns "" if all have too many errors. Allowed are 1 in a word below 5 letters, else a third
/// of its letters, at least 2.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace sare::config
