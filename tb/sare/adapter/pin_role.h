// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sare::cli {

/// A word of the name of a pin, in lower case: dataIn_N has data, in and n.
struct name_word {
    std::string text;
    std::size_t at, size;  ///< index of its first character in the name; number of its characters
};
using word_list = std::vector<std::string>;

/// Returns the words of a name, in order.
std::vector<name_word> name_words(const std::string& name);
/// Returns true if the name has one of the words `any`.
bool has_any(const std::vector<name_word>& name, const word_list& any);

/// Use of a pin, or of a field of one.
enum class role {
    data,  ///< data of a flit, or anything else
    clock,
    reset,
    credit_valid,  ///< true: the number of a VC on the credit pins is valid
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

/// Returns the role that the name of a pin with `bits` bits suggests.
role role_of(const std::string& name, std::uint32_t bits);
/// Returns true if the name of a reset suggests that it is active low.
bool is_active_low(const std::string& reset);

}  // namespace sare::cli
