// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

/// Table of the names that parameters and variants have in other simulators.
namespace sare::config {

/// A name in another simulator, and the name in Sare. A name may have several entries, for different kinds of
/// variants or simulators.
struct foreign_name {
    std::string_view name;  ///< name in the other simulator, in small letters, with '_' for '-'
    /// Simulators with this name, one or two with ", " between them; "": the name is common, and belongs to
    /// none of them.
    std::string_view tools;
    std::string_view kind;  ///< kind of the variant, such as "pattern"; "": the name is a parameter's
    /// Name of the variant in Sare, or dotted path of the parameter in Sare, such as "router.vcs".
    std::string_view ours;
    std::string_view note;  ///< form of the value in Sare, if it is written otherwise there; else ""
};

const std::vector<foreign_name>& foreign_names();  ///< the whole table

/// Returns the first entry for a parameter with the name `key`; null if there is none. Ignores case, and
/// treats '-' as '_'.
const foreign_name* find_foreign_key(const std::string& key);
/// Returns the entries for variants with the name `word`, of any kind. Ignores case, and treats '-' as '_'.
std::vector<const foreign_name*> find_foreign_variants(const std::string& word);

/// Returns a sentence such as "'num_vcs' of BookSim2 and SuperSim is 'router.vcs' here", with the note if
/// there is one. `as_written`: the name as the user has written it.
std::string text_of(const foreign_name& f, const std::string& as_written);

/// Returns the text with its ASCII capitals in small letters.
std::string small_letters(std::string text);

}  // namespace sare::config
