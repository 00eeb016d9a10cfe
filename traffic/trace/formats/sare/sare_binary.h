// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

/// The binary form of Sare's own format: README.md.
namespace sare::traffic::sare_binary {

constexpr char magic[] = "\x89sareTR\n";   ///< the file's first 8 bytes
constexpr char end_magic[] = "sareEND\n";  ///< its last 8
constexpr std::size_t magic_bytes = 8;
constexpr std::uint64_t version = 1;
constexpr std::uint64_t most_tasks = 16777216;
/// Bytes of a block before it is compressed; one event alone may have more.
constexpr std::uint64_t most_in_block = 65536, most_in_event = std::uint64_t{64} << 20;

/// What a block begins with: the members of a communicator, or events of task 0, 1, ... Behind the last one
/// stands `no_block`, then the index.
enum block_kind : std::uint64_t { no_block = 0, group_block = 1, first_task = 2 };

}  // namespace sare::traffic::sare_binary
