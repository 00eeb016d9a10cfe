// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/yaml.h"

#include "tlm/config/text_file.h"
#include "tlm/config/yaml_mistake.h"

#include <fmt/format.h>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <optional>
#include <sstream>
#include <unordered_map>

namespace sare::config {
namespace {

constexpr std::size_t most_bytes = 4 << 20, most_values = 1'000'000, most_depth = 100;

/// The source of a text: a file, or something without lines, such as a command line.
struct text_source {
    std::string file;
    bool has_lines;

    location at(int line, int column) const {
        return has_lines ? location{file, line, column} : location{file, 0, 0};
    }
    location at(const YAML::Mark& mark) const {
        return mark.is_null() ? location{file, 0, 0} : at(mark.line + 1, mark.column + 1);
    }
};

/// Makes the tree from the parser's events rather than from its nodes: what is too deep or too large is
/// refused as it comes, before the parser has it in memory.
class tree_builder : public YAML::EventHandler {
  public:
    explicit tree_builder(const text_source& source) : m_source(source) {}

    const value& tree() const {
        if (m_bad_key) throw error(*m_bad_key, "a key must be a name");
        return m_tree;
    }

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        take(value::nothing(wants_value() ? m_open.back().key_at : m_source.at(mark)), anchor, 1);
    }
    void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  const std::string& text) override {
        take(value::scalar(text, location_of(mark)), anchor, 1);
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const auto found = m_anchors.find(anchor);
        if (found == m_anchors.end()) throw error(m_source.at(mark), "an alias within its own anchor");
        const anchored& named = found->second;
        if (m_open.size() + named.depth > most_depth) fail_too_deep(mark);
        m_depth = named.depth;
        take(named.what, 0, named.values);
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        open(value::kind::list, mark, anchor);
    }
    void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        open(value::kind::map, mark, anchor);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapEnd() override { close(); }

  private:
    struct section {
        value::kind what;
        location at;
        YAML::anchor_t anchor;
        std::size_t values_before;
        std::size_t depth = 1;  ///< sections in one another, this one included
        bool has_key = false;
        std::string key;
        location key_at;
        std::vector<value> items;
        std::vector<value::entry> entries;
        std::unordered_map<std::string, location> keys;  ///< places of the keys
    };
    struct anchored {
        value what;
        std::size_t values, depth;
    };

    void open(value::kind what, const YAML::Mark& mark, YAML::anchor_t anchor) {
        if (m_open.size() == most_depth) fail_too_deep(mark);
        const location at = location_of(mark);
        m_open.emplace_back();
        m_open.back().what = what;
        m_open.back().at = at;
        m_open.back().anchor = anchor;
        m_open.back().values_before = m_values;
    }

    void close() {
        section s = std::move(m_open.back());
        m_open.pop_back();
        m_depth = s.depth;
        const std::size_t values = m_values - s.values_before + 1;
        m_values = s.values_before;
        take(s.what == value::kind::list ? value::list(std::move(s.items), s.at)
                                         : value::map(std::move(s.entries), s.at),
             s.anchor, values);
    }

    /// Puts a whole value, of `values` values in all, where it belongs.
    void take(value v, YAML::anchor_t anchor, std::size_t values) {
        const std::size_t depth = std::exchange(m_depth, 0);
        if ((m_values += values) > most_values) fail_too_many(v);
        if (anchor != 0) keep(anchor, {v, values, depth});
        if (m_open.empty()) {
            m_tree = std::move(v);
            return;
        }
        section& s = m_open.back();
        s.depth = std::max(s.depth, depth + 1);
        if (s.what == value::kind::list)
            s.items.push_back(std::move(v));
        else if (wants_key())
            take_key(s, v);
        else
            take_entry(s, std::move(v));
    }

    /// Keeps a value for aliases. Anchors within anchors are kept many times over, so kept values count, too.
    void keep(YAML::anchor_t anchor, anchored named) {
        if ((m_kept += named.values) > most_values) fail_too_many(named.what);
        m_anchors[anchor] = std::move(named);
    }

    /// Takes a key. A key that is no name is reported at the end: the parser takes unclosed text for one, and
    /// says so later.
    void take_key(section& s, const value& v) {
        const bool is_name = v.type() == value::kind::scalar;
        if (!is_name && !m_bad_key) m_bad_key = v.where();
        const auto [first, is_new] = s.keys.emplace(v.text(), v.where());
        if (is_name && !is_new)
            throw error(v.where(),
                        "'" + v.text() + "' is given twice; the first is at " + first->second.text());
        if (is_name && v.text() == "<<")
            throw error(v.where(),
                        "merges ('<<') are not read; write the keys, or give a whole section by its alias");
        s.key = v.text();
        s.key_at = v.where();
        s.has_key = true;
    }

    static void take_entry(section& s, value v) {
        s.keys[s.key] = v.where();
        s.entries.emplace_back(std::move(s.key), std::move(v));
        s.has_key = false;
    }

