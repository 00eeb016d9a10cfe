// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstring>
#include <vector>

/// Copies records to and from words of 64 bits, in which processes of the same program send them to each
/// other. A record is trivially copyable, and its size a multiple of 8 bytes.
namespace sare {

/// Appends a record to the words `to`.
template <class T>
void put_words(const T& what, std::vector<std::uint64_t>& to) {
    static_assert(sizeof(T) % 8 == 0);
    const std::size_t at = to.size();
    to.resize(at + sizeof(T) / 8);
    std::memcpy(&to[at], static_cast<const void*>(&what), sizeof(T));
}
/// Reads a record from the words at `from`, and returns the address behind it. That so many words are there
/// is not checked.
template <class T>
const std::uint64_t* get_words(T& what, const std::uint64_t* from) {
    std::memcpy(static_cast<void*>(&what), from, sizeof(T));
    return from + sizeof(T) / 8;
}

}  // namespace sare
