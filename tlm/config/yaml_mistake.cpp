// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/yaml_mistake.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace sare::config {
namespace {

constexpr const char* tab_text = "the line is indented by a tab; YAML indents by spaces";

/// Brackets and quotes that are open at a place of the text.
class open_marks {
  public:
    struct mark {
        char which;
        int line, column;
    };

    void take(char c) {
        if (c == '\n') {
            ++m_line;
            m_column = 1;
            m_comment = false;
            m_token_begins = true;
            m_after_blank = true;
            return;
        }
        if (!m_comment) take_in_line(c);
        ++m_column;
        m_after_blank = c == ' ' || c == '\t';
    }

    int line() const { return m_line; }
    int column() const { return m_column; }
    const std::vector<mark>& brackets() const { return m_brackets; }
    /// The innermost open quote; its character is 0 if there is none.
    const mark& quote() const { return m_quote; }

  private:
    void take_in_line(char c) {
        if (m_quote.which != 0) {
            if (m_escaped)
                m_escaped = false;
            else if (c == '\\' && m_quote.which == '"')
                m_escaped = true;
            else if (c == m_quote.which)
                m_quote.which = 0;
            return;
        }
        if (c == '#' && m_after_blank) {
            m_comment = true;
        } else if ((c == '"' || c == '\'') && m_token_begins) {
            m_quote = mark{c, m_line, m_column};
        } else if ((c == '[' || c == '{') && (m_token_begins || !m_brackets.empty())) {
            m_brackets.push_back({c, m_line, m_column});
        } else if ((c == ']' || c == '}') && !m_brackets.empty()) {
            m_brackets.pop_back();
        }
        const bool between = std::string_view(":,[{-?").find(c) != std::string_view::npos;
        if (c != ' ' && c != '\t') m_token_begins = between;
    }

    int m_line = 1, m_column = 1;
    std::vector<mark> m_brackets;
    mark m_quote{0, 0, 0};
    bool m_comment = false, m_escaped = false, m_token_begins = true, m_after_blank = true;
};

/// Reads a text up to a place, whose byte becomes `at`.
open_marks read_up_to(const std::string& text, int line, int column, std::size_t& at) {
    open_marks open;
    for (at = 0; at < text.size() && (open.line() < line || (open.line() == line && open.column() < column));
         ++at)
        open.take(text[at]);
    return open;
}

/// True if the innermost bracket that is open at byte `at` is closed later.
bool is_closed_later(open_marks open, const std::string& text, std::size_t at) {
    const std::size_t depth = open.brackets().size();
    for (; at < text.size(); ++at) {
        open.take(text[at]);
        if (open.brackets().size() < depth) return true;
    }
    return false;
}

std::string_view line_of(const std::string& text, int number) {
    std::size_t begin = 0;
    for (int n = 1; n < number && begin < text.size(); ++n) begin = text.find('\n', begin) + 1;
    return std::string_view(text).substr(begin, text.find('\n', begin) - begin);
}

/// True if a line has a key or is an item of a list.
bool is_entry(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos || line[begin] == '#') return false;
    const std::size_t colon = line.find(':', begin);
    return line.substr(begin, 2) == "- " ||
           (colon != std::string_view::npos &&
            (colon + 1 == line.size() ||
             std::string_view(" \t\r").find(line[colon + 1]) != std::string_view::npos));
}

bool has_tab_in_indentation(std::string_view line) {
    const std::size_t end = std::min(line.find_first_not_of(" \t"), line.size());
    return line.substr(0, end).find('\t') != std::string_view::npos && end != line.size() && line[end] != '#';
}

std::string not_closed(char bracket) {
    return bracket == '[' ? "'[' is not closed; a ']' is missing" : "'{' is not closed; a '}' is missing";
}

/// The parser's words, and their meaning. {} stands for the character at the place.
struct meaning {
    std::string_view said;
    const char* text;
};
constexpr const char* directive = "a line that begins with '%' is a directive of YAML; leave it out";
constexpr const char* tag = "'!' begins a tag, which says nothing here; a text that begins with it is quoted";
constexpr meaning meanings[] = {
    {"illegal flow end", "'{}' closes nothing; it is one too many, or what opens it is missing"},
    {"illegal block entry",
     "'- ' begins an item of a list, which needs a line of its own; in a line write [a, b]"},
    {"illegal map key", "no key can be here; a key begins a line, or follows '{' or ','"},
    {"end of sequence not found",
     "this line is no item of the list above; items begin with '- ', all of them in one column"},
    {"unknown token", "'{}' cannot begin a value; a text that begins with it is quoted: \"{}...\""},
    {"unknown escape character",
     "a backslash in \"...\" is written as \\\\; in '...' it is a character as any other"},
    {"bad character found while scanning hex number", "\\x, \\u and \\U want 2, 4 and 8 hexadecimal digits"},
    {"invalid unicode", "no character of Unicode has this number"},
    {"alias not found after *", "'*' is for an anchor of that name; a text that begins with it is quoted"},
    {"illegal character found while scanning alias",
     "'*' is for an anchor of that name; a text that begins with it is quoted"},
    {"anchor not found after &", "'&' gives an anchor a name; a text that begins with it is quoted"},
    {"illegal character found while scanning anchor",
     "'&' gives an anchor a name; a text that begins with it is quoted"},
    {"the referenced anchor is not defined",
     "no anchor of that name is above ('&name' makes one); a text that begins with '*' is quoted"},
    {"illegal document indicator in scalar", "'---' or '...' in a quoted text; the quote is not closed"},
    {"illegal tab when looking for indentation", tab_text},
    {"cannot set zero indentation for a block scalar",
     "the indentation of a text behind '|' or '>' is 1 to 9"},
    {"unexpected character in block scalar",
     "'|' and '>' begin a text in the lines below; a text that begins with them is quoted"},
    {"invalid character in single-quoted string", "a ' in '...' is written twice: ''"},
    {"bad YAML version", directive},
    {"YAML ", directive},
    {"TAG ", directive},
    {"repeated ", directive},
    {"illegal character found while scanning tag", tag},
    {"tag handle", tag},
    {"end of verbatim tag", tag},
    {"cannot assign multiple", "a value has one anchor ('&') and one tag ('!') at most"},
    {"aliases can't have any content", "an alias ('*name') stands alone"},
};

