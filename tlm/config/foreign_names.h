// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

/// What parameters and variants are called in other simulators, and here: one table.
namespace sare::config {

struct foreign_name {
    std::string_view name;   ///< in small letters, '_' for '-'
    std::string_view tools;  ///< simulators that call it so; "": what many call it
    std::string_view kind;   ///< of a variant, as messages call it: "pattern"; "": a parameter
    std::string_view ours;   ///< the variant, or the path of the parameter as of --set
    std::string_view note;   ///< how the value is written here, where that is not the same; or ""
};

const std::vector<foreign_name>& foreign_names();

/// The parameter of another simulator; null if there is none. Small and capital letters are the same.
const foreign_name* find_foreign_key(const std::string& key);
/// Every variant of that name, of any kind.
std::vector<const foreign_name*> find_foreign_variants(const std::string& word);

/// "'num_vcs' of BookSim2 and SuperSim is 'router.vcs' here", with the note.
std::string text_of(const foreign_name& f, const std::string& as_written);

std::string small_letters(std::string text);

}  // namespace sare::config
