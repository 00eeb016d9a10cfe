// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Hints for errors about unknown names, and short forms of sections (`routing: dor`). Both use a table of
/// names, to which the folders of the source add their own names.
namespace sare::config {

/// Names of the variants of a kind and of their parameters, or of the parameters of a section.
struct named_section {
    std::string kind;      ///< kind of the variants, such as "pattern"; "": the section chooses no variant
    std::string path;      ///< dotted path of the section in an experiment, such as "traffic.pattern"
    std::string selector;  ///< key of the section that chooses a variant; "" if none does
    std::vector<std::string> variants;  ///< names of the variants
    std::vector<std::string> keys;  ///< keys of the parameters of all variants together, or of the section
};

/// Way in which a section chooses a variant: by which key, and with which default.
struct section_choice {
    std::string selector;  ///< key that chooses the variant; "" if the section chooses none
    /// Name of the variant of a section without the key `selector`; "": the key must be there.
    std::string default_variant;
};

/// Adds the names that `all` returns to the table, and `choice` as the way in which the section at `path`
/// chooses a variant; path "" and an empty `choice`: no section. `all` and `choice` are called whenever names
/// are looked up, as plugins may add names. Always returns true, so that it can initialise a static variable.
bool add_names(std::function<std::vector<named_section>()> all, const std::string& path = "",
               std::function<section_choice()> choice = nullptr);

/// Returns the way in which the section at a dotted path chooses a variant: as added for this path, else as
/// added for a path with the same last key. (Workloads contain workloads and patterns.) Returns an empty
/// selector if there is neither.
section_choice choice_at(std::string_view path);

/// Adds to the table that the section at `path` chooses a variant of `Registry`, whose names the table has
/// already for another section. Always returns true.
template <class Registry>
bool add_section_of(const std::string& path) {
    return add_names(
        [] { return std::vector<named_section>{}; }, path,
        [] {
            return section_choice{Registry::instance().selector(), Registry::instance().default_variant()};
        });
}

/// Adds the variants of `Registry`, of kind `kind`, and their parameters to the table, and that the section
/// at `path` chooses one of them. Always returns true.
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

/// @name Recommendations that follow "unknown key 'vc'; ", such as "did you mean 'vcs'?"
/// @{
/// Returns a recommendation for an unknown `key` of section `what`, whose keys are `known`: a likely key, the
/// section where it belongs, or all known keys.
std::string cure_of_key(const std::string& key, const std::string& what,
                        const std::vector<std::string>& known);
/// Returns the dotted path of the parameter with the name `key` in Sare or in another simulator, such as
/// "traffic.load"; "" if no parameter or several have this name.
std::string path_of_key(const std::string& key);
/// Returns a recommendation for an unknown name `word` of a `kind` such as "topology", whose names are
/// `words`: a likely name, the kind where it belongs, or all names.
std::string cure_of_word(const std::string& word, const std::string& kind,
                         const std::vector<std::string>& words);
/// @}

/// @name The short form of a section that chooses a variant, `routing: dor`, beside parameters of the variant
/// @{
/// List of parameters to set: dotted path and value of each.
using settings = std::vector<std::pair<std::string, value>>;

/// True if the dotted path `path` leads to a key inside the section at path `section`, at any depth.
bool is_below(std::string_view path, std::string_view section);

/// Sets parameters of an experiment `tree` by their dotted paths, shorter paths first, so that a section
/// comes before its parameters. If a path runs through the name of a variant (`routing: dor`), the name
/// becomes a section that chooses this variant. A section that is set to the name of the variant that it has
/// already keeps its parameters. Throws error if a path runs through a list.
void set_parameters(value& tree, settings all);

/// Replaces the dotted keys of an experiment `tree` and of its sections (but not within `cases`, `explore`
/// and `fit`) by nested sections, so that `pattern.nodes: [3]` may stand beside `pattern: hotspot`. Throws
/// error for a parameter that is given twice.
void spread_dotted_keys(value& tree);
/// @}

}  // namespace sare::config
