// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/graph/foreign_network.h"

#include <algorithm>
#include <cctype>
#include <set>

/// Graphviz' DOT (graphviz.org/doc/info/lang.html). Boost.Graph's reader says no line, and is a library to
/// link.
namespace sare {
namespace {

class dot_reader {
    using attributes = foreign_network::attributes;
    using ids = std::vector<std::uint32_t>;

  public:
    dot_reader(const std::string& text, const std::string& file) : m_text(text), m_at{file, 1, 1} {
        advance();
    }

    foreign_network read() {
        m_strict = took("strict");
        m_both = is("graph");
        if (!took("graph") && !took("digraph")) fail("'graph' or 'digraph' is expected");
        if (m_word != "{") advance();
        expect("{");
        while (!took("}")) statement({});
        if (!m_word.empty()) fail("nothing may follow the graph; there is '" + m_word + "'");
        return std::move(m_net);
    }

  private:
    [[noreturn]] void fail(const std::string& what) const { throw config::error(m_at, what); }

    /// Skips blanks and comments.
    void skip() {
        for (;; ++m_next) {
            const std::string_view rest = std::string_view(m_text).substr(std::min(m_next, m_text.size()));
            const bool begins = m_next == 0 || m_text[m_next - 1] == '\n';
            std::size_t length = 0;
            if (rest.substr(0, 2) == "//" || (begins && rest.substr(0, 1) == "#"))
                length = rest.find('\n');
            else if (rest.substr(0, 2) == "/*")
                length = rest.find("*/") == std::string_view::npos ? rest.size() : rest.find("*/") + 1;
            else if (rest.empty() || !std::isspace(static_cast<unsigned char>(rest[0])))
                return;
            m_next += std::min(length, rest.size() - 1);
            m_at.line += static_cast<int>(std::count(
                rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(std::min(length + 1, rest.size())),
                '\n'));
        }
    }

    /// Goes to the next word: an ID, a sign, or "" at the end.
    void advance() {
        m_at.line += m_lines;
        m_lines = 0;
        skip();
        m_word.clear();
        m_quoted = false;
        if (m_next >= m_text.size()) return;
        const char c = m_text[m_next];
        if (c == '"' || c == '<') return quote(c);
        if (c == '-' && m_next + 1 < m_text.size() &&
            (m_text[m_next + 1] == '-' || m_text[m_next + 1] == '>'))
            m_word = m_text.substr(m_next, 2);
        else
            for (std::size_t i = m_next; i < m_text.size() && may_be_in_id(m_text[i], i == m_next); ++i)
                m_word += m_text[i];
        if (m_word.empty()) m_word = c;
        m_next += m_word.size();
    }
    static bool may_be_in_id(char c, bool first) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' ||
               static_cast<unsigned char>(c) >= 128 || (first && c == '-');
    }
    /// Reads a text in quotes, or HTML in angles.
    void quote(char open) {
        m_quoted = true;
        int depth = 1;
        for (++m_next; m_next < m_text.size(); ++m_next) {
            const char c = m_text[m_next];
            if (c == '\n') ++m_lines;
            if (open == '"' && c == '\\' && m_next + 1 < m_text.size() && m_text[m_next + 1] == '"') {
                m_word += m_text[++m_next];
                continue;
            }
            depth += open == '<' && c == '<' ? 1 : c == (open == '<' ? '>' : '"') ? -1 : 0;
            if (depth == 0) break;
            m_word += c;
        }
        if (depth != 0) fail("a text begins here that does not end");
        ++m_next;
    }

