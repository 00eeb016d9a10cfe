// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

/// Sections for tests written as YAML has them on one line: maps, lists and plain scalars.
namespace sare::testing_support {

class flow_reader {
  public:
    explicit flow_reader(std::string text) : m_text(std::move(text)) {}
    config::value read() {
        skip();
        const config::location at{"test.yaml", 1, static_cast<int>(m_at) + 1};
        if (take('{')) {
            std::vector<config::value::entry> entries;
            while (!take('}')) {
                const std::string key = word(":");
                take(':');
                entries.emplace_back(key, read());
                take(',');
            }
            return config::value::map(std::move(entries), at);
        }
        if (take('[')) {
            std::vector<config::value> items;
            while (!take(']')) {
                items.push_back(read());
                take(',');
            }
            return config::value::list(std::move(items), at);
        }
        return config::value::scalar(word(",]}"), at);
    }

  private:
    void skip() {
        while (m_at < m_text.size() && m_text[m_at] == ' ') ++m_at;
    }
    bool take(char c) {
        skip();
        if (m_text.at(m_at) != c) return false;
        ++m_at;
        return true;
    }
    std::string word(const char* ends) {
        skip();
        const std::size_t end = m_text.find_first_of(ends, m_at);
        const std::string w = m_text.substr(m_at, end - m_at);
        m_at = end;
        return w;
    }
    std::string m_text;
    std::size_t m_at = 0;
};

inline config::value flow(const std::string& text) {
    return flow_reader(text).read();
}

}  // namespace sare::testing_support
