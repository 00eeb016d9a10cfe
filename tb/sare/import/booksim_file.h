// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace sare::cli {

/// A configuration file of BookSim2: statements "key = value;", with comments that begin with //. A key that
/// is not in it has BookSim2's default.
class booksim_file {
  public:
    /// Reads `file`, and then `overrides` ("key=value"), which replace values as on BookSim2's command line.
    /// Throws config::error if the file cannot be read, or a statement or override is malformed.
    booksim_file(const std::string& file, const std::vector<std::string>& overrides);

    /// @name Functions that return the value of `key`, or `otherwise` if the configuration does not have it.
    /// They remove the key from unread(), and throw config::error for a value of another type
    std::string text(const std::string& key, const std::string& otherwise);
    std::int64_t integer(const std::string& key, std::int64_t otherwise);
    double number(const std::string& key, double otherwise);
    /// Returns the items of a list such as "{1,5}"; a plain value is a list of one item. Braces within items
    /// stay.
    std::vector<std::string> list(const std::string& key, const std::string& otherwise);
    /// Returns true if the file, or an override, has the key.
    bool has(const std::string& key) const { return m_values.count(key) != 0; }
    /// Returns the place of the value of a key; the file as a whole if the configuration does not have it.
    config::location place(const std::string& key) const;
    /// Returns the keys in the configuration whose values were not asked for, in the order of their lines.
    std::vector<std::string> unread() const;
    /// Returns the name of the file, as given to the constructor.
    const std::string& name() const { return m_name; }

  private:
    void read(const std::string& text, const std::string& from);
    void assign(const std::string& statement, const config::location& at);

    std::string m_name;
    std::map<std::string, config::value> m_values;  ///< values with their places, by key
    std::set<std::string> m_asked;                  ///< keys that are not unread()
};

/// Returns true if a file looks like a configuration of BookSim2; false otherwise, and if it cannot be read.
bool is_booksim_file(const std::string& file);

/// Returns the items of a list such as "{0,1},{3}", split at the commas outside of braces and parentheses.
std::vector<std::string> split_list(const std::string& text);

}  // namespace sare::cli
