// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstring>
#include <vector>

/// Records as words of 64 bits, in which processes that are alike send them to each other.
namespace sare {

template <class T>
void put_words(const T& what, std::vector<std::uint64_t>& to) {
    static_assert(sizeof(T) % 8 == 0);
    const std::size_t at = to.size();
    to.resize(at + sizeof(T) / 8);
    std::memcpy(&to[at], static_cast<const void*>(&what), sizeof(T));
}
/// Gives what follows them.
template <class T>
const std::uint64_t* get_words(T& what, const std::uint64_t* from) {
    std::memcpy(static_cast<void*>(&what), from, sizeof(T));
    return from + sizeof(T) / 8;
}

}  // namespace sare
