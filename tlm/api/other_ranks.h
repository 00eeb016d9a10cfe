// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/world.h"
#include "tlm/state/text_archive.h"

namespace sare {

/// Sends data from all ranks (processes of MPI) to rank 0; all ranks must call it together. Calls
/// `write(archive)` once in every rank but 0, and in rank 0 `read(archive)` once for each other rank, in
/// ascending order of ranks; with one rank it calls neither. `archive` is an archive&, and `read` must read
/// what `write` wrote, in the same order.
template <class Write, class Read>
void tell_first_rank(world& all, const Write& write, const Read& read) {
    text_writer mine;
    if (all.rank() != 0) write(mine);
    const std::vector<std::string> texts = all.gather(mine.text());
    for (std::size_t rank = 1; rank < texts.size(); ++rank) {
        text_reader theirs(texts[rank]);
        read(theirs);
    }
}

}  // namespace sare
