// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Hints from names: what an error about an unknown name recommends, and the section that the name of a
/// variant is short for. Whoever has names adds them here.
namespace sare::config {

/// The variants of a kind, or a section of parameters.
struct named_section {
    std::string kind;                   ///< "pattern"; "": a section that chooses no variant
    std::string path;                   ///< path in an experiment: "traffic.pattern"
    std::string selector;               ///< key that chooses a variant
    std::vector<std::string> variants;  ///< names of the variants
    std::vector<std::string> keys;      ///< keys of all variants together
};

/// The choice of a variant by the section at a path.
struct section_choice {
    std::string selector;         ///< key; "" if the path chooses no variant
    std::string default_variant;  ///< "": a section must choose
};

/// Adds names, and the choice of the section at `path`; "" and null: no section. `all` and `choice` are
/// called late, since plugins add names. Returns true.
bool add_names(std::function<std::vector<named_section>()> all, const std::string& path = "",
               std::function<section_choice()> choice = nullptr);

/// Returns how the section at a dotted path chooses: by the whole path, else by its last key, since workloads
/// have workloads and patterns within.
section_choice choice_at(std::string_view path);

/// Adds the names of a registry whose section is at `path`.
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

/// @name Recommendations for an unknown name, to follow "; ": "did you mean 'vcs'?"
/// @{
/// Returns a recommendation for a key of the section `what`, whose keys are `known`.
std::string cure_of_key(const std::string& key, const std::string& what,
                        const std::vector<std::string>& known);
/// Returns the path of the parameter that a word names, here or in another simulator: "traffic.load"; or "".
std::string path_of_key(const std::string& key);
/// Returns a recommendation for a name of a `kind` ("topology") whose names are `words`.
std::string cure_of_word(const std::string& word, const std::string& kind,
                         const std::vector<std::string>& words);
/// @}

/// @name The short form of a section that chooses a variant, `routing: dor`, beside parameters of the variant
/// @{
/// Parameters, by their dotted paths.
using settings = std::vector<std::pair<std::string, value>>;

/// True if a dotted path leads to a parameter of the section at another path.
bool is_below(std::string_view path, std::string_view section);

/// Sets parameters by their dotted paths: a section before its parameters, else in their order. If a path
/// runs through the name of a variant, the name becomes a section that chooses it; the name of a variant that
/// a section has already chosen leaves its parameters alone. Throws error if a path runs through a list.
void set_parameters(value& tree, settings all);

/// Spells out the dotted keys of an experiment and of its sections, so that `pattern.nodes: [3]` may stand
/// beside `pattern: hotspot`. Throws error for a parameter that is given twice.
void spread_dotted_keys(value& tree);
/// @}

}  // namespace sare::config
