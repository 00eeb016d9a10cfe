// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace sare::cli {

/// A configuration of BookSim2: "key = value;", and // begins a comment. What is not there has BookSim2's
/// default.
class booksim_file {
  public:
    /// Reads `file`, and `overrides` ("key=value") over it, as BookSim2 takes them on its command line.
    booksim_file(const std::string& file, const std::vector<std::string>& overrides);

    /// @name The value of a key, or `otherwise`; it counts as asked for
    /// @{
    std::string text(const std::string& key, const std::string& otherwise);
    std::int64_t integer(const std::string& key, std::int64_t otherwise);
    double number(const std::string& key, double otherwise);
    /// "{1,5}" taken apart, of which a plain value is one; braces within stay.
    std::vector<std::string> list(const std::string& key, const std::string& otherwise);
    /// @}
    bool has(const std::string& key) const { return m_values.count(key) != 0; }
    /// Where it is written: `file` as a whole, if it is not.
    config::location place(const std::string& key) const;
    /// The keys that nobody has asked for, by line.
    std::vector<std::string> unread() const;
    const std::string& name() const { return m_name; }

  private:
    void read(const std::string& text, const std::string& from);
    void assign(const std::string& statement, const config::location& at);

    std::string m_name;
    std::map<std::string, config::value> m_values;
    std::set<std::string> m_asked;
};

/// Whether a file looks like one; false if it cannot be read.
bool is_booksim_file(const std::string& file);

/// "{0,1},{3}" at its commas outside of braces.
std::vector<std::string> split_list(const std::string& text);

}  // namespace sare::cli
