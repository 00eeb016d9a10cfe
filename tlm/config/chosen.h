// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/registry.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

/// Parameters whose value chooses a variant of a `Product`: its name, or a section with the name and the
/// variant's parameters. Product::usual is the name of the default, Product::kind the type in documentation.
/// A struct of parameters keeps the choice as a value; add_chosen() declares it.
namespace sare::config {

/// Returns the name of the variant that a value chooses; Product::usual for a null value. Throws error for an
/// unknown variant.
template <class Product>
std::string name_of(const value& chosen) {
    if (chosen.type() == value::kind::null) return Product::usual;
    return registry<Product>::instance().chosen(chosen).name;
}

/// Makes the variant that a value chooses, with its parameters; the variant Product::usual for a null value.
/// Throws error for an unknown variant or wrong parameters.
template <class Product>
std::shared_ptr<const Product> make_chosen(const value& chosen) {
    return registry<Product>::instance().make(
        chosen.type() == value::kind::null ? value::scalar(Product::usual) : chosen);
}

/// Returns the choice in the form of the resolved configuration: the variant's name or, if the variant has
/// parameters, a section with the name and all parameters, defaults included. Throws error for an unknown
/// variant; `parameter`: name, for the message, of the parameter that makes the choice.
template <class Product>
value resolve_chosen(const value& chosen, const std::string& parameter) {
    const auto& all = registry<Product>::instance();
    if (chosen.type() == value::kind::null) return value::scalar(Product::usual);
    if (chosen.type() != value::kind::map) {
        std::vector<std::string> words;
        for (const auto& [word, v] : all.variants()) words.push_back(word);
        choose_word(chosen, parameter, words);
    }
    const value resolved = all.resolve(chosen);
    return resolved.entries().size() > 1 ? resolved : value::scalar(all.chosen(chosen).name);
}

/// Adds to schema `s` a parameter `name`, kept in `member`, that chooses a `Product`; `sentence` describes
/// it.
template <class Product, class T>
void add_chosen(schema<T>& s, const std::string& name, value T::*member, std::string_view sentence) {
    s.raw(name, member, Product::kind, sentence,
          [name](const value& chosen) { return resolve_chosen<Product>(chosen, name); });
}

}  // namespace sare::config
