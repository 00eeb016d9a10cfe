// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/place_names.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace sare {
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

bool place_names::set(place_kind what, std::uint32_t number, const std::string& name) {
    table& all = of(what);
    const auto [known, is_new] = all.numbers.emplace(name, number);
    if (!is_new && known->second != number) return false;
    std::string& own = all.names[number];
    if (own != name) all.numbers.erase(own);
    own = name;
    return true;
}

const std::string& place_names::name(place_kind what, std::uint32_t number) const {
    const auto found = of(what).names.find(number);
    return found == of(what).names.end() ? no_name : found->second;
}

std::optional<std::uint32_t> place_names::number(place_kind what, std::string_view name) const {
    const auto found = of(what).numbers.find(name);
    if (found == of(what).numbers.end()) return std::nullopt;
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
    std::vector<std::string> known;
    for (const auto& [name, of_it] : of(what).numbers) known.push_back(name);
    const std::string like = is_name(word) ? config::nearest(word, known) : "";
    const std::string kind = to_string(what);
    throw config::error(
        at, "there is no " + kind + " " + (is_name(word) ? "'" + word + "'" : word) + "; " +
                (!like.empty()   ? "did you mean '" + like + "'?"
                 : known.empty() ? kind + "s are 0 to " + std::to_string(count - 1) + ", and none has a name"
                                 : kind + "s are 0 to " + std::to_string(count - 1) +
                                       ", or by name: " + known.front() + (known.size() > 1 ? ", ..." : "")));
}

const std::string& place_names::link(std::uint32_t router, std::uint32_t port) const {
    const auto found = m_links.find({router, port});
    return found == m_links.end() ? no_name : found->second;
}

}  // namespace sare
