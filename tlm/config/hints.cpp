// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/hints.h"

#include "tlm/config/foreign_names.h"
#include "tlm/config/value.h"

#include <algorithm>

namespace sare::config {
namespace {

constexpr const char* colon_text = "a ':' behind a key needs a space";

using sources = std::vector<std::function<std::vector<named_section>()>>;

sources& all_sources() {
    static sources all;
    return all;
}

std::vector<named_section> all_names() {
    std::vector<named_section> all;
    for (const auto& source : all_sources())
        for (named_section& s : source()) all.push_back(std::move(s));
    return all;
}

bool is_in(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::string joined(const std::vector<std::string>& words) {
    std::string all;
    for (const auto& w : words) all += (all.empty() ? "" : ", ") + w;
    return all;
}

std::string last_key(const std::string& path) {
    return path.substr(path.rfind('.') + 1);  // npos + 1 is 0
}

/// Whether a word is a key of its section and a value, without a space: "topology:mesh".
bool is_key_and_value(const std::string& word, const std::string& kind) {
    const auto colon = word.find(':');
    if (colon == std::string::npos) return false;
    const std::string key = word.substr(0, colon);
    const auto all = all_names();
    return std::any_of(all.begin(), all.end(), [&](const named_section& s) {
        return s.kind == kind && (s.selector == key || is_in(s.keys, key));
    });
}

/// Whether a section is the one with these keys.
bool is_here(const named_section& s, const std::string& what, const std::vector<std::string>& known) {
    return s.path == what || (!s.selector.empty() && is_in(known, s.selector));
}

/// For what word processors and web pages put in the place of spaces and quotes; "" if the word has none.
std::string look_alike_in(const std::string& word) {
    static constexpr const char* look_alikes[][2] = {
        {"\u00a0", "a no-break space, U+00A0"},   {"\u200b", "an invisible space, U+200B"},
        {"\ufeff", "a byte order mark, U+FEFF"},  {"\u2018", "a curved quote, U+2018"},
        {"\u2019", "a curved quote, U+2019"},     {"\u201c", "a curved quote, U+201C"},
        {"\u201d", "a curved quote, U+201D"},     {"\u2013", "a dash, U+2013, and no '-'"},
        {"\u2212", "a minus, U+2212, and no '-'"}};
    for (const auto& [character, name] : look_alikes)
        if (word.find(character) != std::string::npos)
            return std::string("it has ") + name + "; type it again";
    return "";
}

/// The name here of a key of another simulator, or "". In the right section with a variant that lacks it, its
/// name is of no use.
std::string foreign_key_cure(const std::string& key, const std::string& what,
                             const std::vector<std::string>& known) {
    const foreign_name* f = find_foreign_key(key);
    if (f == nullptr) return "";
    const std::string ours(f->ours), section = ours.substr(0, ours.rfind('.'));
    for (const named_section& s : all_names())
        if (s.path == section && is_here(s, what, known) && !is_in(known, last_key(ours))) return "";
    return text_of(*f, key);
}

/// Whether what another simulator calls so is in this very section.
bool is_foreign_here(const std::string& key, const std::string& what) {
    const foreign_name* f = find_foreign_key(key);
    return f != nullptr && f->ours.substr(0, f->ours.rfind('.')) == what;
}

/// Whether a word names a section of the experiment.
bool is_section(const std::string& word) {
    const auto all = all_names();
    return word.find('.') == std::string::npos &&
           std::any_of(all.begin(), all.end(), [&](const named_section& s) { return s.path == word; });
}

/// The other sections that have the key; none if this one has, with another variant.
std::vector<std::string> homes_of(const std::string& key, const std::string& what,
                                  const std::vector<std::string>& known) {
    if (what != "experiment" && is_section(key)) return {""};
    std::vector<std::string> outer, inner;
    for (const named_section& s : all_names()) {
        if (!(key == s.selector || is_in(s.keys, key))) continue;
        if (is_here(s, what, known)) return {};
        auto& homes = s.path.find('.') == std::string::npos ? outer : inner;
        if (!is_in(homes, s.path)) homes.push_back(s.path);
    }
    return outer.empty() ? inner : outer;
}

std::string belongs_in(const std::string& key, const std::vector<std::string>& homes) {
    if (homes.size() == 1 && homes[0].empty())
        return "'" + key + "' stands at the top, outside of all sections";
    std::string sections;
    for (const std::string& home : homes)
        sections += (sections.empty() ? "'" : " or '") + (home.empty() ? key : home + "." + key) + "'";
    return "it belongs in " + std::string(homes.size() == 1 ? "another section: " : "other sections: ") +
           sections;
}

/// How an experiment chooses a variant: "routing: {function: dor}".
std::string choice_of(const named_section& s, const std::string& variant) {
    const auto dot = s.path.find('.');
    if (dot == std::string::npos) return s.path + ": {" + s.selector + ": " + variant + "}";
    return s.path.substr(0, dot) + ": {workload: bernoulli, " + last_key(s.path) + ": " + variant + "}";
}

/// "'hotspot' is a pattern: write 'traffic: {workload: bernoulli, pattern: hotspot}'", or "": what a word
/// that is no name of `kind` names elsewhere, here or in another simulator.
std::string variant_of_other_kind(const std::string& word, const std::string& kind) {
    const auto all = all_names();
    for (const named_section& s : all)
        if (!s.kind.empty() && s.kind != kind && is_in(s.variants, word))
            return "'" + word + "' is a " + s.kind + ": write '" + choice_of(s, word) + "'";
    for (const foreign_name* f : find_foreign_variants(word))
        for (const named_section& s : all)
            if (s.kind == f->kind && s.kind != kind && is_in(s.variants, std::string(f->ours)))
                return text_of(*f, word) + ", a " + s.kind + ": write '" +
                       choice_of(s, std::string(f->ours)) + "'";
    return "";
}

}  // namespace

bool add_names(std::function<std::vector<named_section>()> all) {
    all_sources().push_back(std::move(all));
    return true;
}

std::string cure_of_key(const std::string& key, const std::string& what,
                        const std::vector<std::string>& known) {
    if (key.find(':') != std::string::npos) return colon_text;
    if (const std::string found = look_alike_in(key); !found.empty()) return found;
    if (const auto dot = key.find('.'); is_in(known, key.substr(0, dot)))
        return "write '" + key.substr(0, dot) + ": {" + key.substr(dot + 1) +
               ": ...}'; dotted paths are for --set";
    const auto homes = homes_of(key, what, known);
    const std::string foreign = foreign_key_cure(key, what, known);
    const std::string near = nearest(key, known);
    if (!foreign.empty() && is_foreign_here(key, what)) return foreign;
    if (key.size() > 2 && !homes.empty() && homes.size() <= 3) return belongs_in(key, homes);
    if (!foreign.empty()) return foreign;
    if (!near.empty()) return "did you mean '" + near + "'?";
    const std::string variant = variant_of_other_kind(key, "");
    return variant.empty() ? "known: " + joined(known) : variant;
}

std::string path_of_key(const std::string& key) {
    const auto homes = homes_of(key, "", {});
    if (homes.size() == 1) return homes[0].empty() ? key : homes[0] + "." + key;
    const foreign_name* f = find_foreign_key(key);
    return f == nullptr ? "" : std::string(f->ours);
}

std::string cure_of_word(const std::string& word, const std::string& kind,
                         const std::vector<std::string>& words) {
    if (is_key_and_value(word, kind)) return colon_text;
    if (const std::string found = look_alike_in(word); !found.empty()) return found;
    for (const foreign_name* f : find_foreign_variants(word))
        if (f->kind == kind && is_in(words, std::string(f->ours))) return text_of(*f, word);
    const std::string near = nearest(small_letters(word), words);
    // A name of another kind, letter by letter, is likelier than one of this kind with other letters.
    const std::string variant = is_in(words, small_letters(word)) ? "" : variant_of_other_kind(word, kind);
    if (!variant.empty()) return variant;
    return near.empty() ? "one of: " + joined(words) : "did you mean '" + near + "'?";
}

}  // namespace sare::config
