// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace sare::cli {

/// A configuration of BookSim2: "key = value;", and // begins a comment. A key that is missing has BookSim2's
/// default.
class booksim_file {
  public:
    /// Reads `file`, then `overrides` ("key=value"), as on BookSim2's command line. Throws config::error if
    /// it cannot be read or is malformed.
    booksim_file(const std::string& file, const std::vector<std::string>& overrides);

    /// @name Value of a key, or `otherwise` if it is missing; the key counts as asked for
    /// @{
    std::string text(const std::string& key, const std::string& otherwise);
    std::int64_t integer(const std::string& key, std::int64_t otherwise);
    double number(const std::string& key, double otherwise);
    /// Returns the items of "{1,5}"; a plain value is one item. Inner braces stay.
    std::vector<std::string> list(const std::string& key, const std::string& otherwise);
    /// @}
    /// True if the file, or an override, has the key.
    bool has(const std::string& key) const { return m_values.count(key) != 0; }
    /// Returns the place of a key in the file; the file as a whole if the key is missing.
    config::location place(const std::string& key) const;
    /// Returns the keys that nobody has asked for, by line.
    std::vector<std::string> unread() const;
    const std::string& name() const { return m_name; }

  private:
    void read(const std::string& text, const std::string& from);
    void assign(const std::string& statement, const config::location& at);

    std::string m_name;
    std::map<std::string, config::value> m_values;
    std::set<std::string> m_asked;
};

/// True if a file looks like such a configuration; false if it cannot be read.
bool is_booksim_file(const std::string& file);

/// Splits "{0,1},{3}" at its commas outside of braces and parentheses.
std::vector<std::string> split_list(const std::string& text);

}  // namespace sare::cli
