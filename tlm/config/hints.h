// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What names stand for: the cure in the line of an error about one that is unknown, and the section that the
/// name of a variant is short for. Those who have names say so here.
namespace sare::config {

/// Variants of a kind, or a section of parameters.
struct named_section {
    std::string kind;      ///< "pattern"; "": a section that chooses nothing
    std::string path;      ///< "traffic.pattern": where it stands in an experiment
    std::string selector;  ///< the key that chooses a variant
    std::vector<std::string> variants;
    std::vector<std::string> keys;  ///< of all variants
};

/// How the section at a path chooses its variant.
struct section_choice {
    std::string selector;         ///< "" at a path that chooses nothing
    std::string default_variant;  ///< "" if a section must choose
};

/// `all` is called late: names of plugins come last; so is `choice`, for the section at `path`. Answers true.
bool add_names(std::function<std::vector<named_section>()> all, const std::string& path = "",
               std::function<section_choice()> choice = nullptr);

/// Returns how the section at a dotted path chooses: by the whole path, else by its last key, since workloads
/// have workloads and patterns within.
section_choice choice_at(std::string_view path);

/// The names of a registry whose section stands at `path`.
template <class Registry>
bool add_names_of(const std::string& kind, const std::string& path) {
    const auto names = [=] {
        const auto& all = Registry::instance();
        named_section s{kind, path, all.selector(), {}, {}};
        for (const auto& [name, v] : all.variants()) {
            s.variants.push_back(name);
            for (const parameter_doc& d : v.parameters()) s.keys.push_back(d.name);
        }
        return std::vector<named_section>{s};
    };
    return add_names(names, path, [] {
        return section_choice{Registry::instance().selector(), Registry::instance().default_variant()};
    });
}

/// @name What to do about an unknown name, behind "; ": "did you mean 'vcs'?"
/// @{
/// A key of the section `what`, which knows others.
std::string cure_of_key(const std::string& key, const std::string& what,
                        const std::vector<std::string>& known);
/// The path of the parameter that a word names, here or in another simulator: "traffic.load"; or "".
std::string path_of_key(const std::string& key);
/// A name among `words`, which are of a kind ("topology").
std::string cure_of_word(const std::string& word, const std::string& kind,
                         const std::vector<std::string>& words);
/// @}

/// @name The short form of a section that chooses a variant, `routing: dor`, beside parameters of the variant
/// @{
/// Parameters by their dotted paths.
using settings = std::vector<std::pair<std::string, value>>;

/// Whether a dotted path leads to a parameter of the section at the other path.
bool is_below(std::string_view path, std::string_view section);

/// Sets parameters by their dotted paths, a section before what is in it, else in their order. Where a path
/// runs through the name of a variant, that becomes a section which chooses it; the name of the variant that
/// a section has chosen already leaves its parameters as they are. Throws error where a path runs through a
/// list.
void set_parameters(value& tree, settings all);

/// Spells out the dotted keys of an experiment and of its sections, so that `pattern.nodes: [3]` may stand
/// beside `pattern: hotspot`. Throws error for a parameter that is given twice.
void spread_dotted_keys(value& tree);
/// @}

}  // namespace sare::config
