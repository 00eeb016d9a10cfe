// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

/// What parameters and variants are called in other simulators, and here.
namespace sare::config {

struct foreign_key {
    std::string_view name;
    std::string_view simulators;  ///< "": what many call it
    std::string_view ours;        ///< its path, as of --set
    std::string_view note;        ///< how the value is written here, where that is not the same; or ""
};

struct foreign_word {
    std::string_view kind;  ///< what messages call its like: "pattern", "va_allocator"
    std::string_view name;  ///< in small letters
    std::string_view ours;
};

const std::vector<foreign_key>& foreign_keys();
const std::vector<foreign_word>& foreign_words();

/// @name Small and capital letters are the same
/// @{
const foreign_key* find_foreign_key(const std::string& key);  ///< null if there is none
/// The variant, or "".
std::string our_name_of_word(const std::string& word, const std::string& kind);
/// @}

std::string small_letters(std::string text);

}  // namespace sare::config
