// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/runs/condition.h"

#include "tlm/config/value.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>

namespace sare::cli {
namespace {

constexpr int most_depth = 100;        ///< most parentheses and "not"s within each other
constexpr int most_comparisons = 200;  ///< SQLite's own limit is a thousand
constexpr const char* example = "router.vcs=4 and latency.mean<40";

struct token {
    enum kind { word, quoted, sign, open, close, end } is = end;
    std::string text;
    std::size_t at = 0;  ///< place in the condition
};

/// Returns SQL's sign for "=", "!=", ...; "" for another text.
std::string sql_sign(const std::string& text) {
    if (text == "==") return "=";
    for (const char* known : {"=", "!=", "<", "<=", ">", ">="})
        if (text == known) return text;
    return "";
}

class scanner {
  public:
    explicit scanner(const std::string& text) : m_text(text) {}

    [[noreturn]] void fail(const token& at, const std::string& what) const {
        const std::string place = at.is == token::end ? std::string("at its end")
                                                      : fmt::format("at '{}'", m_text.substr(at.at, 30));
        throw config::error(fmt::format("condition '{}': {}: {}", m_text, place, what));
    }

    token next() {
        while (m_at < m_text.size() && std::isspace(byte()) != 0) ++m_at;
        token t{token::end, "", m_at};
        if (m_at == m_text.size()) return t;
        const char c = m_text[m_at];
        if (c == '(' || c == ')') {
            ++m_at;
            t.is = c == '(' ? token::open : token::close;
        } else if (is_sign(c)) {
            t.is = token::sign;
            while (m_at < m_text.size() && is_sign(m_text[m_at])) t.text += m_text[m_at++];
        } else if (c == '"' || c == '\'') {
            quoted(t, c);
        } else {
            word(t);
        }
        return t;
    }

  private:
    static bool is_sign(char c) { return c == '=' || c == '!' || c == '<' || c == '>'; }
    int byte() const { return static_cast<unsigned char>(m_text[m_at]); }

    void quoted(token& t, char mark) {
        const auto close = m_text.find(mark, m_at + 1);
        if (close == std::string::npos) fail(t = {token::quoted, "", m_at}, "a quotation mark is missing");
        t.is = token::quoted;
        t.text = m_text.substr(m_at + 1, close - m_at - 1);
        m_at = close + 1;
    }

    /// Reads a word. A list in brackets is one word, written as stores have it: [4, 4].
    void word(token& t) {
        t.is = token::word;
        int brackets = 0;
        for (; m_at < m_text.size(); ++m_at) {
            const char c = m_text[m_at];
            if (brackets == 0 && (std::isspace(byte()) != 0 || is_sign(c) || c == '(' || c == ')')) break;
            brackets += c == '[' ? 1 : c == ']' ? -1 : 0;
            if (brackets > 0 && std::isspace(byte()) != 0) continue;
            t.text += c;
            if (brackets > 0 && c == ',') t.text += ' ';
        }
    }

    const std::string& m_text;
    std::size_t m_at = 0;
};

bool is_number(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789+-.eE") == std::string::npos &&
           text.find_first_of("0123456789") < 2;
}

/// Returns a number if it is written as one.
sql_value value_of(const token& t) {
    if (t.is == token::quoted || !is_number(t.text)) return t.text;
    char* end = nullptr;
    errno = 0;
    const long long whole = std::strtoll(t.text.c_str(), &end, 10);
    if (*end == '\0' && errno == 0) return std::int64_t{whole};
    const double x = std::strtod(t.text.c_str(), &end);
    if (*end == '\0') return x;
    return t.text;
}

class parser {
  public:
    parser(const std::string& text, const path_lookup& find) : m_scanner(text), m_find(find) { advance(); }

    condition all() {
        disjunction(0);
        if (m_now.is == token::close) m_scanner.fail(m_now, "this parenthesis was not opened");
        if (m_now.is != token::end) m_scanner.fail(m_now, "'and' or 'or' is missing before it");
        return std::move(m_made);
    }

  private:
    void advance() { m_now = m_scanner.next(); }

    bool take_word(const char* keyword) {
        std::string lower = m_now.text;
        for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        if (m_now.is != token::word || lower != keyword) return false;
        advance();
        return true;
    }