    bool is(const char* word) const {
        if (m_quoted) return false;
        return m_word.size() == std::char_traits<char>::length(word) &&
               std::equal(m_word.begin(), m_word.end(), word,
                          [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
    }
    bool took(const char* word) {
        if (!is(word)) return false;
        advance();
        return true;
    }
    void expect(const char* word) {
        if (!took(word)) fail("'" + std::string(word) + "' is expected, not '" + m_word + "'");
    }
    std::string id() {
        static const std::string signs = "{}[];,=:";
        if (!m_quoted && (m_word.empty() || signs.find(m_word) != std::string::npos || is("--") || is("->")))
            fail(m_word.empty() ? "the graph has no end: '}' is missing"
                                : "a name is expected, not '" + m_word + "'");
        const std::string word = m_word;
        advance();
        return word;
    }

    void list(attributes& to) {
        while (took("[")) {
            while (!took("]")) {
                const std::string key = id();
                to[key] = took("=") ? id() : "true";
                if (!took(";")) took(",");
            }
        }
    }

    /// Reads a statement; `inside` gathers the vertices of a subgraph.
    void statement(ids* inside) {
        if (took(";")) return;
        for (auto* usual : {&m_node, &m_edge}) {
            if (!took(usual == &m_node ? "node" : "edge")) continue;
            return list(*usual);
        }
        if (is("graph")) {
            advance();
            attributes none;
            return list(none);
        }
        const config::location at = m_at;
        bool is_vertex = false;
        std::vector<ids> chain{operand(is_vertex)};
        if (chain[0].empty() && took("=")) return void(id());
        while (is("--") || is("->")) {
            if (is("--") != m_both)
                fail(m_both ? "'--' links routers in a graph, not '->'"
                            : "'->' links routers in a digraph, not '--'");
            advance();
            bool other = false;
            chain.push_back(operand(other));
        }
        finish(chain, is_vertex, at);
        if (inside != nullptr)
            for (const ids& some : chain) inside->insert(inside->end(), some.begin(), some.end());
    }

    void finish(const std::vector<ids>& chain, bool is_vertex, const config::location& at) {
        attributes about = chain.size() > 1 ? m_edge : attributes{};
        list(about);
        if (chain.size() == 1 && is_vertex)
            for (auto& [key, value] : about) m_net.vertices[chain[0][0]].about[key] = value;
        for (std::size_t i = 0; i + 1 < chain.size(); ++i)
            for (const std::uint32_t a : chain[i])
                for (const std::uint32_t b : chain[i + 1]) edge(a, b, about, at);
    }
    void edge(std::uint32_t a, std::uint32_t b, const attributes& about, const config::location& at) {
        const std::pair<std::uint32_t, std::uint32_t> pair =
            m_both ? std::make_pair(std::min(a, b), std::max(a, b)) : std::make_pair(a, b);
        if (m_strict && !m_linked.insert(pair).second) return;
        const auto way = about.find("dir");
        m_net.edges.push_back({a, b, m_both || (way != about.end() && way->second == "both"), at, about});
    }

    /// Reads a vertex or a subgraph. An ID before '=' is no vertex: none is returned, and the word stays.
    ids operand(bool& is_vertex) {
        if (is("subgraph") || is("{")) return subgraph();
        const config::location at = m_at;
        const std::string name = id();
        if (is("=")) return {};
        if (took(":")) {
            id();
            if (took(":")) id();
        }
        is_vertex = true;
        const auto [known, is_new] = m_known.emplace(name, static_cast<std::uint32_t>(m_net.vertices.size()));
        if (is_new) m_net.vertices.push_back({name, at, m_node});
        return {known->second};
    }
    ids subgraph() {
        if (took("subgraph") && !is("{")) id();
        expect("{");
        const attributes node = m_node, edge = m_edge;
        ids all;
        while (!took("}")) statement(&all);
        m_node = node;
        m_edge = edge;
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    }

    const std::string& m_text;
    std::size_t m_next = 0;
    config::location m_at;  ///< place of the present word
    int m_lines = 0;        ///< ends of lines within the present word
    std::string m_word;
    bool m_quoted = false, m_strict = false, m_both = true;
    attributes m_node, m_edge;  ///< usual attributes of vertices and edges
    std::map<std::string, std::uint32_t> m_known;
    std::set<std::pair<std::uint32_t, std::uint32_t>> m_linked;
    foreign_network m_net;
};

}  // namespace

foreign_network read_dot(const std::string& text, const std::string& file) {
    return dot_reader(text, file).read();
}

}  // namespace sare
