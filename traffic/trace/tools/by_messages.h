// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/event.h"

/// The linear gatherv and scatterv as messages between the root and each other process. Most trace formats
/// have the sizes of all parts only in the root's record, if at all, so that no process in between could pass
/// parts on.
namespace sare::traffic {

/// Bytes of a receive that takes a message of any size: for a root that knows only the sum of all parts.
constexpr std::uint64_t whatever_comes = std::uint64_t{1} << 40;

/// Returns the messages of process `rank` of a gatherv (`gathers`) or scatterv. `common`: event with
/// communicator and root; `own`: bytes of the process's part; `parts`: bytes of each rank's part, used only
/// for the root.
std::vector<event> by_messages(bool gathers, const event& common, std::uint32_t rank, std::uint64_t own,
                               const std::vector<std::uint64_t>& parts);
/// Returns the messages if the root knows only the sum of all parts, `sent` or `received` bytes: the parts of
/// a scatterv are taken as equal. `ranks`: number of processes.
std::vector<event> by_messages(bool gathers, const event& common, std::uint32_t rank, std::uint32_t ranks,
                               std::uint64_t sent, std::uint64_t received);

}  // namespace sare::traffic
