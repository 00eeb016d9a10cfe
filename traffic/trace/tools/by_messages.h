// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/event.h"

namespace sare::traffic {

/// Size, in bytes, given to a receive that takes a message of any size: 2^40. Used by a root that knows only
/// the sum of all parts.
constexpr std::uint64_t whatever_comes = std::uint64_t{1} << 40;

/// Returns the sends or receives that replace the call of rank `rank` in a gatherv (`gathers`) or scatterv
/// (not `gathers`): direct messages between the root and each other rank. (Most trace formats have the sizes
/// of all parts only in the root's record, if at all, so that no rank in between could pass parts on.)
/// `common`: event with communicator and root; `own`: bytes of the rank's part, not used for the root;
/// `parts`: bytes of each rank's part, used only for the root.
std::vector<event> by_messages(bool gathers, const event& common, std::uint32_t rank, std::uint64_t own,
                               const std::vector<std::uint64_t>& parts);
/// Returns these sends or receives if the root knows only the total size, not the size of each part. Receives
/// take messages of any size, at the root of a gatherv and at other ranks of a scatterv. The root of a
/// scatterv sends each rank an equal part of `sent`, rounded down. `ranks`: number of ranks, at least 1;
/// `sent`, `received`: bytes that this rank's record says it sent and received.
std::vector<event> by_messages(bool gathers, const event& common, std::uint32_t rank, std::uint32_t ranks,
                               std::uint64_t sent, std::uint64_t received);

}  // namespace sare::traffic
