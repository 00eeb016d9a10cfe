// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

/// The layout in memory of SimBricks' base protocol, version 1, and of Ethernet on it, as in its headers
/// lib/simbricks/base/proto.h and lib/simbricks/network/proto.h. All numbers are little-endian.
namespace sare::traffic::simbricks {

constexpr std::uint64_t version = 1, ethernet = 1;  ///< version of the base protocol; number of Ethernet as
                                                    ///< upper layer
/// Bits of the words l_flags and c_flags: the side can synchronise; the side refuses a peer that cannot.
constexpr std::uint64_t flag_synchronises = 1, flag_insists = 2;

/// @name The first words on the Unix socket: unsigned numbers of 8 bytes, in the order of the enumerators
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

/// @name An entry of a queue: 64 bytes of header, then the frame
constexpr std::size_t header = 64;
/// Offsets in the header: length of the frame (u16); time of arrival in ps (u64); owner and type (u8).
constexpr std::size_t length_at = 0, time_at = 48, owner_at = 63;
constexpr std::uint8_t owner_bit = 0x80;  ///< bit of the owner's byte: set, the consumer owns the entry;
                                          ///< clear, the producer does; the other bits are the type
/// Types of entries: time only; the end of the connection; a frame.
constexpr std::uint8_t type_sync = 0, type_terminate = 1, type_packet = 0x40;
/// @}

/// The place of a queue in shared memory: bytes from the start of the memory to its first entry, bytes of an
/// entry with its header, number of entries.
struct queue_shape {
    std::uint64_t offset = 0, entry = 0, entries = 0;  ///< bytes; bytes; number
};

}  // namespace sare::traffic::simbricks
