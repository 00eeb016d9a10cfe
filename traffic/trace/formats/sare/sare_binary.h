// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

/// The binary form of Sare's own format: README.md.
namespace sare::traffic::sare_binary {

constexpr char magic[] = "\x89sareTR\n";   ///< first 8 bytes of the file
constexpr char end_magic[] = "sareEND\n";  ///< last 8 bytes of the file
constexpr std::size_t magic_bytes = 8;
constexpr std::uint64_t version = 1;
constexpr std::uint64_t most_tasks = 16777216;
/// Most bytes of a block, and of an event, before compression; a block of a single event may have
/// most_in_event bytes.
constexpr std::uint64_t most_in_block = 65536, most_in_event = std::uint64_t{64} << 20;

/// The first number of a block: group_block for members of a communicator, first_task + N for events of task
/// N. After the last block come `no_block` and the index.
enum block_kind : std::uint64_t { no_block = 0, group_block = 1, first_task = 2 };

}  // namespace sare::traffic::sare_binary
