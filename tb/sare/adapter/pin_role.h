// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sare::cli {

/// A word of a name, in lower case, and its place: dataIn_N has data, in and n.
struct name_word {
    std::string text;
    std::size_t at, size;
};
using word_list = std::vector<std::string>;

std::vector<name_word> name_words(const std::string& name);
bool has_any(const std::vector<name_word>& name, const word_list& any);

/// Use of a pin, or of a field of one.
enum class role {
    data,  ///< or anything else
    clock,
    reset,
    credit_valid,  ///< validity of a VC's number
    credit,
    stop,
    ready,
    valid,
    x,
    y,
    destination_x,
    destination_y,
    destination,
    head,
    tail,
    vc,
    number  ///< number of the router
};

/// Returns the role that the name of a pin of so many bits suggests.
role role_of(const std::string& name, std::uint32_t bits);
/// Returns true if the name of a reset suggests that it is active low.
bool is_active_low(const std::string& reset);

}  // namespace sare::cli