    /// Returns the place of what begins at `mark`. A value that begins below its key has the key's place.
    location location_of(const YAML::Mark& mark) const {
        const location at = m_source.at(mark);
        return wants_value() && at.line != m_open.back().key_at.line ? m_open.back().key_at : at;
    }

    bool wants_value() const { return in_map() && m_open.back().has_key; }
    bool wants_key() const { return in_map() && !m_open.back().has_key; }
    bool in_map() const { return !m_open.empty() && m_open.back().what == value::kind::map; }

    [[noreturn]] static void fail_too_many(const value& v) {
        throw error(v.where(), "more than a million values; aliases of aliases?");
    }

    [[noreturn]] void fail_too_deep(const YAML::Mark& mark) const {
        throw error(m_source.at(mark), fmt::format("sections nested more than {} deep", most_depth));
    }

    const text_source& m_source;
    value m_tree;
    std::vector<section> m_open;  ///< open sections, the outermost first
    std::unordered_map<YAML::anchor_t, anchored> m_anchors;
    std::optional<location> m_bad_key;  ///< place of the first one
    std::size_t m_values = 0, m_kept = 0;
    std::size_t m_depth = 0;  ///< depth of the value that take() is about to get
};

/// Refuses what follows the first document, of which the parser has several kinds: it takes a stray ',' for
/// endless empty documents.
class end_of_documents : public tree_builder {
  public:
    end_of_documents(const text_source& source, const std::string& text)
        : tree_builder(source), m_source(source), m_text(text) {}

    void OnDocumentStart(const YAML::Mark& mark) override {
        const auto at = static_cast<std::size_t>(std::max(mark.pos, 0));
        if (at >= m_text.size() || m_text.compare(at, 3, "---") == 0)
            throw error(m_source.at(mark), "a second YAML document; one is wanted");
        const auto end = std::min(m_text.find_first_of(" \t\r\n", at), at + 20);
        throw error(m_source.at(mark),
                    "not valid YAML: '" + m_text.substr(at, end - at) + "' is out of place");
    }

  private:
    const text_source& m_source;
    const std::string& m_text;
};

std::string byte_text(unsigned char c) {
    constexpr const char* digits = "0123456789abcdef";
    return {'\\', 'x', digits[c >> 4], digits[c & 15]};
}

/// Throws for binary files and other encodings, which the parser would choke on and no file of results could
/// hold.
void check_text(const std::string& text, const text_source& source) {
    if (text.size() > most_bytes)
        throw error(source.at(1, 1),
                    fmt::format("more than {} MiB; YAML of that size is no experiment", most_bytes >> 20));
    int line = 1;
    std::size_t start = 0;
    for (std::size_t i = 0, bytes; i < text.size(); i += bytes) {
        const auto c = static_cast<unsigned char>(text[i]);
        const bool is_control = (c < ' ' && c != '\t' && c != '\r' && c != '\n') || c == 0x7f;
        bytes = utf8_bytes(text, i);
        if (is_control || bytes == 0)
            throw error(source.at(line, static_cast<int>(i - start) + 1),
                        std::string("not valid YAML: ") + (is_control ? "control character " : "byte ") +
                            byte_text(c) + "; is this a text in UTF-8?");
        if (c == '\n') {
            ++line;
            start = i + 1;
        }
    }
}

/// Returns the tree of a text that is one document, or none.
value parse(const std::string& text, const text_source& source) {
    check_text(text, source);
    if (const auto tab = indented_by_tab(text)) throw error(source.at(tab->line, tab->column), tab->what);
    tree_builder builder(source);
    end_of_documents nothing_more(source, text);
    std::istringstream in(text);
    try {
        YAML::Parser parser(in);
        if (parser.HandleNextDocument(builder)) parser.HandleNextDocument(nothing_more);
    } catch (const YAML::Exception& e) {
        const yaml_mistake found =
            yaml_mistake_at(text, std::max(e.mark.line, 0) + 1, std::max(e.mark.column, 0) + 1, e.msg);
        throw error(source.at(found.line, found.column), found.what);
    }
    const value& tree = builder.tree();
    const bool says_nothing = tree.type() == value::kind::null && tree.where().file.empty();
    return says_nothing ? value::nothing(source.at(1, 1)) : tree;
}

}  // namespace

value parse_document(const std::string& text, const std::string& file) {
    value tree = parse(text, {file, true});
    const std::string wanted = "an experiment has sections such as network, routing and traffic";
    if (tree.type() == value::kind::null) throw error(location{file, 1, 1}, "nothing in it; " + wanted);
    if (tree.type() != value::kind::map) throw error(tree.where(), "not a map; " + wanted);
    return tree;
}

value load_yaml(const std::string& file) {
    return parse_document(read_file(file, most_bytes + 1), file);
}

value parse_yaml(const std::string& text, const std::string& written_at) {
    return parse(text, {written_at, false});
}

}  // namespace sare::config
