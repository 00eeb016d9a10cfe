// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/place_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <vector>

namespace sare {

struct place_names::tables {
    struct table {
        std::map<std::uint32_t, std::string> names;
        std::map<std::string, std::uint32_t, std::less<>> numbers;
    };
    table& of(place_kind what) { return m_of[static_cast<int>(what)]; }
    const table& of(place_kind what) const { return m_of[static_cast<int>(what)]; }

    std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> links;  ///< by router and port

  private:
    table m_of[2];
};

namespace {

const std::string no_name;

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool may_follow(char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '/';
}

}  // namespace

const char* to_string(place_kind what) {
    return what == place_kind::router ? "router" : "node";
}

bool place_names::is_name(std::string_view word) {
    return !word.empty() && is_letter(word.front()) && std::all_of(word.begin(), word.end(), may_follow) &&
           word != "all";
}

bool place_names::is_like_name(std::string_view word) {
    return word != "all" && word.find_first_not_of("0123456789+-.") != std::string_view::npos &&
           (word[0] < '0' || word[0] > '9');
}

std::string place_names::problem_of_name(const std::string& kind, const std::string& word) {
    return "a " + kind + " cannot be called '" + word +
           "'; a name is a letter or _, then letters, digits and _ - /, and not 'all'";
}

const place_names::tables& place_names::all() const {
    static const tables none{};
    return m_all ? *m_all : none;
}

place_names::tables& place_names::to_change() {
    if (!m_all || m_all.use_count() > 1) m_all = std::make_shared<tables>(all());
    return *m_all;
}

bool place_names::empty(place_kind what) const {
    return all().of(what).names.empty();
}

bool place_names::set(place_kind what, std::uint32_t number, const std::string& name) {
    tables::table& all = to_change().of(what);
    const auto [known, is_new] = all.numbers.emplace(name, number);
    if (!is_new && known->second != number) return false;
    std::string& own = all.names[number];
    if (own != name) all.numbers.erase(own);
    own = name;
    return true;
}

const std::string& place_names::name(place_kind what, std::uint32_t number) const {
    const auto& names = all().of(what).names;
    const auto found = names.find(number);
    return found == names.end() ? no_name : found->second;
}

std::optional<std::uint32_t> place_names::number(place_kind what, std::string_view name) const {
    const auto& numbers = all().of(what).numbers;
    const auto found = numbers.find(name);
    if (found == numbers.end()) return std::nullopt;
    return found->second;
}

std::string place_names::text(place_kind what, std::uint32_t number) const {
    const std::string& own = name(what, number);
    return std::string(to_string(what)) + " " + (own.empty() ? std::to_string(number) : own);
}

std::uint32_t place_names::find(place_kind what, const std::string& word, std::uint32_t count,
                                const config::location& at) const {
    if (const auto named = number(what, word)) return *named;
    std::uint32_t n = 0;
    const auto [stop, problem] = std::from_chars(word.data(), word.data() + word.size(), n);
    if (problem == std::errc() && stop == word.data() + word.size() && n < count) return n;
    if (is_like_name(word) && !is_name(word)) throw config::error(at, problem_of_name(to_string(what), word));
    std::vector<std::string> known;
    for (const auto& [name, of_it] : all().of(what).numbers) known.push_back(name);
    const std::string like = is_name(word) ? config::nearest(word, known) : "";
    const std::string kind = to_string(what);
    throw config::error(
        at, "there is no " + kind + " " + (is_name(word) ? "'" + word + "'" : word) + "; " +
                (!like.empty()   ? "did you mean '" + like + "'?"
                 : known.empty() ? fmt::format("{}s are 0 to {}, and none has a name", kind, count - 1)
                                 : fmt::format("{}s are 0 to {}, or by name: {}{}", kind, count - 1,
                                               known.front(), known.size() > 1 ? ", ..." : "")));
}

void place_names::set_link(std::uint32_t router, std::uint32_t port, const std::string& name) {
    to_change().links[{router, port}] = name;
}

const std::string& place_names::link(std::uint32_t router, std::uint32_t port) const {
    const auto& links = all().links;
    const auto found = links.find({router, port});
    return found == links.end() ? no_name : found->second;
}

}  // namespace sare
