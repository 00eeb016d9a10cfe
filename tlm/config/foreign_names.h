// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

/// Table of the names that parameters and variants have in other simulators.
namespace sare::config {

/// A name elsewhere, and ours. One name may have several entries, for different kinds or simulators.
struct foreign_name {
    std::string_view name;   ///< in small letters, '_' for '-'
    std::string_view tools;  ///< simulators with this name; "": a common name
    std::string_view kind;   ///< kind of a variant, as in messages: "pattern"; "": a parameter
    std::string_view ours;   ///< our variant, or path of our parameter as in --set
    std::string_view note;   ///< form of the value here, if it differs; or ""
};

const std::vector<foreign_name>& foreign_names();  ///< the whole table

/// Returns the entry of a parameter; null if there is none. Ignores the case of letters.
const foreign_name* find_foreign_key(const std::string& key);
/// Returns the entries of all variants with this name, of any kind.
std::vector<const foreign_name*> find_foreign_variants(const std::string& word);

/// Returns "'num_vcs' of BookSim2 and SuperSim is 'router.vcs' here", and the note.
std::string text_of(const foreign_name& f, const std::string& as_written);

/// Returns the text with its ASCII capitals in small letters.
std::string small_letters(std::string text);

}  // namespace sare::config
