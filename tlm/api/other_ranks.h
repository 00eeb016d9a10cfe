// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/world.h"
#include "tlm/state/text_archive.h"

namespace sare {

/// Of all ranks at once: `write(archive)` in all but rank 0, which calls `read(archive)` for each of them, by
/// rank. Both take an archive&.
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
