// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

/// Constants of the binary form of Sare's traces, which README.md beside this file describes.
namespace sare::traffic::sare_binary {

constexpr char magic[] = "\x89sareTR\n";   ///< first 8 bytes of the file
constexpr char end_magic[] = "sareEND\n";  ///< last 8 bytes of the file
/// Number of bytes of `magic` and of `end_magic`.
constexpr std::size_t magic_bytes = 8;
/// Version of the form, written behind `magic`.
constexpr std::uint64_t version = 1;
/// Largest number of tasks of a trace.
constexpr std::uint64_t most_tasks = 16777216;
/// Largest number of bytes, before compression, of a block with several events, and of a block with a single
/// event.
constexpr std::uint64_t most_in_block = 65536, most_in_event = std::uint64_t{64} << 20;

/// First number of a block, its kind: group_block for the members of a communicator; first_task + N for
/// events of task N. `no_block` stands in the place of a block after the last one, before the index.
enum block_kind : std::uint64_t { no_block = 0, group_block = 1, first_task = 2 };

}  // namespace sare::traffic::sare_binary
