// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/event.h"

/// gatherv and scatterv, linear, as a message of each process: most formats have the sizes of all parts in
/// the root's record only, if at all, so that nothing in between could pass parts on.
namespace sare::traffic {

/// Bytes of a receive that takes whatever comes: for a root that knows the whole only.
constexpr std::uint64_t whatever_comes = std::uint64_t{1} << 40;

/// The messages of the process `rank` of gatherv (gathers) or scatterv. `common` has the communicator and
/// the root; `own` is the process's part in bytes; `parts`, those of all ranks, is looked at for the root
/// only.
std::vector<event> by_messages(bool gathers, const event& common, std::uint32_t rank, std::uint64_t own,
                               const std::vector<std::uint64_t>& parts);
/// The same where the root knows the whole only: parts of a scatterv are taken as alike.
std::vector<event> by_messages(bool gathers, const event& common, std::uint32_t rank, std::uint32_t ranks,
                               std::uint64_t sent, std::uint64_t received);

}  // namespace sare::traffic
