// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/event.h"

/// The linear gatherv and scatterv as a message of each process: most formats have the sizes of all parts
/// only in the root's record, if at all, so that nothing in between could pass parts on.
namespace sare::traffic {

/// Bytes of a receive that takes whatever comes: for a root that only knows the whole.
constexpr std::uint64_t whatever_comes = std::uint64_t{1} << 40;

/// Returns the messages of process `rank` of a gatherv (`gathers`) or scatterv. `common` has communicator and
/// root; `own` is the process's part in bytes; `parts`, bytes of all ranks, is used only for the root.
std::vector<event> by_messages(bool gathers, const event& common, std::uint32_t rank, std::uint64_t own,
                               const std::vector<std::uint64_t>& parts);
/// Returns the messages if the root only knows the whole: parts of a scatterv are taken as alike.
std::vector<event> by_messages(bool gathers, const event& common, std::uint32_t rank, std::uint32_t ranks,
                               std::uint64_t sent, std::uint64_t received);

}  // namespace sare::traffic
