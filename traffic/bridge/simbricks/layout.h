// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

/// The layout of SimBricks' base protocol, version 1, and Ethernet on it, as its headers
/// lib/simbricks/base/proto.h and network/proto.h have them. All numbers are little-endian.
namespace sare::traffic::simbricks {

constexpr std::uint64_t version = 1, ethernet = 1;  ///< version of the protocol; number of the upper layer
constexpr std::uint64_t flag_synchronises = 1, flag_insists = 2;  ///< bits: synchronises; refuses otherwise

/// @name The first words on the Unix socket: numbers of 8 bytes
/// @{
enum listener_word {
    l_version,
    l_flags,
    l_out_offset,
    l_out_entry,
    l_out_entries,
    l_in_offset,
    l_in_entry,
    l_in_entries,
    l_upper,
    l_upper_offset,
    listener_words
};
enum connecter_word { c_version, c_flags, c_upper, c_upper_offset, connecter_words };
/// @}

/// @name An entry of a queue: a header of 64 bytes, then the frame
/// @{
constexpr std::size_t header = 64;
constexpr std::size_t length_at = 0, time_at = 48, owner_at = 63;  ///< u16; u64, ps of arrival; u8
constexpr std::uint8_t owner_bit = 0x80;  ///< set: the consumer owns it; other bits: type
constexpr std::uint8_t type_sync = 0, type_terminate = 1, type_packet = 0x40;
/// @}

/// The place of a queue in shared memory.
struct queue_shape {
    std::uint64_t offset = 0, entry = 0, entries = 0;  ///< bytes; bytes; number
};

}  // namespace sare::traffic::simbricks