    void disjunction(int depth) {
        m_made.sql += "(";
        conjunction(depth);
        while (take_word("or")) {
            m_made.sql += " OR ";
            conjunction(depth);
        }
        m_made.sql += ")";
    }

    void conjunction(int depth) {
        factor(depth);
        while (take_word("and")) {
            m_made.sql += " AND ";
            factor(depth);
        }
    }

    void factor(int depth) {
        if (depth > most_depth)
            m_scanner.fail(m_now,
                           fmt::format("more than {} parentheses and 'not' within each other", most_depth));
        if (take_word("not")) {
            m_made.sql += "NOT ";
            factor(depth + 1);
        } else if (m_now.is == token::open) {
            advance();
            disjunction(depth + 1);
            if (m_now.is != token::close) m_scanner.fail(m_now, "')' is missing");
            advance();
        } else {
            comparison();
        }
    }

    void comparison() {
        const token path = m_now;
        if (path.is != token::word)
            m_scanner.fail(path,
                           fmt::format("a parameter or figure is missing; write for instance {}", example));
        if (++m_count > most_comparisons)
            m_scanner.fail(path, fmt::format("more than {} comparisons; ask in parts", most_comparisons));
        advance();
        const std::string sign = m_now.is == token::sign ? sql_sign(m_now.text) : "";
        if (sign.empty())
            m_scanner.fail(m_now, fmt::format("one of = != < <= > >= must follow '{}'", path.text));
        advance();
        if (m_now.is != token::word && m_now.is != token::quoted)
            m_scanner.fail(m_now,
                           fmt::format("a value must follow '{}{}'; one with signs in it is put in quotes",
                                       path.text, sign));
        add(path, sign, value_of(m_now));
        advance();
    }

    void add(const token& path, const std::string& sign, const sql_value& value) {
        const path_place place = find(path);
        if (std::find(m_made.paths.begin(), m_made.paths.end(), path.text) == m_made.paths.end())
            m_made.paths.push_back(path.text);
        const bool is_row = place.column.empty();
        const std::string what = is_row ? "value" : place.column;
        // SQLite sorts numbers before texts: '' parts them.
        const bool is_text = std::holds_alternative<std::string>(value);
        if (is_text ? !place.has_texts : !place.has_numbers)
            m_scanner.fail(
                path, is_text
                          ? fmt::format("'{}' is a number, and '{}' is none", path.text,
                                        std::get<std::string>(value))
                          : fmt::format("'{}' is a text; a number that is one is put in quotes", path.text));
        std::string same_kind;
        if (is_text && sign[0] == '<') same_kind = fmt::format(" AND {} >= ''", what);
        if (!is_text && sign[0] == '>') same_kind = fmt::format(" AND {} < ''", what);
        if (is_row) {
            m_made.sql +=
                fmt::format("id IN (SELECT run FROM value WHERE path = ? AND value {} ?{})", sign, same_kind);
            m_made.bound.emplace_back(place.number);
        } else {
            m_made.sql += fmt::format("({} {} ?{})", what, sign, same_kind);
        }
        m_made.bound.push_back(value);
    }

    path_place find(const token& path) const {
        try {
            return m_find(path.text);
        } catch (const config::error& problem) {
            m_scanner.fail(path, problem.what());
        }
    }

    scanner m_scanner;
    const path_lookup& m_find;
    token m_now;
    condition m_made;
    int m_count = 0;
};

}  // namespace

std::string unknown_path(const std::string& path, const std::vector<std::string>& known) {
    const std::string last = path.substr(path.rfind('.') + 1);
    std::vector<std::string> like;  // the ends of names are what people remember
    for (const std::string& one : known)
        if (one.size() > last.size() &&
            one.compare(one.size() - last.size() - 1, std::string::npos, "." + last) == 0)
            like.push_back(one);
    const std::string near = config::nearest(path, known);
    if (!near.empty()) like = {near};
    const std::string what = fmt::format("no run has '{}'; ", path);
    if (like.empty() || like.size() > 4) return what + "'sare runs show ID' lists what a run has";
    return what + fmt::format("did you mean '{}'?", fmt::join(like, "' or '"));
}

condition parse_condition(const std::string& text, const path_lookup& find) {
    return parser(text, find).all();
}

}  // namespace sare::cli