/// Returns the last line above number `number` that is not blank.
std::string_view line_above(const std::string& text, int number) {
    while (--number > 0)
        if (const auto line = line_of(text, number);
            line.find_first_not_of(" \t\r") != std::string_view::npos)
            return line;
    return {};
}

/// Text for a ':' where none is possible.
std::string of_second_colon(const std::string& text, int line, int column) {
    const std::string_view before = line_of(text, line).substr(0, static_cast<std::size_t>(column) - 1);
    if (before.find(": ") != std::string_view::npos)
        return "a second ':' in a value; a text with ': ' is quoted, and a section in a line is {key: value}";
    if (!is_entry(line_above(text, line))) return "the line above is no 'key: value'; its ':' is missing";
    return "this line is indented deeper than the key above, which has a value already; the keys of a "
           "section begin in one column";
}

/// Text for a section that ends where it cannot.
std::string of_end(std::string_view line, int column) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin < static_cast<std::size_t>(column) - 1)
        return "nothing can follow the value; a ' in '...' is written twice: ''";
    if (line.substr(begin, 2) == "- ")
        return "an item of a list among the keys of a section; a list stands below a key of its own";
    return "this line begins in a column in which no section does; the keys of a section begin in one column";
}

std::string meaning_of(const std::string& said, const std::string& text, int number, int column) {
    if (said.rfind("illegal map value", 0) == 0) return of_second_colon(text, number, column);
    const std::string_view line = line_of(text, number);
    if (said == "end of map not found") return of_end(line, column);
    for (const meaning& m : meanings) {
        if (said.compare(0, m.said.size(), m.said) != 0) continue;
        std::string what = m.text;
        const auto at = static_cast<std::size_t>(column - 1);
        const std::string c(at < line.size() ? line.substr(at, 1) : "end");
        for (std::size_t hole; (hole = what.find("{}")) != std::string::npos;) what.replace(hole, 2, c);
        return what;
    }
    return said;
}

}  // namespace

yaml_mistake yaml_mistake_at(const std::string& text, int line, int column, const std::string& said) {
    std::size_t at = 0;
    open_marks open = read_up_to(text, line, column, at);
    const bool of_bracket = said.find(" flow not found") != std::string::npos;
    if (of_bracket && open.brackets().empty())  // what is not closed begins here
        for (; at < text.size(); ++at) open.take(text[at]);
    for (int n = line; n > 0 && open.brackets().empty(); --n)
        if (has_tab_in_indentation(line_of(text, n)))
            return {n, 1, std::string("not valid YAML: ") + tab_text};
    if (const auto& quote = open.quote(); quote.which != 0 && at == text.size())
        return {quote.line, quote.column,
                std::string("not valid YAML: the quote ") + quote.which + " is not closed"};
    if (!open.brackets().empty()) {
        const auto& bracket = open.brackets().back();
        if (!is_closed_later(open, text, at))
            return {bracket.line, bracket.column, "not valid YAML: " + not_closed(bracket.which)};
        if (said == "illegal flow end")
            return {line, column, "not valid YAML: " + not_closed(bracket.which) + " before this"};
        if (of_bracket) return {line, column, "not valid YAML: a ',' is missing before this, or a bracket"};
    }
    return {line, column, "not valid YAML: " + meaning_of(said, text, line, column)};
}

std::optional<yaml_mistake> indented_by_tab(const std::string& text) {
    open_marks open;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (open.column() == 1 && text[i] == '\t' && open.brackets().empty() && open.quote().which == 0 &&
            is_entry(std::string_view(text).substr(i, text.find('\n', i) - i)))
            return yaml_mistake{open.line(), 1, std::string("not valid YAML: ") + tab_text};
        open.take(text[i]);
    }
    return std::nullopt;
}

}  // namespace sare::config
