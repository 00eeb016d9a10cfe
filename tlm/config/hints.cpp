// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/hints.h"

#include "tlm/base/joined.h"
#include "tlm/config/foreign_names.h"
#include "tlm/config/value.h"

#include <algorithm>

namespace sare::config {
namespace {

constexpr const char* colon_text = "a ':' behind a key needs a space";

struct source {
    std::function<std::vector<named_section>()> names;
    std::string path;
    std::function<section_choice()> choice;
};

std::vector<source>& all_sources() {
    static std::vector<source> all;
    return all;
}

std::vector<named_section> all_names() {
    std::vector<named_section> all;
    for (const source& from : all_sources())
        for (named_section& s : from.names()) all.push_back(std::move(s));
    return all;
}

bool is_in(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::string last_key(const std::string& path) {
    return path.substr(path.rfind('.') + 1);  // npos + 1 is 0
}

/// True if a word is a key of its section and a value, without a space: "topology:mesh".
bool is_key_and_value(const std::string& word, const std::string& kind) {
    const auto colon = word.find(':');
    if (colon == std::string::npos) return false;
    const std::string key = word.substr(0, colon);
    const auto all = all_names();
    return std::any_of(all.begin(), all.end(), [&](const named_section& s) {
        return s.kind == kind && (s.selector == key || is_in(s.keys, key));
    });
}

/// True if a section is the one with these keys.
bool is_here(const named_section& s, const std::string& what, const std::vector<std::string>& known) {
    return s.path == what || (!s.selector.empty() && is_in(known, s.selector));
}

/// Returns a hint for characters that word processors put in the place of spaces and quotes; "" for none.
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

/// Returns the name here of another simulator's key, or ""; "" too if the section is right but its variant
/// lacks the key.
std::string foreign_key_cure(const std::string& key, const std::string& what,
                             const std::vector<std::string>& known) {
    const foreign_name* f = find_foreign_key(key);
    if (f == nullptr) return "";
    const std::string ours(f->ours), section = ours.substr(0, ours.rfind('.'));
    for (const named_section& s : all_names())
        if (s.path == section && is_here(s, what, known) && !is_in(known, last_key(ours))) return "";
    return text_of(*f, key);
}

/// True if another simulator's key belongs in this very section.
bool is_foreign_here(const std::string& key, const std::string& what) {
    const foreign_name* f = find_foreign_key(key);
    return f != nullptr && f->ours.substr(0, f->ours.rfind('.')) == what;
}

/// True if a word names a section of the experiment.
bool is_section(const std::string& word) {
    const auto all = all_names();
    return word.find('.') == std::string::npos &&
           std::any_of(all.begin(), all.end(), [&](const named_section& s) { return s.path == word; });
}

/// True if sections of the experiment choose among variants of this kind.
bool is_kind(const std::string& kind) {
    const auto all = all_names();
    return std::any_of(all.begin(), all.end(), [&](const named_section& s) { return s.kind == kind; });
}

/// Returns the other sections that have the key; none if this one has it, with another variant.
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

/// True for a workload other than that of choice_of(), which would put another one in its place.
bool is_other_workload(const std::string& what) {
    const auto all = all_names();
    return what != "bernoulli" && std::any_of(all.begin(), all.end(), [&](const named_section& s) {
               return s.path == "traffic" && is_in(s.variants, what);
           });
}

/// Returns how an experiment chooses a variant: "routing: {function: dor}".
std::string choice_of(const named_section& s, const std::string& variant) {
    const auto dot = s.path.find('.');
    if (dot == std::string::npos) return s.path + ": {" + s.selector + ": " + variant + "}";
    return s.path.substr(0, dot) + ": {workload: bernoulli, " + last_key(s.path) + ": " + variant + "}";
}

/// Returns "'hotspot' is a pattern: write 'traffic: {workload: bernoulli, pattern: hotspot}'": what a word
/// that is no name of `kind` names elsewhere, here or in another simulator; or "".
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

bool add_names(std::function<std::vector<named_section>()> all, const std::string& path,
               std::function<section_choice()> choice) {
    all_sources().push_back({std::move(all), path, std::move(choice)});
    return true;
}

section_choice choice_at(std::string_view path) {
    const std::string whole(path), key = last_key(whole);
    const source* found = nullptr;
    for (const source& s : all_sources())
        if (s.choice && (s.path == whole || (found == nullptr && last_key(s.path) == key))) found = &s;
    return found == nullptr ? section_choice{} : found->choice();
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
    const std::string variant = is_other_workload(what) ? "" : variant_of_other_kind(key, "");
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
    // A name of another kind, letter by letter, is likelier than one of this kind with other letters; but the
    // words of a parameter are its own, whatever a topology or a pattern is called.
    const bool is_own = is_in(words, small_letters(word)) || !is_kind(kind);
    const std::string variant = is_own ? "" : variant_of_other_kind(word, kind);
    if (!variant.empty()) return variant;
    return near.empty() ? "one of: " + joined(words) : "did you mean '" + near + "'?";
}

namespace {

std::string below(const std::string& path, const std::string& key) {
    return path.empty() ? key : path + "." + key;
}

/// Returns the section at `path` that `name` is short for, in which `key` is to be set.
value spelled_out(const value& name, const std::string& path, std::string_view key) {
    const std::string chosen = choice_at(path).selector;
    const std::string selector = chosen.empty() ? "name" : chosen;
    value section = value::map({}, name.where());
    if (key != selector) section.set(selector, name);
    return section;
}

/// True if `name` chooses at `path` what the section there has chosen.
bool is_chosen(const value& section, const std::string& path, const value& name) {
    if (section.type() != value::kind::map || name.type() != value::kind::scalar) return false;
    const section_choice by = choice_at(path);
    const value* now = by.selector.empty() ? nullptr : section.find(by.selector);
    return now != nullptr ? now->text() == name.text()
                          : !by.selector.empty() && by.default_variant == name.text();
}

/// Sets `rest`, a path within the section `at`.
void set_within(value& section, const std::string& at, std::string_view rest, const value& v) {
    const auto dot = rest.find('.');
    const std::string key(rest.substr(0, dot)), path = below(at, key);
    const value* old = section.find(key);
    if (dot == std::string_view::npos) {
        if (old == nullptr || !is_chosen(*old, path, v)) section.set(key, v);
        return;
    }
    const std::string_view further = rest.substr(dot + 1);
    value inner = old == nullptr ? value::map({}, v.where()) : *old;
    if (inner.type() == value::kind::scalar)
        inner = spelled_out(inner, path, further.substr(0, further.find('.')));
    if (inner.type() == value::kind::list)
        throw error(v.where(), "'" + path + "' is a list, which has no '" + std::string(further) +
                                   "'; set the whole list");
    set_within(inner, path, further, v);
    section.set(key, std::move(inner));
}

/// Returns the value that already stands at a path, itself or by a short form; null: none.
const value* find_said(const value& tree, const std::string& at, std::string_view path) {
    const auto dot = path.find('.');
    const std::string key(path.substr(0, dot));
    if (tree.type() == value::kind::scalar) return key == choice_at(at).selector ? &tree : nullptr;
    const value* inner = tree.find(key);
    return inner == nullptr || dot == std::string_view::npos
               ? inner
               : find_said(*inner, below(at, key), path.substr(dot + 1));
}

/// Removes the dotted keys from the section at `path`, and returns them with their values.
settings take_dotted(value& section, const std::string& path) {
    settings dotted;
    for (const auto& [key, v] : section.entries())
        if (key.find('.') != std::string::npos && key.front() != '.' && key.back() != '.')
            dotted.emplace_back(below(path, key), v);
    for (const auto& [whole, v] : dotted)
        section.remove(path.empty() ? whole : whole.substr(path.size() + 1));
    return dotted;
}

}  // namespace

bool is_below(std::string_view path, std::string_view section) {
    return path.size() > section.size() && path.substr(0, section.size()) == section &&
           path[section.size()] == '.';
}

void set_parameters(value& tree, settings all) {
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.first.size() < b.first.size(); });
    for (const auto& [path, v] : all) set_within(tree, "", path, v);
}

void spread_dotted_keys(value& tree) {
    settings all = take_dotted(tree, "");
    value whole = tree;
    for (const auto& [key, section] : tree.entries()) {
        if (section.type() != value::kind::map || key == "cases" || key == "explore" || key == "fit")
            continue;
        value rest = section;
        for (auto& one : take_dotted(rest, key)) all.push_back(std::move(one));
        whole.set(key, std::move(rest));
    }
    for (auto& [path, v] : all) {
        if (const value* first = find_said(whole, "", path))
            throw error(v.where(), "'" + path + "' is given twice; the first is at " + first->where().text());
        set_parameters(whole, {{path, v}});
    }
    tree = std::move(whole);
}

}  // namespace sare::config
