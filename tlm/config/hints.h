// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <functional>
#include <string>
#include <vector>

/// What an unknown name may have been meant for: the cure in the line of an error. Those who have names say
/// so here; it is looked up only where a name is unknown.
namespace sare::config {

/// Variants of a kind, or a section of parameters.
struct named_section {
    std::string kind;      ///< "pattern"; "": a section that chooses nothing
    std::string path;      ///< "traffic.pattern": where it stands in an experiment
    std::string selector;  ///< the key that chooses a variant
    std::vector<std::string> variants;
    std::vector<std::string> keys;  ///< of all variants
};

/// `all` is called late: names of plugins come last. Answers true.
bool add_names(std::function<std::vector<named_section>()> all);

/// The names of a registry whose section stands at `path`.
template <class Registry>
bool add_names_of(const std::string& kind, const std::string& path) {
    return add_names([=] {
        const auto& all = Registry::instance();
        named_section s{kind, path, all.selector(), {}, {}};
        for (const auto& [name, v] : all.variants()) {
            s.variants.push_back(name);
            for (const parameter_doc& d : v.parameters()) s.keys.push_back(d.name);
        }
        return std::vector<named_section>{s};
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

}  // namespace sare::config
