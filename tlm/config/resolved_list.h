// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <utility>
#include <vector>

namespace sare::config {

/// Returns the list `given` of sections that choose variants of `Registry`, with every default written out:
/// for the argument `resolve` of schema::list(). Returns a value that is no list as it is, so that its reader
/// reports it. Throws error for a wrong item.
template <class Registry>
value resolved_list(const value& given) {
    if (given.type() != value::kind::list) return given;
    std::vector<value> resolved;
    for (const value& item : given.items()) resolved.push_back(Registry::instance().resolve(item));
    return value::list(std::move(resolved), given.where());
}

/// Splits an item of a list, a section that chooses a variant and has the keys `keys` beside the variant's
/// parameters. Returns a map with those of the keys that it has, and the section without them.
inline std::pair<value, value> split(const value& entry, const std::vector<parameter_doc>& keys) {
    std::pair<value, value> parts{value::map({}, entry.where()), entry};
    if (entry.type() != value::kind::map) return parts;
    for (const parameter_doc& key : keys)
        if (const value* given = entry.find(key.name)) {
            parts.first.set(key.name, *given);
            parts.second.remove(key.name);
        }
    return parts;
}

/// Returns resolved_list() of a list whose items have the keys `keys` beside those of their variants. `what`:
/// name of the list in messages.
template <class Registry>
value resolved_entries(const value& given, const std::vector<parameter_doc>& keys, const std::string& what) {
    if (given.type() != value::kind::list) return given;
    std::vector<value> resolved;
    for (const value& item : given.items()) {
        const auto [own, variant] = split(item, keys);
        std::vector<std::string> known{Registry::instance().selector()};
        for (const auto& some : {keys, Registry::instance().chosen(variant).parameters()})
            for (const parameter_doc& key : some) known.push_back(key.name);
        if (item.type() == value::kind::map) check_keys(item, what, known);
        resolved.push_back(Registry::instance().resolve(variant));
        for (const auto& [key, its] : own.entries()) resolved.back().set(key, its);
    }
    return value::list(std::move(resolved), given.where());
}

}  // namespace sare::config
