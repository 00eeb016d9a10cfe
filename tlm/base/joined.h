// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <type_traits>

namespace sare {

/// Returns the texts of `items` one after another, with `between` after each but the last; `text(item)` makes
/// the text of an item. Returns "" if there are no items.
template <class Items, class Text>
std::string joined(const Items& items, const char* between, const Text& text) {
    std::string all;
    const char* before = "";
    for (const auto& item : items) {
        all.append(before).append(text(item));
        before = between;
    }
    return all;
}

/// Returns strings, or whole numbers in decimal, one after another, with `between` after each but the last;
/// "" if there are none.
template <class Items>
std::string joined(const Items& items, const char* between = ", ") {
    return joined(items, between, [](const auto& item) {
        if constexpr (std::is_integral_v<std::decay_t<decltype(item)>>)
            return std::to_string(item);
        else
            return item;
    });
}

}  // namespace sare
